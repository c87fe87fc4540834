"""Read HK scores: the matches of a file, each game a round that is only its result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, TypeVar

from mjconv.converters.formats import Finder
from mjconv.converters.hk.grouping import FoundNote, GameLine, MatchLines, UnreadableGame, group_lines, match_of
from mjconv.converters.hk.layout import shown_of_match, shown_of_round
from mjconv.converters.hk.lines import SEATS, State, spell_base
from mjconv.converters.shared import notes
from mjconv.converters.shared.annotations import keep_visible
from mjconv.ir import patch
from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import LimitError, current
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

_BOM: Final = "\ufeff"
#: A byte that is no text is decoded as this plus its value.
_ESCAPE: Final = 0xDC00
_NO_TEXT: Final = re.compile("[\udc80-\udcff]+")
Whole = TypeVar("Whole", Round, Match)


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    r"""Read the matches of a file, one by one: four names begin one, and every game is a round.

    The defaults are the scorer's: base 1, at most 13 faan, full responsibility, half growth. Raises `InputError`
    with the line. The note of an edited game is ignored with a warning.

    With a lenient report an error in a line is a fault. A game that cannot be read is an empty round, wrong names
    are kept, and other wrong lines are skipped. Of games before any names only the first is reported.

    >>> [match] = read(b"B=0.5\nA B C D\n- 3 - S\n", Report())
    >>> match.rounds[0].events, match.rules.base
    ([Win(actor=1, target=1, fan=3, liable=3)], Decimal('0.5'))
    """
    del flavour
    for reading in _read(data, report):
        yield reading.match


def places(data: bytes, *, lenient: bool = False) -> Finder:
    r"""Find the lines of games that were read: see `mjconv.converters.formats.Finder`.

    >>> find = places(b"A B C D\n- - - -  # dull\n")
    >>> find(0, 0, 0).line, find(0, 1, 0)
    (2, None)
    """
    matches: list[list[int]] = []
    with suppress(LimitError):  # too many faults: the reader stopped there too
        matches.extend(reading.numbers for reading in _read(data, Report(lenient=lenient)))
    lines = _lines(data, lenient=lenient)[0]

    def find(match: int, game_round: int, event: int) -> Place | None:
        del event  # all events of a round have the place of its line
        if not (0 <= match < len(matches) and 0 <= game_round < len(matches[match])):
            return None
        number = matches[match][game_round]
        line = lines[number - 1]
        return Place(number, len(line) - len(line.lstrip()) + 1, line)

    return find


def text_of(data: bytes) -> str:
    r"""Decode a file. Raises `InputError` with the place of bytes that are no UTF-8.

    >>> text_of(b"\xef\xbb\xbfM=8")
    'M=8'
    """
    try:
        return data.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError:
        raise next(_no_text(data)) from None


def _read(data: bytes, report: Report) -> Iterator[_Reading]:
    lines, broken = _lines(data, lenient=report.lenient)
    for number, match in enumerate(group_lines(lines, report=report, broken=broken)):
        yield _Reading(match, report, number)


def _lines(data: bytes, *, lenient: bool) -> tuple[list[str], dict[int, InputError]]:
    """Return the lines of a file, and the errors of lines that are not UTF-8: there U+FFFD replaces bytes."""
    try:
        return text_of(data).splitlines(), {}
    except InputError:
        if not lenient:
            raise
    errors = islice(_no_text(data), current().faults + 1)
    broken = {error.place.line: error for error in errors if error.place is not None}
    return _NO_TEXT.sub("\ufffd", _escaped(data)).splitlines(), broken


def _escaped(data: bytes) -> str:
    """Decode a file, with a lone surrogate for each byte that is no text."""
    return data.decode("utf-8", "surrogateescape").removeprefix(_BOM)


def _no_text(data: bytes) -> Iterator[InputError]:
    """Yield an error for each line that is not UTF-8, with its first such byte."""
    offset = len(_BOM.encode()) if data.startswith(_BOM.encode()) else 0
    for number, line in enumerate(_escaped(data).splitlines(keepends=True), 1):
        found = _NO_TEXT.search(line)
        if found is not None:
            at = found.start()
            byte = offset + len(line[:at].encode())
            message = f"not UTF-8: byte 0x{ord(line[at]) - _ESCAPE:02x} at byte offset {byte}"
            yield InputError(message, Place(number, at + 1, f"{line[:at]}\ufffd"))
        offset += len(line.encode("utf-8", "surrogateescape"))


def match_digest(names: Sequence[str], state: State) -> str:
    """Return the digest of a match: of the names, and of the state of its first game."""
    tokens = (
        *names,
        str(state.date),
        spell_base(state.base),
        str(state.max_faan),
        state.responsibility,
        state.growth,
    )
    return notes.digest(" ".join(tokens).encode())


def game_digest(result: object) -> str:
    """Return the digest of a round: of the four results."""
    return notes.digest(str(result).encode())


class _Reading:
    """Applies the notes to a match, and warns of those that do not fit."""

    def __init__(self, lines: MatchLines, report: Report, number: int) -> None:
        self.lines = lines
        self.report = report
        self.number = number
        self.match = match_of(lines, lines.rounds)
        #: The numbers of the lines of the rounds.
        self.numbers: list[int] = []
        plain, self.match.rounds = iter(self.match.rounds), []
        for game in lines.games:
            if isinstance(game, GameLine):
                self._add(self._round(game, next(plain)), game.number)
            elif isinstance(game, UnreadableGame):
                self._add(Round(), game.number)
            else:
                self._add(self._left_out(game), game.place.line)
        self._take_notes(match_digest(lines.names, lines.first))

    def _add(self, game_round: Round | None, number: int) -> None:
        if game_round is not None:
            self.match.rounds.append(game_round)
            self.numbers.append(number)

    def _take_notes(self, digest: str) -> None:
        fits = False
        for found in self.lines.notes:
            note = found.note.match or found.note.round or notes.Note()
            if not fits and found.note.match is not None and _fits(note, digest):
                patched = self._patched(note, self.match, found.place)
                self.match = keep_visible(self.match, patched, (), shown_of_match(patched))
                fits = True
            else:
                kind = "match" if found.note.match is not None else "round"
                self.report.warn(notes.let_go(note, kind), match=self.number, line=found.place.line)

    def _round(self, game: GameLine, game_round: Round) -> Round:
        fits = False
        for found in game.notes:
            note = found.note.round or notes.Note()
            if not fits and _fits(note, game_digest(game.result)):
                patched = self._patched(note, game_round, found.place)
                game_round = keep_visible(game_round, patched, note.events, shown_of_round(patched))
                fits = True
            else:
                self._warn(note, found)
        return game_round

    def _left_out(self, found: FoundNote) -> Round | None:
        note = found.note.left_out or notes.Note()
        if note.v == notes.VERSION:
            return self._patched(note, Round(), found.place)
        self._warn(note, found)
        return None

    def _patched(self, note: notes.Note, whole: Whole, place: Place) -> Whole:
        """Return the object with a note applied; leniently the same object if the note does not fit."""
        try:
            return patch.apply(note, whole, seats=SEATS)
        except patch.PatchError as error:
            wrong = InputError(f"the note does not fit: {error}", place)
        index = len(self.match.rounds) if isinstance(whole, Round) else None
        self.report.fault(wrong, match=self.number, round=index, event=None if index is None else 0)
        return whole

    def _warn(self, note: notes.Note, found: FoundNote) -> None:
        self.report.warn(notes.let_go(note, "round"), match=self.number, line=found.place.line)


def _fits(note: notes.Note, digest: str) -> bool:
    return note.v == notes.VERSION and note.digest == digest
