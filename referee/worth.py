"""The terms in which a hand is valued: the circumstances of a win, its dora, its worth."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from mjconv.ir.match import Meld
from mjconv.ir.tiles import DORA_OF, HIDDEN, RED_FIVES, Tile, plain


class Circumstances(Struct, frozen=True, kw_only=True):
    """All that a win is worth beside its tiles.

    `dora` and `ura` are indicators; ura count in riichi only. `first_turn` is the first draw with no call before
    it (tenhou, chiihou), `last_tile` that no tile is left to draw (haitei, houtei). `unseen` are han of dora whose
    indicators the record does not show.
    """

    tsumo: bool
    seat_wind: Tile
    round_wind: Tile
    seats: int = 4
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    unseen: int = 0


class Payment(Struct, frozen=True):
    """Points that a win moves, without honba and sticks: by the discarder, or by the dealer and each other."""

    discarder: int = 0
    dealer: int = 0
    other: int = 0


class Worth(Struct, frozen=True):
    """The value of a complete hand: `yaku` with their han, as mjai names them, dora among them.

    Without a yaku `yaku` is empty and `han` 0. `yakuman` counts them, each of the yaku then as 13 han (26 where it
    counts twice). `fu_less` is the fu where a pair of the wind of seat and round counts 2 and not 4.
    """

    han: int
    fu: int
    yaku: tuple[tuple[str, int], ...]
    yakuman: int
    payment: Payment
    fu_less: int


def tiles_of(meld: Meld) -> tuple[Tile, ...]:
    """Give all tiles of a meld.

    >>> tiles_of(Meld("kakan", ("5p", "5pr"), called="5p", target=1, added="5p"))
    ('5p', '5pr', '5p', '5p')
    """
    return (*meld.own, *(tile for tile in (meld.called, meld.added) if tile))


def doras(tiles: Sequence[Tile], melds: Sequence[Meld], circumstances: Circumstances) -> dict[str, int]:
    """Count the han of dora by what makes them so: indicators, ura indicators, redness, norths set aside.

    >>> doras(["5pr", "6p"], (), Circumstances(tsumo=True, seat_wind="E", round_wind="E", dora=("5p",)))
    {'dora': 1, 'uradora': 0, 'akadora': 1, 'nukidora': 0, 'unseen': 0}
    """
    held = [*tiles, *(tile for meld in melds for tile in tiles_of(meld))]
    riichi = circumstances.riichi or circumstances.double_riichi
    return {
        "dora": _pointed_at(held, circumstances.dora, circumstances.seats),
        "uradora": riichi * _pointed_at(held, circumstances.ura, circumstances.seats),
        "akadora": sum(tile in RED_FIVES for tile in held),
        "nukidora": sum(meld.kind == "nukidora" for meld in melds),
        "unseen": circumstances.unseen,
    }


def _pointed_at(held: Sequence[Tile], indicators: Sequence[Tile], seats: int) -> int:
    doras = [dora_of(indicator, seats) for indicator in indicators]
    return sum(doras.count(plain(tile)) for tile in held)


def dora_of(indicator: Tile, seats: int = 4) -> Tile:
    """Give the dora that an indicator points at; where three play, the nine of characters follows the one.

    >>> dora_of("1m"), dora_of("1m", 3), dora_of("5pr")
    ('2m', '9m', '6p')
    """
    return "9m" if seats == 3 and indicator == "1m" else DORA_OF.get(indicator, HIDDEN)
