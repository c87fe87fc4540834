"""Files at addresses, by fsspec, which is loaded on first use. Errors of remote storage."""

import errno
import io
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import IO, Any, Final, NamedTuple, TypeVar, cast

from mjconv.files.address import check_address, has_pattern, is_hidden, redacted
from mjconv.files.sites import missing, site_of
from mjconv.ir.errors import MissingFileError, MjconvError, UsageError, printable

T = TypeVar("T")

#: The number of times that a request is made before its error counts, and the first pause, in seconds.
ATTEMPTS: Final = 6
PAUSE: Final = 0.1


class StorageError(MjconvError):
    """Remote storage does not answer, or its answer is wrong. The same request may work later."""


def asking(address: str, request: Callable[[], T]) -> T:
    """Make a request to remote storage; after an error, make it again a few times, with growing pauses.

    A missing file and a refused permission are not tried again: they raise `FileNotFoundError` and
    `PermissionError`. Any other error raises `StorageError`. No error shows a secret of the address.
    """
    for attempt in range(ATTEMPTS):
        try:
            return request()
        # Each kind of storage raises errors of its own.
        except Exception as error:
            if final := _final(address, error):
                raise final from None
            if attempt + 1 == ATTEMPTS:
                raise failure(address, error) from None
        time.sleep(PAUSE * 2**attempt)
    raise AssertionError


def failure(address: str, error: Exception) -> MjconvError | OSError:
    """Return the error of a request as an error of mjconv, without secrets."""
    reason = printable(redacted(f"{type(error).__name__}: {error}"))
    message = f"the storage does not answer ({reason})"
    return _final(address, error) or StorageError(message, file=redacted(address))


def _final(address: str, error: Exception) -> OSError | MjconvError | None:
    """Return the error to raise at once; None if the request may work later."""
    if isinstance(error, MjconvError):
        return error
    if isinstance(error, FileNotFoundError):
        return MissingFileError(redacted(address))
    if isinstance(error, PermissionError):
        return PermissionError(errno.EACCES, "Permission refused by the storage", redacted(address))
    if isinstance(error, IsADirectoryError):
        return IsADirectoryError(errno.EISDIR, "Is a folder, but one file was expected", redacted(address))
    return None


#: The bytes that a stream reads ahead of its reader.
READ_AHEAD: Final = 1 << 20
#: The keys of a description that change with the contents of a file, the best first.
_STAMPS: Final = ("ETag", "etag", "md5Hash", "md5", "crc32c", "content_md5", "version_id", "generation")
_TIMES: Final = ("LastModified", "last_modified", "mtime", "modified", "updated", "created", "Last-Modified")


class About(NamedTuple):
    """A file: its size in bytes, and a stamp that changes with its contents."""

    size: int
    stamp: str


class Remote(NamedTuple):
    """A file or folder at an address: the file system of fsspec, and the path in it."""

    system: Any
    path: str
    address: str

    def address_of(self, path: str) -> str:
        """Return the address of another path in the same file system."""
        return path if "://" in path else f"{self.address.partition('://')[0]}://{path.lstrip('/')}"


def locate(address: str) -> Remote:
    """Return the file or folder at an address.

    Raises `UsageError` if fsspec, or its module for this kind of address, is not installed.
    """
    check_address(address)
    if site_of(address) is not None:
        raise missing(address)
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise UsageError("addresses need fsspec: pip install fsspec", file=redacted(address)) from None
    try:
        # fsspec does not cache lists of files: another process may write at the same time.
        system, path = url_to_fs(address, use_listings_cache=False)
    except (ImportError, ValueError) as error:
        raise UsageError(f"cannot be opened: {redacted(str(error))}", file=redacted(address)) from None
    except Exception as error:
        raise failure(address, error) from None
    return Remote(system, path, address)


def describe(address: str) -> About | None:
    """Return the size and stamp of a file; None for a folder. Raises `FileNotFoundError`."""
    remote = locate(address)
    return about(asking(address, lambda: remote.system.info(remote.path)), address)


def about(entry: dict[str, Any], address: str) -> About | None:
    """Return the size and stamp in a description of fsspec; None for a folder."""
    if entry.get("type") == "directory":
        return None
    size = entry.get("size")
    if size is None:
        raise StorageError("the storage does not state the size of the file", file=redacted(address))
    stamp = next((str(entry[key]) for key in _STAMPS if entry.get(key)), "")
    time = next((entry[key] for key in _TIMES if entry.get(key)), "")
    return About(int(size), f"{size}-{stamp or (time.timestamp() if isinstance(time, datetime) else time)}")


def matching(pattern: str) -> list[str]:
    """Return the addresses that match a pattern, in order. An address without a pattern must exist.

    Hidden files do not match, as on disk.
    """
    if not has_pattern(pattern):
        describe(pattern)
        return [pattern]
    remote = locate(pattern)
    paths = asking(pattern, lambda: remote.system.glob(remote.path))
    fixed = remote.path.partition("*")[0].partition("?")[0].partition("[")[0].rpartition("/")[0]
    return [remote.address_of(path) for path in sorted(paths) if not is_hidden(path.removeprefix(fixed))]


def files_below(folder: str) -> Iterator[tuple[str, str, About]]:
    """List the files in a folder and its subfolders: address, path below the folder, and description.

    The order is that of a folder on disk: the files of a folder in order of names, then its subfolders.
    """
    remote = locate(folder)
    yield from _below(remote, remote.path, "")


def _below(remote: Remote, path: str, above: str) -> Iterator[tuple[str, str, About]]:
    address = remote.address_of(path)
    entries: list[tuple[bool, str, dict[str, Any]]] = []
    for entry in asking(address, lambda: remote.system.ls(path, detail=True)):
        name = entry["name"].rstrip("/").rpartition("/")[2]
        # Some storage lists a folder in itself, as a file without a name.
        if name and entry["name"].strip("/") != path.strip("/"):
            entries.append((entry["type"] == "directory", name, entry))
    for is_folder, name, entry in sorted(entries, key=lambda entry: entry[:2]):
        if is_folder:
            yield from _below(remote, entry["name"], f"{above}{name}/")
        else:
            own = remote.address_of(entry["name"])
            yield own, above + name, cast(About, about(entry, own))


def read_ranges(ranges: Sequence[tuple[str, int, int]]) -> list[bytes]:
    """Read bytes of several files at once: address, begin and end of each range.

    A file that is shorter than the end of its range returns fewer bytes. Raises the errors of `asking`.
    """
    results: list[Any] = [b""] * len(ranges)
    together: dict[int, tuple[Any, list[int]]] = {}
    remotes = [locate(address) for address, _, _ in ranges]
    for number, (_, begin, end) in enumerate(ranges):
        if begin < end:
            together.setdefault(id(remotes[number].system), (remotes[number].system, []))[1].append(number)
    for system, numbers in together.values():
        paths = [remotes[number].path for number in numbers]
        begins, ends = zip(*(ranges[number][1:] for number in numbers), strict=True)
        for number, result in zip(numbers, read_together(system, paths, list(begins), list(ends)), strict=True):
            results[number] = result
    # A request that failed among many is made again alone.
    answers = zip(ranges, results, strict=True)
    return [_read_range(*asked) if result is None else result for asked, result in answers]


def read_together(
    system: Any, paths: Sequence[str], begins: Sequence[int | None], ends: Sequence[int | None]
) -> list[bytes | None]:
    """Read parts of files of one file system at the same time; None is the begin or end of a whole file.

    Returns None for a request that failed, by any error.
    """
    if not paths:
        return []
    try:
        pieces = system.cat_ranges(paths, begins, ends, on_error="return")
    except Exception:
        return [None] * len(paths)
    return [None if isinstance(data, Exception) else bytes(data) for data in pieces]


def _read_range(address: str, begin: int, end: int) -> bytes:
    remote = locate(address)
    data: bytes = asking(address, lambda: remote.system.cat_file(remote.path, start=begin, end=end))
    if len(data) > end - begin:
        raise StorageError("the storage cannot read a part of a file", file=redacted(address))
    return data


def open_stream(address: str, about: About | None = None) -> IO[bytes]:
    """Open a file for reading, with a buffer. Raises `FileNotFoundError` and `StorageError`."""
    about = about or describe(address)
    if about is None:
        raise IsADirectoryError(errno.EISDIR, "Is a folder, but one file was expected", redacted(address))
    return io.BufferedReader(_RangeReader(address, about.size), READ_AHEAD)


class _RangeReader(io.RawIOBase):
    """A file at an address. Each read makes a request, with the errors of `asking`."""

    def __init__(self, address: str, size: int) -> None:
        self.address = address
        self.size = size
        self.position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self.position = offset + (0, self.position, self.size)[whence]
        return self.position

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer).cast("B")
        end = min(self.position + len(view), self.size)
        if end <= self.position:
            return 0
        data = _read_range(self.address, self.position, end)
        if len(data) < end - self.position:
            raise StorageError("changed while it was read", file=redacted(self.address))
        view[: len(data)] = data
        self.position = end
        return len(data)
