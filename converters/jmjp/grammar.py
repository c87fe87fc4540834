"""The one grammar of jmjp (jmjp.lark), made ready for lark by version and grain.

lark costs some microseconds a token, and a flow has hundreds of tiles and brackets. In the coarse grammar a flow
is one token, which a regular expression checks to the last tile. In the fine grammar the same rules parse every
tile: it places and explains an error, and the tests find with it which rules a file uses.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args

from mjconv.converters.jmjp.spelling import Field, codes_of

if TYPE_CHECKING:
    from lark import Lark

#: The shortest text that may come before the frames of a match.
BARE: Final = "(mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]"

_OTHER_VERSION: Final = {0: re.compile(r"^@1 .*$", re.MULTILINE), 1: re.compile(r"^@0 .*$", re.MULTILINE)}
_THIS_VERSION: Final = re.compile(r"^@[01] ", re.MULTILINE)
_GRAINED: Final = re.compile(r"\$([a-z_]+)")
#: A rule that is a terminal where flows are read coarsely, a terminal, and what either is made of.
_RULE: Final = re.compile(r"^(?:(\$[a-z_]+)|([A-Z_]+)): (.*)$", re.MULTILINE)
_PART: Final = re.compile(r'"([^"]*)"|/(.+)/|(\$?\w+)(\*?)|~([0-9]+)(?:\.\.([0-9]+))?|.')
#: The same in a regular expression.
_SIGNS: Final = {" ": "", "[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}
#: An unbounded repetition, and all other parts. It is possessive: there are many acts, and a greedy repetition
#: keeps a state for each. Its group is atomic: Python before 3.11.5 mismatches possessive ones of other groups.
_GROUPS: Final = {"*": "(?>{})*+", "": "(?:{})"}


def grammar_text(major: int, *, fine: bool) -> str:
    """Return the grammar of version 0 or 1.x for lark, with its marks resolved.

    >>> "FRAME_FLOW: /(?:" in grammar_text(1, fine=False), "frame_act*" in grammar_text(1, fine=True)
    (True, True)
    """
    text = _resolved(major)
    return _GRAINED.sub(r"\1", text) if fine else _coarse(text)


def expression_of(name: str, major: int) -> str:
    """Return the regular expression of a rule of version 0 or 1.x that is one terminal where flows are coarse.

    >>> expression_of("$act_tsm", 1)
    'tm'
    """
    bodies = _bodies(_resolved(major))
    return _expression(bodies[name], bodies)


def _resolved(major: int) -> str:
    text = read_file("jmjp.lark").decode()
    text = _THIS_VERSION.sub("", _OTHER_VERSION[major].sub("", text))
    for field in get_args(Field):
        # Longest first, as one token may begin another.
        codes = sorted(codes_of(field), key=len, reverse=True)
        text = text.replace(f"<{field}>", " | ".join(f'"{code}"' for code in codes))
    return text


def _bodies(text: str) -> dict[str, str]:
    return {found[1] or found[2]: found[3] for found in _RULE.finditer(text)}


def read_file(name: str) -> bytes:
    """Read a file of this package."""
    # `importlib.resources` does the same, and takes ten times as long to load.
    loader: Any = globals()["__spec__"].loader
    data: bytes = loader.get_data(os.path.join(os.path.dirname(__file__), name))
    return data


def _coarse(text: str) -> str:
    """Make one regular expression of each terminal ``$name``, which takes lark long, and leave out unused ones."""
    bodies = _bodies(text)
    used = set(re.findall(r"\$?\w+", _RULE.sub("", text)))

    def terminal(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        if name not in used:
            return ""
        return f"{name}: /{_expression(bodies[name], bodies)}/" if found[1] else found[0]

    return _GRAINED.sub(lambda mark: mark[1].upper(), _RULE.sub(terminal, text))


def _expression(body: str, bodies: Mapping[str, str]) -> str:
    r"""Return the regular expression of a terminal with this body; `bodies` are those of the terminals it names.

    >>> _expression('"ch[" TILE~2 "]" | [ALL]', {"TILE": "/[0-9]m/", "ALL": '"all"'})
    'ch\\[(?:[0-9]m){2,2}\\]|(?:(?:all))?'
    >>> _expression("TILE*", {"TILE": "/[0-9]m/"})
    '(?>[0-9]m)*+'
    """

    def part(found: re.Match[str]) -> str:
        literal, expression, name, star, least, most = found.groups()
        if name is not None:
            return _GROUPS[star].format(_expression(bodies[name], bodies))
        if least is not None:
            return f"{{{least},{most or least}}}"
        return re.escape(literal) if literal is not None else expression or _SIGNS[found[0]]

    return _PART.sub(part, body)


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
    )


@cache
def fine_parser(major: int) -> Lark:
    """Return the parser that parses every tile, built once a process.

    >>> fine_parser(0) is fine_parser(0)
    True
    """
    return load(major, fine=True)
