"""The format `tenhou`: mjlog XML, tenhou.net/6 JSON, and links that hold a record.

Links have no notes: many programs shorten a long link, and people send links to others.
"""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.ir.catalogue import catalogue

FORMAT: Final = catalogue(__name__, "format.json", Format)
