"""Reads the values of attributes: numbers and lists of numbers, bounded, each with its place if it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from mjconv.converters.tenhou.scanner import Element, Scan
from mjconv.converters.tenhou.tiles import TILES
from mjconv.ir.errors import InputError

_NUMBER: Final = re.compile(r"-?[0-9]{1,8}")
_LIST: Final = re.compile(r"(?:-?[0-9]{1,8}(?>,-?[0-9]{1,8})*+)?")
_TILE_LIST: Final = re.compile(r"(?:[0-9]{1,3}(?>,[0-9]{1,3})*+)?")
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
        if text is not None and _NUMBER.fullmatch(text) and least <= int(text) <= most:
            return int(text)
        raise self.wrong(key, f"a number from {least} to {most}")

    def numbers(self, key: str, count: int | None = None) -> list[int]:
        """Return a list of whole numbers, of `count` numbers if that is given."""
        text = self.attributes.get(key)
        if text is not None and _LIST.fullmatch(text):
            found = [int(part) for part in text.split(",")] if text else []
            if len(found) == count or (count is None and len(found) <= _MOST):
                return found
        raise self.wrong(key, f"{count or 'some'} numbers, joined by commas")

    def tiles(self, key: str, least: int, most: int) -> list[int]:
        """Return a list of tiles by their numbers, of `least` to `most` tiles."""
        text = self.attributes.get(key)
        if text is not None and _TILE_LIST.fullmatch(text):
            found = [int(part) for part in text.split(",")] if text else []
            if least <= len(found) <= most and max(found, default=0) < TILES:
                return found
        counted = str(most) if least == most else f"{least} to {most}"
        raise self.wrong(key, f"{counted} tiles from 0 to {TILES - 1}, joined by commas")


#: Makes an event of an element.
Maker = Callable[[Values], object]
