"""PMN: Portable Majiang Notation, tags in brackets for each hand of Chinese Official.

The tags by which it is recognised are no tags of PGN, the notation of chess.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
