"""Archives to break: tar and zip archives of records, alone, compressed and in each other, and their headers."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import mjconv
from fuzz.breaking import broken_further
from fuzz.seeds import records
from fuzz.trial import Outcome, look_at
from mjconv.files import tars

#: The formats of the records, the number of records of each, and the number of matches that are read.
_FORMATS: Final = ("mjai", "tenhou")
_MEMBERS: Final = 4
_READ: Final = 50
_COMPRESSIONS: Final[tuple[Callable[[bytes], bytes], ...]] = (gzip.compress, bz2.compress, lzma.compress)
#: The fields of the header of a tar archive that state numbers or kinds: where each begins and ends.
_FIELDS: Final = ((100, 108), (124, 136), (136, 148), (156, 157), (257, 265))
_TAR_VALUES: Final = (
    b"-1", b"0", b"777777777777", b"\x80" + b"\xff" * 11, b"\xff" * 12, b"\x80" + bytes(10) + b"\x01", b"", b"x",
    b"L", b"K", b"g", b"S", b"1", b"5", b"99999999999", b" 7 ", b"1_0", b"0000000002000",
)  # fmt: skip
#: Where a zip archive states sizes, offsets, counts, methods and flags: its signatures.
_SIGNATURES: Final = (b"PK\1\2", b"PK\3\4", b"PK\5\6", b"PK\6\6", b"PK\6\7")
_ZIP_VALUES: Final = (
    b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\1\0", b"\xff\xff", b"\x08\0", b"\x63\0", b"\x09",
)  # fmt: skip


@cache
def archives() -> tuple[bytes, ...]:
    """Return correct archives of each kind, small ones first."""
    members = [data for name in _FORMATS for data in records(name)[20 : 20 + _MEMBERS]]
    kinds = (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT)
    plain = [_tar(members[:3], kind) for kind in kinds]
    plain += [_zip(members, kind) for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]
    plain += [
        _zip([plain[0], plain[-1]], zipfile.ZIP_DEFLATED),
        _tar([plain[-2], *members[:2]], tarfile.PAX_FORMAT),
    ]
    return tuple(sorted((*plain, *(pack(plain[0]) for pack in _COMPRESSIONS)), key=len))


def _tar(members: list[bytes], kind: int) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=kind) as archive:
        for number, data in enumerate(members):
            # Long names need headers of their own, which one kind of archive has not.
            folders = "" if kind == tarfile.USTAR_FORMAT else "牌譜/" * (number * 30)
            entry = tarfile.TarInfo(f"{folders}{number}.log")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def _zip(members: list[bytes], kind: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        for number, data in enumerate(members):
            archive.writestr(f"{number}.log", data)
    return packed.getvalue()


def broken_archive(rng: Random) -> bytes:
    """Choose an archive and break its headers, its bytes, or both; sometimes compress the result."""
    data = rng.choice(archives())
    for _ in range(rng.choice((1, 1, 2, 3))):
        if data[257:262] == b"ustar":
            data = _break_tar(data, rng)
        elif data[:2] == b"PK":
            data = _break_zip(data, rng)
        if not rng.randrange(3):
            data = broken_further(data, archives(), rng)
    return rng.choice(_COMPRESSIONS)(data) if not rng.randrange(8) else data


def _break_tar(data: bytes, rng: Random) -> bytes:
    """Replace a field of a header, and mostly make its checksum right again; or repeat, move or drop a block."""
    begin = rng.randrange(len(data) // tars.BLOCK + 1) * tars.BLOCK
    headers = [at for at in range(0, len(data), tars.BLOCK) if data[at + 257 : at + 262] == b"ustar"]
    if not headers or not rng.randrange(5):
        return data[:begin] + data[begin + tars.BLOCK :] if rng.randrange(2) else data[:begin] + data
    begin = rng.choice(headers)
    block = bytearray(data[begin : begin + tars.BLOCK].ljust(tars.BLOCK, b"\0"))
    first, last = rng.choice(_FIELDS)
    block[first:last] = rng.choice(_TAR_VALUES)[: last - first].ljust(last - first, b"\0")
    if rng.randrange(10):
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block)
    return data[:begin] + bytes(block) + data[begin + tars.BLOCK :]


def _break_zip(data: bytes, rng: Random) -> bytes:
    """Replace a number behind a signature."""
    signature = rng.choice(_SIGNATURES)
    found = [at for at in range(len(data)) if data.startswith(signature, at)]
    if not found:
        return data
    begin = rng.choice(found) + 4 + rng.randrange(44)
    value = rng.choice(_ZIP_VALUES)
    return data[:begin] + value + data[begin + len(value) :]


class ArchiveTrial:
    """One archive: its members are listed, and the matches of each are read."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def run(self) -> Outcome:
        """Read the archive twice: until the first error, and past all errors. Another error is a crash."""
        begin = process_time()
        whole = False
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "archive.bin")
            path.write_bytes(self.data)
            try:
                for number, _ in enumerate(mjconv.iter_records(path)):
                    if number == _READ:
                        break
                whole = True
            except (mjconv.MjconvError, OSError) as error:
                look_at(str(error))
            try:
                for number, _ in enumerate(mjconv.iter_records(path, errors="skip")):
                    if number == _READ:
                        break
            except (mjconv.MjconvError, OSError) as error:
                look_at(str(error))
        return Outcome(whole, "read", process_time() - begin)
