"""Whether readers work out the wall of each round from the seed of a game: the setting in force."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

#: The setting of the process, and the one inside a `using`.
_process = True
_here: ContextVar[bool | None] = ContextVar("walls", default=None)


def current() -> bool:
    """Return whether walls are worked out.

    >>> current()
    True
    """
    here = _here.get()
    return _process if here is None else here


def install(wanted: bool) -> None:
    """Put a setting in force for the whole process. Settings of `using` take precedence."""
    global _process
    _process = wanted


@contextmanager
def using(wanted: bool) -> Iterator[None]:
    """Put a setting in force inside a ``with`` statement, for the sources that are made there.

    >>> with using(False):
    ...     current()
    False
    """
    token = _here.set(wanted)
    try:
        yield
    finally:
        _here.reset(token)
