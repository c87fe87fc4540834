"""Cases of one fact in one test: a test of its own costs more than most cases."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import settings

#: The generated examples of the thorough profile.
THOROUGH = 60
#: The most characters of a case that a failure shows.
_SHOWN = 500

Test = Callable[..., None]


def looped(
    names: str | tuple[str, ...], *cases: Any, ids: Iterable[str] | Callable[[Any], object] = repr, every: int = 1
) -> Callable[[Test], Test]:
    """Return a decorator that calls a test for each case, as `pytest.mark.parametrize` does, but as one test.

    Each case is an argument. A failure names its case: by its id, which is one of a list, or what a function makes
    of each value. All cases share the fixtures of the test. With the quick profile, only each `every`-th case is
    tried. Raises `ValueError` if there is no case.
    """
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    rows = [dict(zip(keys, case if len(keys) > 1 else (case,), strict=True)) for case in cases]
    shown = ["-".join(str(ids(value)) for value in row.values()) for row in rows] if callable(ids) else [*ids]
    quick = len(rows[::every])
    rows, shown = rows[:: step(every)], shown[:: step(every)]
    if not rows:
        raise ValueError(f"a test has no case of {names}")

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(*own: object, **fixtures: object) -> None:
            for name, row in zip(shown, rows, strict=True):
                try:
                    test(*own, **row, **fixtures)
                except BaseException as error:
                    error.add_note(f"in the case {name}"[:_SHOWN])
                    raise

        whole = inspect.signature(test)
        others = [each for name, each in whole.parameters.items() if name not in keys]
        run.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]
        own = [value for row in rows for value in row.values()]
        run.values = own + values_of(test)  # type: ignore[attr-defined]
        run.times = len(rows) / quick * times_of(test)  # type: ignore[attr-defined]
        return run

    return decorate


def step(every: int) -> int:
    """Return the distance between the cases that are tried: `every` with the quick profile, else 1."""
    return every if settings().max_examples < THOROUGH else 1


def times_of(test: object) -> float:
    """Return how many times the cases of the quick profile a test loops over."""
    return float(getattr(test, "times", 1))


def values_of(test: object) -> list[object]:
    """Return the values of all cases that a test loops over."""
    return [*getattr(test, "values", ())]
