"""Processor time that no test is charged with: the packages that the first test would import for many."""

import importlib
from contextlib import suppress

#: Packages that take long to import.
_LARGE = (
    "jsonschema", "lark", "mahjong", "polars", "pyarrow.parquet", "pygls.lsp.server", "riichienv", "textual.app"
)  # fmt: skip


def import_large() -> None:
    """Import the packages that take long, before the first test. One that is not installed is skipped."""
    for name in _LARGE:
        with suppress(ImportError):
            importlib.import_module(name)
