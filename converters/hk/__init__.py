"""HK scores: the text format of a scorer for Hong Kong rules.

A false win is a `ryukyoku`; the text shows its actor.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
