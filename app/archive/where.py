"""The language of ``--where``: comparisons of the facts of a match, joined by ``and``, ``or`` and ``not``.

``players = 4 and room = 'houou' and date >= 2023-01-01``
"""

from __future__ import annotations

import datetime
import operator
import re
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Protocol, TypeAlias, get_args, get_type_hints

from lark import Lark, Transformer, v_args
from lark.exceptions import UnexpectedInput, VisitError
from msgspec import UNSET

from mjconv.archive.facts import Facts, facts_of
from mjconv.converters.interface import Format
from mjconv.ir.catalogue import beside
from mjconv.ir.errors import UsageError
from mjconv.ir.match import Match
from mjconv.ir.suggestion import did_you_mean

Test: TypeAlias = Callable[[Facts], bool]

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
#: The kinds of values, as messages name them, and the types of facts that they are compared with.
_KINDS: Final = {
    str: "a text such as 'houou'",
    float: "a number",
    datetime.date: "a date such as 2023-01-31",
    datetime.time: "a time such as 18:30",
    bool: "true or false",
}
#: The most characters of an expression.
_LONGEST: Final = 10_000


def _kind_of(hint: Any) -> Any:
    """Return the kind of the values of a fact, by its annotation."""
    for part in get_args(hint) if isinstance(hint, types.UnionType) or get_args(hint) else (hint,):
        if part in _KINDS:
            return part
        if part is int:
            return float
        if part not in (types.NoneType, type(UNSET), Ellipsis):
            return str if isinstance(part, str) else _kind_of(part)
    raise TypeError(f"no kind of fact: {hint}")


#: What is before a value, and a value that should have quotes.
_COMPARED: Final = re.compile(r"[=<>(,]\s*\Z")
_BARE: Final = re.compile(r"[^\W\d]\w{0,39}")
#: The kind of each fact.
_FACTS: Final = {name: _kind_of(hint) for name, hint in get_type_hints(Facts).items()}


class Filter(Protocol):
    """Keeps some of the matches of a file."""

    def keeps(self, match: Match, form: Format, source: str | None, /) -> bool:
        """Return whether a match is kept. `source` is the name of its file."""


class Where:
    """The matches that an expression keeps. `left_out` counts the others."""

    def __init__(self, text: str) -> None:
        self.test = where_of(text)
        self.left_out = 0

    @classmethod
    def of(cls, text: str | None) -> Where | None:
        """Return the matches that an expression keeps; None without an expression."""
        return None if text is None else cls(text)

    def keeps(self, match: Match, form: Format, source: str | None) -> bool:
        """Return whether a match is kept."""
        return self.fits(facts_of(match, form, source))

    def fits(self, facts: Facts) -> bool:
        """Return whether a match with these facts is kept."""
        kept = self.test(facts)
        self.left_out += not kept
        return kept


#: Tests that are nested more deeply could break off in the middle of a run.
_DEEPEST: Final = 100
_TOO_DEEP: Final = f"--where: the expression is nested too deeply; {_DEEPEST} levels are the most"


@cache
def where_of(text: str) -> Test:
    """Return the test of an expression. Raises `UsageError` for a wrong expression, with its place.

    A comparison with a fact that a record does not state is false. A fact with a value for each seat fits if the
    value of one seat fits.

    >>> test = where_of("players = 4 and not (room in ('houou', 'jade') or names like 'B%')")
    >>> [test(Facts(players, 8, names=("A", None))) for players in (3, 4)]
    [False, True]
    >>> where_of("platfrom = 'tenhou'")
    Traceback (most recent call last):
    mjconv.ir.errors.UsageError: --where: there is no fact 'platfrom', did you mean 'platform'?
    """
    if len(text) > _LONGEST:
        raise UsageError(f"--where: the expression has more than {_LONGEST:,} characters")
    try:
        tree = Lark(beside(__name__, "where.lark").decode(), parser="lalr", lexer="contextual").parse(text)
        test: Test = _Compiler().transform(tree)
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        # The end has the column of the last token.
        column = len(text) + 1 if token is not None and token.type == "$END" else error.column
        reason = (
            f"--where: not understood from character {column} on: {text[column - 1 : column + 19]!r}; expected "
            "comparisons such as players = 4, joined by and, or, not"
        )
        bare = _BARE.match(text, column - 1) if _COMPARED.search(text[: column - 1]) else None
        raise UsageError(reason if bare is None else f"{reason}; a text has quotes: {bare[0]!r}") from None
    except VisitError as error:
        if not isinstance(error.orig_exc, RecursionError):
            raise error.orig_exc from None
        raise UsageError(_TOO_DEEP) from None
    except RecursionError:
        raise UsageError(_TOO_DEEP) from None
    return test


@v_args(inline=True)
class _Compiler(Transformer[Any, Any]):
    """Makes a test of each comparison, and of comparisons that are joined."""

    def __init__(self) -> None:
        super().__init__()
        #: How deep the tests are nested that consist of others.
        self.depths: dict[Test, int] = {}

    def any(self, *tests: Test) -> Test:
        return self._joined(lambda facts: any(test(facts) for test in tests), tests)

    def all(self, *tests: Test) -> Test:
        return self._joined(lambda facts: all(test(facts) for test in tests), tests)

    def negated(self, test: Test) -> Test:
        return self._joined(lambda facts: not test(facts), (test,))

    def _joined(self, made: Test, tests: Sequence[Test]) -> Test:
        self.depths[made] = 1 + max(self.depths.get(test, 0) for test in tests)
        if self.depths[made] > _DEEPEST:
            raise UsageError(_TOO_DEEP)
        return made

    def flag(self, name: str) -> Test:
        return _test(name, [True], operator.eq)

    def compared(self, name: str, sign: str, wanted: Any) -> Test:
        return _test(name, [wanted], _COMPARISONS[sign])

    def among(self, name: str, *wanted: Any) -> Test:
        return _test(name, wanted, operator.eq)

    def not_among(self, name: str, *wanted: Any) -> Test:
        return self.negated(self.among(name, *wanted))

    def like(self, name: str, pattern: str) -> Test:
        parts = [re.escape(part).replace("_", ".") for part in _text(pattern).split("%")]
        first, middle, last = parts[0], parts[1:-1], parts[-1]
        # Each part is taken where it is first found, so a name takes no more than one search for each part.
        open_end = first + "".join(f"(?>.*?{part})" for part in middle) + ".*" + last
        form = re.compile(f"(?s:{open_end if len(parts) > 1 else first})", re.IGNORECASE)
        return _test(name, [""], lambda value, _: form.fullmatch(value) is not None)

    def not_like(self, name: str, pattern: str) -> Test:
        return self.negated(self.like(name, pattern))

    def value(self, token: Any) -> Any:
        try:
            if token.type == "TEXT":
                return _text(token)
            if token.type == "TRUTH":
                return token.lower() == "true"
            if token.type == "DATE":
                return datetime.date.fromisoformat(token)
            return datetime.time.fromisoformat(token) if token.type == "TIME" else float(token)
        except ValueError:
            raise UsageError(f"--where: there is no such date or time: {token}") from None


def _text(token: str) -> str:
    return token[1:-1].replace(token[0] * 2, token[0])


def _test(word: str, wanted: Any, fits: Callable[[Any, Any], bool]) -> Test:
    """Return the test that a value of a fact fits one of the wanted values. Raises `UsageError`."""
    name = str(word)
    if name not in _FACTS:
        near = did_you_mean(name.lower(), _FACTS) or f"; the facts are {', '.join(_FACTS)}"
        raise UsageError(f"--where: there is no fact {name!r}{near}")
    kind = _FACTS[name]
    if any(type(value) is not kind for value in wanted):
        raise UsageError(f"--where: {name} is compared with {_KINDS[kind]}")

    def test(facts: Facts) -> bool:
        stated = getattr(facts, name)
        values = stated if isinstance(stated, tuple) else (stated,)
        return any(
            fits(value.replace(tzinfo=None) if kind is datetime.time else value, one)
            for value in values
            if value is not UNSET and value is not None
            for one in wanted
        )

    return test
