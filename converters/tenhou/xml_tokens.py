"""The bytes of the digests of notes in mjlog: the text of elements, without white space that means nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

#: White space after ``>``, or before ``/`` or ``>``. A match begins where a run begins, so a run is scanned once.
_SPACE: Final = re.compile(r"(?<=>)\s++|(?<!\s)\s++(?=[/>])")


def tokens_of(pieces: Iterable[str]) -> bytes:
    """Return the tokens of pieces of an mjlog, each from after its ``<``.

    >>> tokens_of(['DORA hai="5" />', "T1/>"])
    b'<DORA hai="5"/><T1/>'
    """
    return tokens_in("".join([f"<{piece}" for piece in pieces]))


def tokens_in(text: str) -> bytes:
    r"""Return the tokens of a text of elements.

    >>> tokens_in('<DORA hai="5"  />  <T1/>\n')
    b'<DORA hai="5"/><T1/>'
    """
    text = text.rstrip(" \t\n\r\v\f")
    if " ".join(text.split()) == text:
        # One space at each place, as Tenhou and mjconv write: three replacements are faster than a pattern.
        text = text.replace(" /", "/").replace(" >", ">").replace("> ", ">")
    else:
        text = _SPACE.sub("", text)
    return text.encode("utf-8", "surrogatepass")
