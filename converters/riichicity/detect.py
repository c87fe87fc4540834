"""Recognises Riichi City records by the first bytes of a file."""

from __future__ import annotations

import re
from typing import Final

_OPEN: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,4096}[\[{]")
_ROUNDS: Final = re.compile(rb'"handRecord"\s{0,64}:')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a Riichi City record.

    >>> recognise(b'{"code":0,"data":{"handRecord":[]}}'), recognise(b'{"type":"start_game"}')
    (True, False)
    """
    return _OPEN.match(head) is not None and _ROUNDS.search(head) is not None
