"""The faan table on constructed hands, each counted by hand: every pattern, and what one includes of another.

A hand is written as its concealed tiles with the winning one, then its calls: ``c1m`` a chow from 1m on, ``pE``
a pung, ``kE`` an open kong, ``xE`` one added to a pung, ``aE`` a concealed one. Unless stated otherwise it was
won by discard, by a player whose wind is south, in the east round.
"""

import itertools
import random
from collections import Counter
from dataclasses import replace
from typing import Any

from looped import looped
from mjconv.ir.match import Meld
from mjconv.ir.tiles import DRAGONS, SUITS, WINDS
from mjconv.rules import hongkong_faan as faan
from mjconv.rules.decomposition import Decomposition, decompositions
from mjconv.rules.hongkong_faan import PATTERNS, Faan, Way, count

USUAL = Way(seat_wind="S", round_wind="E")
DRAWN = {"self_drawn": True}


def tiles(text: str) -> list[str]:
    """Return the tiles of ``123m 99p EEP``."""
    words = [(word[:-1], word[-1]) if word[-1] in SUITS else (word, "") for word in text.split()]
    return [f"{tile}{suit}" for of_suit, suit in words for tile in of_suit]


def melds(text: str) -> list[Meld]:
    made = {
        "c": lambda tile: Meld("chi", tuple(f"{int(tile[0]) + step}{tile[1]}" for step in (1, 2)), tile, 3),
        "p": lambda tile: Meld("pon", (tile,) * 2, tile, 3),
        "k": lambda tile: Meld("daiminkan", (tile,) * 3, tile, 3),
        "a": lambda tile: Meld("ankan", (tile,) * 4),
        "x": lambda tile: Meld("kakan", (tile,) * 2, tile, 3),
    }
    return [made[word[0]](word[1:]) for word in text.split()]


def counted(hand: str, calls: str = "", most: int = 99, **how: Any) -> Faan | None:
    return count(decompositions(tiles(hand), melds(calls)), replace(USUAL, **how), most)


#: Concealed tiles, calls, how it was won, the faan, and why: the patterns that count.
HANDS: list[tuple[str, str, dict[str, Any], int, str]] = [
    # Nothing, and the small change.
    ("123m 456p 99s", "c7s pW", {}, 0, ""),
    ("123m 456p 55p", "c7s c2m", {}, 1, "common hand"),
    ("123m 456p 789s 234m 55p", "", {}, 2, "concealed hand, common hand"),
    ("123m 456p 789s 234m EE", "", {}, 2, "concealed hand, common hand"),
    ("123m 456p 99s", "c7s pW", DRAWN, 1, "self-drawn"),
    ("123m 456p 99s WWW 777s", "", {}, 1, "concealed hand"),
    ("123m 456p 99s WWW 777s", "", DRAWN, 2, "self-drawn, concealed hand"),
    # A concealed kong leaves a hand concealed, an open or added one does not.
    ("123m 456p 99s 777s", "aW", {}, 1, "concealed hand"),
    ("123m 456p 99s 777s", "kW", {}, 0, ""),
    ("123m 456p 99s 777s", "xW", {}, 0, ""),
    # Dragons and winds, as pungs or kongs.
    ("123m 456p 99s PPP", "c7s", {}, 1, "dragon pung"),
    ("123m 456p 99s", "pP kF", {}, 2, "dragon pung, dragon pung"),
    ("123m 456p 99s SSS", "c7s", {}, 1, "seat-wind pung"),
    ("123m 456p 99s", "c7s pE", {}, 1, "round-wind pung"),
    ("123m 456p 99s", "c7s pE", {"seat_wind": "E"}, 2, "seat-wind pung, round-wind pung"),
    ("123m 456p SS", "c7s pN", {}, 0, ""),
    ("123m 456p 99s", "pS pE", {}, 2, "seat-wind pung, round-wind pung"),
    # How it was won.
    ("123m 456p 99s", "c7s pW", {"robbed_kong": True}, 1, "robbing a kong"),
    ("123m 456p 99s", "c7s kW", {**DRAWN, "replacement": True}, 2, "self-drawn, kong's replacement"),
    ("123m 456p 99s", "c7s pW", {"last_tile": True}, 1, "last tile"),
    ("123m 456p 99s", "c7s pW", {**DRAWN, "last_tile": True}, 2, "self-drawn, last tile"),
    ("123m 456p 99s WWW 777s", "", {**DRAWN, "heavenly": True}, 13, "heavenly hand"),
    ("123m 456p 99s WWW 777s", "", {"earthly": True}, 13, "earthly hand"),
    ("123m 456p 789s 234m 55p", "", {"earthly": True}, 14, "earthly hand, common hand"),
    # Pungs.
    ("111m 222p 99s", "p7s pW", {}, 3, "all pungs"),
    ("99s", "p7s pW k1m x2p", {}, 3, "all pungs"),
    ("111m 222p 99s 777s WWW", "", {}, 4, "concealed hand, all pungs"),
    ("111m 222p 99s 777s WWW", "", DRAWN, 8, "self-drawn pungs"),
    ("111m 222p 99s", "a7s aW", DRAWN, 8, "self-drawn pungs"),
    ("111m 222p 99s 777s", "pW", DRAWN, 4, "self-drawn, all pungs"),
    ("111m 222p 99s PPP 777s", "", DRAWN, 9, "dragon pung, self-drawn pungs"),
    ("99s", "k7s kW k1m x2p", {}, 13, "four kongs"),
    ("PP", "a7s aW a1m a2p", DRAWN, 21, "self-drawn pungs, four kongs"),
    ("99s", "a7s aW a1m p2p", {}, 3, "all pungs"),
    # Dragons and winds that go together.
    ("123m 456p CC", "pP pF", {}, 5, "small dragons"),
    ("123m 456m CC", "pP pF", {}, 8, "small dragons, mixed one suit"),
    ("222m 456p 77p", "pP pF", {}, 2, "dragon pung, dragon pung"),
    ("456p 77p", "pP pF pC", {}, 11, "big dragons, mixed one suit"),
    ("456p 77s", "pP pF pC", {}, 8, "big dragons"),
    ("777p 33s", "pP pF pC", {}, 11, "all pungs, big dragons"),
    ("123m EE", "pS pW pN", {}, 6, "small winds"),
    ("111m SS", "pE pW pN", {}, 9, "all pungs, small winds"),
    ("PPP EE", "pS pW pN", {}, 17, "dragon pung, small winds, all honours"),
    ("55s", "pE pS pW pN", {}, 13, "big winds"),
    ("CC", "pE pS pW pN", {}, 23, "big winds, all honours"),
    ("EEE SSS WWW NNN 55s", "", DRAWN, 21, "self-drawn pungs, big winds"),
    ("123m 99s", "pE pS pW", {}, 2, "seat-wind pung, round-wind pung"),
    # Suits.
    ("123m 456m WW", "c7m pN", {}, 3, "mixed one suit"),
    ("123m 456m WW", "c7m c2m", {}, 4, "common hand, mixed one suit"),
    ("123m 456m 55m", "c7m p9m", {}, 7, "pure one suit"),
    ("123m 456m 55m", "c7m c2m", {}, 8, "common hand, pure one suit"),
    ("123m 456m 99p", "c7m pN", {}, 0, ""),
    ("222s 444s 66s", "p8s p3s", {}, 10, "all pungs, pure one suit"),
    # Terminals and honours.
    ("111m 999m 11p", "p9p p1s", {}, 10, "all terminals"),
    ("111m 999m 11p 999p 111s", "", DRAWN, 18, "self-drawn pungs, all terminals"),
    ("111m 999m EE", "p9p p1s", {}, 3, "all pungs"),
    ("EEE PP", "pS pF pC", {}, 17, "seat-wind pung, round-wind pung, small dragons, all honours"),
    ("WWW NNN PP", "pF pE", {}, 12, "dragon pung, round-wind pung, all honours"),
    # Nine gates.
    ("11123456789995m", "", {}, 10, "nine gates"),
    ("11123456789991p", "", DRAWN, 11, "self-drawn, nine gates"),
    ("11123456789999s", "", {}, 10, "nine gates"),
    ("23456789995m", "p1m", {}, 7, "pure one suit"),
    ("11223456789995m"[:-1] + "m", "", {}, 0, "no hand"),
    ("11222345678999m"[:14] + "m", "", {}, 8, "concealed hand, pure one suit"),
    # Hands of another shape.
    ("19m 19p 19s ESWNPFC E", "", {}, 13, "thirteen orphans"),
    ("19m 19p 19s ESWNPFC 1m", "", DRAWN, 14, "self-drawn, thirteen orphans"),
    ("1199m 2255p EE CC 77s", "", {}, 4, "seven pairs"),
    ("1199m 2255p EE CC 77s", "", DRAWN, 5, "self-drawn, seven pairs"),
    ("1199m 2255m EE CC 77m", "", {}, 7, "mixed one suit, seven pairs"),
    ("EE SS WW NN PP FF CC", "", {}, 14, "all honours, seven pairs"),
    # The best reading counts.
    ("111222333m 456p 99p", "", {}, 2, "concealed hand, common hand"),
    ("111222333m 99p", "pW", {}, 3, "all pungs"),
    ("111222333m 999p 55s", "", DRAWN, 8, "self-drawn pungs"),
    ("112233m 445566p 77s", "", {}, 4, "seven pairs"),
    ("22334455667788m", "", {}, 11, "pure one suit, seven pairs"),
    # No hands.
    ("123m 456p 789s 23m 555p", "", {}, 0, "no hand"),
    ("123m 456p 789s 55p", "", {}, 0, "no hand"),
    ("1111m 2255p EE CC 77s", "", {}, 0, "no hand"),
    ("891m 456p 789s 234m 55p", "", {}, 0, "no hand"),
    ("ESW 456p 789s 234m 55p", "", {}, 0, "no hand"),
]  # fmt: skip


def test_hands() -> None:
    for hand, calls, how, total, why in HANDS:
        found = counted(hand, calls, **how)
        if why == "no hand":
            assert found is None, hand
            continue
        assert found is not None, hand
        assert (found.total, sorted(found.patterns)) == (total, sorted(filter(None, why.split(", "))))


def test_every_pattern_and_every_exclusion_is_among_them() -> None:
    counts: set[str] = set()
    taken: set[tuple[str, str]] = set()
    for hand, calls, how, _, _ in HANDS:
        found = counted(hand, calls, **how)
        if found is not None:
            counts.update(found.patterns)
            for reading in decompositions(tiles(hand), melds(calls)):
                taken |= _included(reading, how, found)
    assert counts == {pattern.name for pattern in PATTERNS}
    assert taken == {(pattern.name, other) for pattern in PATTERNS for other in pattern.includes}


def _included(reading: Decomposition, how: dict[str, Any], found: Faan) -> set[tuple[str, str]]:
    """Return the pairs of patterns that a hand has, of which one includes the other."""
    way = replace(USUAL, **how)
    had = {pattern.name: pattern for pattern in PATTERNS if pattern.times(reading, way)}
    return {
        (name, other)
        for name, pattern in had.items()
        for other in pattern.includes
        if other in had and name in found.patterns and other not in found.patterns
    }


def test_a_pattern_includes_only_patterns_of_the_table_and_less_than_itself() -> None:
    faans = {pattern.name: pattern.faan for pattern in PATTERNS}
    for pattern in PATTERNS:
        assert all(faans[other] <= pattern.faan for other in pattern.includes)
    assert faan.APPROXIMATED in faans


def test_the_sum_is_capped_at_the_maximum() -> None:
    assert counted("CC", "pE pS pW pN", most=13) == Faan(13, ("big winds", "all honours"))
    assert counted("55s", "pE pS pW pN", most=6) == Faan(6, ("big winds",))


def test_red_fives_and_larger_sets_have_chows() -> None:
    red = [tile.replace("5p", "5pr") for tile in tiles("123m 789s 234m 99p")] + ["4p", "5pr", "6p"]
    assert count(decompositions(red), USUAL) == Faan(2, ("concealed hand", "common hand"))
    called = Meld("chi", ("4p", "6p"), "5pr", 0)
    assert count(decompositions(tiles("123m 789s 234m 99p"), [called]), USUAL) == Faan(1, ("common hand",))
    hand = ["9m", "10m", "11m", "14m", "15m", "16m", *tiles("123m 456m EE")]
    assert count(decompositions(hand), USUAL) == Faan(5, ("concealed hand", "common hand", "mixed one suit"))


def _by_trying(hand: list[str]) -> set[tuple[str, tuple[str, ...]]]:
    """Take a hand apart by trying every choice of sets: the pair, and each set as its tiles."""
    kinds = sorted(set(hand))
    sets: list[tuple[str, ...]] = [(tile,) * 3 for tile in kinds]
    sets += [tuple(f"{rank + step}{suit}" for step in range(3)) for suit in SUITS for rank in range(1, 8)]
    possible = [one for one in sets if not Counter(one) - Counter(hand)]
    return {
        (pair, tuple(sorted("".join(one) for one in chosen)))
        for pair in kinds
        for chosen in itertools.combinations_with_replacement(possible, 4)
        if Counter(itertools.chain((pair, pair), *chosen)) == Counter(hand)
    }


def spelled(kind: str, tile: str) -> str:
    return tile * 3 if kind == "pung" else "".join(f"{int(tile[0]) + step}{tile[1]}" for step in range(3))


@looped("seed", *range(60))
def test_every_reading_is_found_and_none_twice(seed: int) -> None:
    rng = random.Random(seed)
    suits = rng.choice([["m"], ["m", "p"], list(SUITS)])
    kinds = (*WINDS[:1], *DRAGONS[:1], *(f"{rank}{suit}" for suit in suits for rank in range(1, 10)))
    sets: list[tuple[str, ...]] = [(tile,) * 3 for tile in kinds]
    sets += [tuple(f"{rank + step}{suit}" for step in range(3)) for suit in suits for rank in range(1, 8)]
    hand = [tile for one in rng.choices(sets, k=4) for tile in one] + [rng.choice(sets)[0]] * 2
    found = [
        (reading.pair, tuple(sorted(spelled(one.kind, one.tile) for one in reading.sets)))
        for reading in decompositions(hand)
        if reading.shape == "sets"
    ]
    assert len(found) == len(set(found))
    assert set(found) == _by_trying(hand)


def test_a_flower_that_was_set_aside_is_no_set_of_the_hand() -> None:
    flower = Meld("nukidora", ("2f",))
    hand = tiles("123m 456m 789m PPP EE")
    assert decompositions(hand, [flower]) == decompositions(hand)
    pairs = tiles("1133557799m EE SS")
    assert decompositions(pairs, [flower]) == decompositions(pairs) != []
