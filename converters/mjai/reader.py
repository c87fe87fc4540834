"""Reads mjai: JSON lines or batch arrays, every dialect, one or more games in a file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from mjconv.converters.interface import Reading
from mjconv.converters.mjai.aliases import spellings
from mjconv.converters.mjai.grouping import Draft, drafts
from mjconv.converters.mjai.messages import Messages, Unread
from mjconv.converters.mjai.notes import match_tokens, round_tokens, with_players
from mjconv.converters.shared import carry
from mjconv.converters.shared.contradictions import settle
from mjconv.converters.shared.restore import Assembly, FoundNote, Key, MatchNotes
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match


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
    for number, draft in enumerate(drafts(messages, report)):
        yield _MatchReader(draft, messages, report, number).reading()


class _MatchReader:
    """Makes the match of a draft: players, rounds, and the values that its notes restore."""

    def __init__(self, draft: Draft, messages: Messages, report: Report, number: int) -> None:
        self.draft = draft
        self.messages = messages
        self.report = report
        self.number = number
        self.match = with_players(draft.match)
        _warn_of_breaks(self.match, report, number)
        self.found = self._found()

    def reading(self) -> Reading:
        if not self.found:
            return Reading(self.match, self._locate)
        return settle("mjai", self._assemble, self.report, self.number)

    def _assemble(self, ignored: Collection[Key]) -> Assembly:
        plain = self.match
        notes = MatchNotes(self.found, len(plain.rounds), self._digest, self.report, self.number, ignored)
        rounds = [
            notes.restore(game_round, index, seats=USUAL_SEATS) for index, game_round in enumerate(plain.rounds)
        ]
        match = Match(plain.players, rounds, plain.opening, plain.closing)
        match = notes.restore(match, None, seats=USUAL_SEATS)

        def locate(game_round: int | None, event: int, key: str) -> Place | None:
            return self._locate(game_round, notes.visible_event(game_round, event), key)

        return Assembly(Reading(match, locate), notes.applied)

    def _digest(self, key: Key) -> str:
        tokens = match_tokens(self.match) if key is None else round_tokens(self.match.rounds[key])
        return carry.digest(tokens)

    def _found(self) -> list[FoundNote]:
        """Read the notes of the messages of this match."""
        found: list[FoundNote] = []
        rounds = dict(zip(self.draft.deals, range(len(self.draft.deals)), strict=True))
        for at in self.messages.noted(self.draft.first, self.draft.end):
            near = rounds.get(at)
            place = partial(self.messages.note_place, at)
            try:
                notes = carry.convert(self.messages.notes[at])
            except carry.NoteError as error:
                self.report.fault(InputError(str(error), place()), match=self.number, round=near)
                continue
            found += [FoundNote(note, place, near) for note in notes]
        return found

    def _locate(self, game_round: int | None, event: int, key: str) -> Place | None:
        if game_round is None:
            return self.messages.place(self.draft.first)
        if not 0 <= game_round < len(self.draft.deals):
            return None
        indices: Sequence[int] = self.draft.indices(game_round, len(self.match.rounds[game_round].events))
        if not 0 <= event < len(indices):
            return self.messages.place(self.draft.deals[game_round])
        return self.messages.key_place(indices[event], spellings(key) if key else ())


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
            report.warn(
                f"the round has no {' and no '.join(missing)}", match=number, round=index, label=game_round.label
            )
    if not match.closing:
        report.warn("the game has no end_game", match=number)
