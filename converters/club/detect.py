"""Recognise club results by the first bytes of a file."""

from typing import Final

from mjconv.converters.club.lines import State, read_line
from mjconv.ir.errors import LineError

#: The number of lines that are read.
_MOST_LINES: Final = 1000


def recognise(head: bytes) -> bool:
    r"""Return whether a file that begins with `head` has club results: a game whose points add up.

    >>> recognise(b"Ann Ben Cho Dee\n42.3 31 18.2 8.5\n"), recognise(b"a b c d\n1 2 3 4\n")
    (True, False)
    """
    state = State()
    for line in head.decode("utf-8", errors="replace").removeprefix("\ufeff").splitlines()[:_MOST_LINES]:
        try:
            state, game = read_line(line, state)
        except LineError:
            return False
        if game is not None and game.points is not None:
            return True
    return False
