"""The yaku of a winning hand by the names of the hub.

`Win.yakus` has the names of mjai, which are fewer: one for the three dragons, one for each pair of yakuman that
differ only in the wait. The hand decides which yaku of the hub it is.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.ir import events as ev
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.table import Table
from mjconv.ir.tiles import DRAGONS, HIDDEN, HONOURS, WINDS, Tile, plain
from mjconv.ir.vocabulary import WIND_NAMES, YAKU

_PAIR: Final = 2
_TRIPLET: Final = 3
_TERMINALS: Final = "19"

#: The hub's name of each yaku, by its number in the records of Tenhou and of formats that took the numbers over.
#: The hub lists yaku in the same order, and two more.
YAKU_BY_ID: Final = tuple(name for name in YAKU if name not in ("paarenchan", "nukidora"))
YAKU_NUMBERS: Final = {name: number for number, name in enumerate(YAKU_BY_ID)}
#: The hub's name of the yaku of each dragon.
DRAGON_YAKU: Final = dict(zip(DRAGONS, ("haku", "hatsu", "chun"), strict=True))
#: The hub's names that the names in messages have. Of several, the hand decides.
_NAMES: Final = {spelling: name for name, spelling in YAKU_IN_MESSAGES.items()}
#: The yakuman with a second form, and that form. The wait of the hand decides.
_BY_WAIT: Final = {
    "suanko": ("suuankou", "suuankou_tanki"),
    "kokushimuso": ("kokushi_musou", "kokushi_musou_13"),
    "churenpoton": ("chuuren_poutou", "junsei_chuuren_poutou"),
}

#: The names that several yaku share. The tiles of the hand decide which yaku it is.
BY_TILES: Final = frozenset({"sangenpai", *_BY_WAIT})
#: The names that mean several yaku.
_SHARED: Final = frozenset({*BY_TILES, "jikaze", "bakaze"})

#: The yaku of one wind or dragon, and the second forms of yakuman. A first form may be named for both.
_SHOWN_BY_HAND: Final = frozenset([name for name, spelling in YAKU_IN_MESSAGES.items() if spelling in _SHARED]) - {
    first for first, _ in _BY_WAIT.values()
}

#: A yaku by the hub's name, and its han.
Scored = tuple[str, int]


class WinningHand(NamedTuple):
    """A winning hand: the concealed tiles with the `winning` one, and one tile of each call, the oldest first."""

    tiles: Sequence[Tile]
    winning: Tile
    called: Sequence[Tile]
    round_wind: Tile
    seat_wind: Tile

    @property
    def held(self) -> list[Tile]:
        """The concealed tiles without the winning one."""
        tiles = list(self.tiles)
        if self.winning in tiles:
            tiles.remove(self.winning)
        return tiles


def winning_hand(table: Table, win: ev.Win, round_wind: Tile = WINDS[0]) -> WinningHand:
    """Return the hand of a winner. `table` is the table before the win.

    >>> table = Table((("P", "P"), ("P",), (), ()), 1)
    >>> table.apply(ev.Draw(1, "1m"))
    >>> table.apply(ev.Discard(1, "P"))
    >>> winning_hand(table, ev.Win(0, target=1))
    WinningHand(tiles=['P', 'P', 'P'], winning='P', called=[], round_wind='E', seat_wind='N')
    """
    seat, own = win.actor, win.giver == win.actor
    winning = (table.drawn if own else table.last_tile) or HIDDEN
    tiles = table.hands[seat] if own else [*table.hands[seat], winning]
    called = [plain(meld.own[0]) for meld in table.melds[seat] if meld.kind != "nukidora"]
    return WinningHand(tiles, winning, called, round_wind, WINDS[(seat - table.oya) % table.seats])


def hub_yaku(yakus: Sequence[tuple[str, int]], hand: WinningHand) -> list[Scored] | None:
    """Return the yaku of `Win.yakus` by the hub's names. None if a name is not one of `YAKU_IN_MESSAGES`.

    >>> hand = WinningHand(("5m",) * 2, "5m", ("C", "P"), "E", "S")
    >>> hub_yaku([("sangenpai", 1), ("sangenpai", 1), ("jikaze", 1)], hand)
    [('chun', 1), ('haku', 1), ('seat_wind_south', 1)]
    """
    if not _SHARED.isdisjoint([spelling for spelling, _ in yakus]):
        return _by_hand(yakus, hand)
    names = [(_NAMES.get(spelling), han) for spelling, han in yakus]
    return [(name, han) for name, han in names if name is not None] if all(name for name, _ in names) else None


def _by_hand(yakus: Sequence[tuple[str, int]], hand: WinningHand) -> list[Scored] | None:
    dragons = (DRAGON_YAKU[tile] for tile in honour_groups(hand) if tile in DRAGON_YAKU)
    scored: list[Scored] = []
    for spelling, han in yakus:
        name = name_by_hand(spelling, hand, dragons)
        if name is None:
            return None
        scored.append((name, han))
    return scored


def misnamed(stated: Collection[str], win: ev.Win, table: Table, round_wind: Tile = WINDS[0]) -> str | None:
    """Return a message if a record names a wind, a dragon or a form of a yakuman that the hand does not have.

    `stated` are the yaku of the record by the hub's names; `win` has them as messages name them, where all winds
    are one. `table` is that of the win.

    >>> table = Table((("N", "N"), ("N",), (), ()), 1)
    >>> table.apply(ev.Draw(1, "1m"))
    >>> table.apply(ev.Discard(1, "N"))
    >>> misnamed(["seat_wind_west"], ev.Win(0, target=1, yakus=(("jikaze", 1),)), table)
    'the win names seat wind west, but the hand has seat wind north'
    """
    unsure = _SHOWN_BY_HAND.intersection(stated)
    if not unsure:
        return None
    hand = winning_hand(table, win, round_wind)
    found = [] if HIDDEN in hand.tiles else [name for name, _ in hub_yaku(win.yakus or (), hand) or ()]
    wrong = sorted(unsure.difference(found)) if found else []
    if not wrong:
        return None
    alike = {YAKU_IN_MESSAGES[name] for name in wrong}
    right = [name for name in found if YAKU_IN_MESSAGES[name] in alike and name not in stated]
    named, held = (", ".join(names).replace("_", " ") for names in (wrong, right))
    return f"the win names {named}, but the hand has {held}"


def name_by_hand(spelling: str, hand: WinningHand, dragons: Iterator[str]) -> str | None:
    """Return the hub's name of a yaku of `Win.yakus`; None if the name is not one of `YAKU_IN_MESSAGES`.

    `dragons` are the hub's names of the triplets of dragons: each ``sangenpai`` takes the next one.

    >>> name_by_hand("jikaze", WinningHand((), "5m", (), "E", "S"), iter(()))
    'seat_wind_south'
    """
    if spelling == "sangenpai":
        return next(dragons, None)
    if spelling == "jikaze":
        return f"seat_wind_{WIND_NAMES[hand.seat_wind]}"
    if spelling == "bakaze":
        return f"round_wind_{WIND_NAMES[hand.round_wind]}"
    if spelling in _BY_WAIT:
        return _BY_WAIT[spelling][_waits_widely(hand, spelling)]
    return _NAMES.get(spelling)


def honour_groups(hand: WinningHand) -> Iterator[Tile]:
    """Yield the tiles of the groups of honours: closed triplets in their order, then calls, the oldest first.

    >>> list(honour_groups(WinningHand(("P",) * 3 + ("5m",) * 2, "5m", ("C",), "E", "S")))
    ['P', 'C']
    """
    tiles = hand.tiles
    yield from [tile for tile in HONOURS if tile in tiles and tiles.count(tile) >= _TRIPLET]
    yield from hand.called


def _waits_widely(hand: WinningHand, spelling: str) -> bool:
    """Return whether a yakuman has its second form: it waited for its pair, for thirteen or for nine tiles."""
    winning = plain(hand.winning)
    count = sum(plain(tile) == winning for tile in hand.tiles)
    if spelling != "churenpoton":
        return count == _PAIR
    return count == (_TRIPLET + 1 if winning[0] in _TERMINALS else _PAIR)
