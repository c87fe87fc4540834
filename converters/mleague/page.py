"""The file of a record: the page of the viewer, with the array in a call of its script, or the array alone."""

import html
import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from mjconv.converters.mleague.detect import CALL
from mjconv.converters.shared.json_file import JsonText
from mjconv.ir.errors import InputError, Lines, Place

_SPACE: Final = 64
#: The call that gives the record to the viewer: two truth values, then the record as a string of JavaScript.
_RECORD: Final = re.compile(
    rf"UMP_PLAYER\.init\(\s{{0,{_SPACE}}}\w{{1,9}}\s{{0,{_SPACE}}},\s{{0,{_SPACE}}}\w{{1,9}}\s{{0,{_SPACE}}},"
    rf"\s{{0,{_SPACE}}}'(?P<record>[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*))'"
)
#: An escape of JavaScript. Two halves of one character are one escape.
_ESCAPE: Final = re.compile(
    r"\\(?:u(?P<pair>[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u\{(?P<point>(?:10|[0-9a-fA-F])?[0-9a-fA-F]{1,4})\}|u(?P<unit>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})"
    r"|(?P<sign>.))"
)
_CONTROLS: Final[Mapping[str, str]] = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
#: The texts of the page around the record, by the ids of their elements.
_SHOWN: Final = re.compile(r'<div class="[^"]{0,80}" id="(?P<id>\w{1,40})">(?P<text>[^<]{0,200})</div>')


class Field(NamedTuple):
    """A text that the page shows, and its offset in the page."""

    text: str
    offset: int


class Page(Struct, frozen=True):
    """A file: the JSON text of its array, and the texts that the page shows. An array alone shows none.

    `lines` finds places in the file.
    """

    record: JsonText
    shown: Mapping[str, Field]
    lines: Lines

    def text(self, name: str) -> str:
        """Return a text that the page shows, without blanks around it; an empty text where it shows none."""
        field = self.shown.get(name)
        return "" if field is None else field.text

    def place(self, name: str) -> Place:
        """Return the place of a text that the page shows; without the text, the first place of the file."""
        field = self.shown.get(name)
        return self.lines.place(0 if field is None else field.offset)


def read_page(data: bytes) -> Page:
    """Find the record in a file. Raises `InputError` with its place where the page has none.

    >>> page = read_page(b'<div class="a" id="round"> 24</div> ' b"UMP_PLAYER.init(true, true, '[]', autoplay);")
    >>> page.record.text, page.text("round")
    (b'[]', '24')
    """
    file = JsonText.of_file(data)
    try:
        text = file.text.decode()
    except UnicodeDecodeError as error:
        place = Lines(file.text.decode("utf-8", "replace")).place(len(file.text[: error.start].decode()))
        raise InputError("the text is not UTF-8", place) from None
    lines = Lines(text)
    called = CALL.search(data)
    if called is None:
        return Page(file, {}, lines)
    written = _RECORD.search(text)
    if written is None:
        offset = len(data[: called.start()].decode())
        message = "expected the record as a text in single quotes, as the third value of this call"
        raise InputError(message, lines.place(offset))
    if second := _RECORD.search(text, written.end()):
        raise InputError("a second game begins: a file holds one", lines.place(second.start()))
    quoted = written["record"]
    #: Where each escape ends in the record, and by how much the page is longer than the record up to there.
    ends, longer = [0], [0]

    def unescape(escape: re.Match[str]) -> str:
        character = _unescaped(escape)
        ends.append(escape.end() - longer[-1] - len(escape[0]) + len(character))
        longer.append(longer[-1] + len(escape[0]) - len(character))
        return character

    record = _ESCAPE.sub(unescape, quoted)

    def place_at(offset: int) -> Place:
        return lines.place(written.start("record") + offset + longer[bisect_right(ends, offset) - 1])

    elements = _SHOWN.finditer(text)
    shown = {one["id"]: Field(html.unescape(one["text"]).strip(), one.start("text")) for one in elements}
    return Page(JsonText(record.encode("utf-8", "surrogatepass"), place_of=place_at), shown, lines)


def _unescaped(escape: re.Match[str]) -> str:
    if escape["pair"]:
        return bytes.fromhex(escape["pair"].replace("\\u", "")).decode("utf-16-be")
    code = escape["point"] or escape["unit"] or escape["byte"]
    return chr(int(code, 16)) if code else _CONTROLS.get(escape["sign"], escape["sign"])
