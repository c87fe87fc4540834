"""Read jmjp, versions 0 and 1.x: one or more matches in a file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from functools import partial

from msgspec import UNSET, structs

from mjconv.converters.interface import Reading
from mjconv.converters.jmjp.comments import (
    MatchHints,
    RoundHints,
    annotations_of,
    lines_of,
    note_in,
    owner,
    sort_comments,
)
from mjconv.converters.jmjp.extras import flows_before, match_extras, put_round_extras
from mjconv.converters.jmjp.frame_reading import read_frame, read_on
from mjconv.converters.jmjp.frames import FrameError
from mjconv.converters.jmjp.play import FrameReading
from mjconv.converters.jmjp.spelling import WEEKDAYS
from mjconv.converters.jmjp.syntax import File, Frame, MatchSyntax, parse
from mjconv.converters.jmjp.text import Comment, StrippedText, statement_offset
from mjconv.converters.shared import carry
from mjconv.converters.shared.contradictions import settle
from mjconv.converters.shared.dora import CUSTOMS, Custom
from mjconv.converters.shared.restore import Assembly, FoundNote, Key, MatchNotes
from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place, PlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Round


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one. The file states its version.

    Raises `InputError` with line and column, and `PlayError` if the acts cannot be played. A note whose round was
    edited is ignored with a warning.

    With a lenient report the errors are its faults. A frame that does not parse is read up to its first error, or
    it is an empty round if its starting hands do not parse. If the table
    refuses an act, the reader applies it anyway and reports nothing. It reports acts that the notation does not
    allow, and reads the round no further after an act without a meaning. It leaves out metadata and notes that it
    cannot read.

    >>> players = b"".join(b"ply[%d,,,,]" % player for player in range(4))
    >>> [reading] = read(b"jmjp[1.0](mtp[20181001,,,]" + players + b"frm[S2-1,,,,,,,])", Report())
    >>> reading.match.date.year, reading.match.rounds[0].label
    (2018, 'S2-1')
    >>> reading.locate(0, 0, "").column, reading.locate(0, 1, "").column, reading.locate(1, 0, "")
    (67, 82, None)
    """
    source = _source(data, report)
    if source is None:
        return
    file = _parsed(source, report)
    comments: list[list[Comment]] = [[] for _ in file.matches]
    found: list[list[FoundNote]] = [[] for _ in file.matches]
    for comment in source.comments if file.matches else ():
        index = owner(comment, file)
        note = note_in(comment.text)
        if note is None:
            comments[index].append(comment)
            continue
        try:
            found[index] += _read_note(comment, *note, source, file.matches[index])
        except InputError as error:
            report.fault(error, match=index)
    for number, syntax in enumerate(file.matches):
        yield _MatchReader(source, syntax, comments[number], found[number], report, number).reading()


def _read_note(
    comment: Comment, note: str, offset: int, source: StrippedText, syntax: MatchSyntax
) -> list[FoundNote]:
    """Read the note that begins at an offset of a comment. Raises `InputError` with its place."""
    try:
        notes = carry.loads(note.encode("utf-8", "replace"))
    except carry.NoteError as error:
        wrong = source.place_of_origin(comment.origin + len("//") + offset + error.at)
        raise InputError(str(error), wrong) from None
    frame = bisect_right(syntax.frames, comment.at, key=lambda frame: frame.end) - 1
    place = partial(source.place_of_origin, comment.origin)
    return [FoundNote(note, place, frame if frame >= 0 else None) for note in notes]


def _parsed(source: StrippedText, report: Report) -> File:
    if not report.lenient:
        return parse(source)
    # Imported here: a file without errors does not need the module.
    from mjconv.converters.jmjp.recovery import parse_on

    file, troubles = parse_on(source)
    for trouble in troubles:
        event = None
        if trouble.match is not None and trouble.round is not None:
            event = _events_before(file, trouble.match, trouble.round)
        report.fault(trouble.error, match=trouble.match, round=trouble.round, event=event, label=trouble.label)
    return file


def _events_before(file: File, match: int, index: int) -> int | None:
    """Return the number of events that can be read before the error of a frame; None if it has none."""
    syntax = file.matches[match]
    if index not in syntax.unfinished:
        return None
    # The number does not depend on the dealer and the round before.
    return len(read_on(syntax.frames[index], file.major, 0, CUSTOMS[0], unfinished=True).offsets)


def _source(data: bytes, report: Report) -> StrippedText | None:
    try:
        return StrippedText.from_bytes(data)
    except InputError as error:
        report.fault(error)
        first = error.message
    try:
        # Bytes that are not UTF-8 are mostly in a name.
        return StrippedText.from_bytes(data.decode("utf-8", "replace").encode())
    except InputError as error:
        if error.message != first:
            report.fault(error)
    return None


class _MatchReader:
    """Makes a match of its syntax, its comments and its notes."""

    def __init__(
        self,
        source: StrippedText,
        syntax: MatchSyntax,
        comments: list[Comment],
        found: list[FoundNote],
        report: Report,
        number: int,
    ) -> None:
        self.source = source
        self.syntax = syntax
        self.comments = sort_comments(comments, syntax)
        self.found = found
        self.report = report
        self.number = number

    def reading(self) -> Reading:
        self._check_weekday()
        if not self.found:
            return self._assemble(()).reading
        flavour = "" if self.source.major else "jmjp-0"
        return settle("jmjp", self._assemble, self.report, self.number, flavour)

    def _assemble(self, ignored: Collection[Key]) -> Assembly:
        frames = self.syntax.frames
        notes = MatchNotes(self.found, len(frames), self._digest, self.report, self.number, ignored)
        shift = notes.hints(None, MatchHints).shift
        rounds = _RoundsReader(self.source, self.syntax, self.comments.rounds, notes, shift)
        read: list[Round] = []
        for index in range(len(frames)):
            read.append(rounds.read(index, read[-1] if read else None))
        match = structs.replace(
            self.syntax.info,
            rounds=read,
            opening=[ev.StartGame()],
            closing=[ev.EndGame()],
            annotations=self.comments.match,
            extras=match_extras(self.source, self.syntax),
        )
        match = notes.restore(rotated(match, -shift), None, seats=USUAL_SEATS, shown=lines_of)
        return Assembly(Reading(match, rounds.locate), notes.applied)

    def _check_weekday(self) -> None:
        """Warn if the weekday is not that of the date. Both are kept as they are."""
        date, weekday = self.syntax.info.date, self.syntax.info.weekday
        if date is UNSET or weekday is UNSET or weekday == (right := WEEKDAYS[date.weekday()]):
            return
        at = statement_offset(self.source.stripped, "mtp", self.syntax.begin, self.source.major)
        place = self.source.place(at + len("mtp[YYYYMMDD,"))
        self.report.warn(
            f"the weekday is {weekday}, but {date.isoformat()} is {right}",
            match=self.number,
            line=place.line,
            column=place.column,
        )

    def _digest(self, key: Key) -> str:
        text, syntax = self.source.stripped, self.syntax
        if key is not None:
            frame = syntax.frames[key]
            return carry.digest(text[frame.begin : frame.end].encode())
        if not syntax.frames:
            return carry.digest(text[syntax.begin : syntax.end].encode())
        first, last = syntax.frames[0], syntax.frames[-1]
        return carry.digest((text[syntax.begin : first.begin] + text[last.end : syntax.end]).encode())


class _RoundsReader:
    """Reads the frames of a match in order, with the hints and the patches of their notes."""

    def __init__(
        self,
        source: StrippedText,
        syntax: MatchSyntax,
        comments: dict[int, list[tuple[int, str]]],
        notes: MatchNotes,
        shift: int,
    ) -> None:
        self.source = source
        self.syntax = syntax
        self.comments = comments
        self.notes = notes
        self.report = notes.report
        self.number = notes.number
        #: The dealer of each frame, and the custom by which its dora are turned.
        self.seating = [self._seating(index, shift) for index in range(len(syntax.frames))]
        #: Whether the frame before could not be read to its end: the sticks that it leaves are then unknown.
        self.lost = False
        #: The offsets of the events of the frames that `locate` was asked for.
        self.offsets: dict[int, list[int]] = {}

    def _seating(self, index: int, shift: int) -> tuple[int, Custom]:
        if index in self.syntax.broken:
            return 0, CUSTOMS[0]
        hints = self.notes.hints(index, RoundHints)
        dealer = self.syntax.frames[index].number - 1 + shift if hints.dealer is UNSET else hints.dealer
        return dealer % USUAL_SEATS, hints.dora or CUSTOMS[0]

    def read(self, index: int, before: Round | None) -> Round:
        """Read a frame after the round `before` it, and apply its note."""
        if index in self.syntax.broken:
            self.lost = True
            return Round()
        frame = self.syntax.frames[index]
        if index in self.syntax.unfinished:
            return self._unfinished(index, before)
        if any(len(flow.acts) > limits.current().events for flow in frame.flows):
            raise limits.LimitError("events", self.source.place(frame.begin))
        dealer, custom = self.seating[index]
        whole = True
        try:
            reading = read_frame(frame, self.source.major, dealer, before, custom)
        except FrameError as error:
            if not self.report.lenient:
                raise self._refusal(frame, error) from None
            lenient = read_on(frame, self.source.major, dealer, custom, before)
            for fault, event in lenient.faults:
                self.report.fault(self._refusal(frame, fault), match=self.number, round=index, event=event)
            reading, whole = lenient.reading, lenient.whole
        game_round = reading.round
        if self.lost:
            without_sticks(game_round)
        self.lost = not whole
        put_round_extras(game_round, frame, flows_before(self.source, frame))
        acts = len(frame.flows[-1].acts) if frame.flows else 0
        game_round.annotations = annotations_of(self.comments.get(index, ()), game_round.events, acts)
        if whole:
            game_round = self.notes.restore(game_round, index, seats=USUAL_SEATS, shown=lines_of)
        if index not in self.notes.applied:
            self._report(reading, game_round, index, frame)
        return game_round

    def _unfinished(self, index: int, before: Round | None) -> Round:
        """Read a frame up to its error, which is reported already."""
        frame = self.syntax.frames[index]
        self.lost = True
        lenient = read_on(frame, self.source.major, *self.seating[index], before, unfinished=True)
        for error, event in lenient.faults:
            self.report.fault(self._refusal(frame, error), match=self.number, round=index, event=event)
        return lenient.reading.round

    def locate(self, game_round: int | None, event: int, key: str) -> Place | None:
        """Return the place of an event, or of one of its keys.

        An event is at its act. A discard, or a meld of tiles of the hand alone, is at the second half of its act.
        A dora is at its indicator, an exhausted wall at the points after it. An event that a note inserts is at
        the event that it follows. An event that the round does not have is at its frame.
        """
        if game_round is None:
            return self.source.place(self.syntax.begin)
        if not 0 <= game_round < len(self.syntax.frames):
            return None
        frame = self.syntax.frames[game_round]
        if game_round not in self.offsets:
            self.offsets[game_round] = self._event_offsets(game_round)
        offsets = self.offsets[game_round]
        at = self.notes.visible_event(game_round, event)
        if not 0 <= at < len(offsets):
            return self.source.place(frame.begin)
        return self.source.place(max(offsets[at], self._points_offset(frame, key)))

    def _points_offset(self, frame: Frame, key: str) -> int:
        """Return the offset of the points of a frame that a key of an event is read from; -1 if there are none."""
        if key == "scores" and frame.pfs is not None:
            return self.source.stripped.index("pfs[", frame.begin)
        if key == "deltas" and frame.pfe is not None:
            return self.source.stripped.index("pfe[", frame.begin)
        return -1

    def _event_offsets(self, index: int) -> list[int]:
        if index in self.syntax.broken:
            return []
        unfinished = index in self.syntax.unfinished
        return read_on(
            self.syntax.frames[index], self.source.major, *self.seating[index], unfinished=unfinished
        ).offsets

    def _refusal(self, frame: Frame, error: FrameError) -> PlayError:
        return PlayError(error.message, self.source.place(_offset(self.source, frame, error)))

    def _report(self, reading: FrameReading, game_round: Round, index: int, frame: Frame) -> None:
        """Report the assumptions and the warnings of a reading. A note would correct both."""
        where = {"match": self.number, "round": index}
        for what, detail in reading.assumed:
            self.report.lose(what, "assumed", event=0, label=game_round.label, detail=detail, **where)
        for warning, hand in reading.warnings:
            line = self.source.place(frame.flows[-1].end_offset(hand)).line
            self.report.warn(warning, label=game_round.label, line=line, **where)


def without_sticks(game_round: Round) -> None:
    """Take from a deal the sticks that were assumed to be left from the round before.

    >>> game_round = Round([ev.StartRound(kyotaku=0)], assumed=("kyotaku",))
    >>> without_sticks(game_round)
    >>> game_round.events
    [StartRound()]
    """
    start = game_round.start
    if start is not None and "kyotaku" in game_round.assumed:
        game_round.events[game_round.events.index(start)] = structs.replace(start, kyotaku=UNSET)
        game_round.assumed = ()


def rotated(match: Match, steps: int) -> Match:
    """Return the match with its players renumbered: player `steps` becomes player 0.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> match = Match(players=[Player(Name(Text(letter))) for letter in "abcd"])
    >>> rotated(match, 1).players[0].name.shown
    'b'
    """
    if not steps % USUAL_SEATS:
        return match
    turned = {
        name: type(value)(value[steps % USUAL_SEATS :] + value[: steps % USUAL_SEATS])
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
