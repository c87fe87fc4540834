"""The output of a fleet: a folder on disk, or an address. Each object appears whole, or not at all."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias
from uuid import uuid4

from mjconv.batch.journal import sync_paths
from mjconv.files import remote
from mjconv.files.address import has_secret, is_address, joined, redacted
from mjconv.files.locks import LOCK, locked_output
from mjconv.files.writing import naming
from mjconv.ir.errors import UsageError

#: The folders of the objects of a fleet.
PARTS: Final = "parts"
DONE: Final = "done"
FAILED: Final = "failed"
FAILURES: Final = "failures"
RENAMED: Final = "renamed"
COLLECTED: Final = "collected"
FOLDERS: Final = (PARTS, COLLECTED, DONE, FAILED, FAILURES, RENAMED)
#: The objects beside the folders.
PLAN: Final = "plan.jsonl"
MANIFEST: Final = "manifest.json"
#: The beginning of the names of files that are being written.
TEMPORARY: Final = ".mjconv-"
#: A temporary file that did not change for so many seconds is of a process that was killed.
STALE_SECONDS: Final = 3_600.0


def store_of(output: str) -> Store:
    """Return the store of an output. Raises `UsageError` for an address with a secret: a plan is stored there."""
    if not is_address(output):
        return DiskStore(output)
    if has_secret(output):
        reason = "has a password or parameters, which the plan would store: set them for fsspec instead"
        raise UsageError(reason, file=redacted(output))
    return RemoteStore(output)


class DiskStore:
    """A folder on disk. An object gets its name after its bytes are on the disk. Errors are `OSError`."""

    #: Whether other processes see the objects.
    shared = True

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)

    def read(self, name: str) -> bytes:
        """Return an object; raises `FileNotFoundError`."""
        return Path(self.path(name)).read_bytes()

    def read_all(self, names: Sequence[str]) -> list[bytes]:
        """Return several objects."""
        return [self.read(name) for name in names]

    def has(self, name: str) -> bool:
        """Return whether there is an object."""
        return os.path.isfile(self.path(name))

    def write(self, name: str, data: bytes) -> None:
        """Write an object."""
        self._place(name, lambda temporary: Path(temporary).write_bytes(data))

    def put(self, name: str, path: str) -> None:
        """Write a file on disk as an object."""
        self._place(name, lambda temporary: shutil.copyfile(path, temporary))

    def _place(self, name: str, copy: Callable[[str], Any]) -> None:
        path = self.path(name)
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        # Two processes may write the same object at the same time.
        temporary = os.path.join(folder, f"{TEMPORARY}{uuid4().hex}.tmp")
        try:
            # The error of a full disk names no file.
            with naming(path):
                copy(temporary)
                sync_paths([temporary])
                os.replace(temporary, path)
                sync_paths([folder, self.root])
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the names of the objects below a folder, each with its size in bytes."""
        return {name: about.st_size for name, about in self._below(folder) if f"/{TEMPORARY}" not in name}

    def _below(self, folder: str) -> Iterator[tuple[str, os.stat_result]]:
        for above, _, names in os.walk(self.path(folder)):
            inside = os.path.relpath(above, self.root).replace(os.sep, "/")
            for name in names:
                # A process may remove the file at the same time.
                with suppress(FileNotFoundError):
                    yield f"{inside}/{name}", os.stat(os.path.join(above, name))

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects, and folders that become empty; a missing object is no error."""
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(self.path(name))
                with suppress(OSError):
                    os.removedirs(os.path.dirname(self.path(name)))

    def locked(self) -> AbstractContextManager[None]:
        """Lock the folder inside a ``with`` statement, as `locked_output` does."""
        return locked_output(self.path(LOCK), self.root)

    def leftovers(self) -> list[str]:
        """Return the names of temporary files that did not change for `STALE_SECONDS`."""
        newest = time.time() - STALE_SECONDS
        ours = ((name, about) for name, about in self._below(".") if f"/{TEMPORARY}" in name)
        return sorted(name for name, about in ours if not name.endswith(f"/{LOCK}") and about.st_mtime < newest)

    def path(self, name: str) -> str:
        """Return the path of an object."""
        return os.path.join(self.root, *name.split("/"))


class RemoteStore:
    """A folder at an address. An object store shows an object when all its bytes have arrived.

    Errors are `OSError` and `StorageError`.
    """

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/")
        self.shared = not root.startswith("memory://")

    def read(self, name: str) -> bytes:
        """Return an object."""
        return bytes(self._ask(name, lambda system, path: system.cat_file(path)))

    def path(self, name: str) -> str:
        """Return the address of an object."""
        return joined(self.root, name)

    def read_all(self, names: Sequence[str]) -> list[bytes]:
        """Return several objects, read at the same time."""
        paths = [remote.locate(self.path(name)).path for name in names]
        whole = [None] * len(paths)
        contents = remote.read_together(remote.locate(self.root).system, paths, whole, whole)
        # A request that failed among many is made again alone.
        return [self.read(name) if data is None else data for name, data in zip(names, contents, strict=True)]

    def has(self, name: str) -> bool:
        """Return whether there is an object."""
        try:
            return bool(self._ask(name, lambda system, path: system.info(path)))
        except FileNotFoundError:
            return False

    def write(self, name: str, data: bytes) -> None:
        """Write an object."""
        self._ask(name, lambda system, path: system.pipe_file(path, data))

    def put(self, name: str, path: str) -> None:
        """Write a file on disk as an object."""
        self._ask(name, lambda system, target: system.put_file(path, target))

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the names of the objects below a folder, each with its size in bytes."""
        try:
            entries = self._ask(folder, lambda system, path: system.find(path, detail=True))
        except FileNotFoundError:
            return {}
        begin = len(remote.locate(self.root).path.strip("/")) + 1
        return {name.lstrip("/")[begin:]: about["size"] for name, about in entries.items()}

    def remove(self, names: Iterable[str]) -> None:
        """Remove objects; a missing object is no error."""
        for name in names:
            with suppress(FileNotFoundError):
                self._ask(name, lambda system, path: system.rm_file(path))

    def locked(self) -> AbstractContextManager[None]:
        """Lock nothing: object storage has no locks."""
        return nullcontext()

    def leftovers(self) -> list[str]:
        """Return an empty list: an object store shows only complete objects."""
        return []

    def _ask(self, name: str, request: Callable[[Any, str], Any]) -> Any:
        place = remote.locate(self.path(name))
        return remote.asking(place.address, lambda: request(place.system, place.path))


#: Objects by name, such as ``parts/000001-8d0f.zip``.
Store: TypeAlias = DiskStore | RemoteStore
