"""Beside the events of a round: its play, played once and never taken for another's, and the answers."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.converters import formats
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared.prepare import prepare
from mjconv.converters.shared.restore import check_inserted
from mjconv.converters.shared.single_hands import turned
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.events import Ankan, Discard, Draw, EndRound, Event, Nukidora, Ryukyoku, StartRound, Win
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Annotation, Answer, Match, Round
from mjconv.ir.patch import Edit, Patch, PatchError, apply
from mjconv.ir.play import Play, keep_play, play_of, with_tsumogiri
from mjconv.ir.riichi_only import as_riichi
from mjconv.ir.table import OVER, Table
from mjconv.viewer.text import text_lines
from trips import read, write

HANDS = (("1m",) * 4, ("2m",), ("3m",), ("4m",))
DEAL = StartRound(oya=0, tehais=HANDS)
DRAWS = [DEAL, Draw(0, "9p"), Discard(0, "9p", tsumogiri=True), Draw(1, "9s")]


def test_the_play_is_kept_beside_the_round_and_is_no_part_of_it() -> None:
    game_round = Round(list(DRAWS))
    play = play_of(game_round)
    assert play_of(game_round) is play
    assert game_round == Round(list(DRAWS))
    assert repr(game_round) == repr(Round(list(DRAWS)))
    for other in (pickle.loads(pickle.dumps(game_round)), structs.replace(game_round)):
        assert other == game_round
        assert play_of(other) is not play


def test_a_changed_event_or_deal_is_played_again() -> None:
    game_round = Round(list(DRAWS))
    before = play_of(game_round)
    game_round.events[3] = Draw(1, "8s")
    assert play_of(game_round) is not before
    assert play_of(game_round).table.hands[1] == ["2m", "8s"]
    assert play_of(game_round, structs.replace(DEAL, oya=1)).impossible
    assert not play_of(game_round).impossible
    del game_round.events[3]
    assert play_of(game_round).table.hands[1] == ["2m"]


def test_events_that_are_added_continue_the_play() -> None:
    game_round = Round(list(DRAWS))
    play = play_of(game_round)
    game_round.events.append(Discard(1, "2m", tsumogiri=False))
    assert play_of(game_round) is play
    assert play.table.rivers[1] == ["2m"]


def test_a_reader_hands_its_play_over() -> None:
    play = Play(DEAL)
    play.follow(DRAWS[:2])
    game_round = Round(list(DRAWS))
    keep_play(game_round, play)
    assert play_of(game_round) is play
    assert play.table.turn == 1
    other = Round([DEAL, Draw(0, "1s")])
    keep_play(other, play)
    assert play_of(other) is not play


def test_the_table_is_the_one_before_the_first_result() -> None:
    play = Play(DEAL)
    table = play.follow([*DRAWS, Win(1, 1), EndRound()])
    assert (table.winners, table.drawn, play.end.winners, play.end.phase) == ([], "9s", [1], OVER)
    play = Play(DEAL)
    assert play.follow([*DRAWS, Ryukyoku(), Draw(3, "1s")]).hands[3] == ["4m"]
    assert [index for index, _ in play.impossible] == [5]


def test_a_patch_of_the_data_beside_the_events_keeps_the_play() -> None:
    game_round = Round(list(DRAWS))
    play = play_of(game_round)
    assert play_of(apply(Patch(set={"dice": [3, 4]}), game_round)) is play
    result = Round([*DRAWS, Ryukyoku()])
    play = play_of(result)
    paid = apply(Patch(events=(Edit(4, set={"deltas": [0] * 4}),)), result)
    assert paid != result
    assert play_of(paid) is play
    moved = apply(Patch(events=(Edit(3, set={"pai": "8s"}),)), result)
    assert play_of(moved).table.hands[1] == ["2m", "8s"]
    edit = Edit(3, insert=({"type": "dora", "dora_marker": "E"},))
    assert len(play_of(apply(Patch(events=(edit,)), game_round)).events) == len(DRAWS) + 1


def test_an_impossible_event_is_played_and_noted_with_its_index() -> None:
    play = Play(DEAL)
    play.follow([DEAL, Draw(0, "9p"), Discard(1, "2m", tsumogiri=False), Draw(2, "9s"), Discard(2, "E")])
    assert [(index, error.rule) for index, error in play.impossible] == [(2, "turn"), (4, "held")]
    assert play.table.rivers == [[], ["2m"], ["E"], []]


def test_a_tile_is_drawn_until_its_player_discards_or_sets_aside() -> None:
    kan, discard = Ankan(0, ("1m",) * 4), Discard(0, "9p")
    for drawn in ([Draw(0, "9p")], [kan, Draw(0, "9p")], [Draw(0, "9p"), Nukidora(1, "1f"), Draw(1, "9s")]):
        assert with_tsumogiri([DEAL, *drawn, discard], len(drawn) + 1) == Discard(0, "9p", tsumogiri=True)
    for others in ([], [Draw(0, "9p"), kan], [Draw(0, "9p"), discard], [Draw(1, "9p")]):
        assert with_tsumogiri([DEAL, *others, discard], len(others) + 1) == Discard(0, "9p", tsumogiri=False)
    assert with_tsumogiri([DEAL, Draw(0, "?"), discard], 2) == discard


def test_a_deal_without_its_dealer_is_refused() -> None:
    with pytest.raises(IllegalPlayError):
        play_of(Round([StartRound(oya=4, tehais=HANDS)]))


#: The events after the play. Where a target states other points, they are played again.
_ENDS = (Win, Ryukyoku, EndRound)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Return the events that are played, one after the other."""
    played: list[Event] = []
    follow = Play.follow

    def noted(self: Play, events: Sequence[Event]) -> Table:
        played.extend(events[len(self.events) :])
        return follow(self, events)

    monkeypatch.setattr(Play, "follow", noted)
    return played


def converted(source: str, target: str, played: list[Event]) -> list[Event]:
    """Return the events of a record, after a conversion of it. `played` has those that the conversion played."""
    data, form = (CORPUS / source).read_bytes(), source.split("/")[0].replace("sample", "jmjp")
    match = mjconv.read(data, format=form)
    played.clear()
    mjconv.convert(data, source=form, target=target, plain=True)
    return [event for one in match.rounds for event in one.events]


@pytest.mark.parametrize("target", ["mjai", "tenhou", "mjx"])
@pytest.mark.parametrize(
    "source",
    ["tenhou/hanchan.mjlog", "tenhou/game.json", "majsoul/four.json", "majiang/game.json", "mjx/hanchan.json"],
)
def test_a_conversion_plays_each_event_once(source: str, target: str, played: list[Event]) -> None:
    assert len(converted(source, target, played)) == len(played)


@pytest.mark.parametrize("target", ["tenhou-json", "majiang"])
@pytest.mark.parametrize("source", ["tenhou/hanchan.mjlog", "majsoul/four.json", "mleague/game.html"])
def test_a_writer_that_reads_its_text_plays_only_results_again(
    source: str, target: str, played: list[Event]
) -> None:
    events = converted(source, target, played)
    results = sum(isinstance(event, _ENDS) for event in events)
    assert len(events) < len(played) <= len(events) + results
    assert sum(not isinstance(event, _ENDS) for event in played) == len(events) - results


@pytest.mark.parametrize("target", ["tenhou", "mjx", "tenhou-json", "majiang"])
def test_the_acts_of_jmjp_are_played_by_its_reader_alone(target: str, played: list[Event]) -> None:
    assert converted("sample/game.jmjp", target, played)
    assert played
    assert all(isinstance(event, _ENDS) for event in played)


# Answers are beside the events of a round: they count, they move with the events, and they are checked.


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
