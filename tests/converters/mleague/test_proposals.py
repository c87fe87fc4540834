"""Mistakes of people who type: each is found once, at its command, with the right value where one fits."""

import csv
from pathlib import Path

import pytest

from corpus_files import SAMPLE
from mjconv.command.validate import ValidateOptions, validate_files
from mjconv.validation.check import Validation, Wanted
from mleague_made import Edit, Find, at, drop, page, put, record, the


def points(number: int, sign: str = "+-") -> Find:
    return lambda found: [
        index for index, each in enumerate(found) if each["cmd"] == "point" and each["args"][1][0] in sign
    ][number]


def from_hand(number: int) -> Find:
    """Return a discard that is not the tile drawn."""
    return lambda found: [
        i for i, each in enumerate(found) if each["cmd"] == "sutehai" and len(each["args"]) == 2
    ][number]


#: Each mistake, and the text that is proposed for it: None where several texts fit.
MISTAKES: dict[str, tuple[Edit, str | None]] = {
    "no tile drawn, 1": (put(the("tsumo", 4), 2, ""), None),
    "no tile drawn, 2": (put(the("tsumo", 60), 2, ""), "4p"),
    "no tile drawn, 3": (put(the("tsumo", 150), 2, ""), "2p"),
    "no tile drawn, 4": (put(the("tsumo", 222), 2, ""), "8s"),
    "no tile drawn, 5": (put(the("tsumo", 300), 2, ""), None),
    "no tile drawn, then discarded as drawn": (
        put(lambda found: the("sutehai", 20, "tsumogiri")(found) - 1, 2, ""),
        "4s",
    ),
    "no tile discarded, 1": (put(the("sutehai", 6), 1, ""), None),
    "no tile discarded, 2": (put(the("sutehai", 90), 1, ""), "3z"),
    "no tile discarded, 3": (put(the("sutehai", 170), 1, ""), "2p"),
    "no tile discarded, 4": (put(the("sutehai", 280), 1, ""), "1m"),
    "no tile discarded, but the mark of the drawn one": (put(the("sutehai", 9, "tsumogiri"), 1, ""), "8s"),
    "no dora": (put(the("dora", 1), 0, ""), "4p"),
    "no indicator": (put(the("dora", 2), 1, ""), "7z"),
    "a dora that is not of its indicator": (put(the("dora", 3), 0, "9s"), "8p"),
    "no ura dora": (put(the("uradora", 3), 0, ""), "5s"),
    "no ura indicator": (put(the("uradora", 3), 1, ""), "4s"),
    "no mark of riichi": (at(the("sutehai", 0, "richi"), lambda args: args.remove("richi")), "richi"),
    "no announcement of riichi": (drop(the("say", 0, "richi")), "richi"),
    "no stick of riichi": (drop(the("richi", 1), -1), "richi"),
    "the points of a riichi stick": (put(the("richi", 1), 1, "-100"), "-1000"),
    "the mark of the drawn tile on another one, 1": (
        at(from_hand(12), lambda args: args.append("tsumogiri")),
        None,
    ),
    "the mark of the drawn tile on another one, 2": (at(from_hand(99), lambda args: args.append("tsumogiri")), ""),
    "no mark of the drawn tile": (
        at(the("sutehai", 30, "tsumogiri"), lambda args: args.remove("tsumogiri")),
        "tsumogiri",
    ),
    "a discard that is not held, 1": (put(from_hand(40), 1, "4z"), None),
    "a discard that is not held, 2": (put(from_hand(80), 1, "1z"), None),
    "a discard that is not held, 3": (put(from_hand(130), 1, "5z"), None),
    "a discard that is not held, 4": (put(from_hand(160), 1, "2s"), "7m"),
    "the wrong change of points": (put(points(0), 1, "+7600"), "+7700"),
    "the wrong sign of a change": (put(points(1), 1, "+7700"), "-7700"),
    "no change of points": (drop(points(2), -1), "+2900"),
    "the wrong points at a deal": (put(points(6, "="), 1, "=26000"), "=25000"),
    "the wrong change in the last round": (put(points(-1), 1, "+13000"), "+12000"),
    "a fifth tile drawn": (put(the("tsumo", 128), 2, "1m"), "6z"),
    "a hand of 12": (put(the("haipai", 14), 1, ""), "7z"),
    "a hand of 14": (put(the("haipai", 14), 1, "7z9p"), None),
    "no draw": (drop(the("tsumo", 77)), None),
    "no discard": (drop(the("sutehai", 90), 1), None),
    "a comment in a win": (at(the("agari", 0), lambda args: args.insert(1, "comment=x")), ""),
    "points of another value": (put(the("agari", 0), 2, "8000"), "7700"),
    "another limit": (put(the("agari", 3), 2, "満貫"), "跳満"),
    "another fu": (put(the("agari", 1), 3, "30"), "40"),
    "another han": (put(the("agari", 1), 5, "2"), "reach 1"),
    "another tile of a ron": (put(the("agari", 0), 0, "ron=9s"), "7m"),
    "no tile of a ron": (at(the("agari", 2), lambda args: args.pop(0)), "7p"),
    "the final points": (put(the("gameend", 0), 1, "71.8"), "15700 -19800 -67800 71900"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_finding_at_its_command_with_the_right_value_where_one_fits(name: str) -> None:
    edit, proposed = MISTAKES[name]
    found = record()
    command = edit(found)
    [finding] = [
        each
        for each in Validation(Wanted(propose=True), "mleague").of_bytes(page(found))
        if each.severity == "error"
    ]
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
    data = SAMPLE.read_bytes()
    right = b'{"type":"dahai","actor":0,"pai":"W","tsumogiri":true}'
    data = data.replace(right, right.replace(b"true", b"false"), 1)
    findings = list(Validation(Wanted(propose=True), "mjai").of_bytes(data))
    assert [(each.code, each.proposal and each.proposal.proposed) for each in findings] == [("R006", "tsumogiri")]


def test_values_are_tried_only_where_they_are_asked_for() -> None:
    found = record()
    MISTAKES["no tile drawn, 2"][0](found)
    assert [each.proposal for each in Validation(Wanted(), "mleague").of_bytes(page(found))] == [None]
