"""The lines of a text with one game a line, and its notes: lines ``#@mjconv {...}``.

The note of a match and the note of a game are below their lines. A round that has no line is a note alone, at its
place among the games: its hints have ``left_out``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from mjconv.converters.interface import Part, Remark
from mjconv.converters.shared import note_json
from mjconv.converters.shared.tidy import Span, TidyLine, encoded, joined, with_notes
from mjconv.ir.errors import InputError, Place
from mjconv.ir.limits import current
from mjconv.ir.match import Annotation, Frozen

_BOM: Final = "\ufeff"
#: A byte that is no text is decoded as this plus its value.
_ESCAPE: Final = 0xDC00
_NO_TEXT: Final = re.compile("[\udc80-\udcff]+")
#: The beginning of a line that is a note.
PREFIX: Final = f"#@{note_json.MARK} "
#: A file without an error.
NO_ERRORS: Final[Mapping[int, InputError]] = {}
#: The digest of a round without a line.
_NO_LINE: Final = note_json.digest(b"")
#: Characters that would end the line, and that JSON does not escape.
_LINE_ENDS: Final = re.compile("[\x85\u2028\u2029]")


class RoundHints(Frozen, frozen=True):
    """The hints of a round: whether the round has no line, so that the note alone shows its place."""

    left_out: bool = False


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return names with a suffix where two are equal.

    >>> distinct(["A", "A", "B"])
    ('A', 'A~2', 'B')
    """
    found: list[str] = []
    for name in names:
        number, own = 1, name
        while own in found or (number > 1 and own in names):
            number += 1
            own = f"{name}~{number}"
        found.append(own)
    return tuple(found)


def comment_lines(one: Annotation) -> list[str]:
    r"""Return the lines of a comment, without the sign; none for other annotations, and for no text.

    >>> comment_lines(Annotation(0, "comment", value="a\nb ")), comment_lines(Annotation(0, "left", 2))
    (['a', 'b'], [])
    """
    if one.kind not in ("comment", "mark") or not isinstance(one.value, str) or not is_text(one.value):
        return []
    lines = f"{one.value}.".splitlines()
    return [line.rstrip() for line in [*lines[:-1], lines[-1][:-1]]]


def is_text(text: str) -> bool:
    """Return whether a text can be written in UTF-8."""
    return not re.search("[\ud800-\udfff]", text)


def is_note(line: str) -> bool:
    """Return whether a line is a note.

    >>> is_note('#@mjconv {"match":{}}'), is_note("# (draw)")
    (True, False)
    """
    return line.lstrip().startswith(PREFIX)


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note in the line below it.

    >>> place_note(Part(b"- - - -\n"), b"{}")
    b'- - - -\n#@mjconv {}\n'
    """
    text = _LINE_ENDS.sub(lambda line_end: f"\\u{ord(line_end[0]):04x}", note.decode())
    return part.text + f"{PREFIX}{text}\n".encode()


def read_notes(line: str) -> list[note_json.Note]:
    """Read the line of a note, or of an array of notes. Raises `mjconv.converters.shared.note_json.NoteError`.

    >>> [note] = read_notes('#@mjconv {"v":2,"round":{"unset":["dice"]}}')
    >>> note.round.unset
    ('dice',)
    """
    return note_json.loads(line.strip()[len(PREFIX) :].encode("utf-8", "replace"))


def left_out(detail: str, *, plain: bool) -> Part:
    """Return the part of a round that has no line. `detail` says why it has none. If `plain`, it has no note.

    >>> left_out("it has no result", plain=True).hints
    {}
    """
    return Part(b"", hints={} if plain else {"left_out": True}, remarks=(Remark("match.rounds", detail=detail),))


def is_left_out(note: note_json.Note) -> bool:
    """Return whether a note belongs to a round without a line."""
    return note.round is not None and note.digest == _NO_LINE and note.round.hints.get("left_out") is True


def text_lines(data: bytes, *, lenient: bool) -> tuple[list[str], dict[int, InputError]]:
    """Return the lines of a file, and the errors of lines that are not UTF-8: there U+FFFD replaces bytes.

    If not `lenient`, raises the first of these errors.
    """
    try:
        return data.decode("utf-8").removeprefix(_BOM).splitlines(), {}
    except UnicodeDecodeError:
        errors = _no_text(data)
    if not lenient:
        raise next(errors)
    broken = {error.place.line: error for error in islice(errors, current().faults + 1) if error.place is not None}
    return _NO_TEXT.sub("\ufffd", _escaped(data)).splitlines(), broken


def _escaped(data: bytes) -> str:
    """Decode a file, with a lone surrogate for each byte that is no text."""
    return data.decode("utf-8", "surrogateescape").removeprefix(_BOM)


def _no_text(data: bytes) -> Iterator[InputError]:
    """Yield an error for each line that is not UTF-8, with its first such byte."""
    offset = len(_BOM.encode()) if data.startswith(_BOM.encode()) else 0
    for number, line in enumerate(_escaped(data).splitlines(keepends=True), 1):
        wrong = _NO_TEXT.search(line)
        if wrong is not None:
            start = wrong.start()
            byte = offset + len(line[:start].encode())
            message = f"not UTF-8: byte 0x{ord(line[start]) - _ESCAPE:02x} at byte offset {byte}"
            yield InputError(message, Place(number, start + 1, f"{line[:start]}\ufffd"))
        offset += len(line.encode("utf-8", "surrogateescape"))


def place_of(line: str, number: int) -> Place:
    """Return the place of the first word of a line of this number, from 1."""
    return Place(number, len(line) - len(line.lstrip()) + 1, line)


class LineTidy(NamedTuple):
    """The layout of a text of lines. `split` returns the words of a line, and its comment with its sign."""

    split: Callable[[str], tuple[tuple[str, ...], str]]

    def tokens(self, data: bytes) -> tuple[tuple[tuple[str, ...], str], ...]:
        """Return all that counts in a file: the words and the comment of each line that is not blank."""
        return tuple(self.split(line) for line in text_lines(data, lenient=False)[0] if line.strip())

    def tidied(self, data: bytes) -> bytes:
        """Return a file in the usual layout. Raises `InputError` if it is not UTF-8."""
        return encoded(joined(self._lines(data)), data)

    def rearranged(self, before: bytes, after: bytes) -> bytes:
        """Return a file that was written anew as it was typed before, if only its notes are others now."""
        text = with_notes(*self._pieces(before), *self._pieces(after), "\n")
        return after if text is None else encoded(text, before)

    def _lines(self, data: bytes) -> Iterator[TidyLine]:
        apart = False
        for line in text_lines(data, lenient=False)[0]:
            words, comment = self.split(line)
            if words or comment:
                yield TidyLine(" ".join(words), comment, apart)
            apart = not (words or comment)

    def _pieces(self, data: bytes) -> tuple[str, list[Span]]:
        text = "".join([f"{line}\n" for line in text_lines(data, lenient=False)[0]])
        lines = re.finditer(r"(?m)^[^\S\n]*+\S.*", text)
        return text, [Span(*line.span(), self.split(line[0]), is_note(line[0])) for line in lines]
