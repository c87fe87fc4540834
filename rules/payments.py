"""The points that a result moves: by a win with honba, sticks and liability (pao), and by nagashi mangan.

Amounts are points by seat. Where houses differ, a function returns every usual division, the most usual first.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from mjconv.ir.match import Meld
from mjconv.ir.table import Table
from mjconv.ir.tiles import DRAGONS, HIDDEN, WINDS, plain
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN
from mjconv.rules.decomposition import ORPHANS
from mjconv.rules.riichi_values import HandValue, Payment, payment
from mjconv.rules.scores import RIICHI_STICK

Deltas: TypeAlias = tuple[int, ...]

#: The usual points of one honba, and its shares: each payer of a self-draw pays one.
HONBA: Final = 300
_SHARES: Final = 3
#: Each payment is a multiple of these points.
_STEP: Final = 100
#: The han of a mangan at any fu.
MANGAN: Final = 5
#: The yakuman with liability: the tiles of their groups, and the number of groups.
_LIABLE: Final = {"daisangen": (frozenset(DRAGONS), 3), "daisuushii": (frozenset(WINDS), 4)}
_FOUR_KANS: Final = "suukantsu"


class Stakes(NamedTuple):
    """The terms of a win besides the value of the hand.

    `target` is the discarder; for a self-draw it is the winner, as `actor` is. `honba` is the number of honba, and
    `each` the points of one: the discarder pays them, or three payers of a self-draw together. `sticks` is the
    number of riichi sticks that the winner takes.
    """

    seats: int
    actor: int
    target: int
    oya: int
    honba: int = 0
    sticks: int = 0
    each: int = HONBA

    @property
    def tsumo(self) -> bool:
        """Whether the win is a self-draw."""
        return self.actor == self.target

    @property
    def shares(self) -> tuple[int, int]:
        """The points that a payer of a self-draw may add: a third of all honba, or of each, in whole hundreds.

        >>> Stakes(4, actor=1, target=1, oya=0, honba=2).shares, Stakes(4, 1, 1, 0, honba=3, each=500).shares
        ((200, 200), (500, 600))
        """
        return _up(self.honba * self.each, _SHARES), self.honba * _up(self.each, _SHARES)


def _up(points: int, shares: int) -> int:
    return -(-points // (shares * _STEP)) * _STEP


def win_deltas(stakes: Stakes, value: HandValue, liable: int | None = None, part: int = 0) -> list[Deltas]:
    """Return the points that a win moves. `liable` is the seat that pays for `part` of its yakuman (pao).

    >>> stakes = Stakes(4, actor=1, target=3, oya=0, honba=2, sticks=1)
    >>> win_deltas(stakes, HandValue(3, 30, (), 0, payment(3, 30), 30))
    [(0, 5500, 0, -4500)]
    """
    if liable is None or liable == stakes.actor or not part:
        return [_deltas(stakes, _shares(stakes, value.payment), honba) for honba in honba_paid(stakes)]
    return list(_with_liability(stakes, value, liable, part))


def _shares(stakes: Stakes, paid: Payment) -> list[int]:
    """Return the points that each seat pays for the hand alone."""
    if not stakes.tsumo:
        return [paid.discarder * (seat == stakes.target) for seat in range(stakes.seats)]
    by_seat = {stakes.oya: paid.dealer, stakes.actor: 0}
    return [by_seat.get(seat, paid.other) for seat in range(stakes.seats)]


def honba_paid(stakes: Stakes, liable: int | None = None) -> Iterator[list[int]]:
    """Yield the points that each seat may pay for honba; where three play, a ron has two or three shares."""
    none = [0] * stakes.seats
    if stakes.tsumo and liable is None:
        for share in stakes.shares:
            yield [share * (seat != stakes.actor) for seat in range(stakes.seats)]
        return
    payers = [stakes.target] if liable is None else [liable, stakes.target]
    whole = stakes.honba * stakes.each
    several = [] if stakes.seats > _SHARES else [share * (stakes.seats - 1) for share in stakes.shares]
    for payer in payers:
        if payer != stakes.actor:
            for points in (*several, whole):
                yield [*none[:payer], points, *none[payer + 1 :]]


def _deltas(stakes: Stakes, shares: Sequence[int], honba: Sequence[int]) -> Deltas:
    deltas = [-(share + more) for share, more in zip(shares, honba, strict=True)]
    deltas[stakes.actor] -= sum(deltas) - RIICHI_STICK * stakes.sticks
    return tuple(deltas)


def _with_liability(stakes: Stakes, value: HandValue, liable: int, part: int) -> Iterator[Deltas]:
    """Yield the points that a win moves: the liable seat pays a self-draw for all, or half of a discard."""
    dealer = stakes.actor == stakes.oya
    # In some houses the liable seat also pays for the other yakuman of the hand.
    for count in dict.fromkeys((part, value.yakuman)):
        whole = sum(_shares(stakes, payment(0, 0, count, dealer, stakes.tsumo)))
        rest = value.yakuman - count
        shares = _shares(stakes, payment(0, 0, rest, dealer, stakes.tsumo)) if rest else [0] * stakes.seats
        if stakes.tsumo or stakes.target == liable:
            shares[liable] += whole
        else:
            shares[liable] += whole // 2
            shares[stakes.target] += whole // 2
        for honba in honba_paid(stakes, liable):
            yield _deltas(stakes, shares, honba)


def nagashi_winners(table: Table, *, hidden: bool = False) -> list[int]:
    """Return the seats that discarded only terminals and honours, none of which was called.

    With `hidden`, a hidden discard may be one of these.
    """
    tiles = ORPHANS | {HIDDEN} if hidden else ORPHANS
    called = {meld.target for melds in table.melds for meld in melds}
    return [
        seat for seat, river in enumerate(table.rivers) if river and seat not in called and tiles.issuperset(river)
    ]


def nagashi_deltas(winners: Collection[int], seats: int, oya: int, honba: int = 0, each: int = HONBA) -> Deltas:
    """Return the points that nagashi mangan moves: each of the winners is paid a self-drawn mangan.

    `honba` is their number, and `each` the points of one; see `Stakes`.

    >>> nagashi_deltas([1], 4, oya=0)
    (-4000, 8000, -2000, -2000)
    """
    total = [0] * seats
    for winner in winners:
        stakes = Stakes(seats, winner, winner, oya, honba, each=each)
        paid = _shares(stakes, payment(MANGAN, 30, dealer=winner == oya, tsumo=True))
        moved = _deltas(stakes, paid, next(honba_paid(stakes)))
        total = [a + b for a, b in zip(total, moved, strict=True)]
    return tuple(total)


class Liability(NamedTuple):
    """The seat that is liable, the number of yakuman that it pays for, and whether every house has this rule."""

    seat: int
    yakuman: int
    everywhere: bool = True


def liability(value: HandValue, melds: Sequence[Meld], giver: int | None = None) -> list[Liability]:
    """Return who is liable for each yakuman of a hand: the player whose discard completed its last group.

    `giver` is the player whose discard made the last kan of the hand, None if nobody's did.

    >>> from mjconv.rules.riichi_values import Payment
    >>> dragons = [Meld("pon", (tile, tile), tile, 2) for tile in "PFC"]
    >>> liability(HandValue(13, 40, (("daisangen", 13),), 1, Payment(), 40), dragons)
    [Liability(seat=2, yakuman=1, everywhere=True)]
    """
    liable: list[Liability] = []
    for name, han in value.yaku:
        seat: object = None
        if name in _LIABLE:
            tiles, count = _LIABLE[name]
            made_of = [meld for meld in melds if plain(meld.own[0]) in tiles]
            if len(made_of) == count and made_of[-1].kind != "ankan":
                seat = made_of[-1].target
        elif name == _FOUR_KANS:
            # Four kans are sure from the fourth on; only a kan of a discard makes another player liable.
            seat = giver
        if isinstance(seat, int):
            liable.append(Liability(seat, han // HAN_OF_YAKUMAN, name != _FOUR_KANS))
    return liable
