"""A match: its rounds, its players, its rules, and when and where it was played.

``Match -> Round -> Event``. A value that the source does not state is absent (`msgspec.UNSET`), never invented.
Seats count from 0, the seat of the first dealer. Points are whole points: 25000, where a format may write 25.0.
"""

import datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType, field

from mjconv.ir.events import (
    MOST_POINTS,
    MOST_SEATS,
    AnyPerSeat,
    AnySeat,
    Count,
    Draw,
    Event,
    Kind,
    Points,
    StartRound,
    select,
)
from mjconv.ir.tiles import HIDDEN, AnyTile, Wind

Weekday: TypeAlias = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
MeldKind: TypeAlias = Literal["chi", "pon", "daiminkan", "kakan", "ankan", "nukidora"]


AnnotationKind: TypeAlias = Literal["comment", "mark", "left", "returned", "think_time", "emote", "claim"]
Length: TypeAlias = Literal["one round", "east", "south", "west"]
#: When the dealer deals again: after a win of their own or in tenpai at a draw; after their win alone; after their
#: win or any draw; never. After a round that is broken off, the dealer deals again in every house.
Renchan: TypeAlias = Literal["tenpai", "win", "draw", "never"]

#: The number of seats of a game whose record does not state it.
USUAL_SEATS: Final = 4


_HIDDEN: Final = frozenset({HIDDEN})


class Frozen(
    msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """Base of the parts that do not change after they are read."""


class Text(Frozen, frozen=True):
    """A text in its native script, romanised, or both. `code` is an abbreviation of the field (``mlg``)."""

    native: str | UnsetType = UNSET
    roman: str | UnsetType = UNSET
    code: str | UnsetType = UNSET

    @property
    def shown(self) -> str:
        """The text as people read it: native, else romanised, else its code."""
        return self.native or self.roman or self.code or ""


class Name(Frozen, frozen=True):
    """A person's name. A name that is not divided is the `native` text of `last`."""

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


class TournamentPoints(Frozen, frozen=True):
    """Tournament points of a player and of the player's team, in points: 25.0 is 25000."""

    personal: int | UnsetType = UNSET
    team: int | UnsetType = UNSET


class Annotation(Frozen, frozen=True):
    """A remark beside the events: a person's comment, or the platform's note about a player.

    In a round, `index` is the number of events before the annotation, from 0 to the number of events. In a match,
    `index` is the number of rounds before it. `seat` is the player whom it is about; it is absent if it is about
    no single player. Annotations count for equality.

    | kind | `value` |
    | --- | --- |
    | ``comment`` | the text that a person wrote, without the signs that begin a comment in its format |
    | ``mark`` | a sign of a person's own, such as ``(a)`` |
    | ``left``, ``returned`` | absent: the player of `seat` left the table, or came back |
    | ``think_time`` | milliseconds that the player of `seat` took for the next event |
    | ``emote`` | the number or the name of the emote |
    | ``claim`` | a claim of `seat` that the next event, a better claim, overrode: as an mjai message |

    >>> Annotation(0, "comment", value="a risky start")
    Annotation(index=0, kind='comment', value='a risky start')
    """

    index: int
    kind: AnnotationKind
    seat: AnySeat | UnsetType = UNSET
    value: str | int | UnsetType = UNSET


class Answer(Frozen, frozen=True):
    """A message beside the game of a round: a player's answer, or a message of the host that is no play.

    `index` is the number of events before it, from 0 to the number of events. `message` is a `Pass`, a `Join` or
    an action of a player, or a `Hello` or an `ErrorMessage` of the host; its `extras` keep its other keys, such as
    ``meta``. `seat` is the player who answers; it is absent for the host, and for a player who is not known. The
    host may have overruled an action: then the next event is another one. Answers count for equality.

    >>> from mjconv.ir.events import Discard
    >>> Answer(2, Discard(1, "9p", tsumogiri=True), seat=1).message.pai
    '9p'
    """

    index: int
    message: Event
    seat: int | UnsetType = UNSET


class Player(Frozen, frozen=True):
    """One player: name, team, affiliation, and tournament points before the match.

    `rank` is the rank on a platform, in the platform's spelling (``七段``). `rating` is the rating on the
    platform. Raises `ValueError` if it is not a number between -10**9 and 10**9.
    """

    name: Name | UnsetType = UNSET
    team: Text | UnsetType = UNSET
    affiliation: Text | UnsetType = UNSET
    points_before: TournamentPoints | UnsetType = UNSET
    rank: str | UnsetType = UNSET
    rating: Decimal | UnsetType = UNSET

    def __post_init__(self) -> None:
        rating = self.rating or Decimal(0)
        if not rating.is_finite() or abs(rating) >= MOST_POINTS:
            raise ValueError(f"a rating must be a number between {-MOST_POINTS} and {MOST_POINTS}")

    @property
    def called(self) -> str:
        """The name as one string, empty if it is not known."""
        return self.name.shown if self.name else ""


class Tournament(Frozen, frozen=True):
    """The tournament: its name, the year it began, its stage, and the number of the match in stage and day."""

    name: Text | UnsetType = UNSET
    year: int | UnsetType = UNSET
    stage: Text | UnsetType = UNSET
    number_in_stage: int | UnsetType = UNSET
    number_in_day: int | UnsetType = UNSET

    @property
    def shown(self) -> str:
        """The name, the year and the stage, as far as they are known."""
        texts = (self.name and self.name.shown, str(self.year or ""), self.stage and self.stage.shown)
        return " ".join(text for text in texts if text)


class RoundId(Frozen, frozen=True):
    """The name of a round: wind, number in that wind (from 1), honba."""

    wind: Wind
    number: int
    honba: int

    def __str__(self) -> str:
        return f"{self.wind}{self.number}-{self.honba}"


class Recorder(Frozen, frozen=True):
    """A person who recorded the match. `rounds` are the rounds that this person recorded, absent if not stated."""

    name: Name | UnsetType = UNSET
    rounds: Literal["all"] | tuple[RoundId, ...] | UnsetType = UNSET


class House(Frozen, frozen=True, kw_only=True):
    """The rules of riichi that differ from house to house. A rule that is absent is not stated.

    | field | effect | usual |
    | --- | --- | --- |
    | `reds` | the numbers of red fives of characters, circles and bamboo, at most | `(1, 1, 1)` |
    | `open_tanyao` | an open hand may win with tanyao alone | yes |
    | `honba` | the points that one honba adds to a win | 300 |
    | `swap_calling` | a player may discard a tile that the call could have taken (kuikae) | no |
    | `kiriage` | 30 fu 4 han and 60 fu 3 han count as mangan | no |
    | `double_yakuman` | some yakuman count double | no |
    | `counted_yakuman` | 13 han count as a yakuman, and not as 12 han | yes |
    | `late_riichi` | riichi may be declared when no draw is left | no |
    | `riichi_in_debt` | riichi may be declared with fewer than 1000 points | no |
    | `late_dora` | the dora indicator of a concealed kan may be turned after its replacement is drawn | no |
    | `early_dora` | the indicator of an open or added kan may be turned before its replacement is drawn | no |
    | `fifth_wait` | a hand that waits only for tiles of which it holds all four is tenpai | no |
    | `wareme` | the player where the wall was broken pays and is paid double | no |
    | `local_yaku` | wins may have yaku that only this house plays, such as open riichi, with stated han | no |
    | `renchan` | when the dealer deals again (`Renchan`) | after a win or in `tenpai` |

    >>> House(swap_calling=True).kiriage
    UNSET
    """

    reds: tuple[Count, Count, Count] | UnsetType = UNSET
    open_tanyao: bool | UnsetType = UNSET
    honba: Count | UnsetType = UNSET
    swap_calling: bool | UnsetType = UNSET
    kiriage: bool | UnsetType = UNSET
    double_yakuman: bool | UnsetType = UNSET
    counted_yakuman: bool | UnsetType = UNSET
    late_riichi: bool | UnsetType = UNSET
    riichi_in_debt: bool | UnsetType = UNSET
    late_dora: bool | UnsetType = UNSET
    early_dora: bool | UnsetType = UNSET
    fifth_wait: bool | UnsetType = UNSET
    wareme: bool | UnsetType = UNSET
    local_yaku: bool | UnsetType = UNSET
    renchan: Renchan | UnsetType = UNSET


class Rules(House, frozen=True):
    """The rules that a record states. A field is absent if the record does not state it.

    `game` is the tradition of play: ``riichi``, ``hongkong``, ``mcr`` (Chinese Official), ``uzje``, or the id of
    a rule set that another package adds (`mjconv.rules.rulesets`).

    Riichi: the rules of a `House`. `start` and `returning` are points of one player. `uma` are the points that
    the 4th pays the 1st, and the 3rd the 2nd. `by_place` are instead the points of each place, from the first,
    where `uma` cannot state them. At equal points, the `ties` ``share`` the points of their places, or the seat
    nearer to the first ``dealer`` has the higher place. `chombo` are the points that one chombo costs after the
    game. `tenpai` is the sum of the payments at an exhausted wall. `length` is the planned length of the game,
    `players` the number of players.

    Hong Kong: `base` is the points of zero faan (exact), `max_faan` the limit. `responsibility`: whether the
    discarder pays for ``half`` or in ``full``. `growth` is the growth of the points above four faan. `min_faan`
    are the fewest faan of a win. `multipliers` are instead the multipliers of the base for each number of faan
    from 0; more faan have the last one.

    Raises `ValueError` if `base` is not a number: it could not be compared.
    """

    start: Points | UnsetType = UNSET
    returning: Points | UnsetType = UNSET
    uma: tuple[Points, Points] | UnsetType = UNSET
    by_place: tuple[Points, ...] | UnsetType = UNSET
    ties: Literal["share", "dealer"] | UnsetType = UNSET
    chombo: Points | UnsetType = UNSET
    tenpai: Points | UnsetType = UNSET
    base: Decimal | UnsetType = UNSET
    max_faan: int | UnsetType = UNSET
    responsibility: Literal["half", "full"] | UnsetType = UNSET
    growth: Literal["half", "spicy"] | UnsetType = UNSET
    min_faan: int | UnsetType = UNSET
    multipliers: tuple[int, ...] | UnsetType = UNSET
    length: Length | UnsetType = UNSET
    players: int | UnsetType = UNSET
    game: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.base is not UNSET and self.base.is_nan():
            raise ValueError(f"base points must be a number, not {self.base}")


class Meld(Frozen, frozen=True):
    """A call on the table: `own` are the tiles of the hand, `called` is the tile taken from `target`.

    A kakan has the `own` and `called` tiles of its pon, and the tile `added` to it. An ankan and a nukidora have
    no `called` tile.
    """

    kind: MeldKind
    own: tuple[AnyTile, ...]
    called: AnyTile | UnsetType = UNSET
    target: int | UnsetType = UNSET
    added: AnyTile | UnsetType = UNSET


class FinalHand(Frozen, frozen=True):
    """A hand at the end of play, as the record shows it.

    `last` is the last tile, if the record shows it apart from the `concealed` tiles. `melds` are in the order of
    the calls.
    """

    concealed: tuple[AnyTile, ...]
    last: AnyTile | UnsetType = UNSET
    melds: tuple[Meld, ...] = ()


class Round(msgspec.Struct, dict=True, omit_defaults=True, repr_omit_defaults=True, forbid_unknown_fields=True):
    """One round: its events in order, from the deal to its end, and the data of the record beside them.

    The events are the game as it was played: what players answered to the host's messages is in `answers`.

    If only the result of a round is known, the round has no draws and no known hands.

    `wall` is the whole wall, if it is known, in the order of play: the deal (three times four tiles for each
    player, the dealer first, then one tile each), the live wall, and the dead wall at its end. Replacement tiles
    are drawn from the very end backwards. In a wall of L tiles, dora indicator k (from 0) has the index L-5-2k,
    and its ura indicator L-6-2k; in a three-player game L-9-2k and L-10-2k.

    `rules` and `date` replace the match's values. `dice` are two dice, or one total. `scores_after` are the points
    after the round, present only if no result states them. `blocked` are the seats whose ron was declared and not
    paid. `dealt_fourteen`: whether the dealer took the first draw with the deal. `final_hands`, by seat, is
    present only if the record shows hands that differ from the hands after play. `assumed` are the keys of the
    deal that the reader filled in by the defaults of its format. `annotations` are in the order of their indices.
    `answers` are the messages of players and host beside the game, in the order of their indices; those of one
    index are in the order of the record.
    `extras` holds the data of one format that no other field holds, under the id of the format.
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
    answers: tuple[Answer, ...] = ()
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def start(self) -> StartRound | None:
        """The deal, or None if the round has none."""
        for event in self.events:
            if type(event) is StartRound:
                return event
        return None

    @property
    def is_played(self) -> bool:
        """Whether any tile of the round is known. If not, the round is only a result.

        >>> Round([StartRound(tehais=(("?",) * 13,) * 4)]).is_played
        False
        """
        start = self.start
        if start is not None and not all(map(_HIDDEN.issuperset, start.tehais or ())):
            return True
        return any(type(event) is Draw for event in self.events)

    def select(self, *kinds: type[Kind]) -> list[Kind]:
        """Return the events of these kinds, in order.

        >>> Round([StartRound(kyoku=1)]).select(StartRound)
        [StartRound(kyoku=1)]
        """
        return select(self.events, *kinds)

    @property
    def label(self) -> str:
        """The name of the round, ``E1-0``. A wind or number that is not known is ``?``; honba are left out.

        >>> Round([StartRound(bakaze="S", kyoku=3, honba=1)]).label, Round([StartRound(bakaze="S")]).label
        ('S3-1', 'S?')
        """
        start = self.start
        if start is None:
            return "?"
        wind, number = ("?" if part is UNSET else str(part) for part in (start.bakaze, start.kyoku))
        honba = "" if start.honba is UNSET else f"-{start.honba}"
        return "?" if wind == number == "?" and not honba else f"{wind}{number}{honba}"

    def __repr__(self) -> str:
        # Imported here: few programs show a round.
        from mjconv.ir.display import Played, round_line

        return round_line(Played(self.label, self.events))


class Original(Frozen, frozen=True):
    """The record that a match was read from, as the bytes of this match, decompressed.

    `flavour` is the id of its format. Some records state much that no field of the hub holds: these formats keep
    the record itself (`Format.original`). If the match is unchanged, a writer of the same flavour writes
    these bytes again.
    """

    flavour: str
    data: bytes


class Match(msgspec.Struct, eq=False, omit_defaults=True, repr_omit_defaults=True, forbid_unknown_fields=True):
    """One match: its players by seat, its rounds in order, and the data around them.

    `players` is empty if the record states nothing about any player. `opening` and `closing` are the events before
    the first round and after the last. `final_scores` are the points after oka and uma, by seat. `points_after`
    are the tournament points after the match, by seat. `extras` holds the data of one format that no other field
    holds, under the id of the format.

    `id` is the identifier of the match on its platform, in the platform's spelling. `room` is the room of the
    platform, such as ``houou`` of Tenhou or ``jade`` of Mahjong Soul. `lobby` is the number of a private lobby or
    room.

    `original` is the record that the match was read from, if its format keeps it. It holds all hands, names and
    account ids of that record; None removes it. `house` are the usual house rules of the format that the match was
    read from: the referee checks by them where `rules` states none. Two matches are equal if they differ only in
    `original` and `house`.

    `repr` returns one line, and a notebook shows a table of the rounds.

    >>> match = Match(players=[Player(Name(Text("石橋")))])
    >>> match.players[0].name.last.native
    '石橋'
    >>> match
    <Match: 石橋, 0 rounds, 0 events>
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
    original: Original | None = None
    house: House = House()
    id: str | UnsetType = UNSET
    room: str | UnsetType = UNSET
    lobby: int | UnsetType = UNSET

    def __eq__(self, other: object) -> bool:
        if type(other) is not Match:
            return NotImplemented
        return bool(_COMPARED(self) == _COMPARED(other))

    def __ne__(self, other: object) -> bool:
        # msgspec's own comparison would be taken otherwise.
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    @property
    def seats(self) -> int:
        """The number of players: of `players`, else of the first deal that states hands or scores, else four."""
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

    def rules_of(self, game_round: Round) -> Rules | UnsetType:
        """Return the rules that the record states for a round: its own, else the rules of the match."""
        return self.rules if game_round.rules is UNSET else game_round.rules

    def date_of(self, game_round: Round) -> datetime.date | UnsetType:
        """Return the date that the record states for a round: its own, else the date of the match."""
        return self.date if game_round.date is UNSET else game_round.date

    def __repr__(self) -> str:
        # Imported here: few programs show a match.
        from mjconv.ir.display import match_line

        events = len(self.opening) + sum(len(game_round.events) for game_round in self.rounds) + len(self.closing)
        return match_line(self.names, self.seats, len(self.rounds), events, self._day())

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows: a row for each round."""
        from mjconv.ir.display import Played, html_table

        rounds = [Played(game_round.label, game_round.events) for game_round in self.rounds]
        return html_table(self.names, self.seats, rounds, self._day())

    @property
    def names(self) -> list[str]:
        """The names of the players, empty where they are not known."""
        return [player.called for player in self.players]

    def _day(self) -> str:
        return "" if self.date is UNSET else self.date.isoformat()


#: The fields of a match that are no part of the game: its original record, and the usual house of its format.
BESIDE: Final = ("original", "house")
#: Returns the fields of a match that count for equality, the most different ones first.
_COMPARED: Final = attrgetter("rounds", *sorted({*Match.__struct_fields__} - {"rounds", *BESIDE}))
