"""Summarise matches for ``mjconv info``, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time

from msgspec import UNSET, Struct, UnsetType

from mjconv.ir.display import ending
from mjconv.ir.errors import visible
from mjconv.ir.events import PerSeat, RiichiAccepted, Ryukyoku, Win
from mjconv.ir.match import Match, Name, Player, Round, Text, Tournament
from mjconv.ir.plural import counted


class Result(Struct, frozen=True, omit_defaults=True):
    """The result of a round: `end` is ``tsumo``, ``ron``, ``win`` (unknown which of the two) or ``draw``.

    Seats count from 0. `deltas` are points by seat.
    """

    end: str
    winner: int | UnsetType = UNSET
    target: int | UnsetType = UNSET
    han: int | UnsetType = UNSET
    fu: int | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    deltas: PerSeat | UnsetType = UNSET


class RoundSummary(Struct, frozen=True, omit_defaults=True):
    """A round: its name, its number of events, and its results (none if the record ends early)."""

    round: str
    events: int
    results: tuple[Result, ...] = ()


class MatchSummary(Struct, frozen=True, omit_defaults=True):
    """A match: players by seat (null without a name), rounds, date, place, and points by player.

    `points` are the last points in the record, `final_scores` those after oka and uma.
    """

    players: tuple[str | None, ...]
    rounds: tuple[RoundSummary, ...]
    date: date | UnsetType = UNSET
    time: time | UnsetType = UNSET
    place: str | UnsetType = UNSET
    tournament: str | UnsetType = UNSET
    points: PerSeat | UnsetType = UNSET
    final_scores: PerSeat | UnsetType = UNSET


class FileSummary(Struct, frozen=True, omit_defaults=True):
    """A file: its name, the id of its format, and its matches."""

    file: str
    format: str
    matches: tuple[MatchSummary, ...]


def summarise(match: Match) -> MatchSummary:
    """Summarise a match.

    >>> summarise(Match(players=[Player(Name(Text(native="石橋")))])).players
    ('石橋',)
    """
    return MatchSummary(
        players=tuple(_player(player) for player in match.players) or (None,) * match.seats,
        rounds=tuple(_round(played) for played in match.rounds),
        date=match.date,
        time=match.time,
        place=_text(match.place) or UNSET,
        tournament=_tournament(match.tournament) or UNSET,
        points=_last_points(match),
        final_scores=match.final_scores,
    )


def lines(summary: FileSummary) -> Iterator[str]:
    """Return a summary as lines of text, safe for a terminal."""
    number = len(summary.matches)
    yield visible(f"{summary.file}: {summary.format}, {counted(number, 'match')}")
    for index, match in enumerate(summary.matches, 1):
        names = [name or f"seat {seat}" for seat, name in enumerate(match.players)]
        yield visible(f"match {index}: {', '.join(names)}")
        facts = (match.date, match.time, match.place, match.tournament)
        if known := ", ".join(str(fact) for fact in facts if fact is not UNSET):
            yield visible(f"  {known}")
        for played in match.rounds:
            ends = "; ".join(_result_line(result, names) for result in played.results)
            yield visible(f"  {played.round:<6} {ends or 'no result'}")
        for word, points in (("points", match.points), ("final scores", match.final_scores)):
            if points is not UNSET:
                pairs = zip(names, points, strict=False)
                yield visible(f"  {word}: {', '.join(f'{name} {value}' for name, value in pairs)}")


def _result_line(result: Result, names: list[str]) -> str:
    def name(seat: int) -> str:
        return names[seat] if 0 <= seat < len(names) else f"seat {seat}"

    words = [result.end if result.winner is UNSET else f"{name(result.winner)} {result.end}"]
    if result.target is not UNSET and result.target != result.winner:
        words.append(f"from {name(result.target)}")
    if result.reason is not UNSET:
        words.append(f"({result.reason})")
    if result.han is not UNSET:
        words.append(f"{result.han} han")
    if result.fu is not UNSET:
        words.append(f"{result.fu} fu")
    line = " ".join(words)
    if result.deltas is UNSET:
        return line
    moved = ", ".join(f"{name(seat)} {delta:+}" for seat, delta in enumerate(result.deltas) if delta)
    return f"{line}: {moved or 'no points move'}"


def _round(played: Round) -> RoundSummary:
    results = tuple(_result(event) for event in played.events if isinstance(event, Win | Ryukyoku))
    return RoundSummary(played.label, len(played.events), results)


def _result(event: Win | Ryukyoku) -> Result:
    if isinstance(event, Ryukyoku):
        return Result(ending(event), reason=event.reason, deltas=event.deltas)
    return Result(ending(event), event.actor, event.target, event.fan, event.fu, UNSET, event.deltas)


def _last_points(match: Match) -> PerSeat | UnsetType:
    """Return the last points in the record; points at the end of a round are not calculated."""
    for played in reversed(match.rounds):
        if played.scores_after is not UNSET:
            return played.scores_after
        for event in reversed(played.events):
            if isinstance(event, Win | Ryukyoku | RiichiAccepted) and event.scores is not UNSET:
                return event.scores
        if played.start is not None and played.start.scores is not UNSET:
            return UNSET
    return UNSET


def _player(player: Player) -> str | None:
    return _name(player.name) or None


def _name(name: Name | UnsetType) -> str:
    """Return last and first name, in native script if known, else romanised."""
    if name is UNSET:
        return ""
    return " ".join(part for part in (_text(name.last), _text(name.first)) if part)


def _text(text: Text | UnsetType) -> str:
    if text is UNSET:
        return ""
    return next((part for part in (text.native, text.roman, text.code) if part), "")


def _tournament(tournament: Tournament | UnsetType) -> str:
    if tournament is UNSET:
        return ""
    year = "" if tournament.year is UNSET else str(tournament.year)
    return " ".join(part for part in (_text(tournament.name), year, _text(tournament.stage)) if part)
