"""Which notes a file has, and which match or frame each belongs to."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict, deque
from typing import NamedTuple, TypeAlias

from mjconv.converters.jmjp.notes import PREFIX, JmjpNote, MatchNote, RoundNote
from mjconv.converters.jmjp.syntax import MatchSyntax
from mjconv.converters.jmjp.text import Comment, StrippedText
from mjconv.converters.shared import notes
from mjconv.ir.errors import InputError

OfMatch: TypeAlias = tuple[MatchNote, Comment]
OfRound: TypeAlias = tuple[RoundNote, Comment]


class Found(NamedTuple):
    """A note and the comment that it stands in."""

    note: JmjpNote
    comment: Comment


def is_note(comment: Comment) -> bool:
    """Say whether a comment is a note; a formatter may have put a blank before the mark."""
    return comment.text.lstrip(" \t").startswith(PREFIX)


def read_note(comment: Comment, source: StrippedText) -> Found:
    """Read the note that a comment is. Raises `InputError` where it is none of this package."""
    text = comment.text.lstrip(" \t")
    try:
        return Found(notes.loads(text[len(PREFIX) :].encode("utf-8", "replace"), JmjpNote), comment)
    except notes.NoteError as error:
        place = source.place_of_origin(comment.origin + 2 + len(comment.text) - len(text) + len(PREFIX) + error.at)
        raise InputError(str(error), place) from None


class Attached:
    """The notes of one match: `match` its own, `rounds` those of its frames by index, each with its comment.

    `edited` and `orphans` are the match's and the rounds' notes that belong to nothing any more.
    """

    def __init__(self, source: StrippedText, syntax: MatchSyntax, found: list[Found]) -> None:
        self._source = source
        self._syntax = syntax
        self._digests: dict[int, str] = {}
        self.match: OfMatch | None = None
        self.edited: OfMatch | None = None
        self.rounds: dict[int, OfRound] = {}
        of_match = next((at for at in found if at.note.match is not None), None)
        if of_match is not None and of_match.note.match is not None:
            own = of_match.note.match, of_match.comment
            fits = own[0].v == notes.VERSION and own[0].digest == info_digest(source, syntax)
            self.match, self.edited = (own, None) if fits else (None, own)
        self.orphans = self._attach(
            [(at.note.round, at.comment) for at in found if at is not of_match and at.note.round]
        )

    def _attach(self, found: list[OfRound]) -> list[OfRound]:
        """Give each frame the note after it, if that is its own, else the first left that is.

        What is returned are the others.
        """
        frames = self._syntax.frames
        waiting: defaultdict[str, deque[OfRound]] = defaultdict(deque)
        for note, comment in found:
            if note.v != notes.VERSION:
                continue
            index = bisect_right(frames, comment.at, key=lambda frame: frame.end) - 1
            if index >= 0 and index not in self.rounds and self._digest(index) == note.digest:
                self.rounds[index] = note, comment
            else:
                waiting[note.digest].append((note, comment))
        if waiting:
            for index in range(len(frames)):
                left = None if index in self.rounds else waiting.get(self._digest(index))
                if left:
                    self.rounds[index] = left.popleft()
        kept = {id(note) for left in waiting.values() for note, _ in left}
        return [(note, comment) for note, comment in found if id(note) in kept or note.v != notes.VERSION]

    def _digest(self, index: int) -> str:
        if index not in self._digests:
            frame = self._syntax.frames[index]
            self._digests[index] = notes.digest(self._source.stripped[frame.begin : frame.end].encode())
        return self._digests[index]


def info_digest(source: StrippedText, syntax: MatchSyntax) -> str:
    """Digest what stands around the frames of a match."""
    text = source.stripped[syntax.begin : syntax.end]
    if syntax.frames:
        text = (
            source.stripped[syntax.begin : syntax.frames[0].begin]
            + source.stripped[syntax.frames[-1].end : syntax.end]
        )
    return notes.digest(text.encode())
