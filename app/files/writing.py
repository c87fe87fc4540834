"""Write files: compressed as their names say, and completely or not at all."""

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import IO, Final, Protocol, runtime_checkable

from mjconv.files.address import is_address, redacted
from mjconv.files.compression import compression_for, pack_pieces
from mjconv.files.reading import STANDARD
from mjconv.ir.errors import UsageError

_CHUNK: Final = 1 << 20
#: The most of an output that is held in memory until it may appear.
_HELD: Final = 1 << 26


@runtime_checkable
class Sink(Protocol):
    """A file object that takes bytes: an open binary file, `io.BytesIO`, a member of an archive."""

    def write(self, data: bytes, /) -> object:
        """Write bytes."""


def packed_for(path: str, data: bytes) -> bytes:
    """Compress data if the file name ends in ``.gz``, ``.zst``, ``.xz`` or ``.bz2``; else return it unchanged."""
    return b"".join(packed_pieces(path, [data]))


def packed_pieces(path: str, pieces: Iterable[bytes]) -> Iterable[bytes]:
    """Compress the pieces of a file as they come, when its name ends as `packed_for` expects."""
    compression = compression_for(path)
    return pieces if compression is None else pack_pieces(compression, pieces)


def check_writable(path: str) -> None:
    """Raise `OSError` if a file cannot be written, before any work is done; `UsageError` for an address."""
    if path == STANDARD:
        return
    if is_address(path):
        raise UsageError("is at an address: only batch and fleet write there", file=redacted(path))
    folder = os.path.dirname(path) or os.curdir
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "Is a folder, but a file name was expected", path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "The folder to write to does not exist", folder)
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "Is not writable", path)


def write_bytes(path: str, data: bytes) -> None:
    """Write a file, or standard output for ``-``: the file is whole, or as it was before. Raises `OSError`."""
    with Staging() as stage:
        check_writable(path)
        stage.write(path, [data])


class Staging(AbstractContextManager["Staging"]):
    """Files that are written under temporary names, and appear together at the end of a ``with`` statement.

    ``-`` is standard output. Text for standard output, a device, a pipe or a file object also appears at the end.
    """

    def __init__(self) -> None:
        self._written: list[tuple[str, str]] = []
        self._held: list[tuple[str | Sink, IO[bytes]]] = []

    def write(self, path: str | Sink, pieces: Iterable[bytes]) -> None:
        """Write pieces of a file one after another. Raises `OSError`, and what the iteration raises."""
        if isinstance(path, str) and path != STANDARD and not _is_special(path):
            # A link stays a link: the file that it points to is replaced.
            target = os.path.realpath(path)
            # Process ids come again, so they make no unique name.
            name = f".mjconv-{os.urandom(8).hex()}.tmp"
            temporary = os.path.join(os.path.dirname(target), name)
            self._written.append((temporary, target))
            _write_new(temporary, target, path, pieces)
            return
        # Imported here: most outputs are files, and every start of the command would pay for it.
        from tempfile import SpooledTemporaryFile

        held = SpooledTemporaryFile(_HELD)  # noqa: SIM115 - it is closed at the end
        self._held.append((path, held))
        held.writelines(pieces)

    def rename(self, names: Sequence[str]) -> None:
        """Give the files that were written their final names, in the order in which they were written."""
        temporaries = [temporary for temporary, _ in self._written]
        self._written = list(zip(temporaries, map(os.path.realpath, names), strict=True))

    def contents(self, number: int = 0) -> bytes:
        """Return the bytes of a file that was written, counted from 0 in the order of writing. Raises `OSError`.

        Files for standard output, devices, pipes and file objects are counted after the others.
        """
        if number < len(self._written):
            with open(self._written[number][0], "rb") as stream:
                return stream.read()
        held = self._held[number - len(self._written)][1]
        held.seek(0)
        return held.read()

    def __exit__(self, error: type[BaseException] | None, *_about: object) -> None:
        """Let all files appear, unless there is an error, and remove the temporary files. Raises `OSError`."""
        try:
            if error is None:
                self._commit()
        finally:
            for temporary, _ in self._written:
                with suppress(OSError):
                    os.unlink(temporary)
            for _, held in self._held:
                held.close()

    def _commit(self) -> None:
        for temporary, target in self._written:
            os.replace(temporary, target)
        for output, held in self._held:
            held.seek(0)
            if not isinstance(output, str):
                _copy(held, output)
            elif output == STANDARD:
                _write_standard(held)
            else:
                with naming(output), open(output, "wb") as stream:
                    _copy(held, stream)


def _copy(held: IO[bytes], stream: Sink) -> None:
    while piece := held.read(_CHUNK):
        stream.write(piece)


def _write_standard(held: IO[bytes]) -> None:
    if sys.stdout is None:
        raise OSError(errno.EBADF, "Standard output is closed")
    sys.stdout.flush()
    _copy(held, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _is_special(path: str) -> bool:
    """Return whether a path is a device or pipe, which cannot be replaced."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def _write_new(temporary: str, path: str, named: str, pieces: Iterable[bytes]) -> None:
    """Write pieces to a new file with the permissions that the file at `path` has or would get.

    An error of writing names the file as `named`. An error of the iteration keeps the name of its own file.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with naming(named):
        mode = permissions(path)
        # Nobody may read the new file who may not read the old one, also while it is written.
        stream = open(os.open(temporary, flags, 0o666 if mode is None else mode), "wb")  # noqa: SIM115 - closed below
    try:
        for piece in pieces:
            with naming(named):
                stream.write(piece)
    finally:
        with naming(named):
            stream.close()
    if mode is not None:
        with naming(named):
            _give_owner(path, temporary)
            os.chmod(temporary, mode)
            _give_attributes(path, temporary)


def check_rewritable(path: str) -> None:
    """Raise `OSError` if a file cannot be rewritten with its owner and all its names: another file replaces it."""
    if path == STANDARD or _is_special(path):
        return
    about = os.stat(path)
    if about.st_nlink > 1:
        raise PermissionError(errno.EPERM, "Has several hard links, and the others would keep the old text", path)
    if hasattr(os, "geteuid") and os.geteuid() not in (0, about.st_uid):
        raise PermissionError(errno.EPERM, "Belongs to another user, and the new file would be yours", path)


def _give_owner(path: str, temporary: str) -> None:
    """Give a new file the owner and group of the file that it replaces, as far as the system allows it."""
    old, new = os.stat(path), os.stat(temporary)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) and hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(temporary, old.st_uid, old.st_gid)


def _give_attributes(path: str, temporary: str) -> None:
    """Give a new file the extended attributes of the file that it replaces, with access control lists."""
    if sys.platform != "linux":
        return
    # Not all file systems have attributes, and only the system may set some of them.
    with suppress(OSError):
        for name in os.listxattr(path):
            with suppress(PermissionError):
                os.setxattr(temporary, name, os.getxattr(path, name))


def permissions(path: str) -> int | None:
    """Return the permissions of a file, without those to run as its owner or group; None if it is missing."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        return None


@contextmanager
def naming(path: str) -> Iterator[None]:
    """Give an `OSError` the name of a file."""
    try:
        yield
    except OSError as error:
        error.filename = path
        raise
