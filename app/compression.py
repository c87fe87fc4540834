"""Compressed data, told by its first bytes: gzip, zstd, xz and bzip2, unpacked piece by piece, and packed."""

from __future__ import annotations

import bz2
import lzma
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import IO, Any, Final

from mjconv.ir import limits
from mjconv.ir.errors import InputError

#: What any packed data may unpack to, however small it is, in bytes: lists of the same again pack very well.
FREELY_UNPACKED: Final = 1 << 22
#: Unpacking takes no more memory than this for what it looks back at, in bytes.
WINDOW: Final = 1 << 27

GZIP_MAGIC: Final = b"\x1f\x8b"
#: How many bytes tell how data is packed.
HEAD: Final = 8
_PIECE: Final = 1 << 14
#: A zstd block of four bytes may stand for 128 KiB: small pieces bound what comes of one.
_ZSTD_PIECE: Final = 1 << 9
_PART: Final = 1 << 20
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS

#: Takes the next packed bytes, gives what comes of them in parts; has `eof` and `unused_data` where a frame ends.
Feed = Callable[[Any, bytes], Iterator[bytes]]


def _at_once(frame: Any, piece: bytes) -> Iterator[bytes]:
    yield frame.decompress(piece)


def _in_parts(frame: Any, piece: bytes) -> Iterator[bytes]:
    yield frame.decompress(piece, _PART)
    while not (frame.eof or frame.needs_input):
        yield frame.decompress(b"", _PART)


def _zstd() -> Any:
    # Loaded here: few inputs are zstd, and every start of the command would pay for the import.
    import zstandard

    return zstandard


def _zstd_frame() -> Any:
    return _zstd().ZstdDecompressor(max_window_size=WINDOW).decompressobj()


def _gzip_packer() -> Any:
    # Neither time nor name is kept: the same data gives the same bytes.
    return zlib.compressobj(wbits=_GZIP_WINDOW)


def _zstd_packer() -> Any:
    return _zstd().ZstdCompressor(level=6).compressobj()


def pack(data: bytes) -> bytes:
    """Compress as gzip, the same bytes for the same data: neither time nor name is kept."""
    packer = _gzip_packer()
    packed: bytes = packer.compress(data) + packer.flush()
    return packed


def pack_zstd(data: bytes) -> bytes:
    """Compress as zstd, the same bytes for the same data."""
    packer = _zstd_packer()
    packed: bytes = packer.compress(data) + packer.flush()
    return packed


@dataclass(frozen=True)
class Packing:
    """One way of compressing: the ending of its files, the bytes they begin with, how to unpack and pack.

    `frame` makes what unpacks one frame (a gzip member, an xz stream) of them; any number follow each other.
    """

    name: str
    ending: str
    magics: tuple[bytes, ...]
    frame: Callable[[], Any]
    feed: Feed
    pack: Callable[[bytes], bytes]
    piece: int = _PIECE
    packer: Callable[[], Any] = _gzip_packer


PACKINGS: Final = (
    Packing("gzip", ".gz", (GZIP_MAGIC,), lambda: zlib.decompressobj(_GZIP_WINDOW), _at_once, pack),
    Packing(
        "zstd",
        ".zst",
        # A frame, or what such files may begin with for other programs to read.
        (b"\x28\xb5\x2f\xfd", *(bytes([kind]) + b"\x2a\x4d\x18" for kind in range(0x50, 0x60))),
        _zstd_frame,
        _at_once,
        pack_zstd,
        _ZSTD_PIECE,
        _zstd_packer,
    ),
    Packing(
        "xz",
        ".xz",
        (b"\xfd7zXZ\0",),
        lambda: lzma.LZMADecompressor(memlimit=WINDOW),
        _in_parts,
        lzma.compress,
        packer=lzma.LZMACompressor,
    ),
    Packing("bzip2", ".bz2", (b"BZh",), bz2.BZ2Decompressor, _in_parts, bz2.compress, packer=bz2.BZ2Compressor),
)


def pack_pieces(packing: Packing, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Compress the pieces of a file as they come.

    >>> unpacked_size = len(b"".join(pack_pieces(PACKINGS[0], [b"jmjp", b"[1.0]"])))
    >>> unpacked_size > 0
    True
    """
    packer = packing.packer()
    yield from map(packer.compress, pieces)
    yield packer.flush()


def packing_of(head: bytes) -> Packing | None:
    """Tell how data is packed by its first bytes; none for data that is not.

    >>> packing_of(pack(b"jmjp[1.0]")).name
    'gzip'
    """
    return next((packing for packing in PACKINGS if head.startswith(packing.magics)), None)


def packing_for(name: str) -> Packing | None:
    """Tell how data is packed by the ending of a file's name.

    >>> packing_for("game.mjson.ZST").name
    'zstd'
    """
    ending = os.path.splitext(name)[1].lower()
    return next((packing for packing in PACKINGS if packing.ending == ending), None)


def bare(name: str) -> str:
    """Give a file's name without the ending that says how it is packed.

    >>> bare("game.mjson.gz"), bare("game.mjson")
    ('game.mjson', 'game.mjson')
    """
    return name if packing_for(name) is None else os.path.splitext(name)[0]


def unpacked(stream: IO[bytes], packing: Packing, name: str | None = None) -> Iterator[bytes]:
    """Unpack a stream part by part, all frames of it; no part has more than some MiB.

    Raises `InputError` when it is broken or breaks off. How much comes of it in all is for the caller to bound.
    """
    rest = stream.read(packing.piece)
    while rest:
        frame = packing.frame()
        while not frame.eof:
            if not rest:
                raise InputError(f"is {packing.name} data that breaks off", file=name)
            try:
                yield from packing.feed(frame, rest)
            except _errors() as error:
                raise InputError(f"is broken {packing.name} data ({error})", file=name) from None
            rest = b"" if frame.eof else stream.read(packing.piece)
        # Zeros may pad the end, as tapes have them.
        rest = frame.unused_data.lstrip(b"\0") or _behind_zeros(stream, packing.piece)


def _behind_zeros(stream: IO[bytes], piece: int) -> bytes:
    while part := stream.read(piece):
        if part := part.lstrip(b"\0"):
            return part
    return b""


@cache
def _errors() -> tuple[type[Exception], ...]:
    return (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, _zstd().ZstdError)


def check_unpacked(size: int, packed: int, name: str | None = None) -> None:
    """Check what so many packed bytes unpack to so far; raises `LimitError` when that is too much."""
    most = limits.current()
    if size > most.unpacked_bytes:
        raise limits.LimitError("unpacked_bytes", file=name)
    if size > max(FREELY_UNPACKED, packed * most.expansion):
        raise limits.LimitError("expansion", file=name)
