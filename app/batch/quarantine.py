"""Copies of what could not be converted, set aside."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack, suppress
from io import BytesIO
from typing import IO, Final

from mjconv.batch.disk import write_fully
from mjconv.batch.names import Names, safe
from mjconv.ir.errors import MjconvError
from mjconv.sources.members import Bad, Member, Whole

_PIECE: Final = 1 << 20
_TEMPORARY: Final = ".mjconv-batch.tmp"


class Keeper:
    """Copies bad members into a folder, below the paths they had in the inputs."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.names = Names()

    def check_free(self) -> None:
        """Refuse to write over what is there: raises `FileExistsError`."""
        if os.path.lexists(self.folder) and (not os.path.isdir(self.folder) or os.listdir(self.folder)):
            raise FileExistsError(errno.EEXIST, "Is not empty; --force writes into it all the same", self.folder)

    def keep(self, member: Member, data: bytes | None) -> str | None:
        """Copy a member as it lay there, and give the name of the copy; none where nothing of it can be read.

        Raises `OSError` where the copy cannot be written.
        """
        with ExitStack() as stack:
            try:
                source = stack.enter_context(_source(member, data))
            except (MjconvError, OSError):
                return None
            name = self.names.free(safe(member.inner))
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


def _source(member: Member, data: bytes | None) -> IO[bytes]:
    """Open what is to be copied: a file or broken archive as it lies there, be it ever so large."""
    piece = member.piece
    if data is None and isinstance(piece, Whole | Bad) and piece.path:
        return open(piece.path, "rb")
    return BytesIO(member.raw() if data is None else data)
