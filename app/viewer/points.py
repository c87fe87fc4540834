"""The points of the players before each round and after the last: the lines of a graph."""

from __future__ import annotations

from collections.abc import Sequence

from mjconv.rules.scores import scores_after
from mjconv.viewer.cursor import RoundView


def points_after(view: RoundView) -> Sequence[int | None]:
    """Return the points after a round: those of its last step, unless the record states others."""
    before, last = view.steps[0].state.points, view.steps[-1].state.points
    known = [points for points in before if points is not None]
    stated = scores_after(view.record, tuple(known)) if len(known) == len(before) else None
    return stated if stated is not None and len(stated) == len(last) else last


def point_lines(rounds: Sequence[RoundView]) -> list[list[int | None]]:
    """Return one line a seat: the points before each round, and after the last; None for points not known.

    >>> from mjconv.ir import events as ev
    >>> from mjconv.ir.match import Match, Round
    >>> from mjconv.viewer.cursor import round_views
    >>> won = [ev.StartRound(scores=(25000,) * 4), ev.Win(0, 1, deltas=(8000, -8000, 0, 0))]
    >>> point_lines(round_views(Match(rounds=[Round(won)])))
    [[25000, 33000], [25000, 17000], [25000, 25000], [25000, 25000]]
    """
    columns = [view.steps[0].state.points for view in rounds] + [points_after(view) for view in rounds[-1:]]
    seats = max(map(len, columns), default=0)
    return [[column[seat] if seat < len(column) else None for column in columns] for seat in range(seats)]
