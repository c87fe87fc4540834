"""Mistakes of people who type: each is found once, at its command, with the right value where one fits."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus_files import CORPUS
from mjconv.command.validate import ValidateOptions, validate_files
from mjconv.referee.findings import Finding
from mjconv.validation.check import Validation, Wanted
from mleague_made import Command, page, record

Edit = Callable[[list[Command]], object]


def found_in(data: bytes) -> list[Finding]:
    return list(Validation(Wanted(propose=True), "mleague").of_bytes(data))


def nth(found: list[Command], cmd: str, number: int = 0) -> int:
    return [index for index, command in enumerate(found) if command["cmd"] == cmd][number]


def put(cmd: str, number: int, position: int, text: str) -> Edit:
    """Return an edit that types another text as an argument of a command. It returns the command."""

    def edit(found: list[Command]) -> Command:
        command = found[nth(found, cmd, number)]
        command["args"][position] = text
        return command

    return edit


def at(find: Callable[[list[Command]], int], change: Callable[[list[str]], object]) -> Edit:
    """Return an edit of the arguments of a command. It returns the command."""

    def edit(found: list[Command]) -> Command:
        command = found[find(found)]
        change(command["args"])
        return command

    return edit


def drop(find: Callable[[list[Command]], int], near: int = 0) -> Edit:
    """Return an edit that leaves a command out. It returns the command that takes its place, or one near it."""

    def edit(found: list[Command]) -> Command:
        index = find(found)
        del found[index]
        return found[index + near]

    return edit


def mark(name: str, number: int) -> Callable[[list[Command]], int]:
    return lambda found: [
        index for index, each in enumerate(found) if each["cmd"] == "sutehai" and name in each["args"][2:]
    ][number]


def said(word: str, number: int = 0) -> Callable[[list[Command]], int]:
    return lambda found: [
        index for index, each in enumerate(found) if each["cmd"] == "say" and each["args"][1] == word
    ][number]


def points(number: int, sign: str = "+-") -> Callable[[list[Command]], int]:
    return lambda found: [
        index for index, each in enumerate(found) if each["cmd"] == "point" and each["args"][1][0] in sign
    ][number]


def from_hand(number: int) -> Callable[[list[Command]], int]:
    """Return a discard that is not the tile drawn."""
    return lambda found: [
        i for i, each in enumerate(found) if each["cmd"] == "sutehai" and len(each["args"]) == 2
    ][number]


#: Each mistake, and the text that is proposed for it: None where several texts fit.
MISTAKES: dict[str, tuple[Edit, str | None]] = {
    "no tile drawn, 1": (put("tsumo", 4, 2, ""), None),
    "no tile drawn, 2": (put("tsumo", 60, 2, ""), "4p"),
    "no tile drawn, 3": (put("tsumo", 150, 2, ""), "2p"),
    "no tile drawn, 4": (put("tsumo", 222, 2, ""), "8s"),
    "no tile drawn, 5": (put("tsumo", 300, 2, ""), None),
    "no tile drawn, then discarded as drawn": (
        at(lambda found: mark("tsumogiri", 20)(found) - 1, lambda args: args.__setitem__(2, "")),
        "4s",
    ),
    "no tile discarded, 1": (put("sutehai", 6, 1, ""), None),
    "no tile discarded, 2": (put("sutehai", 90, 1, ""), "3z"),
    "no tile discarded, 3": (put("sutehai", 170, 1, ""), "2p"),
    "no tile discarded, 4": (put("sutehai", 280, 1, ""), "1m"),
    "no tile discarded, but the mark of the drawn one": (
        at(mark("tsumogiri", 9), lambda args: args.__setitem__(1, "")),
        "8s",
    ),
    "no dora": (put("dora", 1, 0, ""), "4p"),
    "no indicator": (put("dora", 2, 1, ""), "7z"),
    "a dora that is not of its indicator": (put("dora", 3, 0, "9s"), "8p"),
    "no ura dora": (put("uradora", 3, 0, ""), "5s"),
    "no ura indicator": (put("uradora", 3, 1, ""), "4s"),
    "no mark of riichi": (at(mark("richi", 0), lambda args: args.remove("richi")), "richi"),
    "no announcement of riichi": (drop(said("richi", 0)), "richi"),
    "no stick of riichi": (drop(lambda found: nth(found, "richi", 1), -1), "richi"),
    "the mark of the drawn tile on another one, 1": (
        at(from_hand(12), lambda args: args.append("tsumogiri")),
        None,
    ),
    "the mark of the drawn tile on another one, 2": (at(from_hand(99), lambda args: args.append("tsumogiri")), ""),
    "no mark of the drawn tile": (at(mark("tsumogiri", 30), lambda args: args.remove("tsumogiri")), "tsumogiri"),
    "a discard that is not held, 1": (at(from_hand(40), lambda args: args.__setitem__(1, "4z")), None),
    "a discard that is not held, 2": (at(from_hand(80), lambda args: args.__setitem__(1, "1z")), None),
    "a discard that is not held, 3": (at(from_hand(130), lambda args: args.__setitem__(1, "5z")), None),
    "a discard that is not held, 4": (at(from_hand(160), lambda args: args.__setitem__(1, "2s")), "7m"),
    "the wrong change of points": (at(points(0), lambda args: args.__setitem__(1, "+7600")), "+7700"),
    "the wrong sign of a change": (at(points(1), lambda args: args.__setitem__(1, "+7700")), "-7700"),
    "no change of points": (drop(points(2), -1), "+2900"),
    "the wrong points at a deal": (at(points(6, "="), lambda args: args.__setitem__(1, "=26000")), "=25000"),
    "the wrong change in the last round": (at(points(-1), lambda args: args.__setitem__(1, "+13000")), "+12000"),
    "a fifth tile drawn": (put("tsumo", 128, 2, "1m"), "6z"),
    "a hand of 12": (put("haipai", 14, 1, ""), "7z"),
    "a hand of 14": (put("haipai", 14, 1, "7z9p"), None),
    "no draw": (drop(lambda found: nth(found, "tsumo", 77)), None),
    "no discard": (drop(lambda found: nth(found, "sutehai", 90), 1), None),
    "a comment in a win": (at(lambda found: nth(found, "agari", 0), lambda args: args.insert(1, "comment=x")), ""),
    "points of another value": (
        at(lambda found: nth(found, "agari", 0), lambda args: args.__setitem__(2, "8000")),
        "7700",
    ),
    "another limit": (at(lambda found: nth(found, "agari", 3), lambda args: args.__setitem__(2, "満貫")), "跳満"),
    "another fu": (at(lambda found: nth(found, "agari", 1), lambda args: args.__setitem__(3, "30")), "40"),
    "another han": (at(lambda found: nth(found, "agari", 1), lambda args: args.__setitem__(5, "2")), "reach 1"),
    "another tile of a ron": (
        at(lambda found: nth(found, "agari", 0), lambda args: args.__setitem__(0, "ron=9s")),
        "7m",
    ),
    "no tile of a ron": (at(lambda found: nth(found, "agari", 2), lambda args: args.pop(0)), "7p"),
    "the final points": (
        at(lambda found: nth(found, "gameend", 0), lambda args: args.__setitem__(1, "71.8")),
        "15700 -19800 -67800 71900",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_finding_at_its_command_with_the_right_value_where_one_fits(name: str) -> None:
    edit, proposed = MISTAKES[name]
    found = record()
    command = edit(found)
    [finding] = [each for each in found_in(page(found)) if each.severity == "error"]
    assert finding.place
    assert finding.place.cited == command["id"]
    assert (finding.proposal and finding.proposal.proposed) == proposed


def test_a_list_of_mistakes_has_a_row_for_each_with_what_is_stated_and_proposed(tmp_path: Path) -> None:
    found = record()
    for name in ("no dora", "no tile drawn, 2", "a hand of 14"):
        MISTAKES[name][0](found)
    (tmp_path / "bad.html").write_bytes(page(found))
    options = ValidateOptions(
        files=[str(tmp_path / "bad.html")], fix_list=str(tmp_path / "list.csv"), source="mleague"
    )
    assert validate_files(options)
    rows = list(csv.DictReader((tmp_path / "list.csv").open(encoding="utf-8")))
    assert [(row["round"], row["id"], row["stated"], row["proposed"]) for row in rows] == [
        ("E1-0", "21", "", ""),
        ("E1-1", "1006", "", "4p"),
        ("E1-1", "1099", "", "4p"),
    ]
    assert rows[1]["reason"] == "S001 the tile is missing; the indicator is 3p"


def test_a_mistake_of_another_notation_has_its_line_and_column_and_a_proposal() -> None:
    data = (CORPUS / "sample/game.mjson").read_bytes()
    right = b'{"type":"dahai","actor":0,"pai":"W","tsumogiri":true}'
    data = data.replace(right, right.replace(b"true", b"false"), 1)
    findings = list(Validation(Wanted(propose=True), "mjai").of_bytes(data))
    assert [(each.code, each.proposal and each.proposal.proposed) for each in findings] == [("R006", "tsumogiri")]


def test_values_are_tried_only_where_they_are_asked_for() -> None:
    found = record()
    MISTAKES["no tile drawn, 2"][0](found)
    assert [each.proposal for each in Validation(Wanted(), "mleague").of_bytes(page(found))] == [None]
