"""Names as HK can spell them.

A name has no white space, no ``#`` or ``*``, and no hyphen or digit first. These characters are escaped as in web
addresses: their bytes in hexadecimal after ``%``, so that `urllib.parse.unquote` restores the name. A ``%`` that
would read as an escape is escaped too.
"""

import re
from collections.abc import Sequence
from typing import Final

from mjconv.converters.hk.lines import results_of
from mjconv.converters.shared.text_lines import distinct
from mjconv.ir.spelling import Seating, Spelling, by_number

#: Characters that a name cannot have, or not at its beginning; escapes; surrogates, which are no text.
_UNSPELLABLE: Final = re.compile(r"[\s#*\ud800-\udfff]|^[0-9\ufeff-]|%(?=[0-9A-Fa-f]{2})")


def escape(name: str) -> str:
    """Return a name with escapes for the characters that HK cannot hold.

    >>> escape("-ron-"), escape("7 pairs"), escape("a%20b"), escape("a%")
    ('%2Dron-', '%37%20pairs', 'a%2520b', 'a%')
    """
    return _UNSPELLABLE.sub(_hexadecimal, name)


def unescape(name: str) -> str:
    """Return the name that `escape` makes this of; a name that it cannot make stays as it is.

    >>> unescape("%2Dron-"), unescape("7%20pairs"), unescape("50%41")
    ('-ron-', '7%20pairs', '50%41')
    """
    if "%" not in name:
        return name
    # Imported here: few names have escapes, and every start of the command would pay for the import.
    from urllib.parse import unquote

    plain = unquote(name)
    return plain if escape(plain) == name else name


def spell(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a match: escaped, P1 to P4 for players without one, a suffix for equal ones and marks.

    >>> spell(["A", "A", "", "-"])
    ('A', 'A~2', 'P3', '%2D')
    """
    spelled = distinct([escape(name) if name else f"P{seat}" for seat, name in enumerate(names, 1)])
    # Names in full-width signs may read as results.
    return spelled if results_of(spelled) is None else (f"{spelled[0]}~1", *spelled[1:])


def spell_player(seat: int, seating: Seating) -> str:
    """Spell a seat by the name of its player, as messages do.

    >>> spell_player(1, Seating(0, 4, ("A", "b c", "", "")))
    'b%20c'
    """
    return spell(seating.names)[seat] if 0 <= seat < len(seating.names) else by_number(seat, seating)


#: How messages spell players and tiles. HK has no tiles.
SPELLING: Final = Spelling(spell_player, str)


def _hexadecimal(character: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in character[0].encode("utf-8", "surrogatepass"))
