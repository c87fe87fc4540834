"""Recognises states of mjx by the first bytes of a file."""

from __future__ import annotations

import re
from typing import Final

_OPEN: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,4096}[\[{]")
_STATE: Final = re.compile(rb'"publicObservation"\s{0,64}:')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like states of mjx.

    >>> recognise(b'{"publicObservation":{"playerIds":[]}}'), recognise(b'{"type":"start_game"}')
    (True, False)
    """
    return _OPEN.match(head) is not None and _STATE.search(head) is not None
