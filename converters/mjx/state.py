"""The fields of a state, as mjx spells them in JSON: a field that is zero or empty is absent.

The fields have the order in which mjx writes them. The reader skips all other fields.
"""

from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from mjconv.converters.shared.json_values import Count, Points, Seat, Worth, WrongValueError, as_struct, shown
from mjconv.converters.shared.jsontext import decoder_of

Number: TypeAlias = Annotated[int, Meta(ge=0, le=135)]
PerSeat: TypeAlias = Annotated[tuple[Points, ...], Meta(min_length=4, max_length=4)]
Tiles: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=14)]
MeldCode: TypeAlias = Annotated[int, Meta(ge=0, le=0xFFFF)]
Indicators: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=5)]
_DRAWS: Final = 136
_EVENTS: Final = 5000


class _StatePart(msgspec.Struct, frozen=True, gc=False, rename="camel", omit_defaults=True):
    """Base of the parts of a state."""


def _no_points() -> tuple[int, ...]:
    # The value of a factory is written also if it is zero: mjx writes these points always.
    return (0, 0, 0, 0)


class Score(_StatePart, frozen=True, kw_only=True):
    """A round by its number from 0, honba, riichi sticks, and points."""

    round: Annotated[int, Meta(ge=0, le=15)] = 0
    honba: Count = 0
    riichi: Count = 0
    tens: PerSeat


class Event(_StatePart, frozen=True):
    """One event. Without `type`, it is a discard."""

    type: str = "EVENT_TYPE_DISCARD"
    who: Seat = 0
    tile: Number = 0
    open: MeldCode = 0


class Public(_StatePart, frozen=True, kw_only=True):
    """The values that all players see."""

    player_ids: Annotated[tuple[str, ...], Meta(max_length=4)] = ()
    init_score: Score
    dora_indicators: Annotated[tuple[Number, ...], Meta(min_length=1, max_length=5)]
    events: Annotated[tuple[Event, ...], Meta(max_length=_EVENTS)] = ()


class Hand(_StatePart, frozen=True):
    """The concealed tiles of a hand, and its calls."""

    closed_tiles: Tiles = ()
    opens: Annotated[tuple[MeldCode, ...], Meta(max_length=4)] = ()


class Private(_StatePart, frozen=True, kw_only=True):
    """The values that one player sees: the dealt hand, the draws, and the hand now."""

    who: Seat = 0
    init_hand: Hand
    draw_history: Annotated[tuple[Number, ...], Meta(max_length=_DRAWS)] = ()
    curr_hand: Hand = Hand()


class Hidden(_StatePart, frozen=True):
    """The values that no player sees: the wall in Tenhou's order, and the ura indicators."""

    wall: Annotated[tuple[Number, ...], Meta(max_length=_DRAWS)] = ()
    ura_dora_indicators: Indicators = ()


class StateWin(_StatePart, frozen=True):
    """One win: yaku by number with their han, and yakuman by number."""

    who: Seat = 0
    from_who: Seat = 0
    hand: Hand = Hand()
    win_tile: Number = 0
    fu: Count = 0
    ten: Worth = 0
    ten_changes: PerSeat = msgspec.field(default_factory=_no_points)
    yakus: Annotated[tuple[Count, ...], Meta(max_length=64)] = ()
    fans: Annotated[tuple[Count, ...], Meta(max_length=64)] = ()
    yakumans: Annotated[tuple[Count, ...], Meta(max_length=64)] = ()
    ura_dora_indicators: Indicators = ()


class Tenpai(_StatePart, frozen=True):
    """A hand that is shown at a draw."""

    who: Seat = 0
    hand: Hand = Hand()


class NoWinner(_StatePart, frozen=True):
    """The points of a draw, and the hands that are shown."""

    tenpais: Annotated[tuple[Tenpai, ...], Meta(max_length=4)] = ()
    ten_changes: PerSeat = msgspec.field(default_factory=_no_points)


class Terminal(_StatePart, frozen=True):
    """The end of a round."""

    final_score: Score
    wins: Annotated[tuple[StateWin, ...], Meta(max_length=3)] = ()
    no_winner: NoWinner | None = None
    is_game_over: bool = False


class MjxState(_StatePart, frozen=True, kw_only=True):
    """One round."""

    hidden_state: Hidden = Hidden()
    public_observation: Public
    private_observations: Annotated[tuple[Private, ...], Meta(min_length=4, max_length=4)]
    round_terminal: Terminal | None = None


#: Decodes the text of a state.
STATE: Final = decoder_of(MjxState)


def state_of(value: Any) -> MjxState:
    """Return the state of a JSON value, which is a state if `STATE` decoded it. Raises `WrongValueError`.

    >>> state_of({"publicObservation": {}})
    Traceback (most recent call last):
    mjconv.converters.shared.json_values.WrongValueError: Object missing required field `initScore`
    """
    if not isinstance(value, dict | MjxState):
        raise WrongValueError(f"expected a state, not {shown(value)}")
    return as_struct(value, MjxState)
