"""A place in a match, moves to other places, and the points of the players before each round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import UNSET, Struct

from mjconv.ir.match import Match, Round
from mjconv.referee.findings import Finding
from mjconv.rules.rulesets import rulesets_of
from mjconv.rules.scores import scores_after
from mjconv.rules.succession import starts
from mjconv.viewer.facts import FindingNote, ShownRemark, findings_by_step, notes_by_step
from mjconv.viewer.results import briefly
from mjconv.viewer.steps import RoundSteps, Step
from mjconv.viewer.wall import WallView, wall_view
from mjconv.viewer.words import Sentence

_CALLS: Final = frozenset({"chi", "pon", "kan", "kakan", "ankan"})


class RoundView(Struct, frozen=True):
    """A round with its steps, its results in brief, its wall, and its notes and findings by step.

    The findings about the whole round are those of the step None.
    """

    record: Round
    steps: list[Step]
    brief: list[Sentence]
    wall: WallView | None
    notes: dict[int, list[ShownRemark]]
    findings: dict[int | None, list[FindingNote]]


def round_views(match: Match, findings: Sequence[Finding] = ()) -> list[RoundView]:
    """Return the rounds of a match with everything that a viewer shows of them."""
    found = []
    rulesets = rulesets_of(match)
    for number, deal in enumerate(starts(match)):
        record = match.rounds[number]
        steps = list(RoundSteps(match, number, deal, rulesets[number]))
        events = [step.event for step in steps]
        noted = findings_by_step([finding for finding in findings if finding.round == number], events)
        last = steps[-1]
        if last.trouble:
            noted.setdefault(last.step, []).append(FindingNote("", "", "error", last.trouble))
        results = [step.result for step in steps if step.result is not UNSET]
        wall = None if record.wall is UNSET else wall_view(record.wall, steps, record.events)
        found.append(RoundView(record, steps, briefly(results), wall, notes_by_step(record, events), noted))
    return found


class Cursor:
    """A place in a match: the indices of the round and of the step, and the viewed seat.

    Each method that moves stays where it is if there is no such place.

    >>> from mjconv.ir import events as ev
    >>> play = [ev.StartRound(), ev.Draw(0, "4p"), ev.Discard(0, "4p")]
    >>> cursor = Cursor(round_views(Match(rounds=[Round(play), Round(play)])))
    >>> cursor.move(1); cursor.to_discard(); cursor.step.kind
    'discard'
    >>> cursor.move(1); cursor.round, cursor.at
    (1, 0)
    """

    def __init__(self, rounds: Sequence[RoundView], opens: tuple[int, int, int] = (0, 0, 0)) -> None:
        self.rounds: Final = rounds
        self.round, self.at, self.seat = opens

    @property
    def view(self) -> RoundView:
        """The round."""
        return self.rounds[self.round]

    @property
    def step(self) -> Step:
        """The step."""
        return self.view.steps[self.at]

    def move(self, by: int) -> None:
        """Go to the next step (1) or to the step before (-1), over the end of a round into the next one."""
        if 0 <= self.at + by < len(self.view.steps):
            self.at += by
        elif 0 <= self.round + by < len(self.rounds):
            self.round += by
            self.at = 0 if by > 0 else len(self.view.steps) - 1

    def home(self) -> None:
        """Go to the deal."""
        self.at = 0

    def end(self) -> None:
        """Go to the last step of the round."""
        self.at = len(self.view.steps) - 1

    def turn(self, by: int) -> None:
        """Go to the deal of the round after this one (1) or before it (-1)."""
        self.to_round(self.round + by)

    def to_round(self, number: int) -> None:
        """Go to the deal of a round."""
        if 0 <= number < len(self.rounds):
            self.round, self.at = number, 0

    def to_discard(self, by: int = 1) -> None:
        """Go to the next discard of the viewed seat in the round (1), or to the one before (-1)."""
        steps = self.view.steps
        places = range(self.at + by, len(steps) if by > 0 else -1, by)
        found = (at for at in places if steps[at].kind == "discard" and steps[at].actor == self.seat)
        self.at = next(found, self.at)

    def to_next(self, wanted: str) -> None:
        """Go to the next ``riichi``, ``call`` (kans too) or ``finding``, in this round or a later one."""
        for number in range(self.round, len(self.rounds)):
            view = self.rounds[number]
            for at in range(self.at + 1 if number == self.round else 0, len(view.steps)):
                if _WANTED[wanted](view, at):
                    self.round, self.at = number, at
                    return

    def next_seat(self) -> None:
        """View the table from the next seat."""
        self.seat = (self.seat + 1) % len(self.step.winds)


#: The steps to which `Cursor.to_next` goes.
_WANTED: Final[dict[str, Callable[[RoundView, int], bool]]] = {
    "riichi": lambda view, at: view.steps[at].kind == "riichi",
    "call": lambda view, at: view.steps[at].kind in _CALLS,
    "finding": lambda view, at: at in view.findings,
}


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
