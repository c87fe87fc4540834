"""Botzone: the logs of single hands of Chinese Official by the programs of its competition."""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
