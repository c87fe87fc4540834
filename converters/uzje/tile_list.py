"""From a round to the tile list of its game, and the tiles that Ùzje cannot write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from mjconv.converters.shared.walls import drawn_tiles, is_played_from, tiles_in_play
from mjconv.converters.uzje.game_errors import SpellingError
from mjconv.converters.uzje.tiles import UZJE
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, Tile

_TILES: Final = frozenset(UZJE)


def check_hands(hands: Sequence[Sequence[Tile]]) -> None:
    """Raise `SpellingError` if a hand has a tile that Ùzje cannot write."""
    if not all(map(_TILES.issuperset, hands)):
        wrong = next(tile for hand in hands for tile in hand if tile not in UZJE)
        raise SpellingError(_no_tile(wrong), 0)


def _no_tile(tile: Tile) -> str:
    if tile == HIDDEN:
        return "a hidden tile cannot be written: Ùzje shows every tile of the wall"
    return f"Ùzje has no tile {tile}"


def tile_list(wall: Sequence[Tile], hands: list[tuple[Tile, ...]], events: Sequence[ev.Event]) -> list[Tile]:
    """Return the whole wall if it is known and was played from, else the tiles that play shows."""
    drawn = drawn_tiles(events)
    if not (_TILES.issuperset(drawn.front) and _TILES.issuperset(drawn.back)):
        raise unwritable_tile(events)
    if _TILES.issuperset(wall) and is_played_from(wall, hands, drawn):
        return list(wall)
    return tiles_in_play(hands, drawn)


def unwritable_tile(events: Sequence[ev.Event]) -> SpellingError:
    """Return the error for the first tile that Ùzje cannot write."""
    for place, event in enumerate(events):
        for tile in (getattr(event, "pai", UNSET), *getattr(event, "consumed", ())):
            if tile is not UNSET and tile not in UZJE:
                return SpellingError(_no_tile(tile), place)
    raise AssertionError("only called where there is one")
