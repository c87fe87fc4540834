"""Choose inputs by coverage with atheris: inputs that reach new code are kept and broken further.

atheris instruments mjconv at its import, so nothing in this process may import mjconv earlier.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import atheris

with atheris.instrument_imports(include=["mjconv"]):
    from fuzz.breaking import MOST_BYTES, broken_further
    from fuzz.seeds import records
    from fuzz.worker import Examiner, bound

#: How many of ten changes use `fuzz.breaking`; atheris makes the others.
_OURS: Final = 7
#: The interval between reports of progress, in seconds.
_TELLING: Final = 1.0


def work(reader: str, seed: int, number: ctypes.c_longlong, minutes: float, parent: Connection) -> None:
    """Try inputs for `minutes`, and send progress and crashes to the parent. atheris ends the process."""
    bound()
    examiner = Examiner(reader, parent)
    rng = Random(seed)
    told = monotonic()

    def change(data: bytes, most: int, seed: int) -> bytes:
        """Break an input further, by `fuzz.breaking` or by atheris."""
        ours = Random(seed)
        if ours.randrange(10) < _OURS:
            return broken_further(data, records(reader), ours)[:most]
        changed: bytes = atheris.Mutate(data, most)
        return changed

    def try_one(data: bytes) -> None:
        nonlocal told
        examiner.test(data, rng, f"seed {seed}")
        number.value += 1
        if monotonic() - told > _TELLING:
            parent.send(examiner.progress)
            told = monotonic()

    with tempfile.TemporaryDirectory() as folder:
        for place, data in enumerate(records(reader)):
            Path(folder, f"{place:05}").write_bytes(data)
        settings = [f"-max_total_time={int(60 * minutes)}", f"-max_len={MOST_BYTES}", f"-seed={seed + 1}"]
        quiet = [
            f"-artifact_prefix={folder}/",
            "-verbosity=0",
            "-print_final_stats=0",
            "-rss_limit_mb=0",
            "-timeout=60",
        ]
        atheris.Setup([sys.argv[0], *settings, *quiet, folder], try_one, custom_mutator=change)
        atheris.Fuzz()
