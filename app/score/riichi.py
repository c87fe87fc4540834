"""The results of games of riichi: points after oka and uma, places, and chombo."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from mjconv.converters.interface import Format
from mjconv.converters.shared.ends import is_chombo, points_at_end, states_end
from mjconv.converters.shared.settings import Settings
from mjconv.converters.shared.standings import UNITS, ScoredGame
from mjconv.converters.shared.text_lines import distinct
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Rules
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.rulesets import RIICHI, UNKNOWN, rulesets_of
from mjconv.rules.scores import USUAL_START, after_uma, places_of, points_at_start

_THOUSAND: Final = 1000


def is_riichi(match: Match) -> bool:
    """Return whether a match may be of riichi: no round states another game."""
    return match.seats in USUAL_START and all(rules in (RIICHI, UNKNOWN) for rules in rulesets_of(match))


def states_uma(match: Match) -> bool:
    """Return whether a match states points after oka and uma, or the rules for them."""
    rules = match.rules or Rules()
    return match.final_scores is not UNSET or rules.uma is not UNSET or rules.by_place is not UNSET


def scored_game(match: Match, settings: Settings | None = None, form: Format | None = None) -> ScoredGame | None:
    """Return the result of a game of riichi; None if the record does not state its end.

    The points are thousands after oka and uma. The match states them, or they follow from its rules. `settings`
    replace those of its rules that they state. `form` is the format of the record: some formats close each match.

    >>> match = Match(closing=[ev.EndGame((42300, 31000, 18200, 8500))])
    >>> game = scored_game(match, Settings(four=(20, 10, -10, -20)))
    >>> [units * 1000 // UNITS for units in game.units], game.places
    ([17320, 6010, -6810, -16520], (1, 2, 3, 4))
    """
    points = points_at_end(match) if states_end(match, form) else UNSET
    seats = match.seats
    if points is UNSET or len(points) != seats or seats not in USUAL_START:
        return None
    draws = [event for one in match.rounds for event in one.select(ev.Ryukyoku)]
    fined = [draw.actor for draw in draws if draw.reason == CHOMBO]
    fined += [one.seat for one in match.annotations if is_chombo(one)]
    chombo = [fined.count(seat) for seat in range(seats)]
    final, ties = _final(match, points, chombo, settings or Settings())
    order = list(zip(points, ties, strict=True))
    places = [1 + sum(other > own for other in order) for own in order]
    units = [value * UNITS // _THOUSAND for value in final]
    winners = tuple([seat for seat, place in enumerate(places) if place == 1])
    blamed = tuple([seat for seat, times in enumerate(chombo) if times])
    by_seat = tuple(units), tuple(places), tuple(chombo)
    return ScoredGame(match.date or None, names_of(match), *by_seat, winners, blamed)


def names_of(match: Match) -> tuple[str, ...]:
    """Return the names of the players: P1 to P4 for players without one, a suffix for equal ones."""
    return distinct([name or f"P{seat}" for seat, name in enumerate(match.names or [""] * match.seats, 1)])


def _final(
    match: Match, points: Sequence[int], chombo: Sequence[int], settings: Settings
) -> tuple[Sequence[int], Sequence[int]]:
    """Return the final points, and numbers that are higher for who has the higher place at equal points."""
    stated, own, seats = match.final_scores, match.rules or Rules(), len(points)
    rules = settings.over(own, seats) if settings != Settings() else own
    # Points follow from a season that states how; with its ties and chombo, only from a record that states an uma.
    follows = settings.states_points or (rules != own and places_of(own, seats) is not None)
    placed = after_uma(points, rules, points_at_start(match) or None)
    if stated is not UNSET and len(stated) == seats and not follows:
        # Some records do not subtract the returning points.
        less = sum(stated) // seats if sum(stated) == sum(points) else 0
        fines = zip(stated, chombo, strict=True)
        placed = tuple([value - less + times * (own.chombo or 0) for value, times in fines])
    ties = {"share": [0] * seats, "dealer": range(seats, 0, -1)}.get(rules.ties or "", placed)
    return [value - times * (rules.chombo or 0) for value, times in zip(placed, chombo, strict=True)], ties
