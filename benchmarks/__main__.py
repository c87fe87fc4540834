"""Measure: ``python -m benchmarks``, ``python -m benchmarks growth``, ``python -m benchmarks instructions``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, cast

#: The first argument, and the module whose `main` it calls.
COMMANDS: Final = {"table": "table", "growth": "growth", "instructions": "instructions"}


def main(arguments: Sequence[str] | None = None) -> None:
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = words.pop(0) if words and words[0] in COMMANDS else "table"
    run = import_module(f"benchmarks.{COMMANDS[command]}").main
    cast(Callable[[list[str]], None], run)(words)


if __name__ == "__main__":
    main()
