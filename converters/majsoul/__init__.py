"""Mahjong Soul records: the replies of the game server, and what programs make of them."""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
