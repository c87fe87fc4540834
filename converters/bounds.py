"""Every reader within the limits: what the data may be before it is read, and what a match may be after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import UNSET

from mjconv.ir import limits
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Fault, Report
from mjconv.ir.match import Match, Round

if TYPE_CHECKING:
    from mjconv.converters.formats import Places, Reader


def bounded(reader: Reader, places: Callable[[], Places]) -> Reader:
    r"""Give a reader that keeps to the limits; what finds places in its data is loaded by `places` when needed.

    A lenient report takes a `LimitError` as a fault, and the reading ends there.

    >>> from mjconv.converters.formats import find
    >>> with limits.using(limits.Limits(rounds=1)):
    ...     list(find("hk")[0].read(b"A B C D\n- - - -\n- - - -\n", Report()))
    Traceback (most recent call last):
    mjconv.ir.limits.LimitError: <input>:3:1: a match has more than 1 rounds, the most that is read (limit rounds)
        - - - -
        ^
    """

    def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
        number = 0
        try:
            limits.check_lines(data)
            limits.check_strings(data)
            most = limits.current()
            for number, match in enumerate(reader(data, report, flavour)):
                if number >= most.matches:
                    raise LimitError("matches")
                beyond = _beyond(match, most)
                if beyond is not None:
                    name, index = beyond
                    find = places()(data, lenient=report.lenient)
                    raise LimitError(name, find(number, index, -1))
                yield match
        except LimitError as error:
            if not report.lenient:
                raise
            # Not by `Report.fault`: the limit may be that of faults.
            report.faults.append(Fault(error, match=number))

    return read


def _beyond(match: Match, most: limits.Limits) -> tuple[str, int] | None:
    """Find the limit that a match goes beyond, and at which of its rounds."""
    if len(match.rounds) > most.rounds:
        return "rounds", most.rounds
    if len(match.opening) + len(match.closing) > most.events:
        return "events", 0
    for index, game_round in enumerate(match.rounds):
        if len(game_round.events) > most.events:
            return "events", index
        if _tiles(game_round) > most.tiles:
            return "tiles", index
    return None


def _tiles(game_round: Round) -> int:
    """Count the tiles that a round begins with."""
    return 0 if game_round.wall is UNSET else len(game_round.wall)
