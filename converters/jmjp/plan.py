"""From a round to a frame: writes the head, the hands, the acts and the points of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.jmjp.extras import KEY, spelled_frame
from mjconv.converters.jmjp.flow_plan import FlowPlan, PlanError
from mjconv.converters.jmjp.frame_reading import with_head
from mjconv.converters.jmjp.frames import deal, dora_field
from mjconv.converters.jmjp.info import write_text
from mjconv.converters.jmjp.play import FrameReading, Play
from mjconv.converters.jmjp.spelling import write_points
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.ir import derive
from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, Round, Text
from mjconv.ir.stream import play_all_or_host
from mjconv.ir.table import Table

#: The state of a table that its final hands depend on.
_FINAL: Final = attrgetter("hands", "melds", "turn", "drawn", "winners", "last_tile")


class PlannedFrame(NamedTuple):
    """A frame, the reader's play of its acts, and the player who deals.

    `play` is None if only the whole frame can be read: version 0 leaves a red five open, or the reader plays
    an act otherwise than the source, or refuses one.
    """

    frame: Frame
    play: Play | None
    dealer: int
    #: The table whose final hands the frame shows; None if the source shows others.
    table: Table | None = None
    #: The events that were written: all, or those of the host of an in-game stream.
    events: Sequence[ev.Event] = ()

    def reading(self, before: Round | None) -> FrameReading | None:
        """Read the frame as `play.read_play` does, with the source's dealer. None without a play; works once.

        `before` is the reading of the round before. Raises `FrameError`.
        """
        frame, play, dealer, table, _ = self
        if play is None:
            return None
        start, assumed = deal(frame, dealer, before)
        play.begin(start)
        play.end(frame)
        # Equal hands are spelled alike.
        if table is None or _FINAL(table) != _FINAL(play.table):
            play.check_final_hands(frame.flows[-1].end)
        play.events.append(ev.EndRound())
        return with_head(play.reading, frame, assumed)


def plan_frame(game_round: Round, deal: ev.StartRound, major: int, seat: int | None = None) -> PlannedFrame:
    """Plan the frame of a round. `deal` is the deal of the round with all derived values.

    `seat` is the player at whose seat an in-game stream was recorded. Raises `PlanError` if the events cannot be
    played or written.
    """
    dealer = int(deal.oya or 0)
    whole = rare = game_round.events
    plan: FlowPlan | None = None
    flows: list[Flow] = []

    def planned(events: Sequence[ev.Event]) -> tuple[FlowPlan, Flow]:
        plan = FlowPlan(game_round, events, deal, major)
        return plan, plan.flow()

    if game_round.is_played:
        plan, flow = play_all_or_host(planned, PlanError, whole, seat)
        flows = [flow]
        if plan.events is whole:
            # All messages of an in-game stream count for the head of the frame.
            rare = plan.rare
    frame = Frame(
        wind=str(deal.bakaze),
        number=int(deal.kyoku or 0),
        honba=int(deal.honba or 0),
        kyoutak=_kyoutak(game_round, deal),
        dice=_dice(game_round, major),
        pfs=_by_seat(deal.scores or None, dealer),
        dora=dora_field(rare),
        flows=flows,
        pfe=_by_seat(derive.scores_after(game_round, deal.scores or None, rare), dealer),
        comment=_comment(game_round, major),
        begin=0,
        end=0,
    )
    if KEY in game_round.extras:
        frame = spelled_frame(frame, game_round, major)
    if plan is None:
        return PlannedFrame(frame, None, dealer)
    return PlannedFrame(frame, plan.play, dealer, None if game_round.final_hands else plan.table, plan.events)


def _comment(game_round: Round, major: int) -> Text | None:
    return None if write_text(game_round.comment, major) is None else game_round.comment or None


def _dice(game_round: Round, major: int) -> tuple[int, ...] | None:
    """Return the dice if the version has a place for them: two dice, or from version 1 on their total."""
    dice = game_round.dice or ()
    single = len(dice) == 2 and all(1 <= die <= 6 for die in dice)
    total = len(dice) == 1 and major > 0 and 2 <= dice[0] <= 12
    return dice if single or total else None


def _kyoutak(game_round: Round, deal: ev.StartRound) -> int | None:
    start = game_round.start
    if deal.kyotaku is UNSET or "kyotaku" in game_round.assumed or start is None or start.kyotaku is UNSET:
        return None
    return deal.kyotaku * derive.RIICHI_STICK


def _by_seat(points: Sequence[int] | None, dealer: int) -> tuple[int, ...] | None:
    """Turn points by player to points by seat. None if one of them cannot be spelled: then all are left out."""
    if points is None or len(points) != USUAL_SEATS or None in map(write_points, points):
        return None
    first = dealer % USUAL_SEATS
    return (*points[first:], *points[:first])
