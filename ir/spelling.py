"""How messages about play spell players and tiles. Each format may have its own spellings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from mjconv.ir.illegal import listed
from mjconv.ir.tiles import WINDS, Tile
from mjconv.ir.vocabulary import WIND_NAMES


class Seating(NamedTuple):
    """Who sits where in a round: the seat of the dealer, the number of seats, and the names of the players.

    `dealer` is None outside the rounds of a match. `names` is empty if the record does not name the players.
    """

    dealer: int | None
    seats: int
    names: tuple[str, ...] = ()

    def place(self, seat: int) -> int | None:
        """Return the place of a seat after the dealer: 0 to 3 for east to north. None outside rounds.

        >>> Seating(1, 4).place(0), Seating(None, 4).place(0), Seating(1, 4).place(7)
        (3, None, None)
        """
        if self.dealer is None or not 0 <= seat < self.seats:
            return None
        return (seat - self.dealer) % self.seats

    def wind(self, seat: int) -> Tile | None:
        """Return the wind of a seat. None outside rounds, and for the fifth and sixth player.

        >>> Seating(1, 4).wind(0), Seating(0, 6).wind(5)
        ('N', None)
        """
        place = self.place(seat)
        return None if place is None or place >= len(WINDS) else WINDS[place]


class Spelling(Struct, frozen=True):
    """The spellings of a format: of a seat, and of a tile of the hub.

    `wind` is the spelling of a seat where space is scarce; None: as `player`. `brief` is the spelling of a
    tile where space is scarce; None: as `tile`. `amount` is the spelling of points in the unit of the format;
    None: the number. With `dealer_first`, the points of a round are listed from the dealer on, else by seat.
    """

    player: Callable[[int, Seating], str]
    tile: Callable[[Tile], str]
    wind: Callable[[int, Seating], str] | None = None
    brief: Callable[[Tile], str] | None = None
    amount: Callable[[int], str | None] | None = None
    dealer_first: bool = False

    def short_player(self, seat: int, seating: Seating) -> str:
        """Return the short spelling of a seat."""
        return (self.wind or self.player)(seat, seating)

    def points(self, points: Sequence[int], seating: Seating) -> str:
        """Return the spelling of points by seat, in the order and unit of the format.

        >>> Spelling(by_number, str, dealer_first=True).points((1, 2, 3, 4), Seating(1, 4))
        '(2, 3, 4, 1)'
        """
        first = seating.dealer or 0 if self.dealer_first else 0
        amount = self.amount or str
        return listed(amount(each) or str(each) for each in (*points[first:], *points[:first]))

    def short_tile(self, tile: Tile) -> str:
        """Return the short spelling of a tile."""
        return (self.brief or self.tile)(tile)


def by_number(seat: int, seating: Seating) -> str:  # noqa: ARG001 - one of the functions of a spelling
    """Spell a seat by its number, from 0.

    >>> by_number(2, Seating(None, 4))
    'player 2'
    """
    return f"player {seat}"


def by_wind(seat: int, seating: Seating) -> str:
    """Spell a seat by its wind and its number; without a wind by its number.

    >>> by_wind(2, Seating(1, 4)), by_wind(2, Seating(None, 4))
    ('south (player 2)', 'player 2')
    """
    wind = seating.wind(seat)
    return by_number(seat, seating) if wind is None else f"{WIND_NAMES[wind]} (player {seat})"


def by_place(form: str) -> Callable[[int, Seating], str]:
    """Return the function that spells a seat by its wind and its place after the dealer.

    `form` has a gap ``{}`` for the place. A seat without a wind is spelled by its number.

    >>> by_place("l {}")(2, Seating(1, 4)), by_place("l {}")(2, Seating(None, 4))
    ('south (l 1)', 'player 2')
    """

    def player(seat: int, seating: Seating) -> str:
        wind, place = seating.wind(seat), seating.place(seat)
        return by_number(seat, seating) if wind is None else f"{WIND_NAMES[wind]} ({form.format(place)})"

    return player


def _by_letter(seat: int, seating: Seating) -> str:
    return f"{seating.wind(seat) or '-'} (player {seat})"


def by_letters(letters: str) -> Callable[[int, Seating], str]:
    """Return the function that spells a seat by its letter, the dealer's first; outside rounds by its number.

    >>> by_letters("eswn")(0, Seating(3, 4)), by_letters("eswn")(0, Seating(None, 4))
    ('s', 'player 0')
    """

    def player(seat: int, seating: Seating) -> str:
        place = seating.place(seat)
        return by_number(seat, seating) if place is None or place >= len(letters) else letters[place]

    return player


def by_table(spellings: Mapping[Tile, str]) -> Callable[[Tile], str]:
    """Return the function that spells a tile by a table; a tile that is not in it as the hub spells it.

    >>> by_table({"E": "1z"})("E"), by_table({})("?")
    ('1z', '?')
    """
    return lambda tile: spellings.get(tile, tile)


#: The hub's own spelling.
PLAIN: Final = Spelling(by_wind, str, _by_letter)
