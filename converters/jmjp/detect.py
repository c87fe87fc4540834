"""Recognise a jmjp file by its first bytes."""

import re
from typing import Final

#: Text that means nothing outside strings: white space, and comments to the end of their line.
BLANK: Final = r"(?>\s++|//[^\r\n]*+)*+"
#: How every file begins. Blanks are allowed between any two characters.
OPENING: Final = re.compile(BLANK.join(["", "j", "m", "j", "p", r"\["]))

#: The number of bytes of a file that are checked.
LOOKED_AT: Final = 65536


def recognise(head: bytes) -> bool:
    r"""Return whether a file that begins with `head` is jmjp: ``jmjp[``, after blanks and comments if any.

    Checks 64 KiB at most; never raises.

    >>> recognise(b"// a paifu\njmjp [1.0]"), recognise(b'{"type":"start_game"}')
    (True, False)
    """
    text = head[:LOOKED_AT].decode("utf-8", errors="replace").removeprefix("\ufeff")
    return OPENING.match(text) is not None
