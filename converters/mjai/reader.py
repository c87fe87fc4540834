"""Read mjai: JSON lines or batch arrays, every dialect, one or more games in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from msgspec import UNSET, structs

from mjconv.converters import notes
from mjconv.converters.mjai.messages import Messages
from mjconv.converters.mjai.notes import MessageNote, match_digest, round_digest
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Name, Player, Round, Text

#: Where something begins or ends, or needs a look.
_MARKS: Final = frozenset({ev.StartGame, ev.StartRound, ev.EndGame, ev.Win, ev.Hello})
#: What a deal says in every dialect.
_DEAL_NEEDS: Final = ("oya", "dora_marker", "tehais")
#: A note may tell of tiles that mjai does not know, but not of more seats.
_SEATS: Final = 4
#: What may stand where no round is being played.
_TALK: Final = (ev.StartGame, ev.Pass, ev.Hello, ev.Join, ev.Fault)

Whole = TypeVar("Whole", Round, Match)


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    """Read the matches of a file, one by one.

    Unknown keys are kept, aliases folded into the standard names, and what a message does not say stays unsaid.
    Raises `InputError` with the line. A log that breaks off is read with a warning.

    >>> [match] = read(b'{"type":"start_game","names":["a","b","c","d"]}', Report())
    >>> match.players[2].name.last.native
    'c'
    """
    del flavour  # every dialect is read alike
    messages = Messages(data)
    if not messages.events:
        raise InputError("no messages, where an mjai file holds at least one", messages.place(0))
    for number, draft in enumerate(_group(messages)):
        yield _finish(draft, messages, report, number)


def locate(data: bytes, match: int, game_round: int, event: int) -> Place | None:
    r"""Find the line of a message that was read, counting from 0: of an event of a round of a match.

    >>> log = b'{"type":"start_kyoku","oya":0,"dora_marker":"?","tehais":[%s]}\n{"type":"reach","actor":0}'
    >>> locate(log % b",".join([b"[" + b",".join([b'"?"'] * 13) + b"]"] * 4), 0, 0, 1).line
    2
    """
    messages = Messages(data)
    drafts = list(_group(messages))
    if match < len(drafts) and game_round < len(drafts[match].deals):
        return messages.place(drafts[match].deals[game_round] + event)
    return None


def with_players(match: Match) -> Match:
    """Move the names of the start of the game to the match's players."""
    for index, event in enumerate(match.opening):
        if isinstance(event, ev.StartGame) and event.names is not UNSET:
            match.players = [Player(Name(Text(name))) for name in event.names]
            match.opening[index] = structs.replace(event, names=UNSET)
            break
    return match


class _Draft:
    """A match being put together: the indices of its first message, of its deals, and of what comes after it."""

    def __init__(self, first: int) -> None:
        self.match = Match()
        self.first = first
        self.end = first
        self.deals: list[int] = []

    @property
    def begun(self) -> bool:
        match = self.match
        return bool(match.rounds or match.closing or any(type(e) is ev.StartGame for e in match.opening))


def _group(messages: Messages) -> Iterator[_Draft]:
    """Cut the messages into matches."""
    events = messages.events
    marks = [index for index, event in enumerate(events) if type(event) in _MARKS]
    draft = _Draft(0)
    done = 0
    for index in marks:
        event = events[index]
        if index > done:
            _add(draft, events[done:index], messages, done)
        done = index + 1
        if isinstance(event, ev.StartRound):
            if draft.match.closing:
                draft.end = index
                yield draft
                draft = _Draft(index)
            for key in _DEAL_NEEDS:
                if getattr(event, key) is UNSET:
                    raise InputError(f"start_kyoku: {key} is missing", messages.place(index))
            draft.match.rounds.append(Round([event]))
            draft.deals.append(index)
        elif isinstance(event, ev.EndGame):
            draft.match.closing.append(event)
        else:
            if isinstance(event, (ev.StartGame, ev.Hello)) and draft.begun:
                draft.end = index
                yield draft
                draft = _Draft(index)
            if isinstance(event, ev.Win) and event.target is UNSET:
                raise InputError("hora: target is missing", messages.place(index))
            _add(draft, [event], messages, index)
    if done < len(events):
        _add(draft, events[done:], messages, done)
    draft.end = len(events)
    yield draft


def _add(draft: _Draft, events: list[ev.Event], messages: Messages, index: int) -> None:
    """Add events to what is open: the closing, the last round, or the opening."""
    match = draft.match
    if match.rounds and not match.closing:
        match.rounds[-1].events.extend(events)
        return
    for place, event in enumerate(events, index):
        if not isinstance(event, _TALK):
            where = "after end_game" if match.closing else "before any start_kyoku"
            raise InputError(f"{ev.name_of(event)} {where}", messages.place(place))
    (match.closing if match.closing else match.opening).extend(events)


def _finish(draft: _Draft, messages: Messages, report: Report, number: int) -> Match:
    """Give the match its players and what its notes carry; warn where the log itself breaks off."""
    match = with_players(draft.match)
    _warn_of_breaks(match, report, number)
    found = {at: _note(messages, at) for at in messages.noted(draft.first, draft.end)}
    for index, (game_round, at) in enumerate(zip(match.rounds, draft.deals, strict=True)):
        note = found[at].round if at in found else None
        digest, label = round_digest(game_round) if note else "", game_round.label
        if note is not None and _fits(note, digest, messages, at, report, number, index, label):
            match.rounds[index] = _patched(note, game_round, messages, at)
    head = [at for at in found if at <= (draft.deals or [draft.end])[0] and found[at].match is not None]
    for at in found:
        note = found[at].match
        if note is not None and at in head[:1]:
            if _fits(note, match_digest(match), messages, at, report, number):
                match = _patched(note, match, messages, at)
        elif note is not None or (found[at].round is not None and at not in draft.deals):
            report.warn("a note stands where none belongs: it is left out", match=number, line=messages.line(at))
    return match


def _note(messages: Messages, at: int) -> MessageNote:
    try:
        return notes.convert(messages.notes[at], MessageNote)
    except notes.NoteError as error:
        raise InputError(str(error), messages.place(at, notes.MARK)) from None


def _fits(
    note: notes.Note,
    digest: str,
    messages: Messages,
    at: int,
    report: Report,
    match: int,
    index: int | None = None,
    label: str | None = None,
) -> bool:
    if note.v == notes.VERSION and note.digest == digest:
        return True
    what = "match" if label is None else "round"
    report.warn(notes.let_go(note, what), match=match, round=index, label=label, line=messages.line(at))
    return False


def _patched(note: notes.Note, whole: Whole, messages: Messages, at: int) -> Whole:
    try:
        return patch.apply(note, whole, seats=_SEATS)
    except patch.PatchError as error:
        raise InputError(f"the note does not fit: {error}", messages.place(at, notes.MARK)) from None


def _warn_of_breaks(match: Match, report: Report, number: int) -> None:
    for index, game_round in enumerate(match.rounds):
        kinds = {type(event) for event in game_round.events}
        missing = [
            word
            for word, needed in (("result", {ev.Win, ev.Ryukyoku}), ("end_kyoku", {ev.EndRound}))
            if not kinds & needed
        ]
        if missing:
            report.warn(
                f"the round has no {' and no '.join(missing)}", match=number, round=index, label=game_round.label
            )
    if not match.closing:
        report.warn("the game has no end_game", match=number)
