"""List the members of files, folders and archives, one after another."""

import errno
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import IO, Final, NamedTuple

from mjconv.converters import formats
from mjconv.files import remote
from mjconv.files.address import is_address, is_hidden, path_text, redacted
from mjconv.files.compression import HEAD, compression_of, strip_ending
from mjconv.files.members import FileSlice, HeldBytes, Member, Piece, SpecialFile, Unreadable, WholeFile, ZipMember
from mjconv.files.reading import STANDARD, STDIN_NAME, ZIP_MAGICS, read_bytes
from mjconv.files.sites import missing
from mjconv.files.storage import base_name, held, is_folder, matching, open_for_reading, record_in, size_and_stamp
from mjconv.files.tars import BLOCK, DecompressedStream, PlainStream, TarEntry, TarReader, is_tar
from mjconv.files.zips import entries as zip_entries
from mjconv.ir import limits
from mjconv.ir.errors import InputError, MissingFileError

_ARCHIVES: Final = (".zip", ".tar", ".tgz", ".tzst", ".txz", ".tbz2")


def expand(sources: Iterable[str]) -> list[str]:
    """Expand patterns such as ``logs/*.zip``; each file or folder comes once.

    The name of an existing file is not a pattern. Raises `MissingFileError` if nothing matches.
    """
    files: dict[str, str] = {}
    for source in sources:
        if is_address(source):
            files.update((name, name) for name in _remote(source))
            continue
        for name in matching(source):
            if name not in (STANDARD, *held) and not os.path.lexists(name):
                raise missing(name)
            files.setdefault(os.path.realpath(name) if name != STANDARD else name, name)
    return list(files.values())


def _remote(source: str) -> list[str]:
    if record_in(source) is not None:
        return [source]
    if names := remote.matching(source):
        return names
    raise MissingFileError(redacted(source))


def members(sources: Iterable[str], *, avoid: Collection[str] = ()) -> Iterator[Member]:
    """List the members of files, folders and archives in a stable order, without extracting to disk.

    Folders are read in order of names, archives in their own order. Hidden files and the paths in `avoid` (as
    `os.path.realpath` returns them) are skipped. A file that cannot be listed or read becomes an `Unreadable`
    member. A link or device becomes a `SpecialFile`, but a link to a file inside the same source folder is read
    as that file. Raises `MissingFileError` before the first member if a source does not exist.
    """
    for path, inner, above, kind, about, alone in files_in(expand(sources), avoid):
        if path == STANDARD:
            yield Member(STDIN_NAME, HeldBytes(read_bytes(STANDARD)), STDIN_NAME, alone=True)
        elif isinstance(kind, OSError):
            yield Member(path_text(path), _unreadable(kind), inner)
        elif kind is not None:
            yield Member(path_text(path), SpecialFile(kind), inner)
        elif about is not None and formats.by_extension(inner):
            # Not opened here, because each opening is a request.
            yield Member(path_text(path), WholeFile(path.encode()), inner, False, about.stamp, about.size)
        else:
            yield from file_members(path, inner, above, alone=alone)


class FoundFile(NamedTuple):
    """A file of the sources: its path or address, its path below the output, and the folder of its members there.

    `kind` is ``link`` or ``device``, the error of a folder that cannot be listed, or None for a file to read.
    `about` is the description of a file at an address. `alone` is true for a file that the caller named itself.
    """

    path: str
    inner: str
    above: str
    kind: str | OSError | None
    about: remote.About | None
    alone: bool = False


def files_in(names: Sequence[str], avoid: Collection[str]) -> Iterator[FoundFile]:
    """List the files of sources, and those below folders, in order, without hidden files and `avoid`."""
    for name in names:
        # Each of several sources gets a folder of its own in the output; a single source does not.
        above = without_extensions(path_text(base_name(name))) if len(names) > 1 else ""
        if name != STANDARD and is_folder(name):
            yield from found_below(name, above, avoid)
        else:
            yield FoundFile(name, path_text(base_name(name)), above, None, None, alone=True)


def found_below(top: str, above: str = "", avoid: Collection[str] = ()) -> Iterator[FoundFile]:
    """List the files in a folder, on disk or at an address, as `files_in`; `above` is its folder in the output."""
    found: Iterable[tuple[str, str, str | OSError | None, remote.About | None]]
    if is_address(top):
        listed_there = remote.files_below(top)
        found = ((path, name, None, about) for path, name, about in listed_there if not is_hidden(name))
    else:
        listed = files_below(top, avoid)
        found = ((path, os.path.relpath(path, top).replace(os.sep, "/"), kind, None) for path, kind in listed)
    for path, below, kind, about in found:
        inner = joined_path(above, path_text(below))
        yield FoundFile(path, inner, without_extensions(inner), kind, about)


def files_below(top: str, avoid: Collection[str]) -> Iterator[tuple[str, str | OSError | None]]:
    """List the files in a folder and its subfolders, in order of names, without hidden files and `avoid`.

    Yields each path with ``link`` or ``device``, or None for a file to read. At the end, yields each folder that
    cannot be listed with its error.
    """
    troubles: list[OSError] = []
    inside = os.path.join(os.path.realpath(top), "")
    for folder, folders, names in os.walk(top, onerror=troubles.append):
        real = os.path.realpath(folder)
        for listed in (folders, names):
            shown = [name for name in listed if not name.startswith(".")]
            listed[:] = sorted(name for name in shown if os.path.join(real, name) not in avoid)
        for path in [os.path.join(folder, name) for name in names]:
            yield path, _kind(path, inside)
    yield from ((str(trouble.filename or top), trouble) for trouble in troubles)


def _kind(path: str, inside: str) -> str | None:
    """Return ``link`` or ``device``, or None for a regular file; links may only lead below `inside`."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            if not os.path.realpath(path).startswith(inside):
                return "link"
            mode = os.stat(path).st_mode
    except OSError:
        return "link"
    return None if stat.S_ISREG(mode) else "device"


def file_members(path: str, inner: str, above: str, *, alone: bool, name: str | None = None) -> Iterator[Member]:
    """Return a file as one member, or the members of an archive; inner paths of those are below `above`.

    `name` is its name in messages, if that is not its path.
    """
    name = path_text(path) if name is None else name
    if (record := record_in(path)) is not None:
        yield Member(name, HeldBytes(record), inner, alone)
        return
    try:
        size, stamp = size_and_stamp(path)
        with open_for_reading(path, size) as stream:
            head = stream.read(BLOCK)
            stream.seek(0)
            if head.startswith(ZIP_MAGICS):
                yield from _archive_members(_zip_pieces(stream, path), path, name, inner, above, stamp)
            elif (source := _tar_stream(stream, head)) is not None:
                yield from _archive_members(_tar_pieces(source, path), path, name, inner, above, stamp)
            else:
                yield Member(name, WholeFile(os.fsencode(path)), inner, alone, stamp, size)
    except OSError:
        # Reading the member raises the same error and reports it.
        yield Member(name, WholeFile(os.fsencode(path)), inner, alone)


def _archive_members(
    listed: Iterator[tuple[str, Piece, int]], path: str, name: str, inner: str, above: str, stamp: str
) -> Iterator[Member]:
    """Return the entries of an archive as members; if the archive is broken, its error is the last member."""
    count = 0
    try:
        for entry, piece, weight in listed:
            count += 1
            if count > limits.current().archive_members:
                raise limits.LimitError("archive_members")
            if not is_hidden(entry):
                yield Member(f"{name}/{entry}", piece, joined_path(above, entry), False, stamp, weight)
    except InputError as error:
        yield Member(name, Unreadable(error.message, path=os.fsencode(path)), inner, False, stamp)
    except OSError as error:
        yield Member(name, _unreadable(error), inner, False, stamp)


def _unreadable(error: OSError) -> Unreadable:
    return Unreadable(error.strerror or str(error), error.errno or errno.EIO)


def _zip_pieces(stream: IO[bytes], path: str) -> Iterator[tuple[str, Piece, int]]:
    where = os.fsencode(path)
    for name, entry, trouble, kind, *_ in zip_entries(stream):
        yield name, substitute(trouble, kind) or ZipMember(where, entry), entry.packed


def _tar_pieces(source: PlainStream | DecompressedStream, path: str) -> Iterator[tuple[str, Piece, int]]:
    where = os.fsencode(path)
    tar = TarReader(source)
    before = 0
    try:
        for entry in tar.entries():
            piece = substitute(entry.trouble, entry.kind) or _tar_piece(tar, source, entry, where)
            here = source.tell()
            if isinstance(source, PlainStream):
                # The bytes of an entry begin here. Its header may state any size.
                here = min(here + entry.size, source.length)
            yield entry.name, piece, max(0, here - before)
            before = here
    except limits.LimitError:
        raise
    except InputError as error:
        raise InputError(f"is a tar archive that {error.message}") from None


def _tar_piece(tar: TarReader, source: PlainStream | DecompressedStream, entry: TarEntry, where: bytes) -> Piece:
    if entry.size > limits.current().unpacked_bytes:
        return Unreadable(limits.refusal("unpacked_bytes"))
    if not isinstance(source, PlainStream):
        return HeldBytes(tar.take())
    if source.tell() + entry.size > source.length:
        raise InputError(f"ends in the middle of {entry.name}")
    return FileSlice(where, source.tell(), entry.size)


def substitute(trouble: str | None, kind: str | None) -> Piece | None:
    """Return the piece of an entry that is not a file, or cannot be read; None for any other entry."""
    if kind is not None:
        return SpecialFile(kind)
    return None if trouble is None else Unreadable(trouble)


def is_archive(stream: IO[bytes], head: bytes) -> bool:
    """Return whether a file is a zip or tar archive, compressed or not; `head` is its first block."""
    stream.seek(0)
    return head.startswith(ZIP_MAGICS) or _tar_stream(stream, head) is not None


def _tar_stream(stream: IO[bytes], head: bytes) -> PlainStream | DecompressedStream | None:
    """Return a stream of a tar archive, decompressed; None if the file is not a tar archive."""
    if is_tar(head):
        return PlainStream(stream)
    compression = compression_of(head[:HEAD])
    if compression is None:
        return None
    try:
        begin = DecompressedStream(stream, compression).read(BLOCK)
    except InputError:
        return None
    finally:
        stream.seek(0)
    return DecompressedStream(stream, compression) if is_tar(begin) else None


def joined_path(above: str, name: str) -> str:
    """Return the path of a file in a folder; an empty folder is none."""
    return f"{above}/{name}" if above else name


def without_extensions(name: str) -> str:
    """Return the name of an archive without its extensions.

    >>> without_extensions("2024.tar.gz"), without_extensions("logs.2024")
    ('2024', 'logs.2024')
    """
    stem, ending = os.path.splitext(strip_ending(name))
    return stem if ending.lower() in _ARCHIVES else name
