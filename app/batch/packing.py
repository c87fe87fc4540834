"""The one table of the shapes of an output: how a file is packed, how it is read again, and what writes it."""

import hashlib
import zlib
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Final, NamedTuple

from mjconv.batch.outputs import FolderOutput, Output, ShardOutput, TarOutput, ZipOutput
from mjconv.batch.parquet_output import ParquetOutput, StreamsOutput
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import OutputData
from mjconv.batch.shapes import FOLDER, LINES, PARQUET, STREAMS
from mjconv.files.compression import BY_NAME, HEAD, compression_of, decompress
from mjconv.files.tars import BLOCK


class Packing(NamedTuple):
    """How a shape is written.

    A worker packs each file. `unpack` is the inverse, for `--verify`; a table is not verified. `output` makes the
    output of a plan.
    """

    pack: Callable[[bytes], OutputData]
    unpack: Callable[[bytes], bytes]
    output: Callable[[Plan, RunPaths], Output]


def _pack_as_file(data: bytes) -> OutputData:
    return OutputData([data], len(data), sha256=hashlib.sha256(data).hexdigest())


def _pack_as_table(data: bytes) -> OutputData:
    return OutputData([data], 0)


def _pack_as_lines(data: bytes) -> OutputData:
    return OutputData(data.splitlines(keepends=True), len(data))


def _pack_for_zip(data: bytes) -> OutputData:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return OutputData([packer.compress(data) + packer.flush()], len(data), zlib.crc32(data))


def _unpack(packed: bytes) -> bytes:
    """Decompress the data of a packer. It is our own, so its size needs no limit."""
    compression = compression_of(packed[:HEAD])
    return packed if compression is None else b"".join(decompress(BytesIO(packed), compression))


def _tar(compress: Callable[[bytes], bytes], unpack: Callable[[bytes], bytes]) -> Packing:
    def pack(data: bytes) -> OutputData:
        """Pad to whole tar blocks. Each file is a compressed frame of its own."""
        return OutputData([compress(data + bytes(-len(data) % BLOCK))], len(data))

    return Packing(pack, unpack, partial(TarOutput, compress))


PACKINGS: Final[dict[str, Packing]] = {
    FOLDER: Packing(_pack_as_file, bytes, FolderOutput),
    LINES: Packing(_pack_as_lines, bytes, ShardOutput),
    PARQUET: Packing(_pack_as_table, bytes, ParquetOutput),
    STREAMS: Packing(_pack_as_table, bytes, StreamsOutput),
    "zip": Packing(_pack_for_zip, partial(zlib.decompress, wbits=-zlib.MAX_WBITS), ZipOutput),
    "tar": _tar(bytes, bytes),
    "tar.gz": _tar(BY_NAME["gzip"].pack, _unpack),
    "tar.zst": _tar(BY_NAME["zstd"].pack, _unpack),
}
