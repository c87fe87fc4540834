"""The limits of input: their table, the limits in force, and the error of input beyond a limit.

Input may be hostile, or no record at all. Each limit is far above the size of any real record. A user with a
larger record raises the limit. Nothing else needs one: for example, the grammar of jmjp bounds the depth of its
brackets.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place, UsageError
from mjconv.ir.setting import Setting

_UNITS: Final = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_BACKSLASH: Final = ord("\\")
_STRING: Final = re.compile(rb'"[^"\\]*+(?>\\.[^"\\]*+)*+"?')


#: By limit: the message about input beyond it, and its unit. A limit with this ending is a number of bytes.
_WORDS: Final = catalogue(__name__, "limits.json", dict[str, tuple[str, str]])
_BYTES: Final = "_bytes"


class Limits(Struct, frozen=True):
    """The limits. Sizes are in bytes.

    >>> Limits(nesting=10).nesting, Limits().digits
    (10, 300)
    """

    file_bytes: int = 1 << 30
    unpacked_bytes: int = 1 << 30
    expansion: int = 200
    archive_members: int = 10_000_000
    line_bytes: int = 1 << 24
    string_bytes: int = 1 << 18
    digits: int = 300
    nesting: int = 200
    note_bytes: int = 1 << 24
    original_bytes: int = 1 << 24
    matches: int = 1_000_000
    rounds: int = 1_000_000
    events: int = 5_000
    answers: int = 20_000
    tiles: int = 1_000
    faults: int = 10_000


class LimitError(InputError):
    """The input is beyond a limit. `limit` is the name of the limit, as the option ``--limit`` takes it.

    >>> print(LimitError("file_bytes", file="log.mjson"))
    log.mjson: is larger than 1 GiB (the limit file-bytes; --limit file-bytes=NUMBER raises it)
    """

    def __init__(self, limit: str, place: Place | None = None, file: str | None = None) -> None:
        super().__init__(refusal(limit), place, file)
        self.limit = spelled(limit)
        self._made_of = limit, place, file

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._made_of, self.__dict__


_limits: Final = Setting("limits", Limits())
#: Returns the limits in force.
current: Final = _limits.current
#: Puts limits in force for the whole process, all its threads included. Limits of `using` take precedence.
install: Final = _limits.install
#: Puts limits in force inside a ``with`` statement, for this thread or task. A reader that yields matches one by
#: one checks the limits for each match: use it up inside the ``with`` statement.
using: Final = _limits.using


def parse(*settings: str, base: Limits | None = None) -> Limits:
    """Return limits with the settings that ``--limit`` takes. Raises `UsageError` for a wrong setting.

    The other limits come from `base`, or from the limits in force. A number of bytes may have a unit: kB, MB, GB,
    KiB, MiB or GiB.

    >>> limits = parse("file-bytes=2GiB", "rounds=500")
    >>> limits.file_bytes, limits.rounds
    (2147483648, 500)
    """
    changed: dict[str, int] = {}
    known = {spelled(field): field for field in _WORDS}
    for text in settings:
        setting = re.fullmatch(r"([a-z-]{1,40})=([0-9]{1,18})([A-Za-z]{0,3})", text)
        if setting is None:
            raise UsageError(f"{text!r} is no limit: expected NAME=NUMBER, such as file-bytes=2GiB")
        name, number, unit = setting.groups()
        if name not in known:
            raise UsageError(f"there is no limit {name!r}; there are {', '.join(known)}")
        in_bytes = known[name].endswith(_BYTES)
        if unit not in (_UNITS if in_bytes else ("",)):
            takes = f"{', '.join(filter(None, _UNITS))} or none" if in_bytes else "none"
            raise UsageError(f"the limit {name} has the unit {unit!r}; expected {takes}")
        changed[known[name]] = int(number) * _UNITS[unit]
    return replace(base or current(), **changed)


def refusal(limit: str) -> str:
    """Return the message about input beyond a limit, for errors that are no `LimitError`.

    >>> refusal("nesting")
    'arrays and objects are nested more than 200 deep (the limit nesting; --limit nesting=NUMBER raises it)'
    """
    most = getattr(current(), limit)
    name = spelled(limit)
    return f"{_WORDS[limit][0].format(shown(limit, most))} (the limit {name}; --limit {name}=NUMBER raises it)"


def spelled(name: str) -> str:
    """Return the name of a limit as ``--limit`` takes it.

    >>> spelled("file_bytes")
    'file-bytes'
    """
    return name.replace("_", "-")


def shown(limit: str, most: int) -> str:
    """Return the number of a limit as text. A number of bytes has the largest unit that leaves it whole.

    >>> shown("file_bytes", 1 << 30), shown("file_bytes", 1500), shown("rounds", 1_000_000)
    ('1 GiB', '1500 bytes', '1000000')
    """
    if not limit.endswith(_BYTES):
        return str(most)
    for unit in ("GiB", "MiB", "KiB"):
        if most and most % _UNITS[unit] == 0:
            return f"{most // _UNITS[unit]} {unit}"
    return f"{most} bytes"


def described() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each limit, its default, and a description of its unit.

    >>> next(described())
    ('file-bytes', '1 GiB', 'bytes of a file as it is stored')
    """
    for field, (_, counts) in _WORDS.items():
        yield spelled(field), shown(field, getattr(Limits(), field)), counts


def check_lines(data: bytes) -> None:
    r"""Raise `LimitError` at the beginning of the first line that is too long, if there is one.

    In a file without such a line, only one byte in some millions is checked.

    >>> with using(Limits(line_bytes=3)):
    ...     check_lines(b"one\ntwo\nfour")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mjconv.ir.limits.LimitError: <input>:3:1: a line is longer than 3 bytes (the limit line-bytes; ...)
    """
    for begin, _ in _lines_over(data, current().line_bytes):
        # The error does not show the line: it is too long.
        raise LimitError("line_bytes", Place(data.count(b"\n", 0, begin) + 1, 1, ""))


def check_strings(data: bytes) -> None:
    r"""Raise `LimitError` at the beginning of the first string in quotes that is too long, if there is one.

    Only lines that are long enough to hold one are searched.

    >>> with using(Limits(string_bytes=3)):
    ...     check_strings(b'{"a":"four"}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mjconv.ir.limits.LimitError: <input>:1:6: a string is longer than 3 bytes (the limit string-bytes; ...)
    """
    most = current().string_bytes
    for begin, end in _lines_over(data, most):
        if not _may_have_long_string(data, begin, end, most):
            continue
        for string in _STRING.finditer(data, begin, end):
            if string.end() - string.start() > most + 2:
                column = len(data[begin : string.start()].decode("utf-8", "replace")) + 1
                raise LimitError("string_bytes", Place(data.count(b"\n", 0, begin) + 1, column, ""))


def _may_have_long_string(data: bytes, begin: int, end: int, most: int) -> bool:
    r"""Return whether a line may have a string of more than `most` bytes. False is sure, and is found fast.

    In a string, each quote follows a backslash. So a long string has no other quote for more than `most` bytes.

    >>> _may_have_long_string(b'{"a":"b"}', 0, 9, 5), _may_have_long_string(b'"aaaaaaa"', 0, 9, 5)
    (False, True)
    >>> _may_have_long_string(rb'["{\"}","{\"}"]', 0, 15, 6), _may_have_long_string(rb'["{\"\"}"]', 0, 10, 5)
    (False, True)
    """
    offset = begin
    while end - offset > most:
        quote = data.rfind(b'"', offset + 1, offset + most + 2)
        if quote > 0 and data[quote - 1] == _BACKSLASH:
            # This quote may be inside a string. One after a comma is not.
            comma = data.rfind(b',"', offset + 1, offset + most + 2)
            quote = -1 if comma < 0 else comma + 1
        if quote < 0:
            return True
        offset = quote
    return False


def _lines_over(data: bytes, most: int) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each line of more than `most` bytes."""
    begin = 0
    while len(data) - begin > most:
        end = data.rfind(b"\n", begin, begin + most + 1)
        if end < 0:
            end = data.find(b"\n", begin)
            end = len(data) if end < 0 else end
            yield begin, end
        begin = end + 1
