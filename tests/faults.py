"""Lenient and strict readings of a file, and what a fault states: its message and its places."""

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import UNSET

from mjconv.ir.errors import InputError, MjconvError, Place
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.losses import Fault, Report, Warn
from mjconv.ir.match import Match, Round
from mjconv.ir.table import Table
from trips import known, read


@dataclass(frozen=True)
class Lenient:
    """What lenient reading gives."""

    data: bytes
    matches: list[Match]
    faults: list[Fault]
    warnings: list[Warn]

    @property
    def rounds(self) -> list[Round]:
        [match] = self.matches
        return match.rounds

    @property
    def round(self) -> Round:
        [game_round] = self.rounds
        return game_round

    @property
    def messages(self) -> list[str]:
        return [fault.error.message for fault in self.faults]

    @property
    def fault(self) -> Fault:
        [fault] = self.faults
        return fault


def leniently(text: str | bytes, source: str) -> Lenient:
    report = Report(lenient=True)
    data = text if isinstance(text, bytes) else text.encode()
    return Lenient(data, read(data, source, report).matches, report.faults, report.warnings)


def strictly(text: str | bytes, source: str) -> list[Match] | MjconvError:
    try:
        return read(text, source).matches
    except MjconvError as error:
        return error


def refused(text: str | bytes, source: str) -> InputError:
    """Return the error of a strict reading."""
    error = strictly(text, source)
    assert isinstance(error, InputError)
    return error


def misread(text: str | bytes, source: str) -> tuple[str, str]:
    """Return the message of the error of a strict reading, and its line from the place of the error on."""
    error = refused(text, source)
    return error.message, pointed(error.place)


def refused_at(text: str | bytes, source: str) -> tuple[int, int, str]:
    """Return the line, the column and the message of the error of a strict reading."""
    error = refused(text, source)
    return *spot(error.place), error.message


def reported(text: str | bytes, source: str) -> Lenient:
    """Read leniently, and check that the first fault is the error of a strict reading."""
    was = leniently(text, source)
    if was.faults:
        assert described(was.faults[0].error) == described(refused(text, source)), text[:300]
    return was


def described(error: MjconvError | None) -> tuple[type, str, Place | None]:
    assert error is not None
    return type(error), error.message, error.place


def spot(found: Fault | Place | None) -> tuple[int, int]:
    """Return the line and the column of a fault or a place."""
    place = known(found.error.place if isinstance(found, Fault) else found)
    return place.line, place.column


def pointed(place: Place | None) -> str:
    """Return the line of a place, from the place on."""
    return known(place).text[known(place).column - 1 :]


def where(fault: Fault) -> tuple[int | None, int | None, int | None]:
    return fault.match, fault.round, fault.event


def played(game_round: Round) -> tuple[Table | None, list[int]]:
    """Play a round, by force what the table refuses: the table at the end, and the events that it refused."""
    wrong: list[int] = []
    if game_round.start is None or game_round.start.tehais is UNSET:
        return None, wrong
    table = Table.dealt(game_round.start)
    for number, event in enumerate(game_round.events):
        try:
            table.apply(event)
        except IllegalPlayError:
            assert table.play_anyway(event)
            wrong.append(number)
    return table, wrong


def impossible(matches: list[Match]) -> Iterator[tuple[int, int, int]]:
    """Yield each event that the table refuses, by match, round and event."""
    for number, match in enumerate(matches):
        for index, game_round in enumerate(match.rounds):
            yield from ((number, index, event) for event in played(game_round)[1])
