"""From the names that a caller gives to the members that they stand for, one after another."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Collection, Iterable, Iterator
from typing import IO, Final

from mjconv.compression import HEAD, bare, packing_of
from mjconv.files import STANDARD, STDIN_NAME, ZIP_MAGICS, read_bytes
from mjconv.ir import limits
from mjconv.ir.errors import InputError
from mjconv.sources.members import (
    FileSlice,
    HeldBytes,
    Member,
    Piece,
    SpecialFile,
    Unreadable,
    WholeFile,
    ZipMember,
    path_text,
)
from mjconv.sources.streams import DecompressedStream, PlainStream
from mjconv.sources.tarhead import BLOCK, is_tar
from mjconv.sources.tars import Entry, Tar
from mjconv.sources.zips import entries as zip_entries

_ARCHIVES: Final = (".zip", ".tar", ".tgz", ".tzst", ".txz", ".tbz2")


def expanded(sources: Iterable[str]) -> list[str]:
    """Give the names that patterns such as ``logs/*.zip`` stand for, each file or folder once.

    A name that is there is no pattern. Raises `FileNotFoundError` for one that nothing answers to.
    """
    found: dict[str, str] = {}
    for source in sources:
        names = [source]
        if source != STANDARD and not os.path.lexists(source):
            names = sorted(glob.glob(source, recursive=True)) if glob.has_magic(source) else []
            if not names:
                raise FileNotFoundError(errno.ENOENT, "There is no such file or folder", source)
        for name in names:
            found.setdefault(os.path.realpath(name) if name != STANDARD else name, name)
    return list(found.values())


def members(sources: Iterable[str], *, avoid: Collection[str] = ()) -> Iterator[Member]:
    """List the members of files, folders and archives, in a stable order, with nothing unpacked to disk.

    Folders come in order of names, archives in their own order. Hidden files are passed over, as are the paths to
    `avoid` (as `os.path.realpath` gives them). What cannot be listed or read comes as a `Bad` member, what is a
    link or device as `Passed`: a link that stays inside the folder it was found in counts for its file. Raises
    `FileNotFoundError` before all when a source is not there.
    """
    names = expanded(sources)
    for name in names:
        # Of several sources, each has a folder of its own in what is written; a file by itself needs none.
        above = _without_ending(path_text(os.path.basename(os.path.abspath(name)))) if len(names) > 1 else ""
        if name == STANDARD:
            yield Member(STDIN_NAME, HeldBytes(read_bytes(STANDARD)), STDIN_NAME, alone=True)
        elif os.path.isdir(name):
            yield from _in_folder(name, above, avoid)
        else:
            yield from _in_file(name, path_text(os.path.basename(name)), above, alone=True)


def _in_folder(top: str, above: str, avoid: Collection[str]) -> Iterator[Member]:
    troubles: list[OSError] = []
    inside = os.path.join(os.path.realpath(top), "")
    for folder, folders, names in os.walk(top, onerror=troubles.append):
        real = os.path.realpath(folder)
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and os.path.join(real, name) not in avoid
        )
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.startswith(".") or os.path.join(real, name) in avoid:
                continue
            inner = _joined(above, path_text(os.path.relpath(path, top).replace(os.sep, "/")))
            kind = _kind(path, inside)
            if kind is not None:
                yield Member(path_text(path), SpecialFile(kind), inner)
            else:
                yield from _in_file(path, inner, _without_ending(inner), alone=False)
    for trouble in troubles:
        path = str(trouble.filename or top)
        reason = Unreadable(trouble.strerror or str(trouble), trouble.errno or errno.EIO)
        yield Member(path_text(path), reason, _joined(above, path_text(os.path.relpath(path, top))))


def _kind(path: str, inside: str) -> str | None:
    """Say what a path is, if no file to read; `inside` is where links may lead."""
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            if not os.path.realpath(path).startswith(inside):
                return "link"
            mode = os.stat(path).st_mode
    except OSError:
        return "link"
    return None if stat.S_ISREG(mode) else "device"


def _in_file(path: str, inner: str, above: str, *, alone: bool) -> Iterator[Member]:
    """List a file by itself, or the members of an archive, whose paths go below `above`."""
    name = path_text(path)
    try:
        stream, about, head = _begun(path)
    except OSError:
        # Whoever reads it meets the same, and can say so.
        yield Member(name, WholeFile(os.fsencode(path)), inner, alone)
        return
    with stream:
        stamp = f"{about.st_size}-{about.st_mtime_ns}"
        if head.startswith(ZIP_MAGICS):
            yield from _within(_in_zip(stream, path), path, inner, above, stamp)
        elif (tape := _tape(stream, head)) is not None:
            yield from _within(_in_tar(tape, path), path, inner, above, stamp)
        else:
            yield Member(name, WholeFile(os.fsencode(path)), inner, alone, stamp, about.st_size)


def _begun(path: str) -> tuple[IO[bytes], os.stat_result, bytes]:
    """Open a file and look at its first block."""
    stream = open(path, "rb")  # noqa: SIM115 - the caller closes it
    try:
        about, head = os.fstat(stream.fileno()), stream.read(BLOCK)
        stream.seek(0)
    except OSError:
        stream.close()
        raise
    return stream, about, head


def _within(
    listed: Iterator[tuple[str, Piece, int]], path: str, inner: str, above: str, stamp: str
) -> Iterator[Member]:
    """Give an archive's entries as members, up to where it is broken: that is a member as well."""
    name, count = path_text(path), 0
    try:
        for entry, piece, weight in listed:
            count += 1
            if count > limits.current().archive_members:
                raise limits.LimitError("archive_members")
            if not _hidden(entry):
                yield Member(f"{name}/{entry}", piece, _joined(above, entry), False, stamp, weight)
    except InputError as error:
        yield Member(name, Unreadable(error.message, path=os.fsencode(path)), inner, False, stamp)
    except OSError as error:
        yield Member(name, Unreadable(error.strerror or str(error), error.errno or errno.EIO), inner, False, stamp)


def _in_zip(stream: IO[bytes], path: str) -> Iterator[tuple[str, Piece, int]]:
    where = os.fsencode(path)
    for name, entry, trouble, kind in zip_entries(stream):
        yield name, _instead(trouble, kind) or ZipMember(where, entry), entry.packed


def _in_tar(tape: PlainStream | DecompressedStream, path: str) -> Iterator[tuple[str, Piece, int]]:
    where = os.fsencode(path)
    tar = Tar(tape)
    before = 0
    try:
        for entry in tar.entries():
            piece = _instead(entry.trouble, entry.kind) or _tar_piece(tar, tape, entry, where)
            here = tape.tell() + (entry.size if isinstance(tape, PlainStream) else 0)
            yield entry.name, piece, max(0, here - before)
            before = here
    except limits.LimitError:
        raise
    except InputError as error:
        raise InputError(f"is a tar archive that {error.message}") from None


def _tar_piece(tar: Tar, tape: PlainStream | DecompressedStream, entry: Entry, where: bytes) -> Piece:
    if entry.size > limits.current().unpacked_bytes:
        return Unreadable(limits.refusal("unpacked_bytes"))
    if not isinstance(tape, PlainStream):
        return HeldBytes(tar.take())
    if tape.tell() + entry.size > tape.length:
        raise InputError(f"breaks off in the middle of {entry.name}")
    return FileSlice(where, tape.tell(), entry.size)


def _instead(trouble: str | None, kind: str | None) -> Piece | None:
    if kind is not None:
        return SpecialFile(kind)
    return None if trouble is None else Unreadable(trouble)


def _tape(stream: IO[bytes], head: bytes) -> PlainStream | DecompressedStream | None:
    """Give what to read a tar archive from, packed or not; none for a file that is not one."""
    if is_tar(head):
        return PlainStream(stream)
    packing = packing_of(head[:HEAD])
    if packing is None:
        return None
    try:
        begin = DecompressedStream(stream, packing).read(BLOCK)
    except InputError:
        return None
    finally:
        stream.seek(0)
    return DecompressedStream(stream, packing) if is_tar(begin) else None


def _hidden(name: str) -> bool:
    return any(part.startswith(".") and part.strip(".") for part in name.split("/"))


def _joined(above: str, name: str) -> str:
    return f"{above}/{name}" if above else name


def _without_ending(name: str) -> str:
    """Give an archive's name without what says that it is one."""
    stem, ending = os.path.splitext(bare(name))
    return stem if ending.lower() in _ARCHIVES else name
