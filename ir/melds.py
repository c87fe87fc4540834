"""Checks which tiles make a run, which are of one kind, and which join a pon. A hidden tile may be any tile."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, cast

from mjconv.ir.events import CALLS, Ankan, Event, Kakan, Nukidora, name_of
from mjconv.ir.match import Meld
from mjconv.ir.tiles import HIDDEN, SUITS, TILES, ZERO, Tile, plain, sorted_tiles

#: The ranks of the tiles of suits. The zero belongs to every suit.
_RANK: Final = {tile: int(tile[:-1]) for tile in TILES if tile[-1] in SUITS} | {ZERO: 0}
_UNRANKED: Final = -1
#: All games together have some thousand different calls: each is checked once.
_MOST_CALLS: Final = 1 << 12


@lru_cache(_MOST_CALLS)
def is_run(tiles: tuple[Tile, ...]) -> bool:
    """Return whether the tiles, in any order, make a run.

    >>> is_run(("5mr", "4m", "6m")), is_run(("4m", "5p", "6m")), is_run(("?", "8s", "9s"))
    (True, False, True)
    """
    known = [plain(tile) for tile in tiles if tile != HIDDEN]
    ranks = sorted(_RANK.get(tile, _UNRANKED) for tile in known)
    if len({tile[-1] for tile in known if tile != ZERO}) > 1 or ranks[:1] == [_UNRANKED]:
        return False
    return len(set(ranks)) == len(ranks) and (not ranks or ranks[-1] - ranks[0] < len(tiles))


@lru_cache(_MOST_CALLS)
def are_alike(tiles: tuple[Tile, ...]) -> bool:
    """Return whether the tiles are of one kind. A red five and a plain five are of one kind.

    >>> are_alike(("5mr", "5m", "?")), are_alike(("E", "E", "S"))
    (True, False)
    """
    return len({plain(tile) for tile in tiles} - {HIDDEN}) <= 1


def index_of_pon(melds: Sequence[Meld], tile: Tile) -> int | None:
    """Return the index of the first pon to which the tile can be added for a kakan; None if there is none.

    >>> index_of_pon([Meld("chi", ("4p", "6p"), "5p", 1), Meld("pon", ("5p", "5p"), "5pr", 0)], "5p")
    1
    """
    kind = plain(tile)
    for index, meld in enumerate(melds):
        if meld.kind == "pon" and plain(meld.called or meld.own[0]) == kind:
            return index
    return None


def event_of(meld: Meld, actor: int) -> Event:
    """Return the event of a call of a player.

    >>> event_of(Meld("kakan", ("5m", "5m"), "5mr", 2, "5m"), 0)
    Kakan(actor=0, pai='5m', consumed=('5m', '5m', '5mr'))
    """
    own: Any = meld.own
    if meld.kind in CALLS:
        return cast(Event, CALLS[meld.kind](actor, meld.target, meld.called, own))
    if meld.kind == "ankan":
        return Ankan(actor, own)
    if meld.kind == "nukidora":
        return Nukidora(actor, own[0])
    return Kakan(actor, meld.added or HIDDEN, tuple(sorted_tiles((*own, meld.called or HIDDEN))))


def meld_of(event: Any, melds: Sequence[Meld]) -> Meld:
    """Return the call of an event. `melds` are the calls of its player after it, which show the pon of a kakan.

    >>> meld_of(Kakan(0, "5m", ("5m", "5m", "5mr")), [Meld("kakan", ("5m", "5m"), "5mr", 2, "5m")]).target
    2
    """
    if type(event) is Kakan:
        return next(meld for meld in melds if meld.added == event.pai)
    if type(event) is Ankan:
        return Meld("ankan", event.consumed)
    if type(event) is Nukidora:
        return Meld("nukidora", (event.tile,))
    kind: Any = name_of(event)
    return Meld(kind, event.consumed, event.pai, event.target)


def could_take(called: Tile, consumed: Sequence[Tile], tile: Tile) -> bool:
    """Return whether the tiles of the hand that took a tile could have taken this one: kuikae forbids it.

    >>> [could_take("3p", ("4p", "5pr"), tile) for tile in ("3p", "6p", "7p")]
    [True, True, False]
    """
    return plain(tile) == plain(called) or (HIDDEN not in consumed and is_run((tile, *consumed)))
