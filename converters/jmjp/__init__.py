"""jmjp: paifu files of the Japanese Mahjong Paifu standard, versions 0 and 1.x.

The text names the dora, which a red and a plain indicator share. Its acts are complete: no tile is set aside
between them, and play ends after the last one.
"""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
