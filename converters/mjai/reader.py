"""Reads mjai: JSON lines or batch arrays, every dialect, one or more games in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, Struct, field

from mjconv.converters.interface import Reading
from mjconv.converters.mjai.aliases import spellings
from mjconv.converters.mjai.lines import match_tokens, round_tokens, with_players
from mjconv.converters.mjai.messages import HANDS, Messages, Read, Unread
from mjconv.converters.shared import note_json
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.restore import FoundNote, Scope, notes_of_value
from mjconv.ir import events as ev
from mjconv.ir.answers import apart, events_before, recorded_seat
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Round

if TYPE_CHECKING:
    from mjconv.converters.shared.json_values import Path

#: The kinds of messages that begin or end something, or that are checked.
_MARKS: Final = frozenset({ev.StartGame, ev.StartRound, ev.EndGame, ev.Win, ev.Hello, Unread})
#: The keys that a deal has in every dialect.
_DEAL_NEEDS: Final = ("oya", "dora_marker", "tehais")
#: The numbers of tiles of a dealt hand: the rules of the game say which.
_DEALT: Final = frozenset({13, 16})
#: The kinds of messages that may come while no round is played.
_OUTSIDE_ROUNDS: Final = ev.CONVERSATION | {ev.StartGame}
#: The kinds of messages that a deal follows.
_BEFORE_DEALS: Final = (ev.StartGame, ev.EndRound)


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one.

    The reader keeps unknown keys, replaces aliases by the standard names, and adds no key. Raises `InputError`
    with its place. For a log that breaks off, the reader reports a warning.

    With a lenient report, an error in a message is a fault; so is a key that a message has twice. The reader
    leaves out a message that it cannot read. A game that the message begins or ends still begins or ends there. A
    round without a readable deal is empty.

    >>> [reading] = read(b'{"type":"start_game","names":["a","b","c","d"]}', Report())
    >>> reading.match.players[2].name.last.native
    'c'
    """
    messages = Messages(data, lenient=report.lenient)
    if all(isinstance(event, Unread) for event in messages.events):
        error = next((event.error for event in messages.events if isinstance(event, Unread)), None)
        empty = "there are no messages; an mjai file holds at least one"
        report.fault(error or InputError(empty, messages.place(0)))
        return
    for number, draft in enumerate(_Grouping(messages, report).drafts()):
        yield _reading(draft, messages, report, number)


def _reading(draft: Draft, messages: Messages, report: Report, number: int) -> Reading:
    """Return the match of a draft: players, rounds, and the values that its notes restore."""
    match = with_players(draft.match)
    _warn_of_breaks(match, report, number)
    rounds = {deal: index for index, deal in enumerate(draft.deals)}
    notes: list[FoundNote] = []
    for index in messages.noted(draft.first, draft.end):
        place = partial(_place_of_note, messages, index)
        notes += notes_of_value(messages.notes[index], (), place, report, number, near=rounds.get(index))

    def tokens_of(scope: Scope) -> bytes:
        return match_tokens(match) if scope is None else round_tokens(match.rounds[scope])

    def locate(game_round: int | None, event: int, key: str) -> Place:
        if game_round is None:
            return messages.place(draft.first)
        events, answers = match.rounds[game_round].events, match.rounds[game_round].answers
        if not 0 <= event < len(events):
            return messages.place(draft.deals[game_round])
        place = event + sum(answer.index <= event for answer in answers)
        # The key of an answer.
        number = re.fullmatch(r"answers\.([0-9]{1,9})", key)
        if number is not None and int(number[1]) < len(answers):
            place, key = answers[int(number[1])].index + int(number[1]), ""
        return messages.key_place(draft.index(game_round, place), spellings(key) if key else ())

    return with_notes("mjai", Reading(match, locate), notes, tokens_of, report, number, seats=USUAL_SEATS)


def _place_of_note(messages: Messages, index: int, path: Path) -> Place:  # noqa: ARG001 - a note is one value
    return messages.key_place(index, (note_json.MARK,))


def _warn_of_breaks(match: Match, report: Report, number: int) -> None:
    for index, game_round in enumerate(match.rounds):
        events = game_round.events
        if not events or (type(events[-1]) is ev.EndRound and type(events[-2]) in ev.RESULTS):
            continue
        kinds = {type(event) for event in events}
        missing = [
            word for word, needed in (("result", ev.RESULTS), ("end_kyoku", {ev.EndRound})) if not kinds & needed
        ]
        if missing:
            message = f"the round has no {' and no '.join(missing)}"
            report.warn(message, match=number, round=index, label=game_round.label)
    if not match.closing:
        report.warn("the game has no end_game", match=number)


# The messages of a file by match and round.


class Draft(Struct):
    """A match while its messages are collected, from index `first` to before `end`.

    `deals` are the indices of its deals. `left_out` are the indices of the messages that no round has. `faults`
    are errors, each with the index of its round and its place among the messages of the round. Until the end of
    the match, the events of a round are all its messages.
    """

    first: int
    match: Match = field(default_factory=Match)
    end: int = 0
    deals: list[int] = field(default_factory=list)
    left_out: set[int] = field(default_factory=set)
    faults: list[tuple[InputError, int | None, int | None]] = field(default_factory=list)

    @property
    def begun(self) -> bool:
        """Whether the game has begun."""
        match = self.match
        return bool(match.rounds or match.closing or any(type(e) is ev.StartGame for e in match.opening))

    def index(self, game_round: int, place: int) -> int:
        """Return the index of a message by its place among the messages of its round."""
        deal = self.deals[game_round]
        if not self.left_out:
            return deal + place
        return next(islice((index for index in range(deal, self.end) if index not in self.left_out), place, None))


class _Grouping:
    """Groups the messages of a file by match and round. Raises `InputError`; reads on if the report is lenient.

    Of messages of play outside a round, only the first is reported. A round whose deal cannot be read has no
    events.
    """

    def __init__(self, messages: Messages, report: Report) -> None:
        self.messages = messages
        self.report = report
        self.number = 0
        self.draft = Draft(0)
        #: Whether play outside a round has been reported: later messages of that play are dropped silently.
        self.outside_reported = False

    def drafts(self) -> Iterator[Draft]:
        """Yield the matches."""
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
        seat = recorded_seat(cut.match.opening)
        for game_round in cut.match.rounds:
            game_round.events, game_round.answers = apart(game_round.events, seat)
        for error, number, place in cut.faults:
            event = place
            if place and number is not None:
                event = events_before(cut.match.rounds[number].answers, place)
            self.report.fault(error, match=self.number, round=number, event=event)
        self.draft = Draft(index)
        self.outside_reported = False
        self.number += 1
        return cut

    def _add_mark(self, event: ev.Event, index: int) -> None:
        """Add an event of `_MARKS`."""
        match = self.draft.match
        if isinstance(event, ev.StartRound):
            if event.tehais and not _DEALT.issuperset(map(len, event.tehais)):
                error = InputError(f"start_kyoku.tehais: {HANDS}", self.messages.key_place(index, ("tehais",)))
                self._leave_out(Unread(error, ev.StartRound), ev.StartRound, index)
                return
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
        for position, event in enumerate(events, index):
            if not isinstance(event, Unread) and type(event) in _OUTSIDE_ROUNDS:
                (match.closing if match.closing else match.opening).append(event)
            elif not self.outside_reported and not isinstance(event, Unread):
                where = "after end_game" if match.closing else "before any start_kyoku"
                self._fault(InputError(f"{ev.name_of(event)} {where}", self.messages.place(position)), type(event))
                self.outside_reported = True

    def _fault(self, error: InputError, kind: type | None) -> None:
        """Keep an error in a message of this kind, which would be the next of its round."""
        match = self.draft.match
        game_round: int | None = None
        place: int | None = None
        if kind is ev.StartRound:
            game_round, place = len(match.rounds), 0
        elif match.rounds and not match.closing:
            game_round, place = len(match.rounds) - 1, len(match.rounds[-1].events)
        self.draft.faults.append((error, game_round, place))


def _stated_kind(event: Read) -> type | None:
    return event.kind if isinstance(event, Unread) else type(event)
