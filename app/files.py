"""Read and write files: limited in size, decompressed, and written completely or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import count
from typing import IO, Final

from mjconv.compression import HEAD, check_expansion, compression_for, compression_of, decompress
from mjconv.ir import limits
from mjconv.ir.errors import InputError, UsageError

#: The name of standard input and of standard output.
STANDARD: Final = "-"
STDIN_NAME: Final = "<stdin>"

ZIP_MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06")

_CHUNK: Final = 1 << 20
_temporary = count()


def read_bytes(path: str) -> bytes:
    """Read a file, or standard input for ``-``; compressed contents are decompressed.

    Raises `OSError` if the file does not exist or is a folder. Raises `InputError` for broken compressed data, a
    zip archive, or data beyond a limit.
    """
    if path == STANDARD:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "Standard input is closed")
        return unpack(read_bounded(sys.stdin.buffer, STDIN_NAME), STDIN_NAME)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "Is a folder, but one file was expected", path)
    with open(path, "rb") as stream:
        data = read_bounded(stream, path)
    if data.startswith(ZIP_MAGICS):
        raise InputError("is a zip archive, but one file was expected", file=path)
    return unpack(data, path)


def read_bounded(stream: IO[bytes], name: str, packed: int | None = None) -> bytes:
    """Read a stream to its end; for a member of an archive, `packed` is its compressed size in bytes.

    Raises `LimitError` if it is larger than a file, or a member of an archive, may be.
    """
    parts: list[bytes] = []
    size = 0
    while part := stream.read(_CHUNK):
        size += len(part)
        if packed is not None:
            check_expansion(size, packed, name)
        elif size > limits.current().file_bytes:
            raise limits.LimitError("file_bytes", file=name)
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def unpack(data: bytes, name: str | None = None) -> bytes:
    """Decompress gzip, zstd, xz or bzip2 data; return other data unchanged.

    Raises `InputError` if the data is broken or expands beyond a limit.

    >>> from mjconv.compression import pack
    >>> unpack(pack(b"jmjp[1.0]"))
    b'jmjp[1.0]'
    """
    compression = compression_of(data[:HEAD])
    if compression is None:
        return data
    stream = BytesIO(data)
    parts: list[bytes] = []
    size = 0
    for part in decompress(stream, compression, name):
        size += len(part)
        check_expansion(size, stream.tell(), name)
        parts.append(part)
    return b"".join(parts)


def check_one_standard_input(paths: Iterable[str]) -> None:
    """Raise `UsageError` if ``-`` is named more than once: standard input can be read only once."""
    if list(paths).count(STANDARD) > 1:
        raise UsageError("standard input (-) can be read only once")


def packed_for(path: str, data: bytes) -> bytes:
    """Compress data if the file name ends in ``.gz``, ``.zst``, ``.xz`` or ``.bz2``; else return it unchanged."""
    compression = compression_for(path)
    return data if compression is None else compression.pack(data)


def check_writable(path: str) -> None:
    """Raise `OSError` if a file cannot be written, before any work is done."""
    if path == STANDARD:
        return
    folder = os.path.dirname(path) or os.curdir
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "Is a folder, but a file name was expected", path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "The folder to write to does not exist", folder)
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "Is not writable", path)


def write_bytes(path: str, data: bytes) -> None:
    """Write a file completely or not at all, or standard output for ``-``. Raises `OSError`."""
    if path == STANDARD:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "Standard output is closed")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_all({path: data})


def write_all(files: Mapping[str, bytes]) -> None:
    """Write several files; none of them appears before all are written. Raises `OSError`."""
    for path in files:
        check_writable(path)
    with _temporaries() as written:
        for path, data in files.items():
            # A link is kept, and its target is replaced.
            target = os.path.realpath(path)
            if _is_special(target):
                _write_special(target, data)
            else:
                written.append((_write_beside(target, data), target))
        for temporary, target in written:
            os.replace(temporary, target)


def _write_special(path: str, data: bytes) -> None:
    with open(path, "wb") as stream:
        stream.write(data)


def _is_special(path: str) -> bool:
    """Return whether a path is a device or pipe, which cannot be replaced."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _write_beside(path: str, data: bytes) -> str:
    """Write data to a new file in the same folder, with the permissions of `path`; return its name."""
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, f".mjconv-{os.getpid()}-{next(_temporary)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o666), "wb") as stream:
            stream.write(data)
        with suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
    except BaseException as error:
        _remove(temporary)
        if isinstance(error, OSError):
            error.filename = path
        raise
    return temporary


@contextmanager
def _temporaries() -> Iterator[list[tuple[str, str]]]:
    """Return a list for temporary files; remove at the end those that still exist."""
    written: list[tuple[str, str]] = []
    try:
        yield written
    finally:
        for temporary, _ in written:
            _remove(temporary)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
