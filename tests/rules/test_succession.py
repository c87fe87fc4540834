"""From round to round: dealer, name, honba, sticks and scores; values that a record does not state."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import UNSET, structs

from engine import play
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Player, Round
from mjconv.rules import scores, succession
from trips import read

EVEN = (25000,) * 4


def deal(**said: Any) -> ev.StartRound:
    return ev.StartRound(**said)


def match(*rounds: Sequence[ev.Event]) -> Match:
    return Match(rounds=[Round(list(events)) for events in rounds])


def derived(*rounds: Sequence[ev.Event]) -> ev.StartRound:
    """Return the deal of the last round with all derived values."""
    return succession.starts(match(*rounds))[-1]


class TestRiichi:
    """Which riichi were paid."""

    def paid(self, *events: ev.Event) -> list[int]:
        return scores.accepted_riichi(events, 4)

    @pytest.mark.parametrize(
        "then",
        [
            ev.RiichiAccepted(1),
            ev.Draw(2, "1m"),
            ev.Chi(2, 1, "9p", ("7p", "8p")),
            ev.Pon(3, 1, "9p", ("9p", "9p")),
            ev.Daiminkan(3, 1, "9p", ("9p", "9p", "9p")),
            ev.Ryukyoku(),
        ],
    )
    def test_a_riichi_is_paid_once_play_goes_on_after_its_discard(self, then: ev.Event) -> None:
        assert self.paid(ev.Riichi(1), ev.Discard(1, "9p"), then) == [0, 1, 0, 0]

    def test_a_riichi_is_not_paid_where_someone_won_on_its_discard(self) -> None:
        win = ev.Win(0, 1)
        assert self.paid(ev.Riichi(1), ev.Discard(1, "9p"), win, ev.Win(2, 1), ev.EndRound()) == [0] * 4

    def test_a_riichi_is_not_paid_where_the_record_ends_with_it(self) -> None:
        assert self.paid(ev.Riichi(1)) == [0] * 4
        assert self.paid(ev.Riichi(1), ev.Discard(1, "9p")) == [0] * 4

    def test_dora_may_be_turned_between_discard_and_acceptance(self) -> None:
        assert self.paid(ev.Riichi(1), ev.Dora("1m"), ev.Discard(1, "9p"), ev.Dora("1m"), ev.Draw(2, "E")) == [
            0, 1, 0, 0,
        ]  # fmt: skip

    def test_each_pays_for_their_own(self) -> None:
        declared = [(ev.Riichi(seat), ev.Discard(seat, "9p"), ev.RiichiAccepted(seat)) for seat in (0, 2, 3)]
        assert self.paid(*(event for events in declared for event in events)) == [1, 0, 1, 1]


class TestScores:
    """Scores before and after a round."""

    def test_before_as_the_deal_says(self) -> None:
        said = Round([deal(scores=(1, 2, 3, 4)), ev.Win(0, 1, deltas=(9, -9, 0, 0), scores=EVEN)])
        assert scores.scores_before(said, 4) == (1, 2, 3, 4)

    def test_before_worked_back_from_a_win(self) -> None:
        win = ev.Win(0, 1, deltas=(3000, -2000, 0, 0), scores=(28000, 22000, 25000, 25000))
        accepted = ev.RiichiAccepted(0)
        assert scores.scores_before(Round([deal(), accepted, win]), 4) == (26000, 24000, 25000, 25000)

    def test_before_worked_back_from_the_second_of_two_wins(self) -> None:
        wins = [ev.Win(0, 1, deltas=(5, -5, 0, 0)), ev.Win(2, 1, deltas=(0, -7, 7, 0), scores=(5, -12, 7, 0))]
        assert scores.scores_before(Round([deal(), *wins]), 4) == (0, 0, 0, 0)

    def test_before_worked_back_from_a_riichi(self) -> None:
        accepted = [ev.RiichiAccepted(1), ev.RiichiAccepted(2, scores=(25000, 24000, 24000, 25000))]
        assert scores.scores_before(Round([deal(), *accepted]), 4) == EVEN

    @pytest.mark.parametrize(
        "result",
        [
            ev.Win(0, 1),
            ev.Win(0, 1, deltas=(0, 0, 0, 0)),
            ev.Win(0, 1, scores=EVEN),
            ev.Win(0, 1, deltas=(0, 0, 0), scores=EVEN),
            ev.Win(0, 1, deltas=(0, 0, 0, 0), scores=(1, 2, 3)),
            ev.Ryukyoku(),
            ev.EndRound(),
        ],
    )
    def test_before_unknown_where_nothing_tells(self, result: ev.Event) -> None:
        assert scores.scores_before(Round([deal(), result]), 4) is None

    def test_after_a_win_with_sticks(self) -> None:
        paid: list[ev.Event] = [ev.Riichi(2), ev.Discard(2, "E"), ev.RiichiAccepted(2)]
        win = ev.Win(0, 1, deltas=(3000, -2000, 0, 0))
        assert scores.scores_after(Round([*paid, win]), EVEN) == (28000, 23000, 24000, 25000)

    def test_after_several_wins_and_after_a_draw(self) -> None:
        wins = [ev.Win(0, 1, deltas=(1, -1, 0, 0)), ev.Win(2, 1, deltas=(0, -2, 2, 0))]
        assert scores.scores_after(Round([*wins]), EVEN) == (25001, 24997, 25002, 25000)
        drawn = ev.Ryukyoku(deltas=(1500, 1500, -1500, -1500))
        assert scores.scores_after(Round([drawn]), EVEN) == (26500, 26500, 23500, 23500)

    @pytest.mark.parametrize(
        ("events", "before"),
        [
            ([ev.Win(0, 1, deltas=EVEN)], None),
            ([], EVEN),
            ([ev.Win(0, 1)], EVEN),
            ([ev.Win(0, 1, deltas=EVEN), ev.Win(2, 1)], EVEN),
            ([ev.Win(0, 1, deltas=(1, 2, 3))], EVEN),
        ],
    )
    def test_after_unknown_where_something_is_missing(
        self, events: list[ev.Event], before: tuple[int, ...] | None
    ) -> None:
        assert scores.scores_after(Round(events), before) is None

    def test_after_as_the_record_says_where_it_says(self) -> None:
        assert scores.scores_after(Round([ev.EndRound()], scores_after=(1, 2, 3, 4)), None) == (1, 2, 3, 4)


class TestSticks:
    """Riichi sticks on the table at a deal."""

    def test_a_win_takes_them_all(self) -> None:
        assert scores.sticks_left(Round([ev.Riichi(0), ev.Discard(0, "E"), ev.Win(1, 0)]), deal(kyotaku=3)) == 0

    def test_a_draw_leaves_them_and_those_paid_since(self) -> None:
        paid: list[ev.Event] = [ev.Riichi(0), ev.Discard(0, "E"), ev.RiichiAccepted(0)]
        assert scores.sticks_left(Round([*paid, ev.Ryukyoku()]), deal(kyotaku=2)) == 3
        assert scores.sticks_left(Round([*paid, ev.Ryukyoku()]), deal()) == 1
        assert scores.sticks_left(Round([*paid, ev.Ryukyoku()]), None) == 1

    def test_before_the_first_round_there_are_none(self) -> None:
        assert scores.sticks_left(None, None) == 0

    def test_six_players_may_pay(self) -> None:
        assert scores.sticks_left(Round([ev.Riichi(5), ev.Discard(5, "E"), ev.Ryukyoku()]), None) == 1


class TestDeals:
    """Wind, number, honba, sticks, dealer and scores of a deal that lacks them."""

    def test_a_deal_that_says_all_is_given_as_it_is(self) -> None:
        said = deal(bakaze="W", kyoku=2, honba=9, kyotaku=8, oya=3, scores=(1, 2, 3, 4))
        assert derived([said]) is said

    def test_what_a_deal_says_is_never_changed(self) -> None:
        first = deal(oya=0, scores=EVEN, honba=5)
        assert derived([first], [deal(oya=2, honba=0, kyotaku=7, bakaze="N")]) == deal(
            bakaze="N", kyoku=3, honba=0, kyotaku=7, oya=2
        )

    def test_the_first_round_is_the_first_of_the_east_wind(self) -> None:
        assert derived([deal()]) == deal(bakaze="E", kyoku=1, honba=0, kyotaku=0, oya=0)

    def test_the_number_is_the_dealers_and_the_dealer_the_numbers(self) -> None:
        assert derived([deal(oya=2)]).kyoku == 3
        assert derived([deal(kyoku=3)]).oya == 2

    def test_a_round_without_a_deal_gets_one(self) -> None:
        assert derived([ev.EndRound()]) == deal(bakaze="E", kyoku=1, honba=0, kyotaku=0, oya=0)

    @pytest.mark.parametrize(
        ("results", "dealer", "honba"),
        [
            ([ev.Win(0, 1)], 0, 1),
            ([ev.Win(2, 1)], 1, 0),
            ([ev.Win(2, 1), ev.Win(0, 1)], 0, 1),
            ([ev.Ryukyoku()], 0, 1),
            ([], 0, 1),
        ],
        ids=["the dealer won", "another won", "the dealer among others", "a draw", "not said"],
    )
    def test_who_deals_next_and_with_which_honba(self, results: list[ev.Event], dealer: int, honba: int) -> None:
        following = derived([deal(), *results], [deal()])
        assert (following.oya, following.kyoku, following.honba) == (dealer, dealer + 1, honba)

    def test_a_new_dealer_after_a_draw_keeps_counting_the_honba(self) -> None:
        assert derived([deal(oya=0, honba=2), ev.Ryukyoku()], [deal(oya=1)]).honba == 3

    def test_a_new_dealer_after_a_win_starts_the_honba_again(self) -> None:
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

    def test_sticks_are_those_left(self) -> None:
        paid: list[ev.Event] = [ev.Riichi(0), ev.Discard(0, "E"), ev.RiichiAccepted(0), ev.Ryukyoku()]
        assert derived([deal(kyotaku=1), *paid], [deal()]).kyotaku == 2

    def test_scores_follow_from_the_round_before(self) -> None:
        assert derived([deal(scores=EVEN), ev.Win(0, 1, deltas=(9, -9, 0, 0))], [deal()]).scores == (
            25009, 24991, 25000, 25000,
        )  # fmt: skip

    def test_scores_are_rather_worked_back_from_the_rounds_own_result(self) -> None:
        own = ev.Win(0, 1, deltas=(9, -9, 0, 0), scores=(9, -9, 0, 0))
        before: list[ev.Event] = [deal(scores=EVEN), ev.Win(0, 1, deltas=(1, -1, 0, 0))]
        assert derived(before, [deal(), own]).scores == (0, 0, 0, 0)

    def test_scores_that_nothing_tells_stay_unsaid(self) -> None:
        assert derived([deal(), ev.Win(0, 1)], [deal()]).scores is UNSET


class TestNextDealer:
    """Whether the dealer deals again, and the deal that follows."""

    @pytest.mark.parametrize(
        ("results", "stays"),
        [
            ([], None),
            ([ev.Win(0, 1)], True),
            ([ev.Win(2, 1)], False),
            ([ev.Win(2, 1), ev.Win(0, 1)], True),
            ([ev.Ryukyoku()], None),
            ([ev.Ryukyoku(deltas=(0, 0, 0, 0))], None),
            ([ev.Ryukyoku(deltas=(1500, 1500, -1500, -1500))], True),
            ([ev.Ryukyoku(deltas=(-1500, 1500, 1500, -1500))], False),
            ([ev.Ryukyoku(tenpais=(False, True, True, True))], False),
            ([ev.Ryukyoku("fanpai", tenpais=(True, False, False, False))], True),
            ([ev.Ryukyoku("kyushukyuhai", tenpais=(False,) * 4)], True),
            ([ev.Ryukyoku("chombo", actor=0, deltas=(-12000, 4000, 4000, 4000))], True),
            ([ev.Ryukyoku("nagashimangan", deltas=(-4000, 8000, -2000, -2000))], None),
        ],
    )
    def test_by_the_results(self, results: list[ev.Event], stays: bool | None) -> None:
        assert scores.next_dealer(Round(results), 0, 4) == {True: 0, False: 1, None: None}[stays]

    @pytest.mark.parametrize(("deltas", "oya"), [((-1500, 1500, 1500, -1500), 1), ((1500, -1500, 1500, -1500), 0)])
    def test_a_deal_after_a_draw_follows_from_the_tenpai_that_was_paid(
        self, deltas: tuple[int, ...], oya: int
    ) -> None:
        following = derived([deal(), ev.Ryukyoku(deltas=deltas)], [deal()])
        assert (following.oya, following.kyoku, following.honba) == (oya, oya + 1, 1)

    def test_rounds_that_were_left_out_are_counted(self) -> None:
        following = derived([deal(bakaze="E", oya=2, kyoku=3, honba=2), ev.Win(0, 1)], [deal(oya=1)])
        assert (following.bakaze, following.kyoku, following.honba) == ("S", 2, 0)

    def test_a_stated_wind_makes_another_round(self) -> None:
        following = derived([deal(bakaze="E", oya=2, honba=2), ev.Win(2, 1)], [deal(bakaze="S", oya=2)])
        assert (following.kyoku, following.honba) == (3, 0)


GAMES = [play(seed) for seed in range(6)]


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
@pytest.mark.parametrize("unsaid", ["bakaze kyoku honba kyotaku", "honba kyotaku scores", "bakaze oya scores"])
def test_what_a_whole_game_leaves_unsaid_is_derived_as_it_was(game: bytes, unsaid: str) -> None:
    """The engine states all values. Without them they are derived again, except the scores of the first round."""
    game_match = read(game, "mjai").match
    said = [game_round.start for game_round in game_match.rounds]
    for index, game_round in enumerate(game_match.rounds):
        keys = [key for key in unsaid.split() if index or key != "scores"]
        game_round.events[0] = structs.replace(game_round.events[0], **dict.fromkeys(keys, UNSET))
    assert succession.starts(game_match) == said


class TestFill:
    """Derived values are filled in if the caller asks for it."""

    def test_deals_and_tsumogiri_are_filled_in(self) -> None:
        source = match([deal(oya=1), ev.Draw(1, "E"), ev.Discard(1, "E"), ev.Draw(2, "S"), ev.Discard(2, "1m")])
        [filled] = succession.fill(source).rounds
        assert filled.events[0] == deal(bakaze="E", kyoku=2, honba=0, kyotaku=0, oya=1)
        discards = [event for event in filled.events if isinstance(event, ev.Discard)]
        assert discards == [ev.Discard(1, "E", tsumogiri=True), ev.Discard(2, "1m", tsumogiri=False)]

    def test_what_was_said_stays(self) -> None:
        source = match([deal(), ev.Draw(0, "E"), ev.Discard(0, "E", tsumogiri=False)])
        assert succession.fill(source).rounds[0].events[1:] == source.rounds[0].events[1:]

    def test_a_discard_after_a_call_is_from_the_hand(self) -> None:
        source = match(
            [deal(), ev.Draw(0, "E"), ev.Discard(0, "E"), ev.Pon(1, 0, "E", ("E", "E")), ev.Discard(1, "E")]
        )
        assert succession.fill(source).rounds[0].events[-1] == ev.Discard(1, "E", tsumogiri=False)

    def test_a_hidden_draw_is_not_taken_for_the_tile_discarded(self) -> None:
        source = match([deal(), ev.Draw(0, "?"), ev.Discard(0, "?")])
        assert succession.fill(source).rounds[0].events[-1] == ev.Discard(0, "?")

    def test_the_source_is_left_as_it_was(self) -> None:
        source = match([deal(), ev.Draw(0, "E"), ev.Discard(0, "E")])
        succession.fill(source)
        assert source == match([deal(), ev.Draw(0, "E"), ev.Discard(0, "E")])
        assert source.rounds[0].events[0] == deal()
