"""The one grammar of jmjp (jmjp.lark), made ready for lark by version and grain.

lark costs some microseconds a token, and a flow has hundreds of tiles and brackets. Read coarsely, a flow is one
token, which a regular expression checks to the last tile. Read finely, the same rules see every tile: that is
how an error is placed and explained, and how the tests know which rules a file uses.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, get_args

from mjconv.converters.jmjp.codes import Field, codes_of

if TYPE_CHECKING:
    from lark import Lark
    from lark.lexer import TerminalDef

_OTHER_VERSION: Final = {0: re.compile(r"^@1 .*$", re.MULTILINE), 1: re.compile(r"^@0 .*$", re.MULTILINE)}
_THIS_VERSION: Final = re.compile(r"^@[01] ", re.MULTILINE)
_GRAINED: Final = re.compile(r"\$([a-z_]+)")


def grammar_text(major: int, *, fine: bool) -> str:
    """Give the grammar of version 0 or 1.x for lark, with its marks resolved.

    >>> "FRAME_FLOW: SEAT_HAND~4" in grammar_text(1, fine=False), "frame_act*" in grammar_text(1, fine=True)
    (True, True)
    """
    text = (files(__package__) / "jmjp.lark").read_text("utf-8")
    text = _THIS_VERSION.sub("", _OTHER_VERSION[major].sub("", text))
    for field in get_args(Field):
        # Longest first, as one token may begin another.
        codes = sorted(codes_of(field), key=len, reverse=True)
        text = text.replace(f"<{field}>", " | ".join(f'"{code}"' for code in codes))
    return _GRAINED.sub(lambda mark: mark[1] if fine else mark[1].upper(), text)


def load(major: int, *, fine: bool, transformer: Any = None) -> Lark:
    """Build the parser of version 0 or 1.x; with a transformer its methods make the result, else lark's trees.

    >>> load(1, fine=True).parse('jmjp[1.0](mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])').data
    Token('RULE', 'file')
    """
    from lark import Lark

    return Lark(
        grammar_text(major, fine=fine),
        parser="lalr",
        lexer="contextual",
        start="file",
        maybe_placeholders=True,
        transformer=transformer,
        edit_terminals=_never_look_back,
    )


@cache
def fine_parser(major: int) -> Lark:
    """Give the parser that sees every tile, built once a process.

    >>> fine_parser(0) is fine_parser(0)
    True
    """
    return load(major, fine=True)


def _never_look_back(terminal: TerminalDef) -> None:
    """Keep the acts of a flow once matched: their number is unbounded, and remembering each takes memory."""
    from lark.lexer import PatternRE

    if terminal.name == "FRAME_FLOW":
        terminal.pattern = PatternRE(terminal.pattern.to_regexp().replace(")*", ")*+"))
