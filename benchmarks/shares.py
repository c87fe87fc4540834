"""The shares of reading, playing, writing and notes in the time of a side.

A timer interrupts the work every half millisecond. The functions that run at that moment decide the kind of work.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from types import FrameType
from typing import Any, Final

from benchmarks.sides import Side

#: The kinds of work, in the order of the table. The rest of the time belongs to none of them.
KINDS: Final = ("read", "play", "write", "notes")
_STEP: Final = 0.0005
#: The modules whose functions play, and those whose functions but `prove` work on notes, whatever these call.
_PLAY: Final = frozenset({"mjconv.ir.play", "mjconv.ir.turns", "mjconv.ir.table"})
_NOTES: Final = frozenset(
    {
        "mjconv.ir.patch",
        *(
            f"mjconv.converters.shared.{name}"
            for name in ("carry", "contradictions", "note_json", "originals", "restore")
        ),
    }
)


def shares(side: Side, cases: Sequence[Any], seconds: float) -> Mapping[str, float]:
    """Return the share of each kind of work, from 0 to 1, in so many seconds on these cases, or one run of each.

    Returns nothing if no timer can interrupt the work.
    """
    if side.apart or not hasattr(signal, "setitimer"):
        return {}
    counts: Counter[str] = Counter()
    before = signal.signal(signal.SIGALRM, lambda _, frame: counts.update([kind_of(frame)]))
    signal.setitimer(signal.ITIMER_REAL, _STEP, _STEP)
    end = perf_counter() + seconds
    ran = False
    try:
        while not ran or perf_counter() < end:
            for case in cases:
                side.run(case)
            ran = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    whole = counts.total()
    return {kind: counts[kind] / whole for kind in KINDS} if whole else {}


def kind_of(frame: FrameType | None) -> str:
    """Return the kind of work of a function that runs, by its callers; an empty text if it is of no kind."""
    running = list(_callers(frame))
    if any(module in _PLAY for module, _ in running):
        return "play"
    # `prove` has the reader read the text: what it calls in other modules is no work on notes.
    if next((name for module, name in running if module in _NOTES), "prove") != "prove":
        return "notes"
    if any(module.startswith("mjconv.converters.") and name == "render" for module, name in running):
        return "write"
    return "read" if ("mjconv.converters.shared.bounds", "bounded") in running else ""


def _callers(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of a function, of its caller, and so on."""
    while frame is not None:
        yield frame.f_globals.get("__name__", ""), frame.f_code.co_name
        frame = frame.f_back
