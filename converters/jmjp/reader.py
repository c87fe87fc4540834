"""Read jmjp, versions 0 and 1.x: one or more matches in a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from msgspec import UNSET, structs

from mjconv.converters.jmjp.comments import (
    MatchComments,
    annotations_of,
    flows_before,
    owner,
    put_flows,
    sort_comments,
    visible_first,
)
from mjconv.converters.jmjp.frame_reading import read_frame
from mjconv.converters.jmjp.frames import FrameError
from mjconv.converters.jmjp.note_matching import Attached, Found, is_note, read_note
from mjconv.converters.jmjp.play import FrameReading
from mjconv.converters.jmjp.syntax import File, Frame, MatchSyntax, parse
from mjconv.converters.jmjp.text import Comment, StrippedText
from mjconv.converters.shared import notes
from mjconv.converters.shared.dora import CUSTOMS, Custom
from mjconv.ir import events as ev
from mjconv.ir import limits, patch
from mjconv.ir.errors import InputError, Place, PlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

Whole = TypeVar("Whole", Round, Match)
_SEATS = 4


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    """Read the matches of a file, one by one; the file says its version.

    Raises `InputError` with line and column, `PlayError` where the acts cannot be played. A note whose round was
    edited is left out, with a warning.

    With a lenient report the errors are its faults. A frame that does not parse is then an empty round. Acts that
    the table refuses are played by force, and are no fault: it will refuse them again; acts that the notation does
    not have there are one; after those without a meaning the round is read no further. Metadata and notes that
    cannot be read are left out.

    >>> players = b"".join(b"ply[%d,,,,]" % player for player in range(4))
    >>> [match] = read(b"jmjp[1.0](mtp[20181001,,,]" + players + b"frm[S2-1,,,,,,,])", Report())
    >>> match.date.year, match.rounds[0].label
    (2018, 'S2-1')
    """
    del flavour
    for reader, comments in _opened(data, report):
        yield reader.read(comments)


def places(data: bytes, *, lenient: bool = False) -> Callable[[int, int, int], Place | None]:
    """Parse a file to find many places in it: of events as they are counted after a reading, strict or lenient.

    What is asked with is match, round and event, from 0. An event stands at its act, and what is discarded, or
    melded from the hand alone, at that; a dora at its indicator; an exhausted wall at the points after it. What a
    note restores stands where that stands which it follows, and an event that is not there where its frame is.

    >>> players = b"".join(b"ply[%d,,,,]" % player for player in range(4))
    >>> find = places(b"jmjp[1.0](mtp[,,,]" + players + b" frm[S2-1,,,,,,,])")
    >>> find(0, 0, 0).column, find(0, 0, 1).column, find(0, 1, 0)
    (60, 75, None)
    """
    readers = [reader for reader, _ in _opened(data, Report(lenient=lenient))]

    def find(match: int, game_round: int, event: int) -> Place | None:
        if 0 <= match < len(readers) and 0 <= game_round < len(readers[match].syntax.frames):
            return readers[match].place(game_round, event)
        return None

    return find


def _opened(data: bytes, report: Report) -> Iterator[tuple[_MatchReader, list[Comment]]]:
    """Parse a file: a reader for each match, and its comments."""
    source = _source(data, report)
    if source is None:
        return
    file = _parsed(source, report)
    comments: list[list[Comment]] = [[] for _ in file.matches]
    found: list[list[Found]] = [[] for _ in file.matches]
    for comment in source.comments if file.matches else ():
        index = owner(comment, file)
        if not is_note(comment):
            comments[index].append(comment)
            continue
        try:
            found[index].append(read_note(comment, source))
        except InputError as error:
            report.fault(error, match=index)
    for number, syntax in enumerate(file.matches):
        yield (
            _MatchReader(source, syntax, Attached(source, syntax, found[number]), report, number),
            comments[number],
        )


def _parsed(source: StrippedText, report: Report) -> File:
    if not report.lenient:
        return parse(source)
    # Loaded here, as below: a good file needs none of it.
    from mjconv.converters.jmjp.recovery import parse_on

    file, troubles = parse_on(source)
    for trouble in troubles:
        report.fault(trouble.error, match=trouble.match, round=trouble.round, label=trouble.label)
    return file


def _source(data: bytes, report: Report) -> StrippedText | None:
    try:
        return StrippedText.from_bytes(data)
    except InputError as error:
        report.fault(error)
        said = error.message
    try:
        # Bytes that are no text are mostly in a name.
        return StrippedText.from_bytes(data.decode("utf-8", "replace").encode())
    except InputError as error:
        if error.message != said:
            report.fault(error)
    return None


class _MatchReader:
    def __init__(
        self, source: StrippedText, syntax: MatchSyntax, found: Attached, report: Report, number: int
    ) -> None:
        self.source = source
        self.syntax = syntax
        self.found = found
        self.comments = MatchComments((), {})
        self.report = report
        self.number = number
        #: Whether the frame before could not be read to its end, so that nobody knows what it leaves.
        self.lost = False
        #: Where the events of each round stand, of those that were asked for, and the edits that follow.
        self.stands: dict[int, tuple[list[int], Sequence[patch.Edit]]] = {}

    def read(self, comments: list[Comment]) -> Match:
        match = self.syntax.info
        match.opening = [ev.StartGame()]
        match.closing = [ev.EndGame()]
        self._warn_of_edited()
        self.comments = sort_comments(comments, self.syntax)
        before: Round | None = None
        for index in range(len(self.syntax.frames)):
            before = self._round(index, before)
            match.rounds.append(before)
        self._warn_of_orphans()
        match.annotations = self.comments.match
        if self.found.match is not None:
            note, comment = self.found.match
            match = self._patched(note, rotated(match, -note.shift), comment)
            match.annotations = visible_first(match.annotations, self.comments.match)
        return match

    def place(self, index: int, event: int) -> Place:
        """Find where an event of a round stands, or its frame where the round has no such event."""
        frame = self.syntax.frames[index]
        if index not in self.stands:
            self.stands[index] = self._stands(index)
        offsets, edits = self.stands[index]
        at = patch.origin(edits, event) if event >= 0 else -1
        return self.source.place(offsets[at] if 0 <= at < len(offsets) else frame.begin)

    def _stands(self, index: int) -> tuple[list[int], Sequence[patch.Edit]]:
        if index in self.syntax.broken:
            return [], ()
        from mjconv.converters.jmjp.lenient import read_on

        told = read_on(self.syntax.frames[index], self.source.major, *self._seating(index))
        if told.whole and index in self.found.rounds:
            note, _ = self.found.rounds[index]
            with suppress(patch.PatchError):
                patch.apply(note, told.reading.round, seats=_SEATS)
                return told.offsets, note.events
        return told.offsets, ()

    def _seating(self, index: int) -> tuple[int, Custom]:
        """Tell who deals in a frame, and when the dora of open kans are turned."""
        note = self.found.rounds[index][0] if index in self.found.rounds else None
        shift = 0 if self.found.match is None else self.found.match[0].shift
        dealer = self.syntax.frames[index].number - 1 + shift
        if note is not None and note.dealer is not UNSET:
            dealer = note.dealer
        return dealer % _SEATS, (UNSET if note is None else note.dora) or CUSTOMS[0]

    def _round(self, index: int, before: Round | None) -> Round:
        if index in self.syntax.broken:
            self.lost = True
            return Round()
        frame = self.syntax.frames[index]
        if any(len(flow.acts) > limits.current().events for flow in frame.flows):
            raise limits.LimitError("events", self.source.place(frame.begin))
        dealer, custom = self._seating(index)
        whole = True
        try:
            reading = read_frame(frame, self.source.major, dealer, before, custom)
        except FrameError as error:
            if not self.report.lenient:
                raise self._refusal(frame, error) from None
            from mjconv.converters.jmjp.lenient import read_on

            told = read_on(frame, self.source.major, dealer, custom, before)
            for fault, event in told.faults:
                self.report.fault(self._refusal(frame, fault), match=self.number, round=index, event=event)
            reading, whole = told.reading, told.whole
        game_round = reading.round
        if self.lost:
            without_sticks(game_round)
        self.lost = not whole
        put_flows(game_round, flows_before(self.source, frame))
        acts = len(frame.flows[-1].acts) if frame.flows else 0
        shown = annotations_of(self.comments.rounds.get(index, ()), game_round.events, acts)
        game_round.annotations = shown
        noted = whole and index in self.found.rounds
        if noted:
            note, comment = self.found.rounds[index]
            patched = self._patched(note, game_round, comment, index)
            if patched is not game_round:
                game_round = patched
                game_round.annotations = visible_first(patched.annotations, patch.moved(shown, note.events))
        self._tell(reading, game_round, index, frame, noted=noted)
        return game_round

    def _refusal(self, frame: Frame, error: FrameError) -> PlayError:
        return PlayError(error.message, self.source.place(_offset(self.source, frame, error)))

    def _tell(self, reading: FrameReading, game_round: Round, index: int, frame: Frame, *, noted: bool) -> None:
        """Report what was assumed and is not put right by a note, and what looks wrong."""
        where = {"match": self.number, "round": index}
        for what, detail in reading.assumed:
            if "kyotaku" in game_round.assumed if what.endswith("kyotaku") else not noted:
                self.report.lose(what, "assumed", event=0, label=game_round.label, detail=detail, **where)
        if not noted:
            for warning, hand in reading.warnings:
                line = self.source.place(frame.flows[-1].end_offset(hand)).line
                self.report.warn(warning, label=game_round.label, line=line, **where)

    def _warn_of_edited(self) -> None:
        if self.found.edited is not None:
            note, comment = self.found.edited
            line = self.source.place_of_origin(comment.origin).line
            self.report.warn(notes.let_go(note, "match"), match=self.number, line=line)

    def _warn_of_orphans(self) -> None:
        for note, comment in self.found.orphans:
            line = self.source.place_of_origin(comment.origin).line
            self.report.warn(notes.let_go(note, "round"), match=self.number, label=note.frame, line=line)

    def _patched(self, note: notes.Note, whole: Whole, comment: Comment, index: int | None = None) -> Whole:
        try:
            return patch.apply(note, whole, seats=_SEATS)
        except patch.PatchError as error:
            place = self.source.place_of_origin(comment.origin)
            self.report.fault(InputError(f"the note does not fit: {error}", place), match=self.number, round=index)
        return whole


def without_sticks(game_round: Round) -> None:
    """Take from a deal the sticks that were assumed to be left from the round before.

    >>> game_round = Round([ev.StartRound(kyotaku=0)], assumed=("kyotaku",))
    >>> without_sticks(game_round)
    >>> game_round
    Round(events=[StartRound()])
    """
    start = game_round.start
    if start is not None and "kyotaku" in game_round.assumed:
        game_round.events[game_round.events.index(start)] = structs.replace(start, kyotaku=UNSET)
        game_round.assumed = ()


def rotated(match: Match, steps: int) -> Match:
    """Give the match with its players renumbered: who was `steps` becomes 0.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> match = Match(players=[Player(Name(Text(letter))) for letter in "abcd"])
    >>> rotated(match, 1).players[0].name.shown
    'b'
    """
    if not steps % _SEATS:
        return match
    turned = {
        name: type(value)(value[steps % _SEATS :] + value[: steps % _SEATS])
        for name in ("players", "final_scores", "points_after")
        if (value := getattr(match, name))
    }
    return structs.replace(match, **turned)


def _offset(source: StrippedText, frame: Frame, error: FrameError) -> int:
    if error.part == "kyoutak":
        return source.stripped.index(",", frame.begin) + 1
    flow = frame.flows[-1]
    find = {"start": flow.start_offset, "acts": flow.act_offset, "end": flow.end_offset}[error.part]
    return find(error.index)
