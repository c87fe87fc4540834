"""From round to round: the next dealer, the name of the round, honba, riichi sticks and scores.

A record need not state all of them, nor whether a discard is the tile just drawn. A value that is derived serves a
target that needs it. It never becomes a value of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.ir.vocabulary import CHOMBO, REASONS
from mjconv.rules.tenpai import stated_tenpai

RIICHI_STICK: Final = 1000
#: The values of a deal that follow from the round before.
VALUES: Final = ("bakaze", "kyoku", "honba", "kyotaku", "oya", "scores")


def accepted_riichi(events: Sequence[ev.Event], seats: int) -> list[int]:
    """Return the number of riichi sticks that each seat paid: the riichi discards on which nobody won.

    A riichi counts whether or not the record has its `RiichiAccepted`. It does not count if three rons on its
    discard end the round.

    >>> accepted_riichi([ev.Riichi(1), ev.Discard(1, "9p"), ev.Draw(2, "1m")], 4)
    [0, 1, 0, 0]
    >>> accepted_riichi([ev.Riichi(1), ev.Discard(1, "9p"), ev.Ryukyoku("sanchaho")], 4)
    [0, 0, 0, 0]
    """
    paid = [0] * seats
    declared: int | None = None
    for event in events:
        if type(event) is ev.Riichi:
            declared = event.actor
        elif declared is not None:
            passed = type(event) in _AFTER_RIICHI_DISCARD and not _is_triple_ron(event)
            paid[declared] += passed
            if passed or type(event) is ev.Win:
                declared = None
    return paid


def _is_triple_ron(event: ev.Event) -> bool:
    return type(event) is ev.Ryukyoku and bool(event.reason) and reason_of(str(event.reason)) == "triple_ron"


#: The kinds of events that show that nobody won on a riichi discard.
_AFTER_RIICHI_DISCARD: Final = frozenset({ev.RiichiAccepted, ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan, ev.Ryukyoku})


def by_riichi_rules(match: Match) -> bool:
    """Return whether the match has riichi rules: it has dora or riichi, and no base points."""
    all_rules = [match.rules, *(game_round.rules for game_round in match.rounds)]
    if any(rules is not UNSET and rules.base is not UNSET for rules in all_rules):
        return False
    if any(player_round.select(ev.Riichi) for player_round in match.rounds):
        return True
    deals = [game_round.start for game_round in match.rounds]
    return all(start is None or start.dora_marker is not UNSET or start.tehais is UNSET for start in deals)


def scores_before(game_round: Round, seats: int) -> tuple[int, ...] | None:
    """Return the scores at the deal, in points by seat. None if they are not known.

    If the deal does not state them, they are computed back from the first riichi or result that states scores.
    """
    start = game_round.start
    if start is not None and start.scores is not UNSET:
        return start.scores
    moved = [0] * seats
    payments: list[ev.Win | ev.Ryukyoku | ev.RiichiAccepted] = game_round.select(
        ev.Win, ev.Ryukyoku, ev.RiichiAccepted
    )
    for event in payments:
        if type(event) is ev.RiichiAccepted:
            if event.actor >= seats:
                return None
            moved[event.actor] -= RIICHI_STICK
        elif event.deltas is UNSET or len(event.deltas) != seats:
            return None
        else:
            moved = [a + b for a, b in zip(moved, event.deltas, strict=True)]
        if event.scores is not UNSET and len(event.scores) == seats:
            return tuple(score - move for score, move in zip(event.scores, moved, strict=True))
    return None


def scores_after(
    game_round: Round, before: tuple[int, ...] | None, events: Sequence[ev.Event] | None = None
) -> tuple[int, ...] | None:
    """Return the scores after the round, in points by seat: `before`, less sticks paid, plus deltas.

    None if they are not known. `events` are the events of the round; turns may be left out of them that follow no
    riichi and precede no win.
    """
    if game_round.scores_after is not UNSET:
        return game_round.scores_after
    events = game_round.events if events is None else events
    results: list[ev.Win | ev.Ryukyoku] = ev.select(events, ev.Win, ev.Ryukyoku)
    deltas = [result.deltas for result in results if result.deltas]
    if before is None or not deltas or len(deltas) != len(results):
        return None
    seats = len(before)
    paid = accepted_riichi(events, seats)
    if set(map(len, deltas)) != {seats}:
        return None
    after: Iterable[int] = before
    for gained in deltas:
        after = map(add, after, gained)
    return tuple([score - RIICHI_STICK * sticks for score, sticks in zip(after, paid, strict=True)])


def dealer_stays(game_round: Round, oya: int, seats: int) -> bool | None:
    """Return whether the dealer `oya` deals again, by the results of a round; None if they do not show it.

    The dealer deals again after a win of their own, in tenpai at a draw, and after a round that is broken off.

    >>> dealer_stays(Round([ev.Win(0, 1), ev.Win(2, 1)]), 0, 4), dealer_stays(Round([ev.Ryukyoku()]), 0, 4)
    (True, None)
    """
    results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
    if not results:
        return None
    if any(type(result) is ev.Win for result in results):
        return any(type(result) is ev.Win and result.actor == oya for result in results)
    drawn: Any = results[-1]
    reason = None if drawn.reason is UNSET else reason_of(drawn.reason)
    if drawn.reason == CHOMBO or (reason is not None and REASONS[reason].abortive):
        return True
    return stated_tenpai(drawn, seats)[oya] if oya < seats else None


def next_deal(deal: ev.StartRound, game_round: Round, stated: ev.StartRound, seats: int) -> ev.StartRound:
    """Return the deal after a round: the values that are `stated`, and the others as they follow from the round.

    `deal` is the deal of the round, with all values but the scores. If `stated` has no dealer and no number, the
    results decide who deals; the dealer deals again if they do not show it. The name of a round follows from its
    dealer, also where rounds were left out between the two. Scores that are not known stay absent.

    >>> first = ev.StartRound("E", kyoku=4, honba=2, kyotaku=1, oya=3)
    >>> next_deal(first, Round([ev.Win(0, 3)]), ev.StartRound(), 4)
    StartRound(bakaze='S', kyoku=1, honba=0, kyotaku=0, oya=0)
    >>> next_deal(first, Round([ev.Ryukyoku()]), ev.StartRound(oya=3), 4)
    StartRound(bakaze='E', kyoku=4, honba=3, kyotaku=1, oya=3)
    """
    last = int(deal.oya or 0)
    if stated.oya is not UNSET:
        oya = stated.oya
    elif stated.kyoku is not UNSET:
        oya = (stated.kyoku - 1) % seats
    else:
        oya = (last + (dealer_stays(game_round, last, seats) is False)) % seats
    winds, number = divmod(int(deal.kyoku or 1) - 1 + (oya - last) % seats, seats)
    bakaze = WINDS[(WINDS.index(deal.bakaze or "E") + winds) % len(WINDS)] if not stated.bakaze else stated.bakaze
    kyoku = stated.kyoku or number + 1
    drawn = bool(game_round.select(ev.Ryukyoku)) and not game_round.select(ev.Win)
    again = drawn or (bakaze, kyoku) == (deal.bakaze, deal.kyoku)
    after = scores_after(game_round, deal.scores or None)
    known = ev.StartRound(
        bakaze=bakaze,
        kyoku=kyoku,
        honba=int(deal.honba or 0) + 1 if again else 0,
        kyotaku=sticks_left(game_round, deal),
        oya=oya,
        scores=UNSET if after is None else after,
    )
    return _filled(stated, known)


def starts(match: Match) -> list[ev.StartRound]:
    """Return the deal of each round, its absent values filled in where they can be derived.

    Wind and number are derived from the dealer and the sequence of rounds (the first round is an east round),
    honba and sticks from the round before, scores from a result that states them. A complete deal is returned
    unchanged.
    """
    deals: list[ev.StartRound] = []
    before: Round | None = None
    seats = match.seats
    for game_round in match.rounds:
        start = game_round.start or ev.StartRound()
        if any(getattr(start, name) is UNSET for name in VALUES):
            scores = scores_before(game_round, seats)
            start = _filled(start, ev.StartRound(scores=UNSET if scores is None else scores))
            if before is None:
                oya = (start.kyoku - 1) % seats if start.oya is UNSET and start.kyoku else int(start.oya or 0)
                first = ev.StartRound(bakaze="E", kyoku=oya + 1, honba=0, kyotaku=0, oya=oya)
                start = _filled(start, first)
            else:
                start = next_deal(deals[-1], before, start, seats)
        deals.append(start)
        before = game_round
    return deals


def _filled(stated: ev.StartRound, known: ev.StartRound) -> ev.StartRound:
    """Return a deal with the known values that it does not state."""
    absent = {name: getattr(known, name) for name in VALUES if getattr(stated, name) is UNSET}
    return structs.replace(stated, **absent)


def sticks_left(before: Round | None, start: ev.StartRound | None) -> int:
    """Return the number of riichi sticks on the table after the round `before`: none after a win.

    `start` is the deal of that round.

    >>> sticks_left(Round([ev.Ryukyoku()]), ev.StartRound(kyotaku=1))
    1
    """
    if before is None or before.select(ev.Win):
        return 0
    held = 0 if start is None or start.kyotaku is UNSET else start.kyotaku
    return held + sum(accepted_riichi(before.events, 6))


def fill(match: Match) -> Match:
    """Return a match in which deals and `tsumogiri` are filled in where they can be derived.

    `tsumogiri` is derived from the last draw. After a hidden draw it stays absent.
    """
    rounds = []
    for game_round, start in zip(match.rounds, starts(match), strict=True):
        events: list[ev.Event] = []
        drawn: Tile | None = None
        for event in game_round.events:
            filled: ev.Event = event
            if isinstance(event, ev.StartRound):
                filled = start
            elif isinstance(event, ev.Draw):
                drawn = event.pai
            elif isinstance(event, ev.Discard):
                if event.tsumogiri is UNSET and drawn != HIDDEN:
                    filled = structs.replace(event, tsumogiri=drawn == event.pai)
                drawn = None
            events.append(filled)
        rounds.append(structs.replace(game_round, events=events))
    return structs.replace(match, rounds=rounds)
