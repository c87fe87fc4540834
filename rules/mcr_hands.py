"""Complete hands of Chinese Official: also seven pairs with four equal tiles, and hands of knitted tiles."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Final

from mjconv.ir.match import Meld
from mjconv.ir.tiles import HONOURS, SUITS, Tile, plain
from mjconv.rules.decomposition import WHOLE, decompositions, sets_of
from mjconv.rules.hands import countable, groups

#: The nine knitted tiles, in each division of the suits: 1 4 7 of one suit, 2 5 8 of another, 3 6 9 of the third.
_KNITTED: Final = tuple(
    frozenset(f"{low + step}{suit}" for low, suit in enumerate(suits, 1) for step in (0, 3, 6))
    for suits in permutations(SUITS)
)


def is_complete(concealed: Sequence[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Return whether a hand is complete. `concealed` holds the winning tile too.

    >>> is_complete("1m 4m 7m 2p 5p 8p 3s 6s 9s E E E 9p 9p".split())
    True
    >>> is_complete("1m 7m 2p 5p 8p 3s 9s E S W N P F C".split()), is_complete(["1m"] * 4 + ["E"] * 10)
    (True, False)
    """
    called = len(groups(melds))
    if len(concealed) + 3 * called != WHOLE:
        return False
    counts = Counter(map(plain, concealed))
    if not called and (
        all(number in (2, 4) for number in counts.values())
        or (len(counts) == WHOLE and any(knitted.issuperset(counts.keys() - set(HONOURS)) for knitted in _KNITTED))
    ):
        return True
    straights = (counts - Counter(knitted) for knitted in _KNITTED if knitted <= counts.keys())
    return bool(decompositions(concealed, melds)) or any(
        next(sets_of(rest - Counter({pair: 2})), None) is not None
        for rest in straights
        for pair, number in rest.items()
        if number >= 2
    )


def may_be_complete(concealed: Sequence[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Return whether a hand may be complete in a game that is not known: Chinese Official has the most hands.

    Which hands with tiles of larger sets are complete is not known.

    >>> may_be_complete(["1m"] * 4 + ["E"] * 10), may_be_complete(["1m"] * 13 + ["10m"])
    (False, True)
    """
    return not countable(concealed, groups(melds)) or is_complete(concealed, melds)
