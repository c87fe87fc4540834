"""The number that states a call in mjlog: its kind, its tiles, the called tile, and who gave it."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from mjconv.converters.shared.tile_numbers import TILES
from mjconv.ir import events as ev
from mjconv.ir import melds
from mjconv.ir.match import USUAL_SEATS, Meld, MeldKind
from mjconv.ir.tiles import Tile, sorted_tiles

_CHI: Final = 0x4
_PON: Final = 0x8
_KAKAN: Final = 0x10
_KITA: Final = 0x20
_SIDE: Final = 0x3
#: The runs of one suit, and the kinds of tiles of one suit.
_RUNS: Final = 7
_RANKS: Final = 9
_RUN_KINDS: Final = 3 * _RUNS
_KINDS: Final = TILES // 4


class NumberedCall(NamedTuple):
    """A call: its kind, the tiles of the caller, the tile that was called or added, and how far the giver sits.

    `giver` is 1 for the next player, 2 for the one opposite, 3 for the one before, 0 for the caller. `own` are the
    tiles of the caller's hand that the call lays down; for a kakan, the tiles of its pon, the called tile first.
    `tile` is the called tile, the tile that a kakan adds, the tile that an ankan names, or the north set aside.
    """

    kind: MeldKind
    own: tuple[int, ...]
    tile: int
    giver: int


@lru_cache(4096)
def decode(code: int) -> NumberedCall | None:
    """Return the call that a number states, or None where it states none.

    >>> decode(50763)
    NumberedCall(kind='pon', own=(133, 135), tile=132, giver=3)
    """
    giver = code & _SIDE
    if code < 0:
        return None
    if code & _CHI:
        run, called = divmod(code >> 10, 3)
        if run >= _RUN_KINDS or giver != 3:
            return None
        lowest = run // _RUNS * _RANKS + run % _RUNS
        tiles = [4 * (lowest + place) + (code >> 3 + 2 * place & 3) for place in range(3)]
        tile = tiles.pop(called)
        return NumberedCall("chi", tuple(tiles), tile, giver)
    if code & (_PON | _KAKAN):
        kind, called = divmod(code >> 9, 3)
        if kind >= _KINDS or not giver:
            return None
        absent = code >> 5 & 3
        three = [4 * kind + copy for copy in range(4) if copy != absent]
        tile = three.pop(called)
        if code & _PON:
            return NumberedCall("pon", tuple(three), tile, giver)
        return NumberedCall("kakan", (tile, *three), 4 * kind + absent, giver)
    tile = code >> 8
    if tile >= TILES:
        return None
    if code & _KITA:
        return NumberedCall("nukidora", (tile,), tile, 0)
    four = range(tile & ~3, (tile & ~3) + 4)
    if giver:
        return NumberedCall("daiminkan", tuple(each for each in four if each != tile), tile, giver)
    return NumberedCall("ankan", tuple(four), tile, 0)


def event_of(call: NumberedCall, actor: int, spelled: Sequence[Tile]) -> ev.Event:
    """Return the event of a call. `spelled` has the tile of each number.

    >>> event_of(NumberedCall("pon", (1, 2), 0, 3), 1, ["1m"] * 4)
    Pon(actor=1, target=0, pai='1m', consumed=('1m', '1m'))
    """
    own = tuple(sorted_tiles([spelled[tile] for tile in call.own]))
    if call.kind == "kakan":
        return ev.Kakan(actor, spelled[call.tile], own)
    return melds.event_of(Meld(call.kind, own, spelled[call.tile], (actor + call.giver) % USUAL_SEATS), actor)


def add_call(calls: list[NumberedCall], event: Any, take: Callable[[Tile], int], last: int) -> NumberedCall:
    """Add the call of an event to the calls of its player, and return it. A kakan takes the place of its pon.

    `take` takes a tile out of the player's hand, and returns its number. `last` is the number of the discard.

    >>> calls = [NumberedCall("pon", (1, 2), 0, 3)]
    >>> add_call(calls, ev.Kakan(1, "1m", ("1m",) * 3), lambda tile: 3, -1), len(calls)
    (NumberedCall(kind='kakan', own=(0, 1, 2), tile=3, giver=3), 1)
    """
    if type(event) is ev.Kakan:
        added = take(event.pai)
        index = next(i for i, call in enumerate(calls) if call.kind == "pon" and call.tile // 4 == added // 4)
        pon = calls.pop(index)
        call = NumberedCall("kakan", (pon.tile, *pon.own), added, pon.giver)
        calls.insert(index, call)
        return call
    consumed = ("N",) if type(event) is ev.Nukidora else sorted_tiles(event.consumed)
    own, kind = tuple([take(tile) for tile in consumed]), ev.name_of(event)
    from_discard = kind in ev.CALLS
    giver = (event.target - event.actor) % USUAL_SEATS if from_discard else 0
    calls.append(NumberedCall(kind, own, last if from_discard else min(own), giver))  # type: ignore[arg-type]
    return calls[-1]


def encode(call: NumberedCall) -> int:
    """Return the number that states a call.

    >>> encode(NumberedCall("pon", (133, 135), 132, 3)), encode(NumberedCall("nukidora", (120,), 120, 0))
    (50763, 30752)
    """
    kind, own, tile, giver = call
    if kind == "chi":
        tiles = sorted((*own, tile))
        lowest = tiles[0] // 4
        run = lowest // _RANKS * _RUNS + lowest % _RANKS
        copies = sum((each & 3) << 3 + 2 * place for place, each in enumerate(tiles))
        return (3 * run + tiles.index(tile)) << 10 | copies | _CHI | giver
    if kind in ("pon", "kakan"):
        called, others = (tile, own) if kind == "pon" else (own[0], own[1:])
        three = sorted((*others, called))
        absent = tile & 3 if kind == "kakan" else 6 - sum(each & 3 for each in three)
        bit = _PON if kind == "pon" else _KAKAN
        return (3 * (tile // 4) + three.index(called)) << 9 | absent << 5 | bit | giver
    return tile << 8 | (_KITA if kind == "nukidora" else 0) | giver
