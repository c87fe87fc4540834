"""Run a command with limits and measure it: ``python -m fuzz.measured FILE SECONDS BYTES COMMAND...``.

The peak memory of a process starts at that of its parent, so this parent is a small process.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path


def main(file: str, seconds: str, size: str, *command: str) -> None:
    """Write the exit status, the seconds of processor time and the peak memory in bytes to a file, as JSON."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        resource.setrlimit(resource.RLIMIT_AS, (int(size), int(size)))
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    measured = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    Path(file).write_text(json.dumps(measured), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
