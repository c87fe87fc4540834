"""The seat that a person names: by its number, its first wind, or its player."""

from typing import Any, Final, TypeVar

from msgspec import UNSET

from mjconv.ir.answers import recorded_seat
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match
from mjconv.ir.tiles import HIDDEN

#: The names of the wind that each seat has in the first round.
_WINDS: Final = (("e", "east", "東", "东"), ("s", "south", "南"), ("w", "west", "西"), ("n", "north", "北"))


V = TypeVar("V", list[Any], tuple[Any, ...])


class SeatError(UsageError):
    """A match has no such seat."""


#: A number of more digits is no seat.
_MOST_DIGITS: Final = 9


def turned(values: V, first: int) -> V:
    """Return values by seat in the same order, from the seat `first` on.

    >>> turned((1, 2, 3, 4), 1), turned([1, 2, 3, 4], -1)
    ((2, 3, 4, 1), [4, 1, 2, 3])
    """
    begin = first % len(values)
    return values[begin:] + values[:begin]


def seat_number(match: Match, wanted: int | str | None) -> int:
    """Return a seat by its number, its first wind or its player; for None, the player whose hand is seen, or 0.

    Seats count from 0, as in mjai: seat 0 is East in the first round. A number or a wind is a seat, unless it is a
    whole name. A part of a name is enough if no other name has it. Raises `SeatError` if there is no such
    seat, or if no player or more than one is meant.

    >>> from mjconv.ir.events import StartGame
    >>> from mjconv.ir.match import Name, Player, Text
    >>> match = Match([Player(Name(Text(name))) for name in ("Ann", "Bo", "Cy", "Di")], opening=[StartGame(id=2)])
    >>> [seat_number(match, wanted) for wanted in ("bo", "3", "South", "w", None)]
    [1, 3, 1, 2, 2]
    """
    if wanted is None:
        recorded = recorded_seat(match.opening)
        return _seen_seat(match) if recorded is None else recorded
    names = match.names
    if isinstance(wanted, str):
        word = wanted.casefold()
        holding = [seat for seat, name in enumerate(names) if word and word in name.casefold()]
        exact = [seat for seat in holding if names[seat].casefold() == word]
        winds = [seat for seat, words in enumerate(_WINDS) if word in words]
        if not exact and wanted.isascii() and wanted.isdigit() and len(wanted) < _MOST_DIGITS:
            winds = [int(wanted)]
        meant = exact or winds or holding
        wanted_seat = meant[0] if len(meant) == 1 else -1
    else:
        wanted_seat = wanted
    if 0 <= wanted_seat < match.seats:
        return wanted_seat
    players = ", ".join(f"{seat} {name}".strip() for seat, name in enumerate(names)) or f"0 to {match.seats - 1}"
    raise SeatError(f"there is no seat {wanted!r}; the seats: {players}")


def _seen_seat(match: Match) -> int:
    """Return the only seat whose hand is known at the first deal, or 0."""
    start = match.rounds[0].start if match.rounds else None
    hands = () if start is None or start.tehais is UNSET else start.tehais
    seen = [seat for seat, hand in enumerate(hands) if set(hand) != {HIDDEN}]
    return seen[0] if len(seen) == 1 else 0
