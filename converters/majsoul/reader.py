"""Reads Mahjong Soul records: every container, one game in a file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from json import JSONDecodeError
from typing import Any, Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters.interface import Reading
from mjconv.converters.majsoul.containers import Act, Contents, Locate, Path, contents_of, folded
from mjconv.converters.majsoul.detect import container_of
from mjconv.converters.majsoul.extras import built
from mjconv.converters.majsoul.head import read_head
from mjconv.converters.majsoul.protobuf import DecodeError, Decoder
from mjconv.converters.majsoul.records import FieldError, may_be_deep, trimmed
from mjconv.converters.majsoul.round_reader import RoundReader
from mjconv.converters.majsoul.tokens import head_tokens, round_tokens
from mjconv.converters.majsoul.usual import usual_contents
from mjconv.converters.shared import carry, jsontext
from mjconv.converters.shared.contradictions import settle
from mjconv.converters.shared.json_places import JsonPlaces
from mjconv.converters.shared.restore import Assembly, FoundNote, Key, MatchNotes
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Lines, Place
from mjconv.ir.limits import LimitError, current
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

_SEATS: Final = 4
_REPLY_HEAD: Final = 3
#: The fields of records by the keys of events.
_KEYS: Final = {
    "pai": ("tile", "hu_tile"),
    "actor": ("seat",),
    "deltas": ("delta_scores",),
    "consumed": ("tiles",),
    "target": ("froms",),
    "dora_marker": ("doras", "dora"),
    "tsumogiri": ("moqie",),
    "bakaze": ("chang",),
    "kyoku": ("ju",),
    "oya": ("ju",),
    "honba": ("ben",),
    "kyotaku": ("liqibang",),
    "scores": ("scores",),
    "tehais": ("tiles0",),
    "reason": ("type",),
    "tenpais": ("players",),
    "yakus": ("hules", 0, "fans"),
    "fu": ("hules", 0, "fu"),
    "fan": ("hules", 0, "count"),
    "ura_markers": ("hules", 0, "li_doras"),
    "pao": ("hules", 0, "baopai"),
    "hora_points": ("hules", 0, "point_rong"),
}


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the game of a file. Raises `InputError` with its place.

    With a lenient report, an error in a round is a fault, and the reader continues with the next round.

    >>> [reading] = read(b'{"rounds":[]}', Report())
    >>> reading.match.rounds
    []
    """
    try:
        source = _source(data, full=report.extras)
    except LimitError:
        raise
    except InputError as error:
        # Nothing of the file can be read.
        report.fault(error)
        return
    reader = _MatchReader(source.contents, source.locate, report, deep=source.deep)
    try:
        reader.read()
    except LimitError as error:
        error.place = error.place or source.locate(())
        raise
    yield reader.reading()


class _Source(NamedTuple):
    """The contents of a file, the function that finds the places in it, and whether values may be nested deep."""

    contents: Contents
    locate: Locate
    deep: bool


def _source(data: bytes, *, full: bool) -> _Source:
    """Return the contents of a file. Raises `InputError`.

    If `full`, all values may be kept, and the values of JSON count as deep.
    """
    container = container_of(data[: 64 * 1024]) or "json"
    if container == "json":
        return _from_json(data, full=full)
    if container == "hex":
        try:
            data = bytes.fromhex(data.decode("ascii"))
        except ValueError:
            raise InputError("the hexadecimal digits are broken: each byte has two", Place(1, 1, "")) from None
    decoder = Decoder(data)
    try:
        is_reply = data.startswith(b"\x03")
        value = decoder.reply(_REPLY_HEAD) if is_reply else decoder.records(0, len(data))
    except DecodeError as error:
        raise InputError(f"byte {error.offset + 1}: {error}", Place(1, error.offset + 1, "")) from None

    def locate(path: Path) -> Place:
        index = next((part for part in path if isinstance(part, int)), 0)
        offset = decoder.offsets[index] if index < len(decoder.offsets) else 0
        return Place(1, offset + 1, "")

    # The table of fields bounds the depth.
    return _Source(contents_of(value, locate), locate, deep=False)


def _from_json(data: bytes, *, full: bool) -> _Source:
    # The text is decoded for places only, and once.
    texts: list[tuple[str, JsonPlaces, Lines]] = []

    def locate(path: Path) -> Place:
        if not texts:
            text = data.decode("utf-8-sig", "replace")
            texts.append((text, JsonPlaces(text), Lines(text)))
        _, places, lines = texts[0]
        return lines.place(places.offset(path))

    text = data.removeprefix(b"\xef\xbb\xbf")
    usual = None if full else usual_contents(text, locate)
    if usual is not None:
        return _Source(usual, locate, deep=False)
    try:
        # The reader itself bounds the depth of what it keeps.
        value = jsontext.loads_unique(text, bound_depth=False)
    except JSONDecodeError as error:
        raise InputError(
            f"this is no JSON: {error.msg}", Place.at(text.decode("utf-8", "replace"), error.pos)
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(str(error) or "the JSON is nested too deep", Place(1, 1, "")) from None
    try:
        value = folded(data, value)
        return _Source(contents_of(value, locate), locate, full or may_be_deep(data, value))
    except LimitError as error:
        error.place = locate(())
        raise


class _Span(NamedTuple):
    """The acts of a round: from `begin` to before `end`, and the number of events before each record."""

    begin: int
    end: int
    firsts: list[int]

    def records(self, acts: Sequence[Act]) -> list[int]:
        """Return the acts that are records, as far as they were read."""
        return [at for at in range(self.begin, self.end) if acts[at].name][: len(self.firsts)]


class _MatchReader:
    """Reads the records of a file round by round, then its notes."""

    def __init__(self, contents: Contents, locate: Locate, report: Report, *, deep: bool) -> None:
        self.contents = contents
        self.place = locate
        self.report = report
        self.match = Match()
        self.spans: list[_Span] = []
        self.totals = [0] * _SEATS
        self.inputs: list[Any] = []
        self.broken = False
        self.walls = report.walls or contents.noted
        self.whole_walls = report.whole_walls or contents.noted
        # Only a value that is not deep may be left as it is.
        self.extras = report.extras or deep or contents.noted
        self.seats = 0

    # The visible match.

    def read(self) -> None:
        """Read the visible match."""
        acts = self.contents.acts
        deals = [at for at, act in enumerate(acts) if act.name == "NewRound"]
        self._bound([0, *deals, len(acts)])
        for at in range(deals[0] if deals else len(acts)):
            self._before(at)
        for number, begin in enumerate(deals):
            self._round(begin, deals[number + 1] if number + 1 < len(deals) else len(acts))
        self.seats = self.match.seats if self.match.rounds else _SEATS
        self._close()

    def _bound(self, marks: list[int]) -> None:
        """Raise `LimitError` if more is recorded in a round, or before the first, than a round may have events."""
        most = current().events
        for begin, end in pairwise(marks):
            if end - begin > most:
                raise LimitError("events", self._place_of(begin + most))

    def _place_of(self, at: int, *field: str | int) -> Place:
        """Return the place of a step of the file, or of a field of it."""
        return self.place((*self.contents.acts[at].path, *field))

    def _before(self, at: int) -> None:
        """Read what is recorded before the first deal."""
        act = self.contents.acts[at]
        if act.name:
            error = InputError(f"{act.name} comes before the first NewRound", self._place_of(at))
            self.report.fault(error, match=0)
        elif act.fields:
            self.inputs.append(trimmed(act.fields))

    def _round(self, begin: int, end: int) -> None:
        acts = self.contents.acts
        number = len(self.match.rounds)
        at = begin

        def warn(message: str, key: str) -> None:
            place = self._place_of(at, key)
            self.report.warn(message, match=0, round=number, line=place.line, column=place.column)

        reader = RoundReader(self.totals, warn, walls=self.walls, whole_walls=self.whole_walls, extras=self.extras)
        whole = True
        while at < end:
            act = acts[at]
            try:
                if act.name:
                    reader.read(act.name, act.fields, act.passed)
                    if act.beside:
                        beside = trimmed(act.beside) if self.extras else act.beside
                        reader.beside.append([reader.firsts[-1], beside])
                else:
                    reader.read_beside(act.fields)
            except LimitError as error:
                error.place = error.place or self._place_of(at)
                raise
            except FieldError as error:
                message = f"{act.name}: {error}"
                fault = InputError(message, self._place_of(at, *error.path))
                self.report.fault(fault, match=0, round=number, event=len(reader.events) or None)
                whole = False
                break
            at = reader.read_turns(acts, at + 1, end)
        self.spans.append(_Span(begin, end, reader.firsts))
        if not reader.events:
            self.match.rounds.append(Round())
            return
        if self.seats and reader.state.seats != self.seats:
            message = f"{reader.state.seats} play this round, and {self.seats} the first"
            self.report.fault(InputError(message, self._place_of(begin)), match=0, round=number)
        self.seats = self.seats or reader.state.seats
        self.match.rounds.append(reader.round())
        self.broken = not reader.over
        if whole and not reader.over:
            self.report.warn("the round has no result", match=0, round=number, label=self.match.rounds[-1].label)

    def _close(self) -> None:
        match = self.match
        match.opening = [ev.StartGame()]
        head, accounts, results = read_head(self.contents.head, match, self.seats)
        if not match.rounds:
            self.report.warn("the record has no rounds", match=0)
        elif self.broken:
            match.closing = []
            self.report.warn("the game has no end: the record breaks off", match=0)
        elif not match.closing:
            match.closing = [ev.EndGame()]
        other = trimmed(self.contents.other)
        values = {"head": head, "accounts": accounts, "results": results, "inputs": self.inputs, "other": other}
        match.extras = built(full=self.extras, **values)

    # The notes, and places.

    def reading(self) -> Reading:
        """Return the match, with what its notes restore."""
        found = list(self._notes())
        if not found:
            return Reading(self.match, self._locate)
        reading = settle("majsoul", partial(self._assemble, found), self.report, 0)
        if not self.report.walls:
            reading.match.rounds = [structs.replace(one, wall=UNSET) for one in reading.match.rounds]
        return reading

    def _notes(self) -> Iterator[FoundNote]:
        contents = self.contents
        if contents.note is not None:
            yield from self._notes_at(contents.note, contents.note_path, None)
        for near, span in enumerate(self.spans):
            act = contents.acts[span.begin]
            if act.note is not None:
                yield from self._notes_at(act.note, (*act.path[:-1], carry.MARK), near)

    def _notes_at(self, value: Any, path: Path, near: int | None) -> Iterator[FoundNote]:
        place = partial(self.place, path)
        try:
            notes = carry.from_value(value)
        except carry.NoteError as error:
            self.report.fault(InputError(str(error), place()), match=0, round=near)
            return
        for note in notes:
            yield FoundNote(note, place, near if note.match is None else None)

    def _assemble(self, found: list[FoundNote], ignored: Collection[Key]) -> Assembly:
        plain = self.match
        notes = MatchNotes(found, len(plain.rounds), self._digest, self.report, 0, ignored)
        rounds = [notes.restore(one, index, seats=_SEATS) for index, one in enumerate(plain.rounds)]
        match = notes.restore(structs.replace(plain, rounds=rounds), None, seats=_SEATS)

        def locate(number: int | None, event: int, key: str) -> Place | None:
            return self._locate(number, notes.visible_event(number, event), key)

        return Assembly(Reading(match, locate), notes.applied)

    def _digest(self, key: Key) -> str:
        acts = self.contents.acts
        if key is None:
            return carry.digest(head_tokens(self.contents.head))
        span = self.spans[key]
        return carry.digest(round_tokens((acts[at].name, acts[at].fields) for at in span.records(acts)))

    def _locate(self, number: int | None, event: int, key: str) -> Place | None:
        acts = self.contents.acts
        if number is None:
            return self.place(())
        if not 0 <= number < len(self.spans):
            return None
        span = self.spans[number]
        if not 0 <= event < len(self.match.rounds[number].events) or not span.firsts:
            return self._place_of(span.begin)
        at = span.records(acts)[bisect_right(span.firsts, event) - 1]
        path, data = acts[at].path, acts[at].fields
        fields = _KEYS.get(key, ())
        for field in fields:
            if field in data:
                return self.place((*path, field))
            if field == "hules":
                return self.place((*path, *fields))
        return self.place(path)
