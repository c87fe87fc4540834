"""Read a frame as far as it has a meaning: on after what cannot be, and knowing where each event stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters.jmjp.acts import Act, read_act
from mjconv.converters.jmjp.frame_reading import only_points, starting_hands, with_head, with_turned
from mjconv.converters.jmjp.frames import FrameError, by_player, deal
from mjconv.converters.jmjp.play import FrameReading, Play
from mjconv.converters.jmjp.spelling import JMJP
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.converters.shared.dora import Custom
from mjconv.ir import events as ev
from mjconv.ir.force import force
from mjconv.ir.match import USUAL_SEATS, Round
from mjconv.ir.table import RIICHI_ACCEPTED, IllegalPlayError, Table
from mjconv.ir.tiles import Tile

#: What the second part of an act tells; all else stands where its act does.
_GIVEN: Final = frozenset({ev.Discard, ev.Riichi, ev.Kakan, ev.Ankan})
#: Characters of the dora field and the comma after it, and of a dora with its ura.
_DORA_FIELD: Final = 21
_DORA_STEP: Final = 4


class LenientReading(NamedTuple):
    """What a frame tells: its `reading`, where each event stands, what is wrong and the first event in doubt then.

    `offsets` are those of the stripped text. `whole` says whether the frame was read to its end; if not, the round
    is without result.
    """

    reading: FrameReading
    offsets: list[int]
    faults: list[tuple[FrameError, int]]
    whole: bool


def read_on(frame: Frame, major: int, dealer: int, custom: Custom, before: Round | None = None) -> LenientReading:
    """Read a frame as `read_frame` does, going on after what cannot be.

    What the table refuses is played by force and no fault: whoever plays the round finds it. What is wrong by the
    words of the notation alone is a fault, and taken as it must be meant. Where there is no meaning, the frame is
    read no further.
    """
    faults: list[tuple[FrameError, int]] = []
    try:
        start, assumed = deal(frame, dealer, before)
    except FrameError as error:
        faults.append((error, 0))
        start, _ = deal(replace(frame, kyoutak=None), dealer, None)
        start, assumed = structs.replace(start, kyotaku=UNSET), ()
    told = _told(frame, major, dealer, custom, start)
    with_head(told.reading, frame, assumed)
    if told.whole:
        told.reading.round.events.append(ev.EndRound())
        told.offsets.append(frame.end - 1)
    elif frame.pfe is not None:
        told.reading.round.scores_after = by_player(frame.pfe, dealer)
    return told._replace(faults=faults + told.faults)


def _told(frame: Frame, major: int, dealer: int, custom: Custom, start: ev.StartRound) -> LenientReading:
    if not frame.flows:
        return LenientReading(only_points(frame, dealer, start), [frame.begin], [], whole=True)
    flow = frame.flows[-1]
    try:
        hands, fourteenth = starting_hands(flow, dealer)
    except FrameError as error:
        return LenientReading(FrameReading(Round([start])), [frame.begin], [(error, 0)], whole=False)
    play = _Forced(frame, flow, Table(hands, dealer), major, fourteenth)
    play.begin(start)
    play.run(flow.acts)
    return play.told(custom)


class _Forced(Play):
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

    def told(self, custom: Custom) -> LenientReading:
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
                raise FrameError(odd or refused.told(self._letter, JMJP.__getitem__)) from None
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
