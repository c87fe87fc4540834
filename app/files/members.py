"""A member of the sources: its name, the place of its bytes, and how to read them."""

from io import BytesIO
from typing import Final, TypeAlias

from msgspec import Struct

from mjconv import encoding
from mjconv.converters import formats
from mjconv.converters.interface import HEAD
from mjconv.files.reading import ZIP_MAGICS, read_bounded, unpack
from mjconv.files.storage import lent_stream, open_for_reading
from mjconv.files.tars import BLOCK, is_tar
from mjconv.files.zips import ZipEntry, read_entry
from mjconv.ir.errors import InputError

#: The lists of failures and of new names that a run of `batch` or `fleet` leaves: they hold no records.
RUN_LISTS: Final = ("failures.jsonl", "renamed.jsonl")


class WholeFile(Struct, frozen=True, tag="whole"):
    """A whole file."""

    path: bytes


class FileSlice(Struct, frozen=True, tag="part"):
    """A part of a file: an entry of an uncompressed tar archive. `offset` and `size` are in bytes."""

    path: bytes
    offset: int
    size: int


class ZipMember(Struct, frozen=True, tag="zipped"):
    """An entry of a zip archive."""

    path: bytes
    entry: ZipEntry


class HeldEntry(Struct, frozen=True, tag="held-entry"):
    """An entry of a zip archive whose bytes are in memory as the archive has them, from its header on."""

    data: bytes
    entry: ZipEntry


class HeldBytes(Struct, frozen=True, tag="held"):
    """Bytes in memory: the entries of a compressed tar archive can only be read in order."""

    data: bytes


class Unreadable(Struct, frozen=True, tag="bad"):
    """A member that cannot be read, and the reason; `errno` for a system error, `path` for a broken archive."""

    message: str
    errno: int = 0
    path: bytes = b""


class SpecialFile(Struct, frozen=True, tag="passed"):
    """A member that is not a regular file: `kind` is ``link`` or ``device``."""

    kind: str


class SpooledRows(Struct, frozen=True, tag="rows"):
    """Streams in a work file that become one row group of each table: offset, size and first game of each."""

    path: str
    streams: tuple[tuple[int, int, int], ...]


Piece: TypeAlias = (
    WholeFile | FileSlice | ZipMember | HeldEntry | HeldBytes | Unreadable | SpecialFile | SpooledRows
)


class Member(Struct, frozen=True):
    """A file, or an entry of a folder or an archive: its name in messages, and the place of its bytes.

    `inner` is its path below the source. `alone` is True for a file that the caller named itself. `stamp` changes
    when the file that holds the member changes. `weight` is the number of bytes that it takes in the source.
    `only` are digests of the play of the matches to convert; empty: all. `outcome` is the encoded outcome of a
    member that is converted already. `alias` is its name in an anonymous output.

    A member can be pickled and read in another process. It is small, except for entries of compressed tar
    archives, which hold their bytes. The bytes may be at an address such as ``s3://bucket/logs.zip``.
    """

    name: str
    piece: Piece
    inner: str = ""
    alone: bool = False
    stamp: str = ""
    weight: int = 0
    only: tuple[str, ...] = ()
    outcome: bytes = b""
    alias: str = ""

    def raw(self) -> bytes:
        """Return the bytes of the member, still compressed if the member itself is.

        Raises `OSError`, `StorageError` if remote storage does not answer, and `InputError` if the archive is
        broken or a limit is exceeded.
        """
        piece = self.piece
        if isinstance(piece, WholeFile):
            with open_for_reading(piece.path) as stream:
                return read_bounded(stream, self.name)
        if isinstance(piece, FileSlice):
            with lent_stream(piece.path, self.stamp) as stream:
                stream.seek(piece.offset)
                data = stream.read(piece.size)
            if len(data) < piece.size:
                raise InputError("ends too early: the archive ends in the middle of it", file=self.name)
            return data
        if isinstance(piece, ZipMember):
            with lent_stream(piece.path, self.stamp) as stream:
                return read_entry(stream, piece.entry, self.name)
        if isinstance(piece, HeldEntry):
            return read_entry(BytesIO(piece.data), piece.entry, self.name)
        if isinstance(piece, HeldBytes):
            return piece.data
        if isinstance(piece, Unreadable) and not piece.errno:
            raise InputError(piece.message, file=self.name)
        if isinstance(piece, Unreadable):
            raise OSError(piece.errno, piece.message, self.name)
        kind = piece.kind if isinstance(piece, SpecialFile) else "part of a table"
        raise InputError(f"is not a file but a {kind}", file=self.name)

    def read(self) -> bytes:
        """Return the bytes, decompressed.

        Raises `OSError`, and `InputError` if they are broken, too many, or an archive inside an archive.
        """
        return self.opened(self.raw())

    def opened(self, raw: bytes) -> bytes:
        """Decompress the bytes that `raw` returned; raises `InputError` as `read` does."""
        data = unpack(raw, self.name)
        if data.startswith(ZIP_MAGICS) or is_tar(data[:BLOCK]):
            reason = "is an archive inside an archive, which is not read: extract it first"
            raise InputError(reason, file=self.name)
        return data

    def is_record(self, data: bytes, form: str | None = None) -> bool:
        """Return whether `data` is a record, of the format `form` if that is set.

        A file that the caller named is a record. Any other member is one if its name has the extension of a
        format or if a format recognises its contents.
        """
        if self.alone:
            return True
        if self.name.rpartition("/")[2] in RUN_LISTS:
            return False
        recognised = formats.of_file(self.name, encoding.head_as_utf8(data[:HEAD]))
        return recognised is not None if form is None else recognised is formats.find(form)[0]
