"""Recognise a log of Botzone by its first bytes."""

from __future__ import annotations

import re
from typing import Final

_BEGIN: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,64}Match[ \t]+\S{1,200}[ \t]*\r?\n\s{0,64}Wind[ \t]+[0-3]\s")


def recognise(head: bytes) -> bool:
    r"""Return whether a file that begins with `head` is a log of Botzone.

    >>> recognise(b"Match 61602cb4\nWind 1\n"), recognise(b"Match of the day\n")
    (True, False)
    """
    return _BEGIN.match(head) is not None
