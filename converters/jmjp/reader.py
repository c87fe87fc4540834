"""Read jmjp, versions 0 and 1.x: one or more matches in a file."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from msgspec import UNSET, structs

from mjconv.converters import notes
from mjconv.converters.jmjp.comments import (
    MatchExtras,
    Placed,
    RoundExtras,
    flows_before,
    keep_visible,
    owner,
    placed,
    put,
)
from mjconv.converters.jmjp.dora import CUSTOMS
from mjconv.converters.jmjp.heads import FrameError
from mjconv.converters.jmjp.notes import PREFIX, JmjpNote, MatchNote, RoundNote
from mjconv.converters.jmjp.play import Reading, read_frame
from mjconv.converters.jmjp.source import Comment, Source
from mjconv.converters.jmjp.syntax import Frame, MatchSyntax, parse
from mjconv.ir import events as ev
from mjconv.ir import patch
from mjconv.ir.errors import InputError, Place, PlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

Whole = TypeVar("Whole", Round, Match)
_SEATS = 4


def read(data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
    """Read the matches of a file, one by one; the file says its version.

    Raises `InputError` with line and column, `PlayError` where the acts cannot be played. A note whose round was
    edited is left out, with a warning.

    >>> players = b"".join(b"ply[%d,,,,]" % player for player in range(4))
    >>> [match] = read(b"jmjp[1.0](mtp[20181001,,,]" + players + b"frm[S2-1,,,,,,,])", Report())
    >>> match.date.year, match.rounds[0].label
    (2018, 'S2-1')
    """
    del flavour
    source = Source.from_bytes(data)
    file = parse(source)
    comments: list[list[Comment]] = [[] for _ in file.matches]
    found: list[list[_Found]] = [[] for _ in file.matches]
    for comment in source.comments:
        index = owner(comment, file)
        if comment.text.lstrip(" \t").startswith(PREFIX):
            found[index].append(_Found(_read_note(comment, source), comment))
        else:
            comments[index].append(comment)
    for number, syntax in enumerate(file.matches):
        reader = _MatchReader(source, syntax, found[number], report, number)
        yield reader.read(comments[number])


def locate(data: bytes, match: int, game_round: int, event: int) -> Place | None:
    """Find the frame of a round that was read, counting from 0.

    >>> players = b"".join(b"ply[%d,,,,]" % player for player in range(4))
    >>> locate(b"jmjp[1.0](mtp[,,,]" + players + b" frm[S2-1,,,,,,,])", 0, 0, 0).column
    60
    """
    del event  # what a note restores has no place of its own
    source = Source.from_bytes(data)
    frames = [syntax.frames for syntax in parse(source).matches]
    if match < len(frames) and game_round < len(frames[match]):
        return source.place(frames[match][game_round].begin)
    return None


class _Found(NamedTuple):
    note: JmjpNote
    comment: Comment


def _read_note(comment: Comment, source: Source) -> JmjpNote:
    # A formatter may have put a blank before the mark.
    text = comment.text.lstrip(" \t")
    try:
        return notes.loads(text[len(PREFIX) :].encode("utf-8", "replace"), JmjpNote)
    except notes.NoteError as error:
        place = source.place_of_origin(comment.origin + 2 + len(comment.text) - len(text) + len(PREFIX) + error.at)
        raise InputError(str(error), place) from None


class _MatchReader:
    def __init__(
        self, source: Source, syntax: MatchSyntax, found: list[_Found], report: Report, number: int
    ) -> None:
        self.source = source
        self.syntax = syntax
        self.found = found
        self.comments = Placed(MatchExtras(), {})
        #: The notes that stand after their frames, by the frame's index.
        self.own: dict[int, tuple[RoundNote, Comment]] = {}
        #: The notes of rounds that no frame has taken yet, by digest.
        self.waiting: defaultdict[str, deque[tuple[RoundNote, Comment]]] = defaultdict(deque)
        self.report = report
        self.number = number

    def read(self, comments: list[Comment]) -> Match:
        match = self.syntax.info
        match.opening = [ev.StartGame()]
        match.closing = [ev.EndGame()]
        note, comment = self._match_note()
        self._sort_notes()
        self.comments = placed(comments, self.syntax)
        before: Round | None = None
        for index, frame in enumerate(self.syntax.frames):
            before = self._round(frame, index, before, 0 if note is None else note.shift)
            match.rounds.append(before)
        self._warn_of_orphans()
        put(match, self.comments.match)
        if note is not None and comment is not None:
            match = self._patched(note, rotated(match, -note.shift), comment)
            keep_visible(match, self.comments.match)
        return match

    def _match_note(self) -> tuple[MatchNote | None, Comment | None]:
        for place, (found, comment) in enumerate(self.found):
            note = found.match
            if note is None:
                continue
            del self.found[place]
            if note.v == notes.VERSION and note.digest == info_digest(self.source, self.syntax):
                return note, comment
            line = self.source.place_of_origin(comment.origin).line
            self.report.warn(notes.let_go(note, "match"), match=self.number, line=line)
            break
        return None, None

    def _sort_notes(self) -> None:
        """Give each frame the note that stands after it, if that is its own; others wait for their frame."""
        frames = self.syntax.frames
        digests: dict[int, str] = {}
        for found, comment in self.found:
            note = found.round
            if note is None or note.v != notes.VERSION:
                continue
            index = bisect_right(frames, comment.at, key=lambda frame: frame.end) - 1
            if index >= 0 and index not in self.own and self._digest(index, digests) == note.digest:
                self.own[index] = note, comment
            else:
                self.waiting[note.digest].append((note, comment))

    def _digest(self, index: int, digests: dict[int, str]) -> str:
        if index not in digests:
            frame = self.syntax.frames[index]
            digests[index] = notes.digest(self.source.stripped[frame.begin : frame.end].encode())
        return digests[index]

    def _round_note(self, index: int) -> tuple[RoundNote | None, Comment | None]:
        """Take the frame's own note, else the first, not yet taken, whose digest is the frame's."""
        if index in self.own:
            return self.own[index]
        waiting = self.waiting.get(self._digest(index, {})) if self.waiting else None
        return waiting.popleft() if waiting else (None, None)

    def _round(self, frame: Frame, index: int, before: Round | None, shift: int) -> Round:
        note, comment = self._round_note(index)
        dealer = (frame.number - 1 + shift) % _SEATS
        if note is not None and note.dealer is not UNSET:
            dealer = note.dealer % _SEATS
        try:
            reading = read_frame(
                frame, self.source.major, dealer, before, (UNSET if note is None else note.dora) or CUSTOMS[0]
            )
        except FrameError as error:
            raise PlayError(error.message, self.source.place(_offset(self.source, frame, error))) from None
        game_round = reading.round
        visible = RoundExtras(self.comments.rounds.get(index, ()), flows_before(self.source, frame))
        put(game_round, visible)
        if note is not None and comment is not None:
            game_round = self._patched(note, game_round, comment)
            keep_visible(game_round, visible)
        self._tell(reading, game_round, index, frame, noted=note is not None)
        return game_round

    def _tell(self, reading: Reading, game_round: Round, index: int, frame: Frame, *, noted: bool) -> None:
        """Report what was assumed and is not put right by a note, and what looks wrong."""
        where = {"match": self.number, "round": index}
        for what, detail in reading.assumed:
            if "kyotaku" in game_round.assumed if what.endswith("kyotaku") else not noted:
                self.report.lose(what, "assumed", event=0, label=game_round.label, detail=detail, **where)
        if not noted:
            for warning, hand in reading.warnings:
                line = self.source.place(frame.flows[-1].end_offset(hand)).line
                self.report.warn(warning, label=game_round.label, line=line, **where)

    def _warn_of_orphans(self) -> None:
        kept = {id(note) for waiting in self.waiting.values() for note, _ in waiting}
        for found, comment in self.found:
            note = found.round
            if note is not None and (id(note) in kept or note.v != notes.VERSION):
                line = self.source.place_of_origin(comment.origin).line
                self.report.warn(notes.let_go(note, "round"), match=self.number, label=note.frame, line=line)

    def _patched(self, note: notes.Note, whole: Whole, comment: Comment) -> Whole:
        try:
            return patch.apply(note, whole, seats=_SEATS)
        except patch.PatchError as error:
            place = self.source.place_of_origin(comment.origin)
            raise InputError(f"the note does not fit: {error}", place) from None


def info_digest(source: Source, syntax: MatchSyntax) -> str:
    """Digest what stands around the frames of a match."""
    text = source.stripped[syntax.begin : syntax.end]
    if syntax.frames:
        text = (
            source.stripped[syntax.begin : syntax.frames[0].begin]
            + source.stripped[syntax.frames[-1].end : syntax.end]
        )
    return notes.digest(text.encode())


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


def _offset(source: Source, frame: Frame, error: FrameError) -> int:
    if error.part == "kyoutak":
        return source.stripped.index(",", frame.begin) + 1
    flow = frame.flows[-1]
    find = {"start": flow.start_offset, "acts": flow.act_offset, "end": flow.end_offset}[error.part]
    return find(error.index)
