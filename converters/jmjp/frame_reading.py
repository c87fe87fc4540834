"""From a frame to a round: reads its head, its hands, its acts and its points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.jmjp.frames import (
    DORA_FIELDS,
    FrameError,
    by_player,
    deal,
    known,
    read_hand,
)
from mjconv.converters.jmjp.play import FrameReading, Play
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.converters.shared.dora import CUSTOMS, Custom, with_dora
from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import Tile

#: The most choices of red fives that are tried. There are three red fives, and few calls of fives.
_MOST_CHOICES: Final = 64
#: The number of tiles in a hand at the deal.
DEALT: Final = 13


def read_frame(
    frame: Frame, major: int, dealer: int, before: Round | None, custom: Custom = CUSTOMS[0]
) -> FrameReading:
    """Read a frame. `dealer` is the player who deals in it, `before` the round before it.

    Raises `FrameError` if the frame cannot be played.
    """
    reading = read_play(frame, major, dealer, before)
    reading.round = with_turned(reading.round, frame, custom)
    return reading


def read_play(frame: Frame, major: int, dealer: int, before: Round | None) -> FrameReading:
    """Read a frame without the dora that are turned in play. Raises `FrameError` if it cannot be played."""
    start, assumed = deal(frame, dealer, before)
    reading = (
        _settled(lambda reds: _play_flow(frame, major, dealer, start, reds))
        if frame.flows
        else only_points(frame, dealer, start)
    )
    reading.round.events.append(ev.EndRound())
    return with_head(reading, frame, assumed)


def with_turned(game_round: Round, frame: Frame, custom: Custom) -> Round:
    """Return the round with the dora of its frame, which are turned by this custom."""
    turned = known((frame.dora or ())[DORA_FIELDS])[1:]
    return (
        structs.replace(game_round, events=with_dora(game_round.events, turned, custom)) if turned else game_round
    )


def only_points(frame: Frame, dealer: int, start: ev.StartRound) -> FrameReading:
    """Read a frame without a flow."""
    after = UNSET if frame.pfe is None else by_player(frame.pfe, dealer)
    return FrameReading(Round([start], scores_after=after))


def with_head(reading: FrameReading, frame: Frame, assumed: tuple[str, ...]) -> FrameReading:
    """Add the dice and the comment of the frame. `assumed` are the keys of the deal that the frame leaves out."""
    game_round = reading.round
    game_round.dice = frame.dice or UNSET
    game_round.comment = frame.comment or UNSET
    game_round.assumed = assumed
    return reading


def _settled(play: Callable[[Sequence[bool]], tuple[Play, FrameError | None]]) -> FrameReading:
    """Play a flow. If it leaves open which fives were red, choose those that fit the rest of the flow.

    Version 0 does not state which tiles of the hand a call took. If several choices fit, the first one is assumed.
    """
    first, error = play(())
    if not first.open:
        if error is not None:
            raise error
        return first.reading
    fitting = [] if error else [first.reading]
    for reds in islice(product((False, True), repeat=first.open), 1, _MOST_CHOICES):
        other, refused = play(reds)
        if refused is None:
            fitting.append(other.reading)
    if error is not None and not fitting:
        raise error
    whole = [reading for reading in fitting if reading.round.final_hands is UNSET]
    best = (whole or fitting)[0]
    if len(whole) == 1:
        best.assumed.clear()
    return best


def _play_flow(
    frame: Frame, major: int, dealer: int, start: ev.StartRound, reds: Sequence[bool]
) -> tuple[Play, FrameError | None]:
    """Play the last flow of a frame. Returns the play, and the error that ended it."""
    flow = frame.flows[-1]
    hands, fourteenth = starting_hands(flow, dealer)
    play = Play(Table(hands, dealer), major, fourteenth, reds)
    play.begin(start)
    try:
        play.run(flow.acts)
        play.end(frame)
        play.check_final_hands(flow.end)
    except FrameError as error:
        return play, error
    return play, None


def starting_hands(flow: Flow, dealer: int) -> tuple[list[tuple[Tile, ...]], Tile | None]:
    """Read the starting hands: 13 tiles a player, and the dealer's fourteenth tile if it is shown."""
    hands: dict[int, tuple[Tile, ...]] = {}
    fourteenth: Tile | None = None
    for index, entry in enumerate(flow.start):
        player, hand = read_hand(entry, dealer)
        if player in hands:
            raise FrameError(f"seat {entry[0]} has two starting hands", "start", index)
        if hand.melds:
            raise FrameError("a starting hand has no calls", "start", index)
        if len(hand.concealed) != DEALT:
            raise FrameError(f"a starting hand has {DEALT} tiles, not {len(hand.concealed)}", "start", index)
        if hand.last is not UNSET:
            if player != dealer:
                raise FrameError("only the dealer may start with 14 tiles", "start", index)
            fourteenth = hand.last
        hands[player] = hand.concealed
    return [hands[player] for player in range(USUAL_SEATS)], fourteenth
