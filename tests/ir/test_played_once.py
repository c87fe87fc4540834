"""The play of a round: played once, kept beside the round, and never taken for another round's."""

import pickle
from collections.abc import Sequence

import pytest
from msgspec import structs

import mjconv
from corpus_files import CORPUS
from mjconv.ir.events import Ankan, Discard, Draw, EndRound, Event, Nukidora, Ryukyoku, StartRound, Win
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Round
from mjconv.ir.patch import Edit, Patch, apply
from mjconv.ir.play import Play, keep_play, play_of, with_tsumogiri
from mjconv.ir.table import OVER, Table

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
