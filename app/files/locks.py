"""Locks between the processes of one machine, and folders for temporary files that another process may remove.

The system frees the lock of a process that dies. `filelock` and `portalocker` are not used: each has ten thousand
lines for what takes two calls here.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

#: The ending of the name of a lock.
LOCK: Final = ".mjconv-lock"
#: The errors of a lock that another process holds. Others are of a disk without locks, which needs none.
_HELD: Final = frozenset({errno.EAGAIN, errno.EACCES, errno.EDEADLK})
#: The beginning of the names of folders for temporary files.
_PREFIX: Final = "mjconv-fleet-"


def take(path: str) -> int | None:
    """Lock a file, which is made if it is missing; return its handle, or None if another process holds it.

    The lock ends when the handle is closed, or when the process ends. Raises `OSError`.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
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


def release(path: str, handle: int) -> None:
    """Remove a locked file, and end the lock."""
    # Windows does not remove a file that is open, so that no other process can hold the lock then.
    with suppress(OSError):
        os.unlink(path)
    os.close(handle)
    if os.name == "nt":
        with suppress(OSError):
            os.unlink(path)


@contextmanager
def locked_output(path: str, output: str) -> Iterator[None]:
    """Lock an output by the file at `path`, whose folder is made if it is missing, and removed if it stays empty.

    Raises `FileExistsError` if another process writes to the output, and `OSError`.
    """
    folder = os.path.dirname(path) or os.curdir
    made = not os.path.isdir(folder)
    if made:
        os.makedirs(folder)
    try:
        handle = take(path)
        if handle is None:
            raise FileExistsError(
                errno.EEXIST, "Another mjconv process writes here: wait until it has ended", output
            )
        try:
            yield
        finally:
            release(path, handle)
    finally:
        if made:
            with suppress(OSError):
                os.rmdir(folder)


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Make a folder for temporary files, and remove it at the end.

    If the process dies before, `remove_abandoned` removes the folder.
    """
    while True:
        folder = tempfile.mkdtemp(prefix=_PREFIX)
        # `remove_abandoned` of another process may come first.
        with suppress(FileNotFoundError):
            handle = take(os.path.join(folder, LOCK))
            if handle is not None:
                break
    try:
        yield folder
    finally:
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned() -> list[str]:
    """Remove the temporary folders of processes that died; return their paths."""
    removed = []
    user = os.getuid() if hasattr(os, "getuid") else 0
    for entry in os.scandir(tempfile.gettempdir()):
        with suppress(OSError):
            if not entry.name.startswith(_PREFIX) or entry.stat(follow_symlinks=False).st_uid != user:
                continue
            path = os.path.join(entry.path, LOCK)
            if not entry.is_dir(follow_symlinks=False) or not os.path.exists(path):
                continue
            if (handle := take(path)) is not None:
                os.close(handle)
                shutil.rmtree(entry.path, ignore_errors=True)
                removed.append(entry.path)
    return removed
