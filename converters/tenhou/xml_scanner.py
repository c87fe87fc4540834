"""Scans mjlog XML: a flat list of elements with attributes under one root. Reads the values of the attributes.

An mjlog is a small part of XML: no element has text or elements in it, but the root. So the text is split at each
``<``, and an element is parsed when a reader asks for it. Most elements are draws and discards such as
``<T114/>``: a reader finds them in a table without parsing. There are no entities but the predefined ones of XML,
and no document type: hostile XML has nothing to work with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from msgspec import Struct

from mjconv.converters.shared.tile_numbers import TILES
from mjconv.converters.tenhou.vocabulary import LISTED
from mjconv.ir.errors import InputError, Lines, Place
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Annotation

#: The element that holds the others.
ROOT: Final = "mjloggm"

_COMMENT: Final = re.compile(r"<!--(.*?)-->", re.DOTALL)
_DECLARATION: Final = re.compile(r"\s*<\?xml\s[^<>]*\?>")
#: A value in quotes. The text of a piece has no ``<``.
_VALUE: Final = re.compile(r""""[^"]*+"|'([^']*+)'""")
#: A name of a player. One with a reference is left as it is.
_NAME: Final = re.compile(r'( n[0-3]=)"([^"&]*+)"')
#: A tag whose values are empty, and its attributes.
_TAG: Final = re.compile(r'([A-Za-z]+)([0-9]{0,4})((?>\s+[A-Za-z_][\w.-]*\s*=\s*"")*+)\s*(/?)>\s*')
_KEY: Final = re.compile(r"[^\s=\"]+")
#: The characters of the longest tag that is kept: its white space and its keys.
_LONGEST_TAG: Final = 200
_REFERENCE: Final = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{0,30}));")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_HIGHEST_CHARACTER: Final = 0x10FFFF
#: Markup that an mjlog does not have, by its first characters: what it is, in words.
_REFUSED: Final = {
    "!DOCTYPE": "a document type: an mjlog has none",
    "![CDATA[": "a CDATA section: an mjlog has none",
    "!--": "a comment that does not end: expected -->",
    "?": "a processing instruction: an mjlog has none",
    "/": "an end tag of an element that is not open",
}
_ROOT_END: Final = re.compile(rf"/{ROOT}\s*+>")
_SHOWN: Final = 40
#: The most attributes of an element. Each unknown one is kept, and reported with its place.
_MOST_ATTRIBUTES: Final = 64

#: The attributes of each element that mjconv knows, also in event lobbies and in rooms with chips.
KNOWN: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(keys.split())
    for name, keys in {
        "SHUFFLE": "seed ref",
        "GO": "type lobby title rule ranking csrule",
        "UN": "n0 n1 n2 n3 dan gold rc rate sx",
        "BYE": "who",
        "TAIKYOKU": "oya",
        "INIT": "seed ten chip oya hai0 hai1 hai2 hai3 shuffle",
        "N": "who m",
        "REACH": "who ten step",
        "DORA": "hai",
        "AGARI": "ba hai m machi ten yaku yakuman chip doraHai doraHaiUra who fromWho paoWho sc owari ratio",
        "RYUUKYOKU": "type ba sc hai0 hai1 hai2 hai3 owari ratio",
    }.items()
}

HUNDRED: Final = 100
#: A number. It has one spelling.
_NUMBER: Final = re.compile(r"0|-?[1-9][0-9]{0,7}")
#: How many numbers are kept.
_KEPT: Final = 4096
#: The tiles by the texts of their numbers.
TILE_NUMBERS: Final = {str(number): number for number in range(TILES)}
#: The most points of one player, in hundreds.
_MOST_HUNDREDS: Final = MOST_POINTS // HUNDRED
#: The most values of one list.
_MOST: Final = 140


class _Numbers(dict[str, int]):
    """The number of each text. Raises `KeyError` for a text that is none. The first numbers are kept."""

    def __missing__(self, text: str) -> int:
        if not _NUMBER.fullmatch(text):
            raise KeyError(text)
        number = int(text)
        if len(self) < _KEPT:
            self[text] = number
        return number


_NUMBERS: Final = _Numbers()


class XmlComment(NamedTuple):
    """The text of a comment, and the offset of that text."""

    text: str
    offset: int


class Scan:
    r"""The pieces of an mjlog: `pieces[0]` is the text before the root, `pieces[1]` the root's tag, and so on.

    A piece is the text from after its ``<`` up to the next ``<``. In the pieces, comments are white space.

    >>> scan = Scan('<mjloggm ver="2.3"><T114/><!-- note --><D1/></mjloggm>\n')
    >>> scan.pieces[2:], scan.comments[0].text
    (['T114/>             ', 'D1/>', '/mjloggm>\n'], ' note ')
    >>> scan.element(2).tile, scan.element(1).attributes
    (114, {'ver': '2.3'})
    """

    def __init__(self, text: str) -> None:
        self.lines = Lines(text)
        declaration = _DECLARATION.match(text)
        begin = 0 if declaration is None else declaration.end()
        # After the last end of a comment there is none: the pattern would search the whole rest at each beginning.
        end = max(begin, text.rfind("-->") + len("-->"))
        self.comments = [XmlComment(one[1], one.start(1)) for one in _COMMENT.finditer(text, begin, end)]
        # Declaration and comments become white space of the same length: the offsets of the elements stay.
        commented = _COMMENT.sub(lambda comment: " " * len(comment[0]), text[begin:end])
        self.pieces = (" " * begin + commented + text[end:]).split("<")

    def element(self, number: int) -> Element:
        """Parse the start tag of a piece. Raises `InputError` where it is no element of XML."""
        piece = self.pieces[number]
        if "'" in piece:
            piece = _VALUE.sub(_in_double_quotes, piece)
        parts = piece.split('"')
        text = '""'.join(parts[::2])
        tag = (_tag_of if len(text) <= _LONGEST_TAG else _tag_of.__wrapped__)(text)
        # A quote without its other one leaves an even number of parts.
        if tag is None or not len(parts) % 2:
            raise self._malformed(number)
        name, tile, keys, closed, unknown = tag
        if not closed and name != ROOT:
            following = self.pieces[number + 1] if number + 1 < len(self.pieces) else ""
            if not following.startswith(f"/{name}{tile}"):
                raise InputError(f"the element {name}{tile} is not closed: expected />", self.place(number))
        if len(keys) > _MOST_ATTRIBUTES:
            raise InputError(f"{name} has more than {_MOST_ATTRIBUTES} attributes", self.place(number))
        values = dict(zip(keys, parts[1::2]))  # noqa: B905 - `strict` takes as long as the rest
        if len(values) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f"{name} has the attribute {twice} twice", self.place(number, twice))
        if "&" in piece:
            values = {key: self._unescaped(number, key, value) for key, value in values.items()}
        return Element(self, number, name, int(tile) if tile else None, values, unknown)

    def is_end(self, number: int) -> bool:
        """Return whether a piece is the end tag of an element that is not the root.

        Raises `InputError` if the element before it is another one, or is closed.
        """
        piece = self.pieces[number]
        if piece[:1] != "/" or self.is_root_end(number):
            return False
        before = self.pieces[number - 1].rstrip()
        name = piece[1:].rstrip().removesuffix(">").rstrip()
        if before.endswith("/>") or re.split(r"[\s>]", before, maxsplit=1)[0] != name:
            raise self._malformed(number)
        return True

    def is_root_end(self, number: int) -> bool:
        """Return whether a piece is the end tag of the root. Text may follow it in the piece."""
        return _ROOT_END.match(self.pieces[number]) is not None

    def after_root(self, number: int) -> Place | None:
        """Return the place of the text or the element that follows the root, whose end tag is a piece; or None."""
        piece = self.pieces[number]
        after = piece.partition(">")[2].lstrip()
        if after:
            return self.lines.place(self.offsets[number] + 1 + len(piece) - len(after))
        return self.place(number + 1) if number + 1 < len(self.pieces) else None

    def place(self, number: int, key: str = "") -> Place:
        """Return the place of a piece, or of one of its attributes if it has that attribute."""
        offset = self.offsets[number]
        piece = self.pieces[number]
        attribute = re.search(rf"\s{re.escape(key)}\s*=\s*[\"']?", piece) if key else None
        return self.lines.place(offset if attribute is None else offset + 1 + attribute.end())

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of the ``<`` of each piece in the text; 0 for the text before the root."""
        return [0, *accumulate([len(piece) + 1 for piece in self.pieces[1:-1]], initial=len(self.pieces[0]))]

    def _malformed(self, number: int) -> InputError:
        place, piece = self.place(number), self.pieces[number]
        inside, _, after = piece.partition(">")
        for begin, reason in _REFUSED.items():
            if piece.startswith(begin) and not (begin == "/" and after.strip()):
                return InputError(reason, place)
        if ">" not in piece:
            return InputError("the element has no end: expected >", place)
        if after.strip():
            rest = self.offsets[number] + 1 + len(inside) + 1 + len(after) - len(after.lstrip())
            return InputError("text between elements: an mjlog has none", self.lines.place(rest))
        piece = piece.rstrip()
        shown = f"<{piece[:_SHOWN].rstrip()}{'…' if len(piece) > _SHOWN else ''}"
        return InputError(f'{shown} is no element: expected a name and attributes such as who="0"', place)

    def _unescaped(self, number: int, key: str, value: str) -> str:
        def character(reference: re.Match[str]) -> str:
            decimal, hexadecimal, name = reference.groups()
            if name in _NAMED:
                return _NAMED[name]
            code = 0 if name else int(decimal) if decimal else int(hexadecimal, 16)
            if not 0 < code <= _HIGHEST_CHARACTER or 0xD800 <= code < 0xE000:
                message = f"{reference[0]} is no character: XML predefines {', '.join(_NAMED)}"
                raise InputError(message, self.place(number, key))
            return chr(code)

        text, references = _REFERENCE.subn(character, value)
        if value.count("&") != references:
            raise InputError("& begins no entity: write &amp;", self.place(number, key))
        return text


def _in_double_quotes(value: re.Match[str]) -> str:
    """Return a value in double quotes, with a reference for each double quote in it."""
    return value[0] if value[1] is None else f'"{value[1].replace(chr(34), "&quot;")}"'


#: A tag without its values: the name, the digits behind it, the keys, ``/`` if the tag is closed, and the unknown
#: ones among the keys.
_Tag: TypeAlias = tuple[str, str, list[str], str, list[str]]


@lru_cache(256)
def _tag_of(text: str) -> _Tag | None:
    """Return the tag of a text whose values are empty; None if it is none. The tags of a file are few.

    >>> _tag_of('N who="" a="" />')
    ('N', '', ['who', 'a'], '/', ['a'])
    """
    parsed = _TAG.fullmatch(text)
    if parsed is None:
        return None
    name, tile, listed, closed = parsed.groups()
    keys = _KEY.findall(listed)
    return name, tile, keys, closed, [key for key in keys if key not in KNOWN.get(name, ())]


class Element(Struct, frozen=True):
    """An element: its name, the tile that is part of the name of a draw or discard, and its attributes.

    `piece` is its number among the pieces of the scan. `unknown` are the attributes that mjconv does not know.
    """

    scan: Scan
    piece: int
    name: str
    tile: int | None
    attributes: dict[str, str]
    unknown: list[str]

    def wrong(self, key: str, expected: str) -> InputError:
        """Return the error of a wrong value, with its place."""
        shown = self.attributes.get(key)
        reason = "is not there" if shown is None else f"is {shown[:40]!r}"
        return InputError(
            f"the attribute {key} of {self.name} {reason}: expected {expected}",
            self.scan.place(self.piece, key if shown is not None else ""),
        )

    def number(self, key: str, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`."""
        try:
            number = _NUMBERS[self.attributes[key]]
        except KeyError:
            number = least - 1
        if not least <= number <= most:
            raise self.wrong(key, f"a number from {least} to {most}")
        return number

    def numbers(self, key: str, count: int | None = None) -> list[int]:
        """Return a list of whole numbers, of `count` numbers if that is given."""
        numbers = numbers_in(self.attributes.get(key))
        if numbers is None or not (count is None or len(numbers) == count):
            raise self.wrong(key, f"{count or 'some'} numbers, joined by commas")
        return numbers

    def points(self, key: str, count: int | None = None) -> list[int]:
        """Return a list of points, of `count` numbers if that is given. The text has them in hundreds."""
        points = [HUNDRED * number for number in self.numbers(key, count)]
        if points and not -MOST_POINTS <= min(points) <= max(points) <= MOST_POINTS:
            raise self.wrong(key, f"points in hundreds, from -{_MOST_HUNDREDS} to {_MOST_HUNDREDS}")
        return points

    def tiles(self, key: str, least: int, most: int) -> list[int]:
        """Return a list of tiles by their numbers, of `least` to `most` tiles."""
        text = self.attributes.get(key)
        try:
            tiles = list(map(TILE_NUMBERS.__getitem__, text.split(",", _MOST))) if text else []
        except KeyError:
            text = None
        if text is None or not least <= len(tiles) <= most:
            counted = str(most) if least == most else f"{least} to {most}"
            raise self.wrong(key, f"{counted} tiles from 0 to {TILES - 1}, joined by commas")
        return tiles

    def warn_of_unknown(self, warn: Warner) -> None:
        """Warn of the attributes that mjconv does not know."""
        for key in self.unknown:
            warn(f"{self.name} has the unknown attribute {key}. It was kept", self, key)

    @property
    def names(self) -> list[str]:
        """The attributes of UN that are names of players."""
        return [key for key in ("n0", "n1", "n2", "n3") if key in self.attributes]

    def decoded(self, key: str) -> str:
        """Return the name of a player, which is percent-encoded UTF-8; empty if the attribute is not there."""
        try:
            return unquote_to_bytes(self.attributes.get(key, "")).decode("utf-8")
        except UnicodeDecodeError:
            raise self.wrong(key, "a name in UTF-8, percent-encoded") from None

    def presence(self, index: int, names: Collection[str]) -> Annotation:
        """Return the annotation of BYE, or of UN with the name of one player: that player left, or came back.

        `index` is the number of events before it. `names` are the attributes of the first UN that are names.
        """
        if self.name == "BYE":
            return Annotation(index, "left", self.number("who", 0, LISTED - 1))
        seated = [key for key in self.names if key in names] or self.names
        if len(seated) != 1:
            raise InputError("UN in a round names one player who came back", self.scan.place(self.piece))
        self.decoded(seated[0])
        return Annotation(index, "returned", int(seated[0][1]))


#: Takes a message, an element, and the attribute that the message is about.
Warner: TypeAlias = Callable[[str, Element, str], None]


def numbers_in(text: str | None) -> list[int] | None:
    """Return the numbers of a list, or None if it is none.

    >>> numbers_in("250,-10"), numbers_in(""), numbers_in("1,x"), numbers_in(None)
    ([250, -10], [], None, None)
    """
    if not text:
        return None if text is None else []
    try:
        return list(map(_NUMBERS.__getitem__, text.split(",", _MOST - 1)))
    except KeyError:
        return None


def encoded(name: bytes) -> str:
    """Return a name as Tenhou writes it: every byte of its UTF-8 percent-encoded.

    >>> encoded("A東".encode())
    '%41%E6%9D%B1'
    """
    return f"%{name.hex('%').upper()}" if name else ""


def tokens_in(text: str) -> bytes:
    r"""Return the tokens of a text of elements. A name that a person typed is encoded as Tenhou does it.

    >>> tokens_in('<DORA hai="5"  />  <T1/>\n'), tokens_in('<UN n1="A" />')
    (b'<DORA hai="5"/><T1/>', b'<UN n1="%41"/>')
    """
    text = " ".join(text.split())
    if "<UN " in text:
        text = _NAME.sub(lambda name: f'{name[1]}"{encoded(unquote_to_bytes(name[2]))}"', text)
    return text.replace(" /", "/").replace(" >", ">").replace("> ", ">").encode("utf-8", "surrogatepass")
