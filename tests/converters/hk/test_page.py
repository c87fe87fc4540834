"""The table of faan on the page on HK is that of the code."""

from pathlib import Path

from mjconv.rules.hongkong_faan import PATTERNS

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
