"""The rounds of a match as a viewer shows them, with their steps, walls and points."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from msgspec import UNSET, Struct
from msgspec.structs import replace

from mjconv.converters.shared.walls import DEAD, MOST_INDICATORS, REPLACEMENTS, deal, indicator_place
from mjconv.ir.answers import check_match
from mjconv.ir.match import Match, Round
from mjconv.ir.tiles import HAND, Tile
from mjconv.referee.findings import Finding
from mjconv.rules.scores import scores_after
from mjconv.viewer.facts import FindingNote, ShownRemark, findings_by_step, notes_by_step
from mjconv.viewer.opinions import Opinion, opinions_by_step
from mjconv.viewer.results import briefly
from mjconv.viewer.steps import Step
from mjconv.viewer.steps import steps as all_steps
from mjconv.viewer.words import Sentence

#: The part of a tile of the dead wall, and its number from 1.
Role = tuple[str, int]


class WallView(Struct, frozen=True):
    """A wall in the order of play. `seat` and `step` are by tile: who got it, and at which step; None: nobody.

    `dead` is the index of the first tile of the dead wall, None if the game has none. `role` is by tile:
    ``dora``, ``ura`` or ``replacement`` with a number from 1, or None.
    """

    tiles: str
    dealt: int
    dead: int | None
    seat: tuple[int | None, ...]
    step: tuple[int | None, ...]
    role: tuple[Role | None, ...]


def wall_view(wall: Sequence[Tile], played: Sequence[Step]) -> WallView | None:
    """Return the wall of a round with its draws; None if the steps do not come from this wall."""
    first = played[0]
    seats = len(first.state.hands)
    riichi = bool(first.state.dora)
    dealt = HAND * seats
    if len(wall) < dealt:
        return None
    seat: list[int | None] = [None] * len(wall)
    step: list[int | None] = [None] * len(wall)
    order = [(first.state.turn + place) % seats for place in range(seats)]
    for owner, places in zip(order, deal(range(dealt), seats), strict=True):
        for place in places:
            seat[place], step[place] = owner, 0
    front, back = dealt, len(wall) - 1
    for one in played:
        if one.kind != "draw":
            continue
        key, actor, *known = one.sentence
        replaces = key.startswith("draw.replacement")
        place = back if replaces else front
        if front > back or known not in ([], [wall[place]]):
            return None
        seat[place], step[place] = actor, one.step
        front, back = (front, back - 1) if replaces else (front + 1, back)
    return WallView(
        tiles=" ".join(wall),
        dealt=dealt,
        dead=len(wall) - DEAD if riichi else None,
        seat=tuple(seat),
        step=tuple(step),
        role=_roles(len(wall), seats) if riichi and seats in REPLACEMENTS else (None,) * len(wall),
    )


def _roles(length: int, seats: int) -> tuple[Role | None, ...]:
    roles: list[Role | None] = [None] * length
    for number in range(1, MOST_INDICATORS + 1):
        place = indicator_place(length, number - 1, seats)
        if place >= 1:
            roles[place], roles[place - 1] = ("dora", number), ("ura", number)
    for number in range(1, min(REPLACEMENTS[seats], length) + 1):
        roles[-number] = ("replacement", number)
    return tuple(roles)


class RoundView(Struct, frozen=True):
    """A round with its steps, its results in brief, its wall, and its notes, findings and opinions by step.

    The findings about the whole round are those of the step None.
    """

    record: Round
    steps: list[Step]
    brief: list[Sentence]
    wall: WallView | None
    notes: dict[int, list[ShownRemark]]
    findings: dict[int | None, list[FindingNote]]
    opinions: dict[int, list[Opinion]]


def round_views(match: Match, findings: Sequence[Finding] = ()) -> list[RoundView]:
    """Return the rounds of a match with everything that a viewer shows of them. Raises as `check_match` does."""
    check_match(match)
    found = []
    for number, of_round in groupby(all_steps(match), key=attrgetter("round")):
        record, steps = match.rounds[number], list(of_round)
        indices = [-1 if step.event is None else step.event for step in steps]
        noted = findings_by_step([finding for finding in findings if finding.round == number], indices)
        last = steps[-1]
        if last.trouble and last.step in noted:
            # The finding has the reason, so the caption leaves it out.
            steps[-1] = replace(last, sentence=("stopped.only",))
        results = [step.result for step in steps if step.result is not UNSET]
        wall = None if record.wall is UNSET else wall_view(record.wall, steps)
        notes, opinions = notes_by_step(record, indices), opinions_by_step(match, number, steps)
        found.append(RoundView(record, steps, briefly(results), wall, notes, noted, opinions))
    return found


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
    >>> from mjconv.viewer.rounds import round_views
    >>> won = [ev.StartRound(scores=(25000,) * 4), ev.Win(0, 1, deltas=(8000, -8000, 0, 0))]
    >>> point_lines(round_views(Match(rounds=[Round(won)])))
    [[25000, 33000], [25000, 17000], [25000, 25000], [25000, 25000]]
    """
    columns = [view.steps[0].state.points for view in rounds] + [points_after(view) for view in rounds[-1:]]
    seats = max(map(len, columns), default=0)
    return [[column[seat] if seat < len(column) else None for column in columns] for seat in range(seats)]
