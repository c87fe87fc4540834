"""The limits of every reader: what the data may be before it is read, and what a match may be after."""

from collections.abc import Iterator
from functools import partial

from mjconv.converters.interface import Format, Reading
from mjconv.ir import limits
from mjconv.ir.errors import Place
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Fault, Report
from mjconv.ir.match import Match


def bounded(form: Format, data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read a file within the limits.

    Raises `LimitError`, with its place, where the data or a match is beyond one. A lenient report takes the error
    as a fault, and the reading ends there.

    >>> from mjconv.converters.formats import find
    >>> with limits.using(limits.Limits(rounds=1)):  # doctest: +ELLIPSIS
    ...     list(bounded(find("hk")[0], b"A B C D\n- - - -\n- - - -\n", Report()))
    Traceback (most recent call last):
    mjconv.ir.limits.LimitError: <input>:3:1: a match has more than 1 rounds (the limit rounds; ...)
        - - - -
        ^
    """
    number = 0
    try:
        limits.check_lines(data)
        limits.check_strings(data)
        most = limits.current()
        for number, reading in enumerate(form.read(data, report)):
            if number >= most.matches:
                raise LimitError("matches")
            beyond = _beyond(reading.match, most)
            if beyond is not None:
                name, index = beyond
                raise LimitError(name, reading.locate(index, -1, ""))
            reading.match.house = form.holds.house
            yield Reading(reading.match, partial(_place, reading))
    except LimitError as error:
        if not report.lenient:
            raise
        # Not by `Report.fault`: the limit may be the limit of faults.
        report.faults.append(Fault(error, match=number))


def _place(reading: Reading, index: int | None, event: int, key: str) -> Place | None:
    """Return a place as `Locate` does. The format is asked for rounds that the match has."""
    if index is not None and not 0 <= index < len(reading.match.rounds):
        return None
    return reading.locate(index, event, key)


def _beyond(match: Match, most: limits.Limits) -> tuple[str, int] | None:
    """Return the limit that a match exceeds, and the index of the first round beyond it."""
    if len(match.rounds) > most.rounds:
        return "rounds", most.rounds
    if len(match.opening) + len(match.closing) > most.events:
        return "events", 0
    for index, game_round in enumerate(match.rounds):
        if len(game_round.events) > most.events:
            return "events", index
        if len(game_round.answers) > most.answers:
            return "answers", index
        if len(game_round.wall or ()) > most.tiles:
            return "tiles", index
    return None
