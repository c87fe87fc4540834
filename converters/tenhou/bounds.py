"""The largest numbers of mjlog: the reader refuses larger ones, and the writer does not write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mjconv.ir import events as ev

MOST_FU: Final = 200
MOST_HAN: Final = 200
#: Counters of honba, and riichi sticks on the table.
MOST_COUNT: Final = 100_000
#: The points of one player, and of a gain or a loss.
MOST_POINTS: Final = ev.MOST_POINTS
#: The points of a player after uma. The first has what all others lose.
MOST_RESULT: Final = 4 * MOST_POINTS + 1_000_000
#: The points of a hand.
MOST_WON: Final = 10_000_000
#: Two such numbers have a difference within the limit.
_USUAL_POINTS: Final = MOST_POINTS // 2
_WITH_POINTS: Final = frozenset({ev.StartRound, ev.RiichiAccepted, ev.Win, ev.Ryukyoku})


def too_large(events: Iterable[ev.Event]) -> str | None:
    """Return which number of a round mjlog cannot hold, or None.

    >>> too_large([ev.StartRound(honba=100_001)])
    'the honba is 100001: mjlog holds at most 100000'
    >>> too_large([ev.StartRound(scores=(25000, 25000, 25000, 25000))]) is None
    True
    """
    for event in events:
        if type(event) in _WITH_POINTS and not _has_usual_numbers(event):
            for name, number, most in _numbers(event):
                if abs(number) > most:
                    return f"the {name} is {number}: mjlog holds at most {most}"
    return None


def _has_usual_numbers(event: ev.Event) -> bool:
    """Return whether the numbers of an event are far from the limits. This is fast, and finds no win."""
    points = (*(getattr(event, "scores", None) or ()), *(getattr(event, "deltas", None) or ()))
    if points and not -_USUAL_POINTS <= min(points) <= max(points) <= _USUAL_POINTS:
        return False
    if isinstance(event, ev.StartRound):
        return 0 <= (event.honba or 0) <= MOST_COUNT and 0 <= (event.kyotaku or 0) <= MOST_COUNT
    return not isinstance(event, ev.Win)


def _numbers(event: ev.Event) -> Iterator[tuple[str, int, int]]:
    scores: tuple[int, ...] = getattr(event, "scores", None) or ()
    deltas: tuple[int, ...] = getattr(event, "deltas", None) or ()
    for score in scores:
        yield "score of a player", score, MOST_POINTS
    for score, delta in zip(scores, deltas, strict=False):
        yield "score of a player before a result", score - delta, MOST_POINTS
    for delta in deltas:
        yield "gain of a player", delta, MOST_POINTS
    if isinstance(event, ev.StartRound):
        yield "honba", event.honba or 0, MOST_COUNT
        yield "number of riichi sticks", event.kyotaku or 0, MOST_COUNT
    elif isinstance(event, ev.Win):
        yield "fu of a win", event.fu or 0, MOST_FU
        yield "value of a win in points", event.hora_points or 0, MOST_WON
        for _, han in event.yakus or ():
            yield "value of a yaku in han", han, MOST_HAN
