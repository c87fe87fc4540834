"""The results of a game, and the hub's events of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import UNSET, UnsetType

from mjconv.converters.hk.lines import SEATS, GameResult
from mjconv.ir import events as ev
from mjconv.ir.vocabulary import CHOMBO


# Events never change, and many lines have the same results.
@lru_cache(8192)
def event_of(result: GameResult) -> ev.Win | ev.Ryukyoku:
    """Return the event that the results of a game mean.

    >>> event_of(GameResult(2, 6, 3, "D")), event_of(GameResult(blamed=3, blame="f"))
    (Win(actor=2, fan=6, liable=3), Ryukyoku(reason='chombo', actor=3))
    """
    if result.winner is None:
        return ev.Ryukyoku() if result.blamed is None else ev.Ryukyoku(reason=CHOMBO, actor=result.blamed)
    blamed = UNSET if result.blamed is None else result.blamed
    targets: dict[str, int | UnsetType] = {"d": blamed, "D": UNSET}
    target = targets.get(result.blame, result.winner)
    return ev.Win(result.winner, target, fan=result.faan, liable=blamed if result.blame in ("D", "S") else UNSET)


def nearest(wins: Sequence[ev.Win]) -> ev.Win:
    """Return the win that counts by HK custom: the win of the first player in turn after the discarder.

    >>> nearest([ev.Win(3, target=0), ev.Win(1, target=0)]).actor
    1
    """
    return min(wins, key=lambda win: 0 if win.target is UNSET else (win.actor - win.target) % SEATS)


def seats_of(event: ev.Win | ev.Ryukyoku) -> list[int]:
    """Return the seats that an event names."""
    named = (event.actor, event.target, event.liable) if isinstance(event, ev.Win) else (event.actor,)
    return [seat for seat in named if seat is not UNSET]


def result_of(event: ev.Win | ev.Ryukyoku, faan: int, *, guarantors: bool) -> GameResult:
    """Return the results that an event means: with the winner's `faan`, and a mark for `guarantors` of a discard.

    A known discarder is to blame, whoever else is liable. A false win by nobody is a draw.

    >>> str(result_of(ev.Win(1, target=2, liable=3), 4, guarantors=True))
    '- 4 d -'
    """
    if isinstance(event, ev.Ryukyoku):
        false = event.reason == CHOMBO and event.actor is not UNSET
        return GameResult(blamed=event.actor or 0, blame="f") if false else GameResult()
    if event.target is not UNSET and event.target != event.actor:
        return GameResult(event.actor, faan, event.target, "d")
    if event.liable is UNSET or event.liable == event.actor:
        return GameResult(event.actor, faan)
    if event.target is not UNSET:
        return GameResult(event.actor, faan, event.liable, "S")
    return GameResult(event.actor, faan, event.liable, "D" if guarantors else "d")
