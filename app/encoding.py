"""The encoding of the text that is read: UTF-8, or the one that ``--encoding`` names."""

import codecs
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import chain
from typing import Final

from mjconv.ir.errors import InputError, Place, UsageError, visible
from mjconv.settings import text_encoding

#: Names of encodings for completion and for messages.
COMMON: Final = ("utf-16", "shift_jis", "cp932", "euc_jp", "gb18030", "big5", "cp949", "latin-1", "cp1252")
#: Added to an error about bytes that are not UTF-8.
HINT: Final = "--encoding NAME reads a text in another encoding"

#: The bytes that are decoded at a time.
_PIECE: Final = 1 << 20
#: Codecs of Python for text that is not the text of a file.
_NOT_FOR_FILES: Final = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"})


def current() -> str | None:
    """Return Python's name of the encoding in force; None is UTF-8."""
    return text_encoding.current()


def using(encoding: str) -> AbstractContextManager[None]:
    """Put an encoding in force inside a ``with`` statement. Raises `UsageError` for an unknown one.

    >>> with using("Shift-JIS"):
    ...     current()
    'shift_jis'
    """
    return text_encoding.using(codec_of(encoding))


def codec_of(encoding: str) -> str:
    """Return Python's name of an encoding; raises `UsageError` for a name that is no encoding of text files.

    >>> codec_of("Shift-JIS"), codec_of("Latin-1")
    ('shift_jis', 'iso8859-1')
    """
    try:
        info = codecs.lookup(encoding)
    except (LookupError, ValueError):
        info = None
    # A codec from bytes to bytes, such as zlib, reads no text.
    if info is None or not info._is_text_encoding or info.name.replace("-", "_") in _NOT_FOR_FILES:
        known = ", ".join(COMMON)
        raise UsageError(f"unknown encoding {visible(encoding)!r}; name one of Python's, for example {known}")
    return info.name


def as_utf8(data: bytes, name: str | None = None) -> bytes:
    r"""Return a text in the encoding in force as UTF-8, without a byte order mark.

    Raises `InputError` with its place for bytes that the encoding does not have.

    >>> with using("gb18030"):
    ...     as_utf8("摸和 é\n".encode("gb18030")).decode()
    '摸和 é\n'
    """
    if current() is None:
        return data
    return b"".join(pieces_as_utf8((data[begin : begin + _PIECE] for begin in range(0, len(data), _PIECE)), name))


def pieces_as_utf8(pieces: Iterable[bytes], name: str | None = None) -> Iterator[bytes]:
    """Yield the pieces of a text in the encoding in force as UTF-8, as `as_utf8` does; raises `InputError`."""
    encoding = current()
    if encoding is None:
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    place, begun = _Reached(), False
    # An empty piece is the end.
    for piece in chain(filter(None, pieces), [b""]):
        try:
            text = decoder.decode(piece, not piece)
            coded = text.encode()
        except UnicodeError as error:
            raise place.invalid(error, encoding, name) from None
        if text and not begun:
            begun = True
            coded = coded.removeprefix(codecs.BOM_UTF8)
        if coded:
            yield coded
        place.pass_over(text)


def head_as_utf8(head: bytes) -> bytes:
    """Return the first bytes of a file as UTF-8, so that a format can recognise them; never raises."""
    encoding = current()
    if encoding is None and head[:1] not in b"\xff\xfe" and b"\0" not in head[:64]:
        return head
    if encoding is None:
        # Imported here: every start of the command would pay for it.
        from mjconv.encoding_guess import wide_encoding

        wide = wide_encoding(head[: len(head) // 4 * 4])
        encoding = None if wide is None else wide.codec
    return head if encoding is None else head.decode(encoding, "replace").encode("utf-8", "replace")


class _Reached:
    """The place that a decoder has reached: the number of the line, and the text of the line so far."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1
        self.parts: list[str] = []

    def pass_over(self, text: str) -> None:
        """Move to the end of a text."""
        self.line += text.count("\n")
        *ended, last = text.rsplit("\n", 1)
        if ended:
            self.column, self.parts = 1, []
        self.column += len(last)
        # The beginning of a very long line is not kept: only the end of its picture would be shown.
        self.parts = [*self.parts, last] if self.column <= _PIECE else []

    def invalid(self, error: UnicodeError, encoding: str, name: str | None) -> InputError:
        """Return the error about a byte that the encoding does not have."""
        reason = f"not {encoding}: {error}"
        if isinstance(error, UnicodeDecodeError):
            self.pass_over(error.object[: error.start].decode(encoding, "replace"))
            reason = f"not {encoding}: byte 0x{error.object[error.start]:02x}"
        text = "".join(self.parts) + "\ufffd" if self.parts else ""
        return InputError(reason, Place(self.line, self.column, text, name))
