"""The decisions of a round: where they are, and what the record shows of each."""

import pytest

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import House, Match, Round, Rules
from mjconv.referee.decisions import decisions
from moments_made import IDLE, OTHER, READY, deal, match_of, riichi, turn

FAR = "1m 4m 7m 1p 4p 7p 1s 4s 7s E S W N"
PONS = IDLE.replace("7s 7s", "5s 5s")
#: Seat 1 discards a 5s: seat 0 may win, seat 2 may call chi, seat 3 may call pon.
HANDS = (READY, IDLE, "6s 7s 1m 4m 7m 9m 1p 4p 9p E S W N", PONS)
FIVE = turn(1, "5s")


def taken(*after: ev.Event, before: tuple[ev.Event, ...] = tuple(FIVE), **values: object) -> list[str]:
    """Return what the record shows that seats 0, 2 and 3 did about the last tile; ``?`` if it does not show it."""
    match = match_of([deal(*HANDS, oya=1), *before, *after])
    match.rounds[0] = Round(match.rounds[0].events, **values)  # type: ignore[arg-type]
    found = []
    for seat in (0, 2, 3):
        [one] = [one for one in decisions(match, 0, seat) if one.index == 1 + len(before)]
        found.append("?" if one.taken is None else ev.name_of(one.taken))
    return found


@looped(
    ("after", "expected"),
    ([ev.Draw(2, "C")], "none none none"),
    ([ev.Dora("1m"), ev.Draw(2, "C")], "none none none"),
    ([ev.Chi(2, 1, "5s", ("6s", "7s"))], "none chi none"),
    ([ev.Pon(3, 1, "5s", ("5s", "5s"))], "none ? pon"),
    ([ev.Win(0, 1)], "hora ? ?"),
    ([ev.Ryukyoku("sanchahou")], "hora ? ?"),
    ([ev.Ryukyoku("suufonrenta")], "none ? ?"),
    ([], "? ? ?"),
)
def test_what_the_record_shows_of_claims_of_one_tile(after: list[ev.Event], expected: str) -> None:
    assert taken(*after) == expected.split()


def test_a_ron_that_was_declared_and_not_paid_is_taken() -> None:
    ready = HANDS[0], IDLE, READY.replace("8p 8p", "9m 9m"), OTHER
    match = match_of([deal(*ready, oya=1), *FIVE, ev.Win(2, 1)])
    for blocked, expected in (((0,), ev.Win(0, 1, "5s")), ((), None)):
        match.rounds[0].blocked = blocked
        assert [*decisions(match, 0, 0)][-1].taken == expected


def test_the_player_nearer_to_the_discard_wins_alone_in_some_houses() -> None:
    for winner, others in ((3, (0, None)), (0, (3, ev.Pass()))):
        match = match_of([deal(READY, IDLE, OTHER, READY, oya=1), *FIVE, ev.Win(winner, 1)])
        assert [one.taken for one in decisions(match, 0, others[0])] == [others[1]]


def test_a_win_that_was_passed_may_be_a_chi_that_lost() -> None:
    match = match_of([deal(FAR, IDLE, READY, PONS, oya=1), *FIVE, ev.Pon(3, 1, "5s", ("5s", "5s"))])
    assert [one.taken for one in decisions(match, 0, 2)] == [None]


def test_where_a_player_decides() -> None:
    """After the own draw, call and riichi, and after a tile of others that the player may take."""
    play = [*riichi(0, "C"), *turn(1, "9s"), *turn(2, "9s"), *turn(3, "9s"), *turn(0, "9s"), *turn(1, "8s")]
    match = match_of([deal(READY, IDLE, OTHER, FAR), *play, ev.Win(0, 1)])
    found = [(one.index, len(one.choices), one.taken and ev.name_of(one.taken)) for one in decisions(match, 0, 0)]
    assert found == [(2, 14, "reach"), (3, 1, "dahai"), (12, 1, "dahai"), (15, 2, "hora")]


@looped(
    ("ending", "expected"),
    (ev.Ryukyoku("kyushukyuhai"), "ryukyoku"),
    (ev.Ryukyoku(), "ryukyoku"),
    (ev.Ryukyoku("chombo", actor=0), None),
    (ev.Discard(0, "9s", tsumogiri=False), "dahai"),
)
def test_nine_terminals(ending: ev.Event, expected: str | None) -> None:
    hand = "1m 9m 1p 9p 1s 9s E S W 2p 3p 4p 5p"
    [one] = decisions(match_of([deal(hand, IDLE, OTHER, FAR), ev.Draw(0, "7s"), ending]), 0, 0)
    assert one.taken is None if expected is None else ev.name_of(one.taken) == expected  # type: ignore[arg-type]


def test_what_breaks_the_rules_is_taken_and_no_choice() -> None:
    match = match_of([deal(HANDS[0], IDLE, OTHER, FAR), ev.Draw(0, "C"), ev.Discard(0, "9p", tsumogiri=False)])
    [one] = decisions(match, 0, 0)
    assert one.taken == ev.Discard(0, "9p", tsumogiri=False)
    assert one.taken not in one.choices


def test_the_rules_are_those_of_the_call_then_those_of_the_record() -> None:
    match = match_of([deal(READY, IDLE, OTHER, FAR, scores=(900,) * 4), ev.Draw(0, "C")])
    match.rules = Rules(riichi_in_debt=True)
    for house, more in ((None, True), (House(riichi_in_debt=False), False)):
        [one] = decisions(match, 0, 0, house=house)
        assert (ev.Riichi(0) in one.choices) is more


def test_after_a_discard_that_is_not_shown_there_is_no_decision() -> None:
    hidden = [ev.Draw(0, "C"), ev.Discard(0, "?"), *turn(1, "9s"), *turn(2, "9s"), *turn(3, "9s"), ev.Draw(0, "E")]
    assert [one.index for one in decisions(match_of([deal(READY, IDLE, OTHER, FAR), *hidden]), 0, 0)] == [2]


def test_rounds_without_decisions() -> None:
    match = match_of([deal(READY, IDLE, OTHER, FAR), ev.Draw(0, "C")])
    for hidden in (ev.Draw(0, "?"), ev.Draw(0, "1f")):
        assert not [*decisions(match_of([match.rounds[0].events[0], hidden]), 0, 0)]  # type: ignore[list-item]
    assert not [*decisions(match_of([deal(*["?"] * 4), ev.Draw(0, "C")]), 0, 0)]
    for other in (Match(rounds=match.rounds, rules=Rules(game="mcr")), Match(rounds=[Round([])])):
        with pytest.raises(UnsupportedError):
            next(decisions(other, 0, 0))
