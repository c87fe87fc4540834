"""How messages spell players and tiles: by the numbers of each syntax."""

from __future__ import annotations

import re
from typing import Final

from mjconv.converters.shared.tile_numbers import with_numbers
from mjconv.converters.tenhou.detect import syntax_of
from mjconv.converters.tenhou.json_calls import NUMBER_OF
from mjconv.converters.tenhou.vocabulary import NO_RED
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.tiles import Tile


def in_mjlog(tile: Tile) -> str:
    """Spell a tile for a message about mjlog, in a game with red fives.

    >>> in_mjlog("5mr"), in_mjlog("5m"), in_mjlog("C"), in_mjlog("?")
    ('5mr (16)', '5m (17-19)', 'C (132-135)', '?')
    """
    return with_numbers(tile, reds=True)


def in_mjlog_without_reds(tile: Tile) -> str:
    """Spell a tile for a message about mjlog, in a game without red fives.

    >>> in_mjlog_without_reds("5m")
    '5m (16-19)'
    """
    return with_numbers(tile, reds=False)


def in_json(tile: Tile) -> str:
    """Spell a tile for a message about tenhou.net/6 JSON.

    >>> in_json("5mr"), in_json("5m"), in_json("C"), in_json("?")
    ('51', '15', '47', '0')
    """
    number = NUMBER_OF.get(tile)
    return tile if number is None else str(number)


#: The spelling in messages about mjlog. Pictures have the hub's tiles: the numbers of all copies are too long.
SPELLING: Final = Spelling(PLAIN.player, in_mjlog, PLAIN.wind, str)
WITHOUT_REDS: Final = Spelling(PLAIN.player, in_mjlog_without_reds, PLAIN.wind, str)
#: The spelling in messages about tenhou.net/6 JSON and links.
JSON: Final = Spelling(PLAIN.player, in_json, PLAIN.wind)

_TYPE: Final = re.compile(rb"<GO\s[^>]{0,4096}?type\s{0,64}=\s{0,64}[\"']([0-9]{1,5})[\"']")


def spelling_of(head: bytes) -> Spelling:
    """Return the spelling of a file that begins with `head`.

    >>> spelling_of(b'{"title":["",""],"log":[[[0,0,0],[25000]]]}').tile("5m")
    '15'
    >>> spelling_of(b'<mjloggm ver="2.3"><GO type="3" lobby="0"/>').tile("5m")
    '5m (16-19)'
    """
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and syntax_of(head) != "xml":
        return JSON
    found = _TYPE.search(head)
    return WITHOUT_REDS if found is not None and int(found[1]) & NO_RED else SPELLING
