"""The table of what is measured: a line a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from benchmarks.peers import BARE_PYTHON, FLOOR, RIICHIENV, SPLIT_LINES
from benchmarks.sides import Side, convert, process, read, read_file, score, write
from benchmarks.targets import Target, at_most_ms, times


@dataclass(frozen=True)
class Row:
    """Work of ours against a peer's, on the same games; `one` for a single game of the middle length."""

    ours: Side
    peer: Side
    target: Target | None = None
    one: bool = False


ROWS: Final = (
    Row(read_file("mjai"), RIICHIENV, times(1)),
    Row(convert("mjai", "jmjp"), FLOOR, times(3)),
    Row(convert("jmjp", "mjai"), FLOOR, times(5)),
    Row(convert("mjai", "uzje"), FLOOR, times(5)),
    Row(convert("uzje", "mjai"), FLOOR, times(5)),
    # Four times the 85,000 lines a second of the scorer that the notation comes from.
    Row(score(200_000), SPLIT_LINES, at_most_ms(200_000 / 340), one=True),
    Row(process("mjai", "jmjp"), BARE_PYTHON, at_most_ms(250), one=True),
    # For information.
    Row(process("jmjp", "mjai"), BARE_PYTHON, one=True),
    Row(convert("mjai", "mjai"), FLOOR),
    Row(convert("mjai", "jmjp-0"), FLOOR),
    Row(convert("mjai", "uzje-long"), FLOOR),
    Row(convert("mjai", "hk"), FLOOR),
    Row(read("jmjp"), FLOOR),
    Row(write("jmjp"), FLOOR),
    Row(write("mjai"), FLOOR),
)
