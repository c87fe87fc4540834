"""The table as a viewer draws it, and the changes from one state to the next.

A state holds all that a viewer shows, so a viewer needs no rule of mahjong. `changes` compares two states and
returns assignments of JSON values, which a program in any language can apply.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from mjconv.ir.tiles import Tile

#: The place of a winning tile: in a river (seat, index), the drawn tile (seat), in a meld or aside (seat, index).
WinningPlace: TypeAlias = tuple[Literal["river", "meld", "aside"], int, int] | tuple[Literal["drawn"], int]
#: An assignment: the path of a value in the state, such as ``river.2.7``, and the new value.
Change: TypeAlias = tuple[str, Any]

#: The states of a riichi, as `TableState.riichi` has them: none, declared, and its stick is paid.
STICK_PAID: Final = 2


class StatePart(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True, gc=False):
    """Base of the parts of a state."""


class RiverTile(StatePart, frozen=True):
    """A discard as it lies in the river.

    `drawn`: whether it was discarded as drawn; absent if the record does not state it. `riichi`: it lies sideways.
    `taken` is the seat that called it.
    """

    tile: Tile
    drawn: bool | UnsetType = UNSET
    riichi: bool = False
    taken: int | UnsetType = UNSET


class MeldTile(StatePart, frozen=True):
    """A tile of a meld: `turned` sideways (the called tile), or face `down`. `on` is the tile on top of it."""

    tile: Tile
    turned: bool = False
    down: bool = False
    on: Tile | UnsetType = UNSET


class LaidMeld(StatePart, frozen=True, rename={"source": "from"}):
    """A meld, its tiles from left to right as they lie. `source` is the seat whose discard was called.

    The key of `source` in JSON is ``from``.
    """

    kind: str
    tiles: tuple[MeldTile, ...]
    source: int | UnsetType = UNSET


class TableState(Struct, frozen=True, gc=False):
    """The table after a step. All tuples are by seat unless stated.

    | field | value |
    | --- | --- |
    | `hands` | the concealed tiles, sorted, joined by spaces, without the tile just drawn |
    | `drawn` | the tile just drawn, or None |
    | `open` | whether the hand lies open for everyone |
    | `melds` | the melds, the oldest first |
    | `aside` | the norths and flowers set aside |
    | `river` | the discards |
    | `riichi` | 0, 1 declared, 2 its stick is paid |
    | `points`, `gain` | the points, None if not known, and how they moved at this step |
    | `turn` | the seat whose turn it is |
    | `last` | seat and index of the last discard, or None |
    | `win` | the places of winning tiles |
    | `dora`, `ura` | the places of the indicators: a tile, or None for one that is face down |
    | `sticks`, `honba` | riichi sticks on the table, and the honba |
    | `left` | the number of tiles that can still be drawn, None if not known |
    | `results` | the number of results of the round that are known |
    """

    hands: tuple[str, ...]
    drawn: tuple[Tile | None, ...]
    open: tuple[bool, ...]
    melds: tuple[tuple[LaidMeld, ...], ...]
    aside: tuple[tuple[Tile, ...], ...]
    river: tuple[tuple[RiverTile, ...], ...]
    riichi: tuple[int, ...]
    points: tuple[int | None, ...]
    gain: tuple[int, ...]
    turn: int
    last: tuple[int, int] | None = None
    win: tuple[WinningPlace, ...] = ()
    dora: tuple[Tile | None, ...] = ()
    ura: tuple[Tile | None, ...] = ()
    sticks: int = 0
    honba: int = 0
    left: int | None = None
    results: int = 0


def shown_tiles(state: TableState) -> Iterator[Tile]:
    """Yield the tiles of hands, melds, rivers and indicators, those drawn and those set aside, hidden ones too."""
    for hand in state.hands:
        yield from hand.split()
    for river in state.river:
        yield from (tile.tile for tile in river)
    for laid in state.melds:
        yield from (each for meld in laid for tile in meld.tiles for each in (tile.tile, tile.on) if each)
    for tiles in (state.drawn, state.dora, state.ura, *state.aside):
        yield from (tile for tile in tiles if tile is not None)


def to_json(value: Any) -> Any:
    """Return a state, or a part of one, as a JSON value.

    >>> to_json((RiverTile("9m", drawn=True), None))
    [{'tile': '9m', 'drawn': True}, None]
    """
    if value is None or isinstance(value, str | int):
        return value
    return msgspec.json.decode(msgspec.json.encode(value))


def changes(before: TableState, after: TableState) -> list[Change]:
    """Return the assignments that turn the JSON value of one state into that of the next.

    An assignment at the length of a list appends. A list that became shorter is assigned as a whole.

    >>> none = ((), ())
    >>> state = TableState(("1m", "?"), ("2m", None), (False, False), none, none, none, (0, 0), (0, 0), (0, 0), 0)
    >>> river = ((RiverTile("2m", drawn=True),), ())
    >>> changes(state, msgspec.structs.replace(state, drawn=(None, None), river=river, last=(0, 0)))
    [('drawn.0', None), ('river.0.0', {'tile': '2m', 'drawn': True}), ('last', [0, 0])]
    """
    found: list[Change] = []
    for name, old, new in zip(_FIELDS, astuple(before), astuple(after), strict=True):
        if old is new:
            continue
        if name in _LISTS:
            _note_changes(name, old, new, found)
        elif old != new:
            found.append((name, to_json(new)))
    return found


def _note_changes(path: str, old: tuple[Any, ...], new: tuple[Any, ...], found: list[Change]) -> None:
    """Add the assignments of the items of a tuple that changed."""
    if len(new) < len(old):
        found.append((path, to_json(new)))
        return
    begun = len(old)
    # Most items are the same objects, and a river mostly grows: comparing whole tuples is quick.
    if old != new[:begun]:
        for index, (before, value) in enumerate(zip(old, new, strict=False)):
            if before is value or before == value:
                continue
            if type(value) is tuple and type(before) is tuple:
                _note_changes(f"{path}.{index}", before, value, found)
            else:
                found.append((f"{path}.{index}", to_json(value)))
    if len(new) > begun:
        found += [(f"{path}.{index}", to_json(new[index])) for index in range(begun, len(new))]


_FIELDS: Final = TableState.__struct_fields__
#: The fields whose items change one by one.
_LISTS: Final = frozenset(
    {"hands", "drawn", "open", "melds", "aside", "river", "riichi", "points", "gain", "dora", "ura", "win"}
)
