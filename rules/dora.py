"""Dora: the tile that an indicator makes dora, and the han of dora that a hand has."""

from __future__ import annotations

from collections.abc import Sequence

from mjconv.ir.match import Meld
from mjconv.ir.tiles import DORA_OF, HIDDEN, RED_FIVES, Tile, plain
from mjconv.rules.circumstances import Circumstances
from mjconv.rules.hands import tiles_of

#: The name of han of dora whose indicators the record does not show.
UNSEEN = "unseen"


def dora_of(indicator: Tile, seats: int = 4) -> Tile:
    """Return the dora that an indicator points at. Where three play, 9m follows 1m.

    >>> dora_of("1m"), dora_of("1m", 3), dora_of("5pr")
    ('2m', '9m', '6p')
    """
    return "9m" if seats == 3 and indicator == "1m" else DORA_OF.get(indicator, HIDDEN)


def dora_han(tiles: Sequence[Tile], melds: Sequence[Meld], circumstances: Circumstances) -> dict[str, int]:
    """Count the han of dora of a hand, by the names of `mjconv.ir.vocabulary`.

    >>> dora_han(["5pr", "6p"], (), Circumstances(tsumo=True, seat_wind="E", round_wind="E", dora=("5p",)))
    {'dora': 1, 'ura_dora': 0, 'red_dora': 1, 'nukidora': 0, 'unseen': 0}
    """
    held = [*tiles, *(tile for meld in melds for tile in tiles_of(meld))]
    riichi = circumstances.riichi or circumstances.double_riichi
    return {
        "dora": _pointed_at(held, circumstances.dora, circumstances.seats),
        "ura_dora": riichi * _pointed_at(held, circumstances.ura, circumstances.seats),
        "red_dora": sum(tile in RED_FIVES for tile in held),
        "nukidora": sum(meld.kind == "nukidora" for meld in melds),
        UNSEEN: circumstances.unseen,
    }


def _pointed_at(held: Sequence[Tile], indicators: Sequence[Tile], seats: int) -> int:
    doras = [dora_of(indicator, seats) for indicator in indicators]
    return sum(doras.count(plain(tile)) for tile in held)
