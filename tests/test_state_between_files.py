"""What a reader makes of a file does not depend on the files that were read before it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: Reads all files in an order, and again in the opposite order, and prints the files that are read otherwise.
SCRIPT = """
import sys
from pathlib import Path
from mjconv.converters import hub, formats
from mjconv.converters.interface import HEAD
from mjconv.converters.shared.originals import without
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report

def reading(path, form):
    report = Report()
    try:
        matches = hub.read_matches(form, path.read_bytes(), report)
    except MjconvError as error:
        return str(error)
    return [(without(match), match.original) for match in matches], report.warnings, report.losses

files = []
for path in sorted(path for path in Path("corpus").rglob("*") if path.is_file() and path.stat().st_size < 100_000):
    form = formats.of_file(path.name, path.read_bytes()[:HEAD])
    if form is not None and form.reads:
        files.append((path, form))
files.sort(key=lambda each: each[0].parent.name not in ("broken", "crashes"))
before = [reading(*each) for each in files]
after = [reading(*each) for each in reversed(files)][::-1]
print(len(files), *(path for (path, _), one, two in zip(files, before, after) if one != two))
"""


def test_files_are_read_alike_in_any_order() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)
    number, *differing = done.stdout.split()
    assert int(number) > 100
    assert differing == []
