"""The faan table: what a winning hand is worth by HK rules. Houses differ: the table is there to be changed.

Each pattern says how often a hand has it, what it counts, and which patterns it takes in: those are part of it,
and count no more beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from mjconv.ir.tiles import DRAGONS, SUITS, WINDS, Tile
from mjconv.rules.hand_readings import HONOURS, TERMINALS, Reading


@dataclass(frozen=True)
class Way:
    """How a hand was won. `earthly` is a win on the dealer's first discard, `heavenly` with the tiles dealt."""

    self_drawn: bool = False
    seat_wind: Tile = ""
    round_wind: Tile = ""
    robbed_kong: bool = False
    replacement: bool = False
    last_tile: bool = False
    heavenly: bool = False
    earthly: bool = False


class Faan(NamedTuple):
    """What a hand is worth: the sum, and the patterns that count, each as often as it does."""

    total: int
    patterns: tuple[str, ...]


class Pattern(NamedTuple):
    """A pattern: its name, what it counts, how often a hand read in one way has it, what it takes in."""

    name: str
    faan: int
    times: Callable[[Reading, Way], int]
    takes_in: tuple[str, ...] = ()


# What the patterns ask of a hand.


def _pungs(reading: Reading, tiles: Iterable[Tile]) -> int:
    return sum(one.kind != "chow" and one.tile in tiles for one in reading.sets)


def _kongs(reading: Reading) -> int:
    return sum(one.kind == "kong" for one in reading.sets)


def _all_chows(reading: Reading) -> bool:
    return reading.shape == "sets" and not _pungs(reading, reading.tiles)


def _all_pungs(reading: Reading) -> bool:
    return reading.shape == "sets" and _pungs(reading, reading.tiles) == len(reading.sets)


def _concealed(reading: Reading) -> bool:
    return all(one.concealed for one in reading.sets)


def _suits(reading: Reading) -> set[str]:
    return {tile[-1] for tile in reading.tiles if tile not in HONOURS}


def _has_honours(reading: Reading) -> bool:
    return any(tile in HONOURS for tile in reading.tiles)


def _one_suit(reading: Reading, *, honours: bool) -> bool:
    return len(_suits(reading)) == 1 and _suits(reading) <= set(SUITS) and _has_honours(reading) is honours


def _small(reading: Reading, tiles: tuple[Tile, ...]) -> bool:
    return reading.pair in tiles and _pungs(reading, tiles) == len(tiles) - 1


_NINE_GATES: Final = Counter({1: 3, 9: 3}) + Counter(range(2, 9))


def _nine_gates(reading: Reading) -> bool:
    """1112345678999 and one tile more, of one suit, nothing called and no kong."""
    if reading.shape != "sets" or not _one_suit(reading, honours=False) or _kongs(reading):
        return False
    counts: Counter[int] = Counter({int(reading.pair[:-1]): 2})
    for one in reading.sets:
        rank = int(one.tile[:-1])
        counts.update((rank, rank, rank) if one.kind == "pung" else (rank, rank + 1, rank + 2))
    return _concealed(reading) and counts >= _NINE_GATES


#: Sets of a hand.
FOUR: Final = 4
_WIND_PUNGS: Final = ("seat-wind pung", "round-wind pung")

PATTERNS: Final = (
    # How the hand was won. Each counts beside the others.
    Pattern("self-drawn", 1, lambda _, way: way.self_drawn),
    Pattern("concealed hand", 1, lambda hand, _: _concealed(hand)),
    Pattern("robbing a kong", 1, lambda _, way: way.robbed_kong),
    Pattern("kong's replacement", 1, lambda _, way: way.replacement),
    Pattern("last tile", 1, lambda _, way: way.last_tile),
    Pattern("heavenly hand", 13, lambda _, way: way.heavenly, ("self-drawn", "concealed hand")),
    Pattern("earthly hand", 13, lambda _, way: way.earthly, ("concealed hand",)),
    # What its sets are.
    Pattern("common hand", 1, lambda hand, _: _all_chows(hand)),
    Pattern("dragon pung", 1, lambda hand, _: _pungs(hand, DRAGONS)),
    Pattern("seat-wind pung", 1, lambda hand, way: _pungs(hand, (way.seat_wind,))),
    Pattern("round-wind pung", 1, lambda hand, way: _pungs(hand, (way.round_wind,))),
    Pattern("all pungs", 3, lambda hand, _: _all_pungs(hand)),
    Pattern(
        "self-drawn pungs",
        8,
        lambda hand, way: _all_pungs(hand) and _concealed(hand) and way.self_drawn,
        ("all pungs", "self-drawn", "concealed hand"),
    ),
    Pattern("four kongs", 13, lambda hand, _: _kongs(hand) == FOUR, ("all pungs",)),
    Pattern("small dragons", 5, lambda hand, _: _small(hand, DRAGONS), ("dragon pung",)),
    Pattern("big dragons", 8, lambda hand, _: _pungs(hand, DRAGONS) == len(DRAGONS), ("dragon pung",)),
    Pattern("small winds", 6, lambda hand, _: _small(hand, WINDS), (*_WIND_PUNGS, "mixed one suit")),
    Pattern(
        "big winds",
        13,
        lambda hand, _: _pungs(hand, WINDS) == len(WINDS),
        (*_WIND_PUNGS, "mixed one suit", "all pungs"),
    ),
    # What its tiles are.
    Pattern("mixed one suit", 3, lambda hand, _: _one_suit(hand, honours=True)),
    Pattern("pure one suit", 7, lambda hand, _: _one_suit(hand, honours=False)),
    Pattern("all terminals", 10, lambda hand, _: hand.tiles <= set(TERMINALS), ("all pungs",)),
    Pattern("all honours", 10, lambda hand, _: hand.tiles <= set(HONOURS), ("all pungs",)),
    Pattern("nine gates", 10, lambda hand, _: _nine_gates(hand), ("pure one suit", "concealed hand")),
    Pattern("thirteen orphans", 13, lambda hand, _: hand.shape == "thirteen orphans", ("concealed hand",)),
    Pattern("seven pairs", 4, lambda hand, _: hand.shape == "seven pairs", ("concealed hand",)),
)
#: What is no hand in most HK houses, and counts all the same.
APPROXIMATED: Final = "seven pairs"


def count(readings: Iterable[Reading], way: Way, most: int = 13) -> Faan | None:
    """Count a hand: of all readings the best, at `most` faan. None where there is no reading.

    >>> from mjconv.rules.hand_readings import readings
    >>> count(readings("1m 2m 3m 4m 5m 6m 7m 8m 9m P P P E E".split()), Way(seat_wind="S", round_wind="E"))
    Faan(total=5, patterns=('concealed hand', 'dragon pung', 'mixed one suit'))
    """
    found = [_count(reading, way) for reading in readings]
    best = max(found, key=lambda faan: faan.total, default=None)
    return best and Faan(min(best.total, most), best.patterns)


def _count(reading: Reading, way: Way) -> Faan:
    had = [(pattern, times) for pattern in PATTERNS if (times := int(pattern.times(reading, way)))]
    taken_in = {name for pattern, _ in had for name in pattern.takes_in}
    counting = [(pattern, times) for pattern, times in had if pattern.name not in taken_in]
    return Faan(
        sum(pattern.faan * times for pattern, times in counting),
        tuple(pattern.name for pattern, times in counting for _ in range(times)),
    )
