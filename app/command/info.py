"""Summarise matches for ``mjconv info``, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, time
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from msgspec import UNSET, Struct, UnsetType, structs

from mjconv.archive.facts import Facts, facts_of
from mjconv.command.console import print_messages
from mjconv.command.paths import INFO_READS, open_source
from mjconv.files.address import redacted
from mjconv.files.reading import STANDARD
from mjconv.ir.display import ending
from mjconv.ir.errors import InputError, MjconvError, visible
from mjconv.ir.events import PerSeat, RiichiAccepted, Ryukyoku, Win
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text, Tournament
from mjconv.ir.plural import counted
from mjconv.messages import encodable, json_number, warning_lines
from mjconv.rules.rulesets import RuleSet, by_id, ruleset_of, rulesets_of
from mjconv.source import Source, source_of

if TYPE_CHECKING:
    from mjconv.archive.where import Where

#: Points by seat; those by Hong Kong rules may be fractions.
Points: TypeAlias = tuple[int | float, ...]


class RoundResult(Struct, frozen=True, omit_defaults=True):
    """The result of a round: `end` is ``tsumo``, ``ron``, ``win`` (unknown which of the two) or ``draw``.

    Seats count from 0. `deltas` are points by seat. A win has `han` by the rules of riichi, `faan` by those of
    Hong Kong, and `fan` by all others.
    """

    end: str
    winner: int | UnsetType = UNSET
    target: int | UnsetType = UNSET
    han: int | UnsetType = UNSET
    fu: int | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    deltas: Points | UnsetType = UNSET
    faan: int | UnsetType = UNSET
    fan: int | UnsetType = UNSET


class RoundSummary(Struct, frozen=True, omit_defaults=True):
    """A round: its name, its number of events, and its results (none if the record ends early).

    A game of scores has its number in the match as its name. `date` is its date if that is not the date of the
    match. `answers` is the number of answers beside the events.
    """

    round: str
    events: int
    results: tuple[RoundResult, ...] = ()
    date: date | UnsetType = UNSET
    answers: int = 0


class MatchSummary(Struct, frozen=True, omit_defaults=True):
    """A match: players by seat (null without a name), rounds, date, place, and points by player.

    `game` is the id of the rule set that mjconv uses, empty if the game is not known. `points` are the last
    points in the record, by Hong Kong rules the sums of the games. `final_scores` are those after oka and uma.
    `facts` are the facts of the match, as filters use them.
    """

    players: tuple[str | None, ...]
    rounds: tuple[RoundSummary, ...]
    date: date | UnsetType = UNSET
    time: time | UnsetType = UNSET
    place: str | UnsetType = UNSET
    tournament: str | UnsetType = UNSET
    points: Points | UnsetType = UNSET
    final_scores: PerSeat | UnsetType = UNSET
    game: str = ""
    facts: Facts | UnsetType = UNSET


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
    rulesets = rulesets_of(match)
    return MatchSummary(
        players=tuple(_player(player) for player in match.players) or (None,) * match.seats,
        rounds=tuple(_round(*each, match) for each in zip(count(1), match.rounds, rulesets, strict=False)),
        date=match.date,
        time=match.time,
        place=_text(match.place) or UNSET,
        tournament=_tournament(match.tournament) or UNSET,
        points=_sums(match, rulesets) or _last_points(match),
        final_scores=match.final_scores,
        game=ruleset_of(match).id,
    )


def lines(summary: FileSummary) -> Iterator[str]:
    """Return a summary as lines of text, safe for a terminal."""
    number = len(summary.matches)
    yield visible(f"{summary.file}: {summary.format}, {counted(number, 'match')}")
    for index, match in enumerate(summary.matches, 1):
        names = [name or f"seat {seat}" for seat, name in enumerate(match.players)]
        yield visible(f"match {index}: {', '.join(names)}")
        rules = by_id(match.game)
        if match.game:
            yield visible(f"  game: {rules.name.english}")
        known_facts = Facts(0, 0) if match.facts is UNSET else match.facts
        date, time = match.date or known_facts.date, match.time or known_facts.time
        facts = (date, time, match.place, known_facts.room, match.tournament)
        if known := ", ".join(str(fact) for fact in facts if fact is not UNSET):
            yield visible(f"  {known}")
        day = date
        for played in match.rounds:
            if played.date is not UNSET and played.date != day:
                day = played.date
                yield f"  {day}"
            ends = "; ".join(_result_line(result, names, rules.unit.english) for result in played.results)
            yield visible(f"  {played.round:<6} {ends or 'no result'}")
        answers = sum(played.answers for played in match.rounds)
        if answers:
            yield f"  answers of players: {answers}"
        for word, points in (("points", match.points), ("final scores", match.final_scores)):
            if points is not UNSET:
                pairs = zip(names, points, strict=False)
                yield visible(f"  {word}: {', '.join(f'{name} {value}' for name, value in pairs)}")


def _result_line(result: RoundResult, names: list[str], unit: str) -> str:
    def name(seat: int) -> str:
        return names[seat] if 0 <= seat < len(names) else f"seat {seat}"

    words = [result.end if result.winner is UNSET else f"{name(result.winner)} {result.end}"]
    if result.target is not UNSET and result.target != result.winner:
        words.append(f"from {name(result.target)}")
    if result.reason is not UNSET:
        words.append(f"({result.reason})")
    words += [f"{value} {unit}" for value in (result.han, result.faan, result.fan) if value is not UNSET]
    if result.fu is not UNSET:
        words.append(f"{result.fu} fu")
    line = " ".join(words)
    if result.deltas is UNSET:
        return line
    moved = ", ".join(f"{name(seat)} {delta:+}" for seat, delta in enumerate(result.deltas) if delta)
    return f"{line}: {moved or 'no points move'}"


def _round(number: int, played: Round, rules: RuleSet, match: Match) -> RoundSummary:
    events = [event for event in played.events if isinstance(event, Win | Ryukyoku)]
    results = tuple(_result(event, _gains(event, played, rules, match), rules) for event in events)
    # Games of scores have no names.
    label = str(number) if played.start is None and rules.gains is not None else played.label
    return RoundSummary(label, len(played.events), results, played.date, len(played.answers))


def _result(event: Win | Ryukyoku, gained: Sequence[Fraction] | None, rules: RuleSet) -> RoundResult:
    deltas = event.deltas if gained is None or event.deltas is not UNSET else _plain(gained)
    if isinstance(event, Ryukyoku):
        return RoundResult(ending(event), reason=event.reason, deltas=deltas)
    result = RoundResult(ending(event), event.actor, event.target, UNSET, event.fu, UNSET, deltas)
    unit = rules.unit.english
    return structs.replace(result, **{unit if unit in ("han", "faan") else "fan": event.fan})


def _gains(event: Win | Ryukyoku, played: Round, rules: RuleSet, match: Match) -> Sequence[Fraction] | None:
    """Return the points that follow from the stated value of a result; None if its rules state none."""
    stated = match.rules_of(played)
    return None if stated is UNSET or rules.gains is None else rules.gains(event, stated, match.seats)


def _sums(match: Match, rulesets: Sequence[RuleSet]) -> Points | None:
    """Return the sums of the points of all rounds, if they follow from one result of each."""
    sums = [Fraction(0)] * match.seats
    for played, rules in zip(match.rounds, rulesets, strict=True):
        events = [event for event in played.events if isinstance(event, Win | Ryukyoku)]
        gained = _gains(events[0], played, rules, match) if len(events) == 1 else None
        if gained is None or events[0].scores is not UNSET or played.start is not None:
            return None
        sums = [before + more for before, more in zip(sums, gained, strict=True)]
    return _plain(sums) if match.rounds else None


def _plain(points: Sequence[Fraction]) -> Points:
    """Return points as whole numbers where they are, as floats elsewhere."""
    return tuple(map(json_number, points))


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


def summarise_files(
    paths: Iterable[str],
    source: str | None = None,
    *,
    everything: bool = False,
    quiet: bool = False,
    where: Where | None = None,
) -> Iterator[FileSummary | MjconvError | OSError]:
    """Summarise files; yields the error of a bad one. Warnings of readers are printed, unless `quiet`.

    With `everything`, also reads the records in folders and archives. `where` keeps some of the matches.
    """
    for path in paths:
        try:
            if everything and path != STANDARD:
                yield from _summarised_members(path, source, where, quiet=quiet)
            else:
                opened = open_source(path, source, INFO_READS)
                yield summarised(structs.replace(opened, where=where), quiet=quiet)
        except (MjconvError, OSError) as error:
            yield error


def _summarised_members(
    path: str, source: str | None, where: Where | None, *, quiet: bool
) -> Iterator[FileSummary | MjconvError | OSError]:
    # Loaded here: most uses of the command read no archive.
    from mjconv.files.members import SpecialFile
    from mjconv.files.walk import members

    records = 0
    for member in members([path]):
        if isinstance(member.piece, SpecialFile):
            continue
        try:
            data = member.read()
            if not member.is_record(data, source):
                continue
            records += 1
            yield summarised(source_of(data, source, member.name, where), quiet=quiet)
        except (MjconvError, OSError) as error:
            records += 1
            yield error
    if not records:
        raise InputError("there is no record in it", file=redacted(path))


def summarised(opened: Source, *, quiet: bool) -> FileSummary:
    """Summarise a file. Warnings of its reader are printed, unless `quiet`."""
    name = opened.name or ""
    report = Report()
    matches = tuple(
        structs.replace(summarise(reading.match), facts=facts_of(reading.match, opened.form, opened.name))
        for reading in opened.readings(report)
    )
    if not quiet:
        print_messages(warning_lines(report.warnings, name))
    return FileSummary(encodable(name), opened.form.id, matches)
