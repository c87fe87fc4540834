"""Records of M-League: the page of its viewer, or the JSON array in it; read, and written back unchanged.

Its house rules are the published rules of the league.
"""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
