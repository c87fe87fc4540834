"""Errors of remote storage."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from typing import Final, TypeVar

from mjconv.ir.errors import MjconvError, printable
from mjconv.storage.address import redacted

T = TypeVar("T")

#: The number of times that a request is made before its error counts, and the first pause, in seconds.
ATTEMPTS: Final = 6
PAUSE: Final = 0.1


class StorageError(MjconvError):
    """Remote storage does not answer, or its answer is wrong. The same request may work later."""


def asking(address: str, request: Callable[[], T]) -> T:
    """Make a request to remote storage; after an error, make it again a few times, with growing pauses.

    A missing file and a refused permission are not tried again: they raise `FileNotFoundError` and
    `PermissionError`. Any other error raises `StorageError`. No error shows a secret of the address.
    """
    for attempt in range(ATTEMPTS):
        try:
            return request()
        # Each kind of storage raises errors of its own.
        except Exception as error:
            if final := _final(address, error):
                raise final from None
            if attempt + 1 == ATTEMPTS:
                raise failure(address, error) from None
        time.sleep(PAUSE * 2**attempt)
    raise AssertionError


def failure(address: str, error: Exception) -> MjconvError | OSError:
    """Return the error of a request as an error of mjconv, without secrets."""
    if isinstance(error, MjconvError):
        return error
    reason = printable(redacted(f"{type(error).__name__}: {error}"))
    message = f"the storage does not answer ({reason})"
    return _final(address, error) or StorageError(message, file=redacted(address))


def _final(address: str, error: Exception) -> OSError | MjconvError | None:
    """Return the error to raise at once; None if the request may work later."""
    if isinstance(error, MjconvError):
        return error
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(errno.ENOENT, "No such file or folder", redacted(address))
    if isinstance(error, PermissionError):
        return PermissionError(errno.EACCES, "Permission refused by the storage", redacted(address))
    if isinstance(error, IsADirectoryError):
        return IsADirectoryError(errno.EISDIR, "Is a folder, but one file was expected", redacted(address))
    return None
