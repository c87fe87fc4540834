"""PMN: Portable Majiang Notation, tags in brackets for each hand of Chinese Official.

The tags by which it is recognised are no tags of PGN, the notation of chess.
"""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
