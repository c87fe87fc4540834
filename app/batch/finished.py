"""The file that a complete run leaves. By it, ``--resume`` knows that the run is complete."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec import Struct

from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.summary import Summary
from mjconv.files.members import path_text
from mjconv.files.storage import is_folder, size_and_stamp
from mjconv.files.walk import FoundFile, found_below
from mjconv.ir.errors import UsageError
from mjconv.messages import json_record


class Survey(NamedTuple):
    """The inputs before a run: their size in bytes, and a digest of the name, size and time of each file."""

    size: int
    state: str


def survey(names: list[str], avoid: Collection[str] = ()) -> Survey:
    """Return the size and state of files and folders, without reading them.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.mjson").write_bytes(b"123"), (folder / "b.mjson").write_bytes(b"45")
    >>> survey([str(folder)]).size
    5
    """
    size = 0
    state = hashlib.blake2b(digest_size=16)
    for path, length, stamp in _files(names, avoid):
        size += length
        state.update(f"{path_text(path)}\0{stamp}\n".encode())
    return Survey(size, state.hexdigest())


def _files(names: list[str], avoid: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """List the files: path, size in bytes, and stamp."""
    for name in names:
        below = found_below(name, "", avoid, []) if is_folder(name) else [FoundFile(name, "", None, None)]
        for path, _, kind, about in below:
            # The reading of a file without a size fails too, and reports it.
            with suppress(OSError):
                if kind is None:
                    yield path, *(about or size_and_stamp(path))


class Finished(Struct, frozen=True):
    """A complete run: the version of mjconv, the plan, the state of the inputs, and the summary.

    `size` is that of an output archive in bytes, and 0 for a folder.
    """

    version: str
    plan: Plan
    inputs: str
    size: int
    summary: Summary

    def encoded(self) -> bytes:
        """Return the bytes of the file."""
        return json_record(self)

    @classmethod
    def read(cls, path: str) -> Finished | None:
        """Read the file; None if there is none. Raises `UsageError` if it is damaged."""
        try:
            with open(path, "rb") as stream:
                return msgspec.json.decode(stream.read(), type=cls)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except msgspec.DecodeError as error:
            reason = f"is damaged, or of another version of mjconv ({error}); --force starts again"
            raise UsageError(reason, file=path) from None

    def is_there(self, paths: RunPaths) -> bool:
        """Return whether the output of the run is still there."""
        if not paths.in_folder:
            return paths.has_output() and os.path.getsize(paths.output) == self.size
        return paths.has_output() if self.summary.converted or self.summary.failed else os.path.isdir(paths.output)
