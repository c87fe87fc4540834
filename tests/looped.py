"""Cases of one fact in one test: a test of its own costs more than most cases."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

#: The most characters of a case that a failure shows.
_SHOWN = 500

Test = Callable[..., None]


def looped(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Return a decorator that calls a test for each case, as `pytest.mark.parametrize` does, but as one test.

    A failure names its case. All cases share the fixtures of the test.
    """
    keys = names.split(",") if isinstance(names, str) else names
    rows = [row if len(keys) > 1 else (row,) for row in cases]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(*own: object, **fixtures: object) -> None:
            for row in rows:
                try:
                    test(*own, **dict(zip(keys, row, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"in the case {row!r}"[:_SHOWN])
                    raise

        whole = inspect.signature(test)
        others = [each for name, each in whole.parameters.items() if name not in keys]
        run.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
