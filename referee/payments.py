"""What a result moves: points by seat, for a win with honba, sticks and pao, for tenpai, for nagashi mangan.

Amounts are points by seat. Where houses differ, all that is usual is given, the most usual first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.match import Meld
from mjconv.ir.tiles import DRAGONS, WINDS, plain
from mjconv.referee.values import payment
from mjconv.referee.worth import Payment, Worth

Deltas: TypeAlias = tuple[int, ...]

#: What a honba adds, from each who pays a self-draw.
HONBA: Final = 100
#: Points of noten in all, by the number of seats.
NOTEN: Final[dict[int, tuple[int, ...]]] = {3: (2000, 3000), 4: (3000,)}
MANGAN: Final = 5

#: Yakuman that whoever feeds the last group is liable for: the tiles, and how many groups of them it takes.
_LIABLE: Final = {"daisangen": (frozenset(DRAGONS), 3), "daisushi": (frozenset(WINDS), 4)}
_KANS: Final = frozenset({"daiminkan", "kakan", "ankan"})
_OWN: Final = "ankan"


class Stakes(NamedTuple):
    """What a win is about beside its value: who wins from whom, the dealer, honba and sticks that it takes.

    `honba` are the points that one payer adds to a self-draw, by all honba; `target` is the winner for one.
    """

    seats: int
    actor: int
    target: int
    oya: int
    honba: int = 0
    sticks: int = 0

    @property
    def tsumo(self) -> bool:
        """Whether the win is a self-draw."""
        return self.actor == self.target


def of_win(stakes: Stakes, worth: Worth, liable: int | None = None, part: int = 0) -> list[Deltas]:
    """Give what a win moves. `liable` is who is to pay for `part` of its yakuman (pao).

    >>> stakes = Stakes(4, actor=1, target=3, oya=0, honba=200, sticks=1)
    >>> of_win(stakes, Worth(3, 30, (), 0, payment(3, 30), 30))
    [(0, 5500, 0, -4500)]
    """
    if liable is None or liable == stakes.actor or not part:
        return [_paid(stakes, _shares(stakes, worth.payment), honba) for honba in _honba(stakes)]
    return list(_with_pao(stakes, worth, liable, part))


def _shares(stakes: Stakes, paid: Payment) -> list[int]:
    """Give what each pays for the hand alone."""
    if not stakes.tsumo:
        return [paid.discarder * (seat == stakes.target) for seat in range(stakes.seats)]
    return [
        0 if seat == stakes.actor else paid.dealer if seat == stakes.oya else paid.other
        for seat in range(stakes.seats)
    ]


def _honba(stakes: Stakes, liable: int | None = None) -> Iterator[list[int]]:
    """Give what each may pay for honba. Where three play, a ron has two or three shares of them."""
    none = [0] * stakes.seats
    if stakes.tsumo and liable is None:
        yield [stakes.honba * (seat != stakes.actor) for seat in range(stakes.seats)]
        return
    payers = [stakes.target] if liable is None else [liable, stakes.target]
    for payer in payers:
        if payer != stakes.actor:
            for shares in dict.fromkeys((stakes.seats - 1, 3)):
                yield [*none[:payer], shares * stakes.honba, *none[payer + 1 :]]


def _paid(stakes: Stakes, shares: Sequence[int], honba: Sequence[int]) -> Deltas:
    deltas = [-(share + more) for share, more in zip(shares, honba, strict=True)]
    deltas[stakes.actor] -= sum(deltas) - RIICHI_STICK * stakes.sticks
    return tuple(deltas)


def _with_pao(stakes: Stakes, worth: Worth, liable: int, part: int) -> Iterator[Deltas]:
    """Give what a win moves where one is liable: all of a self-draw, half of what another discarded."""
    dealer = stakes.actor == stakes.oya
    # Some houses have them answer for the yakuman that come with it as well.
    for count in dict.fromkeys((part, worth.yakuman)):
        whole = payment(0, 0, count, dealer).discarder
        rest = worth.yakuman - count
        shares = _shares(stakes, payment(0, 0, rest, dealer, stakes.tsumo)) if rest else [0] * stakes.seats
        if stakes.tsumo or stakes.target == liable:
            shares[liable] += whole
        else:
            shares[liable] += whole // 2
            shares[stakes.target] += whole // 2
        for honba in _honba(stakes, liable):
            yield _paid(stakes, shares, honba)


def liability(worth: Worth, melds: Sequence[Meld]) -> tuple[int, int] | None:
    """Tell who is liable for a yakuman, and for how many: they fed the group that made it sure.

    >>> dragons = [Meld("pon", (tile, tile), tile, 2) for tile in "PFC"]
    >>> liability(Worth(13, 40, (("daisangen", 13),), 1, Payment(), 40), dragons)
    (2, 1)
    """
    for name, han in worth.yaku:
        if name in _LIABLE:
            tiles, count = _LIABLE[name]
            groups = [meld for meld in melds if plain(meld.own[0]) in tiles]
        elif name == "sukantsu":
            # Sure from the fourth kan on, if it was made of a discard.
            groups, count = [meld for meld in melds if meld.kind in _KANS], 4
            if groups[-1].kind != "daiminkan":
                continue
        else:
            continue
        if len(groups) == count and groups[-1].kind != _OWN and isinstance(groups[-1].target, int):
            return groups[-1].target, han // 13
    return None


def of_tenpai(tenpai: Collection[int], seats: int, total: int) -> Deltas:
    """Give what those without tenpai pay those with it; `total` points in all.

    >>> of_tenpai({0, 2, 3}, 4, 3000)
    (1000, -3000, 1000, 1000)
    """
    count = len(tenpai)
    if count in (0, seats):
        return (0,) * seats
    return tuple([total // count if seat in tenpai else -total // (seats - count) for seat in range(seats)])


def of_nagashi(winners: Collection[int], seats: int, oya: int, honba: int = 0) -> Deltas:
    """Give what nagashi mangan moves: to each of the winners a mangan as if they had drawn it.

    >>> of_nagashi([1], 4, oya=0)
    (-4000, 8000, -2000, -2000)
    """
    total = [0] * seats
    for winner in winners:
        stakes = Stakes(seats, winner, winner, oya, honba)
        paid = _shares(stakes, payment(MANGAN, 30, dealer=winner == oya, tsumo=True))
        moved = _paid(stakes, paid, next(_honba(stakes)))
        total = [a + b for a, b in zip(total, moved, strict=True)]
    return tuple(total)
