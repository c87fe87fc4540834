"""The summary of a file of records: its matches, their rounds and results, and their facts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, time
from fractions import Fraction
from itertools import count
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType, structs

from mjconv.archive.facts import Facts, facts_of
from mjconv.ir.display import ending
from mjconv.ir.events import PerSeat, RiichiAccepted, Ryukyoku, Win
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from mjconv.messages import encodable, json_number
from mjconv.rules.rulesets import RuleSet, ruleset_of, rulesets_of
from mjconv.source import Source

#: Points by seat; those by Hong Kong rules may be fractions.
SeatPoints: TypeAlias = tuple[int | float, ...]


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
    deltas: SeatPoints | UnsetType = UNSET
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
    points: SeatPoints | UnsetType = UNSET
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

    >>> from mjconv.ir.match import Name, Player, Text
    >>> summarise(Match(players=[Player(Name(Text(native="石橋")))])).players
    ('石橋',)
    """
    rulesets = rulesets_of(match)
    return MatchSummary(
        players=tuple(name or None for name in match.names) or (None,) * match.seats,
        rounds=tuple(_round(*each, match) for each in zip(count(1), match.rounds, rulesets, strict=False)),
        date=match.date,
        time=match.time,
        place=(match.place and match.place.shown) or UNSET,
        tournament=(match.tournament and match.tournament.shown) or UNSET,
        points=_sums(match, rulesets) or _last_points(match),
        final_scores=match.final_scores,
        game=ruleset_of(match).id,
    )


def summarised(opened: Source, report: Report) -> FileSummary:
    """Summarise a file. `report` gets the warnings of its reader."""
    matches = tuple(
        structs.replace(summarise(reading.match), facts=facts_of(reading.match, opened.form, opened.name))
        for reading in opened.readings(report)
    )
    return FileSummary(encodable(opened.name or ""), opened.form.id, matches)


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


def _sums(match: Match, rulesets: Sequence[RuleSet]) -> SeatPoints | None:
    """Return the sums of the points of all rounds, if they follow from one result of each."""
    sums = [Fraction(0)] * match.seats
    for played, rules in zip(match.rounds, rulesets, strict=True):
        events = [event for event in played.events if isinstance(event, Win | Ryukyoku)]
        gained = _gains(events[0], played, rules, match) if len(events) == 1 else None
        if gained is None or events[0].scores is not UNSET or played.start is not None:
            return None
        sums = [before + more for before, more in zip(sums, gained, strict=True)]
    return _plain(sums) if match.rounds else None


def _plain(points: Sequence[Fraction]) -> SeatPoints:
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
