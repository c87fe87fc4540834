"""The hub's names of the yaku of a win: `Win.yakus` has one spelling for several yaku, and the hand decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import DRAGONS, WINDS, Tile, plain
from mjconv.ir.vocabulary import WIND_NAMES

_TRIPLET: Final = 3
_DRAGON_NAMES: Final = dict(zip(DRAGONS, ("haku", "hatsu", "chun"), strict=True))
#: The hub's name of each spelling that only one yaku has.
_ALONE: Final = {
    spelling: name
    for name, spelling in YAKU_IN_MESSAGES.items()
    if list(YAKU_IN_MESSAGES.values()).count(spelling) == 1
}
#: The yaku whose names are alike: with the usual wait, and with the wait of the name that follows.
_BY_PAIR: Final = {
    "suanko": ("suuankou", "suuankou_tanki"),
    "kokushimuso": ("kokushi_musou", "kokushi_musou_13"),
}
_GATES: Final = "churenpoton"


class Hand(NamedTuple):
    """A winning hand: the concealed tiles with the winning one, the called groups, and the winds of its player.

    `groups` has one tile of each triplet and kan on the table, the oldest first.
    """

    tiles: Sequence[Tile]
    groups: Sequence[Tile]
    winning: Tile
    round_wind: Tile = WINDS[0]
    seat_wind: Tile = WINDS[0]


def told_apart(yakus: Sequence[tuple[str, int]], hand: Hand) -> Iterator[tuple[str, int]]:
    """Yield the hub's name of each yaku and its han. A spelling that is not the hub's stays as it is.

    >>> hand = Hand(["P"] * 3 + ["1m"] * 3, ["C"], "P", "S", "W")
    >>> yakus = [("sangenpai", 1), ("sangenpai", 1), ("jikaze", 1), ("bakaze", 1), ("dora", 2)]
    >>> [name for name, _ in told_apart(yakus, hand)]
    ['haku', 'chun', 'seat_wind_west', 'round_wind_south', 'dora']
    """
    counts = Counter(map(plain, hand.tiles))
    dragons = iter(
        [name for tile, name in _DRAGON_NAMES.items() if counts[tile] >= _TRIPLET or tile in hand.groups]
    )
    winning = plain(hand.winning)
    for name, han in yakus:
        if name in _ALONE:
            yield _ALONE[name], han
        elif name == "sangenpai":
            yield next(dragons, name), han
        elif name == "jikaze":
            yield f"seat_wind_{WIND_NAMES[hand.seat_wind]}", han
        elif name == "bakaze":
            yield f"round_wind_{WIND_NAMES[hand.round_wind]}", han
        elif name in _BY_PAIR:
            yield _BY_PAIR[name][counts[winning] == 2], han
        elif name == _GATES:
            # It waited for nine tiles if it was 1112345678999 without the winning tile.
            nine = counts[winning] == (_TRIPLET + 1 if winning[0] in "19" else 2)
            yield "junsei_chuuren_poutou" if nine else "chuuren_poutou", han
        else:
            yield name, han
