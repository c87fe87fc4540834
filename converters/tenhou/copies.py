"""The copies of tiles: which of the four like tiles each hand of a round holds.

An mjlog names every tile by its number, 0 to 135, and the hub by its spelling. Where several like tiles could be
meant, a digit states the copy. The reader writes the digits and the writer reads them, with the same `Copies`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mjconv.converters.shared.meldcode import Call, decode, encode
from mjconv.converters.shared.tile_numbers import COPIES, PLAIN, TILES, WITH_REDS
from mjconv.ir.tiles import HIDDEN, Tile

#: The bit of each tile.
BIT: Final = tuple(1 << number for number in range(TILES))


def _alike(tiles: tuple[Tile, ...]) -> tuple[int, ...]:
    """Return for each tile the bits of the tiles that are spelled as it is."""
    return tuple(
        sum(BIT[other] for other in range(number & ~3, (number & ~3) + 4) if tiles[other] == tile)
        for number, tile in enumerate(tiles)
    )


#: The bits of the tiles that are spelled alike, without and with red fives.
ALIKE: Final = {False: _alike(PLAIN), True: _alike(WITH_REDS)}
#: The bits of the tiles of each spelling.
SPELLINGS: Final = {
    reds: {tile: ALIKE[reds][copies[0]] for tile, copies in COPIES[reds].items()} for reds in (False, True)
}
#: The first tile that is spelled as each tile is, without and with red fives.
_FIRST: Final = {reds: tuple((bits & -bits).bit_length() - 1 for bits in ALIKE[reds]) for reds in (False, True)}
#: The number of tiles that are spelled as each tile is, without and with red fives.
_LIKE: Final = {reds: tuple(bits.bit_count() for bits in ALIKE[reds]) for reds in (False, True)}
#: The digit that states each tile.
_DIGIT: Final = tuple(str(number & 3) for number in range(TILES))
#: The copies of each kind as a list, by the hexadecimal digit of their bits.
_LISTED: Final = [
    {f"{bits:x}": ",".join([str(first + copy) for copy in range(4) if bits >> copy & 1]) for bits in range(16)}
    for first in range(0, TILES, 4)
]
#: The digits that state a copy.
_COPIES: Final = frozenset("0123")


def numbers(bits: int) -> list[int]:
    """Return the tiles of a set of bits, ascending.

    >>> numbers(0b1001)
    [0, 3]
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def bits_of(tiles: Iterable[int]) -> int:
    """Return tiles by number as a set of bits.

    >>> bits_of([0, 3, 3])
    9
    """
    bits = 0
    for tile in tiles:
        bits |= BIT[tile]
    return bits


def listed(bits: int) -> str:
    """Return the tiles of a set of bits as a list, ascending.

    >>> listed(0b1001), listed(0)
    ('0,3', '')
    """
    # Each hexadecimal digit has the four copies of a kind.
    return ",".join(
        [texts[digit] for texts, digit in zip(_LISTED, f"{bits:x}"[::-1], strict=False) if digit != "0"]
    )


class NumberingError(Exception):
    """A tile has no number: it is hidden, no riichi tile, or a copy that the set does not have."""


class Copies:
    """The tiles by number that each seat holds, that lie open, and that nobody has seen yet.

    `held` are the concealed tiles of each seat, as bits. `unseen` are the tiles that are still in the wall.
    `melds` are the calls of each seat by their mjlog numbers, the newest first. `indicators` are the dora
    indicators turned so far. `last` is the tile of the last discard or kan.
    """

    def __init__(self, seats: int, *, reds: bool) -> None:
        self.reds = reds
        self.spelled = WITH_REDS if reds else PLAIN
        self.by_tile = COPIES[reds]
        self.alike = ALIKE[reds]
        self.spellings = SPELLINGS[reds]
        self.held = [0] * seats
        self.melds: list[list[int]] = [[] for _ in range(seats)]
        self.unseen = (1 << TILES) - 1
        self.indicators: list[int] = []
        self.last = -1
        self.picked: list[str] = []
        #: Whether a hand had to give a tile that it does not hold.
        self.astray = False

    # Reading: the numbers are known, and the digits are wanted.

    def lay_down(self, seat: int, number: int, without: int = 0) -> bool:
        """Take a tile out of a hand; it is not one of the bits `without`. Return whether the hand held it."""
        free = self.alike[number] & self.held[seat] & ~without
        if not free & BIT[number]:
            self.held[seat] &= ~BIT[number]
            return False
        if free & (free - 1):
            self.picked.append(str(number & 3))
        self.held[seat] ^= BIT[number]
        return True

    def call(self, seat: int, call: Call, code: int) -> None:
        """Put a call on the table. A kakan takes the place of its pon."""
        melds = self.melds[seat]
        if call.kind == "kakan":
            for place, other in enumerate(melds):
                pon = decode(other)
                if pon is not None and pon.kind == "pon" and pon.tile // 4 == call.tile // 4:
                    melds[place] = code
                    return
        melds.insert(0, code)

    def kakan_code(self, seat: int, added: int) -> int:
        """Return the number of a kakan that adds a tile to a pon of a seat, or -1 if there is no such pon."""
        for code in self.melds[seat]:
            pon = decode(code)
            if pon is not None and pon.kind == "pon" and pon.tile // 4 == added // 4:
                return encode(Call("kakan", (pon.tile, *pon.own), added, pon.giver))
        return -1

    # Writing: the spellings and the digits are known, and the numbers are wanted.

    def draw(self, tile: Tile, digits: Iterator[str]) -> int | None:
        """Take a tile of this spelling from the wall: the copy that a digit states, else the lowest one.

        Returns None if no such tile is left.
        """
        number = self._choose(tile, self.unseen, digits)
        if number is not None:
            self.unseen &= ~BIT[number]
        return number

    def take(self, seat: int, tile: Tile, digits: Iterator[str], without: int = 0) -> int:
        """Take a tile of this spelling out of a hand."""
        number = self._choose(tile, self.held[seat] & ~without, digits)
        if number is None:
            # Another copy than the one that the play would need is held: that of the tile just drawn.
            number = self._choose(tile, self.held[seat], digits)
        if number is None:
            if tile not in self.by_tile:
                raise NumberingError(self.reason(tile))
            number = self.by_tile[tile][0]
            self.astray = True
        self.held[seat] &= ~BIT[number]
        return number

    def discard(self, seat: int, tile: Tile, digits: Iterator[str], drawn: int) -> int:
        """Take a discard out of a hand: not the tile just drawn (-1 after a call), if another one is like it.

        The digit that states it is added to `picked`, as `lay_down` adds it.
        """
        held, without = self.held[seat], BIT[drawn] if drawn >= 0 else 0
        number = self.take(seat, tile, digits, without)
        free = self.alike[number] & held & ~without
        if number != drawn and free & (free - 1):
            self.picked.append(str(number & 3))
        return number

    def reason(self, tile: Tile) -> str:
        """Return why a tile has no number, in words."""
        if tile == HIDDEN:
            return "mjlog has no hidden tile"
        if tile not in self.by_tile:
            return f"mjlog has no tile {tile} here: its set has {'' if self.reds else 'no '}red fives"
        return f"mjlog has {len(self.by_tile[tile])} of {tile}, and the round has more"

    def _choose(self, tile: Tile, among: int, digits: Iterator[str]) -> int | None:
        free = self.spellings.get(tile, 0) & among
        if not free & (free - 1):
            return free.bit_length() - 1 if free else None
        stated = next(digits, "")
        lowest = (free & -free).bit_length() - 1
        chosen = (lowest & ~3) + int(stated) if stated in _COPIES else lowest
        return chosen if free & BIT[chosen] else lowest


def digits_of(found: Sequence[str]) -> str:
    """Return digits as one text.

    >>> digits_of(["0", "2"])
    '02'
    """
    return "".join(found)


def has_seen_digits(tiles: Sequence[int], *, reds: bool) -> bool:
    """Return whether `seen_digits` returns any digit.

    >>> has_seen_digits([53, 54], reds=True), has_seen_digits([52], reds=True), has_seen_digits([7, 7], reds=True)
    (True, False, False)
    """
    return len(set(tiles)) == len(tiles) and any(_LIKE[reds][tile] > 1 for tile in tiles)


def seen_digits(tiles: Sequence[int], *, reds: bool) -> str:
    """Return the digits of tiles in the order in which a round shows them, where several like ones were left.

    A tile that is there twice has no digit that can state it: then there are no digits at all.

    >>> seen_digits([53, 54, 52, 55, 0], reds=True), seen_digits([7, 7], reds=True)
    ('120', '')
    """
    if len(set(tiles)) < len(tiles):
        return ""
    left = list(_LIKE[reds])
    found: list[str] = []
    first = _FIRST[reds]
    for tile in tiles:
        spelling = first[tile]
        left[spelling] -= 1
        if left[spelling]:
            found.append(_DIGIT[tile])
    return "".join(found)
