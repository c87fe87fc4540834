"""The kyoku sheet of a round: the turns of each player, as printed records have them in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.viewer.captions import set_aside
from mjconv.viewer.state import RiverTile, StatePart
from mjconv.viewer.steps import Step

#: The kinds of steps that begin a turn, and all kinds of steps in a turn.
_BEGINS: Final = frozenset({"draw", "chi", "pon", "kan"})
_PLAY: Final = _BEGINS | {"kakan", "ankan", "aside", "discard"}


class Got(StatePart, frozen=True, rename={"source": "from"}):
    """A tile drawn or called. `call` is the key of a word. `source` (``from`` in JSON) is the seat of the tile."""

    tile: Tile
    call: str | UnsetType = UNSET
    source: int | UnsetType = UNSET


class Turn(Struct, omit_defaults=True, gc=False):
    """A turn: the tile drawn or called, kans and tiles set aside after it, and the discard.

    `n` is the row of the sheet, from 0.
    """

    n: int
    got: Got | UnsetType = UNSET
    more: tuple[Got, ...] = ()
    out: RiverTile | UnsetType = UNSET


def turns(played: Sequence[Step], events: Sequence[ev.Event]) -> list[list[Turn]]:
    """Return the turns of each seat. `events` are those of the round.

    A row of the sheet has at most one turn of each player, from the dealer on. A turn of a player at or before the
    place of the last turn begins the next row.
    """
    seats = len(played[0].state.hands)
    found: list[list[Turn]] = [[] for _ in range(seats)]
    dealer = played[0].state.turn
    row, last = 0, -1
    rivers = played[-1].state.river
    counts = [0] * seats
    for step in played:
        if step.kind not in _PLAY or step.event is None or not isinstance(step.actor, int):
            continue
        seat, event = step.actor, events[step.event]
        of_seat = found[seat]
        replaces = step.sentence[0].startswith("draw.replacement") and of_seat
        if not of_seat or (step.kind in _BEGINS and not replaces):
            place = (seat - dealer) % seats
            row += last >= 0 and place <= last
            last = place
            of_seat.append(Turn(row))
        turn = of_seat[-1]
        if step.kind == "discard":
            turn.out = rivers[seat][counts[seat]]
            counts[seat] += 1
        elif turn.got is UNSET and step.kind in _BEGINS:
            turn.got = _got(step.kind, event)
        else:
            turn.more = (*turn.more, _got(step.kind, event))
    return found


def _got(kind: str, event: ev.Event) -> Got:
    """Return the tile that an event draws, calls, adds or sets aside."""
    if isinstance(event, ev.Draw):
        return Got(event.pai)
    source = event.target if isinstance(event, ev.Chi | ev.Pon | ev.Daiminkan) else UNSET
    return Got(_tile(event), f"call.{kind}", source)


def _tile(event: ev.Event) -> Tile:
    if isinstance(event, ev.Ankan):
        return event.consumed[0]
    if isinstance(event, ev.Nukidora):
        return set_aside(event)
    return event.pai if isinstance(event, ev.Chi | ev.Pon | ev.Daiminkan | ev.Kakan) else HIDDEN
