"""The entries of a tar archive, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from mjconv.ir.errors import InputError
from mjconv.sources import tarhead
from mjconv.sources.tarhead import BLOCK, Header

#: The most that a header of many blocks may hold, in bytes: a long name, records of pax.
LONGEST_HEADER: Final = 1 << 20


class ForwardStream(Protocol):
    """A stream that is read forward."""

    def read(self, size: int, /) -> bytes:
        """Read so many bytes, or what is left."""

    def skip(self, size: int, /) -> int:
        """Go forward; give how many bytes that was, fewer where the stream ends."""


class Entry(NamedTuple):
    """A file of the archive: its name and size; `kind` what it is but a file, `trouble` why it cannot be read."""

    name: str
    size: int
    kind: str | None = None
    trouble: str | None = None


class Tar:
    """A tar archive on a tape: `entries` lists what is in it, and the bytes of each are taken in between."""

    def __init__(self, tape: ForwardStream) -> None:
        self.tape = tape
        self.left = 0
        self.padding = 0
        self.position = 0
        self.name = "a header"

    def entries(self) -> Iterator[Entry]:
        """List the files, links and devices; raises `InputError` where the archive is broken or breaks off."""
        said: dict[bytes, bytes] = {}
        for_all: dict[bytes, bytes] = {}
        while (header := self._header()) is not None:
            if header.kind in tarhead.PAX or header.kind in (tarhead.PAX_FOR_ALL, tarhead.LONG_NAME):
                content = self._long(header)
                if header.kind == tarhead.LONG_NAME:
                    said[b"path"] = content.rstrip(b"\0")
                else:
                    (for_all if header.kind == tarhead.PAX_FOR_ALL else said).update(tarhead.pax_records(content))
                continue
            if header.kind == tarhead.LONG_LINK:
                self._long(header)
                continue
            records, said = {**for_all, **said}, {}
            entry = self._entry(header, records)
            self.left, self.padding, self.name = entry.size, -entry.size % BLOCK, entry.name
            if header.kind != tarhead.FOLDER:
                yield entry
            self._pass_over()

    def take(self) -> bytes:
        """Read the bytes of the entry that was listed last; raises `InputError` where the archive breaks off."""
        data = self.tape.read(self.left)
        self.position += len(data)
        self.left -= len(data)
        if self.left:
            raise InputError(f"breaks off in the middle of {self.name}")
        return data

    def _entry(self, header: Header, records: dict[bytes, bytes]) -> Entry:
        name = records.get(b"path", header.name).decode("utf-8", "backslashreplace")
        try:
            size = int(records.get(b"size", header.size))
        except ValueError:
            raise InputError("a pax header holds no number where one should be") from None
        if header.kind in tarhead.LINKS:
            # What it links to has its bytes; some archives state its size all the same.
            return Entry(name, 0, "link")
        if header.kind == tarhead.SPARSE or any(key.startswith(b"GNU.sparse.") for key in records):
            return Entry(name, size, trouble="is stored as a sparse file, which is not read")
        if size < 0:
            raise InputError("a pax header says that a size is below zero")
        known = header.kind in tarhead.FILES or header.kind == tarhead.FOLDER
        return Entry(name, size, None if known else "device")

    def _header(self) -> Header | None:
        """Read the next header; none at the end. Blocks of zeros end an archive, and another may follow them."""
        while block := self.tape.read(BLOCK):
            self.position += len(block)
            if len(block) < BLOCK:
                raise InputError(f"breaks off at byte {self.position}")
            if any(block):
                try:
                    return tarhead.parse(block)
                except InputError as error:
                    raise InputError(f"is broken at byte {self.position - BLOCK} ({error.message})") from None
        return None

    def _long(self, header: Header) -> bytes:
        if header.size > LONGEST_HEADER:
            raise InputError(f"is broken at byte {self.position} (a header of {header.size} bytes)")
        self.left, self.padding = header.size, -header.size % BLOCK
        content = self.take()
        self._pass_over()
        return content

    def _pass_over(self) -> None:
        size = self.left + self.padding
        done = self.tape.skip(size)
        self.position += done
        if done < self.left:
            raise InputError(f"breaks off in the middle of {self.name}")
        self.left = self.padding = 0
