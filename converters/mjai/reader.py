"""Read mjai: JSON lines or batch arrays, every dialect, one or more games in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from msgspec import UNSET, structs

from mjconv.converters.formats import Finder
from mjconv.converters.mjai.grouping import Draft, drafts
from mjconv.converters.mjai.messages import Messages, Unread
from mjconv.converters.mjai.notes import MessageNote, match_digest, round_digest
from mjconv.converters.shared import notes
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import LimitError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text

#: A note may tell of tiles that mjai does not know, but not of more seats.
_SEATS: Final = 4


Whole = TypeVar("Whole", Round, Match)


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    """Read the matches of a file, one by one.

    Unknown keys are kept, aliases folded into the standard names, and what a message does not say stays unsaid.
    Raises `InputError` with the line. A log that breaks off is read with a warning.

    With a lenient report what is wrong with a message is a fault, also a key that stands twice. A message that
    cannot be read is left out; a game begins or ends there all the same, and a round without its deal is empty.

    >>> [match] = read(b'{"type":"start_game","names":["a","b","c","d"]}', Report())
    >>> match.players[2].name.last.native
    'c'
    """
    del flavour  # every dialect is read alike
    for reading in _read(Messages(data, lenient=report.lenient), report):
        yield reading.match


def places(data: bytes, *, lenient: bool = False) -> Finder:
    r"""Find the messages of events that were read: see `mjconv.converters.formats.Finder`.

    >>> log = b'{"type":"start_kyoku","oya":0,"dora_marker":"?","tehais":[%s]}\n{"type":"reach","actor":0}'
    >>> find = places(log % b",".join([b"[" + b",".join([b'"?"'] * 13) + b"]"] * 4))
    >>> find(0, 0, 1).line, find(0, 0, -1).line, find(1, 0, 0)
    (2, 1, None)
    """
    messages = Messages(data, lenient=lenient)
    matches: list[list[tuple[int, Sequence[int]]]] = []
    with suppress(LimitError):  # too many faults: what comes after them was not read either
        matches.extend(
            [(deal, reading.indices(index)) for index, deal in enumerate(reading.draft.deals)]
            for reading in _read(messages, Report(lenient=lenient))
        )

    def find(match: int, game_round: int, event: int) -> Place | None:
        if not (0 <= match < len(matches) and 0 <= game_round < len(matches[match])):
            return None
        deal, indices = matches[match][game_round]
        return messages.place(indices[event] if 0 <= event < len(indices) else deal)

    return find


def with_players(match: Match) -> Match:
    """Move the names of the start of the game to the match's players."""
    for index, event in enumerate(match.opening):
        if isinstance(event, ev.StartGame) and event.names is not UNSET:
            match.players = [Player(Name(Text(name))) for name in event.names]
            match.opening[index] = structs.replace(event, names=UNSET)
            break
    return match


class _Reading:
    """Gives a draft's match its players and what its notes carry; warns where the log itself breaks off."""

    def __init__(self, draft: Draft, messages: Messages, report: Report, number: int) -> None:
        self.draft = draft
        self.messages = messages
        self.report = report
        self.number = number
        #: The notes that hold, by round, and how many events it had without.
        self.held: dict[int, tuple[notes.Note, int]] = {}
        self.match = with_players(draft.match)
        _warn_of_breaks(self.match, report, number)
        self._take_notes(dict(zip(draft.deals, range(len(draft.deals)), strict=True)))

    def indices(self, game_round: int) -> Sequence[int]:
        """Give the index of the message that each event of a round is, or stands beside."""
        if game_round not in self.held:
            return self.draft.indices(game_round, len(self.match.rounds[game_round].events))
        note, length = self.held[game_round]
        return notes.origins(note, self.draft.indices(game_round, length))

    def _take_notes(self, rounds: dict[int, int]) -> None:
        noted = self.messages.noted(self.draft.first, self.draft.end)
        found = {at: note for at in noted if (note := self._note(at, rounds.get(at))) is not None}
        for at, note in found.items():
            if at in rounds and note.round is not None:
                self._patch_round(note.round, rounds[at], at)
        begin = (self.draft.deals or [self.draft.end])[0]
        head = next((at for at, note in found.items() if at <= begin and note.match is not None), None)
        for at, note in found.items():
            if note.match is not None and at == head:
                if self._fits(note.match, match_digest(self.match), at):
                    self.match = self._patched(note.match, self.match, at, None) or self.match
            elif note.match is not None or (note.round is not None and at not in rounds):
                line = self.messages.line(at)
                self.report.warn("a note stands where none belongs: it is left out", match=self.number, line=line)

    def _patch_round(self, note: notes.Note, index: int, at: int) -> None:
        game_round = self.match.rounds[index]
        if self._fits(note, round_digest(game_round), at, index, game_round.label):
            patched = self._patched(note, game_round, at, index)
            if patched is not None:
                self.match.rounds[index] = patched
                self.held[index] = note, len(game_round.events)

    def _note(self, at: int, index: int | None) -> MessageNote | None:
        try:
            return notes.convert(self.messages.notes[at], MessageNote)
        except notes.NoteError as error:
            self.report.fault(InputError(str(error), self.messages.note_place(at)), match=self.number, round=index)
            return None

    def _fits(
        self, note: notes.Note, digest: str, at: int, index: int | None = None, label: str | None = None
    ) -> bool:
        if note.v == notes.VERSION and note.digest == digest:
            return True
        said = notes.let_go(note, "match" if label is None else "round")
        self.report.warn(said, match=self.number, round=index, label=label, line=self.messages.line(at))
        return False

    def _patched(self, note: notes.Note, whole: Whole, at: int, index: int | None) -> Whole | None:
        try:
            return patch.apply(note, whole, seats=_SEATS)
        except patch.PatchError as error:
            said = f"the note does not fit: {error}"
            self.report.fault(InputError(said, self.messages.note_place(at)), match=self.number, round=index)
            return None


def _read(messages: Messages, report: Report) -> Iterator[_Reading]:
    if all(isinstance(event, Unread) for event in messages.events):
        error = next((event.error for event in messages.events if isinstance(event, Unread)), None)
        said = "no messages, where an mjai file holds at least one"
        report.fault(error or InputError(said, messages.place(0)))
        return
    for number, draft in enumerate(drafts(messages, report)):
        yield _Reading(draft, messages, report, number)


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
