"""Parse a file that has errors: read the text around them, and report each.

A text is cut where its statements begin: their words occur nowhere else. Each piece is then parsed by itself, so
that each piece has its own error. This takes the time of one more reading.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field, structs

from mjconv.converters.jmjp.grammar import BARE
from mjconv.converters.jmjp.syntax import (
    File,
    Frame,
    MatchSyntax,
    RefusedValueError,
    matches_in,
    refusal,
    refusals,
)
from mjconv.converters.jmjp.text import STRING
from mjconv.converters.jmjp.unfinished import beginning_of
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place
from mjconv.ir.match import Match

if TYPE_CHECKING:
    from lark import UnexpectedInput

    from mjconv.converters.jmjp.text import ParsedText, StrippedText

#: After this number of errors of a file nothing more is read: explaining an error takes long.
MOST_TOLD: Final = 100
#: The most errors of one match before its frames, or after them, that are searched for.
_MOST_AROUND: Final = 8
#: The number of characters after a piece that the parser sees, so that the error can quote them.
_FOLLOWING: Final = 100

#: The words of statements, and any word where a match begins. A name may begin with such a word, too.
_WORD: Final = r"tnm|mtp|rec|ply|ptr|frm|pme|ptn|(?<=\()(?!snt|srm)[a-z]++"
_STATEMENTS: Final = {major: re.compile(rf"{string}|(?P<word>{_WORD})\[") for major, string in STRING.items()}
#: The beginning of a frame with its name.
_NAME: Final = re.compile(r"frm\[([ESWN])([1-4])-([0-9]{1,4})(?![0-9])")
#: The statements with which a match may begin, and those before it if the bracket between is missing.
_FIRST: Final = frozenset({"tnm", "mtp"})
_LAST: Final = frozenset({"frm", "pme", "ptn"})
#: The empty form of each statement that a match must have before its frames. A player needs an id.
_EMPTY: Final = {"mtp": "mtp[,,,]", "ply": "ply[{},,,,]"}
_PLAYERS: Final = "0123"


class Trouble(NamedTuple):
    """A syntax error, its offset in the stripped text, its match and round from 0, the round's name if known."""

    error: InputError
    at: int
    match: int | None = None
    round: int | None = None
    label: str | None = None


def parse_on(source: StrippedText) -> tuple[File, list[Trouble]]:
    """Parse a file as `parse` does, but go on after errors. Returns the errors in order, first that of `parse`.

    A frame that cannot be read keeps its place. It has its head, its starting hands and its acts up to the error,
    if these can be read. Metadata statements that cannot be read are left out.
    """
    try:
        return File(source.version, source.major, matches_in(source.stripped, source.major)), []
    except refusals() as error:
        return _Recovery(source).file(error)


class Excerpt:
    """Pieces of a source joined as one text, with the places of its characters. A made-up piece has one place.

    >>> from mjconv.converters.jmjp.text import StrippedText
    >>> excerpt = Excerpt(StrippedText("jmjp[1.0] (one two)"), [Piece("jmjp[1.0]", 0), Piece("two", 13)])
    >>> excerpt.stripped, excerpt.place(9).column
    ('jmjp[1.0]two', 16)
    """

    def __init__(self, source: ParsedText, pieces: Sequence[Piece]) -> None:
        self.source = source
        self.version = source.version
        self.major = source.major
        self.pieces = pieces
        self.stripped = "".join([piece.text for piece in pieces])

    def place(self, offset: int) -> Place:
        """Find the place in the original of an offset in the text."""
        return self.source.place(self.offset(offset))

    def offset(self, offset: int) -> int:
        """Return the offset in the stripped text of the source of an offset in this text."""
        last = self.pieces[-1]
        for piece in self.pieces:
            if offset < len(piece.text) or piece is last:
                return piece.at if piece.made_up else piece.at + min(offset, len(piece.text))
            offset -= len(piece.text)
        raise AssertionError("an excerpt has pieces")


class Piece(NamedTuple):
    """A piece of text, and its offset in the stripped text. A made-up piece has the offset where it is missing."""

    text: str
    at: int
    made_up: bool = False


class _Statement(Struct):
    word: str
    begin: int
    end: int
    #: Where the next statement or match begins. The last statement of a match may end before that.
    limit: int = 0


class _Cut(Struct):
    """A match cut in statements."""

    begin: int
    end: int
    statements: list[_Statement] = field(default_factory=list)


class _Recovery:
    def __init__(self, source: StrippedText) -> None:
        self.source = source
        self.text = source.stripped
        self.head = Piece(self.text[: self.text.index("]") + 1], 0)
        self.troubles: list[Trouble] = []

    def file(self, error: UnexpectedInput | RefusedValueError) -> tuple[File, list[Trouble]]:
        """Return the parts that can be read. `error` is the error of the whole text."""
        cuts = self._cut()
        file = File(
            self.source.version, self.source.major, [self._match(number, cut) for number, cut in enumerate(cuts)]
        )
        at = _offset(error, self.text)
        # All is right before it, so that what is wrong there now follows from it.
        troubles = sorted(
            [trouble for trouble in self.troubles if trouble.at >= at], key=lambda trouble: trouble.at
        )
        if troubles and troubles[0].at == at and self._begun(file, troubles[0]):
            return file, troubles
        # What is wrong is not in a piece, but which of them stand there.
        number = bisect_right(cuts, at, key=lambda cut: cut.begin) - 1
        first = Trouble(refusal(self.source, error), at, number if number >= 0 else None)
        if troubles and troubles[0].at == at:
            first = troubles.pop(0)._replace(error=first.error)
        return file, [first, *troubles]

    def _begun(self, file: File, trouble: Trouble) -> bool:
        """Return whether a trouble is in a frame, after its head."""
        if trouble.match is None or trouble.round is None:
            return False
        return file.matches[trouble.match].frames[trouble.round].begin < trouble.at

    def _cut(self) -> list[_Cut]:
        text = self.text
        cuts: list[_Cut] = []
        before: _Statement | None = None
        for found in _STATEMENTS[self.source.major].finditer(text, len(self.head.text)):
            word = found["word"]
            if word is None:
                continue
            begin = found.start()
            bracket = text[begin - 1] == "("
            if before is not None:
                before.end = before.limit = begin
            if before is None or bracket or (word in _FIRST and before.word in _LAST):
                cuts.append(_Cut(begin - bracket, len(text)))
            before = _Statement(word, begin, len(text), len(text))
            cuts[-1].statements.append(before)
        for place, cut in enumerate(cuts, 1):
            end = cuts[place].begin if place < len(cuts) else len(text)
            last = cut.statements[-1]
            # What ends the match is not the statement's, nor is what stands after that.
            last.end = text.rfind("]", last.begin, end) + 1 or end
            if text[end - 1] == ")":
                last.end = end - 1
            cut.end = last.end + text.startswith(")", last.end)
        return cuts

    def _match(self, number: int, cut: _Cut) -> MatchSyntax:
        frames = [statement for statement in cut.statements if statement.word == "frm"]
        first = frames[0].begin if frames else cut.end
        opening = [self.head, Piece("(", cut.begin, made_up=self.text[cut.begin] != "(")]
        info = self._around(number, opening, [s for s in cut.statements if s.begin < first], header=True)
        opening = [self.head, Piece(BARE, cut.begin, made_up=True)]
        after = [s for s in cut.statements if s.begin > first and s.word != "frm"]
        if after:
            closing = self._around(number, opening, after)
            info = structs.replace(info, final_scores=closing.final_scores, points_after=closing.points_after)
        syntax = MatchSyntax(info, [], cut.begin, cut.end)
        broken, unfinished = set(), set()
        for index, statement in enumerate(frames):
            frame = self._frame(number, index, opening, statement)
            if frame is None and len(self.troubles) <= MOST_TOLD:
                frame = self._beginning(opening, statement)
                if frame is not None:
                    unfinished.add(index)
            if frame is None:
                broken.add(index)
                wind, named, honba = self._name(statement)
                frame = Frame(
                    wind, named, honba, None, None, None, None, [], None, None, statement.begin, statement.end
                )
            syntax.frames.append(frame)
        syntax.broken, syntax.unfinished = frozenset(broken), frozenset(unfinished)
        return syntax

    def _name(self, statement: _Statement) -> tuple[str, int, int]:
        found = _NAME.match(self.text, statement.begin, statement.end)
        return ("E", 1, 0) if found is None else (found[1], int(found[2]), int(found[3]))

    def _frame(self, number: int, index: int, opening: list[Piece], statement: _Statement) -> Frame | None:
        if len(self.troubles) > MOST_TOLD:
            return None
        begin = statement.begin
        piece = Piece(self.text[begin : statement.end], begin)
        tried = self._parsed([*opening, piece])
        if isinstance(tried, _Refused):
            # The frame may be right, and what stands after it be wrong: the misspelled word of another.
            shorter = Piece(self.text[begin : tried.at], begin)
            after = shorter.text.endswith("]")
            named = _NAME.match(piece.text)
            label = named and named[0][len("frm[") :]
            self._tell(tried, number, *(() if after else (index, label)))
            if not after:
                return None
            tried = self._parsed([*opening, shorter])
        if isinstance(tried, _Refused) or not tried.frames:
            return None
        return _moved(tried.frames[0], begin - sum(len(piece.text) for piece in opening))

    def _beginning(self, opening: list[Piece], statement: _Statement) -> Frame | None:
        """Return a frame that cannot be read to its end, without its points, and with the final hands it has."""
        begin = statement.begin
        found = beginning_of(self.text, begin, statement.limit, self.source.major)
        tried = None if found is None else self._parsed([*opening, Piece(found.text, begin)])
        if found is None or isinstance(tried, _Refused) or tried is None or not tried.frames:
            return None
        frame = _moved(tried.frames[0], begin - sum(len(piece.text) for piece in opening))
        flow = frame.flows[-1]
        if any(len(each.acts) > limits.current().events for each in frame.flows):
            return None
        last = structs.replace(flow, end=flow.end[: found.final_hands])
        return structs.replace(frame, flows=[*frame.flows[:-1], last], end=statement.end)

    def _around(
        self, number: int, opening: list[Piece], statements: list[_Statement], *, header: bool = False
    ) -> Match:
        """Read the statements before the frames, or after them, without those that cannot be read."""
        pieces = [Piece(self.text[s.begin : s.end], s.begin) for s in statements]
        for turn in range(_MOST_AROUND if len(self.troubles) <= MOST_TOLD else 0):
            tried = self._parsed([*opening, *pieces])
            if isinstance(tried, MatchSyntax):
                return tried.info
            inside = [place for place, piece in enumerate(pieces) if 0 < tried.at - piece.at < len(piece.text)]
            if inside or not turn:
                self._tell(tried, number)
            for place in inside:
                pieces[place] = _emptied(pieces, place)
            if not inside:
                pieces = [piece for piece in pieces if piece.at != tried.at]
                pieces = _completed(pieces) if header else pieces
        return Match()

    def _parsed(self, pieces: list[Piece]) -> MatchSyntax | _Refused:
        end = pieces[-1].at + len(pieces[-1].text) * (not pieces[-1].made_up)
        excerpt = Excerpt(self.source, [*pieces, Piece(")", end)])
        try:
            return matches_in(excerpt.stripped, self.source.major)[0]
        except refusals() as error:
            # With what follows in place of a bracket that ends the match, the words are about the text as it is.
            following = Piece(self.text[end : end + _FOLLOWING], end)
            at = excerpt.offset(_offset(error, excerpt.stripped))
            return _Refused(error, Excerpt(self.source, [*pieces, following]), at)

    def _tell(self, refused: _Refused, number: int, index: int | None = None, label: str | None = None) -> None:
        if len(self.troubles) < MOST_TOLD:
            error = refusal(refused.excerpt, refused.error)
            self.troubles.append(Trouble(error, refused.at, number, index, label))
        elif len(self.troubles) == MOST_TOLD:
            place = self.source.place(refused.at)
            message = f"there are more than {MOST_TOLD} errors, and nothing is read from here on"
            self.troubles.append(Trouble(InputError(message, place), refused.at, number, index))


class _Refused(NamedTuple):
    """Pieces that do not parse: the error, the joined text, and the offset of the error in the source."""

    error: UnexpectedInput | RefusedValueError
    excerpt: Excerpt
    at: int


def _emptied(pieces: list[Piece], place: int) -> Piece:
    """Return an empty statement, or an empty piece, in place of one that cannot be read."""
    text, at, _ = pieces[place]
    ids = {piece.text[4:5] for piece in pieces if piece.text.startswith("ply[") and piece.at != at}
    missing = next((player for player in _PLAYERS if player not in ids), "")
    return Piece(_EMPTY.get(text[:3], "").format(missing), at, made_up=True)


def _completed(pieces: list[Piece]) -> list[Piece]:
    """Insert the statements that are missing before the frames."""
    words = [piece.text[:3] for piece in pieces]
    at = pieces[-1].at if pieces else 0
    if "mtp" not in words:
        pieces.insert(words.count("tnm"), Piece(_EMPTY["mtp"], at, made_up=True))
    ids = {piece.text[4:5] for piece in pieces if piece.text.startswith("ply[")}
    players = [place for place, piece in enumerate(pieces, 1) if piece.text.startswith("ply[")]
    for player in sorted(set(_PLAYERS) - ids)[: len(_PLAYERS) - len(players)]:
        place = players[-1] if players else len(pieces)
        pieces.insert(place, Piece(_EMPTY["ply"].format(player), at, made_up=True))
    return pieces


def _moved(frame: Frame, by: int) -> Frame:
    flows = [
        structs.replace(flow, start_at=flow.start_at + by, acts_at=flow.acts_at + by, end_at=flow.end_at + by)
        for flow in frame.flows
    ]
    return structs.replace(frame, flows=flows, begin=frame.begin + by, end=frame.end + by)


def _offset(error: UnexpectedInput | RefusedValueError, text: str) -> int:
    if isinstance(error, RefusedValueError):
        return error.offset
    from mjconv.converters.jmjp.explain import offset_of

    return offset_of(error, text)
