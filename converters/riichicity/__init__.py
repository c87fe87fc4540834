"""Records of Riichi City (Mahjong Ichibangai): JSON of its server, read, and written back unchanged."""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
