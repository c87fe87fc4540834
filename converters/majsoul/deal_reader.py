"""Reads the deal of a round: the hands, the dora indicators, and the wall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.majsoul.extras import Fields
from mjconv.converters.majsoul.records import FIELDS, FieldError, NewRound, convert, differing, trimmed
from mjconv.converters.majsoul.state import State
from mjconv.converters.majsoul.tiles import DRAWS, TILE_OF
from mjconv.converters.majsoul.wall import WHOLE, WallError, hash_of, is_sorted, read_wall, wall_fields
from mjconv.converters.shared.walls import HAND
from mjconv.ir import events as ev
from mjconv.ir.tiles import WINDS, Tile

_HASHED: Final = ("paishan", "md5", "sha256")
#: Reports a warning about a field of the record being read.
Warn = Callable[[str, str], None]


class Deal(NamedTuple):
    """The deal of a round: its events, round wind and wall. `fourteen`: the dealer's first draw is unknown."""

    events: list[ev.Event]
    wind: Tile
    wall: tuple[Tile, ...] | UnsetType
    fourteen: bool


def read_deal(
    data: Fields, warn: Warn, *, walls: bool, whole_walls: bool, extras: bool
) -> tuple[Deal, State, Fields]:
    """Return the deal of a record, the state after it, and the fields to keep. Raises `FieldError`.

    If `walls` are read and not `whole_walls`, a wall that is stated is empty. Without `extras`, only some of these
    fields are returned.
    """
    record = convert(data, NewRound)
    seats = len(record.scores)
    if seats not in WHOLE:
        raise FieldError(f"there are {seats} scores: expected those of three or four players", "scores")
    oya = record.ju
    if oya >= seats:
        raise FieldError(f"ju is {oya}, and the game has {seats} players", "ju")
    hands = [_hand(record, seat) for seat in range(seats)]
    doras = record.doras or record.dora_indicators or tuple(filter(None, (record.dora, record.dora_marker)))
    indicators = [TILE_OF[tile] for tile in doras]
    honba = record.ben or record.honba
    wind = WINDS[record.chang]
    dealt = tuple([hand[:HAND] for hand in hands])
    state = State(oya, honba, record.liqibang, record.scores, dealt)
    marker = indicators[0] if indicators else UNSET
    events: list[ev.Event] = [
        ev.StartRound(wind, marker, oya + 1, honba, record.liqibang, oya, record.scores, dealt)
    ]
    events += [ev.Dora(tile) for tile in indicators[1:]]
    state.doras = indicators
    first = hands[oya][HAND:]
    fourteen = False
    if first:
        # Old records have the wall without the dealt tiles. They have the hands in order.
        rest = bool(record.paishan or record.md5) and len(record.paishan) != 2 * WHOLE[seats]
        fourteen = rest and is_sorted(hands[oya])
        events.append(DRAWS[oya][getattr(record, f"tiles{oya}")[HAND]])
        state.draw(oya, first[0])
    stated = trimmed(data) if extras else {}
    kept = {key: value for key, value in stated.items() if key not in FIELDS["NewRound"]}
    if record.left_tile_count is not UNSET and record.left_tile_count != state.left:
        kept["left_tile_count"] = state.left = record.left_tile_count
    wall: tuple[Tile, ...] | UnsetType = UNSET
    if record.paishan:
        _check_hash(record, warn)
        if walls:
            wall = _wall(record, hands, warn) if whole_walls else ()
    if extras and (walls or not record.paishan):
        kept |= _others_of_wall(record, wall, seats, rest=fourteen)
    if record.salt:
        kept["salt"] = record.salt
    return Deal(events, wind, wall, fourteen), state, kept


def _hand(record: NewRound, seat: int) -> tuple[Tile, ...]:
    name = f"tiles{seat}"
    spelling = getattr(record, name)
    if len(spelling) != HAND and not (seat == record.ju and len(spelling) == HAND + 1):
        raise FieldError(f"a hand has {len(spelling)} tiles: expected 13, or 14 of the dealer", name)
    return tuple([TILE_OF[tile] for tile in spelling])


def _check_hash(record: NewRound, warn: Warn) -> None:
    name, expected = hash_of(record.paishan)
    found = getattr(record, name)
    if found and found.lower() != expected and not record.salt:
        warn(f"the {name} of the wall is wrong: that of paishan is {expected}", name)


def _wall(record: NewRound, hands: Sequence[Sequence[Tile]], warn: Warn) -> tuple[Tile, ...] | UnsetType:
    try:
        return read_wall(record.paishan, hands, record.ju)
    except WallError as error:
        warn(f"{error}. The wall was kept as it is", "paishan")
        return UNSET


def _others_of_wall(record: NewRound, wall: tuple[Tile, ...] | UnsetType, seats: int, *, rest: bool) -> Fields:
    """Return the fields of the wall that the writer would not write."""
    stated = {name: getattr(record, name) for name in _HASHED if getattr(record, name)}
    if wall is UNSET:
        return stated
    return differing(stated, wall_fields(wall, seats, rest=rest))
