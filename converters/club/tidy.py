r"""The usual layout of club results: single blanks, comments in one column, one blank line at most.

>>> tokens(b"Ann  Ben Cho # at home\n\n")
((('Ann', 'Ben', 'Cho'), '# at home'),)
>>> tidied(b"Ann  Ben Cho\n45 30\t30# a game\n")
b'Ann Ben Cho\n45 30\t30  # a game\n'
"""

import re
from typing import Final

from mjconv.converters.club.lines import code_of
from mjconv.converters.shared.text_lines import LineTidy

#: A word with its quotes. A tab is no blank: it separates names as a comma does.
_WORD: Final = re.compile(r'(?:"(?:[^"]|"")*"|[^\s"]|\t|"(?=[^"]*$))+')


def _split(line: str) -> tuple[tuple[str, ...], str]:
    code = code_of(line)
    return tuple(_WORD.findall(code)), line[len(code) :].rstrip()


_LAYOUT: Final = LineTidy(_split)
tokens, tidied, rearranged = _LAYOUT.tokens, _LAYOUT.tidied, _LAYOUT.rearranged
