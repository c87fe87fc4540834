"""mjai: JSON messages of mahjong AI programs, one for each event."""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
