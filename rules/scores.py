"""What one round moves: the riichi sticks that were paid, the scores before and after it, and the next dealer."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import add
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Renchan, Round, Rules
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import WINDS
from mjconv.ir.vocabulary import CHOMBO, REASONS
from mjconv.rules.tenpai import stated_tenpai

RIICHI_STICK: Final = 1000
#: The points of one player at the start, by the number of players, where nobody states them.
USUAL_START: Final = {4: 25000, 3: 35000}


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
            passed = type(event) in _AFTER_RIICHI_DISCARD and not is_triple_ron(event)
            paid[declared] += passed
            if passed or type(event) is ev.Win:
                declared = None
    return paid


def is_triple_ron(event: ev.Event) -> bool:
    """Return whether three rons on one discard end the round here: a riichi on that discard is not accepted.

    >>> is_triple_ron(ev.Ryukyoku("sanchaho")), is_triple_ron(ev.Ryukyoku("fanpai"))
    (True, False)
    """
    return type(event) is ev.Ryukyoku and bool(event.reason) and reason_of(str(event.reason)) == "triple_ron"


def is_abortive(result: ev.Event) -> bool:
    """Return whether a result is a draw that breaks the round off, by its reason.

    >>> is_abortive(ev.Ryukyoku("sanchaho")), is_abortive(ev.Ryukyoku("fanpai")), is_abortive(ev.Win(0))
    (True, False, False)
    """
    reason = reason_of(str(result.reason)) if type(result) is ev.Ryukyoku and result.reason else None
    return reason is not None and REASONS[reason].abortive


#: The kinds of events that show that nobody won on a riichi discard.
_AFTER_RIICHI_DISCARD: Final = frozenset({ev.RiichiAccepted, ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan, ev.Ryukyoku})


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

    None if they are not known. An abortive draw moves no points. `events` are the events of the round; turns may
    be left out of them that follow no riichi and precede no win.
    """
    if game_round.scores_after is not UNSET:
        return game_round.scores_after
    return next(reversed(scores_after_results(game_round.events if events is None else events, before)), None)


def scores_after_results(events: Sequence[ev.Event], before: tuple[int, ...] | None) -> list[tuple[int, ...]]:
    """Return the scores after each result of a round, in points by seat; none if they are not known.

    >>> wins = [ev.Win(1, 0, deltas=(-1000, 1000, 0, 0)), ev.Win(2, 0, deltas=(-2000, 0, 2000, 0))]
    >>> scores_after_results(wins, (25000,) * 4)
    [(24000, 26000, 25000, 25000), (22000, 26000, 27000, 25000)]
    """
    if before is None:
        return []
    results: list[ev.Win | ev.Ryukyoku] = ev.select(events, ev.Win, ev.Ryukyoku)
    seats = len(before)
    deltas = [result.deltas or (0,) * seats for result in results if result.deltas or is_abortive(result)]
    if len(deltas) != len(results) or set(map(len, deltas)) != {seats}:
        return []
    paid = accepted_riichi(events, seats)
    dealt = tuple([score - RIICHI_STICK * sticks for score, sticks in zip(before, paid, strict=True)])
    return list(accumulate(deltas, lambda score, gained: tuple(map(add, score, gained)), initial=dealt))[1:]


def next_dealer(game_round: Round, oya: int, seats: int, renchan: Renchan = "tenpai") -> int | None:
    """Return who deals after a round of riichi, by its results; None if they do not show it.

    The dealer `oya` deals again after a round that is broken off, and as `renchan` says.

    >>> next_dealer(Round([ev.Win(0, 1), ev.Win(2, 1)]), 0, 4), next_dealer(Round([ev.Ryukyoku()]), 0, 4)
    (0, None)
    >>> next_dealer(Round([ev.Ryukyoku()]), 0, 4, "draw"), next_dealer(Round([ev.Win(0, 1)]), 0, 4, "never")
    (0, 1)
    """
    results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
    if not results:
        return None
    drawn: Any = results[-1]
    stays: bool | None
    if any(type(result) is ev.Win for result in results):
        stays = renchan != "never" and any(type(result) is ev.Win and result.actor == oya for result in results)
    else:
        reason = None if drawn.reason is UNSET else reason_of(drawn.reason)
        broken_off = drawn.reason == CHOMBO or is_abortive(drawn)
        tenpai = stated_tenpai(drawn, seats)[oya] if oya < seats else None
        played_out = reason is not None or tenpai is not None
        stays = broken_off or renchan == "draw" or (tenpai if renchan == "tenpai" or not played_out else False)
    return None if stays is None else oya if stays else (oya + 1) % seats


def passed_on(game_round: Round, oya: int, seats: int) -> int | None:
    """Return who deals after a round of a game in which the deal always passes; None if the round has no result.

    >>> passed_on(Round([ev.Win(3, 1)]), 3, 4), passed_on(Round(), 0, 4)
    (0, None)
    """
    return (oya + 1) % seats if game_round.select(ev.Win, ev.Ryukyoku) else None


def sticks_left(before: Round | None, start: ev.StartRound | None) -> int:
    """Return the number of riichi sticks on the table after the round `before`: none after a win.

    `start` is the deal of that round.

    >>> sticks_left(Round([ev.Ryukyoku()]), ev.StartRound(kyotaku=1))
    1
    """
    if before is None or before.select(ev.Win):
        return 0
    shown = None if start is None else sticks_shown(before, start)
    if shown is not None:
        return shown
    held = 0 if start is None or start.kyotaku is UNSET else start.kyotaku
    return held + sum(accepted_riichi(before.events, 6))


def sticks_shown(game_round: Round, dealt: ev.StartRound) -> int | None:
    """Return the sticks on the table after a round with known scores alone: the points that no player has.

    `dealt` is the deal of the round. Returns None if its points, or those after the round, are not known, and if
    the rest is no number of sticks.

    >>> dealt = ev.StartRound(kyotaku=1, scores=(24000, 25000, 25000, 25000))
    >>> sticks_shown(Round(scores_after=(26000, 24000, 25000, 25000)), dealt)
    0
    """
    after = game_round.scores_after
    if after is UNSET or dealt.scores is UNSET or dealt.kyotaku is UNSET:
        return None
    sticks, rest = divmod(sum(dealt.scores) + RIICHI_STICK * dealt.kyotaku - sum(after), RIICHI_STICK)
    return None if rest or sticks < 0 else sticks


def with_last_sticks(state: ev.StartRound) -> Iterator[tuple[int, ...]]:
    """Yield the last scores: unchanged, and with the sticks of the table for each player who is first."""
    scores = state.scores or ()
    yield scores
    for seat, points in enumerate(scores):
        if state.kyotaku and points == max(scores):
            yield (*scores[:seat], points + RIICHI_STICK * state.kyotaku, *scores[seat + 1 :])


def with_uma(match: Match, scores: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the final points that follow from scores, with oka and uma by rank; none if the rules lack these.

    The returning points may be subtracted or not.
    """
    rules = match.rules
    start = points_at_start(match)
    if rules is UNSET or start is UNSET or rules.returning is UNSET or places_of(rules, len(scores)) is None:
        return
    for less in (0, rules.returning):
        yield tuple([points + less for points in after_uma(scores, rules, start)])


def after_uma(scores: Sequence[int], rules: Rules, start: int | None = None) -> tuple[int, ...]:
    """Return the final points of a game by seat: above the returning points, with oka and uma by place.

    `start` are the points of one player at the start, unless the rules state them. Without returning points they
    are those of the start, without uma no place has any. The first player gets the oka; the last pays it if it is
    negative. At equal points the lower seat has the higher place; if the rules say that ties share, each gets a
    part in whole points, and the lower seats get one more where it is no whole number.

    >>> after_uma((40000, 25000, 25000, 10000), Rules(returning=30000, uma=(20000, 10000), ties="share"), 25000)
    (50000, -5000, -5000, -40000)
    """
    seats = len(scores)
    usual = USUAL_START.get(seats, 0) if start is None else start
    begin: int = usual if rules.start is UNSET else rules.start
    returning: int = begin if rules.returning is UNSET else rules.returning
    places = list(places_of(rules, seats) or (0,) * seats)
    oka = (returning - begin) * seats
    places[0 if oka > 0 else -1] += oka
    order = sorted(range(seats), key=lambda seat: -scores[seat])
    final = [points - returning for points in scores]
    for points in set(scores):
        tied = [place for place, seat in enumerate(order) if scores[seat] == points]
        shared, rest = divmod(sum(places[place] for place in tied), len(tied))
        for number, place in enumerate(tied):
            final[order[place]] += shared + (number < rest) if rules.ties == "share" else places[place]
    return tuple(final)


def places_of(rules: Rules, seats: int) -> tuple[int, ...] | None:
    """Return the points of each place, from the first, without the oka; None if the rules state none.

    >>> places_of(Rules(uma=(20000, 10000)), 4)
    (20000, 10000, -10000, -20000)
    """
    if rules.by_place and len(rules.by_place) == seats:
        return rules.by_place
    if rules.uma is UNSET or seats != len(WINDS):
        return None
    first, second = rules.uma
    return first, second, -second, -first


def points_at_start(match: Match) -> int | UnsetType:
    """Return the points that each player began with, as the rules state them or the first deal of the game."""
    if match.rules is not UNSET and match.rules.start is not UNSET:
        return match.rules.start
    first = match.rounds[0].start if match.rounds else None
    if first is None or not first.scores or not is_first(first) or len(set(first.scores)) > 1:
        return UNSET
    return first.scores[0]


def is_first(deal: ev.StartRound) -> bool:
    """Return whether a deal may be the first of a game: E1-0, as far as it states its name."""
    return (deal.bakaze or "E", deal.kyoku or 1, deal.honba or 0) == ("E", 1, 0)
