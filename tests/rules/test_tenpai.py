"""Who is in tenpai at a draw: as stated, else as paid, else by the hands; the same answer wherever it is asked."""

from hypothesis import given
from hypothesis import strategies as st

from looped import looped
from mjconv.converters.shared.completed import complete
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Meld, Round
from mjconv.rules.payments import nagashi_deltas
from mjconv.rules.tenpai import stated_tenpai, tenpai_deltas, tenpai_of
from mjconv.train.outcomes import outcome_of
from mjconv.viewer.results import DrawResult
from mjconv.viewer.steps import steps
from trips import known

READY = (*(f"{rank}m" for rank in range(1, 10)), "1p", "1p", "2s", "3s")
FAR = ("1p", "4p", "7p", "2s", "5s", "8s", "E", "S", "W", "N", "P", "F", "C")
HIDDEN = ("?",) * 13
NOBODY_KNOWS = (None,) * 4


@given(st.sets(st.integers(0, 3), min_size=1, max_size=3), st.sampled_from([900, 1500, 3000, 4500, 6000]))
def test_payments_show_who_is_in_tenpai(tenpai: set[int], total: int) -> None:
    draw = ev.Ryukyoku(deltas=tenpai_deltas(tenpai, 4, total))
    assert stated_tenpai(draw, 4) == tuple(seat in tenpai for seat in range(4))


@given(st.integers(0, 3), st.integers(0, 3))
def test_the_payments_of_a_nagashi_mangan_do_not(winner: int, dealer: int) -> None:
    assert stated_tenpai(ev.Ryukyoku(deltas=nagashi_deltas([winner], 4, dealer)), 4) == NOBODY_KNOWS


@looped("deltas", (0, 0, 0, 0), (3000, -3000), (2000, -1000, -500, -500), (1000, 0, -1000, 0))
def test_other_payments_do_not(deltas: tuple[int, ...]) -> None:
    assert stated_tenpai(ev.Ryukyoku(deltas=deltas), 4) == NOBODY_KNOWS


def test_a_statement_comes_before_payments_and_payments_before_hands() -> None:
    hands, melds = [READY, FAR], [[], []]
    assert tenpai_of(ev.Ryukyoku(tenpais=(False, False), deltas=(-2000, 2000)), hands, melds) == (False, False)
    assert tenpai_of(ev.Ryukyoku(deltas=(-2000, 2000)), hands, melds) == (False, True)
    assert tenpai_of(ev.Ryukyoku(), hands, melds) == (True, False)


@looped("stated", (), (True,), (True, False, True, False, True))
def test_a_statement_about_more_or_fewer_seats_counts_as_far_as_it_goes(stated: tuple[bool, ...]) -> None:
    assert stated_tenpai(ev.Ryukyoku(tenpais=stated), 4) == (*stated, *NOBODY_KNOWS)[:4]


def test_a_hand_with_melds_is_in_tenpai_and_one_of_unknown_tiles_is_not_known() -> None:
    pon = Meld("pon", ("1p", "1p"), "1p", target=1)
    larger = ("10m", *READY[1:])
    assert tenpai_of(ev.Ryukyoku(), [["5s"], HIDDEN, larger], [[pon] * 4, [], []]) == (True, None, None)


def round_of(draw: ev.Ryukyoku, *hands: tuple[str, ...]) -> Match:
    deal = ev.StartRound("E", "9s", 1, 0, 0, 0, scores=(25000,) * 4, tehais=hands)
    return Match(rounds=[Round([deal, draw, ev.EndRound()])])


def test_the_viewer_the_rows_of_decisions_and_the_writers_agree() -> None:
    for draw, hands, tenpai in (
        (ev.Ryukyoku("fanpai"), (READY, FAR, FAR, FAR), (True, False, False, False)),
        (ev.Ryukyoku("fanpai", deltas=(0,) * 4), (READY, FAR, FAR, FAR), (True, False, False, False)),
        (ev.Ryukyoku("fanpai"), (READY, HIDDEN, HIDDEN, HIDDEN), (True, None, None, None)),
        (ev.Ryukyoku("fanpai", deltas=(-1000, 3000, -1000, -1000)), (HIDDEN,) * 4, (False, True, False, False)),
        (ev.Ryukyoku("fanpai", tenpais=(False,) * 4), (READY,) * 4, (False,) * 4),
    ):
        match = round_of(draw, *hands)
        result = list(steps(match))[-1].result
        assert isinstance(result, DrawResult), draw
        assert result.tenpai == tenpai, draw
        outcome = known(outcome_of(match.rounds[0], 4))
        names = {None: None, True: "tenpai", False: "noten"}
        assert [outcome.result(seat) for seat in range(4)] == [names[each] for each in tenpai], draw
        [written] = ev.select(complete(match)[0].events, ev.Ryukyoku)
        assert written.tenpais == tuple(map(bool, tenpai)), draw


def test_a_draw_without_a_reason_is_not_taken_for_an_exhaustive_one() -> None:
    match = round_of(ev.Ryukyoku(), READY, FAR, FAR, FAR)
    result = list(steps(match))[-1].result
    assert isinstance(result, DrawResult)
    assert result.tenpai == NOBODY_KNOWS
    assert known(outcome_of(match.rounds[0], 4)).result(0) == "abortive draw"
