"""Reads calls, kans and norths: their events, and the fields that the writer would not write."""

from __future__ import annotations

from typing import Any, Final

from mjconv.converters.majsoul.extras import Fields
from mjconv.converters.majsoul.records import AnGangAddGang, BaBei, ChiPengGang, FieldError
from mjconv.converters.majsoul.state import State
from mjconv.converters.majsoul.tiles import TILE_OF
from mjconv.ir import events as ev
from mjconv.ir.tiles import plain

_NORTH: Final = "N"
#: The calls by their numbers, and the words of wins for them.
_KINDS: Final[tuple[Any, ...]] = (ev.Chi, ev.Pon, ev.Daiminkan)
_WORDS: Final = ("shunzi", "kezi", "minggang")
_OPEN_KAN: Final = 2
_CONCEALED: Final = 3
_ALIKE: Final = 4


def read_call(record: ChiPengGang, state: State, kept: Fields) -> ev.Event:
    """Return the call of a discard. Raises `FieldError`."""
    if len(record.tiles) != len(record.froms):
        raise FieldError("tiles and froms have different lengths", "froms")
    if len(record.tiles) != (4 if record.type == _OPEN_KAN else 3):
        raise FieldError(f"{len(record.tiles)} tiles make no call of type {record.type}", "tiles")
    places = [place for place, whose in enumerate(record.froms) if whose != record.seat]
    if len(places) != 1:
        raise FieldError(f"froms is {list(record.froms)}: expected one tile of another player", "froms")
    at = places[0]
    target = state.checked(record.froms[at])
    if at != len(record.tiles) - 1:
        kept |= {"tiles": list(record.tiles), "froms": list(record.froms)}
    tiles = [TILE_OF[tile] for tile in record.tiles]
    called = tiles.pop(at)
    state.call(record.seat, _WORDS[record.type], tiles, called)
    event: ev.Event = _KINDS[record.type](record.seat, target, called, tuple(tiles))
    return event


def read_kan(record: AnGangAddGang, state: State, kept: Fields) -> ev.Event:
    """Return the concealed or added kan. Raises `FieldError`."""
    seat = record.seat
    tile = TILE_OF[record.tiles]
    if record.type != _CONCEALED:
        pon = state.add(seat, tile)
        if not pon:
            raise FieldError(f"the player has no pon that {record.tiles} can join", "tiles")
        return ev.Kakan(seat, tile, pon)
    four = state.four_of(seat, tile)
    if len(four) < _ALIKE:
        raise FieldError(f"the player holds {len(four)} tiles of {record.tiles}: a kan needs four", "tiles")
    if tile != plain(tile):
        kept["tiles"] = record.tiles
    state.conceal(seat, four)
    return ev.Ankan(seat, four)


def read_north(record: BaBei, state: State, kept: Fields) -> ev.Event:
    """Return the north that is set aside."""
    if record.moqie != (state.drawn == _NORTH):
        kept["moqie"] = record.moqie
    state.set_aside(record.seat, _NORTH)
    return ev.Nukidora(record.seat, _NORTH)
