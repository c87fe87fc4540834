"""The journal of a run, one line for each finished member, and files that survive an interruption.

`--resume` reads the journal. It cuts each growing file back to the size in the last line, so a run that was
interrupted between a write and its line does that member again.
"""

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct, field

from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Counts
from mjconv.files.writing import naming
from mjconv.ir.errors import UsageError

_NAME: Final = "journal.jsonl"
#: The longest line of a journal, in bytes: that of a member with millions of matches.
_LONGEST: Final = 1 << 28
#: The time between two writes to the journal, in seconds.
_WRITE_SECONDS: Final = 1.0
#: The most members whose journal entries wait for that.
_MOST_WAITING: Final = 1_000
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)


def write_fully(handle: int, data: bytes, name: str) -> None:
    """Write all of the data; raises `OSError` with the name, and may then have written a part."""
    rest = memoryview(data)
    with naming(name):
        while rest:
            rest = rest[os.write(handle, rest) :]


def check_written(path: str, offset: int, data: bytes) -> None:
    """Read data again that was written at an offset of a file. Raises `OSError` if the file has other bytes."""
    with open(path, "rb", buffering=0) as stream:
        stream.seek(offset)
        if stream.read() != data:
            raise OSError(errno.EIO, "The file does not hold the bytes that were written", path)


def replace_file(path: str, data: bytes, temporary: str, *, verify: bool = False) -> None:
    """Write a file through a temporary file on the same disk: it is complete or unchanged. Raises `OSError`.

    With `verify`, the file is read again before it replaces the other.
    """
    with open(temporary, "wb", buffering=0) as stream:
        write_fully(stream.fileno(), data, path)
    if verify:
        check_written(temporary, 0, data)
    os.replace(temporary, path)


def sync_paths(paths: Iterable[str]) -> None:
    """Write the bytes of files, and the names in folders, to the disk; skip missing paths. Raises `OSError`."""
    # Windows writes the names in a folder by itself, and syncs only a file that is open for writing.
    windows = os.name == "nt"
    for path in paths:
        if windows and os.path.isdir(path):
            continue
        with suppress(FileNotFoundError):
            handle = os.open(path, os.O_RDWR if windows else os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


class AppendFile:
    """A file that only grows. Opening it cuts off the bytes after `size`, which an interrupted run wrote.

    With `verify`, the written bytes are read again and compared.
    """

    def __init__(self, path: str, size: int = 0, *, verify: bool = False) -> None:
        self.path = path
        self.size = size
        self.verify = verify
        self._handle: int | None = None

    def append(self, data: bytes) -> None:
        """Write at the end; raises `OSError`."""
        write_fully(self._open(), data, self.path)
        if self.verify:
            check_written(self.path, self.size, data)
        self.size += len(data)

    def finish(self) -> None:
        """Cut the file to `size` and close it; an empty file is removed."""
        if self.size or self._handle is not None or os.path.lexists(self.path):
            os.close(self._open())
            self._handle = None
        if not self.size:
            with suppress(FileNotFoundError):
                os.unlink(self.path)

    def close(self) -> None:
        """Close the file without a change; a later `append` opens it again."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _open(self) -> int:
        if self._handle is None:
            self._handle = os.open(self.path, _FLAGS, 0o666)
            os.ftruncate(self._handle, self.size)
            os.lseek(self._handle, self.size, os.SEEK_SET)
        return self._handle


class JournalHead(Struct, frozen=True):
    """The first line of a journal: the version of mjconv and the plan."""

    version: str
    plan: Plan


class JournalEntry(Struct, frozen=True, omit_defaults=True):
    """A finished member, its result, and the new sizes of the growing files.

    `output` is the name of the output file. For a member without output, `failed` is the kind of failure or
    `skipped` the reason. `directory` holds the fields for the directory of a zip archive. `weight` counts bytes
    of the input. `read` is the SHA-256 of the member's bytes, and `written` that of its output file in a folder.
    `plays` are the digests of the matches in the output, with ``--dedup`` or ``--split``. A member has an entry
    for each split that has some of its matches: `more` is true for all except the last.
    """

    member: str
    stamp: str
    output: str | None = None
    failed: str | None = None
    skipped: str | None = None
    kept: str | None = None
    counts: Counts = field(default_factory=Counts)
    warnings: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    directory: tuple[int, ...] = ()
    weight: int = 0
    read: str = ""
    written: str = ""
    split: str = ""
    plays: tuple[str, ...] = ()
    more: bool = False


def lines_of(path: str) -> Iterator[bytes]:
    """Yield the lines of a file, with their ends. Raises `OSError`."""
    with open(path, "rb") as stream:
        yield from iter(lambda: stream.readline(_LONGEST), b"")


_read_head: Final = msgspec.json.Decoder(JournalHead)
read_entry: Final = msgspec.json.Decoder(JournalEntry)


class Journal:
    """The journal in the work folder of a run; call `create`, or read all `entries`, before `add`.

    `grown` returns the paths whose bytes must be on the disk before their members are listed. If it is None, the
    run does not survive a power failure, and nothing waits for the disk.
    """

    def __init__(self, folder: str, grown: Callable[[], Iterable[str]] | None = None) -> None:
        self.path = os.path.join(folder, _NAME)
        self._file = AppendFile(self.path)
        self._grown = grown
        self._waiting: list[JournalEntry] = []
        self._written = time.monotonic()

    def create(self, head: JournalHead) -> None:
        """Write the first line; from then on `--resume` can continue the run."""
        line = msgspec.json.encode(head) + b"\n"
        replace_file(self.path, line, self.path + ".tmp")
        sync_paths([self.path, os.path.dirname(self.path)])
        self._file = AppendFile(self.path, len(line))

    def head(self) -> JournalHead | None:
        """Return the first line; None if there is no journal. Raises `UsageError` if the line is damaged."""
        try:
            return _read_head.decode(next(lines_of(self.path), b""))
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise self._damaged(f"its first line: {error}") from None

    def entries(self) -> Iterator[JournalEntry]:
        """Return the entries up to the last complete member; later entries are appended after them.

        Raises `UsageError` if the journal is damaged.
        """
        lines = lines_of(self.path)
        size = position = len(next(lines, b""))
        waiting: list[JournalEntry] = []
        for line in lines:
            if not line.endswith(b"\n"):
                break
            try:
                entry = read_entry.decode(line)
            except msgspec.DecodeError as error:
                raise self._damaged(f"at byte {position}: {error}") from None
            position += len(line)
            waiting.append(entry)
            if not entry.more:
                size = position
                yield from waiting
                waiting.clear()
        self._file.close()
        self._file = AppendFile(self.path, size)

    def add(self, entry: JournalEntry) -> None:
        """Add an entry, which `write` writes."""
        self._waiting.append(entry)

    def write(self, *, only_if_due: bool = False) -> None:
        """Write the entries that wait, after the bytes of their members. Raises `OSError`."""
        due = time.monotonic() - self._written >= _WRITE_SECONDS or len(self._waiting) >= _MOST_WAITING
        if not self._waiting or (only_if_due and not due and self._grown is not None):
            return
        if self._grown is not None:
            sync_paths(self._grown())
        waiting, self._waiting = self._waiting, []
        self._file.append(b"".join(msgspec.json.encode(entry) + b"\n" for entry in waiting))
        if self._grown is not None:
            sync_paths([self.path])
        self._written = time.monotonic()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _damaged(self, where: str) -> UsageError:
        reason = f"is damaged, or of another version of mjconv ({where}); --force starts again"
        return UsageError(reason, file=self.path)
