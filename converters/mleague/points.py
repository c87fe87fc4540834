"""The points of a game: the changes of each round, compared with the points at the next deal and with the hands.

A round states how the points of each player change, riichi sticks included, and the next round states the points
again. So a value that is wrong alone is found, and the others give the right one.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from msgspec import structs

from mjconv.converters.mleague.results import Agari
from mjconv.converters.mleague.round_reader import ImpossibleError, RoundReader
from mjconv.converters.mleague.vocabulary import LIMITS, PLAYERS
from mjconv.converters.shared.json_values import WrongValueError
from mjconv.ir import events as ev
from mjconv.ir.errors import Proposal
from mjconv.rules.payments import HONBA
from mjconv.rules.riichi_values import payment
from mjconv.rules.scores import RIICHI_STICK

START: Final = 25_000
#: The points that the oka is counted from, and the uma by place, with the oka of the first.
RETURNING: Final = 30_000
_UMA_AND_OKA: Final = (50_000, 10_000, -10_000, -30_000)
_SEATS: Final = range(len(PLAYERS))
#: A quarter of the points of a limit that is no dealer's, and its name.
_LIMIT_OF: Final = dict(zip((2000, 3000, 4000, 6000, 8000), LIMITS, strict=True))


def settle(rounds: Sequence[RoundReader], final: Sequence[int]) -> None:
    """Compare the points of all rounds, and set the points that the results of the rounds move.

    A value that is wrong alone is a fault, and is replaced by the right one. A strict reader also refuses points
    that do not add up. `final` are the final points with uma and oka; none where the record has no end.
    """
    if rounds and len(rounds[0].before) == len(PLAYERS):
        others = [seat for seat, points in rounds[0].before.items() if points != START]
        if len(others) == 1:
            _set_before(rounds[0], others[0], START, "at the start")
    for reader, following in zip_longest(rounds, rounds[1:]):
        if reader.result_at < 0:
            continue
        if not (reader.agari or reader.changes):
            # A draw with no tenpai or four states no changes: only the new sticks change the points.
            reader.changes = dict.fromkeys(reader.accepted, -RIICHI_STICK)
        if len(reader.before) == len(PLAYERS):
            _compare(reader, following, before_uma(final) if following is None else following.before)
        _set_deltas(reader)


def before_uma(final: Sequence[int]) -> dict[int, int]:
    """Return the points of each seat at the end of the last round; none where players share a place.

    >>> before_uma((6_100, 59_500, -16_000, -49_600))
    {1: 39500, 0: 26100, 2: 24000, 3: 10400}
    """
    order = sorted(range(len(final)), key=lambda seat: -final[seat])
    if len(set(final)) < len(PLAYERS):
        return {}
    return {seat: final[seat] + RETURNING - uma for seat, uma in zip(order, _UMA_AND_OKA, strict=True)}


def _compare(reader: RoundReader, following: RoundReader | None, stated_after: Mapping[int, int]) -> None:
    """Compare the changes of a round with their sum, and with the points at the next deal or at the end."""
    # Sticks that lay on the table go to a winner, new ones stay after a draw.
    sticks = (reader.start.kyotaku or 0) if reader.agari else -len(reader.accepted)
    changes, stated_sum = reader.changes, sum(reader.changes.values())
    missing = sticks * RIICHI_STICK - stated_sum
    after = {seat: reader.before[seat] + changes.get(seat, 0) for seat in _SEATS}
    wrong = []
    if len(stated_after) == len(PLAYERS) and (following is not None or missing):
        wrong = [seat for seat in _SEATS if stated_after[seat] != after[seat]]
    if len(wrong) == 1:
        [seat] = wrong
        stated = stated_after[seat]
        if missing == 0 and following is not None:
            _set_before(following, seat, after[seat], "after the round before")
            return
        if stated - after[seat] == missing:
            change, right = changes.get(seat, 0), changes.get(seat, 0) + missing
            error = WrongValueError(
                f"the points of {PLAYERS[seat]} change by {change:+}, but by the sum of all changes, and by the "
                f"points after the round, they change by {right:+}",
                ("args", 1) if seat in changes else (),
            )
            written = f"{change:+}" if seat in changes else ""
            proposal = Proposal(written, f"{right:+}", "the sum of all changes, and the points after the round")
            _fault(reader, reader.changes_at.get(seat, reader.result_at), error, proposal)
            changes[seat] = right
            return
    if not (missing or wrong):
        return
    if missing:
        message = f"the changes of points add up to {stated_sum}, not {stated_sum + missing}"
    else:
        names = ", ".join(PLAYERS[seat] for seat in wrong)
        message = f"the points at the next deal do not follow from these changes: {names}"
    if reader.strict:
        at = min(reader.changes_at.values(), default=reader.result_at)
        _fault(reader, at, ImpossibleError(message, ("args", 1) if reader.changes_at else ()), None)


def _set_before(reader: RoundReader, seat: int, right: int, when: str) -> None:
    """Report that the points of a seat at the deal are wrong, and set the right ones."""
    stated = reader.before[seat]
    error = WrongValueError(f"{PLAYERS[seat]} has {stated} points, but {right} {when}", ("args", 1))
    _fault(reader, reader.before_at[seat], error, Proposal(f"={stated}", f"={right}", f"the points {when}"), 0)
    reader.before[seat] = right


def _fault(
    reader: RoundReader, index: int, error: WrongValueError, proposal: Proposal | None, event: int | None = None
) -> None:
    last = len(reader.events) - 1
    reader.fault(error, index, last if event is None else event, proposal)


def _set_deltas(reader: RoundReader) -> None:
    """Set the points that the result moves: its own sticks are paid when a riichi is accepted."""
    accepted = reader.accepted
    deltas = tuple([reader.changes.get(seat, 0) + RIICHI_STICK * (seat in accepted) for seat in _SEATS])
    results: list[int] = [index for index, event in enumerate(reader.events) if type(event) in ev.RESULTS]
    if len(results) != 1:
        # One list of changes does not show the part of each result.
        return
    [index] = results
    result: Any = reader.events[index]
    reader.events[index] = structs.replace(result, deltas=deltas)
    if reader.agari:
        _, agari = reader.agari[0]
        sticks = (reader.start.kyotaku or 0) + len(accepted)
        gained = deltas[agari.seat] - HONBA * (reader.start.honba or 0) - RIICHI_STICK * sticks
        if gained > 0:
            reader.events[index] = structs.replace(result, deltas=deltas, hora_points=gained)
        _compare_value(reader, agari, gained)


def _compare_value(reader: RoundReader, agari: Agari, gained: int) -> None:
    """Compare the stated points with fu and han, where these are what was paid.

    The record states the points of a ron, for a self-draw too.
    """
    dealer, drawn = agari.seat == reader.start.oya, agari.tile is None
    values = (0, 0, agari.yakuman) if agari.yakuman else (agari.fan, agari.fu or 0, 0)
    if not any(values):
        return
    paid = payment(*values, dealer, drawn, True)
    total = paid.total(len(PLAYERS) - 1, dealer_wins=dealer) if drawn else paid.discarder
    value = payment(*values, dealer, False, True).discarder
    limit = _LIMIT_OF.get(min(value // (6 if dealer else 4), max(_LIMIT_OF)))
    right = limit or str(value)
    if gained != total or agari.points in (right, str(value)):
        return
    message = f"the points are {agari.points}, but the fu and han are worth {right}"
    error = WrongValueError(message, ("args", agari.position))
    proposal = Proposal(agari.points, right, "the fu, the han, and what was paid")
    _fault(reader, reader.result_at, error, proposal, reader.agari[0][0])
