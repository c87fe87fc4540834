"""The page on HK tells what the code does: its table of faan, and every loss."""

from __future__ import annotations

import re
from pathlib import Path

from corpus_files import CORPUS, FORMATS
from logs import logs
from mjconv.ir.events import KEYS
from mjconv.ir.match import Match, Round
from mjconv.rules.hongkong_faan import PATTERNS
from trips import read, write

PAGE = (Path(__file__).parents[3] / "docs" / "hk.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    lines = PAGE.splitlines()
    begin = lines.index(f"| {heading} |") + 2
    found = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def test_the_table_of_faan() -> None:
    shown = {
        (name, int(faan), frozenset(filter(None, taken.split(", "))))
        for name, faan, taken in rows("Pattern | Faan | Takes in")
    }
    assert shown == {(pattern.name, pattern.faan, frozenset(pattern.includes)) for pattern in PATTERNS}


def test_every_loss_that_is_given_is_told_of_and_can_be() -> None:
    told = {name for row in rows("Loss | What | With notes") for name in re.findall("`([^`]+)`", row[0])}
    fields = {f"{kind.__name__.lower()}.{field}" for kind in (Match, Round) for field in kind.__struct_fields__}
    assert told <= {*KEYS, *(f"{name}.{key}" for name, keys in KEYS.items() for key in keys), *fields}
    sources = [(log.data, "mjai") for log in logs(4)]
    paths = [path for folder in ("sample", "grammar") for path in (CORPUS / folder).iterdir()]
    sources += [(path.read_bytes(), FORMATS[path.suffix]) for path in paths if path.suffix in FORMATS]
    given = set()
    for data, form in sources:
        matches = read(data, form).matches
        for plain in (False, True):
            given |= {loss.what for loss in write(matches, "hk", plain=plain).losses}
    assert given
    assert {name for name in given if not foreign(name)} <= told


def foreign(loss: str) -> bool:
    """Tell the keys that mjai does not define, which have names of their own."""
    kind, _, key = loss.partition(".")
    return bool(key) and kind in KEYS and key not in KEYS[kind]
