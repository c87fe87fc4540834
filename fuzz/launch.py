"""Begin a worker in its own process: which module does the work is loaded there, and nothing before it."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def launch(guided: bool, *arguments: Any) -> None:
    """Work with coverage to guide, or without: what `fuzz.worker.work` and `fuzz.guided.work` take."""
    import_module("fuzz.guided" if guided else "fuzz.worker").work(*arguments)
