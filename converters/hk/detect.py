"""Recognise an HK file by its first bytes."""

from typing import Final

from mjconv.converters.hk.lines import Declaration, GameResult, Names, Wrong, parse

#: The number of lines that are read.
_MOST_LINES: Final = 1000


def recognise(head: bytes) -> bool:
    r"""Return whether a file that begins with `head` has HK scores.

    Any text may have four words in a line, or a date. So the file needs a declaration such as ``M=8``, or a game
    after names, before any line that is not HK's.

    >>> recognise(b"# Tuesday\nA B C D\n- 2 d -\n"), recognise(b"Dear Mr John Smith\n")
    (True, False)
    """
    lines = head.decode("utf-8", errors="replace").removeprefix("\ufeff").splitlines()
    named = False
    for line in lines[:_MOST_LINES]:
        parsed = parse(line)
        if isinstance(parsed, Wrong):
            return False
        if isinstance(parsed, GameResult):
            return named
        if isinstance(parsed, Declaration) and parsed.key != "date":
            return True
        named = named or isinstance(parsed, Names)
    return False
