"""List the entries of a tar archive in order.

`tarfile` is not used: after a damaged header it silently ends its list, so files would be lost without a
message. This reader raises `InputError` there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from mjconv.ir.errors import InputError
from mjconv.sources import tarhead
from mjconv.sources.tarhead import BLOCK, TarHeader

#: The largest header of several blocks, in bytes: a long name, or pax records.
LONGEST_HEADER: Final = 1 << 20


class ForwardStream(Protocol):
    """A stream that is read forward."""

    def read(self, size: int, /) -> bytes:
        """Read `size` bytes, or fewer at the end."""

    def skip(self, size: int, /) -> int:
        """Skip bytes; return the number skipped, which is smaller at the end of the stream."""


class TarEntry(NamedTuple):
    """An entry: its name and size in bytes; `kind` if it is not a file, `trouble` if it cannot be read."""

    name: str
    size: int
    kind: str | None = None
    trouble: str | None = None


class TarReader:
    """A tar archive: `entries` lists its entries, and `take` reads the bytes of the entry listed last."""

    def __init__(self, stream: ForwardStream) -> None:
        self.stream = stream
        self.left = 0
        self.padding = 0
        self.position = 0
        self.name = "a header"

    def entries(self) -> Iterator[TarEntry]:
        """List the files, links and devices; raises `InputError` if the archive is broken or ends too early."""
        own: dict[bytes, bytes] = {}
        for_all: dict[bytes, bytes] = {}
        while (header := self._header()) is not None:
            if header.kind in tarhead.PAX or header.kind in (tarhead.PAX_FOR_ALL, tarhead.LONG_NAME):
                content = self._long(header)
                if header.kind == tarhead.LONG_NAME:
                    own[b"path"] = content.rstrip(b"\0")
                else:
                    (for_all if header.kind == tarhead.PAX_FOR_ALL else own).update(tarhead.pax_records(content))
                continue
            if header.kind == tarhead.LONG_LINK:
                self._long(header)
                continue
            records, own = {**for_all, **own}, {}
            entry = self._entry(header, records)
            self.left, self.padding, self.name = entry.size, -entry.size % BLOCK, entry.name
            if header.kind != tarhead.FOLDER:
                yield entry
            self._skip_rest()

    def take(self) -> bytes:
        """Read the bytes of the entry listed last; raises `InputError` if the archive ends too early."""
        data = self.stream.read(self.left)
        self.position += len(data)
        self.left -= len(data)
        if self.left:
            raise InputError(f"ends in the middle of {self.name}")
        return data

    def _entry(self, header: TarHeader, records: dict[bytes, bytes]) -> TarEntry:
        name = records.get(b"path", header.name).decode("utf-8", "backslashreplace")
        try:
            size = int(records.get(b"size", header.size))
        except ValueError:
            raise InputError("a pax header has no valid number") from None
        if header.kind in tarhead.LINKS:
            # A link has no data, although some archives state a size.
            return TarEntry(name, 0, "link")
        if header.kind == tarhead.SPARSE or any(key.startswith(b"GNU.sparse.") for key in records):
            return TarEntry(name, size, trouble="is a sparse file, which mjconv cannot read")
        if size < 0:
            raise InputError("a pax header has a negative size")
        known = header.kind in tarhead.FILES or header.kind == tarhead.FOLDER
        return TarEntry(name, size, None if known else "device")

    def _header(self) -> TarHeader | None:
        """Read the next header; None at the end. Zero blocks end an archive, but another archive may follow."""
        while block := self.stream.read(BLOCK):
            self.position += len(block)
            if len(block) < BLOCK:
                raise InputError(f"ends too early, at byte {self.position}")
            if any(block):
                try:
                    return tarhead.parse(block)
                except InputError as error:
                    raise InputError(f"is broken at byte {self.position - BLOCK} ({error.message})") from None
        return None

    def _long(self, header: TarHeader) -> bytes:
        if header.size > LONGEST_HEADER:
            raise InputError(f"is broken at byte {self.position} (a header of {header.size} bytes)")
        self.left, self.padding = header.size, -header.size % BLOCK
        content = self.take()
        self._skip_rest()
        return content

    def _skip_rest(self) -> None:
        size = self.left + self.padding
        done = self.stream.skip(size)
        self.position += done
        if done < self.left:
            raise InputError(f"ends in the middle of {self.name}")
        self.left = self.padding = 0
