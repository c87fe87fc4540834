"""Read whole files: limited in size, and decompressed."""

import errno
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BytesIO
from typing import IO, Final

from mjconv.files.address import redacted
from mjconv.files.compression import HEAD, compression_of, decompress_bounded
from mjconv.files.sites import missing
from mjconv.files.storage import is_folder, open_for_reading
from mjconv.ir import limits
from mjconv.ir.errors import InputError, UsageError

#: The name of standard input and of standard output.
STANDARD: Final = "-"
STDIN_NAME: Final = "<stdin>"

ZIP_MAGICS: Final = (b"PK\x03\x04", b"PK\x05\x06")

#: The endings of spreadsheets.
SPREADSHEETS: Final = (".csv", ".tsv", ".xlsx")
ONLY_SCORED: Final = "is a spreadsheet, and only mjconv score reads spreadsheets"
#: Members of documents of office programs, such as workbooks in ``.xlsx`` and ``.ods``; the begin of old ones.
_OFFICE: Final = (b"[Content_Types].xml", b"docProps/", b"xl/work", b"application/vnd.oasis.opendocument")
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CHUNK: Final = 1 << 20
_TAR_HEADER: Final = 512


class ArchiveError(InputError):
    """A zip or tar archive was given where one file was expected."""


@contextmanager
def hinting(path: str, hint: str) -> Iterator[None]:
    """Add to the error about an archive or a folder how its files are read: `hint` has ``{}`` for its name."""
    try:
        yield
    except (ArchiveError, IsADirectoryError) as error:
        if path != STANDARD:
            # Imported here: most inputs are files.
            import shlex

            text = hint.format(shlex.quote(redacted(path)))
            if isinstance(error, ArchiveError):
                error.message += f": {text}"
            else:
                error.strerror = f"{error.strerror}: {text}"
        raise


def read_bytes(path: str) -> bytes:
    """Read a file, also at an address, or standard input for ``-``; compressed contents are decompressed.

    Raises `MissingFileError`, and `OSError` for a folder. Raises `ArchiveError` for a zip or tar archive, and
    `InputError` for broken compressed data, or data beyond a limit.
    """
    name = shown_name(path)
    with open_input(path) as stream:
        data = read_bounded(stream, name)
    return one_file(unpack(data, name), name)


def shown_name(path: str) -> str:
    """Return the name of an input in messages: without secrets, and not ``-``."""
    return STDIN_NAME if path == STANDARD else redacted(path)


def open_input(path: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file, also at an address, or standard input for ``-``.

    Raises `MissingFileError`, and `OSError`, also for a folder.
    """
    if path == STANDARD:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "Standard input is closed")
        return nullcontext(sys.stdin.buffer)
    if is_folder(path):
        raise IsADirectoryError(errno.EISDIR, "Is a folder, but one file was expected", redacted(path))
    try:
        return open_for_reading(path)
    except FileNotFoundError:
        raise missing(path) from None


def one_file(data: bytes, name: str) -> bytes:
    """Return the data, which may be its first bytes only; raises `ArchiveError` if it is an archive."""
    zipped = data.startswith(ZIP_MAGICS)
    if data.startswith(_OLD_OFFICE) or (zipped and any(member in data for member in _OFFICE)):
        if name.lower().endswith(SPREADSHEETS):
            raise InputError(ONLY_SCORED, file=name)
        reason = "is a document of an office program: save a table as .csv or .xlsx, and a text as .txt"
        raise InputError(reason, file=name)
    if zipped:
        raise ArchiveError("is a zip archive, but one file was expected", file=name)
    # Records are text, and the header of a tar archive has zero bytes.
    if b"\0" in data[:_TAR_HEADER]:
        # Loaded here: every start of the command would pay for the import.
        from mjconv.files.tars import is_tar

        if is_tar(data[:_TAR_HEADER]):
            raise ArchiveError("is a tar archive, but one file was expected", file=name)
    return data


def read_bounded(stream: IO[bytes], name: str) -> bytes:
    """Read a stream to its end. Raises `LimitError` if it is larger than a file may be."""
    parts: list[bytes] = []
    size = 0
    while part := stream.read(_CHUNK):
        size += len(part)
        if size > limits.current().file_bytes:
            raise limits.LimitError("file_bytes", file=name)
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def unpack(data: bytes, name: str | None = None) -> bytes:
    """Decompress gzip, zstd, xz or bzip2 data; return other data unchanged.

    Raises `InputError` if the data is broken or expands beyond a limit.

    >>> from mjconv.files.compression import BY_NAME
    >>> unpack(BY_NAME["gzip"].pack(b"jmjp[1.0]"))
    b'jmjp[1.0]'
    """
    compression = compression_of(data[:HEAD])
    return data if compression is None else b"".join(decompress_bounded(BytesIO(data), compression, name))


def check_one_standard_input(paths: Iterable[str]) -> None:
    """Raise `UsageError` if ``-`` is named more than once: standard input can be read only once."""
    if list(paths).count(STANDARD) > 1:
        raise UsageError("standard input (-) can be read only once")
