"""The encoding of the text that is read: UTF-8, or the one that ``--encoding`` names."""

import codecs
from contextlib import AbstractContextManager
from typing import Final

from mjconv.ir.errors import InputError, Place, UsageError, visible
from mjconv.settings import text_encoding

#: Names of encodings for completion and for messages.
COMMON: Final = ("utf-16", "shift_jis", "cp932", "euc_jp", "gb18030", "big5", "cp949", "latin-1", "cp1252")
#: Added to an error about bytes that are not UTF-8.
HINT: Final = "--encoding NAME reads a text in another encoding"

#: Codecs of Python for text that is not the text of a file.
_NOT_FOR_FILES: Final = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "undefined"})


def current() -> str | None:
    """Return Python's name of the encoding in force; None is UTF-8."""
    return text_encoding.current()


def using(encoding: str) -> AbstractContextManager[str | None]:
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
    encoding = current()
    if encoding is None:
        return data
    try:
        # Some codecs take bytes that are no character.
        return data.decode(encoding).encode().removeprefix(codecs.BOM_UTF8)
    except UnicodeError as error:
        reason, good = f"not {encoding}: {error}", ""
        if isinstance(error, UnicodeDecodeError):
            reason = f"not {encoding}: byte 0x{data[error.start]:02x}"
            good = data[: error.start].decode(encoding, "replace")
    raise InputError(reason, Place.at(f"{good}\ufffd", len(good), name).excerpt())


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
