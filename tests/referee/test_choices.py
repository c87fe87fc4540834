"""What a player may do: each rule at a moment made by hand, where decisions are, and what is seen there."""

from typing import Any

import pytest
from msgspec import structs

import mjconv
from engine import play
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import House, Match, Round, Rules
from mjconv.ir.table import RIICHI_ACCEPTED, Table
from mjconv.referee.choices import Moment, choices, matching
from mjconv.referee.decisions import decisions
from mjconv.referee.referee import check
from moments_made import IDLE, OTHER, READY, deal, match_of, riichi, turn

DRAWN = [ev.Draw(0, "E")]
IN_RIICHI = {"riichi": RIICHI_ACCEPTED}
SWAPS = {"house": House(swap_calling=True)}
#: It waits for 7s, and has no yaku of its own.
YAKULESS = "1m 2m 3m 4m 5m 6m 3s 4s 5s 8p 8p 6s 8s"
ORPHANS = "1m 9m 1p 9p 1s 9s E S W N P F F"
#: Ten kinds of ends and honours.
MOST = ORPHANS.replace("P F F", "2p 3p 4p")
PON = ev.Pon(0, 1, "E", ("E", "E"))
#: Seat 0 has a pon of E, and draws the last of them.
PONNED = [*turn(1, "E"), PON, ev.Discard(0, "5p"), *turn(1, "9s"), *turn(2, "9s"), *turn(3, "9s"), ev.Draw(0, "E")]
#: Seat 0 passes a 5s, discards, and sees an 8s.
PASSED = [*turn(1, "5s"), *turn(2, "C"), *turn(3, "C"), *turn(0, "C"), *turn(1, "8s")]
#: The pon of seat 1 that a 5s joins, after the turn of seat 0.
OF_FIVES = [*turn(3, "5s"), ev.Pon(1, 3, "5s", ("5s",) * 2), ev.Discard(1, "9m"), *turn(2, "9m"), *turn(3, "9m")]
KAKAN = [*OF_FIVES, *turn(0, "9m"), ev.Draw(1, "5s"), ev.Kakan(1, "5s", ("5s",) * 3)]


def moment(hand: str, events: list[ev.Event], **values: Any) -> Moment:
    """Return a moment of seat 0: its hand, the events after the deal, and the state of the table."""
    seats, left, points = values.get("seats", 4), values.get("left", 40), values.get("points", 25000)
    oya = next(event.actor for event in events if hasattr(event, "actor"))
    hands = [hand.split(), *[["?"] * 13] * (seats - 1)]
    start = ev.StartRound("E", "1p", 1, 0, 0, oya, (points,) * seats, tuple(map(tuple, hands)))
    table = Table(hands, oya)
    for event in events:
        table.apply(event)
    table.draws = {3: 55, 4: 70}[seats] - left
    table.kans = values.get("kans", table.kans)
    table.riichi[0] = values.get("riichi", table.riichi[0])
    return Moment(table, start, [start, *events], values.get("house", House()))


def word(choice: Any) -> str:
    """Return a choice in short: a discard without its tile, a call with the tiles of the hand."""
    name = ev.name_of(choice)
    return "-".join((name, *choice.consumed)) if name in ("chi", "pon", "ankan") else name


@looped(
    ("hand", "events", "values", "expected"),
    # Calls of a discard.
    ("4m 5m 5mr 6m E", turn(3, "3m"), {}, "chi-4m-5m chi-4m-5mr none"),
    ("2m 4m 5m E", turn(3, "3m"), {}, "chi-2m-4m chi-4m-5m none"),
    ("4m 5m E", turn(2, "3m"), {}, "none"), ("4p 5p E", turn(2, "3p"), {"seats": 3}, "none"),
    ("W N E", turn(3, "S"), {}, "none"),
    ("5p 5p 5pr E", turn(1, "5p"), {}, "pon-5p-5p pon-5p-5pr daiminkan none"),
    ("5p 5p 5pr E", turn(1, "5p"), {"left": 0}, "none"), ("4m 5m E", turn(3, "3m"), {"left": 0}, "none"),
    *(("5p 5p 5p E", turn(1, "5p"), *row) for row in (({"kans": 4}, "pon-5p-5p none"), (IN_RIICHI, "none"))),
    *(("4m 5m 3m 6m", turn(3, "6m"), *row) for row in (({}, "none"), (SWAPS, "chi-4m-5m none"))),
    ("5p 5p 5p", turn(1, "5p"), {}, "daiminkan none"),
    *(("5p 5p E", acts, {}, "pon-5p-5p none") for acts in ([*turn(1, "5p"), ev.Dora("1m")], riichi(1, "5p"))),
    ("5p 5p E", [*turn(1, "5p"), ev.Draw(2, "9s")], {}, "none"),
    # The own turn.
    ("1m 1m 1m 1m 5p", DRAWN, {}, "dahai ankan-1m-1m-1m-1m"),
    ("5m 5m 5mr 5p", [ev.Draw(0, "5m")], {}, "dahai ankan-5m-5m-5mr-5m"),
    *(("1m 1m 1m 1m 5p", DRAWN, values, "dahai") for values in ({"left": 0}, {"kans": 4})),
    ("E E 5p C", PONNED, {}, "dahai kakan"), ("E E 5p C", PONNED, {"left": 0}, "dahai"),
    ("E E 5p C", PONNED[:3], {}, "dahai"),
    ("N 1p", DRAWN, {"seats": 3}, "dahai nukidora"),
    *(("N 1p", DRAWN, one, "dahai") for one in ({}, {"seats": 3, "left": 0}, {"seats": 3, **IN_RIICHI})),
    *((hand, [ev.Draw(0, "4p")], {}, "dahai ryukyoku") for hand in (ORPHANS.replace("F F", "2p 3p"), MOST)),
    (ORPHANS.replace("N P F F", "2p 3p 4p 5p"), [ev.Draw(0, "7s")], {}, "dahai ryukyoku"),
    (ORPHANS.replace("W N P F F", "2p 3p 4p 5p 6p"), [ev.Draw(0, "4p")], {}, "dahai"),
    (MOST, [*OF_FIVES, ev.Draw(0, "4p")], {}, "dahai"),
    # Riichi.
    *((READY, DRAWN, values, "dahai") for values in ({"points": 900}, {"left": 3}, IN_RIICHI)),
    *((READY, DRAWN, values, "dahai reach") for values in ({}, {"left": 4}, {"left": 3, "seats": 3})),
    (READY, DRAWN, {"points": 900, "house": House(riichi_in_debt=True)}, "dahai reach"),
    (READY, DRAWN, {"left": 3, "house": House(late_riichi=True)}, "dahai reach"),
    (READY.replace("8p 8p", "8p 1s"), DRAWN, {}, "dahai"),
    ("2m 2m 2m 5p 5p 3s 4s 5s 6s 7s E E C", [*PONNED[:-1], ev.Draw(0, "8s")], {}, "dahai"),
    ("1m 1m 1m 2p 3p 4p 6p 6p 3s 4s 5s 6s 7s", [ev.Draw(0, "1m")], IN_RIICHI, "dahai ankan-1m-1m-1m-1m"),
    ("1m 1m 1m 2m 2p 3p 4p 6p 6p 6p 3s 4s 5s", [ev.Draw(0, "1m")], IN_RIICHI, "dahai"),
    ("1m 1m 1m 1m 2m 3m 5p 6p 9s 9s 3s 4s 5s", [ev.Draw(0, "4m")], IN_RIICHI, "dahai"),
    # Wins.
    (READY, turn(1, "5s"), {}, "hora none"), (READY, turn(1, "6s"), {}, "none"),
    (READY, [ev.Draw(0, "5s")], {}, "dahai reach hora"),
    (YAKULESS, turn(1, "7s"), {}, "none"), (YAKULESS, turn(1, "7s"), {"left": 0}, "hora none"),
    (YAKULESS, [ev.Draw(0, "7s")], {"left": 0}, "dahai hora"),
    *((READY, acts, {}, "none") for acts in (turn(0, "8s") + turn(1, "5s"), turn(1, "5s") + turn(2, "8s"))),
    (READY, PASSED, {}, "hora none"),
    (READY, [*riichi(0, "C"), *PASSED[:-2], *turn(1, "8s")], {}, "none"),
    (READY, riichi(1, "5s")[:-1], {}, "hora none"), (READY, riichi(1, "5s"), {}, "none"),
    (YAKULESS.replace("6s 8s", "4s 6s"), KAKAN, {}, "hora none"),
    (READY, [*OF_FIVES, *turn(0, "9m"), ev.Draw(1, "8s"), ev.Ankan(1, ("8s",) * 4)], {}, "none"),
    (ORPHANS, [ev.Draw(1, "C"), ev.Ankan(1, ("C",) * 4)], {}, "hora none"),
    (ORPHANS, [*turn(3, "C"), ev.Daiminkan(1, 3, "C", ("C",) * 3)], {}, "none"),
    ("1p 1p 1p 2p 2p 2p 3p 3p 3p 9s 9s 9s N", [ev.Draw(1, "N"), ev.Nukidora(1, "N")], {"seats": 3}, "hora none"),
)  # fmt: skip
def test_what_a_player_may_do(hand: str, events: list[ev.Event], values: dict[str, Any], expected: str) -> None:
    assert {word(choice) for choice in choices(moment(hand, events, **values), 0)} == {*expected.split()}


@looped(
    ("hand", "events", "values", "expected"),
    ("1m 5p 5pr 5p", [ev.Draw(0, "5p")], {}, "1m 5p 5pr 5p*"),
    ("1m E", [ev.Draw(0, "5p")], IN_RIICHI, "5p*"),
    ("1m E", [ev.Draw(0, "1m")], IN_RIICHI, "1m*"),
    (READY, [ev.Draw(0, "E"), ev.Riichi(0)], {}, "E*"),
    ("5s 4s 6s 3s 9s", [*turn(3, "3s"), ev.Chi(0, 3, "3s", ("4s", "5s"))], {}, "9s"),
    ("5s 4s 6s 3s 9s", [*turn(3, "3s"), ev.Chi(0, 3, "3s", ("4s", "5s"))], SWAPS, "6s 3s 9s"),
    ("5p 5pr 5p C", [*turn(1, "5p"), ev.Pon(0, 1, "5p", ("5p", "5p"))], {}, "C"),
)  # fmt: skip
def test_which_tiles_a_player_may_discard(
    hand: str, events: list[ev.Event], values: dict[str, Any], expected: str
) -> None:
    found = ev.select(choices(moment(hand, events, **values), 0), ev.Discard)
    assert [f"{one.pai}{'*' * bool(one.tsumogiri)}" for one in found] == expected.split()


def test_a_message_means_a_choice_in_any_spelling_of_its_program() -> None:
    offered = choices(moment("4m 5mr E", turn(3, "3m")), 0)
    chi = ev.Chi(0, 3, "3m", ("4m", "5mr"))
    assert matching(offered, ev.Chi(0, 3, "3m", ("5mr", "4m"), extras=ev.Extras({"meta": 1}))) == chi
    for other in (structs.replace(chi, consumed=("4m", "5m")), structs.replace(chi, actor=1), ev.Riichi(0)):
        assert matching(offered, other) is None
    drawn = choices(moment("5s E", DRAWN), 0)
    for stated, expected in ((True, True), (False, False), (ev.Discard(0, "E").tsumogiri, False)):
        assert matching(drawn, ev.Discard(0, "E", tsumogiri=stated)) == ev.Discard(0, "E", tsumogiri=expected)


@pytest.mark.parametrize("made", [("kans", "triplets", 4), ("mixed", "waits", 4), ("wild", "fair", 3)], ids=str)
def test_the_referee_finds_nothing_in_a_choice_and_something_in_any_other_discard(made: tuple[Any, ...]) -> None:
    chooser, dealt, players = made
    match = mjconv.read(play(5, length="round", deal=dealt, players=players, chooser=chooser))
    events = match.rounds[0].events
    tried = 0
    # Some records show the first tile of the dealer as one of the hand: the referee allows both.
    for seat in range(players):
        for one in [one for one in decisions(match, 0, seat) if one.index > 2][::3]:
            others = [
                ev.Discard(seat, tile, tsumogiri=stated)
                for tile in {choice.pai for choice in ev.select(one.choices, ev.Discard)} | {"1p", "9s"}
                for stated in (False, True)
            ]
            # A pass is no event.
            acts = [choice for choice in one.choices if type(choice) is not ev.Pass]
            for answer in (*acts, *(other for other in others if other not in one.choices)):
                # A riichi is accepted before a call of its discard.
                accepted = [] if type(answer) is ev.Win else ev.select(events[one.index :][:1], ev.RiichiAccepted)
                before = [*events[: one.index], *accepted]
                trial = structs.replace(match, rounds=[structs.replace(match.rounds[0], events=[*before, answer])])
                found = [each for each in check(trial) if each.event == len(before) and each.severity == "error"]
                assert bool(found) != (answer in one.choices), (one.index, answer, found)
                tried += 1
    assert tried > 100


# The decisions of a round: where they are, and what the record shows of each.
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
