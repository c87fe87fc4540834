"""Reads mjlog XML: the head of a file, its rounds one after another, and its notes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import Final, NamedTuple

from mjconv.converters.interface import Reading
from mjconv.converters.shared import carry
from mjconv.converters.shared.contradictions import restored
from mjconv.converters.shared.restore import FoundNote, Key
from mjconv.converters.tenhou.vocabulary import LISTED
from mjconv.converters.tenhou.wall import SeedError, wall_of
from mjconv.converters.tenhou.xml_head import XmlHead, read_head
from mjconv.converters.tenhou.xml_round import DrawOrDiscard, RoundResult, XmlRoundReader, draws_and_discards
from mjconv.converters.tenhou.xml_scanner import ROOT, Element, Scan, tokens_of
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Original, Round

_FORMAT: Final = "tenhou"
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


def read_xml(text: str, data: bytes, report: Report) -> Iterator[Reading]:
    """Read the match of an mjlog. Raises `InputError` with its place.

    `data` are the bytes of the text: the original of the match, unless the text holds notes.
    """
    reader = _XmlMatchReader(text, report)
    try:
        reader.read()
    except InputError as error:
        # Nothing of the file can be read.
        report.fault(error)
        return
    yield reader.reading(data)


class _RoundSpan(NamedTuple):
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
        self.seats = LISTED
        self.spans: list[_RoundSpan] = []
        #: The piece that is read next.
        self.at = 0
        #: The results of the rounds, each with the index of its round.
        self.results: list[tuple[int, RoundResult]] = []

    def read(self) -> None:
        """Read the visible match."""
        scan = self.scan
        begin = min(1, len(scan.pieces) - 1)
        if scan.pieces[0].strip(_BLANK) or not begin or scan.element(1).name != ROOT:
            raise InputError(f'expected <{ROOT} ver="2.3">', scan.place(begin))
        head = read_head(scan, self._warn)
        self.match, self.seats = head.match, head.seats
        self.at = head.end
        end = len(scan.pieces)
        if self.at < end:
            table = draws_and_discards(head.reds, head.seats)
            plays: list[DrawOrDiscard | None] = [*map(table.get, scan.pieces), None]
            while self.at < end and not scan.is_root_end(self.at):
                self._round(head, plays)
        for number, result in self.results[:-1]:
            if result.ends is not None:
                message = "owari is at a result that is not the last one of the game. It was ignored"
                self._warn(message, result.element, "owari", number)
        if self.at == end:
            self.report.warn("the game has no end: the file breaks off", match=0)
            return
        self.match.closing = [ev.EndGame()]
        ends = self.results[-1][1].ends if self.results else None
        if ends is not None:
            scores, self.match.final_scores = ends
            self.match.closing = [ev.EndGame(scores=scores)]
        follows = scan.after_root(self.at)
        if follows is not None:
            message = (
                "something follows </mjloggm>: an mjlog holds one match. Write each match as a file of its own"
            )
            self.report.fault(InputError(message, follows), match=0)

    def _warn(self, message: str, element: Element, key: str, number: int | None = None) -> None:
        place = self.scan.place(element.piece, key)
        self.report.warn(message, match=0, round=number, line=place.line, column=place.column)

    # The rounds.

    def _round(self, head: XmlHead, plays: list[DrawOrDiscard | None]) -> None:
        begin = self.at
        number = len(self.match.rounds)
        reader = XmlRoundReader(self.scan, begin, head, plays, partial(self._warn, number=number))
        whole = True
        try:
            reader.read()
        except InputError as error:
            self.report.fault(error, match=0, round=number, event=len(reader.events) or None)
            whole = False
        self.at = reader.at if whole else self._next_round(max(reader.at, begin))
        has_result = not ev.RESULTS.isdisjoint(map(type, reader.events))
        if whole and self.at < len(self.scan.pieces):
            reader.events.append(ev.EndRound())
        self.spans.append(_RoundSpan(begin, self.at, reader.skipped))
        wall = self._wall(head, reader, number, whole=whole)
        self.match.rounds.append(reader.round(wall) if reader.events else Round())
        self.results += [(number, result) for result in reader.results]
        if whole and not has_result:
            self.report.warn("the round has no result", match=0, round=number, label=self.match.rounds[-1].label)

    def _wall(self, head: XmlHead, reader: XmlRoundReader, number: int, *, whole: bool) -> list[int] | None:
        """Return the wall of the seed of a round, if it has one that fits."""
        if not self.report.walls:
            return None
        try:
            wall = head.seed.next_wall(reader.shuffle)
            return None if wall is None or reader.seen is None else wall_of(wall, reader.seen)
        except SeedError as error:
            if whole:
                begin = self.spans[number].begin
                element = self.scan.element(begin)
                self._warn(f"{error}. The wall was left out", element, "", number)
            return None

    def _next_round(self, at: int) -> int:
        pieces = self.scan.pieces
        at += 1
        while at < len(pieces) and not pieces[at].startswith("INIT") and not self.scan.is_root_end(at):
            at += 1
        return at

    # The notes, and places.

    def reading(self, data: bytes) -> Reading:
        """Return the match, with what its notes restore. `data` is the original of a file without notes."""
        comments = [one for one in self.scan.comments if one.text.strip().startswith(carry.MARK)]
        if not comments:
            self.match.original = Original(_FORMAT, data)
        visible = Reading(self.match, self._locate)
        return restored(_FORMAT, visible, list(self._notes()), self._tokens, self.report, 0, seats=self.seats)

    def _notes(self) -> Iterator[FoundNote]:
        for comment in self.scan.comments:
            text = comment.text.strip()
            if not text.startswith(carry.MARK):
                continue
            place = partial(self.scan.lines.place, comment.offset)
            near = bisect_right(self.spans, comment.piece, key=attrgetter("begin")) - 1
            try:
                notes = carry.loads(text.removeprefix(carry.MARK).encode("utf-8", "replace"))
            except carry.NoteError as error:
                self.report.fault(InputError(str(error), place()), match=0, round=None if near < 0 else near)
                continue
            for note in notes:
                yield FoundNote(note, place, near if note.match is None and near >= 0 else None)

    def _tokens(self, key: Key) -> bytes:
        if key is None:
            return tokens_of(self.scan.pieces[1 : self.spans[0].begin if self.spans else self.at])
        return tokens_of(self.scan.pieces[self.spans[key].begin : self.spans[key].end])

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
