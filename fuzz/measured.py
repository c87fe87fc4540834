"""Run a command within bounds and measure it: ``python -m fuzz.measured FILE SECONDS BYTES COMMAND...``.

A process of its own, as what a process takes counts from what its parent took: this one takes little.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from time import perf_counter


def main(file: str, seconds: str, size: str, *command: str) -> None:
    """Write exit status, seconds and the most memory in bytes to the file, as JSON."""
    begin = perf_counter()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (int(size), int(size)))
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    measured = os.waitstatus_to_exitcode(status), perf_counter() - begin, used.ru_maxrss * 1024
    Path(file).write_text(json.dumps(measured), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
