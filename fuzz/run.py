"""Try inputs in a worker process, save those that do harm, and count."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import SpawnContext
from pathlib import Path
from time import monotonic
from typing import Any, Final

from fuzz.launch import launch
from fuzz.subjects import subject
from fuzz.worker import Crash, Progress, input_of, name_of

#: A worker that sends nothing for so many seconds hangs in code that no signal interrupts.
_SILENCE: Final = 90.0
#: With less time left, in minutes, no new worker starts.
_LEAST: Final = 0.05


class Campaign:
    """One run of fuzzing, and its results so far."""

    def __init__(self, reader: str, seed: int, folder: Path, *, guided: bool = False) -> None:
        self.reader = reader
        self.seed = seed
        self.folder = folder
        self.guided = guided
        self.done: list[Progress] = []
        self.crashes: dict[str, Crash] = {}

    def run(self, minutes: float) -> None:
        """Try inputs for `minutes`. If a worker dies or hangs, another starts."""
        begin = monotonic()
        context = multiprocessing.get_context("spawn")
        number: Any = context.Value("q", 0, lock=False)
        while (left := minutes - (monotonic() - begin) / 60) > _LEAST or not self.done:
            self._one_process(context, number, left)
            number.value += 1

    def _one_process(self, context: SpawnContext, number: Any, minutes: float) -> None:
        """Run one worker to its end."""
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=launch, args=(self.guided, self.reader, self.seed, number, minutes, theirs)
        )
        process.start()
        theirs.close()
        progress = Progress()
        heard = monotonic()
        while True:
            try:
                if not ours.poll(_SILENCE):
                    break
                message: Any = ours.recv()
            except EOFError:
                break
            heard = monotonic()
            if isinstance(message, Crash):
                self._keep(message)
            else:
                progress = message
        process.join(5)
        hangs = process.is_alive()
        if hangs:
            process.kill()
            process.join()
        self.done.append(progress)
        if process.exitcode != 0 and not self.guided:
            how = f"hangs for {monotonic() - heard:.0f} s" if hangs else "kills the process"
            data, _ = input_of(self.reader, self.seed, number.value)
            self._keep(Crash(f"{how} {number.value}", f"input {number.value} {how}", data))

    def _keep(self, crash: Crash) -> None:
        """Write the input of a crash to the folder. The shortest input of each mistake stays."""
        before = self.crashes.get(crash.mark)
        if before is not None and len(before.data) <= len(crash.data):
            return
        if before is None:
            print(f"--- {crash.mark}\n{crash.details}", flush=True)
        self.crashes[crash.mark] = crash
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.reader}-{name_of(crash)}{subject(self.reader).suffix}"
        path.write_bytes(crash.data)

    def figures(self) -> str:
        """Return the figures as one line."""
        tried = sum(progress.tried for progress in self.done)
        whole = sum(progress.whole for progress in self.done)
        slow = max(self.done, key=lambda progress: progress.slowest.seconds)
        memory = max(progress.memory for progress in self.done)
        return (
            f"{self.reader}: {tried} inputs, {whole} of them read whole; slowest {slow.slowest.seconds:.2f} s"
            f" ({slow.slowest.slowest}, {slow.slowest_bytes} bytes, {slow.slowest_input});"
            f" peak memory {memory / 10**6:.0f} MB; {len(self.crashes)} crashes"
        )
