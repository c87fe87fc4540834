"""Locks between the processes of one machine, and temporary folders that another process removes if theirs dies.

The system frees the lock of a process that dies. `filelock` and `portalocker` are not used: each has ten thousand
lines for what takes two calls here.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import glob
from typing import Final

#: The ending of the name of a lock.
LOCK: Final = ".mjconv-lock"
#: A link in place of the file would lead elsewhere.
_FLAGS: Final = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
#: The errors of a lock that another process holds. Others are of a disk without locks, which needs none.
_HELD: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})
#: The beginning of the names of temporary folders.
_PREFIX: Final = "mjconv-fleet-"


def take(path: str) -> int | None:
    """Lock a file, which is made if it is missing; return its handle, or None if another process holds it.

    The lock ends when the handle is closed, or when the process ends. Raises `OSError`.
    """
    while True:
        handle = os.open(path, _FLAGS, 0o666)
        try:
            _lock(handle)
        except OSError as error:
            if error.errno in _HELD:
                os.close(handle)
                return None
        # Another process may have removed the file between both calls.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        os.close(handle)


def _lock(handle: int) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked_output(path: str, output: str) -> Iterator[None]:
    """Lock an output by the file at `path`, whose folder is made if it is missing, and removed if it stays empty.

    Raises `FileExistsError` if another process writes to the output, and `OSError`.
    """
    folder = os.path.dirname(path) or os.curdir
    made = not os.path.isdir(folder)
    os.makedirs(folder, exist_ok=True)
    try:
        if (handle := take(path)) is None:
            reason = "Another mjconv process writes here: wait until it has ended"
            raise FileExistsError(errno.EEXIST, reason, output)
        try:
            yield
        finally:
            # Windows does not remove an open file: there the empty file stays.
            with suppress(OSError):
                os.unlink(path)
            os.close(handle)
    finally:
        with suppress(OSError):
            if made:
                os.rmdir(folder)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Make a temporary folder, and remove it at the end; `remove_abandoned` removes it if the process dies."""
    handle = None
    while handle is None:
        folder = tempfile.mkdtemp(prefix=_PREFIX)
        # `remove_abandoned` of another process may come before the lock.
        with suppress(FileNotFoundError):
            handle = take(os.path.join(folder, LOCK))
    try:
        yield folder
    finally:
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned() -> None:
    """Remove the temporary folders of processes that died."""
    for path in glob(os.path.join(tempfile.gettempdir(), f"{_PREFIX}*", LOCK)):
        # The folder may be of another user.
        with suppress(OSError):
            if (handle := take(path)) is not None:
                os.close(handle)
                shutil.rmtree(os.path.dirname(path))
