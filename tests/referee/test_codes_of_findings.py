"""The codes: unique, each of a level, and listed by the page of validation."""

from __future__ import annotations

import re
from pathlib import Path

from mjconv.referee import codes
from mjconv.referee.codes import CODES
from mjconv.referee.findings import level_of
from mjconv.referee.house import SWITCHES

PAGE = (Path(__file__).parents[2] / "docs/validation.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the rows under a heading, up to the end of the table."""
    lines = PAGE.partition(f"| {heading} |\n")[2].splitlines()[1:]
    table = lines[: next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_page_lists_every_code_with_its_meaning() -> None:
    shown = [(code.strip("`"), severity, meaning) for code, severity, meaning in rows("Code | Severity | Means")]
    order = sorted(CODES, key=lambda code: ("SOR".index(code[0]), code))
    assert shown == [(code, CODES[code].severity, CODES[code].meaning) for code in order]


def test_the_page_lists_every_rule_of_a_house() -> None:
    assert [row[0].strip("`") for row in rows("Rule | Allows | Usual")] == [*SWITCHES, "reds=111"]


def test_codes_are_a_letter_of_their_level_and_three_digits() -> None:
    assert all(re.fullmatch("[SOR][0-9]{3}", code) for code in CODES)
    assert {level_of(code) for code in CODES} == {"syntax", "order", "rules"}


def test_no_code_is_given_twice() -> None:
    every = [code for module in codes.MODULES for code in module.CODES]
    assert len(every) == len(set(every))
    assert set(every) | set(codes.SYNTAX) == set(CODES)
