"""Answers are beside the events of a round: they count, they move with the events, and they are checked."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import SAMPLE
from looped import looped
from mjconv.converters import formats
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.prepare import prepare
from mjconv.converters.shared.restore import check_inserted
from mjconv.converters.shared.single_hands import turned
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Annotation, Answer, Match, Round
from mjconv.ir.patch import Edit, Patch, PatchError
from mjconv.ir.riichi_only import as_riichi
from mjconv.viewer.text import text_lines
from trips import read, write

DRAW, DISCARD = ev.Draw(1, "9p"), ev.Discard(1, "9p", tsumogiri=True)
EVENTS = [ev.StartRound(oya=1, dora_marker="1m", tehais=(("?",) * 13,) * 4), DRAW, DISCARD]
META = ev.Extras({"meta": {"q_values": [0.5, None], "big": 1 << 70}})
ANSWERS = {
    "pass": Answer(0, ev.Pass(), 2),
    "pass of nobody known": Answer(3, ev.Pass()),
    "action": Answer(2, structs.replace(DISCARD, extras=META), 1),
    "win": Answer(3, ev.Win(3, 1, pai="9p"), 3),
    "nine terminals": Answer(2, ev.Ryukyoku(), 1),
    "join": Answer(1, ev.Join("a", "b"), 0),
    "host": Answer(1, ev.ErrorMessage("too late")),
}
#: Values of `answers` in a note, and a part of the reason why they are refused.
NONE, REACH = {"type": "none"}, {"type": "reach", "actor": 1}
REFUSED: list[tuple[Any, str]] = [
    *(([{"index": index, "message": NONE}], "from 0 to 3") for index in (-1, 4)),
    ([{"index": 1 << 80, "message": NONE}], "Integer value out of range|from 0 to 3"),
    ([{"index": 2, "message": NONE}, {"index": 1, "message": NONE}], "2 to 3"),
    *(([{"index": index, "message": NONE}], "Expected `int`") for index in ("1", 1.5, True)),
    ([{"message": NONE}], "index"),
    ([{"index": 1}], "message"),
    ([{"index": 1, "message": NONE, "more": 1}], "more"),
    ([{"index": 1, "message": NONE, "seat": 6}], "seat"),
    ([{"index": 1, "message": {"type": "tsumo", "actor": 0, "pai": "E"}}], "no answer"),
    ([{"index": 1, "message": {"type": "nothing"}}], "Unknown message type"),
    ([{"index": 1, "message": REACH, "seat": 2}], "seat is 2"),
    ([{"index": 1, "message": REACH}], "seat is"),
    (7, "Expected `array`"),
    (None, "Expected `array`"),
]


def test_answers_move_with_the_events() -> None:
    reading = Round(EVENTS, answers=(Answer(1, ev.Pass(), 0), Answer(3, ev.Pass(), 0)))
    later = (Answer(1, ev.Pass(), 0), Answer(4, ev.Pass(), 0))
    source = Round([*EVENTS[:2], ev.Riichi(1), DISCARD], answers=later)
    note, differences = patch.diff(reading, source)
    assert [one.what for one in differences] == ["reach"]
    assert patch.apply(note, reading) == source


def test_a_note_with_other_values_is_refused() -> None:
    def restore(value: Any) -> None:
        note = Patch(set={"answers": value})
        check_inserted(note, patch.apply(note, Round(EVENTS)))

    for value, reason in REFUSED:
        with pytest.raises(PatchError, match=reason):
            restore(value)


def test_a_match_has_no_answers_of_its_own() -> None:
    with pytest.raises(PatchError, match="a match has no 'answers'"):
        patch.apply(Patch(set={"answers": []}), Match())


#: Values of `answers` that a program set, and a part of the reason why they are refused.
WRONG: dict[str, tuple[Any, str]] = {
    **{f"the index {index}": ((Answer(index, ev.Pass()),), "from 0 to 3") for index in (4, 10**9, -1)},
    **{f"{index!r}": ((Answer(index, ev.Pass()),), "index is an integer") for index in ("3", None, 1.5, True)},
    "falling": ((ANSWERS["win"], ANSWERS["pass"]), "from 3 to 3"),
    "a list": ([ANSWERS["pass"]], "a tuple, not of type list"),
    "nothing": (None, "a tuple, not of type NoneType"),
    "no answer": ((ev.Pass(),), "expected an Answer"),
    "a message as text": ((Answer(0, "none"),), "no answer"),
    **{f"the seat {seat!r}": ((Answer(0, ev.Pass(), seat),), "seats count from 0") for seat in (-1, 6, "1", True)},
    "too many": ((ANSWERS["pass"],) * 20_001, "more than 20000 answers"),
}
#: Whatever reads a match of a program.
USES: dict[str, Callable[[Match], object]] = {
    "write": lambda match: prepare(match, formats.find("hk")[0], WriteOptions()),
    "columns": mjconv.to_arrow,
    "check": mjconv.check,
    "view": mjconv.view,
    "text": lambda match: list(text_lines([match])),
}


@looped(("answers", "reason"), *WRONG.values())
def test_answers_that_do_not_fit_their_round_are_refused(answers: Any, reason: str) -> None:
    for use in USES.values():
        with pytest.raises(UnsupportedError, match=reason):
            use(Match(rounds=[Round(EVENTS, answers=answers)]))


def test_answers_that_fit_their_round_are_taken() -> None:
    answers = (ANSWERS["pass"], ANSWERS["nine terminals"], ANSWERS["pass of nobody known"])
    for use in USES.values():
        use(Match(rounds=[Round(EVENTS, answers=answers)]))


def test_hidden_tiles_are_hidden_in_answers_and_flowers_move_them() -> None:
    wide = Round(
        [DRAW, ev.Nukidora(1, "1f"), ev.Draw(1, "16m"), ev.Discard(1, "16m", tsumogiri=True)],
        annotations=(Annotation(4, "comment", value="end"),),
        answers=(Answer(1, ev.Discard(1, "1f"), 1), Answer(3, ev.Discard(1, "16m"), 1), Answer(4, ev.Pass(), 0)),
    )
    [hidden] = as_riichi(Match(rounds=[wide])).rounds
    assert hidden.events == [ev.Draw(1, "9p"), ev.Discard(1, "?", tsumogiri=True)]
    assert hidden.answers == (*[Answer(1, ev.Discard(1, "?"), 1)] * 2, Answer(2, ev.Pass(), 0))
    assert [one.index for one in hidden.annotations] == [2]


def test_seats_turn_in_answers_too() -> None:
    answers = (ANSWERS["pass"], ANSWERS["win"], ANSWERS["pass of nobody known"])
    after = turned(Round(EVENTS, answers=answers), 2).answers
    assert after == (Answer(0, ev.Pass(), 0), Answer(3, ev.Win(1, 3, pai="9p"), 1), Answer(3, ev.Pass(), UNSET))
    assert turned(Round(EVENTS, answers=after), 2).answers == answers


@looped("target", "mjai", "jmjp", "uzje", "tenhou", "tenhou-json", "majsoul", "majiang", "hk")
def test_the_note_of_a_round_carries_answers(target: str) -> None:
    source = read(SAMPLE.read_bytes(), "mjai").match
    source.rounds[0].answers = (Answer(2, ev.Win(3, 2), 3), Answer(2, ev.Pass(), 0), Answer(3, ev.Pass(), 0))
    assert read(write([source], target).data, target).match == source
    plain = write([source], target, plain=True)
    assert [(loss.fate, loss.round) for loss in plain.losses if loss.what == "round.answers"] == [("dropped", 0)]
    assert read(plain.data, target).match.rounds[0].answers == ()


def test_events_that_are_no_play_are_not_written_and_no_note_makes_them() -> None:
    match = Match(rounds=[Round([*EVENTS, ev.Pass()])])
    with pytest.raises(UnsupportedError, match="event 4 is none, which is no play"):
        prepare(match, formats.find("hk")[0], WriteOptions())
    note = Patch(events=(Edit(1, set={"type": "none"}, unset=("actor", "pai")),))
    restored = patch.apply(note, Round(EVENTS))
    with pytest.raises(PatchError, match="event 2 is none, which is no play"):
        check_inserted(note, restored)
