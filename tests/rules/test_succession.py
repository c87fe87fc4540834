"""From round to round: dealer, name, honba, sticks and scores; values that a record does not state."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, structs

from engine import play
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Player, Round, Rules
from mjconv.rules import scores, succession
from trips import read

EVEN = (25000,) * 4


def deal(**values: Any) -> ev.StartRound:
    return ev.StartRound(**values)


def match(*rounds: Sequence[ev.Event]) -> Match:
    return Match(rounds=[Round(list(events)) for events in rounds])


def derived(*rounds: Sequence[ev.Event]) -> ev.StartRound:
    """Return the deal of the last round with all derived values."""
    return succession.starts(match(*rounds))[-1]


def paid(*events: ev.Event) -> list[int]:
    return scores.accepted_riichi(events, 4)


DECLARED = (ev.Riichi(1), ev.Discard(1, "9p"))


def test_a_riichi_is_paid_once_play_continues_after_its_discard() -> None:
    chi, pon = ev.Chi(2, 1, "9p", ("7p", "8p")), ev.Pon(3, 1, "9p", ("9p",) * 2)
    kan = ev.Daiminkan(3, 1, "9p", ("9p",) * 3)
    for then in (ev.RiichiAccepted(1), ev.Draw(2, "1m"), chi, pon, kan, ev.Ryukyoku()):
        assert paid(*DECLARED, then) == [0, 1, 0, 0], then
    # Dora may be turned between discard and acceptance.
    dora = ev.Dora("1m")
    assert paid(ev.Riichi(1), dora, ev.Discard(1, "9p"), dora, ev.Draw(2, "E")) == [0, 1, 0, 0]
    # Each pays for their own.
    three = [(ev.Riichi(seat), ev.Discard(seat, "9p"), ev.RiichiAccepted(seat)) for seat in (0, 2, 3)]
    assert paid(*(event for events in three for event in events)) == [1, 0, 1, 1]


def test_a_riichi_is_not_paid_where_its_discard_is_won_on_or_ends_the_record() -> None:
    for events in ((*DECLARED, ev.Win(0, 1), ev.Win(2, 1), ev.EndRound()), DECLARED[:1], DECLARED):
        assert paid(*events) == [0] * 4, events


def test_scores_before_a_round() -> None:
    """The deal states them, or they are worked back from a win, from the second of two wins, or from a riichi."""
    ron = ev.Win(0, 1, deltas=(9, -9, 0, 0), scores=EVEN)
    win = ev.Win(0, 1, deltas=(3000, -2000, 0, 0), scores=(28000, 22000, 25000, 25000))
    wins = [ev.Win(0, 1, deltas=(5, -5, 0, 0)), ev.Win(2, 1, deltas=(0, -7, 7, 0), scores=(5, -12, 7, 0))]
    stated = ((UNSET, UNSET), ((0,) * 4, UNSET), (UNSET, EVEN), ((0,) * 3, EVEN), ((0,) * 4, (1, 2, 3)))
    unknown = [ev.Win(0, 1, deltas=deltas, scores=after) for deltas, after in stated]
    accepted = [ev.RiichiAccepted(1), ev.RiichiAccepted(2, scores=(25000, 24000, 24000, 25000))]
    for events, before in (
        ([deal(scores=(1, 2, 3, 4)), ron], (1, 2, 3, 4)),
        ([deal(), ev.RiichiAccepted(0), win], (26000, 24000, 25000, 25000)),
        ([deal(), *wins], (0, 0, 0, 0)),
        ([deal(), *accepted], EVEN),
        *(([deal(), result], None) for result in (*unknown, ev.Ryukyoku(), ev.EndRound())),
    ):
        assert scores.scores_before(Round(events), 4) == before, events


def test_scores_after_a_round() -> None:
    stick: list[ev.Event] = [ev.Riichi(2), ev.Discard(2, "E"), ev.RiichiAccepted(2)]
    wins = [ev.Win(0, 1, deltas=(1, -1, 0, 0)), ev.Win(2, 1, deltas=(0, -2, 2, 0))]
    for events, before, after in (
        ([*stick, ev.Win(0, 1, deltas=(3000, -2000, 0, 0))], EVEN, (28000, 23000, 24000, 25000)),
        (wins, EVEN, (25001, 24997, 25002, 25000)),
        ([ev.Ryukyoku(deltas=(1500, 1500, -1500, -1500))], EVEN, (26500, 26500, 23500, 23500)),
        # Something is missing.
        ([ev.Win(0, 1, deltas=EVEN)], None, None),
        ([], EVEN, None),
        ([ev.Win(0, 1)], EVEN, None),
        ([ev.Win(0, 1, deltas=(1, 2, 3))], EVEN, None),
        ([ev.Win(0, 1, deltas=EVEN), ev.Win(2, 1)], EVEN, None),
    ):
        assert scores.scores_after(Round(events), before) == after, events
    # The record may state them.
    assert scores.scores_after(Round([ev.EndRound()], scores_after=(1, 2, 3, 4)), None) == (1, 2, 3, 4)


def test_the_last_player_pays_an_oka_below_zero() -> None:
    rules = Rules(start=30000, returning=25000, uma=(20000, 10000))
    _, final = scores.with_uma(Match(rules=rules), (45000, 35000, 25000, 15000))
    assert final == (65000, 45000, 15000, -25000)


def test_sticks_on_the_table_at_a_deal() -> None:
    declared: list[ev.Event] = [ev.Riichi(0), ev.Discard(0, "E")]
    drawn = Round([*declared, ev.RiichiAccepted(0), ev.Ryukyoku()])
    for before, start, sticks in (
        # A win takes them all. A draw leaves them and those paid since.
        (Round([*declared, ev.Win(1, 0)]), deal(kyotaku=3), 0),
        (drawn, deal(kyotaku=2), 3),
        (drawn, deal(), 1),
        (drawn, None, 1),
        (None, None, 0),
        # Six players may pay.
        (Round([ev.Riichi(5), ev.Discard(5, "E"), ev.Ryukyoku()]), None, 1),
    ):
        assert scores.sticks_left(before, start) == sticks


class TestDeals:
    """Wind, number, honba, sticks, dealer and scores of a deal that lacks them."""

    def test_stated_values_are_never_changed(self) -> None:
        stated = deal(bakaze="W", kyoku=2, honba=9, kyotaku=8, oya=3, scores=(1, 2, 3, 4))
        assert derived([stated]) is stated
        first, second = deal(oya=0, scores=EVEN, honba=5), deal(oya=2, honba=0, kyotaku=7, bakaze="N")
        assert derived([first], [second]) == deal(bakaze="N", kyoku=3, honba=0, kyotaku=7, oya=2)

    def test_the_first_round_is_the_first_of_the_east_wind(self) -> None:
        first = deal(bakaze="E", kyoku=1, honba=0, kyotaku=0, oya=0)
        assert derived([deal()]) == derived([ev.EndRound()]) == first
        # The number is the dealer's, and the dealer the number's.
        assert derived([deal(oya=2)]).kyoku == 3
        assert derived([deal(kyoku=3)]).oya == 2

    def test_who_deals_next_and_with_which_honba(self) -> None:
        two, draw = [ev.Win(2, 1), ev.Win(0, 1)], [ev.Ryukyoku()]
        for results, dealer, honba in ((two[1:], 0, 1), (two[:1], 1, 0), (two, 0, 1), (draw, 0, 1), ([], 0, 1)):
            following = derived([deal(), *results], [deal()])
            assert (following.oya, following.kyoku, following.honba) == (dealer, dealer + 1, honba), results
        # A new dealer counts the honba on after a draw, and from 0 after a win.
        assert derived([deal(oya=0, honba=2), ev.Ryukyoku()], [deal(oya=1)]).honba == 3
        assert derived([deal(oya=0, honba=2), ev.Win(1, 0)], [deal(oya=1)]).honba == 0

    def test_the_wind_passes_on_when_the_dealers_come_round(self) -> None:
        dealers = (0, 1, 2, 3, 0, 1, 2, 3, 0)
        rounds: list[list[ev.Event]] = [[deal(oya=seat), ev.Win((seat + 1) % 4, seat)] for seat in dealers]
        names = [(start.bakaze, start.kyoku) for start in succession.starts(match(*rounds))]
        assert names == [(wind, number) for wind in "ES" for number in (1, 2, 3, 4)] + [("W", 1)]

    def test_three_players_come_round_after_three(self) -> None:
        three = match([deal(), ev.Win(2, 1)], [deal(), ev.Win(0, 1)], [deal(), ev.Win(0, 2)], [deal()])
        three.players = [Player()] * 3
        assert [(start.bakaze, start.kyoku, start.oya) for start in succession.starts(three)] == [
            ("E", 1, 0), ("E", 2, 1), ("E", 3, 2), ("S", 1, 0),
        ]  # fmt: skip

    def test_scores_follow_from_the_own_result_else_from_the_round_before(self) -> None:
        after = derived([deal(scores=EVEN), ev.Win(0, 1, deltas=(9, -9, 0, 0))], [deal()])
        assert after.scores == (25009, 24991, 25000, 25000)
        own = ev.Win(0, 1, deltas=(9, -9, 0, 0), scores=(9, -9, 0, 0))
        before: list[ev.Event] = [deal(scores=EVEN), ev.Win(0, 1, deltas=(1, -1, 0, 0))]
        assert derived(before, [deal(), own]).scores == (0, 0, 0, 0)
        assert derived([deal(), ev.Win(0, 1)], [deal()]).scores is UNSET


class TestNextDealer:
    def test_by_the_results(self) -> None:
        for results, stays in (
            ([], None),
            ([ev.Ryukyoku()], None),
            ([ev.Win(0, 1)], True),
            ([ev.Win(2, 1)], False),
            ([ev.Win(2, 1), ev.Win(0, 1)], True),
            ([ev.Ryukyoku(deltas=(0, 0, 0, 0))], None),
            ([ev.Ryukyoku(deltas=(1500, 1500, -1500, -1500))], True),
            ([ev.Ryukyoku(deltas=(-1500, 1500, 1500, -1500))], False),
            ([ev.Ryukyoku(tenpais=(False, True, True, True))], False),
            ([ev.Ryukyoku("fanpai", tenpais=(True, False, False, False))], True),
            ([ev.Ryukyoku("kyushukyuhai", tenpais=(False,) * 4)], True),
            ([ev.Ryukyoku("chombo", actor=0, deltas=(-12000, 4000, 4000, 4000))], True),
            ([ev.Ryukyoku("nagashimangan", deltas=(-4000, 8000, -2000, -2000))], None),
        ):
            assert scores.next_dealer(Round(results), 0, 4) == {True: 0, False: 1, None: None}[stays], results

    def test_deals_after_other_rounds(self) -> None:
        following = derived([deal(bakaze="E", oya=2, kyoku=3, honba=2), ev.Win(0, 1)], [deal(oya=1)])
        assert (following.bakaze, following.kyoku, following.honba) == ("S", 2, 0)
        following = derived([deal(bakaze="E", oya=2, honba=2), ev.Win(2, 1)], [deal(bakaze="S", oya=2)])
        assert (following.kyoku, following.honba) == (3, 0)


def test_values_that_a_whole_game_does_not_state_are_derived_as_they_were() -> None:
    """The engine states all values. Without them they are derived again, except the scores of the first round."""
    for game in map(play, range(6)):
        for unstated in ("bakaze kyoku honba kyotaku", "honba kyotaku scores", "bakaze oya scores"):
            game_match = read(game, "mjai").match
            stated = [game_round.start for game_round in game_match.rounds]
            for index, game_round in enumerate(game_match.rounds):
                keys = [key for key in unstated.split() if index or key != "scores"]
                game_round.events[0] = structs.replace(game_round.events[0], **dict.fromkeys(keys, UNSET))
            assert succession.starts(game_match) == stated, (game, unstated)


class TestFill:
    def test_deals_and_tsumogiri_are_filled_in(self) -> None:
        source = match([deal(oya=1), ev.Draw(1, "E"), ev.Discard(1, "E"), ev.Draw(2, "S"), ev.Discard(2, "1m")])
        [filled] = succession.fill(source).rounds
        assert filled.events[0] == deal(bakaze="E", kyoku=2, honba=0, kyotaku=0, oya=1)
        discards = [event for event in filled.events if isinstance(event, ev.Discard)]
        assert discards == [ev.Discard(1, "E", tsumogiri=True), ev.Discard(2, "1m", tsumogiri=False)]

    def test_the_tsumogiri_of_a_discard(self) -> None:
        """A stated one stays, a discard after a call is of the hand, and a hidden draw is not known."""
        pon = [ev.Draw(0, "E"), ev.Discard(0, "E"), ev.Pon(1, 0, "E", ("E", "E"))]
        for before, discard, filled in (
            ([ev.Draw(0, "E")], ev.Discard(0, "E", tsumogiri=False), ev.Discard(0, "E", tsumogiri=False)),
            (pon, ev.Discard(1, "E"), ev.Discard(1, "E", tsumogiri=False)),
            ([ev.Draw(0, "?")], ev.Discard(0, "?"), ev.Discard(0, "?")),
        ):
            assert succession.fill(match([deal(), *before, discard])).rounds[0].events[-1] == filled

    def test_the_source_is_left_as_it_was(self) -> None:
        source = match([deal(), ev.Draw(0, "E"), ev.Discard(0, "E")])
        succession.fill(source)
        assert source == match([deal(), ev.Draw(0, "E"), ev.Discard(0, "E")])
        assert source.rounds[0].events[0] == deal()
