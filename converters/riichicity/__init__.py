"""Records of Riichi City (Mahjong Ichibangai): JSON of its server, read, and written back unchanged."""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
