"""The settings of reading in force: the values that readers use unless a caller sets others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Generic, TypeVar

from msgspec import Struct

from mjconv.ir import limits
from mjconv.ir.limits import Limits

T = TypeVar("T")


class Setting(Generic[T]):
    """A value for the whole process, and inside a ``with`` statement another one.

    >>> setting = Setting("depth", 1)
    >>> with setting.using(2):
    ...     setting.current()
    2
    >>> setting.current()
    1
    """

    def __init__(self, name: str, usual: T) -> None:
        self._process = usual
        self._here: ContextVar[list[T]] = ContextVar(name)

    def current(self) -> T:
        """Return the value in force."""
        return self._here.get([self._process])[0]

    def install(self, value: T) -> None:
        """Put a value in force for the whole process. Values of `using` take precedence."""
        self._process = value

    @contextmanager
    def using(self, value: T) -> Iterator[None]:
        """Put a value in force inside a ``with`` statement."""
        token = self._here.set([value])
        try:
            yield
        finally:
            self._here.reset(token)


#: Whether readers work out the wall of each round from the seed of a game.
walls: Final = Setting("walls", True)
#: Python's name of the encoding of texts; None is UTF-8. `mjconv.encoding` checks names before it sets them.
text_encoding: Final[Setting[str | None]] = Setting("encoding", None)


class ReadSettings(Struct, frozen=True):
    """All settings, so that another process can use the same. `encoding` is None for UTF-8."""

    limits: Limits = Limits()
    encoding: str | None = None
    walls: bool = True

    @classmethod
    def current(cls) -> ReadSettings:
        """Return the settings in force."""
        return cls(limits.current(), text_encoding.current(), walls.current())

    def install(self) -> None:
        """Put the settings in force for the whole process."""
        limits.install(self.limits)
        text_encoding.install(self.encoding)
        walls.install(self.walls)
