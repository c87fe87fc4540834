"""Try hostile input: broken records, inputs that are made to hurt, slow regular expressions.

``python -m fuzz mjai --minutes 60`` runs the reader of mjai on broken records for an hour.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

#: The folder for inputs that did harm.
_CRASHES: Final = Path(__file__).parents[1] / "corpus" / "crashes"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status: 1 if an input did harm."""
    parser = argparse.ArgumentParser("python -m fuzz", description=__doc__)
    parser.add_argument("what", help="a format to read, or archives, or plays, or bombs, or edits, or patterns")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to run (1)")
    parser.add_argument("--seed", type=int, default=0, help="another number makes other inputs (0)")
    parser.add_argument(
        "--keep", metavar="FOLDER", type=Path, default=_CRASHES, help="folder for the inputs that do harm"
    )
    parser.add_argument("--guided", action="store_true", help="choose inputs by coverage; needs atheris")
    asked = parser.parse_args(arguments)
    # Imported late: each worker process imports this module again, and atheris must see the import of mjconv.
    if asked.what == "bombs":
        from fuzz.bombs import run

        return 0 if run() else 1
    if asked.what == "patterns":
        from fuzz.patterns import report

        return 0 if report() else 1
    if asked.what == "edits":
        from fuzz.edits import report_edits

        return 0 if report_edits(asked.seed) else 1
    from mjconv.converters.formats import all_formats

    readers = [form.id for form in all_formats() if form.reads]
    if asked.what not in (*readers, "archives", "plays"):
        known = ", ".join((*readers, "archives", "plays", "bombs", "edits", "patterns"))
        parser.error(f"unknown reader {asked.what!r}: choose from {known}")
    if asked.guided and asked.what not in readers:
        parser.error("--guided takes a format")
    if asked.guided and find_spec("atheris") is None:
        parser.error("--guided needs atheris, which comes with the extra `fuzz`")
    from fuzz.run import Campaign

    campaign = Campaign(asked.what, asked.seed, asked.keep, guided=asked.guided)
    campaign.run(asked.minutes)
    print(campaign.figures())
    return 1 if campaign.crashes else 0


if __name__ == "__main__":
    sys.exit(main())
