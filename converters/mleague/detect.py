"""Recognises the records of M-League by the first bytes of a file."""

import re
from typing import Final

#: The call that gives the record to the viewer. It comes before the record, which may be long.
CALL: Final = re.compile(rb"UMP_PLAYER\.init\(")
_COMMAND: Final = re.compile(
    rb'\s{0,64}\[\s{0,64}\{[^{}]{0,400}"cmd"\s{0,64}:\s{0,64}"(?:area|kyokustart|player)"'
)
_BOM: Final = b"\xef\xbb\xbf"


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a record of M-League.

    >>> recognise(b'[{"time":"","id":"0","cmd":"area","args":["-"]}]'), recognise(b"UMP_PLAYER.init(true, ")
    (True, True)
    >>> recognise(b'[{"cmd":"say","args":[]}]')
    False
    """
    return _COMMAND.match(head.removeprefix(_BOM)) is not None or CALL.search(head) is not None
