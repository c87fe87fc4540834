"""States of mjx: what they are read as, and what the reader refuses."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, structs

import trips
from corpus_files import CORPUS
from faults import refused_at, reported
from logs import FOLDER, lines
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Original
from mjconv.testing.json_types import replaced

Value = dict[str, Any]
HANCHAN = CORPUS / "mjx/hanchan.json"
PAIRS = [(HANCHAN, CORPUS / "tenhou/hanchan.mjlog")]
if FOLDER:
    for found in sorted(Path(FOLDER).glob("mjx/*.json")):
        same = Path(FOLDER) / "tenhou/mjlog" / f"{found.stem}.mjlog"
        PAIRS += [(found, same)] * same.exists()


def read(*values: Value, report: Report | None = None) -> list[Match]:
    """Return the matches of states."""
    return trips.read(lines(values), "mjx", report).matches


def warned(*values: Value) -> tuple[Match, list[str]]:
    was = trips.read(lines(values), "mjx")
    return was.match, [warning.message for warning in was.warnings]


def game() -> list[Value]:
    """Return the states of three rounds."""
    return [json.loads(line) for line in HANCHAN.read_bytes().splitlines()[-3:]]


def bare(event: ev.Event) -> ev.Event:
    """Return an event without what mjx does not state, and with yaku in order."""
    match event:
        case ev.RiichiAccepted():
            return ev.RiichiAccepted(event.actor)
        case ev.Win():
            is_yakuman = any(han >= 13 for _, han in event.yakus or ())
            yakus = tuple(sorted(event.yakus or ()))
            return structs.replace(event, scores=UNSET, yakus=yakus, fu=UNSET if is_yakuman else event.fu)
        case ev.Ryukyoku():
            return structs.replace(event, scores=UNSET)
    return event


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].name)
def test_states_are_read_as_the_mjlog_of_the_game(pair: tuple[Path, Path]) -> None:
    match = trips.read(pair[0].read_bytes(), "mjx").match
    mjlog = trips.read(pair[1].read_bytes(), "tenhou").match
    for ours, theirs in zip(match.rounds, mjlog.rounds, strict=True):
        length = len(ours.events) if ours.events[-1] != ev.EndRound() else None
        assert list(map(bare, ours.events)) == list(map(bare, theirs.events))[:length]
        assert (ours.wall, ours.blocked) == (theirs.wall, theirs.blocked)
    assert match.players == [structs.replace(one, rank=UNSET, rating=UNSET) for one in mjlog.players]


def test_states_that_follow_each_other_are_one_game() -> None:
    first, second, third = game()
    assert [len(match.rounds) for match in read(first, second, third)] == [3]
    assert [len(match.rounds) for match in read(first, third, first)] == [1, 1, 1]
    others = {**second["publicObservation"], "playerIds": ["A", "B", "C", "D"]}
    assert [len(match.rounds) for match in read(first, {**second, "publicObservation": others})] == [1, 1]


def test_the_end_of_a_round_and_of_a_game() -> None:
    state, _, last = game()
    del state["roundTerminal"]
    match, warnings = warned(state)
    assert not match.rounds[0].select(ev.Win, ev.Ryukyoku, ev.EndRound)
    assert warnings == ["the round has no result", "the game has no end: the record breaks off"]
    # The last round ends the game with its points.
    assert read(last)[0].closing == [ev.EndGame(scores=tuple(last["roundTerminal"]["finalScore"]["tens"]))]
    # An end that is null is absent.
    assert read({**state, "roundTerminal": None}) == [match]


def test_the_lines_of_a_match_are_its_original() -> None:
    first, second, third = map(json.dumps, game())
    indented = json.dumps(game()[0], indent=1)
    whole = Original("mjx", f"{first}\n{second}\n{third}".encode())
    for data in (f"{first}\n\n{second} \r\n{third}\n", f"\ufeff[{first}, {second},\n{third}]"):
        match = trips.read(data.encode(), "mjx").match
        assert match.original == whole
    several = trips.read(f"{first}\n{third}\n{first}\n".encode(), "mjx").matches
    assert [one.original for one in several] == [Original("mjx", text.encode()) for text in (first, third, first)]
    alone = trips.read(f"{indented}\n".encode(), "mjx").match
    assert alone.original == Original("mjx", indented.encode())
    # In an array, a state of several lines is written on one line.
    match = trips.read(f"[{indented},{second}]".encode(), "mjx").match
    assert match.original is not None
    assert [json.loads(line) for line in match.original.data.splitlines()] == game()[:2]
    assert trips.read(match.original.data, "mjx").matches[0].original == match.original


def test_the_player_who_pays_alone_for_a_yakuman_is_liable() -> None:
    state = next(each for each in game() if each["roundTerminal"].get("wins"))
    [win] = state["roundTerminal"]["wins"]
    for key in ("yakus", "fans", "fu"):
        win.pop(key, None)
    changes = [0, 0, 0, 0]
    changes[win.get("who", 0)], changes[(win.get("who", 0) + 1) % 4] = 32000, -32000
    win |= {"yakumans": [39], "fromWho": win.get("who", 0), "ten": 32000, "tenChanges": changes}
    [read_win] = read(state)[0].rounds[0].select(ev.Win)
    assert (read_win.liable, read_win.fan, read_win.fu) == ((win.get("who", 0) + 1) % 4, 13, UNSET)
    assert read_win.yakus == (("daisangen", 13),)


def test_walls_that_do_not_fit_are_left_out_with_a_warning() -> None:
    first, second, _ = game()
    twice = [second["hiddenState"]["wall"][1], *second["hiddenState"]["wall"][1:]]
    for state, wall, message in (
        (first, second["hiddenState"]["wall"], "the hands differ from the wall"),
        (second, twice, "135 different tiles of 136"),
    ):
        match, warnings = warned(state | {"hiddenState": {**state["hiddenState"], "wall": wall}})
        assert match.rounds[0].wall is UNSET
        assert message in warnings[0]
    # Walls are left out on demand.
    assert all(one.wall is UNSET for one in read(*game(), report=Report(walls=False))[0].rounds)


def refused(value: Value) -> str:
    """Return the error of a state, and check that a lenient reading reports the same one."""
    return reported(json.dumps(value), "mjx").faults[0].error.message


def test_what_cannot_be_is_refused() -> None:
    pon, unlike = {"type": "EVENT_TYPE_PON", "open": 3}, {"type": "EVENT_TYPE_TSUMOGIRI", "tile": 0}
    for change, message in (
        (lambda state: state["publicObservation"].pop("initScore"), "missing required field `initScore`"),
        (lambda state: state["privateObservations"].pop(), "Expected `array` of length >= 4"),
        (lambda state: state["privateObservations"][1].update(who=0), "two observations are those of player 0"),
        (lambda state: state["privateObservations"][1].update(initHand={}), "a hand of 0 tiles is dealt"),
        (lambda state: state["privateObservations"][0].update(drawHistory=[]), "no tile for this draw"),
        (lambda state: state["publicObservation"]["events"][1].update(tile=136), "Expected `int` <= 135"),
        (lambda state: state["publicObservation"]["events"][1].update(type="EVENT_TYPE_FLY"), "mjx has no event"),
        (lambda state: state["publicObservation"]["events"][1].update(unlike), "is not the one just drawn"),
        (lambda state: state["publicObservation"]["events"].insert(2, pon), "open is 3, which is no pon"),
        (lambda state: state["publicObservation"]["events"].append({"tile": 1}), "after the result of its round"),
        (lambda state: state["publicObservation"]["events"].pop(), "its events have no result"),
        (lambda state: state["roundTerminal"]["wins"].append({}), "2 wins, and"),
    ):
        [state, *_] = game()
        change(state)
        assert message in refused(state), change


def test_an_error_has_its_line_and_column() -> None:
    first, second, third = game()
    second["publicObservation"]["events"][4]["type"] = "EVENT_TYPE_FLY"
    *place, _ = refused_at(lines([first, second, third]), "mjx")
    assert place == [2, json.dumps(second, ensure_ascii=False).index('"EVENT_TYPE_FLY"') + 1]


def test_a_state_of_too_many_events_is_refused() -> None:
    [state, *_] = game()
    state["publicObservation"]["events"] = [{"type": "EVENT_TYPE_RIICHI"}] * 5001
    assert "length <= 5000" in refused(state)


@looped(
    ("path", "value"),
    (("publicObservation", "events", 3, "tile"), 136),
    (("publicObservation", "events", 3, "who"), "1"),
    (("publicObservation", "initScore", "tens", 2), None),
    (("privateObservations", 2, "initHand", "closedTiles", 7), 1.5),
    (("hiddenState", "wall", 40), -1),
    (("roundTerminal", "wins", 0, "yakus", 0), []),
    (("roundTerminal", "wins", 0, "hand"), 0),
)
def test_an_error_in_a_list_has_the_place_of_its_value(path: tuple[str | int, ...], value: object) -> None:
    state = next(each for each in game() if each["roundTerminal"].get("wins"))
    text = json.dumps(replaced(state, path, "@"))
    *place, _ = refused_at(text.replace('"@"', json.dumps(value)), "mjx")
    assert place == [1, text.index('"@"') + 1]
