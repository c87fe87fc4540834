"""Read HK scores: the matches of a file, each game a round that is only its result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import structs

from mjconv.converters.hk.grouping import GameLine, MatchLines, group_lines, match_of
from mjconv.converters.hk.layout import HkRoundHints, shown_of_match, shown_of_round
from mjconv.converters.hk.lines import SEATS, DatedRules, GameResult, spell_base
from mjconv.converters.hk.names import column_of
from mjconv.converters.interface import Reading
from mjconv.converters.shared.contradictions import settle
from mjconv.converters.shared.look_alikes import LookAlikes
from mjconv.converters.shared.restore import Assembly, Key, MatchNotes
from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import current
from mjconv.ir.losses import Report

_BOM: Final = "\ufeff"
#: A byte that is no text is decoded as this plus its value.
_ESCAPE: Final = 0xDC00
_NO_TEXT: Final = re.compile("[\udc80-\udcff]+")


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the matches of a file, one by one: four names begin one, and every game is a round.

    The defaults are the scorer's: base 1, at most 13 faan, full responsibility, half growth. Raises `InputError`
    with the line. The note of an edited game is ignored with a warning.

    With a lenient report an error in a line is a fault. A game that cannot be read is an empty round, wrong names
    are kept, and other wrong lines are skipped. Of games before any names only the first is reported. Names
    that look alike are reported after the last match.

    >>> [(match, locate)] = read(b"B=0.5\nA B C D\n- 3 - S\n", Report())
    >>> match.rounds[0].events, match.rules.base
    ([Win(actor=1, target=1, fan=3, liable=3)], Decimal('0.5'))
    >>> locate(0, 0, "").line
    3
    """
    lines, broken = file_lines(data, lenient=report.lenient)
    names: LookAlikes[tuple[int, int]] = LookAlikes()
    for number, match in enumerate(group_lines(lines, report=report, broken=broken)):
        if report.lenient:
            names.add(match.names, (number, match.number))
        yield _HkReader(match, lines, report, number).reading()
    for alike in names.pairs():
        number, line = alike.place
        report.warn(str(alike), match=number, line=line, column=column_of(lines[line - 1], alike.name))


def file_lines(data: bytes, *, lenient: bool) -> tuple[list[str], dict[int, InputError]]:
    """Return the lines of a file, and the errors of lines that are not UTF-8: there U+FFFD replaces bytes.

    If not `lenient`, raises the first of these errors.
    """
    try:
        return data.decode("utf-8").removeprefix(_BOM).splitlines(), {}
    except UnicodeDecodeError:
        errors = _no_text(data)
    if not lenient:
        raise next(errors)
    broken = {error.place.line: error for error in islice(errors, current().faults + 1) if error.place is not None}
    return _NO_TEXT.sub("\ufffd", _escaped(data)).splitlines(), broken


def _escaped(data: bytes) -> str:
    """Decode a file, with a lone surrogate for each byte that is no text."""
    return data.decode("utf-8", "surrogateescape").removeprefix(_BOM)


def _no_text(data: bytes) -> Iterator[InputError]:
    """Yield an error for each line that is not UTF-8, with its first such byte."""
    offset = len(_BOM.encode()) if data.startswith(_BOM.encode()) else 0
    for number, line in enumerate(_escaped(data).splitlines(keepends=True), 1):
        wrong = _NO_TEXT.search(line)
        if wrong is not None:
            start = wrong.start()
            byte = offset + len(line[:start].encode())
            message = f"not UTF-8: byte 0x{ord(line[start]) - _ESCAPE:02x} at byte offset {byte}"
            yield InputError(message, Place(number, start + 1, f"{line[:start]}\ufffd"))
        offset += len(line.encode("utf-8", "surrogateescape"))


def match_tokens(names: Sequence[str], state: DatedRules) -> bytes:
    """Return the tokens whose digest a match's note has: the names, and the state of the first game."""
    tokens = (
        *names,
        str(state.date),
        spell_base(state.base),
        str(state.max_faan),
        state.responsibility,
        state.growth,
    )
    return " ".join(tokens).encode()


def result_tokens(result: GameResult) -> bytes:
    """Return the tokens whose digest a round's note has: the results of its game, as the writer spells them."""
    return str(result).encode()


class _HkReader:
    """Makes the match of its lines, and restores the parts that its notes carry."""

    def __init__(self, lines: MatchLines, file: Sequence[str], report: Report, number: int) -> None:
        self.lines = lines
        self.file = file
        self.report = report
        self.number = number
        self.match = match_of(lines)

    def reading(self) -> Reading:
        if not self.lines.notes:
            return Reading(self.match, self._locate)
        return settle("hk", self._assemble, self.report, self.number, before=self.lines.entering)

    def _assemble(self, ignored: Collection[Key]) -> Assembly:
        plain = self.match.rounds
        # Many games have the same results: a note belongs to the game above it, and to no other.
        notes = MatchNotes(
            self.lines.notes, len(plain), self._tokens, self.report, self.number, ignored, moved=False
        )
        rounds = []
        for index, game_round in enumerate(plain):
            notes.hints(index, HkRoundHints)  # reports hints that are wrong
            rounds.append(notes.restore(game_round, index, seats=SEATS, shown_of=shown_of_round))
        whole = structs.replace(self.match, rounds=rounds)
        match = notes.restore(whole, None, seats=SEATS, shown_of=shown_of_match)
        return Assembly(Reading(match, self._locate), notes.applied)

    def _tokens(self, key: Key) -> bytes:
        if key is None:
            return match_tokens(self.lines.names, self.lines.first)
        game = self.lines.games[key]
        return result_tokens(game.result) if isinstance(game, GameLine) else b""

    def _locate(self, game_round: int | None, event: int, key: str) -> Place | None:  # noqa: ARG002
        """Return the place of the names, or of a game's line, which shows all events of its round."""
        if game_round is None:
            return self._place(self.lines.number)
        if not 0 <= game_round < len(self.lines.games):
            return None
        return self._place(self.lines.games[game_round].number)

    def _place(self, number: int) -> Place:
        line = self.file[number - 1]
        return Place(number, len(line) - len(line.lstrip()) + 1, line)
