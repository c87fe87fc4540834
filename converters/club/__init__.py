"""Club results: the text of the results of riichi games, as families and clubs write them down."""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
