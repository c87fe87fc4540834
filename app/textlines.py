"""The lines of text files, many at a time: of a file of any length only a piece is in memory."""

from __future__ import annotations

import codecs
import errno
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import chain
from typing import IO, Any, Final

from mjconv.compression import HEAD, check_unpacked, packing_of, unpacked
from mjconv.files import STANDARD, ZIP_MAGICS
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place

#: How much of a file is read at once, in bytes.
PIECE: Final = 1 << 18
_BOM: Final = "\ufeff"
#: What ends a line, whatever follows; a carriage return may go on with a line feed.
_LINE_ENDS: Final = "\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LINE_END: Final = re.compile(f"[\r{_LINE_ENDS}]")


def lines_of(path: str) -> Iterator[list[str]]:
    r"""Give the lines of a file, or of standard input for ``-``, as many at a time as a piece of it has.

    Gzip, zstd, xz and bzip2 are seen through. Lines end as those of `str.splitlines` do. Raises `OSError`, and
    `InputError` for what is no UTF-8, or is longer or has a longer line than the limits let it.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.txt")
    >>> _ = path.write_bytes(b"one\r\ntwo\r three")
    >>> [line for lines in lines_of(str(path)) for line in lines]
    ['one', 'two', ' three']
    """
    with _opened(path) as stream:
        yield from _lines(_pieces(stream))


def _lines(pieces: Iterable[bytes]) -> Iterator[list[str]]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest, begun, before = "", False, 0
    # A long line comes in many pieces, which are put together once.
    held: list[str] = []
    for piece in chain(pieces, [b""]):
        try:
            text = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            raise _not_utf8(error, rest + "".join(held), before, begun=begun) from None
        if text and not begun:
            text, begun = text.removeprefix(_BOM), True
        if piece and not rest.endswith("\r") and _LINE_END.search(text) is None:
            held.append(text)
            if len(rest) + sum(map(len, held)) > limits.current().line_bytes:
                raise limits.LimitError("line_bytes", Place(before + 1, 1, ""))
            continue
        text = "".join((rest, *held, text))
        held.clear()
        lines, rest = text.splitlines(), ""
        if piece and text[-1:] not in _LINE_ENDS:
            # The last line goes on in the next piece; after a carriage return a line feed may be the first there.
            rest = lines.pop() + ("\r" if text.endswith("\r") else "")
        if len(rest) > limits.current().line_bytes:
            raise limits.LimitError("line_bytes", Place(before + len(lines) + 1, 1, ""))
        before += len(lines)
        yield lines


def _not_utf8(error: UnicodeDecodeError, rest: str, before: int, *, begun: bool) -> InputError:
    good = error.object[: error.start].decode()
    lines = f"{rest}{good if begun else good.removeprefix(_BOM)}\ufffd".splitlines()
    place = Place(before + len(lines), len(lines[-1]), lines[-1])
    return InputError(f"not UTF-8: byte 0x{error.object[error.start]:02x}", place)


def _opened(path: str) -> AbstractContextManager[IO[bytes]]:
    if path == STANDARD:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "Standard input is closed")
        return nullcontext(sys.stdin.buffer)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "Is a folder, where one file was expected", path)
    return open(path, "rb")


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Give the bytes of a stream, decompressed, piece by piece; raises `InputError` when they are too many."""
    begin = stream.read(HEAD)
    if begin.startswith(ZIP_MAGICS):
        raise InputError("is a zip archive, where one file was expected")
    packing = packing_of(begin)
    raw: Any = _Resumed(begin, stream)
    size = 0
    for piece in iter(lambda: raw.read(PIECE), b"") if packing is None else unpacked(raw, packing):
        size += len(piece)
        if packing is not None:
            check_unpacked(size, raw.taken)
        elif size > limits.current().file_bytes:
            raise limits.LimitError("file_bytes")
        # What unpacks is no empty piece, which would stand for the end.
        if piece:
            yield piece


class _Resumed:
    """A stream whose beginning was read already; `taken` counts the bytes that were read of it."""

    def __init__(self, begin: bytes, stream: IO[bytes]) -> None:
        self.begin = begin
        self.stream = stream
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        if not self.begin:
            piece = self.stream.read(size)
        else:
            piece, self.begin = (self.begin, b"") if size < 0 else (self.begin[:size], self.begin[size:])
        self.taken += len(piece)
        return piece
