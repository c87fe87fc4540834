"""Copies of members that could not be converted, for ``--keep-bad``."""

import errno
import os
from contextlib import suppress
from io import BytesIO
from typing import IO, Final

from mjconv.batch.journal import write_fully
from mjconv.batch.paths import UsedNames, safe_path
from mjconv.files.members import Member, Unreadable, WholeFile
from mjconv.files.storage import open_for_reading
from mjconv.ir.errors import MjconvError

_PIECE: Final = 1 << 20
_TEMPORARY: Final = ".mjconv-batch.tmp"


class Quarantine:
    """A folder for copies of bad members, below the paths that they have in the inputs."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.names = UsedNames()

    def check_free(self) -> None:
        """Raise `FileExistsError` if the folder is not empty."""
        if os.path.lexists(self.folder) and (not os.path.isdir(self.folder) or os.listdir(self.folder)):
            raise FileExistsError(errno.EEXIST, "Is not empty; --force writes into it", self.folder)

    def keep(self, member: Member, raw: bytes | None) -> str | None:
        """Copy the raw bytes of a member and return the name of the copy; None if nothing can be read.

        Raises `OSError` if the copy cannot be written.
        """
        try:
            source = _open_raw(member, raw)
        except (MjconvError, OSError):
            return None
        with source:
            name = self.names.reserve(safe_path(member.inner))
            target = os.path.join(self.folder, *name.split("/"))
            temporary = os.path.join(self.folder, _TEMPORARY)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            try:
                with open(temporary, "wb", buffering=0) as copy:
                    while part := source.read(_PIECE):
                        write_fully(copy.fileno(), part, target)
                os.replace(temporary, target)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(temporary)
        return name


def _open_raw(member: Member, raw: bytes | None) -> IO[bytes]:
    """Open the raw bytes of a member; a file or a broken archive is read from disk, whatever its size."""
    piece = member.piece
    if raw is None and isinstance(piece, WholeFile | Unreadable) and piece.path:
        return open_for_reading(piece.path)
    return BytesIO(member.raw() if raw is None else raw)
