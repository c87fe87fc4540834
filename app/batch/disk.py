"""Files on disk that a run can be cut off at: such as grow and are cut back, and such as are there or not."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)


def write_fully(handle: int, data: bytes, name: str) -> None:
    """Write all of the data; raises `OSError` with the name, where there may be a part of it."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(handle, rest) :]
    except OSError as error:
        error.filename = name
        raise


class Growing:
    """A file that only grows; what is behind `size` when it is opened is of a run that was cut off, and goes."""

    def __init__(self, path: str, size: int = 0) -> None:
        self.path = path
        self.size = size
        self._handle: int | None = None

    def append(self, data: bytes) -> None:
        """Write at the end; raises `OSError`."""
        write_fully(self._opened(), data, self.path)
        self.size += len(data)

    def close(self) -> None:
        """Let go of the file; with nothing in it, it goes."""
        if self.size or self._handle is not None or os.path.lexists(self.path):
            os.close(self._opened())
            self._handle = None
        if not self.size:
            with suppress(FileNotFoundError):
                os.unlink(self.path)

    def leave(self) -> None:
        """Let go of the file as it is."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _opened(self) -> int:
        if self._handle is None:
            self._handle = os.open(self.path, _FLAGS, 0o666)
            os.ftruncate(self._handle, self.size)
            os.lseek(self._handle, self.size, os.SEEK_SET)
        return self._handle


def put(path: str, data: bytes, temporary: str) -> None:
    """Write a file by way of a temporary one on the same disk: it is all there, or as it was. Raises `OSError`."""
    handle = os.open(temporary, _FLAGS | os.O_TRUNC, 0o666)
    try:
        write_fully(handle, data, path)
    finally:
        os.close(handle)
    os.replace(temporary, path)
