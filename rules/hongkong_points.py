"""Points by HK rules: the exact points that a result moves, and a match with these points filled in.

A portion is the base points times a multiplier. The multiplier grows with the faan. The table `SHARES` holds how
many portions each pays. Nothing is rounded: points are fractions until a target needs whole numbers.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, Match, Round, Rules
from mjconv.ir.vocabulary import CHOMBO

Growth: TypeAlias = Literal["half", "spicy"]
Responsibility: TypeAlias = Literal["half", "full"]
Form: TypeAlias = Literal["self-drawn", "discard", "discard-guarantee", "self-draw-guarantee", "false win"]

#: The usual HK rules, for records that do not state theirs. A record of HK rules always states its base.
USUAL: Final = Rules(base=Decimal(1), max_faan=13, responsibility="full", growth="half")
#: The most faan that are counted: points double with them, and an absurd number would fill the memory.
MOST_FAAN: Final = 999
#: Up to this number each faan doubles the points, also where the growth is ``half``.
FULL_GROWTH: Final = 4
#: A base with more digits than this, before or after the point, is ignored.
_MOST_DIGITS: Final = 100


class Shares(NamedTuple):
    """The half portions that a result moves: those of the winner, of the player to blame, and of each other."""

    winner: int
    blamed: int
    other: int


_DISCARDER_PAYS: Final = Shares(4, -4, 0)

#: The shares of each form of result, by who pays for a discard.
SHARES: Final[dict[tuple[Form, Responsibility], Shares]] = {
    ("self-drawn", "half"): Shares(6, 0, -2),
    ("self-drawn", "full"): Shares(6, 0, -2),
    ("discard", "half"): Shares(4, -2, -1),
    ("discard", "full"): _DISCARDER_PAYS,
    ("discard-guarantee", "half"): _DISCARDER_PAYS,
    ("discard-guarantee", "full"): _DISCARDER_PAYS,
    ("self-draw-guarantee", "half"): Shares(6, -6, 0),
    ("self-draw-guarantee", "full"): Shares(6, -6, 0),
    # A false win pays three portions to everybody, at the maximum faan.
    ("false win", "half"): Shares(0, -18, 6),
    ("false win", "full"): Shares(0, -18, 6),
}


def multiplier(faan: int, growth: Growth = "half", table: Sequence[int] = ()) -> int:
    """Return the number by which the base points are multiplied; `faan` is 0 to `MOST_FAAN`.

    A house may have a `table` of these numbers, from 0 faan on; more faan have the last one.

    >>> [multiplier(faan) for faan in (0, 4, 5, 6, 7, 13)], multiplier(13, "spicy")
    ([1, 16, 24, 32, 48, 384], 8192)
    >>> multiplier(7, "half", (1, 2, 5))
    5
    """
    if table:
        return table[min(faan, len(table) - 1)]
    if growth == "spicy" or faan <= FULL_GROWTH:
        return 1 << faan
    doublings, between = divmod(faan - FULL_GROWTH, 2)
    lower = 1 << (FULL_GROWTH + doublings)
    # An odd number of faan is worth the mean of its neighbours.
    return lower * 3 // 2 if between else lower


def gains(result: ev.Win | ev.Ryukyoku, rules: Rules, seats: int = USUAL_SEATS) -> tuple[Fraction, ...] | None:
    """Return the points that each seat gains by a result, or None where the rules or the faan are not known.

    Rules without base points are not HK rules. Other rules that are not stated are those of `USUAL`.

    >>> from decimal import Decimal
    >>> rules = Rules(base=Decimal("0.5"), responsibility="half")
    >>> [str(points) for points in gains(ev.Win(0, target=3, fan=0), rules)]
    ['1', '-1/4', '-1/4', '-1/2']
    """
    base = _base(rules)
    if base is None:
        return None
    if isinstance(result, ev.Ryukyoku) and result.reason != CHOMBO:
        return (Fraction(0),) * seats
    form, winner, blamed = form_of(result)
    most = USUAL.max_faan if rules.max_faan is UNSET else rules.max_faan
    faan = most if isinstance(result, ev.Ryukyoku) else result.fan
    if faan is UNSET or not 0 <= faan <= MOST_FAAN or (form == "false win" and blamed is None):
        return None
    times = multiplier(faan, rules.growth or "half", rules.multipliers or ())
    gained, lost, other = _moved(base, times, SHARES[form, rules.responsibility or "full"])
    by_seat = {winner: gained, blamed: lost}
    return tuple([by_seat.get(seat, other) for seat in range(seats)])


# A file repeats the same few results, and products of fractions are slow.
@lru_cache(maxsize=1 << 10)
def _moved(base: Fraction, times: int, shares: Shares) -> tuple[Fraction, ...]:
    """Return the points of these shares of `times` the base."""
    half = base * times / 2
    return tuple([half * share for share in shares])


# A record has one set of rules, or a few.
@lru_cache(maxsize=1 << 6)
def _base(rules: Rules) -> Fraction | None:
    base = rules.base
    if base is UNSET or not base.is_finite():
        return None
    exponent = base.as_tuple().exponent
    if abs(base.adjusted()) > _MOST_DIGITS or not isinstance(exponent, int) or abs(exponent) > _MOST_DIGITS:
        return None
    return Fraction(base)


def form_of(result: ev.Win | ev.Ryukyoku) -> tuple[Form, int | None, int | None]:
    """Return the form of a result that is no draw, the winner, and the player to blame.

    >>> form_of(ev.Win(0, 2, liable=3)), form_of(ev.Win(0, 0, liable=3))
    (('discard', 0, 2), ('self-draw-guarantee', 0, 3))
    """
    if isinstance(result, ev.Ryukyoku):
        return "false win", None, None if result.actor is UNSET else result.actor
    liable = None if result.liable is UNSET or result.liable == result.actor else result.liable
    if result.target is UNSET and liable is not None:
        return "discard-guarantee", result.actor, liable
    if result.giver == result.actor:
        return ("self-drawn" if liable is None else "self-draw-guarantee"), result.actor, liable
    return "discard", result.actor, result.giver


def with_points(match: Match, step: int = 1) -> tuple[Match, int]:
    """Return the match with the points of its results filled in by HK rules, and their scale.

    The scale is the smallest power of ten that makes every gain a multiple of `step`, the smallest unit of the
    target. The points are multiplied by it. Scores start at 0. A round known only by its result gets a deal and an
    end. A round that states points or scores, or has no HK rules, stays unchanged. If all rounds do, the match
    itself is returned.

    >>> from decimal import Decimal
    >>> match = Match(rounds=[Round([ev.Win(0, target=0, fan=1)])], rules=Rules(base=Decimal("0.5")))
    >>> scored, scale = with_points(match)
    >>> scored.rounds[0].events[0].scores, scored.rounds[0].events[1].deltas, scale
    ((0, 0, 0, 0), (3, -1, -1, -1), 1)
    """
    seats = match.seats
    gained = [_gained(game_round, match, seats) for game_round in match.rounds]
    if not any(gained):
        return match, 1
    scale = _scale((points for gain in gained if gain for points in gain), step)
    rounds: list[Round] = []
    scores: tuple[int, ...] | None = (0,) * seats
    for game_round, gain in zip(match.rounds, gained, strict=True):
        if gain is None:
            # From here on the scores of the players are not known.
            scores = None
            rounds.append(game_round)
            continue
        deltas = tuple([points.numerator * scale // points.denominator for points in gain])
        rounds.append(structs.replace(game_round, events=_with_deltas(game_round, deltas, scores)))
        scores = None if scores is None else tuple(a + b for a, b in zip(scores, deltas, strict=True))
    return structs.replace(match, rounds=rounds), scale


def _gained(game_round: Round, match: Match, seats: int) -> tuple[Fraction, ...] | None:
    """Return the points of the only result of a round with HK rules that states no points itself."""
    rules = match.rules_of(game_round)
    start = game_round.start
    if rules is UNSET or (start is not None and start.scores is not UNSET):
        return None
    results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
    if len(results) != 1:
        return None
    [result] = results
    if result.deltas is not UNSET or result.scores is not UNSET or game_round.scores_after is not UNSET:
        return None
    return gains(result, rules, seats)


def _scale(points: Iterable[Fraction], step: int) -> int:
    scale = 1
    for number in points:
        while number.numerator * scale % (number.denominator * step):
            scale *= 10
    return scale


def _with_deltas(game_round: Round, deltas: tuple[int, ...], scores: tuple[int, ...] | None) -> list[ev.Event]:
    known = UNSET if scores is None else scores
    events: list[ev.Event] = [] if game_round.start is not None else [ev.StartRound(scores=known)]
    for event in game_round.events:
        filled: ev.Event = event
        if isinstance(event, ev.StartRound):
            filled = structs.replace(event, scores=known)
        elif isinstance(event, (ev.Win, ev.Ryukyoku)):
            filled = structs.replace(event, deltas=deltas)
        events.append(filled)
    if len(game_round.events) == 1:
        events.append(ev.EndRound())
    return events
