"""From a frame to a round: reads its head, its hands, its acts and its points; finds the places of its events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.jmjp.frames import DORA_FIELDS, FrameError, by_player, deal, known, read_hand
from mjconv.converters.jmjp.play import ActPlayer, FrameReading
from mjconv.converters.jmjp.spelling import PLACE
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.converters.shared.dora import CUSTOMS, Custom, with_dora
from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile

#: The most choices of red fives that are tried. There are three red fives, and few calls of fives.
_MOST_CHOICES: Final = 64
#: The number of tiles in a hand at the deal.
DEALT: Final = 13


def read_frame(
    frame: Frame,
    major: int,
    dealer: int,
    before: Round | None,
    custom: Custom = CUSTOMS[0],
    *,
    lenient: bool = False,
) -> FrameReading:
    """Read a frame. `dealer` is the player who deals in it, `before` the round before it.

    Raises `FrameError` if the frame cannot be played. If `lenient`, it reads on after errors, as `ActPlayer` does,
    and returns them as faults. A frame that is not closed has no result, unless its acts claim a win.
    """
    reading = read_play(frame, major, dealer, before, lenient=lenient)
    reading.round = with_turned(reading.round, frame, custom)
    if reading.faults:
        # Faults have counted the events without the dora turned.
        indices = [index for index, event in enumerate(reading.round.events) if type(event) is not ev.Dora]
        indices.append(len(reading.round.events))
        reading.faults = [(error, indices[event]) for error, event in reading.faults]
    return reading


def read_play(
    frame: Frame,
    major: int,
    dealer: int,
    before: Round | None,
    *,
    lenient: bool = False,
) -> FrameReading:
    """Read a frame as `read_frame` does, without the dora that are turned in play."""
    faults: list[tuple[FrameError, int]] = []
    try:
        start, assumed = deal(frame, dealer, before)
    except FrameError as error:
        if not lenient:
            raise
        faults.append((error, 0))
        start, _ = deal(structs.replace(frame, kyoutak=None), dealer, None)
        start, assumed = structs.replace(start, kyotaku=UNSET), ()
    if not frame.flows:
        reading = FrameReading(Round([start]))
        reading.whole = frame.closed
    elif lenient:
        reading = _read_on(frame, major, dealer, start)
    else:
        reading = _settled(lambda reds: _play_flow(frame, major, dealer, start, reds))
    if reading.whole:
        reading.round.events.append(ev.EndRound())
    if frame.pfe is not None and not (frame.flows and reading.whole):
        # No result states these points.
        reading.round.scores_after = by_player(frame.pfe, dealer)
    reading.faults[:0] = faults
    return with_head(reading, frame, assumed)


def with_turned(game_round: Round, frame: Frame, custom: Custom) -> Round:
    """Return the round with the dora of its frame, which are turned by this custom."""
    turned = known((frame.dora or ())[DORA_FIELDS])[1:]
    return (
        structs.replace(game_round, events=with_dora(game_round.events, turned, custom)) if turned else game_round
    )


def with_head(reading: FrameReading, frame: Frame, assumed: tuple[str, ...]) -> FrameReading:
    """Add the dice and the comment of the frame. `assumed` are the keys of the deal that the frame leaves out."""
    game_round = reading.round
    game_round.dice = frame.dice or UNSET
    game_round.comment = frame.comment or UNSET
    game_round.assumed = assumed
    return reading


def _settled(play: Callable[[Sequence[bool]], tuple[ActPlayer, FrameError | None]]) -> FrameReading:
    """Play a flow. If it does not state which fives were red, choose red fives that fit the rest of the flow.

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
) -> tuple[ActPlayer, FrameError | None]:
    """Play the last flow of a frame. Returns the player of the acts, and the error that ended the play."""
    flow = frame.flows[-1]
    hands, fourteenth = starting_hands(flow, dealer)
    player = ActPlayer(Table(hands, dealer), major, fourteenth, reds)
    player.begin(start)
    try:
        _play(player, frame)
    except FrameError as error:
        return player, error
    return player, None


def _read_on(frame: Frame, major: int, dealer: int, start: ev.StartRound) -> FrameReading:
    """Play the last flow of a frame as far as it can be played, and note its faults."""
    flow = frame.flows[-1]
    try:
        hands, fourteenth = starting_hands(flow, dealer)
    except FrameError as error:
        reading = FrameReading(Round([start]))
        reading.faults.append((error, 0))
        reading.whole = False
        return reading
    player = ActPlayer(Table(hands, dealer, strict=False), major, fourteenth)
    player.begin(start)
    reading = player.reading
    try:
        _play(player, frame)
    except FrameError as error:
        reading.faults.append((error, len(player.events)))
    return reading


def _play(player: ActPlayer, frame: Frame) -> None:
    """Play the last flow of a frame. One that is not closed may go on, unless its acts claim a win."""
    flow = frame.flows[-1]
    player.reading.whole = False
    player.run(flow.acts)
    if frame.closed or player.rons or player.tsumo is not None:
        player.end(frame)
    player.reading.whole = frame.closed
    if frame.closed and flow.end:
        player.check_final_hands(flow.end)


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
    # A frame may stop before its fourth hand.
    return [hands.get(player, (HIDDEN,) * DEALT) for player in range(USUAL_SEATS)], fourteenth


# The places of events.

#: The events of the first half of an act that takes tiles, and of the second half.
_TAKEN: Final = frozenset({ev.Draw, ev.Chi, ev.Pon, ev.Daiminkan})
_GIVEN: Final = frozenset({ev.Discard, ev.Riichi, ev.Kakan, ev.Ankan})
#: The number of characters of the dora field with its comma, and of a dora with its ura.
_DORA_FIELD: Final = 21
_DORA_STEP: Final = 4


def event_offsets(frame: Frame, events: Sequence[ev.Event], dealer: int) -> list[int]:
    """Return the offset in the stripped text of each event that was read from a frame.

    An event is at its act; a discard, or a meld of tiles of the hand alone, at the second half of its act. A dora
    is at its indicator, a win at the word that claims it, an exhausted wall at the points after it.
    """
    if not frame.flows:
        return [frame.begin, frame.end - 1]
    flow = frame.flows[-1]
    claims: dict[int, int] = {}
    halves: list[tuple[int, int]] = []
    offset = flow.acts_at
    for act in flow.acts:
        given = offset + act.rindex(",") + 2
        halves.append((offset, given))
        if act.endswith(",tm") or act[2:4] in ("rn", "ro"):
            claims[(PLACE[act[0]] + dealer) % USUAL_SEATS] = given if act.endswith(",tm") else offset
        offset += len(act) + 2
    after = flow.end_offset(0) if frame.pfe is None else flow.end_offset(len(flow.end)) + 1
    return list(_offsets(frame, events, halves, claims, after))


def _offsets(
    frame: Frame, events: Sequence[ev.Event], halves: list[tuple[int, int]], claims: dict[int, int], after: int
) -> Iterator[int]:
    """Yield the offset of each event. `halves` are the offsets of each act and of its second half."""
    acts = iter(halves)
    taken = given = offset = frame.begin
    dora = frame.flows[0].start_at - _DORA_FIELD
    for event in events:
        kind = type(event)
        if isinstance(event, ev.Dora):
            dora += _DORA_STEP
            yield dora
            continue
        if kind in _TAKEN:
            taken, given = next(acts)
            offset = taken
        elif kind in _GIVEN:
            offset = given
        elif isinstance(event, ev.Win):
            offset = claims[event.actor]
        elif isinstance(event, ev.Ryukyoku):
            offset = after
        elif isinstance(event, ev.EndRound):
            offset = frame.end - 1
        # A riichi is accepted where its discard is.
        yield offset
