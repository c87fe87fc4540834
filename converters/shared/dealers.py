"""The hints about who deals, for formats whose text numbers the players by the rounds."""

from collections.abc import Sequence
from typing import Any

from mjconv.ir.events import StartRound
from mjconv.ir.match import Frozen


class Dealers(Frozen, frozen=True):
    """The hints of a match's note about who deals.

    `shift` is the hub's seat of the player who deals the rounds of number 1. `dealers` has the dealer of each
    round, if that rule does not give all of them. Both outlive the note of a round that was edited.
    """

    shift: int = 0
    dealers: tuple[int, ...] = ()

    def of(self, index: int, number: int, rounds: int) -> int:
        """Return the dealer of the round at an index. `number` is its number, `rounds` is how many the text has.

        >>> Dealers(shift=1).of(0, 4, 3), Dealers(dealers=(2, 0)).of(0, 1, 2), Dealers(dealers=(2, 0)).of(0, 1, 3)
        (4, 2, 0)
        """
        return self.dealers[index] if len(self.dealers) == rounds else number - 1 + self.shift


def shift_of(deals: Sequence[StartRound], seats: int) -> int:
    """Return the seat of the player who deals round 1 of a wind, by the first of the deals.

    >>> shift_of([StartRound(kyoku=2, oya=2)], 4), shift_of([], 4)
    (1, 0)
    """
    first = deals[0] if deals else StartRound()
    return (int(first.oya or 0) - int(first.kyoku or 1) + 1) % seats


def dealers_hints(shift: int, deals: Sequence[StartRound], seats: int) -> dict[str, Any]:
    """Return the hints about the dealers of rounds with these deals, in a match of so many players.

    >>> deals = [StartRound(kyoku=1, oya=1), StartRound(kyoku=3, oya=3)]
    >>> dealers_hints(1, deals, 4), dealers_hints(0, deals[1:], 4)
    ({'shift': 1}, {'dealers': [3]})
    """
    hints: dict[str, Any] = {"shift": shift} if shift else {}
    if any((int(deal.kyoku or 1) - 1 + shift - int(deal.oya or 0)) % seats for deal in deals):
        hints["dealers"] = [int(deal.oya or 0) for deal in deals]
    return hints
