"""Matches known only by their results: the points of each game, and the sums after each game and day."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mjconv.ir import events as ev
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match, Player, Rules
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.rulesets import RuleSet, rulesets_of
from mjconv.viewer.facts import ShownRemark, note_of, players_of
from mjconv.viewer.results import reason_key
from mjconv.viewer.words import Sentence, count_key

#: The most cells of a table: games times players.
MOST_CELLS: Final = 500_000
#: Points by player as exact decimal texts, None for one who takes no part; None if they are not known.
Texts: TypeAlias = tuple[str | None, ...] | None
#: Points by the number of the player, None if they are not known.
_Points: TypeAlias = dict[int, Fraction] | None


class GameRow(Struct, frozen=True, omit_defaults=True):
    """A game: its name, date and result, the points that it moves by player, and the sums after it."""

    label: str
    date: str
    brief: Sentence
    gains: Texts
    sums: Texts
    notes: tuple[ShownRemark, ...] = ()


#: A game with the points that its players gain.
_Game: TypeAlias = tuple[GameRow, _Points]


class Day(Struct, frozen=True):
    """A day: its number of games, the points that they move by player, and the sums after it."""

    date: str
    games: int
    gains: Texts
    sums: Texts


class ResultsTable(Struct, frozen=True):
    """The games and days of a match. `lines` are the sums by player before the first game and after each.

    The line of a player begins with 0 before the player's first game, and has None before that.
    """

    games: tuple[GameRow, ...]
    days: tuple[Day, ...]
    lines: tuple[tuple[float | None, ...], ...]


def is_results_alone(match: Match) -> bool:
    """Return whether a match has results, and no round in which a tile is known."""
    ends = any(ev.RESULTS.intersection(map(type, played.events)) for played in match.rounds)
    return ends and not any(played.is_played for played in match.rounds)


def results_table(matches: Sequence[Match]) -> tuple[list[Player], ResultsTable]:
    """Return the table of matches that are known only by their results, and its players.

    Players of several matches with the same name are one player. A player who takes no part in a game has None in
    its `gains`, and None in `sums` before the first game. Raises `UsageError` if the table would have more than
    `MOST_CELLS` cells.

    >>> from mjconv.ir.match import Round
    >>> players, table = results_table([Match(rounds=[Round([ev.Win(0, 1, deltas=(8, -8, 0, 0))])])])
    >>> len(players), table.games[0].sums, table.lines[1]
    (4, ('8', '-8', '0', '0'), (0.0, -8.0))
    """
    players: dict[tuple[str, int], tuple[int, Player]] = {}
    games = [game for match in matches for game in _games(match, _numbers(match, players))]
    if len(players) * len(games) > MOST_CELLS:
        raise UsageError(f"the table would have more than {MOST_CELLS} cells: show fewer matches")
    return [player for _, player in players.values()], table_of(games, len(players))


def _numbers(match: Match, players: dict[tuple[str, int], tuple[int, Player]]) -> list[int]:
    """Return the number of the player on each seat. Players are counted by name, those without a name by seat."""
    seen = Counter[str]()
    numbers = []
    for player in players_of(match):
        name = player.called
        number, _ = players.setdefault((name, seen[name]), (len(players), player))
        seen[name] += 1
        numbers.append(number)
    return numbers


def _games(match: Match, numbers: Sequence[int]) -> Iterator[_Game]:
    """Yield the games of a match. `numbers` are those of its players by seat."""
    for played, rules in zip(match.rounds, rulesets_of(match), strict=True):
        day = match.date_of(played)
        results: list[ev.Win | ev.Ryukyoku] = played.select(ev.Win, ev.Ryukyoku)
        brief = _brief(results[0], numbers, count_key(rules)) if results else ("brief.none",)
        notes = tuple([note_of(annotation) for annotation in played.annotations])
        game = GameRow(played.label, "" if day is UNSET else day.isoformat(), brief, None, None, notes)
        gained = _gained(results, rules, match.rules_of(played), len(numbers))
        yield game, None if gained is None else dict(zip(numbers, gained, strict=True))


def table_of(games: Sequence[_Game], count: int) -> ResultsTable:
    """Return the table of games of `count` players."""
    sums: _Points = {}
    rows: list[GameRow] = []
    days, after = [], []
    for date, group in groupby(games, key=lambda entry: entry[0].date):
        moved: _Points = {}
        begin = len(rows)
        for game, gained in group:
            sums, moved = _sum(sums, gained), _sum(moved, gained)
            after.append(sums or {})
            label = str(len(rows) + 1) if game.label == "?" else game.label
            rows.append(replace(game, label=label, gains=_spelled(gained, count), sums=_spelled(sums, count)))
        days.append(Day(date, len(rows) - begin, _spelled(moved, count), _spelled(sums, count)))
    return ResultsTable(tuple(rows), tuple(days), tuple([_line(player, after) for player in range(count)]))


def _line(player: int, after: Sequence[Mapping[int, Fraction]]) -> tuple[float | None, ...]:
    """Return the line of a player. `after` are the sums after each game."""
    line = [None, *(_float(sums[player]) if player in sums else None for sums in after)]
    first = next((at for at, points in enumerate(line) if points is not None), 0)
    if first:
        line[first - 1] = 0.0
    return tuple(line)


def _sum(sums: _Points, gained: _Points) -> _Points:
    """Return the sums with the points of a game; None from the first game on whose points are not known."""
    if sums is None or gained is None:
        return None
    return sums | {player: sums.get(player, Fraction(0)) + points for player, points in gained.items()}


def _gained(
    results: Sequence[ev.Win | ev.Ryukyoku], ruleset: RuleSet, rules: Rules | UnsetType, seats: int
) -> list[Fraction] | None:
    """Return the points that the results of a round move, or None where they are not known."""
    total = [Fraction(0)] * seats
    for result in results:
        moved: Sequence[Fraction | int] | None = None
        if result.deltas is not UNSET:
            moved = result.deltas
        elif rules is not UNSET and ruleset.gains is not None:
            moved = ruleset.gains(result, rules, seats)
        if moved is None or len(moved) != seats:
            return None
        total = [a + b for a, b in zip(total, moved, strict=True)]
    return total


def _brief(result: ev.Win | ev.Ryukyoku, numbers: Sequence[int], word: str) -> Sentence:
    """Return the result of a game in brief.

    `numbers` are those of the players by seat. `word` is the key of the word han, faan or fan.
    """

    def player(seat: int) -> int:
        return numbers[seat] if 0 <= seat < len(numbers) else seat

    if isinstance(result, ev.Ryukyoku):
        if result.reason == CHOMBO and result.actor is not UNSET:
            return "brief.chombo", player(result.actor)
        return ("game.draw",) if result.reason is UNSET else ("brief.draw", reason_key(result))
    faan = result.fan
    if faan is UNSET:
        return "brief.win", player(result.actor)
    if result.liable is not UNSET and result.liable != result.actor:
        return "game.guaranteed", player(result.actor), player(result.liable), faan, word
    if result.giver == result.actor:
        return "game.self", player(result.actor), faan, word
    return "game.discard", player(result.actor), player(result.giver), faan, word


def _spelled(points: _Points, count: int) -> Texts:
    if points is None:
        return None
    return tuple([decimal_text(points[player]) if player in points else None for player in range(count)])


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
