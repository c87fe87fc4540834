"""Who is in tenpai at a draw, and who pays: as the record states it, as the points were paid, or by the hands."""

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.ir import events as ev
from mjconv.ir.match import Meld, Rules
from mjconv.ir.tiles import Tile

#: Whether each seat is in tenpai; None where this is not known.
Tenpai: TypeAlias = tuple[bool | None, ...]

#: The points that those without tenpai usually pay in all, by the number of seats.
_NOTEN: Final[dict[int, tuple[int, ...]]] = {3: (2000, 3000), 4: (3000,)}
#: The least points that a nagashi mangan of the dealer moves. Each loser pays the same, as at a draw with tenpai.
_NAGASHI: Final = 8000


def noten_totals(rules: Rules | UnsetType, seats: int) -> tuple[int, ...]:
    """Return the points that those without tenpai may pay in all, the likeliest first: by the rules or as usual.

    >>> noten_totals(Rules(tenpai=1000), 4), noten_totals(UNSET, 3), noten_totals(UNSET, 6)
    ((1000,), (2000, 3000), ())
    """
    return _NOTEN.get(seats, ()) if rules is UNSET or rules.tenpai is UNSET else (rules.tenpai,)


def tenpai_deltas(tenpai: Collection[int], seats: int, total: int) -> tuple[int, ...]:
    """Return the points that the seats without tenpai pay to those with it, `total` points in all.

    >>> tenpai_deltas({0, 2, 3}, 4, 3000)
    (1000, -3000, 1000, 1000)
    """
    count = len(tenpai)
    if count in (0, seats):
        return (0,) * seats
    return tuple([total // count if seat in tenpai else -total // (seats - count) for seat in range(seats)])


def stated_tenpai(draw: ev.Ryukyoku, seats: int) -> Tenpai:
    """Return who is in tenpai, as a draw states it or as its points were paid.

    >>> stated_tenpai(ev.Ryukyoku(deltas=(1000, -3000, 1000, 1000)), 4)
    (True, False, True, True)
    >>> stated_tenpai(ev.Ryukyoku(deltas=(12000, -4000, -4000, -4000)), 4)
    (None, None, None, None)
    """
    if draw.tenpais is not UNSET:
        return (*draw.tenpais[:seats], *[None] * (seats - len(draw.tenpais)))
    deltas = draw.deltas or ()
    winners = {seat for seat, delta in enumerate(deltas) if delta > 0}
    total = sum(deltas[seat] for seat in winners)
    if len(deltas) == seats and 0 < total < _NAGASHI and deltas == tenpai_deltas(winners, seats, total):
        return tuple([seat in winners for seat in range(seats)])
    return (None,) * seats


def tenpai_of(draw: ev.Ryukyoku, hands: Sequence[Collection[Tile]], melds: Sequence[Sequence[Meld]]) -> Tenpai:
    """Return who is in tenpai at a draw that is not abortive. `hands` and `melds` are those at the end, by seat.

    If the draw does not show it, the hands do, unless some of their tiles are hidden or no riichi tiles.

    >>> tenpai_of(ev.Ryukyoku(), [["5s"], ["5s", "7s"], ["?"]], [[], [], []])
    (False, False, None)
    """
    known = zip(stated_tenpai(draw, len(hands)), hands, melds, strict=True)
    return tuple([_waits(hand, own) if stated is None else stated for stated, hand, own in known])


def _waits(hand: Collection[Tile], melds: Sequence[Meld]) -> bool | None:
    # Imported here: most draws show who is in tenpai.
    from mjconv.rules.hands import in_tenpai

    return in_tenpai(list(hand), melds)
