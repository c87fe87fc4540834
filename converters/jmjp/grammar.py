"""The one grammar of jmjp (jmjp.lark), as regular expressions and as a parser of lark.

No rule of jmjp contains itself, so each rule is one regular expression. A file is read with these expressions.
lark parses every tile and bracket, and knows the tokens that may follow at each place. It explains errors, and the
tests find with it which rules a file uses. lark takes longer to load than a conversion takes, so only an error
loads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, get_args

from mjconv.converters.jmjp.spelling import Field, codes_of
from mjconv.ir.catalogue import beside

if TYPE_CHECKING:
    from lark import Lark

_OTHER_VERSION: Final = {0: re.compile(r"^@1 .*$", re.MULTILINE), 1: re.compile(r"^@0 .*$", re.MULTILINE)}
_THIS_VERSION: Final = re.compile(r"^@[01] ", re.MULTILINE)
#: A rule or a terminal; and a part of one, with its count.
_RULE: Final = re.compile(r"^(\w+): (.*)$", re.MULTILINE)
_PART: Final = re.compile(
    r'(?:"(?P<literal>[^"]*)"|/(?P<own>.+)/|(?P<name>\w+)|(?P<sign>[][()| ]))(?P<count>\*|~[0-9.]+)?'
)
#: The same in a regular expression.
_SIGNS: Final = {" ": "", "[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|"}


@cache
def grammar_text(major: int) -> str:
    """Return the grammar of version 0 or 1.x for lark, with its marks resolved.

    >>> "DICE_TOTAL" in grammar_text(1), "@1 dice" in grammar_text(1), "<tour_name>" in grammar_text(1)
    (True, False, False)
    """
    text = beside(__name__, "jmjp.lark").decode()
    text = _THIS_VERSION.sub("", _OTHER_VERSION[major].sub("", text))
    for field in get_args(Field):
        # Longest first, as one token may begin another.
        codes = sorted(codes_of(field), key=len, reverse=True)
        text = text.replace(f"<{field}>", " | ".join(f'"{code}"' for code in codes))
    return text


@cache
def pattern(name: str, major: int) -> re.Pattern[str]:
    """Return the regular expression of a rule of version 0 or 1.x. Its parts are the groups, in their order.

    A part whose name begins with ``_`` is no group, but its own parts are.

    >>> pattern("pt_postn", 1).match("(30.0,-10.0)").groups()
    ('30.0', '-10.0')
    """
    return re.compile(expression(name, major, groups=True))


def expression(name: str, major: int, *, groups: bool = False) -> str:
    r"""Return the regular expression of a rule or a terminal of version 0 or 1.x.

    With `groups`, its parts are groups.

    >>> expression("act_tsm", 1), expression("pt_tour", 1, groups=True)
    ('tm', '\\((?:(-?[0-9]+\\.[0-9]))?,(?:(-?[0-9]+\\.[0-9]))?\\)')
    """
    rules = _rules(major)

    def part(piece: re.Match[str]) -> str:
        literal, own, name, sign, count = piece.groups()
        if sign is not None:
            text = _SIGNS[sign]
        elif name is None:
            text = own or re.escape(literal)
        else:
            text = expression(name, major, groups=groups and name.startswith("_"))
            if count == "*":
                # Possessive: there are many acts, and a greedy repetition keeps a state for each. Its group is
                # atomic: Python before 3.11.5 mismatches possessive ones of other groups.
                text = f"(?>{text})*+"
            elif count or "|" in text:
                text = f"(?:{text})"
        if count and count != "*":
            text += f"{{{count[1:].replace('..', ',')}}}"
        return f"({text})" if groups and name and not name.startswith("_") else text

    return _PART.sub(part, rules[name])


@cache
def _rules(major: int) -> Mapping[str, str]:
    return dict(_RULE.findall(grammar_text(major)))


@cache
def fine_parser(major: int) -> Lark:
    """Return the parser of lark of version 0 or 1.x, built once a process.

    >>> fine_parser(1).parse('jmjp[1.0](mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,])').data
    Token('RULE', 'file')
    """
    from lark import Lark

    return Lark(grammar_text(major), parser="lalr", lexer="contextual", start="file", maybe_placeholders=True)
