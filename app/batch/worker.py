"""A worker: ``python -m mjconv.batch.worker`` converts the members that it is sent, until nothing more comes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import IO, TypeAlias

from mjconv.batch import protocol
from mjconv.batch.plan import Plan
from mjconv.batch.protocol import Ready
from mjconv.batch.work import Outcome, Task, perform
from mjconv.ir import limits

Work: TypeAlias = Callable[[Task, Plan], Outcome]


def serve(inbox: IO[bytes], outbox: IO[bytes], work: Work = perform) -> None:
    """Do the tasks that come in, and send what comes of each as soon as it is done."""
    plan = protocol.receive(inbox, protocol.read_plan)
    if plan is None:
        return
    limits.install(plan.limits)
    protocol.send(outbox, Ready(os.getpid()))
    while (chunk := protocol.receive(inbox, protocol.read_chunk)) is not None:
        for task in chunk.tasks:
            protocol.send(outbox, work(task, plan))


def main(work: Work = perform) -> None:
    """Serve on standard input and output."""
    # Whatever is printed would be taken for a message: it goes nowhere.
    outbox = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        serve(sys.stdin.buffer, outbox, work)
    except (BrokenPipeError, KeyboardInterrupt):
        # The run has ended: nobody waits for the rest.
        os._exit(0)


if __name__ == "__main__":
    main()
