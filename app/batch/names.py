"""Where in the output a member goes: a name that is safe on any system, and that no other member has."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from array import array
from bisect import bisect_left
from heapq import merge
from typing import Final

from mjconv.compression import bare
from mjconv.converters.formats import FORMATS

#: What some system has no place for in a name, or would act on; halves of characters with them.
_UNSAFE: Final = re.compile('[\x00-\x1f\x7f-\x9f<>:"|?*\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]')
_SEPARATORS: Final = re.compile(r"[/\\]")
#: Devices of Windows, whatever their ending.
_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)")
#: The longest part of a path and the longest path below the output, in bytes; endings and numbers come on top.
_LONGEST_PART: Final = 180
_LONGEST_PATH: Final = 900
_ENDINGS: Final = frozenset(ending for form in FORMATS for ending in form.extensions)


def safe(inner: str) -> str:
    r"""Give a path that stays below the output: no way up, no root, no drive, nothing a system acts on.

    >>> safe("../../etc/passwd"), safe("C:\\logs\\a.mjson"), safe("a\nb"), safe("aux.mjson")
    ('_/_/etc/passwd', 'C_/logs/a.mjson', 'a_b', '_aux.mjson')
    """
    parts = [_safe_part(part) for part in _SEPARATORS.split(inner) if part not in ("", ".")]
    path = "/".join(parts) or "_"
    if len(path.encode()) > _LONGEST_PATH:
        return _cut(path.replace("/", "_"))
    return path


def _safe_part(part: str) -> str:
    part = _UNSAFE.sub("_", part)
    if not part.strip(". "):
        return "_"
    # Windows would leave off dots and blanks at the end; a file that begins with a dot is hidden.
    kept = part.rstrip(". ")
    part = kept + "_" * (len(part) - len(kept))
    part = "_" + part if part.startswith(".") or _RESERVED.match(part) else part
    return _cut(part) if len(part.encode()) > _LONGEST_PART else part


def _cut(text: str) -> str:
    """Shorten a name; a digest of the whole keeps it apart from others that begin alike."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return text.encode()[: _LONGEST_PART - 13].decode("utf-8", "ignore") + "-" + digest


def target_name(inner: str, ending: str) -> str:
    """Give the name of what a member is converted to: its own, with the ending of the target. It may not be safe.

    >>> target_name("2024/a.mjson.gz", ".jmjp"), target_name("2024/log.1", ".jmjp")
    ('2024/a.jmjp', '2024/log.1.jmjp')
    """
    name = bare(inner)
    stem, old = os.path.splitext(name)
    return (stem if old.lower() in _ENDINGS else name) + ending


class Names:
    """The names that were given out, in eight bytes each: no two are alike on any system, in whatever case."""

    def __init__(self) -> None:
        self._fresh: set[int] = set()
        self._sorted: list[array[int]] = []

    def free(self, path: str) -> str:
        """Give a path as it is, or with a number where it was given out before; it is taken from now on.

        >>> names = Names()
        >>> names.free("a.jmjp"), names.free("A.jmjp"), names.free("a.jmjp/b.jmjp")
        ('a.jmjp', 'A~2.jmjp', 'a~3.jmjp/b.jmjp')
        """
        *folders, name = path.split("/")
        above = ""
        for folder in folders:
            above = self._numbered(above, folder, "f") + "/"
            self._take(f"d:{above[:-1]}")
        free = self._numbered(above, name, "fd")
        self._take(f"f:{free}")
        return free

    def take(self, path: str) -> None:
        """Remember a path that was given out by an earlier run."""
        *folders, _ = path.split("/")
        for number in range(1, len(folders) + 1):
            self._take(f"d:{'/'.join(folders[:number])}")
        self._take(f"f:{path}")

    def _numbered(self, above: str, name: str, kinds: str) -> str:
        """Find a name that is none of these kinds yet: f(ile), d (folder)."""
        stem, ending = os.path.splitext(name)
        number = 1
        while any(f"{kind}:{above}{name}" in self for kind in kinds):
            number += 1
            name = f"{stem}~{number}{ending}"
        return above + name

    def __contains__(self, key: str) -> bool:
        mark = _mark(key)
        if mark in self._fresh:
            return True
        for run in self._sorted:
            place = bisect_left(run, mark)
            if place < len(run) and run[place] == mark:
                return True
        return False

    def _take(self, key: str) -> None:
        if key in self:
            return
        self._fresh.add(_mark(key))
        if len(self._fresh) >= _FRESH:
            run = array("Q", sorted(self._fresh))
            self._fresh.clear()
            # Runs of one length become one of twice that: there are never many.
            while self._sorted and len(self._sorted[-1]) <= len(run):
                run = array("Q", merge(self._sorted.pop(), run))
            self._sorted.append(run)


#: So many names are kept as a set, which takes ten times as much.
_FRESH: Final = 1024


def _mark(key: str) -> int:
    """Give eight bytes that stand for a name, whatever its case and however its accents are put."""
    alike = unicodedata.normalize("NFC", unicodedata.normalize("NFC", key).casefold())
    return int.from_bytes(hashlib.blake2b(alike.encode(), digest_size=8).digest(), "little")
