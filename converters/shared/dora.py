"""Puts the dora that kans turn at their places among the events.

Some notations list the dora of a round, without the moment at which each was turned.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from mjconv.ir import events as ev
from mjconv.ir.tiles import Tile

#: When the dora of a kakan or daiminkan is turned. Programs differ.
Custom: TypeAlias = Literal["before-discard", "after-reach", "after-discard"]
CUSTOMS: Final[tuple[Custom, ...]] = ("before-discard", "after-reach", "after-discard")

#: By custom: the events before which, and after which, the dora of earlier open kans are turned.
_BEFORE: Final[dict[Custom, frozenset[type]]] = {
    "before-discard": frozenset({ev.Riichi, ev.Discard, ev.Ankan}),
    "after-reach": frozenset({ev.Discard, ev.Ankan}),
    "after-discard": frozenset(),
}
_AFTER: Final[dict[Custom, frozenset[type]]] = {
    "before-discard": frozenset({ev.Kakan, ev.Daiminkan}),
    "after-reach": frozenset({ev.Kakan, ev.Daiminkan}),
    "after-discard": frozenset({ev.Discard, ev.Daiminkan}),
}


def with_dora(events: list[ev.Event], dora: Sequence[Tile], custom: Custom) -> list[ev.Event]:
    """Return the events of a round with a `Dora` for each of these indicators, in order.

    `dora` are the indicators without the first one, which the deal has. The dora of an ankan is turned at once,
    the dora of another kan by `custom`. The dora that are left when play ends are turned before the result.

    >>> kan, discard = ev.Ankan(0, ("1m",) * 4), ev.Discard(0, "9p", tsumogiri=True)
    >>> with_dora([kan, discard], ["E"], "before-discard")[1]
    Dora(dora_marker='E')
    """
    return list(_with_dora(events, [ev.Dora(tile) for tile in dora], custom)) if dora else events


def custom_of(source: Sequence[ev.Event], turned: Callable[[Custom], Sequence[ev.Event]]) -> Custom:
    """Return the custom that has the dora where the source has them; the first one if none has.

    `turned` returns the events of the round with the dora that are turned by a custom.
    """
    wanted = _places(source)
    return next((custom for custom in CUSTOMS if _places(turned(custom)) == wanted), CUSTOMS[0])


def _places(events: Sequence[ev.Event]) -> list[int]:
    return [index for index, event in enumerate(events) if type(event) is ev.Dora]


def _with_dora(events: list[ev.Event], left: list[ev.Dora], custom: Custom) -> Iterator[ev.Event]:
    def turn(count: int) -> list[ev.Dora]:
        turned, left[:count] = left[:count], []
        return turned

    before, after = _BEFORE[custom], _AFTER[custom]
    owed = 0
    for event in events:
        kind = type(event)
        if kind in ev.RESULTS:
            yield from turn(len(left))
        elif owed and kind in before:
            yield from turn(owed)
            owed = 0
        yield event
        if owed and kind in after:
            yield from turn(owed)
            owed = 0
        if kind is ev.Ankan:
            yield from turn(1)
        elif kind in ev.OPEN_KANS:
            owed += 1
