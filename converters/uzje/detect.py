"""Recognise Ùzje by the first bytes of a file."""

import re
from typing import Final

#: The first words of a game paragraph: prevailing wind, round, repeat. A number with a sign is an error in a game.
GAME: Final = r"[ESWN]\s++[+-]?+[0-9]++\s++[+-]?+[0-9]++(?:\s|\Z)"
#: The first word of a data paragraph.
TAG: Final = r"[A-Za-z0-9-]++:(?:\s|\Z)"

#: A paragraph begins the file, or follows an empty line or comment lines.
_GAME: Final = re.compile(rf"(?:\A|\n[^\S\n]*+\n)(?>[^\S\n]*+:[^\n]*+\n)*+[^\S\n]*+{GAME}")
#: A record without a game is recognised by these two tags alone.
_TAG: Final = re.compile(r"\A\s*+(?:mjconv|Match):\s")


def recognise(head: bytes) -> bool:
    r"""Return whether the first bytes of a file look like Ùzje: ASCII, with a paragraph that begins a game.

    >>> recognise(b"Event: a cup\n\nE 1 0 4\n1t"), recognise(b'{"type":"start_game"}')
    (True, False)
    """
    head = head.removeprefix(b"\xef\xbb\xbf")
    if not head.isascii():
        return False
    text = head.decode("ascii").replace("\r\n", "\n")
    return _GAME.search(text) is not None or _TAG.match(text) is not None
