"""The numbers of yaku in mjlog, from the names in `Win.yakus` and the hand, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.converters.tenhou import meldcode
from mjconv.converters.tenhou.vocabulary import YAKU_BY_ID, YAKU_IDS
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.vocabulary import YAKU

#: The first numbers of seat winds, round winds and dragons, and the first kind of each of them.
_SEAT_WIND: Final = 10
_ROUND_WIND: Final = 14
_HAKU: Final = 18
_FIRST_DRAGON: Final = 31
_DRAGONS: Final = range(_FIRST_DRAGON, _FIRST_DRAGON + 3)
_DORA: Final = 52
_TRIPLET: Final = 3
HAN_OF_YAKUMAN: Final = 13

#: The number of each name in messages that one yaku alone has.
_NUMBERS: Final = {YAKU_IN_MESSAGES[name]: number for name, number in YAKU_IDS.items()}
#: The names in messages of several yaku. The hand decides which it is.
_SHARED: Final = {
    "sangenpai": "dragons",
    "jikaze": "seat wind",
    "bakaze": "round wind",
    "suanko": "pair wait",
    "kokushimuso": "pair wait",
    "churenpoton": "nine waits",
}


class YakuNumbers(NamedTuple):
    """The numbers of the yaku of a win with their han, and whether they are yakuman."""

    han: list[tuple[int, int]]
    yakuman: bool


def yaku_numbers(
    yakus: Sequence[tuple[str, int]],
    tiles: Sequence[int],
    winning: int,
    melds: Sequence[int],
    winds: tuple[int, int],
) -> YakuNumbers:
    """Return the numbers of yaku. A name that Tenhou does not have is left out.

    `tiles` are the concealed tiles with the `winning` one, `melds` the calls, the newest first. `winds` are the
    numbers of the round wind and of the seat wind, from 0 for east.

    >>> yaku_numbers([("reach", 1), ("dora", 2)], [0, 1], 0, [], (0, 1)).han
    [(1, 1), (52, 2)]
    """
    found: dict[int, int] = {}
    dragons = _dragons(tiles, melds)
    kinds = Counter(tile // 4 for tile in tiles)
    for name, han in yakus:
        how = _SHARED.get(name)
        if how is None:
            number = _NUMBERS.get(name)
        elif how == "dragons":
            number = next(dragons, None)
        elif how == "seat wind":
            number = _SEAT_WIND + winds[1]
        elif how == "round wind":
            number = _ROUND_WIND + winds[0]
        else:
            double = kinds[winning // 4] == 2 if how == "pair wait" else _waits_for_nine(kinds, winning // 4)
            number = _NUMBERS[name] - (not double)
        if number is not None:
            found[number] = found.get(number, 0) + han
    yakuman = any(YAKU[YAKU_BY_ID[number]].yakuman for number in found)
    return YakuNumbers(list(found.items()), yakuman)


def names_of(pairs: Sequence[tuple[int, int]], norths: int) -> tuple[tuple[str, int], ...]:
    """Return yaku as `Win.yakus` names them, from pairs of number and han.

    `norths` is the number of norths that the winner set aside: mjlog counts them as dora.

    >>> names_of([(1, 1), (52, 3)], 2)
    (('reach', 1), ('dora', 1), ('nukidora', 2))
    """
    return tuple(_names(pairs, norths))


def _names(pairs: Sequence[tuple[int, int]], norths: int) -> Iterator[tuple[str, int]]:
    for number, han in pairs:
        if number == _DORA and 0 < norths <= han:
            if han > norths:
                yield "dora", han - norths
            yield "nukidora", norths
        else:
            yield YAKU_IN_MESSAGES[YAKU_BY_ID[number]], han


def _dragons(tiles: Sequence[int], melds: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of the dragons of a hand: closed triplets, then calls, the oldest first."""
    kinds = Counter(tile // 4 for tile in tiles)
    found = [kind for kind in _DRAGONS if kinds[kind] >= _TRIPLET]
    for code in reversed(melds):
        call = meldcode.decode(code)
        if call is not None and call.tile // 4 in _DRAGONS:
            found.append(call.tile // 4)
    return (_HAKU + kind - _FIRST_DRAGON for kind in found)


def _waits_for_nine(kinds: Counter[int], winning: int) -> bool:
    """Return whether nine gates waited for nine tiles: without the winning tile it is 1112345678999."""
    rank = winning % 9
    return kinds[winning] == (_TRIPLET + 1 if rank in (0, 8) else 2)
