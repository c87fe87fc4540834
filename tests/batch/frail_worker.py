"""A worker that dies and hangs: ``python frail_worker.py FOLDER SEED``.

It dies over one member in ten, chosen by the seed, the first time it reads it; `FOLDER` holds a mark for each. It
always dies over a member with ``deadly`` in its name, and never finishes one with ``endless`` in its name.
"""

import os
import signal
import sys
import time
from pathlib import Path
from zlib import crc32

from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Outcome, Task
from mjconv.batch.worker import convert_member, main

_, _folder, _seed = sys.argv


def work(task: Task, plan: Plan) -> Outcome:
    name = task.member.name
    mark = Path(_folder, f"{crc32(name.encode())}")
    if "endless" in name:
        time.sleep(3600)
    if "deadly" in name or (crc32(f"{_seed}{name}".encode()) % 10 == 0 and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return convert_member(task, plan)


if __name__ == "__main__":
    main(work)
