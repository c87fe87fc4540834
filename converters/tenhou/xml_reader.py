"""Reads mjlog XML: the head of a file, its rounds one after another, and its notes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.interface import Reading
from mjconv.converters.shared import carry
from mjconv.converters.shared.contradictions import settle
from mjconv.converters.shared.restore import Assembly, FoundNote, Key, MatchNotes
from mjconv.converters.tenhou import attributes, xml_head
from mjconv.converters.tenhou.attributes import differing
from mjconv.converters.tenhou.extras import BESIDE, MatchExtras, built
from mjconv.converters.tenhou.plays import plays
from mjconv.converters.tenhou.round_record import RoundRecord
from mjconv.converters.tenhou.scanner import ROOT, Element, Scan
from mjconv.converters.tenhou.seeds import GameSeed, wall_of
from mjconv.converters.tenhou.values import Values
from mjconv.converters.tenhou.vocabulary import NO_RED, SOUTH, THREE, rules_of, type_of
from mjconv.converters.tenhou.wall import SeedError
from mjconv.converters.tenhou.xml_results import read_ends
from mjconv.converters.tenhou.xml_round import Game, RoundReader
from mjconv.converters.tenhou.xml_tokens import tokens_of
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, AnnotationKind, Match, Round

_MOST_TYPE: Final = 0xFFFF
_USUAL_TYPE: Final = 1 | SOUTH
_BLANK: Final = "\ufeff \t\r\n"
#: The attributes of events by their keys in the hub.
_KEYS: Final = {
    **dict.fromkeys(("deltas", "scores"), ("sc", "ten")),
    **dict.fromkeys(("fu", "hora_points"), ("ten",)),
    "pai": ("machi",),
    "actor": ("who",),
    "target": ("fromWho",),
    "yakus": ("yaku", "yakuman"),
    "fan": ("yaku", "yakuman"),
    "ura_markers": ("doraHaiUra",),
    "pao": ("paoWho",),
    "consumed": ("m",),
    "reason": ("type",),
    "dora_marker": ("hai", "seed"),
    "oya": ("oya",),
    "tehais": ("hai0",),
    **dict.fromkeys(("bakaze", "kyoku", "honba", "kyotaku"), ("seed",)),
}


def read_xml(text: str, report: Report) -> Iterator[Reading]:
    """Read the match of an mjlog. Raises `InputError` with its place."""
    reader = _MatchReader(text, report)
    try:
        reader.read()
    except InputError as error:
        # Nothing of the file can be read.
        report.fault(error)
        return
    yield reader.reading()


def read_as(head: str, rounds: Sequence[RoundRecord], *, reds: bool, closed: bool) -> Match | None:
    """Return the match that the text of a writer is read as: its head is read, and its rounds are recorded.

    The records are of rounds without a seed. Returns None if the head states other seats or red fives than they
    do, or cannot be read.
    """
    reader = _head_read(head, closed=closed)
    if reader is None or any(one.seats != reader.seats for one in rounds) or reds == bool(reader.go_type & NO_RED):
        return None
    for number, record in enumerate(rounds, 1):
        if closed or number < len(rounds):
            record.events.append(ev.EndRound())
        reader._take(record, record.round(None, seeded=False))
    reader._close(closed=closed)
    return reader.match


def read_around(head: str, rounds: list[Round], ends: str | None, *, closed: bool) -> Match | None:
    """Return the match of a head that is read, with rounds that are known.

    `ends` is the value of `owari` at the last result. Returns None if it or the head cannot be read.
    """
    reader = _head_read(head, closed=closed)
    if reader is None:
        return None
    reader.match.rounds = rounds
    if ends is not None:
        element = Element("AGARI", None, {"owari": ends})
        try:
            reader.ends = read_ends(Values(reader.scan, 0, element), reader.seats)
        except InputError:
            return None
    reader._close(closed=closed)
    return reader.match


def _head_read(head: str, *, closed: bool) -> _MatchReader | None:
    reader = _MatchReader(f"{head}</{ROOT}>" if closed else head, Report())
    try:
        reader.read()
    except InputError:
        return None
    return reader


class _Span(NamedTuple):
    """The pieces of a round: from `begin` to before `end`. `skipped` are its pieces without events.

    For each of them, it has the number of events before it.
    """

    begin: int
    end: int
    skipped: list[int]

    def piece(self, event: int) -> int:
        """Return the piece of an event, or `end` for an event without a piece."""
        return min(self.begin + event + bisect_right(self.skipped, event), self.end)


class _MatchReader:
    """Reads the head of an mjlog, then its rounds, then its notes."""

    def __init__(self, text: str, report: Report) -> None:
        self.scan = Scan(text)
        self.report = report
        self.match = Match()
        self.go_type = _USUAL_TYPE
        self.seats = 4
        self.kept: dict[str, dict[str, str | None] | None] = {}
        self.names: dict[str, str] = {}
        self.seed: GameSeed | None = None
        self.game: Game | None = None
        self.spans: list[_Span] = []
        self.at = 2
        self.bare = False
        self.ends: tuple[tuple[int, ...], tuple[int, ...]] | None = None
        self.walls = report.walls or bool(self.scan.comments)
        #: Whether the rounds have all of their extras. A note may hold changes of them.
        self.full = report.extras or bool(self.scan.comments)

    def read(self) -> None:
        """Read the visible match."""
        scan = self.scan
        begin = min(1, len(scan.pieces) - 1)
        if scan.pieces[0].strip(_BLANK) or not begin or scan.element(1).name != ROOT:
            raise InputError(f'expected <{ROOT} ver="2.3">', scan.place(begin))
        self._kept("mjloggm", scan.element(1), {"ver": "2.3"})
        self._head()
        end = len(scan.pieces)
        while self.at < end and not scan.is_root_end(self.at):
            self._round()
        closed = self.at < end
        if closed and (self.at + 1 < end or scan.pieces[self.at][len(ROOT) + 2 :].strip(_BLANK)):
            raise InputError(
                "an mjlog holds one match, and something follows it: write each match as a file of its own",
                scan.place(min(self.at + 1, end - 1)),
            )
        self._close(closed=closed)

    # The head.

    def _head(self) -> None:
        scan = self.scan
        elements: dict[str, Values] = {}
        while self.at < len(scan.pieces) and not scan.is_root_end(self.at):
            if not scan.is_end(self.at):
                values = Values(scan, self.at, scan.element(self.at))
                name = values.element.name
                if name == "INIT":
                    break
                if name == "BYE" or (name == "UN" and name in elements):
                    self._annotate(values)
                elif name not in attributes.ORDER or name in _OF_ROUNDS or values.element.tile is not None:
                    raise InputError(f"the element {name} comes before the first INIT", scan.place(self.at))
                elif name in elements:
                    raise InputError(f"the element {name} is there twice", scan.place(self.at))
                else:
                    elements[name] = values
                    self.names = (
                        {key: values.attributes[key] for key in xml_head.names_in(values)}
                        if name == "UN"
                        else self.names
                    )
            self.at += 1
        self._rules(elements.get("GO"))
        self._players(elements.get("UN"))
        self._kept_of("SHUFFLE", elements.get("SHUFFLE"), {"seed": "", "ref": ""})
        self._kept_of("TAIKYOKU", elements.get("TAIKYOKU"), {"oya": "0"})
        self._seed(elements.get("SHUFFLE"))
        east = 0 if self.go_type & SOUTH else 4
        self.match.opening = [ev.StartGame(kyoku_first=east, aka_flag=not self.go_type & NO_RED)]

    def _rules(self, values: Values | None) -> None:
        if values is not None:
            self.go_type = values.number("type", 0, _MOST_TYPE)
            self.seats = 3 if self.go_type & THREE else 4
            self.match.rules = rules_of(self.go_type)
        self._kept_of("GO", values, {"type": str(type_of(self.match.rules, self.seats)), "lobby": "0"})

    def _players(self, values: Values | None) -> None:
        if values is not None:
            self.match.players = xml_head.players_of(values, self.seats)
        self._kept_of("UN", values, xml_head.un(self.match.players, self.seats))

    def _seed(self, values: Values | None) -> None:
        text = "" if values is None else values.attributes.get("seed", "")
        try:
            self.seed = GameSeed(text, self.seats)
        except SeedError as error:
            self._warn(f"{error}. The walls are not known", values, "seed")
            self.seed = GameSeed("", self.seats)

    def _annotate(self, values: Values) -> None:
        if values.element.name == "BYE":
            seat, usual = values.number("who", 0, 3), {"who": values.attributes["who"]}
        else:
            seat, usual = xml_head.returned_seat(values, self.names)
        other = differing(values.attributes, usual)
        number = len(self.match.annotations)
        if other:
            self.kept[f"{BESIDE}{number}"] = other
        kind: AnnotationKind = "left" if values.element.name == "BYE" else "returned"
        self.match.annotations += (Annotation(0, kind, seat),)

    def _kept_of(self, name: str, values: Values | None, usual: dict[str, str]) -> None:
        """Keep the attributes of an element of the head that the writer would not write so."""
        if values is None:
            self.kept[name] = None
            return
        self._kept(name, values.element, usual)
        for key in values.attributes:
            if key not in attributes.ORDER[name]:
                self._warn(f"{name} has the unknown attribute {key}. It was kept", values, key)

    def _kept(self, name: str, element: Element, usual: dict[str, str]) -> None:
        other = differing(element.attributes, usual)
        if other:
            self.kept[name] = other

    def _warn(self, message: str, values: Values | None, key: str, number: int | None = None) -> None:
        place = None if values is None else self.scan.place(values.piece, key)
        self.report.warn(
            message,
            match=0,
            round=number,
            line=None if place is None else place.line,
            column=None if place is None else place.column,
        )

    # The rounds.

    def _round(self) -> None:
        begin = self.at
        number = len(self.match.rounds)
        if self.game is None:
            reds = not self.go_type & NO_RED
            found = list(map(plays(reds, self.seats).get, self.scan.pieces))
            self.game = Game(self.seats, reds, self.names, self.full, found)
        warn = partial(self._warn, number=number)
        reader = RoundReader(self.scan, begin, self.game, warn)
        whole = True
        try:
            reader.read()
        except InputError as error:
            self.report.fault(error, match=0, round=number, event=len(reader.events) or None)
            whole = False
        self.at = reader.at if whole else self._next_round(max(reader.at, begin))
        if whole and self.at < len(self.scan.pieces):
            reader.events.append(ev.EndRound())
        self.spans.append(_Span(begin, self.at, reader.skipped))
        if not reader.events:
            self.match.rounds.append(Round())
            return
        self._take(reader, self._with_wall(reader, number, whole=whole))
        if whole and not reader.has_result:
            self.report.warn("the round has no result", match=0, round=number, label=self.match.rounds[-1].label)

    def _take(self, record: RoundRecord, game_round: Round) -> None:
        self.match.rounds.append(game_round)
        self.ends = record.ends or self.ends
        self.bare = self.bare or record.bare

    def _with_wall(self, reader: RoundReader, number: int, *, whole: bool) -> Round:
        """Return the round with the wall of its seed, if it has one that fits."""
        shuffle = reader.shuffle
        if not self.walls:
            return reader.round(None, seeded=bool(shuffle) or bool(self.seed and self.seed.is_known))
        try:
            wall = self.seed.next_wall(shuffle) if self.seed is not None else None
            tiles = None if wall is None else wall_of(wall, reader.seen())
        except SeedError as error:
            tiles = None
            if whole:
                values = Values(self.scan, reader.begin, self.scan.element(reader.begin))
                self._warn(f"{error}. The wall was left out", values, "", number)
        return reader.round(tiles, seeded=tiles is not None)

    def _next_round(self, at: int) -> int:
        pieces = self.scan.pieces
        at += 1
        while at < len(pieces) and not pieces[at].startswith("INIT") and not self.scan.is_root_end(at):
            at += 1
        return at

    def _close(self, *, closed: bool) -> None:
        match = self.match
        if closed:
            scores: tuple[int, ...] | UnsetType = UNSET
            if self.ends is not None:
                scores, match.final_scores = self.ends
            match.closing = [ev.EndGame(scores=scores)]
        else:
            self.report.warn("the game has no end: the file breaks off", match=0)
        whole = bool(match.rounds) and not ev.RESULTS.isdisjoint(map(type, match.rounds[-1].events))
        match.extras = built(MatchExtras(self.kept, self.bare, closed and whole and self.ends is None))

    # The notes, and places.

    def reading(self) -> Reading:
        """Return the match, with what its notes restore."""
        found = list(self._notes())
        if not found:
            return Reading(self._without_walls(self.match), self._locate)
        reading = settle("tenhou", partial(self._assemble, found), self.report, 0)
        return Reading(self._without_walls(reading.match), reading.locate)

    def _without_walls(self, match: Match) -> Match:
        if self.walls and not self.report.walls:
            match.rounds = [structs.replace(one, wall=UNSET) for one in match.rounds]
        return match

    def _notes(self) -> Iterator[FoundNote]:
        for comment in self.scan.comments:
            text = comment.text.strip()
            if not text.startswith(carry.MARK):
                continue
            place = partial(self.scan.lines.place, comment.offset)
            near = bisect_right(self.spans, comment.piece, key=_begin) - 1
            try:
                notes = carry.loads(text.removeprefix(carry.MARK).encode("utf-8", "replace"))
            except carry.NoteError as error:
                self.report.fault(InputError(str(error), place()), match=0, round=None if near < 0 else near)
                continue
            for note in notes:
                yield FoundNote(note, place, near if note.match is None and near >= 0 else None)

    def _assemble(self, found: list[FoundNote], ignored: Collection[Key]) -> Assembly:
        plain = self.match
        notes = MatchNotes(found, len(plain.rounds), self._digest, self.report, 0, ignored)
        rounds = [notes.restore(one, index, seats=self.seats) for index, one in enumerate(plain.rounds)]
        match = notes.restore(structs.replace(plain, rounds=rounds), None, seats=self.seats)

        def locate(number: int | None, event: int, key: str) -> Place | None:
            return self._locate(number, notes.visible_event(number, event), key)

        return Assembly(Reading(match, locate), notes.applied)

    def _digest(self, key: Key) -> str:
        pieces = self.scan.pieces
        end = self.spans[0].begin if self.spans else self.at
        return carry.digest(
            tokens_of(pieces[1:end] if key is None else pieces[self.spans[key].begin : self.spans[key].end])
        )

    def _locate(self, number: int | None, event: int, key: str) -> Place | None:
        scan = self.scan
        if number is None:
            return scan.place(min(1, len(scan.pieces) - 1))
        if not 0 <= number < len(self.spans):
            return None
        span = self.spans[number]
        if not 0 <= event < len(self.match.rounds[number].events):
            return scan.place(span.begin)
        # The end of a round has no element: the one that follows it ends it.
        piece = min(span.piece(event), len(scan.pieces) - 1)
        for attribute in _KEYS.get(key, ()):
            if f" {attribute}=" in scan.pieces[piece]:
                return scan.place(piece, attribute)
        return scan.place(piece)


#: The elements of rounds. They cannot come before the first round.
_OF_ROUNDS: Final = frozenset({"INIT", "N", "REACH", "DORA", "AGARI", "RYUUKYOKU", ROOT})


def _begin(span: _Span) -> int:
    return span.begin
