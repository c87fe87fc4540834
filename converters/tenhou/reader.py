"""Reads Tenhou records: finds the syntax of the file, and reads mjlog XML: its head, its rounds, its notes.

`json_reader` reads the other syntaxes.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.interface import Reading
from mjconv.converters.shared import note_json
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.restore import FoundNote, Scope
from mjconv.converters.tenhou.detect import syntax_of
from mjconv.converters.tenhou.vocabulary import LISTED, NO_RED, RANKS, RATE, SOUTH, THREE, room_of, rules_of
from mjconv.converters.tenhou.wall import SeedError, SeedWall, wall_of, walls_of
from mjconv.converters.tenhou.xml_round import DrawOrDiscard, Ends, HeadValues, XmlRoundReader, draws_and_discards
from mjconv.converters.tenhou.xml_scanner import ROOT, Element, Scan, XmlComment, tokens_in
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Name, Original, Player, Round, Text

_FORMAT: Final = "tenhou"
#: The first characters of a file, among which its first sign is.
_LEADING: Final = 5000

#: The elements of the head.
_OF_HEAD: Final = frozenset({"SHUFFLE", "GO", "UN", "BYE", "TAIKYOKU"})
_MOST_TYPE: Final = 0xFFFF
_LOBBY: Final = re.compile("[0-9]{1,9}")
_BLANK: Final = "\ufeff \t\r\n"
#: The attributes of events by their keys in the hub.
_ATTRIBUTES: Final = catalogue(__name__, "attributes.json", dict[str, list[str]])


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one. Raises `InputError` with its place.

    A file of mjlog XML holds one match, a file of tenhou.net/6 objects or of links one or more. With a lenient
    report, an error in a round is a fault, and the reader continues with the next round.

    >>> [reading] = read(b'<mjloggm ver="2.3"><GO type="185" lobby="0"/></mjloggm>', Report())
    >>> reading.match.rules.players
    3
    """
    text = _decoded(data, report)
    syntax = syntax_of(data)
    if text is None:
        return
    begin = text[:_LEADING].lstrip("\ufeff \t\r\n")
    if syntax == "xml" or begin.startswith("<"):
        reader = _XmlMatchReader(text, report)
        try:
            reader.read()
        except InputError as error:
            # Nothing of the file can be read.
            report.fault(error)
            return
        yield reader.reading(data)
    elif syntax == "json" or begin.startswith(("{", "[")):
        from mjconv.converters.shared.json_file import objects
        from mjconv.converters.tenhou.json_reader import read_objects

        yield from read_objects(objects(data, report), report, "tenhou-json")
    elif syntax == "url" or begin.startswith("http"):
        from mjconv.converters.tenhou.json_reader import links, read_objects

        yield from read_objects(links(data, report), report, "tenhou-url")
    else:
        expected = 'expected <mjloggm ver="2.3">, an object of tenhou.net/6, or a link with #json='
        report.fault(InputError(f"this is no Tenhou record: {expected}", Place.at(text[:1000], 0)))


def _decoded(data: bytes, report: Report) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = data[: error.start + 100].decode("utf-8", "replace")
        place = Place.at(text, len(data[: error.start].decode("utf-8")))
        report.fault(InputError("the text is not UTF-8", place))
        return None


class _RoundPieces(NamedTuple):
    """The pieces of a round: from `begin` to before `end`. `skipped` are its pieces without events.

    For each of them, it has the number of events before it.
    """

    begin: int
    end: int
    skipped: list[int]

    def piece(self, event: int) -> int:
        """Return the piece of an event, or `end` for an event without a piece."""
        return min(self.begin + event + bisect_right(self.skipped, event), self.end)


class _XmlMatchReader:
    """Reads the head of an mjlog, then its rounds, then its notes."""

    def __init__(self, text: str, report: Report) -> None:
        self.scan = Scan(text)
        self.report = report
        self.match = Match()
        self.head = HeadValues(LISTED, reds=True, names=(), sorts=False)
        #: The walls that the seed of the game determines.
        self.walls: Iterator[SeedWall] = iter(())
        self.rounds: list[_RoundPieces] = []
        #: The piece that is read next, and its element if it is an INIT that was read.
        self.piece = 2
        self.deal: Element | None = None
        #: The results of the rounds: the index of the round, the element, and the end of the game in its `owari`.
        self.results: list[tuple[int, Element, Ends | None]] = []

    def read(self) -> None:
        """Read the visible match. Raises `InputError` where nothing of the file can be read."""
        scan = self.scan
        begin = min(1, len(scan.pieces) - 1)
        if scan.pieces[0].strip(_BLANK) or not begin or scan.element(1).name != ROOT:
            raise InputError(f'expected <{ROOT} ver="2.3">', scan.place(begin))
        self._head()
        end = len(scan.pieces)
        if self.piece < end:
            table = draws_and_discards(self.head.reds, self.head.seats)
            plays: list[DrawOrDiscard | None] = [*map(table.get, scan.pieces), None]
            others = [piece for piece, play in enumerate(plays) if play is None]
            while self.piece < end and not scan.is_root_end(self.piece):
                self._round(plays, others)
        for number, element, ends in self.results[:-1]:
            if ends is not None:
                message = "owari is at a result that is not the last one of the game. It was ignored"
                self._warn(message, element, "owari", number)
        if self.piece == end:
            self.report.warn("the game has no end: the file breaks off", match=0)
            return
        self.match.closing = [ev.EndGame()]
        if self.results and self.results[-1][2] is not None:
            scores, self.match.final_scores = self.results[-1][2]
            self.match.closing = [ev.EndGame(scores=scores)]
        follows = scan.after_root(self.piece)
        if follows is not None:
            message = (
                "something follows </mjloggm>: an mjlog holds one match. Write each match as a file of its own"
            )
            self.report.fault(InputError(message, follows), match=0)

    def _warn(self, message: str, element: Element, key: str, number: int | None = None) -> None:
        self.report.warn(message, match=0, round=number, place=self.scan.place(element.piece, key))

    # The head.

    def _head(self) -> None:
        """Read the elements before the first INIT."""
        scan = self.scan
        elements: dict[str, Element] = {}
        names: set[str] = set()
        annotations: list[Annotation] = []
        while self.piece < len(scan.pieces) and not scan.is_root_end(self.piece):
            if not scan.is_end(self.piece):
                element = scan.element(self.piece)
                name = element.name
                if name == "INIT":
                    self.deal = element
                    break
                if name not in _OF_HEAD or element.tile is not None:
                    message = f"the element {name} comes before the first INIT"
                    raise InputError(message, scan.place(self.piece))
                if name == "BYE" or (name == "UN" and name in elements):
                    annotations.append(element.presence(0, names))
                elif name in elements:
                    raise InputError(f"the element {name} is there twice", scan.place(self.piece))
                else:
                    elements[name] = element
                    names.update(element.names)
            self.piece += 1
        go = elements.get("GO")
        go_type = SOUTH if go is None else go.number("type", 0, _MOST_TYPE)
        seats = 3 if go_type & THREE else 4
        reds = not go_type & NO_RED
        self.match = Match(
            _players(elements["UN"], seats) if "UN" in elements else [],
            rules=UNSET if go is None else rules_of(go_type),
            opening=[ev.StartGame(kyoku_first=0 if go_type & SOUTH else 4, aka_flag=reds)],
            annotations=tuple(annotations),
            room=UNSET if go is None else room_of(go_type),
            lobby=UNSET if go is None else _lobby(go),
        )
        for element in elements.values():
            element.warn_of_unknown(self._warn)
        shuffle = elements.get("SHUFFLE")
        seed = "" if shuffle is None else shuffle.attributes.get("seed", "")
        try:
            self.walls = walls_of(seed, seats)
        except SeedError as error:
            self._warn(f"{error}. The walls are not known", elements["SHUFFLE"], "seed")
            seed = ""
        self.head = HeadValues(seats, reds, names, sorts=seed != "")

    # The rounds.

    def _round(self, plays: list[DrawOrDiscard | None], others: list[int]) -> None:
        begin = self.piece
        number = len(self.match.rounds)
        warn = partial(self._warn, number=number)
        reader = XmlRoundReader(self.scan, begin, self.head, plays, others, warn, compares=self.report.compares)
        whole = True
        try:
            reader.read(self.deal)
        except InputError as error:
            self.report.fault(error, match=0, round=number, event=len(reader.events) or None)
            whole = False
        self.piece = reader.piece if whole else self._next_round(max(reader.piece, begin) + 1)
        self.deal = reader.next_deal
        if whole and self.piece < len(self.scan.pieces):
            reader.events.append(ev.EndRound())
        self.rounds.append(_RoundPieces(begin, self.piece, reader.skipped))
        wall = self._wall(reader, number, whole=whole) if self.report.walls else None
        self.match.rounds.append(reader.round(wall) if reader.events else Round())
        self.results += [(number, *result) for result in reader.results]
        if whole and not reader.results:
            self.report.warn("the round has no result", match=0, round=number, label=self.match.rounds[-1].label)

    def _wall(self, reader: XmlRoundReader, number: int, *, whole: bool) -> list[int] | None:
        """Return the wall of the seed of a round, if it has one that fits."""
        try:
            walls = walls_of(reader.shuffle, self.head.seats) if reader.shuffle else self.walls
            wall = next(walls, None)
            return wall_of(wall, reader.seen, reader.draws()) if wall is not None and reader.events else None
        except SeedError as error:
            if whole:
                element = self.scan.element(self.rounds[number].begin)
                self._warn(f"{error}. The wall was left out", element, "", number)
            return None

    def _next_round(self, piece: int) -> int:
        """Return the next piece, from this one on, that begins a round or ends the game."""
        pieces = self.scan.pieces
        while piece < len(pieces) and not pieces[piece].startswith("INIT") and not self.scan.is_root_end(piece):
            piece += 1
        return piece

    # The notes, and places.

    def reading(self, data: bytes) -> Reading:
        """Return the match, with what its notes restore. `data` is the original of a file without notes."""
        comments = [one for one in self.scan.comments if one.text.strip().startswith(note_json.MARK)]
        if not comments:
            self.match.original = Original(_FORMAT, data)
        notes = [note for comment in comments for note in self._notes(comment)]
        visible = Reading(self.match, self._locate)
        return with_notes(_FORMAT, visible, notes, self._tokens, self.report, 0, seats=self.head.seats)

    def _notes(self, comment: XmlComment) -> Iterator[FoundNote]:
        place = partial(self.scan.lines.place, comment.offset)
        near = bisect_right(self.rounds, comment.offset, key=lambda one: self.scan.offsets[one.begin]) - 1
        try:
            notes = note_json.loads(comment.text.strip().removeprefix(note_json.MARK).encode("utf-8", "replace"))
        except note_json.NoteError as error:
            self.report.fault(InputError(str(error), place()), match=0, round=None if near < 0 else near)
            return
        for note in notes:
            yield FoundNote(note, place, near if note.match is None and near >= 0 else None)

    def _tokens(self, scope: Scope) -> bytes:
        if scope is None:
            begin, end = 1, self.rounds[0].begin if self.rounds else self.piece
        else:
            begin, end, _ = self.rounds[scope]
        return tokens_in(f"<{'<'.join(self.scan.pieces[begin:end])}")

    def _locate(self, number: int | None, event: int, key: str) -> Place:
        scan = self.scan
        if number is None:
            return scan.place(min(1, len(scan.pieces) - 1))
        pieces = self.rounds[number]
        if not 0 <= event < len(self.match.rounds[number].events):
            return scan.place(pieces.begin)
        # The end of a round has no element of its own: the next element ends the round.
        piece = min(pieces.piece(event), len(scan.pieces) - 1)
        for attribute in _ATTRIBUTES.get(key, ()):
            if f" {attribute}=" in scan.pieces[piece]:
                return scan.place(piece, attribute)
        return scan.place(piece)


# The values of the head.


def _lobby(go: Element) -> int | UnsetType:
    """Return the number of a private lobby. An event lobby is written as C and its number."""
    number = go.attributes.get("lobby", "").lstrip("Cc")
    return int(number) or UNSET if _LOBBY.fullmatch(number) else UNSET


def _players(un: Element, seats: int) -> list[Player]:
    """Return the players that UN states. Ranks and ratings that it does not state are absent."""
    names = [un.decoded(f"n{seat}") for seat in range(seats)]
    ranks = un.numbers("dan") if "dan" in un.attributes else []
    rates = un.attributes["rate"].split(",") if un.attributes.get("rate") else []
    if not all(map(RATE.fullmatch, rates)):
        raise un.wrong("rate", "numbers with decimals, joined by commas")
    return [
        Player(
            Name(Text(name)) if name else UNSET,
            rank=rank_of(ranks[seat]) if seat < len(ranks) else UNSET,
            rating=Decimal(rates[seat]) if seat < len(rates) else UNSET,
        )
        for seat, name in enumerate(names)
    ]


def rank_of(number: int) -> str:
    """Return the name of a rank; the number itself where Tenhou has no such rank.

    >>> rank_of(16), rank_of(99)
    ('七段', '99')
    """
    return RANKS[number] if 0 <= number < len(RANKS) else str(number)
