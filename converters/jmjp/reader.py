"""Read jmjp, versions 0 and 1.x: one or more matches in a file."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import UNSET, structs

from mjconv.converters.interface import Reading
from mjconv.converters.jmjp.frames import File, Frame, FrameError, MatchSyntax
from mjconv.converters.jmjp.head import rotated
from mjconv.converters.jmjp.indicators import wrong_indicators
from mjconv.converters.jmjp.notes import (
    KEY,
    FrameHints,
    KeptText,
    SortedComments,
    annotations_of,
    flows_before,
    lines_of,
    note_in,
    owner,
    put_round_extras,
    sort_comments,
)
from mjconv.converters.jmjp.parser import SyntaxFault, parse
from mjconv.converters.jmjp.round_reader import FrameReading, event_offsets, read_frame
from mjconv.converters.jmjp.spelling import LETTERS, WEEKDAYS
from mjconv.converters.jmjp.text import SourceComment, StrippedText
from mjconv.converters.shared import note_json
from mjconv.converters.shared.contradictions import prove
from mjconv.converters.shared.dealers import Dealers
from mjconv.converters.shared.dora import CUSTOMS, Custom
from mjconv.converters.shared.extras import as_extras
from mjconv.converters.shared.restore import Assembly, FoundNote, Ignored, MatchNotes, Scope
from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place, PlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Round


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
    >>> reading.locate(0, 0, "").column, reading.locate(0, 1, "").column
    (67, 82)
    """
    source = _source(data, report)
    if source is None:
        return
    file = _parsed(source, report)
    comments: list[list[SourceComment]] = [[] for _ in file.matches]
    notes: list[list[FoundNote]] = [[] for _ in file.matches]
    for comment in source.comments if file.matches else ():
        index = owner(comment, file)
        note = note_in(comment.text)
        if note is None:
            comments[index].append(comment)
            continue
        try:
            notes[index] += _read_note(comment, *note, source, file.matches[index])
        except InputError as error:
            report.fault(error, match=index)
    for number, syntax in enumerate(file.matches):
        yield _reading(source, syntax, comments[number], notes[number], report, number)


def _read_note(
    comment: SourceComment, note: str, offset: int, source: StrippedText, syntax: MatchSyntax
) -> list[FoundNote]:
    """Read the note that begins at an offset of a comment. Raises `InputError` with its place."""
    try:
        notes = note_json.loads(note.encode("utf-8", "replace"))
    except note_json.NoteError as error:
        wrong = source.place_of_origin(comment.origin + len("//") + offset + error.offset)
        raise InputError(str(error), wrong) from None
    frame = bisect_right(syntax.frames, comment.offset, key=lambda frame: frame.end) - 1
    place = partial(source.place_of_origin, comment.origin)
    return [FoundNote(note, place, frame if frame >= 0 else None) for note in notes]


def _parsed(source: StrippedText, report: Report) -> File:
    if not report.lenient:
        return parse(source)
    faults: list[SyntaxFault] = []
    file = parse(source, faults)
    for error, match, index, label in faults:
        event = None if match is None or index is None else _events_before(file, match, index)
        report.fault(error, match=match, round=index, event=event, label=label)
    return file


def _events_before(file: File, match: int, index: int) -> int | None:
    """Return the number of events that can be read before the error of a frame; None if it has none."""
    syntax = file.matches[match]
    if index not in syntax.unfinished:
        return None
    # The number does not depend on the dealer and the round before.
    return len(read_frame(syntax.frames[index], file.major, 0, None, lenient=True).round.events)


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


def _reading(
    source: StrippedText,
    syntax: MatchSyntax,
    comments: Sequence[SourceComment],
    found_notes: list[FoundNote],
    report: Report,
    number: int,
) -> Reading:
    """Return the reading of a match of the file, with its comments and its notes."""
    _check_weekday(source, syntax, report, number)
    sorted_comments = sort_comments(comments, syntax)

    def assemble(ignored: Ignored) -> Assembly:
        tokens_of = partial(_tokens, source.stripped, syntax)
        notes = MatchNotes(found_notes, len(syntax.frames), tokens_of, report, number, ignored)
        return _SyntaxReader(source, syntax, sorted_comments, notes).assembly()

    reading = prove("jmjp", assemble, report, number, lambda: "" if source.major else "jmjp-0")
    # A frame without a name has one now.
    _warn_of_stop(source, syntax, report, number)
    return reading


def _check_weekday(source: StrippedText, syntax: MatchSyntax, report: Report, number: int) -> None:
    """Warn if the date has another weekday. Both are kept as they are."""
    date, weekday = syntax.info.date, syntax.info.weekday
    if date is UNSET or weekday is UNSET or weekday == (right := WEEKDAYS[date.weekday()]):
        return
    place = source.place(syntax.when_at + len("mtp[YYYYMMDD,"))
    report.warn(f"the weekday is {weekday}, but {date.isoformat()} is {right}", match=number, place=place)


def _warn_of_stop(source: StrippedText, syntax: MatchSyntax, report: Report, number: int) -> None:
    """Warn of each frame that stops somewhere, or of the match if no frame does."""
    for index in sorted(syntax.stopped):
        frame = syntax.frames[index]
        label = f"{frame.wind}{frame.number}-{frame.honba}"
        if frame.closed:
            message = "the hands at the end are missing; --fill writes them"
            line = source.place(frame.end - 1).line
            report.warn(message, match=number, round=index, label=label, line=line)
        else:
            report.warn("the text stops before the round ends", match=number, round=index, label=label)
    if syntax.stop is not None and (not syntax.frames or syntax.frames[-1].closed):
        report.warn("the text stops before the match ends", match=number, place=source.place(syntax.stop))


def _tokens(text: str, syntax: MatchSyntax, scope: Scope) -> bytes:
    """Return the text of a frame, or the text around the frames."""
    if scope is not None:
        frame = syntax.frames[scope]
        return text[frame.begin : frame.end].encode()
    if not syntax.frames:
        return text[syntax.begin : syntax.end].encode()
    first, last = syntax.frames[0], syntax.frames[-1]
    return (text[syntax.begin : first.begin] + text[last.end : syntax.end]).encode()


class _SyntaxReader:
    """Reads the frames of a match in order, with the hints and the patches of their notes."""

    def __init__(
        self, source: StrippedText, syntax: MatchSyntax, comments: SortedComments, notes: MatchNotes
    ) -> None:
        self.source = source
        self.syntax = syntax
        self.comments = comments
        self.notes = notes
        self.report = notes.report
        self.number = notes.number
        self.dealers = notes.hints(None, Dealers)
        #: The dealer of each frame that was read, and the custom by which its dora are turned.
        self.seating: list[tuple[int, Custom]] = []
        #: Whether the frame before could not be read to its end: the sticks that it leaves are then unknown.
        self.lost = False
        #: Whether an error in the frame before was reported.
        self.faulty = False
        #: The events of each frame without its note, and the offsets in each frame that `locate` was asked for.
        self.events: list[Sequence[ev.Event]] = []
        self.offsets: dict[int, list[int]] = {}

    def _seating(self, index: int) -> tuple[int, Custom]:
        if index in self.syntax.broken:
            return 0, CUSTOMS[0]
        hints = self.notes.hints(index, FrameHints)
        usual = self.dealers.of(index, self.syntax.frames[index].number, len(self.syntax.frames))
        dealer = usual if hints.dealer is UNSET else hints.dealer
        return dealer % USUAL_SEATS, hints.dora or CUSTOMS[0]

    def assembly(self) -> Assembly:
        """Return the match, and the notes that were applied."""
        rounds: list[Round] = []
        for index in range(len(self.syntax.frames)):
            rounds.append(self.read(index, rounds[-1] if rounds else None))
        match = structs.replace(
            self.syntax.info,
            rounds=rounds,
            opening=[ev.StartGame()],
            closing=[ev.EndGame()],
            annotations=self.comments.match,
            extras=as_extras(KEY, KeptText(spelled=dict(self.syntax.spelled))),
        )
        match = self.notes.restore_match(
            rotated(match, -self.dealers.shift), seats=USUAL_SEATS, annotation_lines=lambda _: lines_of
        )
        return Assembly(Reading(match, self.locate), self.notes)

    def read(self, index: int, before: Round | None) -> Round:
        """Read a frame after the round `before` it, and apply its note."""
        frame = self.syntax.frames[index]
        if not frame.named:
            self._name(frame, index, before)
        self.seating.append(self._seating(index))
        if index in self.syntax.broken:
            self.lost = self.faulty = True
            self.events.append(())
            return Round()
        unfinished = index in self.syntax.unfinished
        if any(len(flow.acts) > limits.current().events for flow in frame.flows):
            raise limits.LimitError("events", self.source.place(frame.begin))
        dealer, custom = self.seating[index]
        try:
            reading = read_frame(frame, self.source.major, dealer, before, custom, lenient=unfinished)
        except FrameError as error:
            if not self.report.lenient:
                raise self._refusal(frame, error) from None
            reading = read_frame(frame, self.source.major, dealer, before, custom, lenient=True)
        for fault, event in reading.faults:
            self.report.fault(self._refusal(frame, fault), match=self.number, round=index, event=event)
        game_round = reading.round
        self.events.append(game_round.events)
        if self.lost and not unfinished:
            without_sticks(game_round)
        self.lost, self.faulty = not reading.whole, unfinished or bool(reading.faults)
        if unfinished:
            return game_round
        put_round_extras(game_round, frame, flows_before(self.source, frame))
        acts = len(frame.flows[-1].acts) if frame.flows else 0
        comments = self.comments.rounds.get(index, ())
        game_round.annotations = annotations_of(comments, game_round.events, acts)
        for _, comment in comments:
            wrong = wrong_indicators(comment, frame.dora)
            if wrong:
                inside = (one for one in self.source.comments if frame.begin < one.offset <= frame.end)
                place = self.source.place_of_origin(next(one.origin for one in inside if one.text == comment))
                self.report.warn(wrong, match=self.number, round=index, line=place.line, column=place.column)
        if reading.whole:
            game_round = self.notes.restore_round(
                game_round, index, seats=USUAL_SEATS, annotation_lines=lambda _: lines_of
            )
        if index not in self.notes.applied:
            self._report(reading, game_round, index, frame)
        return game_round

    def _name(self, frame: Frame, index: int, before: Round | None) -> None:
        """Give a frame without a name that of the round after the one `before` it, by the rules."""
        if index == 0:
            return
        # Imported here: a frame in a finished file has a name.
        from mjconv.converters.jmjp.next_round import deal_after

        deal, unclear = deal_after(before or Round())
        if unclear and not self.faulty:
            place = self.source.place(frame.begin + len("frm["))
            self.report.fault(InputError(unclear, place), match=self.number, round=index)
        frame.wind, frame.number, frame.honba = str(deal.bakaze), int(deal.kyoku or 1), int(deal.honba or 0)

    def locate(self, game_round: int | None, event: int, key: str) -> Place:
        """Return the place of an event, or of one of its keys.

        An event is where `event_offsets` finds it. An event that a note inserts is at the event that it follows.
        An event that the round does not have is at its frame.
        """
        if game_round is None:
            final = self.source.stripped.find("pme[", self.syntax.begin) if key == "final_scores" else -1
            return self.source.place(max(final, self.syntax.begin))
        frame = self.syntax.frames[game_round]
        offsets = self.offsets.get(game_round)
        if offsets is None:
            dealer, _ = self.seating[game_round]
            events = self.events[game_round]
            offsets = self.offsets[game_round] = event_offsets(frame, events, dealer) if events else []
        visible = self.notes.visible_event(game_round, event)
        if not 0 <= visible < len(offsets):
            return self.source.place(frame.begin)
        return self.source.place(max(offsets[visible], self._key_offset(frame, game_round, visible, key)))

    def _key_offset(self, frame: Frame, index: int, event: int, key: str) -> int:
        """Return the offset of the text that a key of an event is read from; -1 if it has no offset of its own."""
        if key == "pai" and type(self.events[index][event]) is ev.Draw:
            taken = self.offsets[index][event] + len("(e,")
            return taken + len("rs[") * self.source.stripped.startswith("rs[", taken)
        if key.startswith("tehais."):
            seat, place = map(int, key.split(".")[1:])
            letter = LETTERS[(seat - self.seating[index][0]) % USUAL_SEATS]
            hand = self.source.stripped.index(f"({letter},hnd[", frame.flows[-1].start_at)
            return hand + len("(e,hnd[") + len("1m") * place
        if key == "scores" and frame.pfs is not None:
            return self.source.stripped.index("pfs[", frame.begin)
        if key == "deltas" and frame.pfe is not None:
            return self.source.stripped.index("pfe[", frame.begin)
        return -1

    def _refusal(self, frame: Frame, error: FrameError) -> PlayError:
        if error.part == "kyoutak":
            offset = self.source.stripped.index(",", frame.begin) + 1
        else:
            offset = frame.flows[-1].offset(error.part, error.index)
        return PlayError(error.message, self.source.place(offset))

    def _report(self, reading: FrameReading, game_round: Round, index: int, frame: Frame) -> None:
        """Report the assumptions and the warnings of a reading. A note would correct both."""
        number, label = self.number, game_round.label
        for fives, event in reading.assumed:
            what = "which five was red"
            self.report.lose(what, "assumed", match=number, round=index, event=event, label=label, detail=fives)
        for warning, hand in reading.warnings:
            line = self.source.place(frame.flows[-1].offset("end", hand)).line
            self.report.warn(warning, match=number, round=index, label=label, line=line)


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
