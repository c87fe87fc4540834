"""The manifest that a complete run leaves. ``--resume`` finds damaged files with it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import msgspec

from mjconv.batch.digests import sha256_in
from mjconv.batch.journal import JournalEntry, lines_of, read_entry
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.summary import Summary
from mjconv.files.address import path_text
from mjconv.files.storage import size_and_stamp
from mjconv.files.walk import files_in
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
    for path, _, _, kind, about, _ in files_in(names, avoid):
        # The reading of a file without a size fails too, and reports it.
        with suppress(OSError):
            if kind is None:
                length, stamp = about or size_and_stamp(path)
                size += length
                state.update(f"{path_text(path)}\0{stamp}\n".encode())
    return Survey(size, state.hexdigest())


class Finished(msgspec.Struct, frozen=True):
    """A complete run: versions, the plan with its options, the state of the inputs, and the summary.

    It is the first line of the manifest. A line for each member follows, as the journal has it. `sums` are the
    SHA-256 of the files of the output by name. The lines of the members have the SHA-256 of their own files.
    """

    version: str
    libraries: dict[str, str]
    plan: Plan
    inputs: str
    sums: dict[str, str]
    summary: Summary

    def write(self, paths: RunPaths, entries: Callable[[], Iterator[JournalEntry]]) -> None:
        """Write the manifest, and the list of all SHA-256 in the form of `sha256sum`. Raises `OSError`."""
        _write(paths.finished, map(json_record, chain([self], entries())), paths.temporary)
        _write(paths.sums, self._sum_lines(paths), paths.temporary)

    def restore_sums(self, paths: RunPaths) -> None:
        """Write the list of all SHA-256 again if it is damaged or gone. Raises `OSError`, and `UsageError`."""
        own = hashlib.sha256()
        for line in self._sum_lines(paths):
            own.update(line)
        if sha256_in(paths.sums) != own.hexdigest():
            os.makedirs(paths.work, mode=0o700, exist_ok=True)
            _write(paths.sums, self._sum_lines(paths), paths.temporary)
            paths.remove()

    def _sum_lines(self, paths: RunPaths) -> Iterator[bytes]:
        below = ((one.output, one.written) for one in _entries(paths) if one.output and one.written)
        # Of the manifest last: whoever compares the sums reads no other file before it.
        manifest = ((os.path.basename(path), sha256_in(path)) for path in [paths.finished])
        return (f"{own}  {name}\n".encode() for name, own in chain(below, self.sums.items(), manifest))

    def check(self, paths: RunPaths) -> None:
        """Raise `UsageError` if the manifest has another SHA-256 than the list of all SHA-256 states."""
        last = b""
        with suppress(FileNotFoundError, NotADirectoryError):
            for line in lines_of(paths.sums):
                last = line
        stated, _, name = last.decode(errors="replace").strip().partition("  ")
        if name == os.path.basename(paths.finished) and sha256_in(paths.finished) != stated:
            sums = os.path.basename(paths.sums)
            reason = f"is damaged: its SHA-256 is not the one in {sums}; --force starts again"
            raise UsageError(reason, file=paths.finished)

    @classmethod
    def read(cls, path: str) -> Finished | None:
        """Read the first line of the manifest; None if there is none. Raises `UsageError` if it is damaged."""
        try:
            return msgspec.json.decode(next(lines_of(path), b""), type=cls)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except msgspec.DecodeError as error:
            reason = f"is damaged, or of another version of mjconv ({error}); --force starts again"
            raise UsageError(reason, file=path) from None

    def damage(self, paths: RunPaths) -> Damage:
        """Compare the output with the manifest: every file is read. Raises `UsageError` for a damaged manifest."""
        folder = paths.output if paths.in_folder else os.path.dirname(paths.output)
        files = [name for name, own in self.sums.items() if sha256_in(os.path.join(folder, name)) != own]
        damage = Damage(files, {})
        for entry in _entries(paths):
            if entry.output and entry.written:
                path = os.path.join(folder, *entry.output.split("/"))
                if sha256_in(path) != entry.written:
                    damage.members.setdefault(entry.member, []).append(entry)
        return damage


class Damage(NamedTuple):
    """The damaged or missing parts of an output: `files` by name; of other files the entries in `members`."""

    files: list[str]
    members: dict[str, list[JournalEntry]]

    def __bool__(self) -> bool:
        return bool(self.files or self.members)


def _entries(paths: RunPaths) -> Iterator[JournalEntry]:
    """Yield the lines of the manifest behind the first. Raises `UsageError` for a damaged manifest."""
    lines = lines_of(paths.finished)
    next(lines)
    try:
        yield from map(read_entry.decode, lines)
    except msgspec.DecodeError as error:
        raise UsageError(f"is damaged ({error}); --force starts again", file=paths.finished) from None


def _write(path: str, lines: Iterable[bytes], temporary: str) -> None:
    with open(temporary, "wb") as stream:
        stream.writelines(lines)
    os.replace(temporary, path)
