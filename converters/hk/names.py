"""Names as HK can spell them: no white space, no ``#`` or ``*``, and no hyphen or digit first.

What a name holds of that is escaped as in web addresses, its bytes in hexadecimal after ``%``, so that
`urllib.parse.unquote` gives the name back; a ``%`` that would read as an escape is escaped too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

#: What cannot stand in a name, or not first in it, or would read as an escape, or is no text.
_UNSPELLABLE: Final = re.compile(r"[\s#*\ud800-\udfff]|^[0-9\ufeff-]|%(?=[0-9A-Fa-f]{2})")


def escape(name: str) -> str:
    """Spell a name that HK cannot hold as it is.

    >>> escape("-ron-"), escape("7 pairs"), escape("a%20b"), escape("a%")
    ('%2Dron-', '%37%20pairs', 'a%2520b', 'a%')
    """
    return _UNSPELLABLE.sub(_hexadecimal, name)


def spell(names: Sequence[str]) -> tuple[str, ...]:
    """Spell the names of a match: each escaped, P1 to P4 for those without, a suffix where two are alike.

    >>> spell(["A", "A", "", "-"])
    ('A', 'A~2', 'P3', '%2D')
    """
    wished = [escape(name) if name else f"P{seat}" for seat, name in enumerate(names, 1)]
    spelled: list[str] = []
    for name in wished:
        number, own = 1, name
        while own in spelled or (number > 1 and own in wished):
            number += 1
            own = f"{name}~{number}"
        spelled.append(own)
    return tuple(spelled)


def _hexadecimal(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))
