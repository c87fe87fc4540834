"""HK scores: the text format of a scorer for Hong Kong rules.

A false win is a `ryukyoku`; the text shows its actor.
"""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
