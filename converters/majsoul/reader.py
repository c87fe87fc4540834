"""Reads Mahjong Soul records: every container, one game in a file."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from msgspec import UNSET, json, structs

from mjconv.converters.interface import Reading
from mjconv.converters.majsoul.containers import FileContents, contents_of_file
from mjconv.converters.majsoul.head import head_of, read_head
from mjconv.converters.majsoul.round_reader import MajsoulRoundReader
from mjconv.converters.shared import note_json
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.json_places import Ways, way_to
from mjconv.converters.shared.json_values import Path, WrongValueError
from mjconv.converters.shared.restore import FoundNote, Scope, notes_of_value
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import LimitError, current
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Original, Round

_IN_ORDER: Final = json.Encoder(order="sorted", decimal_format="number")
#: The ways to the fields of records by the keys of events.
_WAYS: Final = catalogue(__name__, "fields.json", Ways)


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the game of a file. Raises `InputError` with its place.

    With a lenient report, an error in a round is a fault, and the reader continues with the next round.

    >>> [reading] = read(b'{"rounds":[]}', Report())
    >>> reading.match.rounds
    []
    """
    try:
        contents = contents_of_file(data)
    except InputError as error:
        # Nothing of the file can be read.
        report.fault(error)
        return
    reader = MajsoulReader(contents, report)
    reader.read()
    if not (contents.own or contents.noted):
        reader.match.original = Original("majsoul", data)
    yield reader.reading()


def digest_tokens(value: Any) -> bytes:
    """Return the bytes of a head, or of the names and fields of records, for a digest. Their layout has no effect.

    >>> digest_tokens([("DealTile", {"tile": "1m", "seat": 0})])
    b'[["DealTile",{"seat":0,"tile":"1m"}]]'
    """
    return _IN_ORDER.encode(value)


class MajsoulReader:
    """Reads the head of a file, its acts round by round, then its notes."""

    def __init__(self, contents: FileContents, report: Report) -> None:
        self.contents = contents
        self.report = report
        self.match = Match(opening=[ev.StartGame()])
        #: For each round, the index of its first act, and its reader.
        self.spans: list[tuple[int, MajsoulRoundReader]] = []
        self.broken = False
        self.walls = report.walls or contents.noted
        self.seats = 0

    # The visible match.

    def read(self) -> None:
        """Read the visible match."""

        def warn(message: str, path: Path) -> None:
            self.report.warn(message, match=0, place=self.contents.locate(path))

        self.head = head_of(self.contents.head, warn)
        acts = self.contents.acts
        deals = [index for index, act in enumerate(acts) if act.name == "NewRound"]
        marks = [*deals, len(acts)]
        for begin, end in pairwise([0, *marks]):
            if end - begin > current().events:
                raise LimitError("events", self._place_of(begin + current().events))
        for index in range(marks[0]):
            if acts[index].name:
                error = InputError(f"{acts[index].name} comes before the first NewRound", self._place_of(index))
                self.report.fault(error, match=0)
        for begin, end in pairwise(marks):
            self._round(begin, end)
        self._close()

    def _place_of(self, index: int, *field: str | int) -> Place:
        """Return the place of an act of the file, or of a field of it."""
        return self.contents.locate((*self.contents.acts[index].path, *field))

    def _round(self, begin: int, end: int) -> None:
        acts = self.contents.acts
        number = len(self.match.rounds)

        def warn(message: str, path: Path) -> None:
            self.report.warn(message, match=0, round=number, place=self._place_of(begin + reader.index, *path))

        reader = MajsoulRoundReader(warn, self.head, walls=self.walls, compares=self.report.compares)
        whole = True
        try:
            reader.read(acts[begin:end])
        except WrongValueError as error:
            index = begin + reader.index
            fault = InputError(f"{acts[index].name}: {error}", self._place_of(index, *error.path))
            self.report.fault(fault, match=0, round=number, event=len(reader.events) or None)
            whole = False
        self.spans.append((begin, reader))
        if not reader.events:
            self.match.rounds.append(Round())
            return
        if self.seats and reader.seats != self.seats:
            message = f"{reader.seats} play this round, and {self.seats} the first"
            self.report.fault(InputError(message, self._place_of(begin)), match=0, round=number)
        self.seats = self.seats or reader.seats
        self.match.rounds.append(reader.round())
        self.broken = not reader.over
        if whole and not reader.over:
            self.report.warn("the round has no result", match=0, round=number, label=self.match.rounds[-1].label)

    def _close(self) -> None:
        match = self.match
        read_head(self.head, match, match.seats if match.rounds else USUAL_SEATS)
        if not match.rounds:
            self.report.warn("the record has no rounds", match=0)
        elif self.broken:
            match.closing = []
            self.report.warn("the game has no end: the record breaks off", match=0)
        elif not match.closing:
            match.closing = [ev.EndGame()]

    # The notes, and places.

    def reading(self) -> Reading:
        """Return the match, with what its notes restore."""
        visible = Reading(self.match, self._locate)
        notes = list(self._notes())
        reading = with_notes("majsoul", visible, notes, self._tokens, self.report, 0, seats=USUAL_SEATS)
        if not self.report.walls:
            reading.match.rounds = [structs.replace(one, wall=UNSET) for one in reading.match.rounds]
        return reading

    def _notes(self) -> Iterator[FoundNote]:
        contents = self.contents
        if contents.note is not None:
            yield from notes_of_value(contents.note, (note_json.MARK,), contents.locate, self.report, 0)
        for near, (begin, _) in enumerate(self.spans):
            act = contents.acts[begin]
            if act.note is not None:
                path = (*act.path[:-1], note_json.MARK)
                yield from notes_of_value(act.note, path, contents.locate, self.report, 0, near=near)

    def _tokens(self, scope: Scope) -> bytes:
        acts = self.contents.acts
        if scope is None:
            return digest_tokens(self.contents.head)
        begin, reader = self.spans[scope]
        own = [acts[begin + index] for index in reader.records]
        return digest_tokens([(act.name, act.data) for act in own])

    def _locate(self, number: int | None, event: int, key: str) -> Place:
        acts = self.contents.acts
        if number is None:
            return self.contents.locate(())
        begin, reader = self.spans[number]
        if not 0 <= event < len(self.match.rounds[number].events) or not reader.firsts:
            return self._place_of(begin)
        index = begin + reader.records[bisect_right(reader.firsts, event) - 1]
        earlier = self.match.rounds[number].events[:event]
        return self._place_of(index, *way_to(key, _WAYS, acts[index].data, earlier))
