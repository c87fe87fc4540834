"""Start a worker in its own process. The module that does the work is imported there, and not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def launch(guided: bool, *arguments: Any) -> None:
    """Run `fuzz.guided.work` or `fuzz.worker.work` with the arguments."""
    import_module("fuzz.guided" if guided else "fuzz.worker").work(*arguments)
