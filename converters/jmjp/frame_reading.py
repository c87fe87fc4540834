"""From a frame to a round: reads its head, its hands, its acts and its points.

`read_frame` reads a frame without errors. `read_on` reads on after errors, and finds the offset of every event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

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
from mjconv.converters.jmjp.spelling import Act, read_act
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.converters.shared.dora import CUSTOMS, Custom, with_dora
from mjconv.ir import events as ev
from mjconv.ir.force import force
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.table import RIICHI_ACCEPTED, IllegalPlayError, Table
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


# Reading on after errors.

#: The events of the second half of an act. All others are at the beginning of their act.
_GIVEN: Final = frozenset({ev.Discard, ev.Riichi, ev.Kakan, ev.Ankan})
#: The number of characters of the dora field with its comma, and of a dora with its ura.
_DORA_FIELD: Final = 21
_DORA_STEP: Final = 4


class LenientReading(NamedTuple):
    """The `reading` of a frame with errors.

    `offsets` are those of the events in the stripped text. Each fault has the index of the first event in doubt.
    `whole` is true if the frame was read to its end. Otherwise the round has no result.
    """

    reading: FrameReading
    offsets: list[int]
    faults: list[tuple[FrameError, int]]
    whole: bool


def read_on(
    frame: Frame,
    major: int,
    dealer: int,
    custom: Custom,
    before: Round | None = None,
    *,
    unfinished: bool = False,
) -> LenientReading:
    """Read a frame as `read_frame` does, but go on after errors.

    If the table refuses an act, the reader applies it anyway and reports nothing: the referee finds it. An act
    that the notation does not allow there is a fault, and is read in its likely meaning. After an act without a
    meaning the frame is read no further. An `unfinished` frame has no result, unless its acts claim a win.
    """
    faults: list[tuple[FrameError, int]] = []
    try:
        start, assumed = deal(frame, dealer, before)
    except FrameError as error:
        faults.append((error, 0))
        start, _ = deal(structs.replace(frame, kyoutak=None), dealer, None)
        start, assumed = structs.replace(start, kyotaku=UNSET), ()
    lenient = _forced(frame, major, dealer, custom, start, unfinished=unfinished)
    with_head(lenient.reading, frame, assumed)
    if lenient.whole:
        lenient.reading.round.events.append(ev.EndRound())
        lenient.offsets.append(frame.end - 1)
    elif frame.pfe is not None:
        lenient.reading.round.scores_after = by_player(frame.pfe, dealer)
    return lenient._replace(faults=faults + lenient.faults)


def _forced(
    frame: Frame, major: int, dealer: int, custom: Custom, start: ev.StartRound, *, unfinished: bool
) -> LenientReading:
    if not frame.flows:
        return LenientReading(only_points(frame, dealer, start), [frame.begin], [], whole=True)
    flow = frame.flows[-1]
    try:
        hands, fourteenth = starting_hands(flow, dealer)
    except FrameError as error:
        return LenientReading(FrameReading(Round([start])), [frame.begin], [(error, 0)], whole=False)
    play = _ForcedPlay(frame, flow, Table(hands, dealer), major, fourteenth)
    play.unfinished = unfinished
    play.begin(start)
    play.run(flow.acts)
    return play.result(custom)


class _ForcedPlay(Play):
    """Plays on after an act that cannot be played, and keeps the offset of each event."""

    def __init__(self, frame: Frame, flow: Flow, table: Table, major: int, fourteenth: Tile | None) -> None:
        super().__init__(table, major, fourteenth)
        self.frame = frame
        self.flow = flow
        #: The offset of each event, without the dora turned. A fault has the number of events before it.
        self.offsets = [frame.begin]
        self.faults: list[tuple[FrameError, int]] = []
        #: Whether the flow was played to its end, and whether the table allowed all of it.
        self.whole = False
        self.legal = True
        #: Whether acts may be missing after the last one.
        self.unfinished = False
        #: The oddity of the current act, until the table has accepted or refused the event of the act.
        self.odd: str | None = None
        #: The current act: its index, its offset and the offset of its second half.
        self.index = self.taken_at = self.given_at = 0
        #: By winner: the offset of the word that claims the win.
        self.claims: dict[int, int] = {}

    def run(self, acts: Sequence[str]) -> None:
        try:
            at = self.flow.acts_at
            for index, text in enumerate(acts):
                self.index, self.taken_at, self.given_at = index, at, at + text.rindex(",") + 2
                self.act(read_act(text))
                at += len(text) + 2
            if self.unfinished:
                if self.rons or self.tsumo is not None:
                    self._result(self.frame)
                return
            if not self.rons:
                self.pass_riichi()
            self._result(self.frame)
            self.whole = True
        except FrameError as error:
            self._fault(error.message)
            return
        try:
            self.check_final_hands(self.flow.end)
        except FrameError as error:
            self.faults.append((error, len(self.offsets)))

    def result(self, custom: Custom) -> LenientReading:
        """Return the reading with its dora, and the offsets of all events."""
        self.reading.round = with_turned(self.reading.round, self.frame, custom)
        before = iter(self.offsets)
        dora = self.frame.flows[0].start_at - _DORA_FIELD
        offsets: list[int] = []
        moved: list[int] = []
        for event in self.reading.round.events:
            if type(event) is ev.Dora:
                dora += _DORA_STEP
                offsets.append(dora)
            else:
                moved.append(len(offsets))
                offsets.append(next(before))
        moved.append(len(offsets))
        faults = [(error, moved[event]) for error, event in self.faults]
        return LenientReading(self.reading, offsets, faults, self.whole)

    def _fault(self, message: str) -> None:
        self.faults.append((FrameError(message, "acts", self.index), len(self.offsets)))

    def _odd(self, message: str) -> None:
        self.odd = message

    def act(self, act: Act) -> None:
        player = (act.seat + self.dealer) % USUAL_SEATS
        if act.giving == "tsumo":
            self.claims[player] = self.given_at
        elif act.taking == "ron":
            self.claims[player] = self.taken_at
        super().act(act)

    def check_final_hands(self, entries: Sequence[str]) -> None:
        if self.legal and not self.faults:
            super().check_final_hands(entries)
            return
        # The hands that forced play leaves are in doubt: the hands shown are kept as they are.
        shown = self._by_player(entries)
        self.reading.round.final_hands = tuple(self._hand(shown[player]) for player in range(USUAL_SEATS))

    def pass_riichi(self) -> None:
        # Who was in riichi before does not pay again.
        if self.declared is not None and self.table.riichi[self.declared] == RIICHI_ACCEPTED:
            self.declared = None
        super().pass_riichi()

    def _play(self, event: ev.Event) -> None:
        odd, self.odd = self.odd, None
        try:
            self.table.apply(event)
        except IllegalPlayError as refused:
            if not force(self.table, event):
                raise FrameError(odd or self._refusal(refused)) from None
            self.legal = False
        else:
            if odd is not None:
                self._fault(odd)
        self.events.append(event)
        self.offsets.append(self._offset(event))

    def _offset(self, event: ev.Event) -> int:
        if isinstance(event, ev.RiichiAccepted):
            return self.offsets[-1]
        if isinstance(event, ev.Win):
            return self.claims[event.actor]
        if isinstance(event, ev.Ryukyoku):
            hands = self.flow.end
            return self.flow.end_offset(0) if self.frame.pfe is None else self.flow.end_offset(len(hands)) + 1
        return self.given_at if type(event) in _GIVEN else self.taken_at
