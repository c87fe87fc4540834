"""Recognise a file of PMN by its first bytes."""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = re.compile(rb'[ \t]{0,64}\[[A-Za-z]{1,40}[ \t]{1,64}"[^\n]{0,65536}\s{0,64}')
#: The tags that chess's PGN does not have.
_OWN: Final = re.compile(rb'(?m)^[ \t]{0,64}\[(?:PWind|Deal)[ \t]{1,64}"(?:[ESWN]"|(?:[cdbwrf]\d{0,13}){1,6} )')


def recognise(head: bytes) -> bool:
    r"""Return whether a file that begins with `head` is in PMN.

    >>> recognise(b'[Event "club"]\n[PWind "E"]\n'), recognise(b'[Event "chess"]\n[Round "1"]\n')
    (True, False)
    """
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return _TAG.match(head) is not None and _OWN.search(head) is not None
