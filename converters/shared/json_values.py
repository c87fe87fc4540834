"""Errors about values: a wrong value of a JSON text, with its path, and a value that a format cannot hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec

from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.illegal import PlayedWrongError
from mjconv.ir.match import Round

Kind = TypeVar("Kind")
#: The way to a value: keys of objects and indices of arrays, from the outermost.
Path: TypeAlias = Sequence[str | int]
# The types of numbers in the schemas of records.
Seat: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Points: TypeAlias = Annotated[int, msgspec.Meta(ge=-MOST_POINTS, le=MOST_POINTS)]
#: The value of a hand in points.
Worth: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
#: Reports a warning about a value: the message, and the path to the value.
Warn: TypeAlias = Callable[[str, Path], None]
_SHOWN: Final = 40
#: The words of the decoder for types, and plain words for them.
_PLAIN_WORDS: Final[dict[str, Callable[[str], str]]] = {
    "Expected `int` <= ": lambda most: f"expected a number up to {most}",
    "Expected `int` >= ": lambda least: f"expected a number from {least}",
    "Expected `array` of length ": lambda length: f"expected a list of another length: {length}",
}


class WrongValueError(ValueError):
    """A value is wrong: what is wrong, and the path to it from the value that was read."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.path = tuple(path)

    def within(self, *path: str | int) -> WrongValueError:
        """Return the error with the path to its value from an outer value.

        >>> WrongValueError("wrong", ("card",)).within("data").path
        ('data', 'card')
        """
        return WrongValueError(str(self), (*path, *self.path))


class CannotHoldError(ValueError):
    """A format cannot hold a value: the reason, and the index of its event in the round, if that is known."""

    def __init__(self, message: str, event: int | None = None) -> None:
        super().__init__(message)
        self.event = event


@contextmanager
def within(*path: str | int) -> Iterator[None]:
    """Put a path before the path of a `WrongValueError`: that to the value from an outer value.

    >>> with within("log", 0):
    ...     raise WrongValueError("wrong", (3,))
    Traceback (most recent call last):
    mjconv.converters.shared.json_values.WrongValueError: wrong
    """
    try:
        yield
    except WrongValueError as error:
        raise error.within(*path) from None


@contextmanager
def refusing(
    name: str, game_round: Round | None = None, origins: Sequence[int] = (), index: int = 0
) -> Iterator[None]:
    """Raise `UnsupportedError`, with the label of a round, for a value that the format `name` cannot hold.

    Raise `PlayError` for events that cannot be played. `game_round` is None for the match around the rounds,
    `index` is the index of the round in the match. `origins` has the index in the round of each event that is
    written; without it, all events are written.

    >>> with refusing("PMN", Round()):
    ...     raise CannotHoldError("PMN has no tile 5mr")
    Traceback (most recent call last):
    mjconv.ir.errors.UnsupportedError: round ?: PMN has no tile 5mr
    """
    where = "" if game_round is None else f"round {game_round.label}"
    try:
        yield
    except CannotHoldError as error:
        event = error.event if error.event is None or not origins else origins[error.event]
        message = "" if event is None else f", message {event + 1}"
        raise UnsupportedError(f"{where}{message}: {error}") from None
    except PlayedWrongError as error:
        raise PlayError(f"{where}, message {error.event + 1}: {error}", at=(0, index, error.event)) from None
    except WrongValueError as error:
        reason = ": ".join([*filter(None, [".".join(map(str, error.path))]), plain_reason(str(error))])
        raise UnsupportedError(f"{where}{': ' if where else ''}{name} cannot hold it: {reason}") from None


def plain_reason(reason: str) -> str:
    """Return the reason for which the decoder refuses a value, without its words for types.

    >>> plain_reason("Expected `int` <= 3, not 4"), plain_reason("Expected `array` of length >= 3")
    ('expected a number up to 3, not 4', 'expected a list of another length: >= 3')
    """
    for word, plain in _PLAIN_WORDS.items():
        if reason.startswith(word):
            return plain(reason.removeprefix(word))
    return reason


def shown(value: Any) -> str:
    """Return a value as a message quotes it.

    >>> shown("x" * 99)[-5:], shown([1]), shown(None), shown(True)
    ('xxxx…', '[1]', 'null', 'true')
    """
    text = "null" if value is None else str(value).lower() if type(value) is bool else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def check_list(value: Any, path: Path, expected: str, least: int = 0, most: int | None = None) -> list[Any]:
    """Return a list of `least` to `most` values. Raises `WrongValueError` for anything else.

    >>> check_list([1], ("log",), "rounds")
    [1]
    """
    if not isinstance(value, list) or len(value) < least or (most is not None and len(value) > most):
        actual = f"{len(value)} values" if isinstance(value, list) else shown(value)
        raise WrongValueError(f"expected {expected}, not {actual}", path)
    return value


def check_number(value: Any, path: Path, expected: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. Raises `WrongValueError` for anything else.

    >>> check_number(2, ("log", 0), "a seat", 0, 3)
    2
    """
    if type(value) is not int or not least <= value <= most:
        raise WrongValueError(f"expected {expected}, not {shown(value)}", path)
    return value


def check_text(value: Any, path: Path, expected: str) -> str:
    """Return a text. Raises `WrongValueError` for anything else.

    >>> check_text("A", ("name", 0), "a name")
    'A'
    """
    if not isinstance(value, str):
        raise WrongValueError(f"expected {expected}, not {shown(value)}", path)
    return value


def is_number(value: Any) -> bool:
    """Return whether a value is a number of a size that points can have.

    >>> is_number(1.5), is_number(True), is_number(10**40)
    (True, False, False)
    """
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 10**9


def as_struct(value: Any, kind: type[Kind], choice: str = "one of the known values") -> Kind:
    """Return a value of JSON as a struct. Raises `WrongValueError` with the path to the first wrong value.

    `choice` names the values of the types that are a choice of values (`typing.Literal`).

    >>> class Score(msgspec.Struct):
    ...     tens: list[int]
    >>> as_struct({"tens": [1, "x"]}, Score)
    Traceback (most recent call last):
    mjconv.converters.shared.json_values.WrongValueError: Expected `int`, not 'x'
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message, _, way = str(error).partition(" - at `$")
    path = [int(step) if step.isdecimal() else step for step in re.findall(r"[0-9]+|[^.\[\]]+", way.rstrip("`"))]
    wrong = value
    for step in path:
        wrong = wrong[step]
    if message.startswith("Invalid enum value"):
        message = f"expected {choice}"
    elif not message.startswith("Expected"):
        raise WrongValueError(message, path)
    actual = f"{len(wrong)} values" if "of length" in message and isinstance(wrong, list) else shown(wrong)
    raise WrongValueError(f"{message.partition(', got ')[0]}, not {actual}", path)
