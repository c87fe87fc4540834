"""The paths of a run, and names for its output files that are safe and unique on every system."""

import errno
import hashlib
import os
import re
import shutil
import unicodedata
from contextlib import AbstractContextManager, suppress
from typing import Final

from mjconv.batch.digests import DigestTable
from mjconv.batch.plan import Plan
from mjconv.converters.formats import known_extensions
from mjconv.files.compression import strip_ending
from mjconv.files.locks import LOCK, locked_output
from mjconv.files.members import RUN_LISTS

#: The ending of the run's work folder, which is inside an output folder or beside an output archive.
WORK: Final = ".mjconv-batch"
#: The endings of the files that describe a complete run, in an output folder or beside an output archive.
FINISHED: Final = "MANIFEST"
SUMS: Final = "SHA256SUMS"
FAILURES, RENAMED = RUN_LISTS

#: Characters that some system forbids in a name or acts on, and lone surrogates.
_UNSAFE: Final = re.compile('[\x00-\x1f\x7f-\x9f<>:"|?*\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]')
_SEPARATORS: Final = re.compile(r"[/\\]")
#: Device names of Windows, which are reserved with any ending.
_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)")
#: The longest part of a path and the longest path below the output, in bytes, without extensions and numbers.
_LONGEST_PART: Final = 180
_LONGEST_PATH: Final = 900


class RunPaths:
    """The paths of a run. The folder `work` exists until the run is complete.

    `work` holds the temporary files and the journal; its name is `removing` while it is removed. `failures` lists
    the members that could not be converted, and `renamed` the members that were written under another name.
    `data` is the output archive, and `temporary` an output file, until they are complete. `complete` is a marker
    file: all output is written, but `work` is not yet removed. `finished` describes a complete run and each of its
    members, and `sums` has the SHA-256 of each file of the output. `lock` is locked while a process writes.
    """

    def __init__(self, plan: Plan, output: str) -> None:
        """Make the paths for a plan and the path of its output."""
        before = os.path.join(output, "") if plan.in_folder else output
        lists = before if plan.in_folder else f"{before}."
        self.output: Final = output
        self.in_folder: Final = plan.in_folder
        self.work: Final = before + WORK
        self.failures: Final = lists + FAILURES
        self.renamed: Final = lists + RENAMED
        self.data: Final = os.path.join(self.work, "data")
        self.temporary: Final = os.path.join(self.work, "file.tmp")
        self.complete: Final = os.path.join(self.work, "complete")
        self.finished: Final = lists + FINISHED
        self.sums: Final = lists + SUMS
        self.removing: Final = self.work + ".gone"
        self.lock: Final = before + LOCK

    def check_free(self) -> None:
        """Raise `FileExistsError` if the output or an unfinished run exists."""
        if os.path.lexists(self.work):
            reason = "Holds an unfinished run: --resume continues it, --force starts again"
            raise FileExistsError(errno.EEXIST, reason, self.output)
        if not (self.in_folder and os.path.isdir(self.output)):
            if os.path.lexists(self.output):
                raise FileExistsError(errno.EEXIST, "Exists already; --force overwrites it", self.output)
        elif not {FINISHED, SUMS, LOCK}.issuperset(os.listdir(self.output)):
            raise FileExistsError(errno.EEXIST, "Is not empty; --force writes into it", self.output)

    def locked(self) -> AbstractContextManager[None]:
        """Lock the output inside a ``with`` statement, as `locked_output` does. Raises `OSError`."""
        parent = os.path.dirname(os.path.abspath(self.output))
        if not os.path.isdir(parent):
            raise FileNotFoundError(errno.ENOENT, "The folder to write to does not exist", parent)
        if self.in_folder and os.path.lexists(self.output) and not os.path.isdir(self.output):
            raise FileExistsError(errno.EEXIST, "Is a file, but the output is a folder", self.output)
        return locked_output(self.lock, self.output)

    def create(self) -> None:
        """Create the folders; raises `OSError`."""
        self.remove_leftovers()
        for path in (self.finished, self.sums):
            with suppress(FileNotFoundError, NotADirectoryError):
                os.unlink(path)
        if not self.in_folder and os.path.isdir(self.output):
            raise IsADirectoryError(errno.EISDIR, "Is a folder, but the output is an archive", self.output)
        # Nobody may read an output before it has the permissions of the file that it replaces.
        os.makedirs(self.work, mode=0o700, exist_ok=True)

    def remove(self) -> None:
        """Remove the work folder; other processes see it disappear at once."""
        with suppress(FileNotFoundError):
            os.rename(self.work, self.removing)
        self.remove_leftovers()

    def remove_leftovers(self) -> bool:
        """Remove the rest of a completed run's work folder; return whether there was one."""
        exists = os.path.lexists(self.removing)
        shutil.rmtree(self.removing, ignore_errors=True)
        return exists


def safe_path(inner: str) -> str:
    r"""Return a path that stays below the output and is valid on every system.

    >>> safe_path("../../etc/passwd"), safe_path("C:\\logs\\a.mjson"), safe_path("a\nb"), safe_path("aux.mjson")
    ('_/_/etc/passwd', 'C_/logs/a.mjson', 'a_b', '_aux.mjson')
    """
    parts = [_safe_part(part) for part in _SEPARATORS.split(inner) if part not in ("", ".")]
    path = "/".join(parts) or "_"
    if len(path.encode()) > _LONGEST_PATH:
        return _shorten(path.replace("/", "_"))
    return path


def _safe_part(part: str) -> str:
    part = _UNSAFE.sub("_", part)
    if not part.strip(". "):
        return "_"
    # Windows removes dots and spaces at the end. A file whose name begins with a dot is hidden.
    kept = part.rstrip(". ")
    part = kept + "_" * (len(part) - len(kept))
    part = "_" + part if part.startswith(".") or _RESERVED.match(part) else part
    return _shorten(part) if len(part.encode()) > _LONGEST_PART else part


def _shorten(text: str) -> str:
    """Shorten a name; a digest of the whole name keeps it different from names with the same beginning."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return text.encode()[: _LONGEST_PART - 13].decode("utf-8", "ignore") + "-" + digest


def output_name(inner: str, extension: str) -> str:
    """Return the output name of a member: its own name with the extension of the target. It may not be safe.

    >>> output_name("2024/a.mjson.gz", ".jmjp"), output_name("2024/log.1", ".jmjp")
    ('2024/a.jmjp', '2024/log.1.jmjp')
    """
    name = strip_ending(inner)
    stem, old = os.path.splitext(name)
    # Asked here: the formats that other packages add are loaded slowly, and workers make no names.
    return (stem if old.lower() in known_extensions() else name) + extension


class UsedNames:
    """The names in use, in eight bytes each. Names that differ only in case or in Unicode form are equal."""

    def __init__(self) -> None:
        self._keys = DigestTable()

    def reserve(self, path: str) -> str:
        """Mark a path as used and return it, with a number if it was used before.

        >>> names = UsedNames()
        >>> names.reserve("a.jmjp"), names.reserve("A.jmjp"), names.reserve("a.jmjp/b.jmjp")
        ('a.jmjp', 'A~2.jmjp', 'a~3.jmjp/b.jmjp')
        """
        *folders, name = path.split("/")
        parent = ""
        for folder in folders:
            parent = self._numbered(parent, folder, "f") + "/"
            self._keys.put(_digest(f"d:{parent[:-1]}"))
        free = self._numbered(parent, name, "fd")
        self._keys.put(_digest(f"f:{free}"))
        return free

    def add(self, path: str) -> None:
        """Mark a path as used: an earlier part of the run reserved it."""
        *folders, _ = path.split("/")
        for number in range(1, len(folders) + 1):
            self._keys.put(_digest(f"d:{'/'.join(folders[:number])}"))
        self._keys.put(_digest(f"f:{path}"))

    def _numbered(self, parent: str, name: str, kinds: str) -> str:
        """Find a name that is not used as any of these kinds: f (file), d (folder)."""
        stem, extension = os.path.splitext(name)
        number = 1
        while any(_digest(f"{kind}:{parent}{name}") in self._keys for kind in kinds):
            number += 1
            name = f"{stem}~{number}{extension}"
        return parent + name


def _digest(key: str) -> bytes:
    """Return eight bytes that identify a name, the same for any case and any Unicode form of it."""
    normal = unicodedata.normalize("NFC", unicodedata.normalize("NFC", key).casefold())
    return hashlib.blake2b(normal.encode(), digest_size=8).digest()
