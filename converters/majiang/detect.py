"""Recognises majiang records by the first bytes of a file."""

import re
from typing import Final

_OBJECT: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,4096}(?:\[\s{0,64})?\{")
#: The begin of a round. A log that has no round is `"log":[]`; then the key of the first dealer decides.
_LOG: Final = re.compile(rb'"log"\s{0,64}:\s{0,64}\[\s{0,64}\[\s{0,64}\{\s{0,64}"qipai"')
_EMPTY: Final = re.compile(rb'"log"\s{0,64}:\s{0,64}\[\s{0,64}\]')
_FIRST: Final = re.compile(rb'"qijia"\s{0,64}:')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a majiang record.

    >>> recognise(b'{"title":"","log":[[{"qipai":{}}]]}'), recognise(b'{"title":["",""],"log":[[[0,0,0]]]}')
    (True, False)
    """
    if _OBJECT.match(head) is None:
        return False
    return _LOG.search(head) is not None or (_EMPTY.search(head) is not None and _FIRST.search(head) is not None)
