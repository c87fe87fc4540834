"""The fields of a state, as mjx writes them in JSON: a field that is zero or empty is absent.

A field that no class here names is kept in the extras.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.ir.events import MOST_POINTS

Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=135)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
Points: TypeAlias = Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
PerSeat: TypeAlias = Annotated[tuple[Points, ...], Meta(min_length=4, max_length=4)]
Tiles: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=14)]
Code: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF)]
Indicators: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=5)]
_DRAWS: Final = 136
_EVENTS: Final = 5000


class _Part(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """Base of the parts of a state."""


class Score(_Part, frozen=True):
    """A round by its number from 0, honba, riichi sticks, and points."""

    tens: PerSeat
    round: Annotated[int, Meta(ge=0, le=15)] = 0
    honba: Count = 0
    riichi: Count = 0


class Event(_Part, frozen=True):
    """One event. Without `type`, it is a discard."""

    type: str = "EVENT_TYPE_DISCARD"
    who: Seat = 0
    tile: Number = 0
    open: Code = 0


class Public(_Part, frozen=True):
    """The values that all players see."""

    init_score: Score
    dora_indicators: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=5)]
    player_ids: Annotated[tuple[str, ...], Meta(max_length=4)] = ()
    events: Annotated[tuple[Event, ...], Meta(max_length=_EVENTS)] = ()


class Hand(_Part, frozen=True):
    """The concealed tiles of a hand, and its calls."""

    closed_tiles: Tiles = ()
    opens: Annotated[tuple[Code, ...], Meta(max_length=4)] = ()


class Private(_Part, frozen=True):
    """The values that one player sees: the dealt hand, the draws, and the hand now."""

    init_hand: Hand
    who: Seat = 0
    draw_history: Annotated[tuple[Number, ...], Meta(max_length=_DRAWS)] = ()
    curr_hand: Hand = Hand()


class Hidden(_Part, frozen=True):
    """The values that no player sees: the wall in Tenhou's order, and the ura indicators."""

    wall: Annotated[tuple[Number, ...], Meta(max_length=_DRAWS)] = ()
    ura_dora_indicators: Indicators = ()


class Win(_Part, frozen=True):
    """One win: yaku by number with their han, and yakuman by number."""

    win_tile: Number = 0
    who: Seat = 0
    from_who: Seat = 0
    hand: Hand = Hand()
    fu: Count = 0
    ten: Points = 0
    ten_changes: PerSeat = (0, 0, 0, 0)
    yakus: Annotated[tuple[Count, ...], Meta(max_length=64)] = ()
    fans: Annotated[tuple[Count, ...], Meta(max_length=64)] = ()
    yakumans: Annotated[tuple[Count, ...], Meta(max_length=64)] = ()
    ura_dora_indicators: Indicators = ()


class Tenpai(_Part, frozen=True):
    """A hand that is shown at a draw."""

    who: Seat = 0
    hand: Hand = Hand()


class NoWinner(_Part, frozen=True):
    """The points of a draw, and the hands that are shown."""

    tenpais: Annotated[tuple[Tenpai, ...], Meta(max_length=4)] = ()
    ten_changes: PerSeat = (0, 0, 0, 0)


class Terminal(_Part, frozen=True):
    """The end of a round."""

    final_score: Score
    wins: Annotated[tuple[Win, ...], Meta(max_length=3)] = ()
    no_winner: NoWinner | None = None
    is_game_over: bool = False


class State(_Part, frozen=True):
    """One round."""

    public_observation: Public
    private_observations: Annotated[tuple[Private, ...], Meta(min_length=4, max_length=4)]
    hidden_state: Hidden = Hidden()
    round_terminal: Terminal | None = None


_NAME: Final = re.compile(r"[0-9]+|[^.\[\]]+")


def state_of(value: Any) -> State:
    """Return the state of a JSON value. Raises `WrongValueError`.

    >>> state_of({"publicObservation": {}})
    Traceback (most recent call last):
    mjconv.converters.shared.json_values.WrongValueError: Object missing required field `initScore`
    """
    if not isinstance(value, dict):
        raise WrongValueError(f"expected a state, not {shown(value)}")
    try:
        return msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        message, _, way = str(error).partition(" - at `$")
        raise WrongValueError(message, path_of(way)) from None


def path_of(way: str) -> list[str | int]:
    """Return the path to a value in an error of msgspec.

    >>> path_of(".events[3].who`")
    ['events', 3, 'who']
    """
    return [int(step) if step.isdecimal() else step for step in _NAME.findall(way.rstrip("`"))]


def others(value: Mapping[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the fields of a value that no class names.

    >>> others({"gameId": "x", "tens": [0]}, Score)
    {'gameId': 'x'}
    """
    known = frozenset(kind.__struct_encode_fields__)
    return {} if known.issuperset(value) else {key: part for key, part in value.items() if key not in known}
