"""Recognise text in other encodings than UTF-8, for an error message.

No library is used for that: records are short and mostly ASCII, and detectors that count the letters of long texts
are often wrong about a few names.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mjconv.ir.errors import InputError, Place

#: The bytes that are decoded at a time.
_PIECE: Final = 1 << 20
#: The most bytes of lines with characters beyond ASCII by which an encoding is recognised.
_SAMPLE: Final = 1 << 14
_BOMS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Signs that people write in Latin-1 and its Windows variant.
_SIGNS: Final = frozenset("–—‘’“”…«»¡¿°§€£ª·")
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
#: A run of characters beyond ASCII.
_BEYOND: Final = re.compile(r"([^\x00-\x7f]+)")
#: The fewest ASCII letters and digits by which UTF-16 is recognised without a byte order mark.
_FEWEST: Final = 4
#: Control characters that a text may have.
_BLANKS: Final = frozenset("\t\n\r\f\v\x1c\x1d\x1e\x1f")


@dataclass(frozen=True)
class Encoding:
    """An encoding: its name in a sentence, its name for ``--encoding``, and its name for iconv."""

    called: str
    codec: str
    iconv: str


def refuse_other(data: bytes, name: str | None = None, *, whole: bool = True) -> None:
    r"""Raise `InputError` with the place and the likely encodings if a text is in another encoding than UTF-8.

    Returns if it is UTF-8, or in no encoding that mjconv recognises. `whole` is false for the beginning of a text.

    >>> refuse_other("names".encode("utf-16"))
    Traceback (most recent call last):
    mjconv.ir.errors.InputError: <input>:1:1: not UTF-8: the text is UTF-16; --encoding utf-16 reads it
        names
        ^
    """
    wide = wide_encoding(data)
    if wide is not None:
        text = data[:_SAMPLE].decode(wide.codec, "replace").removeprefix("\ufeff")
        raise InputError(_message([wide], "is", name), Place.at(text, 0, name))
    offset = _first_other(data, whole=whole)
    encodings = [] if offset is None else likely(data)
    if offset is None or not encodings:
        return
    begin = max(data.rfind(b"\n", 0, offset), data.rfind(b"\r", 0, offset)) + 1
    line = data[begin : begin + _SAMPLE].split(b"\n", 1)[0].split(b"\r", 1)[0]
    codec = encodings[0].codec if len(encodings) == 1 else "utf-8"
    column = len(data[begin:offset].decode(codec, "replace")) + 1
    place = Place(data.count(b"\n", 0, begin) + 1, column, line.decode(codec, "replace"), name)
    raise InputError(_message(encodings, "looks like", name), place)


def _message(encodings: list[Encoding], verb: str, name: str | None) -> str:
    called = " or ".join(row.called for row in encodings)
    ways = " or ".join(f"--encoding {row.codec}" for row in encodings)
    if len(encodings) > 1:
        return f"not UTF-8: the text may be {called}; {ways} reads it"
    file = f", and iconv -f {encodings[0].iconv} -t UTF-8 converts the file" if name else ""
    return f"not UTF-8: the text {verb} {called}; {ways} reads it{file}"


def _first_other(data: bytes, *, whole: bool) -> int | None:
    """Return the offset of the first byte that is not UTF-8; None if there is none."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    for begin in range(0, len(data), _PIECE):
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(data[begin : begin + _PIECE], final=whole and begin + _PIECE >= len(data))
        except UnicodeDecodeError as error:
            return begin - held + error.start
    return None


def likely(data: bytes) -> list[Encoding]:
    """Return the encodings that a text which is not UTF-8 can be in; one if it is certain.

    >>> [row.called for row in likely("東風戦の記録".encode("cp932"))]
    ['Shift-JIS']
    """
    sample = b"".join(_telling_lines(data))
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return [row for row in _ROWS if row.fits(sample)]
    # It is UTF-8, or ends in the middle of a character.
    return []


def _telling_lines(data: bytes) -> Iterator[bytes]:
    """Return the first lines that have bytes beyond ASCII, each from the byte before the first of them.

    No encoding here has a line feed inside a character, or an ASCII byte as the first byte of one.
    """
    size = 0
    foreign = _NOT_ASCII.search(data)
    while foreign is not None and size < _SAMPLE:
        end = data.find(b"\n", foreign.start(), foreign.start() + _SAMPLE) + 1 or foreign.start() + _SAMPLE
        line = data[max(0, foreign.start() - 1) : end]
        yield line
        size += len(line)
        foreign = _NOT_ASCII.search(data, end)


def wide_encoding(data: bytes) -> Encoding | None:
    """Return UTF-16 or UTF-32 if a text is in it, also without a byte order mark."""
    for mark, codec in _BOMS:
        if data.startswith(mark):
            return Encoding(codec.upper(), codec, codec.upper())
    head = data[:_SAMPLE]
    if b"\0" not in head or len(data) % 2:
        return None
    for codec in ("utf-16-le", "utf-16-be"):
        text = codecs.getincrementaldecoder(codec)("replace").decode(head)
        controls = any(char < " " and char not in _BLANKS for char in text)
        # A record has ASCII letters and digits in every language. Read in the wrong order, none of them is ASCII.
        words = sum(char.isascii() and char.isalnum() for char in text)
        others = [char for char in text if not char.isascii() and char != "\ufeff"]
        named = 2 * sum(map(str.isalpha, others)) >= len(others)
        if not controls and named and "\ufffd" not in text and words >= max(_FEWEST, len(text) // 5):
            return Encoding(codec.upper(), codec, codec.upper().replace("-LE", "LE").replace("-BE", "BE"))
    return None


@dataclass(frozen=True)
class _GuessedEncoding(Encoding):
    """An encoding and its test: whether a text decoded by it has the characters that people write in it."""

    usual: Callable[[str], bool]

    def fits(self, sample: bytes) -> bool:
        """Return whether a text can be in this encoding."""
        try:
            text = sample.decode(self.codec)
        except UnicodeDecodeError as error:
            # A sample may end inside a character.
            if error.end < len(sample) or len(sample) < _SAMPLE:
                return False
            text = sample[: error.start].decode(self.codec)
        return self.usual(text)


def _usual_by(codec: str, *leads: range) -> Callable[[str], bool]:
    """Return a test: most characters have these first bytes in a two-byte codec, and most have neighbours."""

    def usual(text: str) -> bool:
        runs = _BEYOND.findall(text)
        chars = "".join(runs)
        good = sum(any(lead in row for row in leads) for lead in map(first_byte, chars))
        together = sum(len(run) for run in runs if len(run) > 1)
        return bool(chars) and 10 * good >= 7 * len(chars) and 2 * together >= len(chars)

    def first_byte(char: str) -> int:
        coded = char.encode(codec, "ignore")
        return coded[0] if len(coded) == 2 else 0

    return usual


def _usual_latin(text: str) -> bool:
    """Return whether each character beyond ASCII is a Latin letter beside another letter, or a usual sign."""
    runs = list(_BEYOND.finditer(text))
    letters = [run for run in runs if run[1].isalpha()]
    signs = "".join(run[1] for run in runs if not run[1].isalpha())
    return bool(letters) and all(map(_is_in_word, letters)) and set(signs) <= _SIGNS


def _is_in_word(run: re.Match[str]) -> bool:
    around = run.string[max(0, run.start() - 1) : run.start()] + run.string[run.end() : run.end() + 1]
    return len(run[1]) < 3 and any(char.isalpha() for char in around)


# Signs, letters, and the more usual half of the characters of each language.
_JAPANESE: Final = _usual_by("euc_jp", range(0xA1, 0xA2), range(0xA3, 0xA6), range(0xB0, 0xD0))
_CHINESE: Final = _usual_by("gb2312", range(0xA1, 0xA2), range(0xA3, 0xA4), range(0xB0, 0xD8))
_TRADITIONAL: Final = _usual_by("big5", range(0xA1, 0xC7))
_KOREAN: Final = _usual_by("euc_kr", range(0xA1, 0xA2), range(0xA3, 0xA4), range(0xB0, 0xC9))
_ROWS: Final = (
    _GuessedEncoding("Shift-JIS", "cp932", "CP932", _JAPANESE),
    _GuessedEncoding("EUC-JP", "euc_jp", "EUC-JP", _JAPANESE),
    _GuessedEncoding("GB18030", "gb18030", "GB18030", _CHINESE),
    _GuessedEncoding("Big5", "big5", "BIG5", _TRADITIONAL),
    _GuessedEncoding("EUC-KR", "cp949", "CP949", _KOREAN),
    _GuessedEncoding("Latin-1", "cp1252", "CP1252", _usual_latin),
)
