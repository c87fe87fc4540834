"""What the tests of the benchmarks share: sides that do nothing, a pace that takes no time."""

from benchmarks.measure import Pace
from benchmarks.sides import Side

#: One sweep over all rows, of as few runs as there can be.
ONCE = Pace(share=0, sweeps=1, seconds=0)


def nothing(name: str, needs: str = "mjconv", known: str = "", *, apart: bool = False) -> Side:
    return Side(name, lambda game: game, lambda _: None, needs, known, apart)
