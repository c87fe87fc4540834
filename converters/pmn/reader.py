"""Reads PMN: blocks of tags, each block a hand of Chinese Official."""

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType, field, structs

from mjconv.converters.interface import Reading
from mjconv.converters.pmn.tiles import SPELLING_OF, TILE_OF, read_hand
from mjconv.converters.shared.extras import as_extras
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.converters.shared.note_json import MARK
from mjconv.converters.shared.single_hands import SEATS, PlayedHand, StatedHand, decoded, readings
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import AtOffsetError, InputError, Place
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.losses import Report
from mjconv.ir.match import Frozen, Match, Name, Player, Round, Text, Tournament
from mjconv.ir.mcr_fan import BY_NUMBER
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import HAND, WINDS, Tile

#: The key of the format in `extras`.
KEY: Final = "pmn"
#: The value of a tag that is not known.
UNKNOWN: Final = "?"
#: The tags of the players, the dealer first.
PLAYERS: Final = ("East", "South", "West", "North")
#: The tag of mjconv with the number of the second and later hands of a match.
NUMBER_TAG: Final = "Hand"

_TAG: Final = re.compile(r'\[(\w+)[ \t]+"((?:[^"\\]|\\.)*)"\]')
_ACT: Final = re.compile(r"([TD])([0-3])([cdbwrf][1-9]|z1)|([CPABZR])([0-3])([cdbwrf][1-9])|(H)([0-3])|(N)[0-3]?")
KINDS: Final = {"C": "chi", "P": "pon", "A": "ankan", "B": "kakan", "Z": "daiminkan", "R": "nukidora"}
_ONE_FAN: Final = re.compile(r"([1-9][0-9]?)/([0-9]{1,3})/([1-9][0-9]?)")
_POINTS: Final = re.compile("-?[0-9]{1,10}")
_DATE: Final = re.compile(r"^([0-9]{4})\.([0-9]{2})\.([0-9]{2})$")
#: The tags that state keys of events.
_TAGS: Final = catalogue(__name__, "tags.json", dict[str, str])
#: The tags about the whole match, and all tags of PMN.
_OF_MATCH: Final = ("Event", "Site", "Date", *PLAYERS)
_OF_HAND: Final = ("Board", "PWind", "Deal", "Scoring", "Starting", "Result", "Penalty", "Play", "Fan", NUMBER_TAG)
#: The tags that may follow the play after an empty line.
_LAST: Final = ("Fan", MARK)
#: The usual values of tags.
USUAL: Final = {"Scoring": "MCR", "Penalty": "0 0 0 0"}


class PmnRoundExtras(Frozen, frozen=True):
    """The tags of a hand that no field of a round holds, as the file states them.

    `board` is a number that does not follow from the wind and the number of the round. `result` are the points of
    a hand with several winners, if the points before it are not known. `date` is a date that is known in part, as
    `2026.04.??`. `tags` are the tags of other programs.
    """

    scoring: str = ""
    penalty: str = ""
    board: str = ""
    result: str = ""
    date: str = ""
    tags: dict[str, str] = field(default_factory=dict)


class _Tag(NamedTuple):
    """A tag: its value without escapes, and the place of the value."""

    value: str
    place: Place


class _TagError(AtOffsetError):
    """A value that is wrong: the reason, the tag, and the index of the character in the value."""

    def __init__(self, message: str, tag: str, index: int = 0) -> None:
        super().__init__(message, index)
        self.tag = tag


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the hands of a file one by one: each is a match of one round.

    Raises `InputError` with its place. With a lenient report, an error in a hand is a fault, and the reader
    continues with the next hand.

    >>> tags = {"PWind": "S", "Deal": " ".join(["c1112223334445"] * 4), "Play": "T0d2D0z1N0"}
    >>> text = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
    >>> [(match, locate)] = read(text.encode(), Report())
    >>> match.rounds[0].events[2]
    Discard(actor=0, pai='2p', tsumogiri=True)
    """
    return readings(KEY, parse(decoded(data, report)), report)


def parse(text: str) -> Iterator[StatedHand]:
    """Yield the hands of a text.

    A tag that a hand already has begins the next hand, and so does a tag after the play and an empty line.
    """
    tags: dict[str, _Tag] = {}
    notes: list[tuple[str, Place]] = []
    begin = Place(1, 1, "")
    fault: InputError | None = None
    ended = False
    for number, whole in enumerate(text.split("\n"), 1):
        line = whole.strip()
        if not line:
            ended = "Play" in tags
            continue
        column = len(whole) - len(whole.lstrip()) + 1
        place = Place(number, column, whole.rstrip("\r"))
        stated = _TAG.fullmatch(line)
        if stated is not None and (stated[1] in tags or (ended and stated[1] not in _LAST)):
            yield _hand(tags, notes, begin, fault)
            tags, notes, fault, ended = {}, [], None, False
        if not (tags or notes or fault):
            begin = place
        if stated is None:
            fault = fault or InputError('expected a tag and its value, such as [PWind "E"]', place)
        elif stated[1] == MARK:
            notes.append((unescaped_note(stated[2]), place))
        else:
            value = re.sub(r"\\(.)", r"\1", stated[2])
            tags[stated[1]] = _Tag(value, structs.replace(place, column=column + stated.start(2)))
    if not (tags or notes or fault):
        fault = InputError('the file has no hand: expected tags such as [PWind "E"]', begin)
    yield _hand(tags, notes, begin, fault)


def escaped_note(note: str) -> str:
    r"""Return a note for the value of a tag, without quotation marks, at which simple programs cut a line.

    >>> escaped_note('{"a":"it\'s"}')
    "{'a':'it\\\\u0027s'}"
    """
    return note.replace("'", "\\u0027").replace('"', "'").replace("\\", "\\\\")


def unescaped_note(value: str) -> str:
    r"""Return the note of the value of a tag.

    >>> unescaped_note(escaped_note('{"a":"it\'s \\" "}'))
    '{"a":"it\\u0027s \\" "}'
    """
    return re.sub(r"\\(.)", r"\1", value if '"' in value else value.replace("'", '"'))


def _hand(
    tags: Mapping[str, _Tag], notes: list[tuple[str, Place]], begin: Place, fault: InputError | None
) -> StatedHand:
    hand = StatedHand(begin, fault=fault, notes=notes)
    if fault is None:
        try:
            _TagReader(tags, hand).read()
        except _TagError as error:
            place = tags[error.tag].place if error.tag in tags else begin
            hand.fault = InputError(str(error), structs.replace(place, column=place.column + error.offset))
    return hand


class _TagReader:
    """Reads the tags of one hand."""

    def __init__(self, tags: Mapping[str, _Tag], hand: StatedHand) -> None:
        self.tags = tags
        self.hand = hand
        self.names = [self._value(tag) for tag in PLAYERS]
        self.play = PlayedHand(SPELLING_OF)
        self.wins: list[ev.Win] = []
        self.drawn_game = False
        #: The index of each act in the play.
        self.of_event: list[int] = [0]

    def read(self) -> None:
        """Fill in the hand. Raises `_TagError`."""
        self.hand.match = self._match()
        self.hand.number = int(self._number(NUMBER_TAG) or 1)
        values = {tag: self.tags[tag].value for tag in _OF_MATCH if tag in self.tags}
        # The names of all hands of a match are in the same order, from the dealer on.
        turns = [self.names[seat:] + self.names[:seat] for seat in range(SEATS)]
        self.hand.key = (*(values.get(tag, "") for tag in _OF_MATCH[:3]), min(turns))
        self.hand.head = "\n".join(values.values()).encode("utf-8", "replace")
        rest = [self.tags[tag].value for tag in sorted(self.tags) if tag not in _OF_MATCH and tag != NUMBER_TAG]
        self.hand.tokens = "\n".join(rest).encode("utf-8", "replace")
        self.hand.round = self._round()
        self.hand.locate = self._locate

    def _value(self, tag: str) -> str:
        """Return the value of a tag, empty if it is not known."""
        value = self.tags[tag].value if tag in self.tags else ""
        return "" if value == UNKNOWN else value

    def _number(self, tag: str) -> str:
        value = self._value(tag)
        if value and re.fullmatch("[1-9][0-9]{0,5}", value) is None:
            raise _TagError("expected a number from 1", tag)
        return value

    def _by_player(self, tag: str, example: str) -> list[tuple[str, int]]:
        """Return the words of the four players, each with its index in the value; none if it is not known."""
        words = [(word[0], word.start()) for word in re.finditer("[^ ]+", self._value(tag))]
        if len(words) not in (0, SEATS):
            raise _TagError(f"expected the values of four players, such as {example}", tag)
        return words

    def _points(self, tag: str) -> tuple[int, ...] | UnsetType:
        words = self._by_player(tag, "0 0 0 0")
        for word, begin in words:
            if _POINTS.fullmatch(word) is None or abs(int(word)) > MOST_POINTS:
                raise _TagError(f"expected points up to {MOST_POINTS}", tag, begin)
        return tuple([int(word) for word, _ in words]) or UNSET

    def _match(self) -> Match:
        event, site = map(self._value, ("Event", "Site"))
        return Match(
            [Player(Name(Text(name)) if name else UNSET) for name in self.names] if any(self.names) else [],
            tournament=Tournament(name=Text(event)) if event else UNSET,
            place=Text(site) if site else UNSET,
            date=self._date(),
        )

    def _date(self) -> datetime.date | UnsetType:
        value = self._value("Date")
        try:
            known = value and "?" not in value
            return datetime.date.fromisoformat("-".join(_DATE.findall(value)[0])) if known else UNSET
        except (IndexError, ValueError):
            raise _TagError("expected a date, such as 2022.06.25", "Date") from None

    def _round(self) -> Round:
        wind = self._value("PWind")
        if wind not in WINDS:
            raise _TagError("expected the wind of the round: E, S, W or N", "PWind")
        hands: list[tuple[Tile, ...]] = []
        for text, begin in self._by_player("Deal", "c7d345677b3689w2r1f"):
            hands.append(read_hand(text) or ())
            if len(hands[-1]) != HAND:
                raise _TagError(f"expected a hand of {HAND} tiles, such as c7d345677b3689w2r1f", "Deal", begin)
        if not hands:
            raise _TagError("expected the tag Deal with the hands of four players", "Deal")
        kyoku, board = self._board(wind)
        scores = self._points("Starting")
        start = ev.StartRound(bakaze=wind, kyoku=kyoku, oya=0, scores=scores, tehais=tuple(hands))
        self._read_play()
        result, results = self._points("Result"), self._results()
        after: Any = UNSET
        if len(results) == 1:
            results = [structs.replace(results[0], deltas=result)]
        elif results and result is not UNSET and scores is not UNSET:
            after = tuple([score + gained for score, gained in zip(scores, result, strict=True)])
        kept = "" if len(results) == 1 or after is not UNSET or result is UNSET else self._value("Result")
        scoring, penalty = (self._value(tag) * (self._value(tag) != usual) for tag, usual in USUAL.items())
        if penalty:
            self.hand.warning = "the hand has penalties. They were kept, and do not count as points"
        others = {tag: one.value for tag, one in self.tags.items() if tag not in (*_OF_MATCH, *_OF_HAND)}
        date = self._value("Date") * (self.hand.match.date is UNSET)
        extras = PmnRoundExtras(scoring, penalty, board, kept, date, others)
        events = [start, *self.play.events, *results, *([ev.EndRound()] if results else [])]
        return Round(events, scores_after=after, extras=as_extras(KEY, extras))

    def _board(self, wind: str) -> tuple[int | UnsetType, str]:
        """Return the number of the round in its wind, and the board where that does not follow from it."""
        board = self._number("Board")
        if not board:
            return UNSET, ""
        before, number = divmod(int(board) - 1, SEATS)
        return (number + 1, "") if before == WINDS.index(wind) else (UNSET, board)

    def _read_play(self) -> None:
        text = self._value("Play")
        begin = 0
        while begin < len(text):
            act = _ACT.match(text, begin)
            if act is None:
                raise _TagError("expected an act, such as T0r3, D0z1, C3d8, H2 or N0", "Play", begin)
            if self.drawn_game or (self.wins and act[7] is None):
                raise _TagError("expected no act after the end of the hand", "Play", begin)
            try:
                self._act(act)
            except CannotHoldError as error:
                raise _TagError(str(error), "Play", begin) from None
            self.of_event.append(begin)
            begin = act.end()

    def _act(self, act: re.Match[str]) -> None:
        move, mover, moved, call, caller, called, won, winner, _ = act.groups()
        if move == "T":
            self.play.draw(int(mover), self._tile(moved))
        elif move == "D":
            own = moved == "z1"
            _, tile = self.play.drawn or (0, "") if own else (0, self._tile(moved))
            if not tile:
                raise CannotHoldError("no tile was drawn, so it cannot be discarded as z1")
            self.play.discard(ev.Discard(int(mover), tile, own))
        elif call:
            self.play.call(KINDS[call], int(caller), self._tile(called))
        elif won:
            self.wins.append(structs.replace(self.play.called("hora", int(winner), "?"), pai=UNSET))
        else:
            self.drawn_game = True

    def _tile(self, spelling: str) -> str:
        if spelling not in TILE_OF:
            raise CannotHoldError(f"there is no tile {spelling}")
        return TILE_OF[spelling]

    def _results(self) -> list[Any]:
        fans = self._fans()
        if self.drawn_game:
            return [ev.Ryukyoku(REASON_IN_MESSAGES["exhaustive_draw"])]
        return [structs.replace(win, **fan) for win, fan in zip(self.wins, fans, strict=True)]

    def _fans(self) -> list[dict[str, Any]]:
        """Return the fan of each winner, and their sum."""
        fans: dict[int, dict[str, Any]] = {win.actor: {} for win in self.wins}
        for seat, (text, begin) in enumerate(self._by_player("Fan", "None None 39/8/1.62/2/1 None")):
            if text == "None":
                continue
            parts = [_ONE_FAN.fullmatch(part) for part in text.split(".")]
            named = [part for part in parts if part is not None and int(part[1]) in BY_NUMBER]
            if len(named) != len(parts) or seat not in fans:
                raise _TagError("expected None, or the fan of a winner, such as 39/8/1.62/2/1", "Fan", begin)
            yakus = tuple([(BY_NUMBER[int(one[1])].id, int(one[2]) * int(one[3])) for one in named])
            fans[seat] = {"yakus": yakus, "fan": sum(fan for _, fan in yakus)}
        return [fans[win.actor] for win in self.wins]

    def _locate(self, event: int, key: str) -> Place:
        tag = _TAGS.get(key, "Deal" if event == 0 else "Play")
        if tag not in self.tags:
            return self.hand.begin
        place = self.tags[tag].place
        # The end of the hand is its last act.
        begin = self.of_event[min(event, len(self.of_event) - 1)] if tag == "Play" else 0
        return structs.replace(place, column=place.column + begin)
