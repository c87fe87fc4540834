"""Reads the values of attributes: numbers and lists of numbers, bounded, each with its place if it is wrong."""

from __future__ import annotations

import re
from typing import Final

from mjconv.converters.shared.tile_numbers import TILES
from mjconv.converters.tenhou.bounds import MOST_POINTS
from mjconv.converters.tenhou.scanner import Element, Scan
from mjconv.ir.errors import InputError

#: A number has one spelling, so writing it again gives the same text.
_NUMBER: Final = re.compile(r"0|-?[1-9][0-9]{0,7}")
#: The most frequent numbers, by their texts, and the tiles.
_NUMBERS: Final = {str(number): number for number in range(-999, 2000)}
_TILES: Final = {str(number): number for number in range(TILES)}
#: The most points of one player, in hundreds.
_MOST_HUNDREDS: Final = MOST_POINTS // 100
#: The attributes of hands, by seat.
_HANDS: Final = ("hai0", "hai1", "hai2", "hai3")
#: The most values of one list.
_MOST: Final = 140


class Values:
    """The values of the attributes of one element."""

    def __init__(self, scan: Scan, piece: int, element: Element) -> None:
        self.scan = scan
        self.piece = piece
        self.element = element
        self.attributes = element.attributes

    def wrong(self, key: str, expected: str) -> InputError:
        """Return the error of a wrong value, with its place."""
        shown = self.attributes.get(key)
        reason = "is not there" if shown is None else f"is {shown[:40]!r}"
        return InputError(
            f"the attribute {key} of {self.element.name} {reason}: expected {expected}",
            self.scan.place(self.piece, key if shown is not None else ""),
        )

    def number(self, key: str, least: int, most: int, usual: int | None = None) -> int:
        """Return a whole number from `least` to `most`; `usual` if the attribute is not there."""
        text = self.attributes.get(key)
        if text is None and usual is not None:
            return usual
        number = None if text is None else _NUMBERS.get(text) or _number(text)
        if number is None or not least <= number <= most:
            raise self.wrong(key, f"a number from {least} to {most}")
        return number

    def numbers(self, key: str, count: int | None = None) -> list[int]:
        """Return a list of whole numbers, of `count` numbers if that is given."""
        found = numbers_in(self.attributes.get(key))
        if found is None or not (count is None or len(found) == count):
            raise self.wrong(key, f"{count or 'some'} numbers, joined by commas")
        return found

    def hundreds(self, key: str, count: int | None = None) -> list[int]:
        """Return a list of points in hundreds, of `count` numbers if that is given."""
        found = self.numbers(key, count)
        if found and (max(found) > _MOST_HUNDREDS or min(found) < -_MOST_HUNDREDS):
            raise self.wrong(key, f"points in hundreds, from -{_MOST_HUNDREDS} to {_MOST_HUNDREDS}")
        return found

    def tiles(self, key: str, least: int, most: int) -> list[int]:
        """Return a list of tiles by their numbers, of `least` to `most` tiles."""
        text = self.attributes.get(key)
        found = list(map(_TILES.get, text.split(",", _MOST))) if text else []
        if text is None or None in found or not least <= len(found) <= most:
            counted = str(most) if least == most else f"{least} to {most}"
            raise self.wrong(key, f"{counted} tiles from 0 to {TILES - 1}, joined by commas")
        return found  # type: ignore[return-value]

    def hands(self, seats: int, size: int) -> list[list[int]]:
        """Return the hands of `hai0` and the others, of `size` tiles each."""
        found = self.attributes
        texts = [found.get(key, "") for key in _HANDS[:seats]]
        if [text.count(",") + 1 for text in texts] == [size] * seats:
            # One list is faster than several.
            tiles = list(map(_TILES.get, ",".join(texts).split(",")))
            if None not in tiles:
                return [tiles[begin : begin + size] for begin in range(0, seats * size, size)]  # type: ignore[misc]
        return [self.tiles(key, size, size) for key in _HANDS[:seats]]


def numbers_in(text: str | None) -> list[int] | None:
    """Return the numbers of a list, or None if it is none.

    >>> numbers_in("250,-10"), numbers_in(""), numbers_in("1,x"), numbers_in(None)
    ([250, -10], [], None, None)
    """
    if not text:
        return None if text is None else []
    parts = text.split(",", _MOST)
    found = list(map(_NUMBERS.get, parts))
    if None in found:
        found = list(map(_number, parts))
    return None if None in found else found  # type: ignore[return-value]


def _number(text: str) -> int | None:
    """Return the number that a text is, or None."""
    found = _NUMBERS.get(text)
    if found is None and _NUMBER.fullmatch(text):
        return int(text)
    return found
