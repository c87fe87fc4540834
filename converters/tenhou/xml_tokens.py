"""The bytes of the digests of notes in mjlog: the text of elements, without white space that means nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_SPACE: Final = re.compile(r"\s+(?=[/>])|(?<=>)\s+")


def tokens_of(pieces: Iterable[str]) -> bytes:
    """Return the tokens of pieces of an mjlog, each from after its ``<``.

    >>> tokens_of(['DORA hai="5" />', "T1/>"])
    b'<DORA hai="5"/><T1/>'
    """
    return _SPACE.sub("", "".join(f"<{piece}" for piece in pieces)).encode("utf-8", "surrogatepass").rstrip()
