"""What a riichi hand is worth: its yaku, dora, han and fu, and the points that each pays for it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct, structs

from mjconv.ir.match import House, Meld
from mjconv.ir.tiles import DORA_OF, HIDDEN, RED_FIVES, Tile, plain
from mjconv.rules.circumstances import Circumstances
from mjconv.rules.hands import groups, is_complete, tiles_of
from mjconv.rules.mahjong_package import cost, estimate

#: The name of han of dora whose indicators the record does not show.
UNSEEN: Final = "unseen"
#: The limits of hands, by their numbers.
LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
#: The least han of each limit, and its number.
_LIMIT_HAN: Final = ((13, 5), (11, 4), (8, 3), (6, 2), (5, 1))
#: The base points of a mangan.
_MANGAN_BASE: Final = 2000
#: The most han of a hand that is no yakuman.
_SANBAIMAN: Final = 12


class Payment(Struct, frozen=True):
    """The points that each pays for a hand, without honba and riichi sticks.

    A ron is paid by the `discarder`. A self-draw is paid by the `dealer` and by each `other` player.
    """

    discarder: int = 0
    dealer: int = 0
    other: int = 0

    def total(self, others: int, *, dealer_wins: bool) -> int:
        """Return the sum that the winner is paid, where `others` play against the winner.

        >>> Payment(dealer=2000, other=1000).total(3, dealer_wins=False)
        4000
        """
        return self.discarder + self.dealer + self.other * (others if dealer_wins else others - 1)


class HandValue(Struct, frozen=True):
    """The value of a complete hand.

    `yaku` are pairs of a name of `mjconv.ir.vocabulary` and its han, dora among them. A hand without a yaku has no
    `yaku` and 0 han. `yakuman` is their number; each of the `yaku` is then 13 han, or 26 where it counts double.
    `fu_less` is the fu where a pair of the wind of seat and round counts 2 and not 4.
    """

    han: int
    fu: int
    yaku: tuple[tuple[str, int], ...]
    yakuman: int
    payment: Payment
    fu_less: int


def hand_value(
    tiles: Sequence[Tile],
    melds: Sequence[Meld],
    winning: Tile,
    circumstances: Circumstances,
    house: House | None = None,
) -> HandValue | None:
    """Return the value of a hand, or None where it is not complete or no such win is possible (an open riichi).

    `tiles` are the concealed ones with `winning` among them. If the hand can be read in several ways, the highest
    value counts. The payment is that of a self-draw or of a ron, as the circumstances say.

    >>> hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s 8s 5s 5sr".split()
    >>> found = hand_value(hand, (), "8s", Circumstances(tsumo=False, seat_wind="S", round_wind="E", riichi=True))
    >>> found.han, found.fu, found.yaku
    (4, 30, (('riichi', 1), ('pinfu', 1), ('tanyao', 1), ('red_dora', 1)))
    """
    if not is_complete(tiles, melds):
        return None
    house = house or House()
    dora = dora_han(tiles, melds, circumstances)
    if circumstances.first_turn and (melds or not circumstances.tsumo):
        circumstances = structs.replace(circumstances, first_turn=False)
    called = [(meld, tiles_of(meld)) for meld in groups(melds)]
    estimated = estimate(tiles, called, winning, circumstances, house, sum(dora.values()))
    if estimated is None:
        return None
    if not estimated.yaku:
        return HandValue(0, 0, (), 0, Payment(), 0)
    yaku = estimated.yaku
    if not estimated.yakuman:
        yaku += tuple([(name, count) for name, count in dora.items() if count])
    paid = _paid(estimated.han, estimated.fu, estimated.yakuman, circumstances, house)
    return HandValue(estimated.han, estimated.fu, yaku, estimated.yakuman, paid, estimated.fu_less)


def with_less_fu(value: HandValue, circumstances: Circumstances, house: House) -> HandValue:
    """Return a value whose pair of the wind of seat and round counts 2 fu and not 4."""
    paid = _paid(value.han, value.fu_less, value.yakuman, circumstances, house)
    return structs.replace(value, fu=value.fu_less, payment=paid)


def _paid(han: int, fu: int, yakuman: int, win: Circumstances, house: House) -> Payment:
    counted = han if house.counted_yakuman is not False or yakuman else min(han, _SANBAIMAN)
    return payment(counted, fu, yakuman, win.seat_wind == "E", win.tsumo, bool(house.kiriage))


@lru_cache(1024)
def payment(
    han: int, fu: int, yakuman: int = 0, dealer: bool = False, tsumo: bool = False, kiriage: bool = False
) -> Payment:
    """Return the points that each pays for a value, without honba and riichi sticks.

    If `yakuman` is not 0, it counts and `han` does not. `dealer` says whether the dealer wins.

    >>> payment(3, 30), payment(4, 30, tsumo=True)
    (Payment(discarder=3900, dealer=0, other=0), Payment(discarder=0, dealer=3900, other=2000))
    >>> payment(0, 0, yakuman=2, dealer=True).discarder
    96000
    """
    main, additional = cost(han, fu, yakuman, dealer, tsumo, kiriage)
    if not tsumo:
        return Payment(discarder=main)
    return Payment(dealer=0 if dealer else main, other=additional)


def limit_of(han: int, fu: int, yakuman: int = 0, *, kiriage: bool = False) -> int:
    """Return the number of the limit of a hand: 0 for none, 1 for mangan to 5 for yakuman; see `LIMITS`.

    >>> limit_of(4, 30), limit_of(4, 40), limit_of(7, 30), limit_of(13, 30), limit_of(0, 30, yakuman=1)
    (0, 1, 2, 5, 5)
    """
    if yakuman:
        return 5
    for least, limit in _LIMIT_HAN:
        if han >= least:
            return limit
    base = fu << (2 + max(han, 0))
    return int(base >= _MANGAN_BASE or (kiriage and base >= _MANGAN_BASE - 80))


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
    kinds = list(map(plain, held))
    riichi = circumstances.riichi or circumstances.double_riichi
    return {
        "dora": _pointed_at(kinds, circumstances.dora, circumstances.seats),
        "ura_dora": riichi * _pointed_at(kinds, circumstances.ura, circumstances.seats),
        "red_dora": sum(map(held.count, RED_FIVES)),
        "nukidora": sum(meld.kind == "nukidora" for meld in melds),
        UNSEEN: circumstances.unseen,
    }


def _pointed_at(kinds: Sequence[Tile], indicators: Sequence[Tile], seats: int) -> int:
    return sum([kinds.count(dora_of(indicator, seats)) for indicator in indicators])
