"""The states of the simulator mjx: a round on each line."""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
