"""The messages of a file put together: which belong to which match and round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import UNSET

from mjconv.converters.mjai.messages import Messages, Read, Unread
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

#: Where something begins or ends, or needs a look.
_MARKS: Final = frozenset({ev.StartGame, ev.StartRound, ev.EndGame, ev.Win, ev.Hello, Unread})
#: What a deal says in every dialect.
_DEAL_NEEDS: Final = ("oya", "dora_marker", "tehais")
#: What may stand where no round is being played.
_TALK: Final = (ev.StartGame, ev.Pass, ev.Hello, ev.Join, ev.Fault)
#: What a deal comes after.
_BEFORE_DEALS: Final = (ev.StartGame, ev.EndRound)


@dataclass
class Draft:
    """A match being put together, by the messages from index `first` to `end`.

    `deals` are the indices of its deals, `left_out` those of what was not read into any round.
    """

    first: int
    match: Match = field(default_factory=Match)
    end: int = 0
    deals: list[int] = field(default_factory=list)
    left_out: set[int] = field(default_factory=set)

    @property
    def begun(self) -> bool:
        """Whether a game has begun in it."""
        match = self.match
        return bool(match.rounds or match.closing or any(type(e) is ev.StartGame for e in match.opening))

    def indices(self, game_round: int, length: int) -> Sequence[int]:
        """Give the indices of the messages that a round's events are, of which there are so many."""
        deal = self.deals[game_round]
        if not self.left_out:
            return range(deal, deal + length)
        read = (index for index in range(deal, self.end) if index not in self.left_out)
        return [index for index, _ in zip(read, range(length), strict=False)]


def drafts(messages: Messages, report: Report) -> Iterator[Draft]:
    """Cut the messages into matches. Raises `InputError`, or with a lenient report goes on after what is wrong.

    Of play where no round is being played only the first message is told of; nothing is left of a round whose
    deal cannot be read.
    """
    return _Grouping(messages, report).drafts()


class _Grouping:
    def __init__(self, messages: Messages, report: Report) -> None:
        self.messages = messages
        self.report = report
        self.number = 0
        self.draft = Draft(0)
        #: Whether the play that comes has no round to go to, and was told of.
        self.astray = False

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
                self._pass_over(event, kind, index)
            else:
                self._take(event, index)
        if done < len(events):
            self._add(events[done:], done)
        yield self._cut(len(events))

    def _kind(self, event: Read, index: int) -> type | None:
        """Tell what kind of event a message is, or where it cannot be read, may be by those around it."""
        kind = _said(event)
        if kind is None and 0 < index < len(self.messages.events) - 1:
            before, after = self.messages.events[index - 1], self.messages.events[index + 1]
            if _said(before) in _BEFORE_DEALS and _said(after) is ev.Draw:
                return ev.StartRound
        return kind

    def _begins_match(self, kind: type | None) -> bool:
        if kind is ev.StartRound:
            return bool(self.draft.match.closing)
        return kind in (ev.StartGame, ev.Hello) and self.draft.begun

    def _cut(self, index: int) -> Draft:
        """End the match before the message of this index, and begin another."""
        cut = self.draft
        cut.end = index
        self.draft = Draft(index)
        self.astray = False
        self.number += 1
        return cut

    def _take(self, event: ev.Event, index: int) -> None:
        """Add an event that begins or ends something, or needs a look."""
        match = self.draft.match
        if isinstance(event, ev.StartRound):
            missing = next((key for key in _DEAL_NEEDS if getattr(event, key) is UNSET), None)
            if missing is not None:
                said = f"start_kyoku: {missing} is missing"
                self._fault(InputError(said, self.messages.place(index)), ev.StartRound)
            match.rounds.append(Round([event]))
            self.draft.deals.append(index)
            self.astray = False
        elif isinstance(event, ev.EndGame):
            match.closing.append(event)
            self.astray = False
        else:
            if isinstance(event, ev.Win) and event.target is UNSET:
                self._fault(InputError("hora: target is missing", self.messages.place(index)), ev.Win)
            self._add([event], index)

    def _pass_over(self, unread: Unread, kind: type | None, index: int) -> None:
        """Leave out what cannot be read; what it begins or ends does so all the same."""
        self._fault(unread.error, kind)
        if kind is ev.StartRound:
            self.draft.match.rounds.append(Round())
            self.draft.deals.append(index)
        elif kind is ev.StartGame or kind is ev.EndGame:
            self._take(kind(), index)
        else:
            self.draft.left_out.add(index)

    def _add(self, events: Sequence[Read], index: int) -> None:
        """Add events to what is open: the closing, the last round, or the opening."""
        match = self.draft.match
        if match.rounds and not match.closing:
            if match.rounds[-1].events:
                match.rounds[-1].events.extend(events)  # type: ignore[arg-type]
            return
        for place, event in enumerate(events, index):
            if isinstance(event, _TALK):
                (match.closing if match.closing else match.opening).append(event)
            elif not self.astray and not isinstance(event, Unread):
                where = "after end_game" if match.closing else "before any start_kyoku"
                self._fault(InputError(f"{ev.name_of(event)} {where}", self.messages.place(place)), type(event))
                self.astray = True

    def _fault(self, error: InputError, kind: type | None) -> None:
        """Tell what is wrong with a message of this kind, as the next of what is open."""
        match = self.draft.match
        game_round: int | None = None
        event: int | None = None
        if kind is ev.StartRound:
            game_round, event = len(match.rounds), 0
        elif match.rounds and not match.closing:
            game_round, event = len(match.rounds) - 1, len(match.rounds[-1].events)
        self.report.fault(error, match=self.number, round=game_round, event=event)


def _said(event: Read) -> type | None:
    return event.kind if isinstance(event, Unread) else type(event)
