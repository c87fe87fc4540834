"""Recognises mjai by the first bytes of a file."""

from __future__ import annotations

import re
from typing import Final

_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,4096}(?:\[\s{0,64})?\{")
_TYPE: Final = re.compile(rb'"type"\s{0,64}:\s{0,64}"[a-z_]{1,20}"')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like mjai messages.

    >>> recognise(b'{"type":"start_game"}'), recognise(b"jmjp[1.0]")
    (True, False)
    """
    return _START.match(head) is not None and _TYPE.search(head) is not None
