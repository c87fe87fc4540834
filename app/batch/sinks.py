"""Where the files that are made go: a folder, a tar or zip archive, shards of lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from tarfile import PAX_FORMAT, TarInfo
from typing import Final, Protocol

from mjconv.batch.disk import Growing, put
from mjconv.batch.journal import Entry
from mjconv.batch.plan import PARQUET, Plan
from mjconv.batch.work import Made
from mjconv.batch.zipwriter import ends, local_header
from mjconv.compression import pack, pack_zstd
from mjconv.ir.errors import InputError
from mjconv.sources.tarhead import BLOCK

#: The time of all files in archives, so that the same input gives the same bytes: 1980-01-01, as zip begins there.
TIME: Final = 315_532_800
#: What a file that grows is called in the journal.
DATA: Final = "data"


class Sink(Protocol):
    """Takes what is made, member by member; what it has is whole after each."""

    def restore(self, entry: Entry) -> None:
        """Remember what an earlier run did."""

    def add(self, path: str, made: Made) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a file; give how long each file that grows is now, and what the archive's directory needs."""

    def finish(self, entries: Callable[[], Iterator[Entry]]) -> None:
        """Write what stands at the end; `entries` goes through all that was done."""

    def leave(self) -> None:
        """Let go of the files as they are."""


class Folder:
    """Each file by itself, below a folder."""

    def __init__(self, root: str, temporary: str) -> None:
        self.root = root
        self.temporary = temporary
        self.folder = ""

    def restore(self, entry: Entry) -> None:
        """Nothing is to be remembered."""

    def add(self, path: str, made: Made) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a file; raises `OSError`, and `InputError` where a link that lay there leads out of the folder."""
        target = os.path.join(self.root, *path.split("/"))
        folder = os.path.dirname(target)
        if folder != self.folder:
            os.makedirs(folder, exist_ok=True)
            root = os.path.realpath(self.root)
            if os.path.commonpath([root, os.path.realpath(folder)]) != root:
                raise InputError("is a link out of the folder that is written to", file=folder)
            self.folder = folder
        [data] = made.parts
        put(target, data, self.temporary)
        return {}, ()

    def finish(self, entries: Callable[[], Iterator[Entry]]) -> None:
        """Nothing is left to write."""

    def leave(self) -> None:
        """No file is held."""


class Lines:
    """A game a line, dealt to so many files in turn."""

    def __init__(self, root: str, shards: int) -> None:
        self.games = 0
        self.files = {f"games-{number:05}-of-{shards:05}.jsonl": Growing("") for number in range(shards)}
        for name, file in self.files.items():
            file.path = os.path.join(root, name)

    def restore(self, entry: Entry) -> None:
        """Remember how long the files were, and whose turn it is."""
        for name, size in entry.grown.items():
            if name in self.files:
                self.files[name].size = size
        self.games += entry.counts.games if entry.output is not None else 0

    def add(self, path: str, made: Made) -> tuple[dict[str, int], tuple[int, ...]]:  # noqa: ARG002
        """Write the lines, one a file."""
        names = list(self.files)
        grown = {}
        for line in made.parts:
            name = names[self.games % len(names)]
            file = self.files[name]
            file.append(line)
            # There may be more of them than a process may hold open.
            file.leave()
            grown[name] = file.size
            self.games += 1
        return grown, ()

    def finish(self, entries: Callable[[], Iterator[Entry]]) -> None:  # noqa: ARG002
        """Cut off what is of a run that was cut off, where nothing came after it."""
        for file in self.files.values():
            file.close()

    def leave(self) -> None:
        """No file is held."""


class Tar:
    """A tar archive, each header and each file packed by itself."""

    def __init__(self, path: str, squeeze: Callable[[bytes], bytes]) -> None:
        self.file = Growing(path)
        self.squeeze = squeeze

    def restore(self, entry: Entry) -> None:
        """Remember how long the archive was."""
        self.file.size = entry.grown.get(DATA, self.file.size)

    def add(self, path: str, made: Made) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a header and the bytes behind it."""
        about = TarInfo(path)
        about.size, about.mtime, about.mode = made.size, TIME, 0o644
        self.file.append(self.squeeze(about.tobuf(PAX_FORMAT)) + b"".join(made.parts))
        return {DATA: self.file.size}, ()

    def finish(self, entries: Callable[[], Iterator[Entry]]) -> None:  # noqa: ARG002
        """Write the two blocks that end an archive."""
        self.file.append(self.squeeze(bytes(2 * BLOCK)))
        self.file.leave()

    def leave(self) -> None:
        """Let go of the file."""
        self.file.leave()


class Zip:
    """A zip archive, its directory written from the journal."""

    def __init__(self, path: str) -> None:
        self.file = Growing(path)

    def restore(self, entry: Entry) -> None:
        """Remember how long the archive was."""
        self.file.size = entry.grown.get(DATA, self.file.size)

    def add(self, path: str, made: Made) -> tuple[dict[str, int], tuple[int, ...]]:
        """Write a header and the packed bytes behind it."""
        offset = self.file.size
        data = b"".join(made.parts)
        self.file.append(local_header(path, len(data), made.size, made.crc) + data)
        return {DATA: self.file.size}, (offset, len(data), made.size, made.crc)

    def finish(self, entries: Callable[[], Iterator[Entry]]) -> None:
        """Write the directory."""
        listed = ((entry.output, entry.directory) for entry in entries() if entry.output is not None)
        for piece in ends(listed, self.file.size):
            self.file.append(piece)
        self.file.append(b"")
        self.file.leave()

    def leave(self) -> None:
        """Let go of the file."""
        self.file.leave()


_SQUEEZES: Final[Mapping[str, Callable[[bytes], bytes]]] = {"tar": bytes, "tar.gz": pack, "tar.zst": pack_zstd}


def sink_for(plan: Plan, output: str, data: str, temporary: str) -> Sink:
    """Make the sink that a plan asks for: below `output`, or in the file `data` until it is whole."""
    if plan.shape == "folder":
        return Folder(output, temporary)
    if plan.shape == "lines":
        return Lines(output, plan.shards)
    if plan.shape == PARQUET:
        # Loaded here: pyarrow is slow to load, and need not be there.
        from mjconv.batch.columns import ColumnFile

        return ColumnFile(data, temporary)
    return Zip(data) if plan.shape == "zip" else Tar(data, _SQUEEZES[plan.shape])
