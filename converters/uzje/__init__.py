"""Ùzje replay notation: the whole wall, and turns with much left out (see ``docs/uzje.md``).

Of two like tiles the text does not show which one is discarded. The word of a call names its player; its own tiles
are like the one called.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
