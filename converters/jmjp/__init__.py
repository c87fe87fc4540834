"""jmjp: paifu files of the Japanese Mahjong Paifu standard, versions 0 and 1.x.

The text names the dora, which a red and a plain indicator share. Its acts are complete: no tile is set aside
between them, and play ends after the last one.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
