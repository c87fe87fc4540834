r"""Notes in Ùzje: data paragraphs ``mjconv: {...}``, one for the match, one after each game that needs one.

The JSON is ASCII and has no white space inside its strings, so that its paragraph may be laid out in any way:
what is not ASCII is written ``\u6771``, a space ``\u0020``, and lines break only after a comma between values.
"""

import re
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.interface import Part
from mjconv.converters.shared.dealers import Dealers
from mjconv.converters.shared.note_json import MARK, NoteError
from mjconv.converters.uzje.game import Choices
from mjconv.converters.uzje.spelling import RED_OF
from mjconv.ir.match import Frozen
from mjconv.ir.tiles import Tile

#: Columns that a line is filled to.
WIDTH: Final = 100

_OTHER: Final = re.compile(r"[^\x21-\x7e]++")
#: The text up to a comma between two values, and up to the last such comma.
_VALUE: Final = re.compile(r'(?>[^",]++|"(?>[^"\\]++|\\.)*+")*+(?:,|\Z)')
_VALUES: Final = re.compile(r'(?>(?>[^",]++|"(?>[^"\\]++|\\.)*+")*+,)++')


class UzjeRoundHints(Frozen, frozen=True):
    """The hints of a round's note: the choices that the words of its game leave open (see `Choices`).

    `dealer` is the hub's seat of the dealer, if it is another than the match's note implies. `layout` says that
    the text does not show all of Ùzje's part of the extras, so that of the note is taken.
    """

    dealer: int | UnsetType = UNSET
    red: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    kong: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    use_red: tuple[int, ...] = ()
    layout: bool = False


class UzjeMatchHints(Dealers, frozen=True):
    """The hints of a match's note; see `UzjeRoundHints`."""

    layout: bool = False


def choices_of(hints: UzjeRoundHints, tiles: list[Tile]) -> Choices:
    """Return the choices of a note. Raises `NoteError` if a red tile is no five."""
    for place in hints.red:
        if not 0 <= place < len(tiles) or tiles[place] not in RED_OF:
            raise NoteError(f"tile {place} of the list cannot be a red five: it is no five")
    if len({(place, tiles[place]) for place in hints.red}) != len(hints.red):
        raise NoteError("a tile of the list is named twice as a red five")
    return Choices(hints.red, *map(set, (hints.drawn, hints.kong, hints.aside, hints.use_red)))


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note, as a paragraph at the part's `offset`.

    >>> place_note(Part(b"E 1 0 4\n\nA comment.\n", offset=8), '{"label":"東 1"}'.encode())
    b'E 1 0 4\n\nmjconv: {"label":"\\u6771\\u00201"}\n\nA comment.\n'
    """
    paragraph = _paragraph(note.decode())
    if not part.offset:
        # It begins the file: the blank line is after it.
        return b"%b\n\n%b" % (paragraph, part.text)
    return b"%b\n%b\n%b" % (part.text[: part.offset], paragraph, part.text[part.offset :])


def _paragraph(json: str) -> bytes:
    """Return the paragraph of a note, in ASCII and without white space in its strings."""
    if not json.isascii() or not json.isprintable() or " " in json:
        json = _OTHER.sub(_escape, json)
    return "\n".join(_filled(f"{MARK}: {json}")).encode()


def _escape(other: re.Match[str]) -> str:
    units = other[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True))


def _filled(text: str) -> list[str]:
    """Break a text after commas between values into lines of at most `WIDTH`, if it has such commas."""
    lines: list[str] = []
    begin = 0
    while len(text) - begin > WIDTH:
        end = text.rfind(",", begin, begin + WIDTH) + 1
        # Mostly the last comma is no string's: then all strings before it are closed.
        if not end or text.find("\\", begin, end) >= 0 or text.count('"', begin, end) % 2:
            values = _VALUES.match(text, begin, begin + WIDTH) or _VALUE.match(text, begin)
            if values is None:
                break  # a string that is not closed, which JSON has not
            end = values.end()
        lines.append(text[begin:end])
        begin = end
    return [*lines, text[begin:]]
