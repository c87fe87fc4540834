"""What happens at the table: one immutable class for each kind of event.

The JSON form of an event *is* the mjai message. Decoding checks it: an event decoded from JSON has the fields, the
tiles and the seats of mjai and nothing else. The constructors check nothing: an event built in code may hold what
larger games need (six seats, ranks to 16).

A field that the source does not state is `msgspec.UNSET`, and is absent from the JSON form. Seats count from 0,
the seat of the first dealer. Points are whole points (25000, not 25.0). `extras` holds the keys that no field
holds.

>>> Draw(0, "5mr")
Draw(actor=0, pai='5mr')
>>> to_message(Discard(1, "9p", tsumogiri=True))
{'type': 'dahai', 'actor': 1, 'pai': '9p', 'tsumogiri': True}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, NewType, TypeAlias, TypeVar, cast, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType, structs

from mjconv.ir.suggestion import did_you_mean
from mjconv.ir.tiles import NORTH, Tile, Wind

#: The largest number of points of one player, and of a gain or a loss. It keeps absurd numbers out.
MOST_POINTS: Final = 1_000_000_000
#: The number of players of the largest game that the hub holds.
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
    FreeHand: TypeAlias = tuple[Tile, ...]
    FreeHands: TypeAlias = tuple[tuple[Tile, ...], ...]
    Tenpais: TypeAlias = tuple[bool, ...]
    Names: TypeAlias = tuple[str, ...]
    Kyoku: TypeAlias = int
    Markers: TypeAlias = tuple[Tile, ...]
    AnyPerSeat: TypeAlias = tuple[int, ...]
    AnySeat: TypeAlias = int
else:
    # `help` shows the name of a new type, and all that another annotation holds.
    Seat = NewType("Seat", Annotated[int, Meta(ge=0, le=3)])
    Points = NewType("Points", Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)])
    Count = NewType("Count", Annotated[int, Meta(ge=0, le=MOST_POINTS)])
    Kyoku = NewType("Kyoku", Annotated[int, Meta(ge=1, le=4)])
    Pair = NewType("Pair", Annotated[tuple[Tile, ...], Meta(min_length=2, max_length=2)])
    Three = NewType("Three", Annotated[tuple[Tile, ...], Meta(min_length=3, max_length=3)])
    Four = NewType("Four", Annotated[tuple[Tile, ...], Meta(min_length=4, max_length=4)])
    # The decoder knows the ends alone; the reader of mjai refuses 14 and 15.
    _NEITHER = {"not": {"minItems": 14, "maxItems": 15}}
    Hand = NewType(
        "Hand", Annotated[tuple[Tile, ...], Meta(min_length=13, max_length=16, extra_json_schema=_NEITHER)]
    )
    Hands = NewType("Hands", Annotated[tuple[Hand, ...], Meta(min_length=3, max_length=4)])
    FreeHand = NewType("FreeHand", Annotated[tuple[Tile, ...], Meta(max_length=17)])
    FreeHands = NewType("FreeHands", Annotated[tuple[FreeHand, ...], Meta(min_length=3, max_length=4)])
    PerSeat = NewType("PerSeat", Annotated[tuple[Points, ...], Meta(min_length=3, max_length=4)])
    Tenpais = NewType("Tenpais", Annotated[tuple[bool, ...], Meta(min_length=3, max_length=4)])
    Names = NewType("Names", Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)])
    Markers = NewType("Markers", Annotated[tuple[Tile, ...], Meta(max_length=5)])
    AnyPerSeat = NewType("AnyPerSeat", Annotated[tuple[Points, ...], Meta(min_length=3, max_length=MOST_SEATS)])
    AnySeat = NewType("AnySeat", Annotated[int, Meta(ge=0, lt=MOST_SEATS)])


class Extras(Mapping[str, Any]):
    """The keys of a message that no field holds, in their order. Equals any mapping with the same items.

    It is not a `dict`: the decoder and the encoder of events would take a `dict` for an ordinary field.

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
    """Base of all events. `extras` holds the keys of a message that its kind does not define."""

    extras: Extras | UnsetType = UNSET


class StartGame(Message, frozen=True, tag="start_game"):
    """A game begins. In a `Match`, `Match.players` holds the names, and `names` is absent here."""

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
    """A tile is discarded. `tsumogiri`: whether it is the tile just drawn."""

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
    """The tile `pai` of the hand is added to a pon. `consumed` are the three tiles of that pon."""

    actor: Seat
    pai: Tile
    consumed: Three


class Ankan(Message, frozen=True, tag="ankan"):
    """A concealed kan: four tiles of the hand."""

    actor: Seat
    consumed: Four
    pai: Tile | UnsetType = UNSET


class Nukidora(Message, frozen=True, tag="nukidora"):
    """A north is set aside in a three-player game, or a flower in a larger set."""

    actor: Seat
    pai: Tile | UnsetType = UNSET

    @property
    def tile(self) -> Tile:
        """The tile that is set aside: north, if `pai` is absent."""
        return self.pai or NORTH


class Dora(Message, frozen=True, tag="dora"):
    """A further dora indicator is turned."""

    dora_marker: Tile


class Riichi(Message, frozen=True, tag="reach"):
    """Riichi is declared. The discard follows."""

    actor: Seat


class RiichiAccepted(Message, frozen=True, tag="reach_accepted"):
    """Nobody won on the riichi discard: the stick is paid."""

    actor: Seat
    deltas: PerSeat | UnsetType = UNSET
    scores: PerSeat | UnsetType = UNSET


class Win(Message, frozen=True, tag="hora"):
    """A win: riichi hora, Ùzje ron or tsumo, an HK faan line.

    `target` is the player who discarded the winning tile, or the winner for a self-drawn tile. It is absent if the
    source states only who is liable. `deltas` are the points that each seat gains, riichi sticks included.
    `scores` are the points of each seat after the win. `fan` is the number of han or faan. `hora_points` is the
    value of the hand in points, without honba and sticks. `liable` is the liable player (pao, an HK guarantor).
    Its key in JSON is ``pao``.
    """

    actor: Seat
    target: Seat | UnsetType = UNSET
    pai: Tile | UnsetType = UNSET
    tsumo: bool | UnsetType = UNSET
    deltas: PerSeat | UnsetType = UNSET
    scores: PerSeat | UnsetType = UNSET
    ura_markers: Markers | UnsetType = UNSET
    hora_tehais: FreeHand | UnsetType = UNSET
    yakus: tuple[tuple[str, Count], ...] | UnsetType = UNSET
    fu: Count | UnsetType = UNSET
    fan: Count | UnsetType = UNSET
    hora_points: Count | UnsetType = UNSET
    liable: Seat | UnsetType = msgspec.field(default=UNSET, name="pao")

    @property
    def giver(self) -> Seat:
        """The player who gave the winning tile: the winner, if `target` is absent."""
        return self.actor if self.target is UNSET else self.target


class Ryukyoku(Message, frozen=True, tag="ryukyoku"):
    """The round ends without a win: an exhausted wall, an abortive draw, or a false win.

    A false win (chombo, HK false win) has the reason ``chombo`` and the `actor` who made it.
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
    """Conversation: a player answers that they do nothing."""


class Hello(Message, frozen=True, tag="hello"):
    """Conversation: the host opens it."""

    protocol: str | UnsetType = UNSET
    protocol_version: Count | UnsetType = UNSET
    can_act: bool | UnsetType = UNSET


class Join(Message, frozen=True, tag="join"):
    """Conversation: a player joins."""

    name: str | UnsetType = UNSET
    room: str | UnsetType = UNSET


class ErrorMessage(Message, frozen=True, tag="error"):
    """Conversation: the host or the player reports an error to the other."""

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
    | ErrorMessage
)

#: The class of each kind of event, by its name in JSON.
KINDS: Final[dict[str, type[Message]]] = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
#: The calls of a discard, by their names.
CALLS: Final[dict[str, type[Any]]] = {"chi": Chi, "pon": Pon, "daiminkan": Daiminkan}
#: The kinds that call a discard.
CALL_KINDS: Final[frozenset[type[Message]]] = frozenset(CALLS.values())
#: The kinds by which a player takes a tile.
TAKES: Final[frozenset[type[Message]]] = CALL_KINDS | {Draw}
#: The kinds whose tile another player can win on.
SHOWS: Final[frozenset[type[Message]]] = frozenset({Discard, Kakan, Ankan, Nukidora})
#: The kinds that change the hand of their player.
MOVES: Final[frozenset[type[Message]]] = TAKES | SHOWS
#: The kinds by which a player acts in a game.
ACTS: Final[frozenset[type[Message]]] = CALL_KINDS | SHOWS | {Riichi, Win}
#: The kinds that may come between a decision and the event that shows it.
BETWEEN: Final[frozenset[type[Message]]] = frozenset({Dora, RiichiAccepted})
#: The kans.
KANS: Final[frozenset[type[Message]]] = frozenset({Daiminkan, Kakan, Ankan})
#: The kans that show a dora indicator only later, in some rules.
OPEN_KANS: Final[frozenset[type[Message]]] = KANS - {Ankan}
#: The kinds after which the player draws from the back of the wall.
REPLACED: Final[frozenset[type[Message]]] = KANS | {Nukidora}
#: The kinds that make a meld, or set a tile aside.
MELDS: Final[frozenset[type[Message]]] = CALL_KINDS | REPLACED
#: The conversation of host and player in an mjai stream. It is no part of the game: mjai alone writes it.
#: A message may also list `possible_actions`: that key is in its `extras`.
CONVERSATION: Final[frozenset[type[Message]]] = frozenset({Pass, Hello, Join, ErrorMessage})
#: The kinds that may be beside the events of a round (`mjconv.ir.match.Answer`): the conversation, and a player's
#: actions.
ANSWERS: Final[frozenset[type[Message]]] = CONVERSATION | ACTS | {Ryukyoku}
#: The kinds that are the result of a round.
RESULTS: Final[frozenset[type[Message]]] = frozenset({Win, Ryukyoku})
_NAMES: Final = {kind: name for name, kind in KINDS.items()}
#: The JSON keys of each kind, in their order, without ``type``.
KEYS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(key for key in kind.__struct_encode_fields__ if key != "extras") for name, kind in KINDS.items()
}


Kind = TypeVar("Kind", bound=Event)


def select(events: Iterable[Event], *kinds: type[Kind]) -> list[Kind]:
    """Return the events of these kinds, in order.

    >>> select([Riichi(2), Draw(3, "E")], Draw)
    [Draw(actor=3, pai='E')]
    """
    # By identity of the type: event classes have no subclasses, and `isinstance` is slow for structs.
    wanted = frozenset(kinds)
    return [event for event in events if type(event) in wanted]  # type: ignore[misc]


#: Makes an event of a kind from the values of its keys.
Converter: TypeAlias = Callable[[dict[str, Any], type[Message]], Message]


def name_of(event: Message) -> str:
    """Return the name of the event's kind in JSON.

    >>> name_of(Riichi(2))
    'reach'
    """
    return _NAMES[type(event)]


def to_message(event: Message) -> dict[str, Any]:
    """Return the event as an mjai message. The keys of `extras` are keys of the message.

    >>> to_message(Riichi(2, extras=Extras({"logs": None})))
    {'type': 'reach', 'actor': 2, 'logs': None}
    """
    message: dict[str, Any] = msgspec.to_builtins(event, enc_hook=dict)
    if event.extras is not UNSET:
        del message["extras"]
        message.update(event.extras)
    return message


def from_message(message: Mapping[str, Any], convert: Converter = msgspec.convert) -> Event:
    """Make an event from an mjai message. `extras` holds the keys that its kind does not define.

    `convert` makes an event of a kind from its keys. Raises `msgspec.ValidationError` for an unknown kind, and for
    a missing or a wrong value. The error names the key.

    >>> from_message({"type": "reach", "actor": 2, "logs": None})
    Riichi(actor=2, extras=Extras({'logs': None}))
    """
    name = message.get("type")
    if not isinstance(name, str) or name not in KINDS:
        hint = did_you_mean(name, KINDS) if isinstance(name, str) else ""
        raise msgspec.ValidationError(f"Unknown message type {name!r}{hint} - at `$.type`")
    keys = KEYS[name]
    known = {key: message[key] for key in keys if key in message}
    event: Any = convert(known, KINDS[name])
    if len(known) + 1 == len(message):
        return cast(Event, event)
    unknown = {key: value for key, value in message.items() if key != "type" and key not in known}
    return cast(Event, structs.replace(event, extras=Extras(unknown)))


def handlers(owner: type, prefix: str = "_") -> dict[type, Callable[..., Any]]:
    """Return the methods of a class by the kind of event: the one of a draw has the name ``_tsumo``.

    `prefix` is the beginning of the names of the methods.

    >>> class Writer:
    ...     def _tsumo(self, event): print("draws", event.pai)
    >>> handlers(Writer)[Draw](Writer(), Draw(0, "E"))
    draws E
    """
    names = {f"{prefix}{name}": kind for name, kind in KINDS.items()}
    return {kind: getattr(owner, name) for name, kind in names.items() if hasattr(owner, name)}
