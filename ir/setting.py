"""A value in force: one of the whole process, and another one inside a ``with`` statement."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar

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
    def using(self, value: T) -> Iterator[T]:
        """Put a value in force inside a ``with`` statement, for this thread or task."""
        token = self._here.set([value])
        try:
            yield value
        finally:
            self._here.reset(token)
