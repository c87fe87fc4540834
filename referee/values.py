"""What a hand waits for, whether it is complete, and what it is worth: the only module that knows `mahjong`.

Hands are tiles in the hub's spelling, melds as they lie on the table (`mjconv.ir.match.Meld`). Only riichi tiles
count: `countable` tells whether a hand has no hidden tile and none of larger sets; other hands raise `KeyError`.
The library is loaded when first used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from mjconv.ir.match import Meld
from mjconv.ir.tiles import DRAGONS, RED_FIVES, SUITS, WINDS, Tile, plain
from mjconv.referee.house import House
from mjconv.referee.worth import Circumstances, Payment, Worth, doras, tiles_of

if TYPE_CHECKING:
    from mahjong.hand_calculating.hand_response import HandResponse

#: The kinds of tiles, in the library's order.
KINDS: Final[tuple[Tile, ...]] = (*(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)), *WINDS, *DRAGONS)
_KIND_OF: Final = {kind: number for number, kind in enumerate(KINDS)} | {
    red: KINDS.index(plain(red)) for red in RED_FIVES
}
_COPIES: Final = 4
#: Han that the library counts a yakuman as.
_YAKUMAN: Final = 13
#: The yaku by the library's names, as mjai's first server names them.
_YAKU: Final = {
    "Menzen Tsumo": "menzenchin_tsumoho",
    "Riichi": "reach",
    "Double Riichi": "double_reach",
    "Ippatsu": "ippatsu",
    "Chankan": "chankan",
    "Rinshan Kaihou": "rinshankaiho",
    "Haitei Raoyue": "haiteiraoyue",
    "Houtei Raoyui": "hoteiraoyui",
    "Pinfu": "pinfu",
    "Tanyao": "tanyaochu",
    "Iipeiko": "ipeko",
    **{f"Yakuhai ({dragon})": "sangenpai" for dragon in ("haku", "hatsu", "chun")},
    **{f"Yakuhai (seat wind {wind})": "jikaze" for wind in ("east", "south", "west", "north")},
    **{f"Yakuhai (round wind {wind})": "bakaze" for wind in ("east", "south", "west", "north")},
    "Sanshoku Doujun": "sanshokudojun",
    "Ittsu": "ikkitsukan",
    "Chantai": "honchantaiyao",
    "Honroutou": "honroto",
    "Toitoi": "toitoiho",
    "San Ankou": "sananko",
    "San Kantsu": "sankantsu",
    "Sanshoku Doukou": "sanshokudoko",
    "Chiitoitsu": "chitoitsu",
    "Shou Sangen": "shosangen",
    "Honitsu": "honiso",
    "Junchan": "junchantaiyao",
    "Ryanpeikou": "ryanpeko",
    "Chinitsu": "chiniso",
    "Kokushi Musou": "kokushimuso",
    "Kokushi Musou Juusanmen Matchi": "kokushimuso",
    "Chuuren Poutou": "churenpoton",
    "Daburu Chuuren Poutou": "churenpoton",
    "Suu Ankou": "suanko",
    "Suu Ankou Tanki": "suanko",
    "Daisangen": "daisangen",
    "Shousuushii": "shosushi",
    "Dai Suushii": "daisushi",
    "Ryuuiisou": "ryuiso",
    "Suu Kantsu": "sukantsu",
    "Tsuu Iisou": "tsuiso",
    "Chinroutou": "chinroto",
    "Tenhou": "tenho",
    "Chiihou": "chiho",
}
#: All names that a worth's yaku may have.
NAMES: Final = frozenset((*_YAKU.values(), "dora", "uradora", "akadora", "nukidora"))
#: What the library counts the dora as, which are told apart here.
_COUNTED_HERE: Final = "Dora"


def countable(tiles: Collection[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Tell whether all tiles are riichi tiles that the record shows.

    >>> countable(["1m", "5pr"]), countable(["?"]), countable(["10m"])
    (True, False, False)
    """
    return all(tile in _KIND_OF for tile in tiles) and all(
        tile in _KIND_OF for meld in melds for tile in tiles_of(meld)
    )


def is_complete(tiles: Sequence[Tile], melds: Sequence[Meld] = ()) -> bool:
    """Tell whether concealed tiles, the winning one among them, and melds make a whole hand.

    Four groups and a pair, seven different pairs, or thirteen orphans; a north set aside is no group.

    >>> is_complete("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S S".split())
    True
    """
    return len(tiles) == 14 - 3 * len(_groups(melds)) and _complete(_counts(tiles))


def waits(tiles: Sequence[Tile], melds: Sequence[Meld] = (), *, fifth: bool = False) -> frozenset[Tile]:
    """Give the kinds of tiles, never a red five, that complete a hand of 13, 10, 7, 4 or 1 concealed tiles.

    A kind of which the hand itself holds all four, melds among them, is no wait, as nobody can draw or discard it;
    with `fifth` it is. A hand of another number of tiles waits for nothing.

    >>> sorted(waits("2m 3m 1p 2p 3p 7s 8s 9s E E E W W".split()))
    ['1m', '4m']
    >>> waits(["5s"], [Meld("pon", ("1p", "1p"), "1p", 0)] * 4)
    frozenset({'5s'})
    """
    groups = _groups(melds)
    if len(tiles) != 13 - 3 * len(groups):
        return frozenset()
    found = _waits(_counts(tiles))
    if fifth:
        return found
    held = Counter(plain(tile) for tile in tiles)
    held.update(plain(tile) for meld in melds for tile in tiles_of(meld))
    return frozenset(tile for tile in found if held[tile] < _COPIES)


def worth(
    tiles: Sequence[Tile],
    melds: Sequence[Meld],
    winning: Tile,
    circumstances: Circumstances,
    house: House | None = None,
) -> Worth | None:
    """Give what a hand is worth, or None where it is not complete or no such win can be (an open riichi).

    `tiles` are the concealed ones, `winning` among them. Of the ways to read the hand the dearest counts. The
    payment is for a self-draw or a ron, as the circumstances say; honba and riichi sticks are not in it.

    >>> hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s 8s 5s 5sr".split()
    >>> found = worth(hand, (), "8s", Circumstances(tsumo=False, seat_wind="S", round_wind="E", riichi=True))
    >>> found.han, found.fu, found.yaku
    (4, 30, (('reach', 1), ('pinfu', 1), ('tanyaochu', 1), ('akadora', 1)))
    """
    if not is_complete(tiles, melds):
        return None
    house = house or House()
    dora = doras(tiles, melds, circumstances)
    result = _estimate(tiles, melds, winning, circumstances, house, sum(dora.values()))
    if result.yaku is None:
        return Worth(0, 0, (), 0, Payment(), 0) if result.error == _library().HandCalculator.ERR_NO_YAKU else None
    dealer = circumstances.seat_wind == "E"
    opened = any(meld.kind not in ("ankan", "nukidora") for meld in melds)
    yaku = [
        (_YAKU[each.name], each.han_open if opened and each.han_open else each.han_closed)
        for each in result.yaku
        if each.name != _COUNTED_HERE
    ]
    han, fu = result.han or 0, result.fu or 0
    yakuman = han // _YAKUMAN if any(each.is_yakuman for each in result.yaku) else 0
    if not yakuman:
        yaku += [(name, count) for name, count in dora.items() if count]
    return Worth(
        han, fu, _joined(yaku), yakuman, payment(han, fu, yakuman, dealer, circumstances.tsumo, house.kiriage),
        _fu_less(result),
    )  # fmt: skip


@lru_cache(1024)
def payment(
    han: int, fu: int, yakuman: int = 0, dealer: bool = False, tsumo: bool = False, kiriage: bool = False
) -> Payment:
    """Give the points that a value moves, without honba and sticks; `yakuman` counts when it is not 0.

    >>> payment(3, 30), payment(4, 30, tsumo=True)
    (Payment(discarder=3900, dealer=0, other=0), Payment(discarder=0, dealer=3900, other=2000))
    >>> payment(0, 0, yakuman=2, dealer=True).discarder
    96000
    """
    library = _library()
    config = library.HandConfig(
        is_tsumo=tsumo,
        player_wind=library.EAST if dealer else None,
        options=library.OptionalRules(kiriage=kiriage),
    )
    cost = library.ScoresCalculator.calculate_scores(yakuman * _YAKUMAN or han, fu, config, yakuman > 0)
    if not tsumo:
        return Payment(discarder=cost["main"])
    return Payment(dealer=0 if dealer else cost["main"], other=cost["additional"])


def _groups(melds: Sequence[Meld]) -> list[Meld]:
    return [meld for meld in melds if meld.kind != "nukidora"]


def _counts(tiles: Collection[Tile]) -> tuple[int, ...]:
    counts = [0] * len(KINDS)
    for tile in tiles:
        counts[_KIND_OF[tile]] += 1
    return tuple(counts)


def _complete(counts: tuple[int, ...]) -> bool:
    # The library reads a count of more than seven as something else.
    return max(counts) <= _COPIES + 1 and bool(_library().Agari.is_agari(counts))


@lru_cache(4096)
def _waits(counts: tuple[int, ...]) -> frozenset[Tile]:
    found = []
    for number, kind in enumerate(KINDS):
        drawn = (*counts[:number], counts[number] + 1, *counts[number + 1 :])
        if _complete(drawn):
            found.append(kind)
    return frozenset(found)


def _joined(yaku: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Add up yaku of the same name: two dragons are sangenpai of two han."""
    total: dict[str, int] = {}
    for name, han in yaku:
        total[name] = total.get(name, 0) + han
    return tuple(total.items())


class _Library(Struct, frozen=True):
    """The parts of `mahjong` that are used."""

    EAST: int
    Agari: Any
    FuCalculator: Any
    HandCalculator: Any
    HandConfig: Any
    Meld: Any
    OptionalRules: Any
    ScoresCalculator: Any


@cache
def _library() -> _Library:
    from mahjong.agari import Agari
    from mahjong.constants import EAST
    from mahjong.hand_calculating.fu import FuCalculator
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.hand_calculating.scores import ScoresCalculator
    from mahjong.meld import Meld

    return _Library(
        EAST, Agari, FuCalculator, HandCalculator, HandConfig, Meld, OptionalRules, ScoresCalculator
    )  # fmt: skip


class _Tiles:
    """Gives each tile a number of the library's 136, each copy its own; redness is counted elsewhere."""

    def __init__(self) -> None:
        self.taken = [0] * len(KINDS)

    def __call__(self, tiles: Sequence[Tile]) -> list[int]:
        numbers = []
        for tile in tiles:
            kind = _KIND_OF[tile]
            # A fifth copy is another's finding, and is no reason to fall over.
            numbers.append(_COPIES * kind + min(self.taken[kind], _COPIES - 1))
            self.taken[kind] += 1
        return numbers


#: The library's names of melds.
_MELDS: Final = {"chi": "chi", "pon": "pon", "daiminkan": "kan", "ankan": "kan", "kakan": "shouminkan"}


def _estimate(
    tiles: Sequence[Tile],
    melds: Sequence[Meld],
    winning: Tile,
    said: Circumstances,
    house: House,
    dora: int,
) -> HandResponse:
    library = _library()
    number = _Tiles()
    concealed = number(tiles)
    winner = concealed[[_KIND_OF[tile] for tile in tiles].index(_KIND_OF[winning])]
    called = [
        library.Meld(_MELDS[meld.kind], sorted(number(tiles_of(meld))), opened=meld.kind != "ankan")
        for meld in _groups(melds)
    ]
    # Whoever robs a kan or draws from the dead wall has not the last tile of the wall.
    last = said.last_tile and not (said.rinshan or said.chankan)
    dealer = said.seat_wind == "E"
    first = said.first_turn and said.tsumo and not melds
    config = library.HandConfig(
        is_tsumo=said.tsumo,
        is_riichi=said.riichi,
        is_daburu_riichi=said.double_riichi,
        is_ippatsu=said.ippatsu,
        is_rinshan=said.rinshan,
        is_chankan=said.chankan,
        is_haitei=last and said.tsumo,
        is_houtei=last and not said.tsumo,
        is_tenhou=first and dealer,
        is_chiihou=first and not dealer,
        player_wind=_KIND_OF[said.seat_wind],
        round_wind=_KIND_OF[said.round_wind],
        # With no indicators, so many han of dora.
        num_nuki_dora=dora,
        options=library.OptionalRules(
            has_open_tanyao=house.open_tanyao,
            has_double_yakuman=house.double_yakuman,
            kiriage=house.kiriage,
            is_three_player=said.seats == 3,
        ),
    )
    everything = [*concealed, *(tile for meld in called for tile in meld.tiles)]
    result: HandResponse = library.HandCalculator.estimate_hand_value(everything, winner, called, config=config)
    return result


def _fu_less(result: HandResponse) -> int:
    """Count the fu anew with 2 for a pair of the wind of seat and round."""
    details = result.fu_details or []
    fu = result.fu or 0
    if all(detail["reason"] != _library().FuCalculator.DOUBLE_VALUED_PAIR for detail in details):
        return fu
    return -(-(sum(detail["fu"] for detail in details) - 2) // 10) * 10
