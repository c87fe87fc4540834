"""Groups the messages of a file into matches and rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET, Struct, field

from mjconv.converters.mjai.messages import Messages, Read, Unread
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

#: The kinds of messages that begin or end something, or that are checked.
_MARKS: Final = frozenset({ev.StartGame, ev.StartRound, ev.EndGame, ev.Win, ev.Hello, Unread})
#: The keys that a deal has in every dialect.
_DEAL_NEEDS: Final = ("oya", "dora_marker", "tehais")
#: The kinds of messages that may come while no round is played.
_OUTSIDE_ROUNDS: Final = ev.CONVERSATION | {ev.StartGame}
#: The kinds of messages that a deal follows.
_BEFORE_DEALS: Final = (ev.StartGame, ev.EndRound)


class Draft(Struct):
    """A match while its messages are collected: those from index `first` to before `end`.

    `deals` are the indices of its deals. `left_out` are the indices of the messages that no round has.
    """

    first: int
    match: Match = field(default_factory=Match)
    end: int = 0
    deals: list[int] = field(default_factory=list)
    left_out: set[int] = field(default_factory=set)

    @property
    def begun(self) -> bool:
        """Whether the game has begun."""
        match = self.match
        return bool(match.rounds or match.closing or any(type(e) is ev.StartGame for e in match.opening))

    def indices(self, game_round: int, length: int) -> Sequence[int]:
        """Return the indices of the messages of a round, which has `length` events."""
        deal = self.deals[game_round]
        if not self.left_out:
            return range(deal, deal + length)
        read = (index for index in range(deal, self.end) if index not in self.left_out)
        return [index for index, _ in zip(read, range(length), strict=False)]


def drafts(messages: Messages, report: Report) -> Iterator[Draft]:
    """Yield the matches of the messages. Raises `InputError`; reads on if the report is lenient.

    Of messages of play outside a round, only the first is reported. A round whose deal cannot be read has no
    events.
    """
    return _Grouping(messages, report).drafts()


class _Grouping:
    def __init__(self, messages: Messages, report: Report) -> None:
        self.messages = messages
        self.report = report
        self.number = 0
        self.draft = Draft(0)
        #: Whether play outside a round has been reported: later messages of that play are dropped silently.
        self.outside_reported = False

    def drafts(self) -> Iterator[Draft]:
        events, doubtful = self.messages.events, self.messages.doubtful
        marks = [index for index, event in enumerate(events) if type(event) in _MARKS]
        if doubtful:
            marks = sorted({*marks, *doubtful})
        done = 0
        for index in marks:
            if index > done:
                self._add(events[done:index], done)
            done = index + 1
            event = events[index]
            kind = self._kind(event, index)
            if self._begins_match(kind):
                yield self._cut(index)
            if index in doubtful:
                self._fault(doubtful[index], kind)
            if isinstance(event, Unread):
                self._leave_out(event, kind, index)
            else:
                self._add_mark(event, index)
        if done < len(events):
            self._add(events[done:], done)
        yield self._cut(len(events))

    def _kind(self, event: Read, index: int) -> type | None:
        """Return the kind of a message. For an unreadable message, it may be known from the messages around it."""
        kind = _stated_kind(event)
        if kind is None and 0 < index < len(self.messages.events) - 1:
            before, after = self.messages.events[index - 1], self.messages.events[index + 1]
            if _stated_kind(before) in _BEFORE_DEALS and _stated_kind(after) is ev.Draw:
                return ev.StartRound
        return kind

    def _begins_match(self, kind: type | None) -> bool:
        if kind is ev.StartRound:
            return bool(self.draft.match.closing)
        return kind in (ev.StartGame, ev.Hello) and self.draft.begun

    def _cut(self, index: int) -> Draft:
        """End the match before the message of this index, and begin the next one."""
        cut = self.draft
        cut.end = index
        self.draft = Draft(index)
        self.outside_reported = False
        self.number += 1
        return cut

    def _add_mark(self, event: ev.Event, index: int) -> None:
        """Add an event of `_MARKS`."""
        match = self.draft.match
        if isinstance(event, ev.StartRound):
            missing = next((key for key in _DEAL_NEEDS if getattr(event, key) is UNSET), None)
            if missing is not None:
                error = InputError(f"start_kyoku: {missing} is missing", self.messages.place(index))
                self._fault(error, ev.StartRound)
            match.rounds.append(Round([event]))
            self.draft.deals.append(index)
            self.outside_reported = False
        elif isinstance(event, ev.EndGame):
            match.closing.append(event)
            self.outside_reported = False
        else:
            if isinstance(event, ev.Win) and event.target is UNSET:
                self._fault(InputError("hora: target is missing", self.messages.place(index)), ev.Win)
            self._add([event], index)

    def _leave_out(self, unread: Unread, kind: type | None, index: int) -> None:
        """Leave out a message that cannot be read. A round or game that it begins or ends still does so."""
        self._fault(unread.error, kind)
        if kind is ev.StartRound:
            self.draft.match.rounds.append(Round())
            self.draft.deals.append(index)
        elif kind is ev.StartGame or kind is ev.EndGame:
            self._add_mark(kind(), index)
        else:
            self.draft.left_out.add(index)

    def _add(self, events: Sequence[Read], index: int) -> None:
        """Add events to the closing, to the last round, or to the opening, whichever is current."""
        match = self.draft.match
        if match.rounds and not match.closing:
            if match.rounds[-1].events:
                match.rounds[-1].events.extend(events)  # type: ignore[arg-type]
            return
        for at, event in enumerate(events, index):
            if not isinstance(event, Unread) and type(event) in _OUTSIDE_ROUNDS:
                (match.closing if match.closing else match.opening).append(event)
            elif not self.outside_reported and not isinstance(event, Unread):
                where = "after end_game" if match.closing else "before any start_kyoku"
                self._fault(InputError(f"{ev.name_of(event)} {where}", self.messages.place(at)), type(event))
                self.outside_reported = True

    def _fault(self, error: InputError, kind: type | None) -> None:
        """Report an error in a message of this kind, which would be the next event."""
        match = self.draft.match
        game_round: int | None = None
        event: int | None = None
        if kind is ev.StartRound:
            game_round, event = len(match.rounds), 0
        elif match.rounds and not match.closing:
            game_round, event = len(match.rounds) - 1, len(match.rounds[-1].events)
        self.report.fault(error, match=self.number, round=game_round, event=event)


def _stated_kind(event: Read) -> type | None:
    return event.kind if isinstance(event, Unread) else type(event)
