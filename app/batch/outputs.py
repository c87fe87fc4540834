"""The outputs of a run: a folder, a tar or zip archive, or shards with one match per line."""

import os
from collections.abc import Callable, Iterable, Iterator
from tarfile import PAX_FORMAT, TarInfo
from typing import Final, TypeAlias

from mjconv.batch.journal import AppendFile, JournalEntry, replace_file
from mjconv.batch.paths import RunPaths
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, OutputData
from mjconv.files import zips
from mjconv.files.members import Member
from mjconv.files.tars import BLOCK
from mjconv.ir.errors import InputError

#: Reads the journal from its beginning.
Entries: TypeAlias = Callable[[], Iterator[JournalEntry]]
#: Gives members to the workers, and yields each with its outcome, in the same order.
ConvertAll: TypeAlias = Callable[[Iterator[Member]], Iterator[tuple[Member, Outcome]]]

#: The time of all files in archives, fixed so that the same input gives the same bytes: 1980-01-01.
TIME: Final = 315_532_800
#: The name of an archive in the sizes of a journal entry.
DATA: Final = "data"


class Output:
    """Writes the output member by member; after each member its files are consistent.

    The output is below the folder of the paths, or in the file `RunPaths.data` until it is complete. `changed` are
    the files and folders that were written since the last call of `written`.
    """

    def __init__(self, plan: Plan, paths: RunPaths) -> None:
        self.plan = plan
        self.paths = paths
        self.verify = plan.options.verify
        self.changed: set[str] = set()

    def restore(self, entry: JournalEntry) -> None:
        """Restore the state after a member that an interrupted run finished."""

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a file; return the new sizes of the growing files, and the fields for the archive's directory.

        For lines and tables, `path` is the name of the split.
        """
        raise NotImplementedError

    def files(self) -> list[tuple[str, str]]:
        """Return the split and the path of each file that is no member's own."""
        return []

    def written(self) -> set[str]:
        """Return the paths of files and folders that were written, or may be new, since the last call."""
        changed, self.changed = self.changed, set()
        return changed

    def finish(self, entries: Entries, convert: ConvertAll) -> None:
        """Complete the output after the last member.

        `entries` reads the journal from its beginning. `convert` gives members to the workers.
        """

    def collected(self) -> list[tuple[str, str, int, int]]:
        """Return the split, folder, size in bytes and number of rows of what `STREAMS` collected, in order."""
        return []

    def close(self) -> None:
        """Close the files without a change."""


class FolderOutput(Output):
    """A file for each member, below a folder."""

    folder = ""

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a file; raises `OSError`, and `InputError` if an existing link leads out of the folder."""
        target = os.path.join(self.paths.output, *path.split("/"))
        folder = os.path.dirname(target)
        if folder != self.folder:
            os.makedirs(folder, exist_ok=True)
            root = os.path.realpath(self.paths.output)
            if os.path.commonpath([root, os.path.realpath(folder)]) != root:
                raise InputError("is a link to a place outside the output folder", file=folder)
            self.folder = folder
        [content] = data.parts
        replace_file(target, content, self.paths.temporary, verify=self.verify)
        self.changed.add(target)
        # The folders above may be new too.
        while folder not in self.changed and len(folder) >= len(self.paths.output):
            self.changed.add(folder)
            folder = os.path.dirname(folder)
        return {}, ()


class ShardOutput(Output):
    """A fixed number of files of each split with one match per line; its matches go to the files in turn."""

    def __init__(self, plan: Plan, paths: RunPaths) -> None:
        super().__init__(plan, paths)
        self.matches = dict.fromkeys(plan.splits, 0)
        ends = [f"-{number:05}-of-{plan.shards:05}.jsonl" for number in range(plan.shards)]
        begins = {split: os.path.join(paths.output, split or "matches") for split in plan.splits}
        self.shards = {
            split: [AppendFile(f"{begin}{end}", verify=self.verify) for end in ends]
            for split, begin in begins.items()
        }

    def restore(self, entry: JournalEntry) -> None:
        """Restore the sizes of the files and the numbers of matches."""
        if entry.output is not None:
            for file in self.shards[entry.split]:
                file.size = entry.sizes.get(os.path.basename(file.path), file.size)
            self.matches[entry.split] += entry.counts.matches

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write each line to the next file of a split."""
        shards = self.shards[path]
        sizes = {}
        for line in data.parts:
            file = shards[self.matches[path] % len(shards)]
            file.append(line)
            # A process may not hold so many files open.
            file.close()
            sizes[os.path.basename(file.path)] = file.size
            self.changed.add(file.path)
            self.matches[path] += 1
        return sizes, ()

    def files(self) -> list[tuple[str, str]]:
        """Return the files with lines."""
        return [(split, file.path) for split, shards in self.shards.items() for file in shards]

    def finish(self, entries: Entries, convert: ConvertAll) -> None:  # noqa: ARG002
        """Cut off bytes of an interrupted run that no later line replaced."""
        for shards in self.shards.values():
            for file in shards:
                file.finish()


class _ArchiveOutput(Output):
    """An archive in one growing file."""

    def __init__(self, plan: Plan, paths: RunPaths) -> None:
        super().__init__(plan, paths)
        self.file = AppendFile(paths.data, verify=self.verify)

    def restore(self, entry: JournalEntry) -> None:
        """Restore the size of the archive."""
        self.file.size = entry.sizes.get(DATA, self.file.size)

    def written(self) -> set[str]:
        """Return the archive."""
        return {self.file.path}

    def files(self) -> list[tuple[str, str]]:
        """Return the archive."""
        return [("", self.file.path)]

    def close(self) -> None:
        """Close the archive without a change."""
        self.file.close()


class TarOutput(_ArchiveOutput):
    """A tar archive; each header and each file is a compressed frame of its own."""

    def __init__(self, compress: Callable[[bytes], bytes], plan: Plan, paths: RunPaths) -> None:
        super().__init__(plan, paths)
        self.compress = compress

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a header and the file after it."""
        header = TarInfo(path)
        header.size, header.mtime, header.mode = data.size, TIME, 0o644
        self.file.append(self.compress(header.tobuf(PAX_FORMAT)) + b"".join(data.parts))
        return {DATA: self.file.size}, ()

    def finish(self, entries: Entries, convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the two blocks that end an archive."""
        self.file.append(self.compress(bytes(2 * BLOCK)))
        self.file.close()


class ZipOutput(_ArchiveOutput):
    """A zip archive; its directory is written from the journal."""

    def add(self, path: str, data: OutputData) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a header and the packed file after it."""
        offset = self.file.size
        packed = b"".join(data.parts)
        self.file.append(local_header(path, len(packed), data.size, data.crc) + packed)
        return {DATA: self.file.size}, (offset, len(packed), data.size, data.crc)

    def finish(self, entries: Entries, convert: ConvertAll) -> None:  # noqa: ARG002
        """Write the directory."""
        files = ((entry.output, entry.directory) for entry in entries() if entry.output is not None)
        for piece in directory(files, self.file.size):
            self.file.append(piece)
        self.file.append(b"")
        self.file.close()


#: The versions of zip that can read an archive: without and with zip64 fields, which hold more than 4 GiB.
_VERSION: Final = 20
_VERSION64: Final = 45
_UNIX: Final = 3 << 8
_DEFLATE: Final = 8
#: 1980-01-01 as zip writes dates.
_DATE: Final = 1 << 5 | 1
_MODE: Final = 0o100644 << 16


def local_header(name: str, packed: int, size: int, crc: int) -> bytes:
    """Return the header before the packed bytes of a file; sizes in bytes."""
    encoded = name.encode()
    large = max(packed, size) >= zips.FULL
    extra = _zip64_field(size, packed) if large else b""
    sizes = (zips.FULL, zips.FULL) if large else (packed, size)
    version = _VERSION64 if large else _VERSION
    fields = (version, zips.UTF8, _DEFLATE, 0, _DATE, crc, *sizes, len(encoded), len(extra))
    return zips.LOCAL.pack(zips.LOCAL_MAGIC, *fields) + encoded + extra


def directory(files: Iterable[tuple[str, tuple[int, ...]]], begin: int) -> Iterator[bytes]:
    """Return the directory of a zip archive piece by piece.

    Each file is a name with its offset, packed size, size and checksum. `begin` is the offset of the directory.
    """
    count = length = 0
    for name, (offset, packed, size, crc) in files:
        entry = _directory_entry(name, offset, packed, size, crc)
        count += 1
        length += len(entry)
        yield entry
    if count >= zips.MANY or length >= zips.FULL or begin >= zips.FULL:
        sizes = (count, count, length, begin)
        yield zips.END64.pack(zips.END64_MAGIC, zips.END64.size - 12, _VERSION64 | _UNIX, _VERSION64, 0, 0, *sizes)
        yield zips.LOCATOR64.pack(zips.LOCATOR64_MAGIC, 0, begin + length, 1)
    few = min(count, zips.MANY)
    yield zips.END.pack(zips.END_MAGIC, 0, 0, few, few, min(length, zips.FULL), min(begin, zips.FULL), 0)


def _directory_entry(name: str, offset: int, packed: int, size: int, crc: int) -> bytes:
    encoded = name.encode()
    large = [value for value in (size, packed, offset) if value >= zips.FULL]
    extra = _zip64_field(*large) if large else b""
    version = _VERSION64 if large else _VERSION
    packed, size, offset = (min(value, zips.FULL) for value in (packed, size, offset))
    fields = (version | _UNIX, version, zips.UTF8, _DEFLATE, 0, _DATE, crc, packed, size)
    rest = (len(encoded), len(extra), 0, 0, 0, _MODE, offset)
    return zips.ENTRY.pack(zips.ENTRY_MAGIC, *fields, *rest) + encoded + extra


def _zip64_field(*values: int) -> bytes:
    data = b"".join(value.to_bytes(8, "little") for value in values)
    return zips.ZIP64_FIELD.to_bytes(2, "little") + len(data).to_bytes(2, "little") + data
