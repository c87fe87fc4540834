"""Readers and writers as the tests call them: bytes of one format to matches, and matches to bytes of another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from logs import Message, messages
from mjconv.converters import formats
from mjconv.converters.options import WriteOptions
from mjconv.ir.losses import Loss, Report, Warn
from mjconv.ir.match import Match
from strategies import OTHER_KEYS, OTHER_TYPES


@dataclass(frozen=True)
class Was:
    """What was read: the matches, and what the reader noted."""

    matches: list[Match]
    losses: list[Loss]
    warnings: list[Warn]

    @property
    def match(self) -> Match:
        """The only match."""
        [match] = self.matches
        return match


@dataclass(frozen=True)
class Written:
    """What was written: the bytes, and what the writer noted."""

    data: bytes
    losses: list[Loss]


def read(data: bytes, source: str) -> Was:
    form, flavour = formats.find(source)
    report = Report()
    return Was(list(form.read(data, report, flavour)), report.losses, report.warnings)


def write(matches: Iterable[Match], target: str, *, plain: bool = False, fill: bool = False) -> Written:
    form, flavour = formats.find(target)
    report = Report()
    return Written(form.write(matches, report, WriteOptions(flavour, plain, fill)), report.losses)


def there_and_back(data: bytes, over: str, *, home: str = "mjai") -> bytes:
    """Write what is read from `home` in the format `over`, and that in `home` again."""
    away = write(read(data, home).matches, over).data
    return write(read(away, over).matches, home).data


def standard(message: Message) -> Message:
    """Give a message as the standard spells it, by the tests' own table of other spellings."""
    kinds = {other: name for name, other in OTHER_TYPES.items()}
    kind = str(kinds.get(message["type"], message["type"]))
    keys: dict[str, str] = {other: name for name, other in OTHER_KEYS.get(kind, {}).items()}
    return {keys.get(key, key): value for key, value in (message | {"type": kind}).items()}


def standard_messages(data: bytes) -> list[Message]:
    return [standard(message) for message in messages(data)]
