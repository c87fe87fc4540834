r"""The usual layout of an HK file: single blanks between words, comments in one column, one blank line at most.

>>> tokens(b"A  B C D # at home\n\n")
((('A', 'B', 'C', 'D'), '# at home'),)
>>> tidied(b"A  B C D\n- -\t- -# a draw\n")
b'A B C D\n- - - -  # a draw\n'
"""

from typing import Final

from mjconv.converters.hk.layout import SIGN
from mjconv.converters.shared.text_lines import LineTidy


def _split(line: str) -> tuple[tuple[str, ...], str]:
    head, sign, comment = line.partition(SIGN)
    return tuple(head.split()), sign + comment


_LAYOUT: Final = LineTidy(_split)
tokens, tidied, rearranged = _LAYOUT.tokens, _LAYOUT.tidied, _LAYOUT.rearranged
