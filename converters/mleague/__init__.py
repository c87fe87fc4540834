"""Records of M-League: the page of its viewer, or the JSON array in it; read, and written back unchanged.

Its house rules are the published rules of the league.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
