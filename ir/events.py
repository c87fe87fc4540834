"""What happens at the table: one immutable class a kind of event.

The JSON form of an event *is* the mjai message, so that the types below are also what checks one: decoded
from JSON, an event has the fields, the tiles and the seats of mjai and nothing else. Built in code it may
hold what larger games need (six seats, ranks to 16): the constructors do not check.

A field that the source did not say is `msgspec.UNSET`, and is absent from the JSON form. Seats count from 0,
the first dealer's. Points are points (25000, not 25.0). Keys that no field has a place for travel in `extras`.

>>> Draw(0, "5mr")
Draw(actor=0, pai='5mr')
>>> to_message(Discard(1, "9p", tsumogiri=True))
{'type': 'dahai', 'actor': 1, 'pai': '9p', 'tsumogiri': True}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
)

import msgspec
from msgspec import UNSET, Meta, UnsetType, structs

from mjconv.ir.tiles import Tile, Wind

#: Points of one player, or what they gain and lose. The bound keeps absurd numbers out.
MOST_POINTS: Final = 1_000_000_000
#: Players of the largest game that the hub holds.
MOST_SEATS: Final = 6

if TYPE_CHECKING:
    Seat: TypeAlias = int
    Points: TypeAlias = int
    Count: TypeAlias = int
    Pair: TypeAlias = tuple[Tile, ...]
    Three: TypeAlias = tuple[Tile, ...]
    Four: TypeAlias = tuple[Tile, ...]
    Hand: TypeAlias = tuple[Tile, ...]
    PerSeat: TypeAlias = tuple[int, ...]
    Hands: TypeAlias = tuple[tuple[Tile, ...], ...]
    FreeHands: TypeAlias = tuple[tuple[Tile, ...], ...]
    Tenpais: TypeAlias = tuple[bool, ...]
    Names: TypeAlias = tuple[str, ...]
    Kyoku: TypeAlias = int
    Markers: TypeAlias = tuple[Tile, ...]
    AnyPerSeat: TypeAlias = tuple[int, ...]
else:
    Seat = Annotated[int, Meta(ge=0, le=3)]
    Points = Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
    Count = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
    Kyoku = Annotated[int, Meta(ge=1, le=4)]
    Pair = Annotated[tuple[Tile, ...], Meta(min_length=2, max_length=2)]
    Three = Annotated[tuple[Tile, ...], Meta(min_length=3, max_length=3)]
    Four = Annotated[tuple[Tile, ...], Meta(min_length=4, max_length=4)]
    Hand = Annotated[tuple[Tile, ...], Meta(min_length=13, max_length=13)]
    Hands = Annotated[tuple[Hand, ...], Meta(min_length=3, max_length=4)]
    FreeHands = Annotated[
        tuple[Annotated[tuple[Tile, ...], Meta(max_length=14)], ...], Meta(min_length=3, max_length=4)
    ]
    PerSeat = Annotated[tuple[Points, ...], Meta(min_length=3, max_length=4)]
    Tenpais = Annotated[tuple[bool, ...], Meta(min_length=3, max_length=4)]
    Names = Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)]
    Markers = Annotated[tuple[Tile, ...], Meta(max_length=5)]
    AnyPerSeat = Annotated[tuple[Points, ...], Meta(min_length=3, max_length=MOST_SEATS)]


class Extras(Mapping[str, Any]):
    """Keys of a message that no field has a place for, in their order; equal to any equal mapping.

    Not a `dict`, so that neither the decoder nor the encoder of events takes it for a field of its own.

    >>> Extras({"logs": None})["logs"] is None
    True
    """

    __slots__ = ("_keys",)

    def __init__(self, keys: Mapping[str, Any]) -> None:
        self._keys = dict(keys)

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._keys == dict(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._keys))

    def __repr__(self) -> str:
        return f"Extras({self._keys!r})"

    def __reduce__(self) -> tuple[type[Extras], tuple[dict[str, Any]]]:
        return Extras, (self._keys,)


class Message(
    msgspec.Struct,
    frozen=True,
    gc=False,
    forbid_unknown_fields=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    tag_field="type",
    kw_only=True,
):
    """What every event has: room for the keys that are not its own."""

    extras: Extras | UnsetType = UNSET


class StartGame(Message, frozen=True, tag="start_game"):
    """A game begins. In a `Match` the names are the players', and not said again here."""

    id: Seat | UnsetType = UNSET
    names: Names | UnsetType = UNSET
    kyoku_first: Count | UnsetType = UNSET
    aka_flag: bool | UnsetType = UNSET
    uri: str | UnsetType = UNSET


class StartRound(Message, frozen=True, tag="start_kyoku"):
    """The hands are dealt: round wind, number in that wind (from 1), honba, riichi sticks, dealer."""

    bakaze: Wind | UnsetType = UNSET
    dora_marker: Tile | UnsetType = UNSET
    kyoku: Kyoku | UnsetType = UNSET
    honba: Count | UnsetType = UNSET
    kyotaku: Count | UnsetType = UNSET
    oya: Seat | UnsetType = UNSET
    scores: PerSeat | UnsetType = UNSET
    tehais: Hands | UnsetType = UNSET


class Draw(Message, frozen=True, tag="tsumo"):
    """A tile is drawn, from the wall or after a kan from the dead wall."""

    actor: Seat
    pai: Tile


class Discard(Message, frozen=True, tag="dahai"):
    """A tile is discarded; `tsumogiri` when it is the very tile just drawn."""

    actor: Seat
    pai: Tile
    tsumogiri: bool | UnsetType = UNSET


class Chi(Message, frozen=True, tag="chi"):
    """A run is made with the discard `pai` of `target` and two tiles of the hand."""

    actor: Seat
    target: Seat
    pai: Tile
    consumed: Pair


class Pon(Message, frozen=True, tag="pon"):
    """A triplet is made with the discard `pai` of `target` and two tiles of the hand."""

    actor: Seat
    target: Seat
    pai: Tile
    consumed: Pair


class Daiminkan(Message, frozen=True, tag="daiminkan"):
    """An open kan: the discard `pai` of `target` and three tiles of the hand."""

    actor: Seat
    target: Seat
    pai: Tile
    consumed: Three


class Kakan(Message, frozen=True, tag="kakan"):
    """A pon grows by `pai` of the hand; `consumed` are the three tiles of that pon."""

    actor: Seat
    pai: Tile
    consumed: Three


class Ankan(Message, frozen=True, tag="ankan"):
    """A concealed kan: four tiles of the hand."""

    actor: Seat
    consumed: Four
    pai: Tile | UnsetType = UNSET


class Nukidora(Message, frozen=True, tag="nukidora"):
    """A north is set aside, in three-player games."""

    actor: Seat
    pai: Tile | UnsetType = UNSET


class Dora(Message, frozen=True, tag="dora"):
    """A further dora indicator is turned."""

    dora_marker: Tile


class Riichi(Message, frozen=True, tag="reach"):
    """Riichi is declared; the discard follows."""

    actor: Seat


class RiichiAccepted(Message, frozen=True, tag="reach_accepted"):
    """Nobody won on the riichi discard: the stick is paid."""

    actor: Seat
    deltas: PerSeat | UnsetType = UNSET
    scores: PerSeat | UnsetType = UNSET


class Win(Message, frozen=True, tag="hora"):
    """A win: riichi hora, Ùzje ron or tsumo, an HK faan line.

    `target` is who discarded the winning tile, the winner for a self-drawn one; absent where the source says
    only who is liable. `deltas` are what each seat gains, riichi sticks included. `fan` counts han or faan,
    `hora_points` what the hand is worth without sticks. `liable` (pao, an HK guarantor) is ``pao`` in JSON.
    """

    actor: Seat
    target: Seat | UnsetType = UNSET
    pai: Tile | UnsetType = UNSET
    tsumo: bool | UnsetType = UNSET
    deltas: PerSeat | UnsetType = UNSET
    scores: PerSeat | UnsetType = UNSET
    ura_markers: Markers | UnsetType = UNSET
    hora_tehais: Annotated[tuple[Tile, ...], Meta(max_length=14)] | UnsetType = UNSET
    yakus: tuple[tuple[str, Count], ...] | UnsetType = UNSET
    fu: Count | UnsetType = UNSET
    fan: Count | UnsetType = UNSET
    hora_points: Points | UnsetType = UNSET
    liable: Seat | UnsetType = msgspec.field(default=UNSET, name="pao")


class Ryukyoku(Message, frozen=True, tag="ryukyoku"):
    """The round ends without a win: exhausted wall, abortive draw, or a false win.

    A chombo or HK false win is reason ``chombo`` with its `actor`.
    """

    reason: str | UnsetType = UNSET
    tehais: FreeHands | UnsetType = UNSET
    tenpais: Tenpais | UnsetType = UNSET
    deltas: PerSeat | UnsetType = UNSET
    scores: PerSeat | UnsetType = UNSET
    actor: Seat | UnsetType = UNSET


class EndRound(Message, frozen=True, tag="end_kyoku"):
    """The round is over."""


class EndGame(Message, frozen=True, tag="end_game"):
    """The game is over."""

    scores: PerSeat | UnsetType = UNSET


class Pass(Message, frozen=True, tag="none"):
    """In-game: a player answers that they do nothing."""


class Hello(Message, frozen=True, tag="hello"):
    """In-game: the host opens the conversation."""

    protocol: str | UnsetType = UNSET
    protocol_version: Count | UnsetType = UNSET
    can_act: bool | UnsetType = UNSET


class Join(Message, frozen=True, tag="join"):
    """In-game: a player joins."""

    name: str | UnsetType = UNSET
    room: str | UnsetType = UNSET


class Fault(Message, frozen=True, tag="error"):
    """In-game: one side tells the other of an error."""

    message: str | UnsetType = UNSET


Event: TypeAlias = (
    StartGame
    | StartRound
    | Draw
    | Discard
    | Chi
    | Pon
    | Daiminkan
    | Kakan
    | Ankan
    | Nukidora
    | Dora
    | Riichi
    | RiichiAccepted
    | Win
    | Ryukyoku
    | EndRound
    | EndGame
    | Pass
    | Hello
    | Join
    | Fault
)

#: Each kind of event by its name in JSON.
KINDS: Final[dict[str, type[Message]]] = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
#: The kinds that tell the result of a round.
RESULTS: Final[frozenset[type[Message]]] = frozenset({Win, Ryukyoku})
_NAMES: Final = {kind: name for name, kind in KINDS.items()}
#: The JSON keys of each kind, in order, without ``type``.
KEYS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(key for key in kind.__struct_encode_fields__ if key != "extras") for name, kind in KINDS.items()
}


Kind = TypeVar("Kind", bound=Event)


def select(events: Iterable[Event], *kinds: type[Kind]) -> list[Kind]:
    """Give the events of these kinds, in order.

    >>> select([Riichi(2), Draw(3, "E")], Draw)
    [Draw(actor=3, pai='E')]
    """
    # By identity of the type: event classes have no subclasses, and `isinstance` is slow for structs.
    wanted = frozenset(kinds)
    return [event for event in events if type(event) in wanted]  # type: ignore[misc]


#: Makes an event of a kind from what its keys hold.
Converter: TypeAlias = Callable[[dict[str, Any], type[Message]], Message]


def name_of(event: Message) -> str:
    """Give the name of the event's kind in JSON.

    >>> name_of(Riichi(2))
    'reach'
    """
    return _NAMES[type(event)]


def to_message(event: Message) -> dict[str, Any]:
    """Give the event as the mjai message it is, `extras` among its keys.

    >>> to_message(Riichi(2, extras=Extras({"logs": None})))
    {'type': 'reach', 'actor': 2, 'logs': None}
    """
    message: dict[str, Any] = msgspec.to_builtins(event, enc_hook=dict)
    if event.extras is not UNSET:
        del message["extras"]
        message.update(event.extras)
    return message


def from_message(message: Mapping[str, Any], convert: Converter = msgspec.convert) -> Event:
    """Make the event that a message is; keys that its kind does not have go to `extras`.

    `convert` makes a kind of event from its keys. Raises `msgspec.ValidationError` for an unknown kind, a missing
    or a wrong value, naming the key.

    >>> from_message({"type": "reach", "actor": 2, "logs": None})
    Riichi(actor=2, extras=Extras({'logs': None}))
    """
    name = message.get("type")
    if not isinstance(name, str) or name not in KINDS:
        raise msgspec.ValidationError(f"Unknown message type {name!r} - at `$.type`")
    keys = KEYS[name]
    known = {key: message[key] for key in keys if key in message}
    event: Any = convert(known, KINDS[name])
    if len(known) + 1 == len(message):
        return cast(Event, event)
    unknown = {key: value for key, value in message.items() if key != "type" and key not in known}
    return cast(Event, structs.replace(event, extras=Extras(unknown)))
