"""The codes: unique, each of a level, and listed by the page of validation."""

import re
from pathlib import Path

import pytest

from looped import looped
from mjconv.ir.errors import UsageError
from mjconv.referee.codes import CODES, codes_of
from mjconv.referee.findings import level_of
from mjconv.rules.house import SWITCHES, VALUED
from mjconv.rules.rulesets import OWN_CHECKS, RULE_SETS

SOURCES = [Path(__file__).parents[2] / folder for folder in ("app", "referee", "rules")]
PAGE = (Path(__file__).parents[2] / "docs/validation.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the rows under a heading, up to the end of the table."""
    lines = PAGE.partition(f"| {heading} |\n")[2].splitlines()[1:]
    table = lines[: next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def test_the_page_lists_every_code_with_its_meaning() -> None:
    """If it does not, copy the tables that this test shows into the page."""
    assert PAGE.endswith(codes_tables()), codes_tables()


def codes_tables() -> str:
    """Return the tables of the page: one for the codes of all games, and one for those of the same games."""
    tables: dict[str, list[str]] = {"All games": []}
    for code in sorted(CODES, key=lambda code: ("SOR".index(code[0]), code)):
        name, severity, meaning = CODES[code].name, CODES[code].severity, CODES[code].meaning
        games = " and ".join(rules.name.english for rules in RULE_SETS if code in rules.checks) or "All games"
        shown = name if severity == "error" else f"{name} ({severity})"
        tables.setdefault(games[0].upper() + games[1:], []).append(f"| `{code}` | {shown} | {meaning} |\n")
    head = "| Code | Name | Means |\n| --- | --- | --- |\n"
    return "".join(f"\n### {games}\n\n{head}{''.join(lines)}" for games, lines in tables.items())


def test_rule_sets_name_codes_of_rules_that_exist() -> None:
    assert {code for code in CODES if code.startswith("R")} >= OWN_CHECKS


def test_the_page_lists_every_rule_of_a_house() -> None:
    assert [row[0].strip("`") for row in rows("Rule | Allows | Usual")] == [*SWITCHES, *VALUED]


def test_codes_and_names_are_unique() -> None:
    assert all(re.fullmatch("[SOR][0-9]{3}", code) for code in CODES)
    assert {level_of(code) for code in CODES} == {"syntax", "order", "rules"}
    names = [code.name for code in CODES.values()]
    assert all(re.fullmatch("[a-z]{3,12}", name) for name in names)
    assert len(set(names)) == len(names)
    # A name is never the beginning of a code, so a word names either.
    assert not [name for name in names if any(code.startswith(name.upper()) for code in CODES)]


def test_the_catalogue_has_the_codes_that_modules_report_and_no_others() -> None:
    sources = (path for folder in SOURCES for path in folder.rglob("*.py"))
    reported = {code for path in sources for code in re.findall(r'"([SOR]\d{3})"', path.read_text("utf-8"))}
    # R010 keeps its meaning, and no check reports it any more.
    assert reported == set(CODES) - {"R010"}


def test_codes_are_found_by_code_beginning_and_name() -> None:
    assert codes_of(["R042"]) == codes_of(["r042"]) == codes_of([" furiten "]) == {"R042"}
    assert codes_of(["S"]) == {"S001", "S002", "S003", "S010"}
    assert codes_of(["R", "O", "S"]) == set(CODES)
    assert codes_of([]) == set()


@looped("word", "", " ", "R999", "R0421", "X", "furitn", "R04*")
def test_a_word_that_names_no_code_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="is no code of a finding"):
        codes_of([word])
