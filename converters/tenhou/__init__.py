"""The format `tenhou`: mjlog XML, tenhou.net/6 JSON, and links that hold a record.

Links have no notes: many programs shorten a long link, and people send links to others.
"""

from mjconv.converters.interface import Format

FORMAT = Format.declared(__name__)
