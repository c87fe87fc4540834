"""From the text of a jmjp file to its matches and frames; the metadata become a `Match` of the IR.

A file is read statement by statement, each by the regular expression of its rule.

There is one way to read on after an error: its message is kept, and the next statement is read. Without a list for
the errors, the first one is raised.
"""

import re
from typing import Final, NamedTuple

from mjconv.converters.jmjp import frames
from mjconv.converters.jmjp.grammar import pattern
from mjconv.converters.jmjp.head import RULES, RefusedValueError, players_or_none, respelled, statements
from mjconv.converters.jmjp.text import STRING, StrippedText
from mjconv.ir.errors import InputError
from mjconv.ir.match import USUAL_SEATS, Player


class SyntaxFault(NamedTuple):
    """A syntax error, its match and round from 0, and the round's name, as far as they are known."""

    error: InputError
    match: int | None = None
    round: int | None = None
    label: str | None = None


def parse(source: StrippedText, faults: list[SyntaxFault] | None = None) -> frames.File:
    """Parse a file of version 0 or 1.x.

    Raises `InputError` with its place, the text found and the text expected. With a list of `faults`, it adds each
    error to the list instead, and reads on. Then a frame that cannot be read keeps its place. It has its head, its
    starting hands and its acts up to the error, if these can be read. Other statements that cannot be read are
    left out.

    >>> from mjconv.converters.jmjp.text import StrippedText
    >>> players = "".join(f"ply[{player},,,,]" for player in range(4))
    >>> file = parse(StrippedText(f"jmjp[1.0](mtp[20181001,mon,1900,mlg-std]{players}frm[E1-0,,3-4,,,,,])"))
    >>> file.matches[0].info.date, file.matches[0].info.place
    (datetime.date(2018, 10, 1), Text(code='mlg-std'))
    >>> file.matches[0].frames[0].dice
    (3, 4)
    """
    return frames.File(source.version, source.major, _Parser(source, faults).matches())


# The statements of a match.


class _Statement(NamedTuple):
    """How many of a statement a match has, and a text after which the same may follow."""

    least: int
    most: float
    text: str


_MANY: Final = float("inf")
_FRAME: Final = "frm[E1-0,,,,,,,]"
#: The statements in their order, by their words. What may follow point rules, may follow a frame.
STATEMENTS: Final = {
    "tnm": _Statement(0, 1, "tnm[,,,,]"),
    "mtp": _Statement(1, 1, "mtp[,,,]"),
    "rec": _Statement(0, _MANY, "rec[,]"),
    "ply": _Statement(4, 4, "ply[0,,,,]"),
    "ptr": _Statement(0, 1, _FRAME),
    "frm": _Statement(0, _MANY, _FRAME),
    "pme": _Statement(0, 1, "pme[0.0,0.0,0.0,0.0]"),
    "ptn": _Statement(0, 1, "ptn[(,),(,),(,),(,)]"),
}
_WORDS: Final = tuple(STATEMENTS)
#: More characters than a word with its bracket has.
_LONGEST: Final = 8
#: The shortest beginning of a match before each statement, and the shortest match.
BEFORE: Final = {
    word: "(" + "".join(STATEMENTS[each].text * STATEMENTS[each].least for each in _WORDS[:rank])
    for rank, word in enumerate(_WORDS)
}
_WHOLE: Final = f"{BEFORE['frm']})"
#: The fields of a match that statements are the values of. The values of ``mtp`` are several fields.
_KEYS: Final = {"tnm": "tournament", "ptr": "rules", "pme": "final_scores", "ptn": "points_after"}

#: After this number of errors of a file nothing more is read: explaining an error takes long.
MOST_ERRORS: Final = 100

_OPENING: Final = re.compile(rf"({'|'.join(_WORDS)})\[")
_ANY_WORD: Final = re.compile(r"[a-z]++\[")
#: A statement, or any word where a match begins. Strings are skipped. A name may begin with such a word, too.
_NEXT: Final = {
    major: re.compile(rf"{string}|(?P<word>(?:{'|'.join(_WORDS)}|(?<=\()(?!snt|srm)[a-z]++)\[)")
    for major, string in STRING.items()
}
#: The beginning of a frame with its name.
_NAME: Final = re.compile(r"frm\[([ESWN])([1-4])-([0-9]{1,4})(?![0-9])")


class _Parser:
    """Reads the statements of a file one by one."""

    def __init__(self, source: StrippedText, faults: list[SyntaxFault] | None) -> None:
        self.source = source
        self.text = source.stripped
        self.major = source.major
        self.faults = faults
        self.parsed: list[frames.MatchSyntax] = []
        #: Whether a match is open, and the offset of its bracket while it has no statement.
        self.open = False
        self.bracket: int | None = None
        #: Of the last match: its furthest statement as a rank, the number of each, and its players.
        self.rank = 0
        self.counts: dict[str, int] = {}
        self.players: list[tuple[str, Player, int]] = []
        #: Whether text was skipped since the last statement.
        self.skipped = False
        #: Whether a wrong order was reported. What follows from it is not reported again.
        self.reported = False

    def matches(self) -> list[frames.MatchSyntax]:
        """Return the matches. Raises `InputError` if there is no list of faults."""
        text = self.text
        offset = text.index("]") + 1
        while offset < len(text):
            opening = _OPENING.match(text, offset)
            if opening is not None:
                offset = self._statement(opening[1], offset)
                self.parsed[-1].end = offset
            elif text[offset] == "(":
                if self.open and not self.skipped:
                    self._refuse_here(offset)
                self.open, self.bracket, self.reported = True, offset, False
                offset += 1
            elif text[offset] == ")" and self.open and self.bracket is None:
                self._close(offset)
                offset += 1
            elif self._stops_here(offset):
                self.parsed[-1].stop, self.skipped = offset, True
                offset = len(text)
            else:
                if self.bracket is not None and _ANY_WORD.match(text, offset):
                    self._begin(self.bracket)
                self._refuse_here(offset)
                offset = self._next(offset)
        if (self.open or not self.parsed) and not self.skipped:
            if self._stops_here(offset):
                self.parsed[-1].stop = offset
            else:
                self._refuse_here(offset)
        return self.parsed

    def _stops_here(self, offset: int) -> bool:
        """Return whether the text stops here or in the next word, and the match only lacks its bracket."""
        # A longer rest is the beginning of no word.
        rest = self.text[offset : offset + _LONGEST]
        begun = any(f"{word}[".startswith(rest) for word in _WORDS[self.rank :])
        return begun and self.open and self.bracket is None and self._complete(len(_WORDS))

    def _close(self, offset: int) -> None:
        complete = self._complete(len(_WORDS))
        if not complete:
            self._refuse_here(offset)
        self.parsed[-1].end = offset + 1
        self.open = self.skipped = False
        self.reported = not complete

    def _complete(self, rank: int) -> bool:
        """Return whether the match has all statements that it needs before one of this rank."""
        return all(self.counts[word] >= STATEMENTS[word].least for word in _WORDS[self.rank : rank])

    def _statement(self, word: str, offset: int) -> int:
        """Read a statement. Returns the offset after it, or of the next statement if it cannot be read."""
        rank = _WORDS.index(word)
        again = word in ("tnm", "mtp") and self.rank >= _WORDS.index("frm")
        if self.bracket is None and (not self.open or again):
            self._refuse_here(offset)
        if self.bracket is not None or not self.parsed or (word in ("tnm", "mtp") and (again or not self.open)):
            self._begin(offset if self.bracket is None else self.bracket)
        self.open, self.skipped = True, False
        stray = rank < self.rank or self.counts[word] >= STATEMENTS[word].most
        if stray or not self._complete(rank):
            self._refuse_here(offset)
        elif rank >= _WORDS.index("frm"):
            self.reported = False
        self.rank = max(rank, self.rank)
        self.counts[word] += 1
        return self._frame(offset) if word == "frm" else self._metadata(word, offset, stray=stray)

    def _begin(self, offset: int) -> None:
        self.parsed.append(frames.MatchSyntax(offset))
        self.bracket = None
        self.rank = 0
        self.counts = dict.fromkeys(_WORDS, 0)
        self.players = []

    def _metadata(self, word: str, offset: int, *, stray: bool) -> int:
        """Read a statement that is no frame. If it is out of place (`stray`), its contents are not reported."""
        statement = pattern(RULES[word], self.major).match(self.text, offset)
        if statement is None:
            end = self._next(offset)
            if not stray and not self._stops(word, offset, end):
                self._refuse_inside(word, offset)
            return end
        try:
            self._keep(word, statement)
        except RefusedValueError as error:
            self._refuse_value(error)
        return statement.end()

    def _keep(self, word: str, statement: re.Match[str]) -> None:
        """Keep the value of a statement. Of statements that only one match has, the first one counts."""
        text, match = statement[0], self.parsed[-1]
        value = statements(self.major)[word].read(text, statement.start())
        if frames.ODD_NUMBER.search(text) and (usual := respelled(text, self.major)) != text:
            match.spelled[usual] = text
        if word == "rec":
            match.info.recorders.append(value)
        elif word == "ply":
            self._keep_player(statement[1], value, statement.start(1), statement.end())
        elif self.counts[word] == 1:
            match.when_at = statement.start() if word == "mtp" else match.when_at
            for key, part in value.items() if word == "mtp" else ((_KEYS[word], value),):
                setattr(match.info, key, part)

    def _keep_player(self, seat: str, player: Player, offset: int, end: int) -> None:
        """Keep a player. The players may be in any order."""
        if len(self.players) == USUAL_SEATS:
            return
        self.players.append((seat, player, offset))
        by_id: dict[str, Player] = {}
        twice = [each for each in self.players if by_id.setdefault(each[0], each[1]) is not each[1]]
        self.parsed[-1].info.players = players_or_none([by_id.get(number, Player()) for number in "0123"])
        # A fifth player is the greater error.
        if twice and len(self.players) == USUAL_SEATS and not self.text.startswith("ply[", end):
            missing = " and ".join(sorted(set("0123") - by_id.keys()))
            message = f"player {twice[0][0]} is listed twice, and player {missing} is missing"
            raise RefusedValueError(message, twice[0][2])

    def _frame(self, offset: int) -> int:
        match = self.parsed[-1]
        index = len(match.frames)
        name = _NAME.match(self.text, offset)
        label = name and name[0][len("frm[") :]
        if not self.too_many:
            statement = pattern("frame", self.major).match(self.text, offset)
            try:
                if statement is not None:
                    match.frames.append(frames.read_frame_text(statement, self.major))
                    return statement.end()
                end = self._stopped(offset, index)
                if end is not None:
                    return end
                self._refuse_inside("frm", offset, index, label)
            except RefusedValueError as error:
                self._refuse_value(error, index, label)
        end = self._next(offset)
        frame = None if self.too_many else frames.read_beginning(self.text, offset, end, self.major)
        if frame is None or not (frame.flows and len(frame.flows[-1].start) == USUAL_SEATS):
            wind, number, honba = ("E", 1, 0) if name is None else (name[1], int(name[2]), int(name[3]))
            frame = frames.Frame(wind, number, honba, None, None, None, None, [], None, None, offset, end)
            match.broken.add(index)
        else:
            match.unfinished.add(index)
        match.frames.append(frame)
        return end

    def _stopped(self, offset: int, index: int) -> int | None:
        """Read a frame without the hands at its end, or the last one of a match, which may stop anywhere.

        Returns the offset after it, or None if it has an error. A frame that stops inside its head is left out.
        """
        end = self._next(offset)
        frame = frames.read_beginning(self.text, offset, end, self.major)
        if frame is not None and frame.closed:
            self.skipped = False
        elif not self._stops("frm", offset, end):
            return None
        if frame is None:
            return end
        self.parsed[-1].stopped.add(index)
        self.parsed[-1].frames.append(frame)
        return frame.end

    def _stops(self, word: str, offset: int, end: int) -> bool:
        """Return whether a statement only stops at the end of its match, which is complete but for its bracket."""
        if self.too_many or self.text[end : end + 1] not in ("", ")") or not self._complete(len(_WORDS)):
            return False
        # Imported here: a file without errors does not need the module.
        from mjconv.converters.jmjp.explain import stops

        stopped = stops(self.source, BEFORE[word], offset, end)
        if stopped:
            self.parsed[-1].stop = end
        return stopped

    def _next(self, offset: int) -> int:
        """Return the offset of the next statement or match after the text at an offset, which cannot be read."""
        text = self.text
        self.skipped = True
        # A string may begin here, but no statement that was not tried yet.
        for piece in _NEXT[self.major].finditer(text, offset + (text[offset] != '"')):
            if piece["word"]:
                end = piece.start()
                if text[end - 1] != "(" or end - 1 <= offset:
                    return end
                end -= 1
                break
        else:
            end = len(text)
        # The bracket before the next match closes this one.
        return end - (end - 1 > offset and text[end - 1] == ")")

    # Errors.

    @property
    def too_many(self) -> bool:
        """Whether no more errors are searched for."""
        return self.faults is not None and len(self.faults) > MOST_ERRORS

    def _refuse_here(self, offset: int) -> None:
        """Report that another text is expected between statements."""
        if self.reported:
            return
        self.reported = True
        if not self.open:
            before = _WHOLE if self.parsed else ""
        elif self.bracket is not None or not self.parsed:
            before = "("
        else:
            word = _WORDS[self.rank]
            count = min(self.counts[word], STATEMENTS[word].least or 1)
            before = BEFORE[word] + STATEMENTS[word].text * count
        self._explain(before, offset)

    def _refuse_inside(self, word: str, offset: int, frame: int | None = None, label: str | None = None) -> None:
        """Report that a statement does not parse."""
        self.reported = True
        self._explain(BEFORE[word], offset, frame, label)

    def _explain(self, before: str, offset: int, frame: int | None = None, label: str | None = None) -> None:
        if self.faults is not None and len(self.faults) >= MOST_ERRORS:
            if not self.too_many:
                message = f"there are more than {MOST_ERRORS} errors, and nothing is read from here on"
                self._report(InputError(message, self.source.place(offset)), frame, label)
            return
        # Imported here: a file without errors does not need the module.
        from mjconv.converters.jmjp.explain import explain

        self._report(explain(self.source, before, offset, self._bracket()), frame, label)

    def _bracket(self) -> int | None:
        """Return the offset of the bracket of the match that is open, if it has one."""
        if self.bracket is not None or not self.open:
            return self.bracket
        return self.parsed[-1].begin if self.text[self.parsed[-1].begin] == "(" else None

    def _refuse_value(self, error: RefusedValueError, frame: int | None = None, label: str | None = None) -> None:
        self._report(InputError(error.message, self.source.place(error.offset)), frame, label)

    def _report(self, error: InputError, frame: int | None, label: str | None) -> None:
        if self.faults is None:
            raise error
        self.faults.append(SyntaxFault(error, len(self.parsed) - 1 if self.parsed else None, frame, label))
