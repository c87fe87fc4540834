"""Processor time that no test is charged with: whichever test asks first makes what many tests share."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: Seconds so far.
spent = 0.0
#: Packages that take long to import.
_LARGE = (
    "jsonschema",
    "lark",
    "mahjong",
    "polars",
    "pyarrow.parquet",
    "pygls.lsp.server",
    "riichienv",
    "textual.app",
)


@contextmanager
def shared() -> Iterator[None]:
    """Do not charge the present test with this block."""
    global spent
    begin = time.process_time()
    try:
        yield
    finally:
        spent += time.process_time() - begin


def import_large() -> None:
    """Import the packages that take long, before the first test. One that is not installed is skipped."""
    for name in _LARGE:
        with suppress(ImportError):
            importlib.import_module(name)
