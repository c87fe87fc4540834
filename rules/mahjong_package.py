"""The package `mahjong`, in the hub's terms. No other module imports it, and it is loaded when first used."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mjconv.ir.catalogue import catalogue
from mjconv.ir.match import House, Meld
from mjconv.ir.tiles import COPIES, RED_FIVES, TILE_KINDS, Tile, plain
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, WIND_NAMES, YAKU
from mjconv.rules.circumstances import Circumstances

if TYPE_CHECKING:
    from mahjong.hand_calculating.hand_response import HandResponse

#: The number of each tile's kind in the package, which has the hub's order. A red five is a five.
KIND_OF: Final = {tile: TILE_KINDS.index(plain(tile)) for tile in (*TILE_KINDS, *RED_FIVES)}
#: The yaku that the package counts: it is never asked for renhou and paarenchan.
_COUNTED: Final = [name for name, one in YAKU.items() if not one.dora and name not in ("renhou", "paarenchan")]
#: The hub's names of yaku, by the package's names. Most are the same words: ``double_riichi`` is "Double Riichi".
_YAKU: Final = {
    **{name.replace("_", " ").title(): name for name in _COUNTED},
    **{f"Yakuhai ({dragon})": dragon for dragon in ("haku", "hatsu", "chun")},
    **{f"Yakuhai (seat wind {wind})": f"seat_wind_{wind}" for wind in WIND_NAMES.values()},
    **{f"Yakuhai (round wind {wind})": f"round_wind_{wind}" for wind in WIND_NAMES.values()},
    **catalogue(__name__, "mahjong_package.json", dict[str, str]),
}
#: The package's name for all dora together. The hub counts each kind of dora by itself.
_ALL_DORA: Final = "Dora"
#: The package's names of melds.
_MELDS: Final = {"chi": "chi", "pon": "pon", "daiminkan": "kan", "ankan": "kan", "kakan": "shouminkan"}


class Estimate(NamedTuple):
    """The package's estimate of a hand: `yaku` without dora, each with its han.

    `fu_less` is the fu where a pair of the wind of seat and round counts 2 and not 4.
    """

    han: int
    fu: int
    yaku: tuple[tuple[str, int], ...]
    yakuman: int
    fu_less: int


def estimate(
    tiles: Sequence[Tile],
    melds: Sequence[tuple[Meld, Sequence[Tile]]],
    winning: Tile,
    circumstances: Circumstances,
    house: House,
    dora: int,
) -> Estimate | None:
    """Estimate a complete hand with so many han of dora; None where no such win is possible (an open riichi).

    `melds` come with their tiles. A hand without a yaku has no han.
    """
    package = _package()
    number = _TileNumbers()
    concealed = number(tiles)
    winner = concealed[[KIND_OF[tile] for tile in tiles].index(KIND_OF[winning])]
    called = [
        package.Meld(_MELDS[meld.kind], sorted(number(held)), opened=meld.kind != "ankan") for meld, held in melds
    ]
    everything = [*concealed, *(tile for meld in called for tile in meld.tiles)]
    config = _config(circumstances, house, dora)
    result: HandResponse = package.HandCalculator.estimate_hand_value(everything, winner, called, config=config)
    if result.yaku is None:
        return Estimate(0, 0, (), 0, 0) if result.error == package.HandCalculator.ERR_NO_YAKU else None
    opened = any(meld.kind != "ankan" for meld, _ in melds)
    yaku = tuple(
        (_YAKU[each.name], each.han_open if opened and each.han_open else each.han_closed)
        for each in result.yaku
        if each.name != _ALL_DORA
    )
    han = result.han or 0
    yakuman = han // HAN_OF_YAKUMAN if any(each.is_yakuman for each in result.yaku) else 0
    return Estimate(han, result.fu or 0, yaku, yakuman, _fu_less(result))


def cost(han: int, fu: int, yakuman: int, dealer: bool, tsumo: bool, kiriage: bool) -> tuple[int, int]:
    """Return the points of a hand: those of the dealer or the discarder, and those of each other player."""
    package = _package()
    wind, options = package.EAST if dealer else None, package.OptionalRules(kiriage=kiriage)
    config = package.HandConfig(is_tsumo=tsumo, player_wind=wind, options=options)
    points = package.ScoresCalculator.calculate_scores(yakuman * HAN_OF_YAKUMAN or han, fu, config, yakuman > 0)
    return points["main"], points["additional"]


@cache
def _package() -> SimpleNamespace:
    """Return the parts of the package that are used."""
    from mahjong.constants import EAST
    from mahjong.hand_calculating.fu import FuCalculator
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.hand_calculating.scores import ScoresCalculator
    from mahjong.meld import Meld

    parts = FuCalculator, HandCalculator, HandConfig, Meld, OptionalRules, ScoresCalculator
    return SimpleNamespace(EAST=EAST, **{part.__name__: part for part in parts})


class _TileNumbers:
    """Numbers tiles as the package does: 136 numbers, each copy its own. Red fives are counted elsewhere."""

    def __init__(self) -> None:
        self.taken = [0] * len(TILE_KINDS)

    def __call__(self, tiles: Sequence[Tile]) -> list[int]:
        numbers = []
        for tile in tiles:
            kind = KIND_OF[tile]
            # A fifth copy gets the number of the fourth: the check of the tiles reports it.
            numbers.append(COPIES * kind + min(self.taken[kind], COPIES - 1))
            self.taken[kind] += 1
        return numbers


def _config(win: Circumstances, house: House, dora: int) -> Any:
    # A robbed kan and a tile of the dead wall are not the last tile of the wall.
    last = win.last_tile and not (win.rinshan or win.chankan)
    dealer = win.seat_wind == "E"
    package = _package()
    return package.HandConfig(
        is_tsumo=win.tsumo,
        is_riichi=win.riichi,
        is_daburu_riichi=win.double_riichi,
        is_ippatsu=win.ippatsu,
        is_rinshan=win.rinshan,
        is_chankan=win.chankan,
        is_haitei=last and win.tsumo,
        is_houtei=last and not win.tsumo,
        is_tenhou=win.first_turn and dealer,
        is_chiihou=win.first_turn and not dealer,
        player_wind=KIND_OF[win.seat_wind],
        round_wind=KIND_OF[win.round_wind],
        # The package gets no indicators: the han of dora are counted already.
        num_nuki_dora=dora,
        options=package.OptionalRules(
            has_open_tanyao=house.open_tanyao is not False,
            has_double_yakuman=bool(house.double_yakuman),
            kiriage=bool(house.kiriage),
            is_three_player=win.seats == 3,
        ),
    )


def _fu_less(result: HandResponse) -> int:
    """Count the fu again, with 2 for a pair of the wind of seat and round."""
    details = result.fu_details or []
    if all(detail["reason"] != _package().FuCalculator.DOUBLE_VALUED_PAIR for detail in details):
        return result.fu or 0
    return -(-(sum(detail["fu"] for detail in details) - 2) // 10) * 10


def shanten(tiles: Sequence[Tile]) -> int:
    """Return how many tiles the concealed tiles of a hand are from tenpai: 0 in tenpai, -1 if it is complete.

    >>> shanten("2m 3m 1p 2p 3p 7s 8s 9s E E E W W".split()), shanten("2m 3m 1p 9s".split())
    (0, 1)
    """
    from mahjong.shanten import Shanten

    counts = [0] * len(TILE_KINDS)
    for tile in tiles:
        counts[KIND_OF[tile]] += 1
    return Shanten.calculate_shanten(counts)
