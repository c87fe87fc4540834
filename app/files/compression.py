"""Compress data, and decompress it piece by piece: gzip, zstd, xz and bzip2, recognised by their first bytes."""

import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import IO, Any, Final

from msgspec import Struct

from mjconv.ir import limits
from mjconv.ir.errors import InputError

#: The bytes that any compressed data may expand to, however small it is: repeated lines compress very well.
FREELY_UNPACKED: Final = 1 << 22
#: The largest window of a decompressor, in bytes of memory.
WINDOW: Final = 1 << 27

GZIP_MAGIC: Final = b"\x1f\x8b"
#: The number of first bytes that show how data is compressed.
HEAD: Final = 8
_PIECE: Final = 1 << 14
#: Four bytes of zstd can expand to 128 KiB, so pieces are small.
_ZSTD_PIECE: Final = 1 << 9
_PART: Final = 1 << 20
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS

#: Takes a decompressor (with `eof` and `unused_data`) and compressed bytes; returns the decompressed parts.
Feed = Callable[[Any, bytes], Iterator[bytes]]


def _at_once(frame: Any, piece: bytes) -> Iterator[bytes]:
    yield frame.decompress(piece)


def _in_parts(frame: Any, piece: bytes) -> Iterator[bytes]:
    yield frame.decompress(piece, _PART)
    while not (frame.eof or frame.needs_input):
        yield frame.decompress(b"", _PART)


# bz2, lzma and zstandard are loaded where they are used: few inputs need them, and every start would pay for them.


def _lazily(module: str, name: str, **options: int) -> Callable[[], Any]:
    """Return a function that creates an object of a module."""
    return lambda: getattr(import_module(module), name)(**options)


def _zstd_frame() -> Any:
    return import_module("zstandard").ZstdDecompressor(max_window_size=WINDOW).decompressobj()


def _gzip_packer() -> Any:
    # Neither time nor name is kept: the same data gives the same bytes.
    return zlib.compressobj(wbits=_GZIP_WINDOW)


def _zstd_packer() -> Any:
    return import_module("zstandard").ZstdCompressor(level=6).compressobj()


class Compression(Struct, frozen=True):
    """A compression method: file ending, first bytes, and functions to decompress and compress.

    `frame` creates a decompressor for one frame (a gzip member, an xz stream); a file may hold several frames.
    `packer` creates a compressor.
    """

    name: str
    ending: str
    magics: tuple[bytes, ...]
    frame: Callable[[], Any]
    feed: Feed
    packer: Callable[[], Any]
    piece: int = _PIECE

    def pack(self, data: bytes) -> bytes:
        """Compress data; the same data gives the same bytes."""
        return b"".join(pack_pieces(self, [data]))


#: The first bytes of a frame, and of a skippable frame, which may come first.
_ZSTD_MAGICS: Final = (b"\x28\xb5\x2f\xfd", *(bytes([kind]) + b"\x2a\x4d\x18" for kind in range(0x50, 0x60)))
_LZMA, _BZ2 = _lazily("lzma", "LZMADecompressor", memlimit=WINDOW), _lazily("bz2", "BZ2Decompressor")
COMPRESSIONS: Final = (
    Compression("gzip", ".gz", (GZIP_MAGIC,), lambda: zlib.decompressobj(_GZIP_WINDOW), _at_once, _gzip_packer),
    Compression("zstd", ".zst", _ZSTD_MAGICS, _zstd_frame, _at_once, _zstd_packer, _ZSTD_PIECE),
    Compression("xz", ".xz", (b"\xfd7zXZ\0",), _LZMA, _in_parts, _lazily("lzma", "LZMACompressor")),
    Compression("bzip2", ".bz2", (b"BZh",), _BZ2, _in_parts, _lazily("bz2", "BZ2Compressor")),
)
BY_NAME: Final = {compression.name: compression for compression in COMPRESSIONS}


def pack_pieces(compression: Compression, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress the pieces of a file as they come.

    >>> unpacked_size = len(b"".join(pack_pieces(COMPRESSIONS[0], [b"jmjp", b"[1.0]"])))
    >>> unpacked_size > 0
    True
    """
    packer = compression.packer()
    yield from map(packer.compress, pieces)
    yield packer.flush()


def compression_of(head: bytes) -> Compression | None:
    """Return the compression method for the first bytes of data; None if it is not compressed.

    >>> compression_of(BY_NAME["gzip"].pack(b"jmjp[1.0]")).name
    'gzip'
    """
    return next((compression for compression in COMPRESSIONS if head.startswith(compression.magics)), None)


def compression_for(name: str) -> Compression | None:
    """Return the compression method for the ending of a file name; None for any other ending.

    >>> compression_for("game.mjson.ZST").name
    'zstd'
    """
    ending = os.path.splitext(name)[1].lower()
    return next((compression for compression in COMPRESSIONS if compression.ending == ending), None)


def strip_ending(name: str) -> str:
    """Return a file name without an ending such as ``.gz``.

    >>> strip_ending("game.mjson.gz"), strip_ending("game.mjson")
    ('game.mjson', 'game.mjson')
    """
    return name if compression_for(name) is None else os.path.splitext(name)[0]


def ending_of(name: str) -> str:
    """Return the ending of a file name in lower case, without that of a compression.

    >>> ending_of("rows.JSONL.gz"), ending_of("rows")
    ('.jsonl', '')
    """
    return os.path.splitext(strip_ending(name))[1].lower()


def decompress(stream: IO[bytes], compression: Compression, name: str | None = None) -> Iterator[bytes]:
    """Decompress all frames of a stream in parts of a few MiB at most.

    Raises `InputError` if the data is broken or ends too early. The caller must limit the total size, as
    `decompress_bounded` does.
    """
    rest = stream.read(compression.piece)
    while rest:
        frame = compression.frame()
        while not frame.eof:
            if not rest:
                raise InputError(f"is {compression.name} data that ends too early", file=name)
            try:
                yield from compression.feed(frame, rest)
            except _errors() as error:
                raise InputError(f"is broken {compression.name} data ({error})", file=name) from None
            rest = b"" if frame.eof else stream.read(compression.piece)
        # Zero bytes may pad the end, as on tapes.
        rest = frame.unused_data.lstrip(b"\0") or _after_zeros(stream, compression.piece)


def decompress_bounded(stream: IO[bytes], compression: Compression, name: str | None = None) -> Iterator[bytes]:
    """Decompress as `decompress` does, a stream that has `tell`. Raises `LimitError` for too many bytes."""
    size = 0
    for part in decompress(stream, compression, name):
        size += len(part)
        check_expansion(size, stream.tell(), name)
        yield part


def _after_zeros(stream: IO[bytes], piece: int) -> bytes:
    while part := stream.read(piece):
        if part := part.lstrip(b"\0"):
            return part
    return b""


@cache
def _errors() -> tuple[type[Exception], ...]:
    lzma, zstandard = import_module("lzma"), import_module("zstandard")
    return (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, zstandard.ZstdError)


def check_expansion(size: int, packed: int, name: str | None = None) -> None:
    """Raise `LimitError` if `packed` compressed bytes expanded to too many bytes (`size`)."""
    most = limits.current()
    if size > most.unpacked_bytes:
        raise limits.LimitError("unpacked_bytes", file=name)
    if size > max(FREELY_UNPACKED, packed * most.expansion):
        raise limits.LimitError("expansion", file=name)
