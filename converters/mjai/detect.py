"""Recognises mjai by the first bytes of a file."""

from __future__ import annotations

import re
from typing import Final

_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,4096}(?:\[\s{0,64})?\{")
_TYPE: Final = re.compile(rb'"type"\s{0,64}:\s{0,64}"[a-z_]{1,20}"')
#: A string, or a bracket of an object. A string without its end reaches to the end of the bytes.
_PIECE: Final = re.compile(rb'"[^"\\]*+(?>\\.[^"\\]*+)*+"?|[{}]')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like mjai messages.

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
