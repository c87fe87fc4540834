"""Decodes events of games beyond mjai from JSON: with more tiles, and up to six seats."""

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, structs

from mjconv.ir.events import MOST_SEATS, Event, Kyoku, Message, Seat, from_message
from mjconv.ir.tiles import AnyTile, Tile


def from_wide_message(message: Mapping[str, Any], seats: int = MOST_SEATS) -> Event:
    """Make an event from a message as `mjconv.ir.events.from_message` does, with any tile and `seats` players.

    Raises `msgspec.ValidationError` for an unknown kind, and for a missing or a wrong value.

    >>> from_wide_message({"type": "tsumo", "actor": 5, "pai": "16m"})
    Draw(actor=5, pai='16m')
    """
    return from_message(message, lambda known, kind: _convert(known, kind, seats))


def _convert(known: dict[str, Any], kind: type[Message], seats: int) -> Message:
    """Make an event by means of a copy of its class that allows more tiles and seats."""
    if (kind, seats) not in _WIDE:
        infos = structs.fields(kind)
        hints = get_type_hints(kind, include_extras=True)
        fields = [
            (info.encode_name, _widened(hints[info.name], seats), msgspec.field(default=info.default))
            for info in infos
            if info.name != "extras"
        ]
        name = f"Wide{kind.__name__}"
        wide = msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True)
        _WIDE[kind, seats] = wide, {info.encode_name: info.name for info in infos}
    wide, names = _WIDE[kind, seats]
    values = structs.asdict(msgspec.convert(known, wide))
    return kind(**{names[key]: value for key, value in values.items()})


#: The copies made so far, each with the names of its fields by their keys.
_WIDE: dict[tuple[type[Message], int], tuple[type[Any], dict[str, str]]] = {}


def _widened(hint: Any, seats: int) -> Any:
    """Return a type with any tile and `seats` players in place of the tiles and seats of mjai."""
    if hint == Tile:
        return AnyTile
    if hint == Seat:
        return Annotated[int, Meta(ge=0, le=seats - 1)]
    if hint == Kyoku:
        return Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    hint = getattr(hint, "__supertype__", hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        inner, *metas = arguments
        per_seat = Meta(min_length=3, max_length=4)
        wider = [Meta(min_length=3, max_length=seats) if meta == per_seat else meta for meta in metas]
        return Annotated[(_widened(inner, seats), *wider)]
    if origin is tuple:
        return tuple[tuple(_widened(part, seats) for part in arguments)]  # type: ignore[misc]
    if origin is UnionType or origin is Union:
        return Union[tuple(_widened(part, seats) for part in arguments)]  # noqa: UP007 - of parts made here
    return hint
