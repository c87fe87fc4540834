"""Read a frame as far as it has a meaning: on after what cannot be, and knowing where each event stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters.jmjp.acts import Act, read_act
from mjconv.converters.jmjp.dora import Custom
from mjconv.converters.jmjp.heads import FrameError, by_player, deal
from mjconv.converters.jmjp.play import Play, Reading, only_points, with_head
from mjconv.converters.jmjp.results import SEATS
from mjconv.converters.jmjp.syntax import Frame
from mjconv.converters.jmjp.tiles import JMJP
from mjconv.ir import events as ev
from mjconv.ir.force import force
from mjconv.ir.match import Round
from mjconv.ir.table import RIICHI_ACCEPTED, IllegalPlayError

#: What the second part of an act tells; all else stands where its act does.
_GIVEN: Final = frozenset({ev.Discard, ev.Riichi, ev.Kakan, ev.Ankan})
#: Characters of the dora field and the comma after it, and of a dora with its ura.
_DORA_FIELD: Final = 21
_DORA_STEP: Final = 4


class Told(NamedTuple):
    """What a frame tells: its `reading`, where each event stands, what is wrong and the first event in doubt then.

    `offsets` are those of the stripped text. `whole` says whether the frame was read to its end; if not, the round
    is without result.
    """

    reading: Reading
    offsets: list[int]
    faults: list[tuple[FrameError, int]]
    whole: bool


def read_on(frame: Frame, major: int, dealer: int, custom: Custom, before: Round | None = None) -> Told:
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


def _told(frame: Frame, major: int, dealer: int, custom: Custom, start: ev.StartRound) -> Told:
    if not frame.flows:
        return Told(only_points(frame, dealer, start), [frame.begin], [], whole=True)
    try:
        play = _Forced(frame, major, dealer, custom, start, ())
    except FrameError as error:
        return Told(Reading(Round([start])), [frame.begin], [(error, 0)], whole=False)
    play.run()
    return play.told()


class _Forced(Play):
    """Plays on after what cannot be, and notes where each event stands."""

    #: Where each event stands before dora are put between them; what is wrong, and before which of them.
    offsets: list[int]
    faults: list[tuple[FrameError, int]]
    #: Whether the flow was played to its end, and whether the table let all of it be.
    whole = False
    legal = True
    #: What is odd about the act that is read, until it is known whether the table refuses what it means.
    odd: str | None = None
    #: The act that is read: its index, where it stands, and where its second part does.
    index = taken_at = given_at = 0

    def run(self) -> None:
        self.offsets, self.faults = [self.frame.begin], []
        #: Where each winner says so.
        self.claims: dict[int, int] = {}
        try:
            at = self.flow.acts_at
            for index, text in enumerate(self.flow.acts):
                self.index, self.taken_at, self.given_at = index, at, at + text.rindex(",") + 2
                self._act(read_act(text))
                at += len(text) + 2
            if not self.rons:
                self._passed()
            self._result()
            self.whole = True
        except FrameError as error:
            self._fault(error.message)
            self._turn_dora()
            return
        try:
            self._final_hands()
        except FrameError as error:
            self.faults.append((error, len(self.offsets)))

    def told(self) -> Told:
        """Give what was read, with the places of the dora among those of the other events."""
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
        return Told(self.reading, offsets, faults, self.whole)

    def _fault(self, message: str) -> None:
        self.faults.append((FrameError(message, "acts", self.index), len(self.offsets)))

    def _odd(self, message: str) -> None:
        self.odd = message

    def _act(self, act: Act) -> None:
        player = (act.seat + self.dealer) % SEATS
        if act.giving == "tsumo":
            self.claims[player] = self.given_at
        elif act.taking == "ron":
            self.claims[player] = self.taken_at
        super()._act(act)

    def _final_hands(self) -> None:
        if self.legal and not self.faults:
            super()._final_hands()
            return
        # What is left is in doubt now, so that what is shown is not measured by it.
        shown = self._shown()
        self.reading.round.final_hands = tuple(self._hand(shown[player]) for player in range(SEATS))

    def _passed(self) -> None:
        # Who was in riichi before does not pay again.
        if self.declared is not None and self.table.riichi[self.declared] == RIICHI_ACCEPTED:
            self.declared = None
        super()._passed()

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
