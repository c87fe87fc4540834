"""Read files on disk and files at addresses by the same calls."""

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Final

from mjconv.converters import formats
from mjconv.files import remote
from mjconv.files.address import is_address, last_part

#: Two ranges of a file with at most this many bytes between them are one request, which is faster than two.
_GAP: Final = 1 << 16

#: Files in memory by their names: a name here is never looked for on disk. Only `mjconv serve` holds files so.
held: Final[dict[str, bytes]] = {}


def record_in(name: str) -> bytes | None:
    """Return the record that an address itself holds, such as a link to a viewer; None for any other name.

    >>> record_in("https://host/logs.zip"), record_in("https://tenhou.net/6/#json={}")
    (None, b'https://tenhou.net/6/#json={}')
    """
    # No host has blanks. Results of games on one line are a record, with anything before them.
    host = name.partition("://")[2].partition("/")[0]
    data = os.fsencode(name) if is_address(name) and host.split() == [host] else b""
    return data if data and formats.recognise(data) is not None else None


def with_scheme(name: str) -> str:
    """Return an input; a link that holds a record gets the ``https://`` that a browser did not copy.

    >>> with_scheme("tenhou.net/6/#json={}"), with_scheme("tenhou.net/6.json")
    ('https://tenhou.net/6/#json={}', 'tenhou.net/6.json')
    """
    link = f"https://{name}"
    return name if is_address(name) or os.path.lexists(name) or record_in(link) is None else link


def matching(name: str) -> list[str]:
    """Return the files that a pattern such as ``logs/*.hk`` matches. A name without a match comes alone.

    Many shells expand patterns themselves. That of Windows does not.
    """
    if is_address(name) or os.path.lexists(name) or not any(sign in name for sign in "*?["):
        return [name]
    # Imported here: most names are no patterns, and every start of the command would pay for it.
    from glob import glob

    return sorted(glob(name, recursive=True)) or [name]


def in_memory(name: str) -> bytes | None:
    """Return the bytes of a file in memory, or the record that an address itself is; None for any other name."""
    return held[name] if name in held else record_in(name)


def open_for_reading(path: str | bytes, size: int | None = None) -> IO[bytes]:
    """Open a file; `size` is its size in bytes, if it is known. Raises `OSError` and `StorageError`."""
    name = os.fsdecode(path)
    if (data := in_memory(name)) is not None:
        return BytesIO(data)
    if not is_address(name):
        return open(path, "rb")
    return remote.open_stream(name, None if size is None else remote.About(size, ""))


def is_folder(path: str) -> bool:
    """Return whether a folder exists at a path or address."""
    if in_memory(path) is not None:
        return False
    if not is_address(path):
        return os.path.isdir(path)
    return remote.describe(path) is None


def size_and_stamp(path: str) -> tuple[int, str]:
    """Return the size of a file in bytes, and a stamp that changes with its contents. Raises `OSError`."""
    if (data := in_memory(path)) is not None:
        return len(data), ""
    if not is_address(path):
        status = os.stat(path)
        return status.st_size, f"{status.st_size}-{status.st_mtime_ns}"
    return remote.describe(path) or (0, "")


def base_name(path: str) -> str:
    """Return the last part of a path or address, without the parameters of an address.

    >>> base_name("logs/2024.zip"), base_name("s3://logs/2024/")
    ('2024.zip', '2024')
    """
    return last_part(path) if is_address(path) else os.path.basename(os.path.abspath(path))


@contextmanager
def lent_stream(path: bytes, stamp: str) -> Iterator[IO[bytes]]:
    """Open a file for one of many reads. The stream of an address stays open and keeps its bytes read ahead.

    `stamp` is that of the file: a file that changed is opened again.
    """
    if not is_address(path):
        with open_for_reading(path) as stream:
            yield stream
        return
    if getattr(_kept, "key", None) != (path, stamp):
        _kept.stream, _kept.key = open_for_reading(path), (path, stamp)
    yield _kept.stream


#: The last stream of each thread.
_kept: Final = threading.local()


def read_ranges(ranges: Sequence[tuple[str, int, int]]) -> list[bytes]:
    """Read bytes of several files: path, begin and end of each range, in any order.

    Ranges of one file that are close to each other are read at once. A file that is shorter than the end of a
    range returns fewer bytes. Raises `OSError` and `StorageError`.

    >>> read_ranges([(__file__, 3, 7), (__file__, 0, 3)])
    [b'Read', b'\"\"\"']
    """
    spans = _spans(ranges)
    downloaded = iter(remote.read_ranges([span[:3] for span in spans if is_address(span[0])]))
    results = [b""] * len(ranges)
    for path, begin, end, numbers in spans:
        data = next(downloaded) if is_address(path) else _read_part(path, begin, end)
        for number in numbers:
            results[number] = data[ranges[number][1] - begin : ranges[number][2] - begin]
    return results


def _read_part(path: str, begin: int, end: int) -> bytes:
    with open(path, "rb") as stream:
        stream.seek(begin)
        return stream.read(max(0, end - begin))


def _spans(ranges: Iterable[tuple[str, int, int]]) -> list[tuple[str, int, int, list[int]]]:
    """Return the ranges to read: path, begin, end, and the indices in `ranges` of the ranges inside."""
    spans: list[tuple[str, int, int, list[int]]] = []
    for number, (path, begin, end) in sorted(enumerate(ranges), key=lambda one: (one[1], one[0])):
        if spans and spans[-1][0] == path and begin <= spans[-1][2] + _GAP:
            _, first, last, numbers = spans[-1]
            spans[-1] = path, first, max(last, end), [*numbers, number]
        else:
            spans.append((path, begin, end, [number]))
    return spans
