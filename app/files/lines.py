"""Read the lines of text files piece by piece, with bounded memory for files of any length."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import IO, Any, Final

from mjconv.files.compression import HEAD, compression_of, decompress_bounded
from mjconv.files.reading import open_input
from mjconv.ir import limits
from mjconv.ir.errors import InputError, Place

#: The size of a piece, in bytes.
PIECE: Final = 1 << 18
_BOM: Final = "\ufeff"
#: Characters that end a line. A carriage return also ends a line, alone or with a line feed after it.
_LINE_ENDS: Final = "\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_LINE_END: Final = re.compile(f"[\r{_LINE_ENDS}]")


def pieces_of(path: str) -> Iterator[bytes]:
    """Read the bytes of a file, or of standard input for ``-``, piece by piece, decompressed.

    Raises `OSError`, and `InputError` for broken compressed data and for a file beyond a limit.
    """
    with open_input(path) as stream:
        yield from _pieces(stream)


def lines_in(pieces: Iterable[bytes], codec: str = "utf-8") -> Iterator[list[str]]:
    r"""Read the lines of a file from its pieces; each list holds the lines that end in one piece.

    Lines end where those of `str.splitlines` end. Raises `InputError` for bytes that `codec` does not have,
    and for a line beyond a limit.

    >>> [line for lines in lines_in([b"one\r", b"\ntwo\r three"]) for line in lines]
    ['one', 'two', ' three']
    """
    decoder = codecs.getincrementaldecoder(codec)()
    rest, begun, before = "", False, 0
    # The pieces of a long line are joined only once.
    held: list[str] = []
    for piece in chain(pieces, [b""]):
        try:
            text = decoder.decode(piece, final=not piece)
            if codec != "utf-8":
                # Some codecs take bytes that are no character.
                text.encode()
        except UnicodeError as error:
            raise _invalid(error, codec, rest + "".join(held), before) from None
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
            # The last line may continue in the next piece, or a line feed may follow its carriage return there.
            rest = lines.pop() + ("\r" if text.endswith("\r") else "")
        if len(rest) > limits.current().line_bytes:
            raise limits.LimitError("line_bytes", Place(before + len(lines) + 1, 1, ""))
        before += len(lines)
        yield lines


def _invalid(error: UnicodeError, codec: str, rest: str, before: int) -> InputError:
    called = "UTF-8" if codec == "utf-8" else codec
    reason = f"not {called}: {error}"
    if isinstance(error, UnicodeDecodeError):
        reason = f"not {called}: byte 0x{error.object[error.start]:02x}"
        rest += error.object[: error.start].decode(codec, "replace")
    lines = f"{rest.removeprefix(_BOM)}\ufffd".splitlines()
    return InputError(reason, Place(before + len(lines), len(lines[-1]), lines[-1]))


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Read the decompressed bytes of a stream in pieces; raises `InputError` if there are too many."""
    begin = stream.read(HEAD)
    compression = compression_of(begin)
    raw: Any = _Resumed(begin, stream)
    if compression is not None:
        # An empty piece would mean the end.
        yield from filter(None, decompress_bounded(raw, compression))
        return
    while piece := raw.read(PIECE):
        if raw.taken > limits.current().file_bytes:
            raise limits.LimitError("file_bytes")
        yield piece


class _Resumed:
    """A stream whose first bytes were already read; `taken` counts the bytes read from it."""

    def __init__(self, begin: bytes, stream: IO[bytes]) -> None:
        self.begin = begin
        self.stream = stream
        self.taken = 0

    def read(self, size: int) -> bytes:
        if not self.begin:
            piece = self.stream.read(size)
        else:
            piece, self.begin = self.begin[:size], self.begin[size:]
        self.taken += len(piece)
        return piece

    def tell(self) -> int:
        return self.taken
