"""Botzone: the logs of single hands of Chinese Official by the programs of its competition."""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
