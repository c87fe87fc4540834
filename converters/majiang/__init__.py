"""majiang: the JSON records of the open mahjong engine and viewer of that name.

A record is recognised by its first round. Of a log without rounds, the key of the first dealer decides.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
