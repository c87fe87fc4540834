"""Recognises mjai by the first bytes of a file."""

import re
from typing import Final

from mjconv.converters.mjai.aliases import TYPES
from mjconv.ir.events import KINDS

_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,4096}(?:\[\s{0,64})?\{")
#: Messages of play. A log also has messages of other types, and so have files that are no logs.
_KNOWN: Final = sorted({*KINDS, *TYPES} - {"none", "join", "hello", "error"})
_TYPE: Final = re.compile(rb'"type"\s{0,64}:\s{0,64}"(?:%b)"' % "|".join(_KNOWN).encode())
#: A string, or a bracket of an object. A string without its end reaches to the end of the bytes.
_PIECE: Final = re.compile(rb'"[^"\\]*+(?>\\.[^"\\]*+)*+"?|[{}]')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like mjai messages, at least one of which is of play.

    >>> recognise(b'{"type":"start_game"}'), recognise(b"jmjp[1.0]")
    (True, False)
    """
    if _START.match(head) is None:
        return False
    # Notes in files of other formats hold messages too, in objects in objects.
    begin = depth = 0
    for key in _TYPE.finditer(head):
        for piece in _PIECE.finditer(head, begin, key.start()):
            depth += _DEPTH.get(piece[0], 0)
        if depth == 1:
            return True
        begin = key.start()
    return False


_DEPTH: Final = {b"{": 1, b"}": -1}
