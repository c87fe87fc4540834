"""The faan of a winning hand by Hong Kong rules, as one table of patterns.

Houses differ: edit `PATTERNS` for another house. A pattern can include others. An included pattern does not count
beside the pattern that includes it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from mjconv.ir.tiles import DRAGONS, HONOURS, SUITS, WINDS, Tile
from mjconv.rules.decomposition import TERMINALS, Decomposition


@dataclass(frozen=True)
class Way:
    """How a hand was won: `heavenly` with the tiles dealt, `earthly` on the dealer's first discard."""

    self_drawn: bool = False
    seat_wind: Tile = ""
    round_wind: Tile = ""
    robbed_kong: bool = False
    replacement: bool = False
    last_tile: bool = False
    heavenly: bool = False
    earthly: bool = False


class Faan(NamedTuple):
    """The faan of a hand in all, and its patterns, each as often as it counts."""

    total: int
    patterns: tuple[str, ...]


class Pattern(NamedTuple):
    """A pattern: its name, its faan, how often a hand has it, and the names of the patterns that it includes."""

    name: str
    faan: int
    times: Callable[[Decomposition, Way], int]
    includes: tuple[str, ...] = ()


# The conditions of the patterns.


def _pungs(hand: Decomposition, tiles: Iterable[Tile]) -> int:
    return sum(one.kind != "chow" and one.tile in tiles for one in hand.sets)


def _kongs(hand: Decomposition) -> int:
    return sum(one.kind == "kong" for one in hand.sets)


def _all_pungs(hand: Decomposition) -> bool:
    return hand.shape == "sets" and _pungs(hand, hand.tiles) == len(hand.sets)


def _concealed(hand: Decomposition) -> bool:
    return all(one.concealed for one in hand.sets)


def _suits(hand: Decomposition) -> set[str]:
    return {tile[-1] for tile in hand.tiles if tile not in HONOURS}


def _has_honours(hand: Decomposition) -> bool:
    return any(tile in HONOURS for tile in hand.tiles)


def _one_suit(hand: Decomposition, *, honours: bool) -> bool:
    return len(_suits(hand)) == 1 and _suits(hand) <= set(SUITS) and _has_honours(hand) is honours


def _small(hand: Decomposition, tiles: tuple[Tile, ...]) -> bool:
    return hand.pair in tiles and _pungs(hand, tiles) == len(tiles) - 1


_NINE_GATES: Final = Counter({1: 3, 9: 3}) + Counter(range(2, 9))


def _nine_gates(hand: Decomposition) -> bool:
    """Return whether a hand is 1112345678999 and one more tile of one suit, with no call and no kong."""
    if hand.shape != "sets" or not _one_suit(hand, honours=False) or _kongs(hand):
        return False
    counts: Counter[int] = Counter({int(hand.pair[:-1]): 2})
    for one in hand.sets:
        rank = int(one.tile[:-1])
        counts.update((rank, rank, rank) if one.kind == "pung" else (rank, rank + 1, rank + 2))
    return _concealed(hand) and counts >= _NINE_GATES


#: The sets of a hand.
FOUR: Final = 4
_WIND_PUNGS: Final = ("seat-wind pung", "round-wind pung")

PATTERNS: Final = (
    # Patterns of the win. Each counts beside the others.
    Pattern("self-drawn", 1, lambda _, way: way.self_drawn),
    Pattern("concealed hand", 1, lambda hand, _: _concealed(hand)),
    Pattern("robbing a kong", 1, lambda _, way: way.robbed_kong),
    Pattern("kong's replacement", 1, lambda _, way: way.replacement),
    Pattern("last tile", 1, lambda _, way: way.last_tile),
    Pattern("heavenly hand", 13, lambda _, way: way.heavenly, ("self-drawn", "concealed hand")),
    Pattern("earthly hand", 13, lambda _, way: way.earthly, ("concealed hand",)),
    # Patterns of the sets.
    Pattern("common hand", 1, lambda hand, _: hand.shape == "sets" and not _pungs(hand, hand.tiles)),
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
    # Patterns of the tiles.
    Pattern("mixed one suit", 3, lambda hand, _: _one_suit(hand, honours=True)),
    Pattern("pure one suit", 7, lambda hand, _: _one_suit(hand, honours=False)),
    Pattern("all terminals", 10, lambda hand, _: hand.tiles <= set(TERMINALS), ("all pungs",)),
    Pattern("all honours", 10, lambda hand, _: hand.tiles <= set(HONOURS), ("all pungs",)),
    Pattern("nine gates", 10, lambda hand, _: _nine_gates(hand), ("pure one suit", "concealed hand")),
    Pattern("thirteen orphans", 13, lambda hand, _: hand.shape == "thirteen orphans", ("concealed hand",)),
    Pattern("seven pairs", 4, lambda hand, _: hand.shape == "seven pairs", ("concealed hand",)),
)
#: The pattern that most HK houses do not play. It counts here, and the writer reports it.
APPROXIMATED: Final = "seven pairs"


def count(hands: Iterable[Decomposition], way: Way, most: int = 13) -> Faan | None:
    """Return the faan of a hand by its best decomposition, at most `most`; None without a decomposition.

    >>> from mjconv.rules.decomposition import decompositions
    >>> count(decompositions("1m 2m 3m 4m 5m 6m 7m 8m 9m P P P E E".split()), Way(seat_wind="S", round_wind="E"))
    Faan(total=5, patterns=('concealed hand', 'dragon pung', 'mixed one suit'))
    """
    best = max((_count(hand, way) for hand in hands), key=lambda faan: faan.total, default=None)
    return best and Faan(min(best.total, most), best.patterns)


def _count(hand: Decomposition, way: Way) -> Faan:
    had = [(pattern, times) for pattern in PATTERNS if (times := int(pattern.times(hand, way)))]
    included = {name for pattern, _ in had for name in pattern.includes}
    counting = [(pattern, times) for pattern, times in had if pattern.name not in included]
    return Faan(
        sum(pattern.faan * times for pattern, times in counting),
        tuple(pattern.name for pattern, times in counting for _ in range(times)),
    )
