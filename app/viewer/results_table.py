"""Matches known only by their results: the points of each game, and the sums after each game and day."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.hongkong_points import gains
from mjconv.viewer.captions import reason_key
from mjconv.viewer.remarks import Note, note_of
from mjconv.viewer.sentences import Sentence

#: Points by seat as exact decimal texts; None if not known.
Texts: TypeAlias = tuple[str, ...] | None


class Game(Struct, frozen=True, omit_defaults=True):
    """A game: its name, date and result, the points that it moves by seat, and the sums after it."""

    label: str
    date: str
    brief: Sentence
    gains: Texts
    sums: Texts
    faan: int | UnsetType = UNSET
    notes: tuple[Note, ...] = ()


class Day(Struct, frozen=True):
    """A day: its number of games, the points that they move by seat, and the sums after it."""

    date: str
    games: int
    gains: Texts
    sums: Texts


class ResultsTable(Struct, frozen=True):
    """The games and days of a match. `lines` are the sums by seat before the first game and after each."""

    games: tuple[Game, ...]
    days: tuple[Day, ...]
    lines: tuple[tuple[float | None, ...], ...]


def is_results_alone(match: Match) -> bool:
    """Return whether a match has results, and no round of which any tile is known."""
    return any(ev.RESULTS.intersection(map(type, played.events)) for played in match.rounds) and not any(
        played.is_played for played in match.rounds
    )


def results_table(match: Match) -> ResultsTable:
    """Return the table of a match that is known only by its results.

    >>> table = results_table(Match(rounds=[Round([ev.Win(0, 1, deltas=(8, -8, 0, 0))])]))
    >>> table.games[0].sums, table.lines[1]
    (('8', '-8', '0', '0'), (0.0, -8.0))
    """
    seats = match.seats
    sums: list[Fraction] | None = [Fraction(0)] * seats
    games: list[Game] = []
    exact: list[list[Fraction] | None] = []
    lines: list[list[float | None]] = [[0.0] for _ in range(seats)]
    for number, played in enumerate(match.rounds, 1):
        gained = _gained(played, match, seats)
        sums = None if sums is None or gained is None else [a + b for a, b in zip(sums, gained, strict=True)]
        exact.append(gained)
        results: list[ev.Win | ev.Ryukyoku] = played.select(ev.Win, ev.Ryukyoku)
        day = match.date if played.date is UNSET else played.date
        label = played.label
        faan = next((result.fan for result in results if isinstance(result, ev.Win)), UNSET)
        games.append(
            Game(
                str(number) if label == "?" else label,
                "" if day is UNSET else day.isoformat(),
                _brief(results[0]) if results else ("brief.none",),
                _spelled(gained),
                _spelled(sums),
                faan,
                tuple([note_of(annotation) for annotation in played.annotations]),
            )
        )
        for seat, line in enumerate(lines):
            line.append(None if sums is None else _float(sums[seat]))
    return ResultsTable(tuple(games), tuple(_days(games, exact, seats)), tuple(map(tuple, lines)))


def _gained(played: Round, match: Match, seats: int) -> list[Fraction] | None:
    """Return the points that the results of a round move, or None where they are not known."""
    rules = match.rules if played.rules is UNSET else played.rules
    total = [Fraction(0)] * seats
    results: list[ev.Win | ev.Ryukyoku] = played.select(ev.Win, ev.Ryukyoku)
    for result in results:
        moved: Sequence[Fraction | int] | None = None
        if result.deltas is not UNSET:
            moved = result.deltas
        elif rules is not UNSET:
            moved = gains(result, rules, seats)
        if moved is None or len(moved) != seats:
            return None
        total = [a + b for a, b in zip(total, moved, strict=True)]
    return total


def _days(games: Sequence[Game], exact: Sequence[list[Fraction] | None], seats: int) -> list[Day]:
    days = []
    number = 0
    for date, group in groupby(games, key=lambda game: game.date):
        of_day = list(group)
        moved: list[Fraction] | None = [Fraction(0)] * seats
        for gained in exact[number : number + len(of_day)]:
            moved = (
                None if moved is None or gained is None else [a + b for a, b in zip(moved, gained, strict=True)]
            )
        number += len(of_day)
        days.append(Day(date, len(of_day), _spelled(moved), of_day[-1].sums))
    return days


def _brief(result: ev.Win | ev.Ryukyoku) -> Sentence:
    if isinstance(result, ev.Ryukyoku):
        if result.reason == CHOMBO and result.actor is not UNSET:
            return "brief.chombo", result.actor
        return ("game.draw",) if result.reason is UNSET else ("brief.draw", reason_key(result))
    faan = result.fan
    if faan is UNSET:
        return "brief.win_only", result.actor
    if result.liable is not UNSET and result.liable != result.actor:
        return "game.guaranteed", result.actor, result.liable, faan
    if result.target is UNSET or result.target == result.actor:
        return "game.self", result.actor, faan
    return "game.discard", result.actor, result.target, faan


def _spelled(points: Sequence[Fraction] | None) -> Texts:
    return None if points is None else tuple(map(decimal_text, points))


def decimal_text(number: Fraction) -> str:
    """Return a number as an exact decimal text. Points are halves of decimal numbers, so they have an end.

    >>> decimal_text(Fraction(-25, 2)), decimal_text(Fraction(3)), decimal_text(Fraction(-1, 200))
    ('-12.5', '3', '-0.005')
    """
    digits, power = 0, 1
    while power % number.denominator:
        digits, power = digits + 1, power * 10
    whole, rest = divmod(abs(number.numerator) * (power // number.denominator), power)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}}" if digits else f"{sign}{whole}"


def _float(number: Fraction) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None
