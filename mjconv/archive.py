"""The files of a folder or a zip archive, one by one."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mjconv.files import STANDARD, STDIN_NAME, ZIP_MAGICS, read_bounded, read_bytes, unpack
from mjconv.ir.errors import InputError


@dataclass(frozen=True)
class Member:
    """A file by itself, in a folder or in an archive: its name as errors show it, and how to read it.

    `read` gives the bytes, decompressed; it raises `OSError`, and `InputError` where they are too many or broken.
    `alone` tells a file that the caller named from one that lay there.
    """

    name: str
    read: Callable[[], bytes]
    alone: bool = False


def members(path: str) -> Iterator[Member]:
    """List a file, the files of a folder and all folders in it, or those of a zip archive, in order of names.

    Hidden files are passed over, and links to folders not followed. A zip archive in a folder counts for its
    members. Raises `OSError` when there is nothing at `path`, `InputError` for a broken archive.
    """
    if path == STANDARD:
        yield Member(STDIN_NAME, lambda: read_bytes(STANDARD), alone=True)
    elif not os.path.isdir(path):
        yield from _in_file(path, alone=True)
    else:
        for folder, folders, names in os.walk(path, onerror=_raise):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    yield from _in_file(os.path.join(folder, name), alone=False)


def _raise(error: OSError) -> None:
    raise error


def _in_file(path: str, *, alone: bool) -> Iterator[Member]:
    if _is_zip(path):
        yield from _in_zip(path)
    else:
        yield Member(path, lambda: read_bytes(path), alone)


def _is_zip(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as stream:
        return stream.read(4).startswith(ZIP_MAGICS)


def _in_zip(path: str) -> Iterator[Member]:
    # Loaded here: few inputs are archives, and the import is slow.
    from zipfile import BadZipFile, ZipFile, ZipInfo

    def read(archive: ZipFile, info: ZipInfo, name: str) -> bytes:
        try:
            with archive.open(info) as stream:
                # The size an archive states may be false: what comes out is counted.
                return unpack(read_bounded(stream, name), name)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise InputError(f"cannot be read from the archive ({error})", file=name) from None

    try:
        archive = ZipFile(path)
    except (BadZipFile, NotImplementedError, ValueError) as error:
        raise InputError(f"is a broken zip archive ({error})", file=path) from None
    with archive:
        for info in sorted(archive.infolist(), key=lambda info: info.filename):
            hidden = any(part.startswith(".") for part in info.filename.split("/"))
            if not info.is_dir() and not hidden:
                name = f"{path}/{info.filename}"
                yield Member(name, lambda info=info, name=name: read(archive, info, name))  # type: ignore[misc]
