"""Write the files of this version of mjconv that later versions must read: ``python tests/goldens.py``.

They go to a folder of this version below `tests/golden`, and `tests/test_note_versions.py` reads them. The
workflow of a release runs this script, and fails if the files are not in the commit of the tag.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from corpus_files import CORPUS
from mjconv import FORMATS, MjconvError
from mjconv.version import VERSION
from trips import read, write

GOLDEN = Path(__file__).parent / "golden"
#: The sources of the golden files, by the first part of their names: the file of the corpus, and its format.
SOURCES = {
    "filled-mjson": ("sample/game.mjson", "mjai"),
    "flowers-txt": ("botzone/flowers.txt", "botzone"),
    "four-json": ("majsoul/four.json", "majsoul"),
    "game-mjson": ("sample/game.mjson", "mjai"),
    "kans-pmn": ("pmn/kans.pmn", "pmn"),
    "layout-jmjp": ("grammar/layout.jmjp", "jmjp"),
    "open-mjson": ("stream/open.mjson", "mjai"),
    "remarks-jmjp": ("../tests/golden/notes-v3/remarks-jmjp.jmjp", "jmjp"),
    "seat-mjson": ("stream/seat.mjson", "mjai"),
}


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file: every source in every format that has notes."""
    for source, (name, form) in SOURCES.items():
        matches = read((CORPUS / name).read_bytes(), form).matches
        for target in (*(each.id for each in FORMATS if each.notes), "jmjp-0", "tenhou-json"):
            try:
                yield f"{source}.{target}", write(matches, target).data
            except MjconvError:
                # The format has no place for such a game.
                continue


def main() -> None:
    folder = GOLDEN / f"release-{VERSION}"
    folder.mkdir(exist_ok=True)
    for name, data in files():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
