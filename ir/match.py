"""A match: its rounds, and who, where, when and by which rules.

``Match -> Round -> Event``. What a source did not say is absent (`msgspec.UNSET`), never invented. Players
count from 0, the first dealer's seat. Points are points: 25000, where a notation may write 25.0.
"""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType, field

from mjconv.ir.events import MOST_SEATS, AnyPerSeat, Draw, Event, Kind, StartRound, select
from mjconv.ir.tiles import HIDDEN, AnyTile, Wind

Weekday: TypeAlias = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
MeldKind: TypeAlias = Literal["chi", "pon", "daiminkan", "kakan", "ankan", "nukidora"]


AnnotationKind: TypeAlias = Literal["comment", "mark", "left", "returned", "think_time", "emote"]
Length: TypeAlias = Literal["one round", "east", "south", "west"]

#: The number of seats of a game whose record does not state it.
USUAL_SEATS: Final = 4


_HIDDEN: Final = frozenset({HIDDEN})


class Record(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True, forbid_unknown_fields=True):
    """Base of the parts that never change once read."""


class Text(Record, frozen=True):
    """A text in its native script, romanised, or both; or a code that the field knows (``mlg``)."""

    native: str | UnsetType = UNSET
    roman: str | UnsetType = UNSET
    code: str | UnsetType = UNSET


class Name(Record, frozen=True):
    """A person's name, last name first. A name given whole stands in `last`, native."""

    last: Text | UnsetType = UNSET
    first: Text | UnsetType = UNSET

    @property
    def shown(self) -> str:
        """The name as one string: native parts, else romanised, last name first.

        >>> Name(Text("石橋", "Ishibashi"), Text(roman="Nobuhiro")).shown
        '石橋 Nobuhiro'
        """
        parts = [part for part in (self.last, self.first) if part is not UNSET]
        return " ".join(filter(None, (part.native or part.roman or "" for part in parts)))


class TournamentPoints(Record, frozen=True):
    """Points in a tournament, of the player and of their team."""

    personal: int | UnsetType = UNSET
    team: int | UnsetType = UNSET


class Annotation(Record, frozen=True):
    """A remark beside the events: what a person wrote, or what the platform noted about a player.

    In a round, `index` is the number of events before the annotation, from 0 to the number of events. In a match,
    `index` is the number of rounds before it. `seat` is the player whom it is about, where it is about one.

    | kind | `value` |
    | --- | --- |
    | ``comment`` | the text that a person wrote, without the signs that begin a comment in its format |
    | ``mark`` | a sign of a person's own, such as ``(a)`` |
    | ``left``, ``returned`` | absent: the player of `seat` left the table, or came back |
    | ``think_time`` | milliseconds that the player of `seat` took for the next event |
    | ``emote`` | the number or the name of the emote |

    >>> Annotation(0, "comment", value="a risky start")
    Annotation(index=0, kind='comment', value='a risky start')
    """

    index: int
    kind: AnnotationKind
    seat: int | UnsetType = UNSET
    value: str | int | UnsetType = UNSET


class Player(Record, frozen=True):
    """One player: name, team, affiliation, and tournament points before the match.

    `rank` is the rank on a platform as that spells it (``七段``), `rating` the rating on the platform.
    """

    name: Name | UnsetType = UNSET
    team: Text | UnsetType = UNSET
    affiliation: Text | UnsetType = UNSET
    points_before: TournamentPoints | UnsetType = UNSET
    rank: str | UnsetType = UNSET
    rating: Decimal | UnsetType = UNSET


class Tournament(Record, frozen=True):
    """The tournament: name, the year it began, stage, and the match's numbers in stage and day."""

    name: Text | UnsetType = UNSET
    year: int | UnsetType = UNSET
    stage: Text | UnsetType = UNSET
    number_in_stage: int | UnsetType = UNSET
    number_in_day: int | UnsetType = UNSET


class RoundId(Record, frozen=True):
    """A round's name: wind, number in that wind, honba."""

    wind: Wind
    number: int
    honba: int

    def __str__(self) -> str:
        return f"{self.wind}{self.number}-{self.honba}"


class Recorder(Record, frozen=True):
    """Who wrote the record down, and which rounds: all, these, or not said."""

    name: Name | UnsetType = UNSET
    rounds: Literal["all"] | tuple[RoundId, ...] | UnsetType = UNSET


class Rules(Record, frozen=True):
    """The rules that a record states; each field is absent where it does not.

    `start` and `returning` points, `uma` (4th pays 1st, 3rd pays 2nd), points a `honba` adds, `tenpai` payments
    in all. For HK rules: `base` points (exact), the maximum `faan`, whether a discarder pays for `half` or
    `full`, and the growth above four faan. Raises `ValueError` for base points that are not a number: they could
    not be compared.
    """

    start: int | UnsetType = UNSET
    returning: int | UnsetType = UNSET
    uma: tuple[int, int] | UnsetType = UNSET
    honba: int | UnsetType = UNSET
    tenpai: int | UnsetType = UNSET
    base: Decimal | UnsetType = UNSET
    max_faan: int | UnsetType = UNSET
    responsibility: Literal["half", "full"] | UnsetType = UNSET
    growth: Literal["half", "spicy"] | UnsetType = UNSET
    reds: tuple[int, int, int] | UnsetType = UNSET
    open_tanyao: bool | UnsetType = UNSET
    length: Length | UnsetType = UNSET
    players: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.base is not UNSET and self.base.is_nan():
            raise ValueError(f"base points are a number, not {self.base}")


class Meld(Record, frozen=True):
    """A call as it lies on the table: `called` is the tile taken from `target`, `own` those of the hand.

    A kakan keeps the called tile and the two of its pon, and `added`.
    """

    kind: MeldKind
    own: tuple[AnyTile, ...]
    called: AnyTile | UnsetType = UNSET
    target: int | UnsetType = UNSET
    added: AnyTile | UnsetType = UNSET


class FinalHand(Record, frozen=True):
    """A hand as the record shows it when play ends: concealed tiles, the last tile apart, melds oldest first."""

    concealed: tuple[AnyTile, ...]
    last: AnyTile | UnsetType = UNSET
    melds: tuple[Meld, ...] = ()


class Round(msgspec.Struct, omit_defaults=True, repr_omit_defaults=True, forbid_unknown_fields=True):
    """One round: its events in order, from the deal to its end, and what the record says beside them.

    A round known only by its result has no draws and no hands. `wall` is the whole wall where it is known, in the
    order of play: the deal (the dealer's tiles first, three times four tiles each, then one each), the live wall,
    and the dead wall at its end, from whose very end replacements are drawn backwards. Of L tiles, indicator k
    (from 0) is at L-5-2k and its ura at L-6-2k; in games of three players at L-9-2k and L-10-2k. `rules` and
    `date` override the match's. `dice` are two dice, or one total.
    `scores_after` stands only where no result carries the points. `blocked` are the seats whose ron was
    declared and not paid. `dealt_fourteen` says that the dealer took the first draw with the deal.
    `final_hands`, by seat, only where the record shows other hands than play left. `assumed` names the keys of
    the deal that the reader filled in by its format's defaults. `annotations` are in the order of their indices.
    """

    events: list[Event] = field(default_factory=list)
    wall: tuple[AnyTile, ...] | UnsetType = UNSET
    rules: Rules | UnsetType = UNSET
    date: datetime.date | UnsetType = UNSET
    dice: tuple[int, ...] | UnsetType = UNSET
    comment: Text | UnsetType = UNSET
    scores_after: AnyPerSeat | UnsetType = UNSET
    blocked: tuple[int, ...] = ()
    dealt_fourteen: bool = False
    final_hands: tuple[FinalHand, ...] | UnsetType = UNSET
    assumed: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> StartRound | None:
        """The deal, where the round has one."""
        for event in self.events:
            if type(event) is StartRound:
                return event
        return None

    @property
    def is_played(self) -> bool:
        """Whether any tile of the round is known: otherwise it is only a result.

        >>> Round([StartRound(tehais=(("?",) * 13,) * 4)]).is_played
        False
        """
        start = self.start
        if start is not None and not all(map(_HIDDEN.issuperset, start.tehais or ())):
            return True
        return any(type(event) is Draw for event in self.events)

    def select(self, *kinds: type[Kind]) -> list[Kind]:
        """Give the events of these kinds, in order.

        >>> Round([StartRound(kyoku=1)]).select(StartRound)
        [StartRound(kyoku=1)]
        """
        return select(self.events, *kinds)

    @property
    def label(self) -> str:
        """The round's name as people write it, ``E1-0``, or as much of it as is known.

        >>> Round([StartRound(bakaze="S", kyoku=3, honba=1)]).label
        'S3-1'
        """
        start = self.start
        if start is None:
            return "?"
        parts = (start.bakaze, start.kyoku, start.honba)
        if UNSET not in parts:
            return "{}{}-{}".format(*parts)
        wind, number, honba = ("?" if part is UNSET else str(part) for part in parts)
        return "?" if wind == number == honba == "?" else f"{wind}{number}-{honba}"


class Match(msgspec.Struct, omit_defaults=True, repr_omit_defaults=True, forbid_unknown_fields=True):
    """One match. `players` is empty when nothing is known of anyone.

    `opening` and `closing` are the events before the first round and after the last. `final_scores` are the
    points after oka and uma, `points_after` the tournament points after the match, both by player. What a format
    has beyond all this travels in `extras`, under the format's id.

    >>> Match(players=[Player(Name(Text("石橋")))]).players[0].name.last.native
    '石橋'
    """

    players: list[Player] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    opening: list[Event] = field(default_factory=list)
    closing: list[Event] = field(default_factory=list)
    tournament: Tournament | UnsetType = UNSET
    date: datetime.date | UnsetType = UNSET
    weekday: Weekday | UnsetType = UNSET
    time: datetime.time | UnsetType = UNSET
    place: Text | UnsetType = UNSET
    recorders: list[Recorder] = field(default_factory=list)
    rules: Rules | UnsetType = UNSET
    final_scores: AnyPerSeat | UnsetType = UNSET
    points_after: tuple[TournamentPoints, ...] | UnsetType = UNSET
    annotations: tuple[Annotation, ...] = ()
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        """How many play: by the players, else by the first deal that tells, else four."""
        if self.players:
            return len(self.players)
        for game_round in self.rounds:
            start = game_round.start
            if start is not None:
                for hands in (start.tehais, start.scores):
                    if hands is not UNSET:
                        return len(hands)
                if start.oya is not UNSET and start.oya >= USUAL_SEATS:
                    return MOST_SEATS
        return USUAL_SEATS
