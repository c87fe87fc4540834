"""mjai: JSON messages of mahjong AI programs, one for each event."""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
