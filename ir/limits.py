"""How much is read: the one table of limits, what holds now, and the error of what goes beyond.

Input may be hostile, or not be a record at all: each limit is far beyond what a record needs, and whoever has a
larger one raises it. What no limit is needed for is bounded by its notation, such as the brackets of jmjp, which
stand in each other no deeper than its grammar lets them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from mjconv.ir.errors import InputError, Place, UsageError

_UNITS: Final = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?')
_SETTING: Final = re.compile(r"([a-z-]{1,40})=([0-9]{1,18})([A-Za-z]{0,3})")


def _limit(most: int, *, refusal: str, counts: str, in_bytes: bool = False) -> Any:
    """Make a setting: its default, how a refusal says that something is beyond it, and what it counts."""
    return field(default=most, metadata={"refusal": refusal, "counts": counts, "in_bytes": in_bytes})


@dataclass(frozen=True)
class Limits:
    """The most that is read of each kind.

    >>> Limits(nesting=10).nesting, Limits().digits
    (10, 300)
    """

    file_bytes: int = _limit(
        1 << 30, refusal="is larger than {}", counts="bytes of a file as it lies there", in_bytes=True
    )
    unpacked_bytes: int = _limit(
        1 << 30,
        refusal="unpacks to more than {}",
        counts="bytes that a packed file or an archive's member unpacks to",
        in_bytes=True,
    )
    expansion: int = _limit(
        200,
        refusal="unpacks to more than {} times its size",
        counts="bytes that one packed byte unpacks to, beyond the first 4 MiB",
    )
    archive_members: int = _limit(10_000_000, refusal="holds more than {} members", counts="members of an archive")
    line_bytes: int = _limit(1 << 24, refusal="a line is longer than {}", counts="bytes of a line", in_bytes=True)
    string_bytes: int = _limit(
        1 << 18, refusal="a string is longer than {}", counts="bytes of a string in quotes", in_bytes=True
    )
    digits: int = _limit(
        300, refusal="a number has more than {} digits", counts="digits of a number, in JSON 308 at most"
    )
    nesting: int = _limit(
        200,
        refusal="arrays and objects are nested more than {} deep",
        counts="arrays and objects of JSON in each other",
    )
    note_bytes: int = _limit(
        1 << 24, refusal="the note is longer than {}", counts="bytes of a note", in_bytes=True
    )
    matches: int = _limit(1_000_000, refusal="there are more than {} matches", counts="matches of a file")
    rounds: int = _limit(1_000_000, refusal="a match has more than {} rounds", counts="rounds of a match")
    events: int = _limit(5_000, refusal="a round has more than {} events", counts="events of a round")
    tiles: int = _limit(1_000, refusal="a wall has more than {} tiles", counts="tiles of a wall")
    faults: int = _limit(
        10_000, refusal="there are more than {} faults", counts="faults of a file that the reading goes on after"
    )


class LimitError(InputError):
    """The input is beyond a limit: `limit` names it as ``--limit`` does.

    >>> print(LimitError("file_bytes", file="log.mjson"))
    log.mjson: is larger than 1 GiB, the most that is read (limit file-bytes)
    """

    def __init__(self, limit: str, place: Place | None = None, file: str | None = None) -> None:
        super().__init__(refusal(limit), place, file)
        self.limit = spelled(limit)
        self._made_of = limit, place, file

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_of, self.__dict__


#: What holds in the whole process, and what holds inside a `using`.
_process = Limits()
_here: ContextVar[Limits | None] = ContextVar("limits", default=None)


def current() -> Limits:
    """Give the limits that hold here.

    >>> current().archive_members
    10000000
    """
    return _here.get() or _process


def install(limits: Limits) -> None:
    """Let these limits hold in the whole process, all its threads, wherever `using` says nothing else."""
    global _process
    _process = limits


@contextmanager
def using(limits: Limits) -> Iterator[Limits]:
    """Let these limits hold inside a ``with``, for this thread or task.

    A reader that gives its matches one by one asks anew for each: it is gone through inside the ``with``.

    >>> with using(Limits(digits=20)):
    ...     current().digits
    20
    """
    token = _here.set(limits)
    try:
        yield limits
    finally:
        _here.reset(token)


def parse(*settings: str, base: Limits | None = None) -> Limits:
    """Read settings as ``--limit`` takes them, over `base` or the limits that hold. Raises `UsageError`.

    A number of bytes may have a unit: kB, MB, GB, KiB, MiB or GiB.

    >>> limits = parse("file-bytes=2GiB", "rounds=500")
    >>> limits.file_bytes, limits.rounds
    (2147483648, 500)
    """
    changed: dict[str, int] = {}
    known = {spelled(setting.name): setting for setting in fields(Limits)}
    for text in settings:
        found = _SETTING.fullmatch(text)
        if found is None:
            raise UsageError(f"{text!r} is no limit: expected NAME=NUMBER, such as file-bytes=2GiB")
        name, number, unit = found.groups()
        if name not in known:
            raise UsageError(f"there is no limit {name!r}; there are {', '.join(known)}")
        if unit not in (_UNITS if known[name].metadata["in_bytes"] else {"": 1}):
            units = ", ".join(filter(None, _UNITS))
            takes = f"{units} or none" if known[name].metadata["in_bytes"] else "none"
            raise UsageError(f"the limit {name} has the unit {unit!r}, and takes {takes}")
        changed[known[name].name] = int(number) * _UNITS[unit]
    return replace(base or current(), **changed)


def refusal(limit: str) -> str:
    """Say that something is beyond a limit, and which, for errors that are not a `LimitError` by themselves.

    >>> refusal("nesting")
    'arrays and objects are nested more than 200 deep, the most that is read (limit nesting)'
    """
    [setting] = [setting for setting in fields(Limits) if setting.name == limit]
    most = getattr(current(), limit)
    said: str = setting.metadata["refusal"]
    return f"{said.format(shown(limit, most))}, the most that is read (limit {spelled(limit)})"


def spelled(name: str) -> str:
    """Give a limit's name as ``--limit`` takes it.

    >>> spelled("file_bytes")
    'file-bytes'
    """
    return name.replace("_", "-")


def shown(limit: str, most: int) -> str:
    """Write a limit's number for a reader, bytes in the largest unit that leaves it whole.

    >>> shown("file_bytes", 1 << 30), shown("file_bytes", 1500), shown("rounds", 1_000_000)
    ('1 GiB', '1500 bytes', '1000000')
    """
    if not limit.endswith("_bytes"):
        return str(most)
    for unit in ("GiB", "MiB", "KiB"):
        if most and most % _UNITS[unit] == 0:
            return f"{most // _UNITS[unit]} {unit}"
    return f"{most} bytes"


def described() -> Iterator[tuple[str, str, str]]:
    """Give each limit's name, its default, and what it counts.

    >>> next(described())
    ('file-bytes', '1 GiB', 'bytes of a file as it lies there')
    """
    usual = Limits()
    for setting in fields(Limits):
        most = shown(setting.name, getattr(usual, setting.name))
        yield spelled(setting.name), most, setting.metadata["counts"]


def check_lines(data: bytes) -> None:
    r"""Look for a line that is too long. Raises `LimitError` at its beginning.

    Of a file without one, a byte in some millions is looked at.

    >>> with using(Limits(line_bytes=3)):
    ...     check_lines(b"one\ntwo\nfour")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mjconv.ir.limits.LimitError: <input>:3:1: a line is longer than 3 bytes, ... (limit line-bytes)
    """
    for begin, _ in _lines_over(data, current().line_bytes):
        # The line itself is not shown: it is what is too long.
        raise LimitError("line_bytes", Place(data.count(b"\n", 0, begin) + 1, 1, ""))


def check_strings(data: bytes) -> None:
    r"""Look for a string in quotes that is too long. Raises `LimitError` at its beginning.

    Only lines that are long enough to hold one are looked into.

    >>> with using(Limits(string_bytes=3)):
    ...     check_strings(b'{"a":"four"}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mjconv.ir.limits.LimitError: <input>:1:6: a string is longer than 3 bytes, ... (limit string-bytes)
    """
    most = current().string_bytes
    for begin, end in _lines_over(data, most):
        for found in _STRING.finditer(data, begin, end):
            if found.end() - found.start() > most + 2:
                column = len(data[begin : found.start()].decode("utf-8", "replace")) + 1
                raise LimitError("string_bytes", Place(data.count(b"\n", 0, begin) + 1, column, ""))


def _lines_over(data: bytes, most: int) -> Iterator[tuple[int, int]]:
    """Find the lines of more bytes than this: where each begins and ends."""
    begin = 0
    while len(data) - begin > most:
        end = data.rfind(b"\n", begin, begin + most + 1)
        if end < 0:
            end = data.find(b"\n", begin)
            end = len(data) if end < 0 else end
            yield begin, end
        begin = end + 1
