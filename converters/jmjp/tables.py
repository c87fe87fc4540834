"""The tables of the coarse parser of jmjp: lark makes them when the package is built, and here they parse.

lark takes longer to load, and to make its tables, than to read a game. So the package has the tables in a file, as
JSON. `TableParser` parses by them as lark does: an LALR(1) parser whose lexer tries only the terminals that the
state accepts. Where it cannot continue it raises `Mismatch`, and lark itself places and explains the error. The
file is ignored if one of its sources was edited since; then lark makes the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from mjconv.converters.jmjp import grammar
from mjconv.converters.jmjp.grammar import read_file

#: The file of the tables, in this package.
FILE: Final = "tables.json"
#: The files that the tables are made of and read by.
SOURCES: Final = ("jmjp.lark", "grammar.py", "spelling.py", "tables.py")
#: The terminal after the last character, as lark names it.
_END: Final = "$END"


class Mismatch(Exception):  # noqa: N818 - it is no error of a user, and lark raises that
    """The text is not in the language, or the tables cannot tell."""


class Token(str):
    """A token: its text, the name of its terminal, and its offsets in the parsed text."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int


class Tables:
    """The tables of one version of the grammar.

    `terminals` maps each terminal to its regular expression. A state has its actions by terminal, its next states
    by rule, and the terminals that its lexer tries, in their order. An action is the next state, or ``-1 - rule``.
    A rule has its name, the length of its expansion, and the values that it passes on, as `_Rule` explains.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.terminals: dict[str, str] = values["terminals"]
        self.states: list[tuple[dict[str, int], dict[str, int], list[str]]] = values["states"]
        self.rules: list[list[Any]] = values["rules"]
        self.start: int = values["start"]
        self.end: int = values["end"]


def digest() -> str:
    """Return the digest of the files that the tables are made of."""
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b

    return blake2b(b"".join(map(read_file, SOURCES)), digest_size=16).hexdigest()


def load(major: int) -> Tables | None:
    """Read the tables of version 0 or 1.x from the package; None if it has no file of tables, or an old one."""
    import msgspec

    try:
        content: dict[str, Any] = msgspec.json.decode(read_file(FILE))
        if content["digest"] != digest():
            return None
        return Tables(content["versions"][str(major)])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def made(major: int) -> dict[str, Any]:
    """Make the tables of version 0 or 1.x with lark; the values have only types of JSON.

    >>> made(1)["terminals"]["FRAME_ID"]
    '[ESWN][1-4]-[0-9]+'
    """
    from lark.parse_tree_builder import maybe_create_child_filter
    from lark.parsers.lalr_analysis import Shift

    lark: Any = grammar.load(major, fine=False)
    lexers: dict[Any, Any] = lark.parser.lexer.lexers
    table = lark.parser.parser._parse_table
    numbers = _numbered(table.states, table.start_states["file"], Shift)
    ordered = sorted(
        lark.rules, key=lambda rule: (rule.origin.name, rule.order, [part.name for part in rule.expansion])
    )
    rules = {rule: number for number, rule in enumerate(ordered)}
    states = []
    for state in numbers:
        actions = table.states[state]
        scanner = lexers[state].scanner
        if lexers[state].callback or len(scanner._mres) > 1:
            raise NotImplementedError("the lexer of lark does more than to try terminals in their order")
        by_terminal = {
            name: numbers[arg] if action is Shift else -1 - rules[arg]
            for name, (action, arg) in actions.items()
            if name.isupper()
        }
        by_rule = {name: numbers[arg] for name, (_, arg) in actions.items() if not name.isupper()}
        states.append((by_terminal, by_rule, [terminal.name for terminal in scanner.terminals]))
    shaped = []
    for rule in ordered:
        if rule.alias or rule.options.expand1 or rule.options.template_source:
            raise NotImplementedError(f"the rule {rule.origin.name} has a shape that the tables do not have")
        make = maybe_create_child_filter(
            rule.expansion, rule.options.keep_all_tokens, False, rule.options.empty_indices
        )
        kept = make(None) if make else None
        # Without optional parts, lark leaves out the number of absent ones.
        include = [[at, bool(expand), sum(nones)] for at, expand, *nones in kept.to_include] if kept else None
        nones_after = getattr(kept, "append_none", 0)
        shaped.append([rule.origin.name, len(rule.expansion), include, nones_after])
    return {
        "terminals": {terminal.name: terminal.pattern.to_regexp() for terminal in lark.terminals},
        "states": states,
        "rules": shaped,
        "start": numbers[table.start_states["file"]],
        "end": numbers[table.end_states["file"]],
    }


def _numbered(states: dict[Any, Any], start: Any, shift: object) -> dict[Any, int]:
    """Return a number for each state, in the order in which they are reached: lark numbers them anew in a run."""
    numbers = {start: 0}
    reached = [start]
    for state in reached:
        for _, (action, following) in sorted(states[state].items(), key=lambda each: str(each[0])):
            if action is shift and following not in numbers:
                numbers[following] = len(numbers)
                reached.append(following)
    return numbers


def content() -> bytes:
    """Return the content of the file of tables; the build of the package writes it."""
    import json

    import lark

    values = {
        "lark": lark.__version__,
        "digest": digest(),
        "versions": {str(major): made(major) for major in (0, 1)},
    }
    return json.dumps(values, separators=(",", ":"), sort_keys=True).encode() + b"\n"


class _Rule:
    """A rule: its name, the length of its expansion, and how its value is made.

    `include` lists the parts that count: the index of a part, whether it is a list whose items count, and the
    number of absent optional parts before it. None: all parts count. `nones_after` are the absent ones at the end.
    `make` is the method of the builder; the value of a rule of lark's own, such as ``__frames_star_0``, is a list.
    """

    __slots__ = ("include", "make", "name", "nones_after", "size")

    def __init__(self, values: Sequence[Any], builder: Any) -> None:
        self.name, self.size, self.include, self.nones_after = values
        self.make = None if self.name.startswith("_") else getattr(builder, self.name)

    def value(self, parts: list[Any]) -> Any:
        """Return the value of the rule for the values of its expansion."""
        if self.include is not None:
            counted: list[Any] = []
            for at, expand, nones in self.include:
                if nones:
                    counted += [None] * nones
                if expand:
                    counted += parts[at]
                else:
                    counted.append(parts[at])
            if self.nones_after:
                counted += [None] * self.nones_after
            parts = counted
        return parts if self.make is None else self.make(parts)


class TableParser:
    """Parses by tables. The methods of `builder` make the values of the rules, as a transformer of lark does."""

    def __init__(self, tables: Tables, builder: Any) -> None:
        self._tables = tables
        self._rules = [_Rule(values, builder) for values in tables.rules]
        #: The terminals whose regular expression was compiled: few files need all.
        self._compiled: dict[str, re.Pattern[str]] = {}
        #: The terminals that the lexer of each state tries, compiled; None where the state was not met.
        self._lexers: list[list[tuple[str, re.Pattern[str]]] | None] = [None] * len(tables.states)

    def parse(self, text: str) -> Any:
        """Parse a whole text. Raises `Mismatch`, and what the builder raises."""
        all_states, rules, final = self._tables.states, self._rules, self._tables.end
        states = [self._tables.start]
        values: list[Any] = []
        at, length = 0, len(text)
        while True:
            token = self._token(text, at, states[-1]) if at < length else None
            name = _END if token is None else token.type
            while True:
                action = all_states[states[-1]][0].get(name)
                if action is None:
                    raise Mismatch
                if action >= 0:
                    break
                rule = rules[-1 - action]
                if rule.size:
                    parts = values[-rule.size :]
                    del values[-rule.size :]
                    del states[-rule.size :]
                else:
                    parts = []
                values.append(rule.value(parts))
                states.append(all_states[states[-1]][1][rule.name])
                if token is None and states[-1] == final:
                    return values[-1]
            if token is None:
                raise Mismatch
            states.append(action)
            values.append(token)
            at = token.end_pos

    def _token(self, text: str, at: int, state: int) -> Token:
        """Return the token at an offset: that of the first terminal that matches there."""
        lexer = self._lexers[state]
        if lexer is None:
            lexer = self._lexers[state] = [(name, self._pattern(name)) for name in self._tables.states[state][2]]
        for name, pattern in lexer:
            found = pattern.match(text, at)
            if found is not None and found.end() > at:
                token = Token(found[0])
                token.type, token.start_pos, token.end_pos = name, at, found.end()
                return token
        raise Mismatch

    def _pattern(self, name: str) -> re.Pattern[str]:
        pattern = self._compiled.get(name)
        if pattern is None:
            pattern = self._compiled[name] = re.compile(self._tables.terminals[name])
        return pattern
