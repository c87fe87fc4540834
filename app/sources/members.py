"""A member of the sources: its name, where its bytes are, and how they are read."""

from __future__ import annotations

import os
from typing import TypeAlias

from msgspec import Struct

from mjconv.converters import formats
from mjconv.converters.interface import HEAD, Format
from mjconv.files import ZIP_MAGICS, read_bounded, unpack
from mjconv.ir.errors import InputError
from mjconv.sources.tarhead import BLOCK, is_tar
from mjconv.sources.zipentry import ZipEntry, read_entry


class WholeFile(Struct, frozen=True, tag="whole"):
    """A file by itself."""

    path: bytes


class FileSlice(Struct, frozen=True, tag="part"):
    """Bytes in the middle of a file, as they stand in a plain tar archive."""

    path: bytes
    offset: int
    size: int


class ZipMember(Struct, frozen=True, tag="zipped"):
    """An entry of a zip archive."""

    path: bytes
    entry: ZipEntry


class HeldBytes(Struct, frozen=True, tag="held"):
    """Bytes that were read already: those of a packed tar archive come one after another only."""

    data: bytes


class Unreadable(Struct, frozen=True, tag="bad"):
    """Nothing that can be read, and why; `errno` where the system says so, `path` where it is a whole archive."""

    message: str
    errno: int = 0
    path: bytes = b""


class SpecialFile(Struct, frozen=True, tag="passed"):
    """Nothing to read: a link, a device; `kind` says which."""

    kind: str


Piece: TypeAlias = WholeFile | FileSlice | ZipMember | HeldBytes | Unreadable | SpecialFile


class Member(Struct, frozen=True):
    """A file by itself, in a folder or in an archive: its name as errors show it, and where its bytes are.

    `inner` is its path below the source it was found in, as it stands there. `alone` tells a file that the caller
    named from one that lay there. `stamp` changes when the file it is in does. `weight` is how many bytes of the
    source it takes.

    Small, unless a packed tar archive is where it comes from; it can be sent to another process and read there.
    """

    name: str
    piece: Piece
    inner: str = ""
    alone: bool = False
    stamp: str = ""
    weight: int = 0

    def raw(self) -> bytes:
        """Give the bytes as they lie there, taken out of the archive.

        Raises `OSError`, and `InputError` where they are too many or broken.
        """
        piece = self.piece
        if isinstance(piece, WholeFile):
            with open(piece.path, "rb") as stream:
                return read_bounded(stream, self.name)
        if isinstance(piece, FileSlice):
            with open(piece.path, "rb") as stream:
                stream.seek(piece.offset)
                data = stream.read(piece.size)
            if len(data) < piece.size:
                raise InputError("breaks off: the archive ends in the middle of it", file=self.name)
            return data
        if isinstance(piece, ZipMember):
            with open(piece.path, "rb") as stream:
                return read_entry(stream, piece.entry, self.name)
        if isinstance(piece, HeldBytes):
            return piece.data
        if isinstance(piece, Unreadable) and not piece.errno:
            raise InputError(piece.message, file=self.name)
        if isinstance(piece, Unreadable):
            raise OSError(piece.errno, piece.message, self.name)
        raise InputError(f"is no file but a {piece.kind}", file=self.name)

    def read(self) -> bytes:
        """Give the bytes, decompressed.

        Raises `OSError`, and `InputError` where they are too many, broken, or those of an archive in an archive.
        """
        return self.opened(self.raw())

    def opened(self, raw: bytes) -> bytes:
        """Decompress the bytes that `raw` gave; raises `InputError` as `read` does."""
        data = unpack(raw, self.name)
        if data.startswith(ZIP_MAGICS) or is_tar(data[:BLOCK]):
            raise InputError(
                "is an archive in an archive, which is not looked into: take it out first", file=self.name
            )
        return data

    def is_record(self, data: bytes, form: str | None = None) -> bool:
        """Tell whether these are the bytes of a record, of the format asked for.

        What the caller named is; else a name with the extension of a format, or contents that a format knows.
        """
        if self.alone:
            return True
        wanted: Format | None = None if form is None else formats.find(form)[0]
        named = [known for known, _ in formats.by_extension(self.name, reading=True)]
        if named:
            return wanted is None or wanted in named
        return formats.recognise(data[:HEAD], None if wanted is None else [wanted]) is not None


def path_text(path: str | bytes) -> str:
    r"""Give a path as text that can be written anywhere: bytes that are no UTF-8 become their codes.

    >>> path_text(b"caf\xe9.mjson")
    'caf\\xe9.mjson'
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")
