"""Readers and writers as the tests call them: bytes of one format to matches, and matches to bytes of another."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from msgspec import UNSET, UnsetType

from logs import Message, messages
from mjconv.converters import formats, hub
from mjconv.converters.interface import WriteOptions
from mjconv.ir.errors import Place
from mjconv.ir.losses import Loss, Report, Warn
from mjconv.ir.match import Match
from mjconv.testing.samples import without_original
from strategies import OTHER_KEYS, OTHER_TYPES

Value = TypeVar("Value")


@dataclass(frozen=True)
class Was:
    matches: list[Match]
    losses: list[Loss]
    warnings: list[Warn]

    @property
    def match(self) -> Match:
        [match] = self.matches
        return match


@dataclass(frozen=True)
class Written:
    data: bytes
    losses: list[Loss]


def known(value: Value | UnsetType | None) -> Value:
    """Return a value, which is not absent."""
    assert value is not None
    assert value is not UNSET
    return value


def read(data: bytes | str, source: str, report: Report | None = None) -> Was:
    report = report or Report()
    text = data.encode() if isinstance(data, str) else data
    return Was(hub.read_matches(formats.find(source)[0], text, report), report.losses, report.warnings)


def write(
    matches: Iterable[Match], target: str, *, plain: bool = False, fill: bool = False, lossy: bool = False
) -> Written:
    form, flavour = formats.find(target)
    report = Report()
    return Written(written(form.id, matches, report, WriteOptions(flavour, plain, fill, lossy)), report.losses)


def written(target: str, matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
    return hub.written(formats.find(target)[0], matches, report, options)


def places(source: str, data: bytes, *, lenient: bool = False) -> Callable[..., Place | None]:
    """Read a file, and return a function that finds an event by match, round and event, or a key of it."""
    readings = list(hub.read(formats.find(source)[0], data, Report(lenient=lenient)))

    def find(match: int, game_round: int, event: int, key: str = "") -> Place | None:
        return readings[match].locate(game_round, event, key) if 0 <= match < len(readings) else None

    return find


def there_and_back(data: bytes, over: str, *, home: str = "mjai", original: bool = True) -> bytes:
    """Write what is read from `home` in the format `over`, and that in `home` again.

    Where `original` is false, the matches lose their originals first: writers render what the hub holds.
    """
    matches = read(data, home).matches
    away = write(matches if original else bare(matches), over).data
    return write(read(away, over).matches, home).data


def bare(matches: Iterable[Match]) -> list[Match]:
    """Return matches without the records that they were read from."""
    return [without_original(match) for match in matches]


def standard(message: Message) -> Message:
    """Give a message as the standard spells it, by the tests' own table of other spellings."""
    kinds = {other: name for name, other in OTHER_TYPES.items()}
    kind = str(kinds.get(message["type"], message["type"]))
    keys: dict[str, str] = {other: name for name, other in OTHER_KEYS.get(kind, {}).items()}
    return {keys.get(key, key): value for key, value in (message | {"type": kind}).items()}


def standard_messages(data: bytes) -> list[Message]:
    return [standard(message) for message in messages(data)]
