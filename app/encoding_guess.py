"""Recognise text in other encodings than UTF-8, for an error message.

UTF-16 and UTF-32 are certain by their byte order marks, UTF-16 also by its zero bytes. Else three encodings are
tried: the text must decode, and hold only characters that people write in it. No library is used for that: records
are short and mostly ASCII, and detectors that count the letters of long texts are often wrong about a few names.
"""

import codecs
import re
from typing import Final, NamedTuple

from mjconv.ir.errors import InputError, Place

#: The most bytes by which an encoding is recognised.
_SAMPLE: Final = 1 << 14
_BOMS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
#: The fewest ASCII letters and digits by which UTF-16 is recognised without a byte order mark.
_FEWEST: Final = 4
#: Control characters that a text may have.
_BLANKS: Final = frozenset("\t\n\r\f\v\x1c\x1d\x1e\x1f")


class Encoding(NamedTuple):
    """An encoding: its name in a sentence, its name for ``--encoding``, and its name for iconv."""

    called: str
    codec: str
    iconv: str


#: Signs, kana, and the more usual half of the Chinese characters.
_USUAL: Final = "".join(
    bytes((lead, trail)).decode("gb2312", "ignore")
    for lead in (0xA1, *range(0xA3, 0xA6), *range(0xB0, 0xD8))
    for trail in range(0xA1, 0xFF)
)
_LETTER: Final = "[À-ÖØ-öø-ÿŒœŠšŸŽž]{1,2}"
_JAPANESE: Final = re.compile("[ぁ-ヿ一-龥々　-〕！-～―…髙﨑]*[ぁ-ヿ一-龥]+")
_CHINESE: Final = re.compile(f"[{_USUAL}]+")
_WESTERN: Final = re.compile(f"(?<=[A-Za-z]){_LETTER}|{_LETTER}(?=[A-Za-z])|(?<!^)[–—‘’“”…«»¡¿°§€£ª·]")
#: A codec to try, the characters that people write in it, and the encodings that the text may then be in: text in
#: GB18030 or EUC-JP often decodes in the other.
_TRIALS: Final = (
    ("cp932", _JAPANESE, [Encoding("Shift-JIS", "cp932", "CP932")]),
    ("gb2312", _CHINESE, [Encoding("GB18030", "gb18030", "GB18030"), Encoding("EUC-JP", "euc_jp", "EUC-JP")]),
    ("cp1252", _WESTERN, [Encoding("Latin-1", "cp1252", "CP1252")]),
)


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
        raise InputError(_message([wide], name, sure=True), Place.at(text, 0, name))
    try:
        codecs.utf_8_decode(data, "strict", whole)
        return
    except UnicodeDecodeError as error:
        offset = error.start
    encodings = likely(data)
    if not encodings:
        return
    begin = max(data.rfind(b"\n", 0, offset), data.rfind(b"\r", 0, offset)) + 1
    line = data[begin : begin + _SAMPLE].split(b"\n", 1)[0].split(b"\r", 1)[0]
    codec = encodings[0].codec if len(encodings) == 1 else "utf-8"
    column = len(data[begin:offset].decode(codec, "replace")) + 1
    place = Place(data.count(b"\n", 0, begin) + 1, column, line.decode(codec, "replace"), name)
    raise InputError(_message(encodings, name), place)


def _message(encodings: list[Encoding], name: str | None, *, sure: bool = False) -> str:
    called = " or ".join(row.called for row in encodings)
    ways = " or ".join(f"--encoding {row.codec}" for row in encodings)
    if len(encodings) > 1:
        return f"not UTF-8: the text may be {called}; {ways} reads it"
    file = f", and iconv -f {encodings[0].iconv} -t UTF-8 converts the file" if name else ""
    return f"not UTF-8: the text {'is' if sure else 'looks like'} {called}; {ways} reads it{file}"


def likely(data: bytes) -> list[Encoding]:
    """Return the encodings that a text which is not UTF-8 can be in.

    >>> [row.called for row in likely("東風戦の記録".encode("cp932"))]
    ['Shift-JIS']
    """
    foreign = _NOT_ASCII.search(data)
    if foreign is None:
        return []
    # No encoding here has an ASCII byte as the first byte of a character.
    begin = max(0, foreign.start() - 1)
    sample = data[begin : begin + _SAMPLE]
    if b"\0" in sample or _decoded(sample, "utf-8") is not None:
        # It is no text, or it is UTF-8 and may end in the middle of a character.
        return []
    found: list[Encoding] = []
    for codec, usual, encodings in _TRIALS:
        text = _decoded(sample, codec)
        if text and usual.search(text) and usual.sub("", text).isascii():
            found += encodings
    return found


def _decoded(sample: bytes, codec: str) -> str | None:
    """Return a text without the character in which the sample ends, or None if it is in another encoding."""
    try:
        return codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return None


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
