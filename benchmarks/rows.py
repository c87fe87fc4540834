"""The table of what is measured: a line a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from benchmarks.peers import BARE_PYTHON, FLOOR, JSONSCHEMA, RIICHIENV, split_lines
from benchmarks.sides import (
    Side,
    check,
    convert,
    process,
    read,
    read_file,
    read_scores,
    score,
    write,
    write_scores,
)
from benchmarks.targets import Target, at_least, at_most_ms, times

#: Lines of a file of HK scores to add up, and of one to convert.
_SCORES: Final = 200_000
_FEW_SCORES: Final = 10_000
#: Games of an evening, and of a file of one sitting.
_EVENING: Final = 16
_NO_END: Final = _SCORES


@dataclass(frozen=True)
class Row:
    """Work of ours against a peer's, on the same games; `one` for a single game of the middle length.

    `lines` is of how many lines the work is, where it is not of the games' messages, which are a line each.
    """

    ours: Side
    peer: Side
    target: Target | None = None
    one: bool = False
    lines: int | None = None


def _scores(ours: Side, lines: int, games: int, target: Target | None = None) -> Row:
    return Row(ours, split_lines(lines, games), target, one=True, lines=lines)


ROWS: Final = (
    Row(read_file("mjai"), RIICHIENV, times(1)),
    Row(convert("mjai", "jmjp"), FLOOR, times(3)),
    Row(convert("jmjp", "mjai"), FLOOR, times(5)),
    Row(convert("mjai", "uzje"), FLOOR, times(5)),
    Row(convert("uzje", "mjai"), FLOOR, times(5)),
    # Four times the 85,000 lines a second of the scorer that the notation comes from.
    _scores(score(_SCORES, _EVENING), _SCORES, _EVENING, at_least(340_000)),
    Row(check(), JSONSCHEMA, at_least(1_000_000), one=True),
    Row(process("mjai", "jmjp"), BARE_PYTHON, at_most_ms(250), one=True),
    # For information.
    Row(process("jmjp", "mjai"), BARE_PYTHON, one=True),
    Row(convert("mjai", "mjai"), FLOOR),
    Row(convert("mjai", "jmjp-0"), FLOOR),
    Row(convert("mjai", "uzje-long"), FLOOR),
    Row(convert("uzje-long", "mjai"), FLOOR),
    Row(convert("mjai", "hk"), FLOOR),
    Row(read("jmjp"), FLOOR),
    Row(write("jmjp"), FLOOR),
    Row(write("mjai"), FLOOR),
    _scores(score(_SCORES, _NO_END), _SCORES, _NO_END),
    _scores(read_scores(_FEW_SCORES, _EVENING), _FEW_SCORES, _EVENING),
    _scores(write_scores(_FEW_SCORES, _EVENING), _FEW_SCORES, _EVENING),
)
