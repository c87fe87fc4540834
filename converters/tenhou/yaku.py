"""The yaku of a hand as Tenhou lists them: their names in the hub, and their order.

`Win.yakus` has the names of mjai, which are fewer: one for the three dragons, one for each pair of yakuman that
differ only in the wait. The hand decides which yaku of the hub it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.converters.tenhou.vocabulary import VALUE_TILES, YAKU_BY_ID, YAKU_IDS, YAKU_ORDER
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.tiles import DRAGONS, WINDS, Tile, plain
from mjconv.ir.vocabulary import WIND_NAMES, YAKU

#: The han that each yakuman counts in `Win.yakus`.
HAN_OF_YAKUMAN: Final = 13
_DORA: Final = YAKU_IDS["dora"]
_PAIR: Final = 2
_TRIPLET: Final = 3
_TERMINALS: Final = "19"

_DRAGON_YAKU: Final = dict(zip(DRAGONS, ("haku", "hatsu", "chun"), strict=True))
#: The hub's names that the names in messages have. Of several, the hand decides.
_NAMES: Final = {spelling: name for name, spelling in YAKU_IN_MESSAGES.items()}
#: The yakuman with a second form, and that form. The wait of the hand decides.
_BY_WAIT: Final = {
    "suanko": ("suuankou", "suuankou_tanki"),
    "kokushimuso": ("kokushi_musou", "kokushi_musou_13"),
    "churenpoton": ("chuuren_poutou", "junsei_chuuren_poutou"),
}

#: The names that stand for several yaku.
_SHARED: Final = frozenset({"sangenpai", "jikaze", "bakaze", *_BY_WAIT})

#: A yaku by the hub's name, and its han.
Scored = tuple[str, int]


class WinningHand(NamedTuple):
    """A winning hand: the concealed tiles with the `winning` one, and one tile of each call, the oldest first."""

    tiles: Sequence[Tile]
    winning: Tile
    called: Sequence[Tile]
    round_wind: Tile
    seat_wind: Tile


def hub_yaku(
    yakus: Sequence[tuple[str, int]], hand: WinningHand | Callable[[], WinningHand]
) -> list[Scored] | None:
    """Return the yaku of `Win.yakus` by the hub's names. None if a name is not one of `YAKU_IN_MESSAGES`.

    `hand` may be a function that returns the hand: it is called if a name stands for several yaku.

    >>> hand = WinningHand(("5m",) * 2, "5m", ("C", "P"), "E", "S")
    >>> hub_yaku([("sangenpai", 1), ("sangenpai", 1), ("jikaze", 1)], hand)
    [('chun', 1), ('haku', 1), ('seat_wind_south', 1)]
    """
    if not _SHARED.isdisjoint([spelling for spelling, _ in yakus]):
        return _by_hand(yakus, hand() if callable(hand) else hand)
    names = [(_NAMES.get(spelling), han) for spelling, han in yakus]
    return [(name, han) for name, han in names if name is not None] if all(name for name, _ in names) else None


def _by_hand(yakus: Sequence[tuple[str, int]], hand: WinningHand) -> list[Scored] | None:
    dragons = (_DRAGON_YAKU[tile] for tile in _sets(hand) if tile in _DRAGON_YAKU)
    found: list[Scored] = []
    for spelling, han in yakus:
        if spelling == "sangenpai":
            name: str | None = next(dragons, None)
        elif spelling == "jikaze":
            name = f"seat_wind_{WIND_NAMES[hand.seat_wind]}"
        elif spelling == "bakaze":
            name = f"round_wind_{WIND_NAMES[hand.round_wind]}"
        elif spelling in _BY_WAIT:
            name = _BY_WAIT[spelling][_waits_widely(hand, spelling)]
        else:
            name = _NAMES.get(spelling)
        if name is None:
            return None
        found.append((name, han))
    return found


def in_order(yaku: Sequence[Scored], hand: WinningHand) -> list[Scored]:
    """Return yaku in the order in which Tenhou lists them.

    Honours follow the groups of the hand: closed triplets, then calls. Of one group, the round wind is first.

    >>> hand = WinningHand(("5m",) * 2, "5m", ("C", "E"), "E", "S")
    >>> [name for name, _ in in_order([("dora", 1), ("round_wind_east", 1), ("chun", 1)], hand)]
    ['chun', 'round_wind_east', 'dora']
    """
    sets = list(_sets(hand))

    def place(one: Scored) -> tuple[int, int, bool]:
        name = one[0]
        if name not in VALUE_TILES:
            return YAKU_ORDER.get(name, len(YAKU_ORDER)), 0, False
        tile = _TILE_OF[name]
        return YAKU_ORDER[YAKU_BY_ID[10]], sets.index(tile) if tile in sets else 0, name.startswith("seat")

    return sorted(yaku, key=place)


_TILE_OF: Final = {
    **{f"{whose}_wind_{WIND_NAMES[wind]}": wind for whose in ("seat", "round") for wind in WINDS},
    **{name: tile for tile, name in _DRAGON_YAKU.items()},
}


def numbered(yaku: Sequence[Scored]) -> list[tuple[int, int]]:
    """Return yaku as pairs of number and han. A yaku that Tenhou does not have is left out.

    Norths that were set aside count as dora.

    >>> numbered([("riichi", 1), ("dora", 1), ("nukidora", 2)])
    [(1, 1), (52, 3)]
    """
    found: dict[int, int] = {}
    for name, han in yaku:
        if name in YAKU_IDS:
            number = YAKU_IDS[name]
            found[number] = found.get(number, 0) + han
    return list(found.items())


def has_yakuman(pairs: Sequence[tuple[int, int]]) -> bool:
    """Return whether one of the yaku, by number, is a yakuman.

    >>> has_yakuman([(39, 13)]), has_yakuman([(1, 1)])
    (True, False)
    """
    return any(YAKU[YAKU_BY_ID[number]].yakuman for number, _ in pairs)


def in_messages(pairs: Sequence[tuple[int, int]], norths: int) -> tuple[tuple[str, int], ...]:
    """Return yaku as `Win.yakus` names them, from pairs of number and han.

    `norths` is the number of norths that the winner set aside: mjlog counts them as dora.

    >>> in_messages([(1, 1), (52, 3)], 2)
    (('reach', 1), ('dora', 1), ('nukidora', 2))
    """
    return tuple(_in_messages(pairs, norths))


def _in_messages(pairs: Sequence[tuple[int, int]], norths: int) -> Iterator[tuple[str, int]]:
    for number, han in pairs:
        if number == _DORA and 0 < norths <= han:
            if han > norths:
                yield "dora", han - norths
            yield "nukidora", norths
        else:
            yield YAKU_IN_MESSAGES[YAKU_BY_ID[number]], han


def _sets(hand: WinningHand) -> Iterator[Tile]:
    """Yield the tiles of the groups of honours: closed triplets in their order, then calls, the oldest first."""
    counts = Counter(hand.tiles)
    yield from (tile for tile in (*WINDS, *DRAGONS) if counts[tile] >= _TRIPLET)
    yield from hand.called


def _waits_widely(hand: WinningHand, spelling: str) -> bool:
    """Return whether a yakuman has its second form: it waited for its pair, for thirteen or for nine tiles."""
    winning = plain(hand.winning)
    count = sum(plain(tile) == winning for tile in hand.tiles)
    if spelling != "churenpoton":
        return count == _PAIR
    return count == (_TRIPLET + 1 if winning[0] in _TERMINALS else _PAIR)
