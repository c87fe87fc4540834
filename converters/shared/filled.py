"""Fill the values that a record leaves out and that follow from it: what ``--fill`` writes."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.converters.shared.completed import absent, complete
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round, Rules
from mjconv.ir.plural import counted
from mjconv.ir.tiles import RED_FIVES
from mjconv.rules import succession
from mjconv.rules.rulesets import ruleset_of
from mjconv.rules.scores import scores_after_results

_REDS: Final = frozenset(RED_FIVES)
#: `kyoku_first` by the length of a game.
_FIRST: Final = {"east": 4, "south": 0}


def filled(match: Match, report: Report | None = None, number: int = 0) -> Match:
    """Return a match with derived values where they are absent: deals, `tsumogiri`, and in riichi also the points.

    The points are those that results move, and the scores after them. ``start_game`` of a match of riichi gets
    `kyoku_first` and `aka_flag` from its rules, or from red fives that are seen. `report` gets a warning if the
    points of a round do not follow; `number` is the index of the match.
    """
    if ruleset_of(match).id != "riichi":
        return succession.fill(match)
    # The scores of the deals follow from the points.
    match = succession.fill(_with_points(match, report or Report(), number))
    rules = match.rules or Rules()
    known: dict[str, Any] = {}
    if rules.length in _FIRST:
        known["kyoku_first"] = _FIRST[rules.length]
    seen = shows_red(match)
    if rules.reds is not UNSET or seen:
        known["aka_flag"] = seen or any(rules.reds or ())
    opening = [
        structs.replace(event, **absent(event, known)) if isinstance(event, ev.StartGame) else event
        for event in match.opening
    ]
    return structs.replace(match, opening=opening)


def shows_red(match: Match) -> bool:
    """Return whether a deal, a draw, a dora or ura indicator, or the wall of a match shows a red five.

    >>> shows_red(Match(rounds=[Round([ev.Draw(0, "5p")])])), shows_red(Match(rounds=[Round([ev.Draw(0, "5pr")])]))
    (False, True)
    """
    return any(not _REDS.isdisjoint(tiles) for one in match.rounds for tiles in _tiles_of(one))


def _tiles_of(game_round: Round) -> Iterator[Sequence[Any]]:
    start = game_round.start or ev.StartRound()
    yield from start.tehais or ()
    yield [event.pai for event in game_round.select(ev.Draw)]
    yield [start.dora_marker, *(event.dora_marker for event in game_round.select(ev.Dora))]
    yield from [win.ura_markers or () for win in game_round.select(ev.Win)]
    yield game_round.wall or ()


def _with_points(match: Match, report: Report, number: int) -> Match:
    """Return a match with the points that results move, and the scores after them, where they follow for sure.

    A match that states all of them, or that cannot be played, is returned unchanged.
    """
    results = [result for one in match.rounds for result in _results(one)]
    if UNSET not in [value for one in results for value in (one.deltas, one.scores)]:
        return match
    if UNSET not in [one.deltas for one in results]:
        return _with_scores(match)
    try:
        completed = complete(match)
    except (PlayError, UnsupportedError):
        return match
    rounds: list[Round] = []
    unknown: list[tuple[int, str]] = []
    for game_round, played in zip(match.rounds, completed, strict=True):
        stated = all(result.deltas is not UNSET for result in _results(game_round))
        reason = played.points_unknown()
        certain = stated or (not reason and len(played.events) >= len(game_round.events))
        if not certain and reason:
            unknown.append((len(rounds), reason))
        events: list[Any] = list(game_round.events)
        for event, origin in zip(played.events, played.origins, strict=True) if certain else ():
            # A round without a deal, which a lenient reader could not read, is completed with one.
            old = events[origin] if type(event) in ev.RESULTS else None
            if type(old) is type(event):
                events[origin] = structs.replace(old, **absent(old, {"deltas": event.deltas}))
        rounds.append(structs.replace(game_round, events=events))
    if unknown:
        index, reason = unknown[0]
        message = f"the points of {counted(len(unknown), 'round')} do not follow, first of this one: {reason}"
        report.warn(message, match=number, round=index, label=rounds[index].label)
    return _with_scores(structs.replace(match, rounds=rounds))


def _with_scores(match: Match) -> Match:
    """Return a match with the scores after each result, where the points that each result moves are stated."""
    rounds: list[Round] = []
    scores: tuple[int, ...] | None = None
    for game_round in match.rounds:
        if game_round.start is not None and game_round.start.scores is not UNSET:
            scores = game_round.start.scores
        after = scores_after_results(game_round.events, scores)
        each = iter(after)
        events: list[Any] = list(game_round.events)
        for index, event in enumerate(events):
            if type(event) in ev.RESULTS:
                events[index] = structs.replace(event, **absent(event, {"scores": next(each, UNSET)}))
        rounds.append(structs.replace(game_round, events=events))
        scores = next(reversed(after), None) if game_round.scores_after is UNSET else game_round.scores_after
    return structs.replace(match, rounds=rounds)


def _results(game_round: Round) -> list[ev.Win | ev.Ryukyoku]:
    results: list[ev.Win | ev.Ryukyoku] = game_round.select(ev.Win, ev.Ryukyoku)
    return results
