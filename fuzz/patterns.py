"""Run every regular expression of mjconv on strings made for it; the time may grow only linearly."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import permutations, product
from math import inf
from re import _parser
from time import process_time
from types import ModuleType
from typing import Any, Final

from mjconv.converters.jmjp.grammar import pattern
from mjconv.converters.jmjp.head import RULES

#: The packages, one for each folder at the root.
_PACKAGES: Final = (
    "mjconv",
    "mjconv.ir",
    "mjconv.rules",
    "mjconv.referee",
    "mjconv.converters",
    "mjconv.schemas",
)
#: How the names of modules end that act when they are imported, or need packages that may be missing.
_NOT_LOADED: Final = ("__main__", "engine_ray", "engine_dask", "mjconv.torch")
#: The lengths of the strings to compare, in characters.
_SHORT: Final = 4_000
_LONG: Final = 4 * _SHORT
#: Linear time is four times as long. More than `_TIMES` is not linear, unless it is less than `_NO_TIME` seconds.
_TIMES: Final = 9.0
_NO_TIME: Final = 0.02
_PATIENCE: Final = 5.0
#: How many characters of a string to show.
_SHOWN: Final = 40
#: How many characters of a pattern to try, alone and in pairs.
_CHARACTERS: Final = 16
#: The methods of patterns, and a call for each. Methods that search a text are alike.
_WAYS: Final[dict[str, Callable[[Any, Any], object]]] = {
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    **dict.fromkeys(
        ("search", "finditer", "findall", "sub", "split"),
        lambda pattern, text: [None for _ in pattern.finditer(text)],
    ),
}
_CALL: Final = re.compile(rf"\bre\.({'|'.join(_WAYS)})\b")
_USE: Final = re.compile(rf"([A-Z_]{{2,40}})(?:\[[^\]\n]{{1,40}}\])?\.({'|'.join(_WAYS)})\(")
#: Patterns that the code uses under other names.
_USED_AS: Final = {"FORMS": {"fullmatch"}}
#: Patterns that only see short or checked text: tokens of the grammar, and text whose strings are closed.
_SHELTERED: Final = (
    "mjconv.converters.jmjp.explain._BRACKETS",
    "mjconv.converters.jmjp.explain._LETTERS",
    "mjconv.converters.jmjp.head._PT",
    "mjconv.converters.jmjp.indicators._URA",
    "mjconv.converters.jmjp.parser._NEXT",
    "mjconv.converters.jmjp.tidy._PIECE",
    "mjconv.converters.uzje.spelling._SUITED",
    "mjconv.viewer.page._TEXT",
)


def _modules() -> Iterator[ModuleType]:
    for package in _PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith(_NOT_LOADED):
                yield importlib.import_module(module.name)


def patterns() -> dict[str, re.Pattern[Any]]:
    """Return the patterns of all modules, of their calls of `re`, and of the tokens of jmjp, by their places."""
    found: dict[str, re.Pattern[Any]] = {}
    for module in _modules():
        for name, value in vars(module).items():
            found.update(_inside(value, f"{module.__name__}.{name}"))
        found.update(_in_calls(module))
    for major in (0, 1):
        for rule in (*RULES.values(), "frame"):
            found[f"jmjp {major}: {rule}"] = pattern(rule, major)
    return {where: pattern for where, pattern in found.items() if pattern.pattern}


def _inside(value: Any, where: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern[Any]]]:
    if isinstance(value, re.Pattern):
        yield where, value
    elif isinstance(value, (list, tuple)) and depth < 3:
        for place, item in enumerate(value):
            yield from _inside(item, f"{where}[{place}]", depth + 1)
    elif isinstance(value, dict) and depth < 3:
        for key, item in value.items():
            yield from _inside(item, f"{where}[{key!r}]", depth + 1)


class _Names(dict[str, Any]):
    """The names of a module; any other name is a text."""

    def __missing__(self, name: str) -> str:
        return "x"


def _in_calls(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the patterns that a module states in calls of `re`, such as `re.match`."""
    source = inspect.getsource(module)
    names = _Names(vars(module))
    for node in ast.walk(ast.parse(source)) if _CALL.search(source) else ():
        if isinstance(node, ast.Call) and (way := _CALL.fullmatch(ast.unparse(node.func))):
            first, *others = map(ast.unparse, (*node.args, *[word.value for word in node.keywords]))
            # A pattern that the call takes from another function has no text here.
            with suppress(AttributeError, TypeError):
                flags = sum(eval(one, {}, names) for one in others if one.startswith("re."))
                yield f"{module.__name__}:{node.lineno}.{way[1]}", re.compile(eval(first, {}, names), flags)


def uses() -> dict[str, set[str]]:
    """Return the names of the methods that the code calls on each pattern, by the place of the pattern.

    A pattern that a module calls by the name of another module has no module in its place.
    """
    found: dict[str, set[str]] = {}
    for module in _modules():
        for name, way in _USE.findall(inspect.getsource(module)):
            place = f"{module.__name__}.{name}" if name in vars(module) else name
            found.setdefault(place, set()).add(way)
    found |= {way: {way} for way in _WAYS}
    return found | _USED_AS | {name: {"match"} for name in _SHELTERED}


def ways_of(where: str, used: dict[str, set[str]]) -> set[str]:
    """Return the methods of the pattern at a place. The default is ``match``, which lark uses."""
    place = re.sub(r"\[.*", "", where)
    return used.get(place, set()) | used.get(place.rpartition(".")[2], set()) or {"match"}


def slow_on(pattern: re.Pattern[Any], ways: Iterable[str] = ("search",)) -> str | None:
    """Find a string on which a pattern takes more than linear time, and return its beginning, or None.

    >>> slow_on(re.compile("(?:x|y)z")) is None
    True
    """
    characters = sorted(_characters(pattern))[:_CHARACTERS]
    pumps: list[str] = [*characters, *map("".join, permutations(characters, 2))]
    pump: str
    for pump, tail, way in product(pumps, ("", "\0"), {_WAYS[name] for name in ways}):
        short, long = (_text(pattern, pump * (length // len(pump)) + tail) for length in (_SHORT, _LONG))
        took = _seconds(way, pattern, long)
        if took == inf:
            return (pump * _SHORT)[:_SHOWN]
        if took > _NO_TIME and took > _TIMES * _seconds(way, pattern, short):
            # A busy machine is slow once, a slow pattern each time.
            again = min(_seconds(way, pattern, long) for _ in range(3))
            if again > _NO_TIME and again > _TIMES * min(_seconds(way, pattern, short) for _ in range(3)):
                return (pump * _SHORT)[:_SHOWN]
    return None


def _text(pattern: re.Pattern[Any], text: str) -> str | bytes:
    return text if isinstance(pattern.pattern, str) else text.encode("latin-1", "replace")


def _seconds(way: Callable[[Any, Any], object], pattern: re.Pattern[Any], text: str | bytes) -> float:
    """Return the seconds that a search takes, or infinity after `_PATIENCE` seconds."""
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
    begin = process_time()
    try:
        way(pattern, text)
    except TimeoutError:
        return inf
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return process_time() - begin


def _too_long(*_: object) -> None:
    raise TimeoutError


def _characters(pattern: re.Pattern[Any]) -> set[str]:
    """Return the characters in a pattern, and one of each class."""
    source = pattern.pattern
    tree = _parser.parse(source if isinstance(source, str) else source.decode("latin-1"))
    return set(_characters_in(list(tree))) | {"0", " ", "x"}


_OF_A_CLASS: Final = {"CATEGORY_SPACE": "\t", "CATEGORY_DIGIT": "5", "CATEGORY_WORD": "a"}


def _characters_in(part: Any) -> Iterator[str]:
    """Yield the characters in the tree that the parser of `re` returns."""
    if isinstance(part, tuple) and len(part) == 2 and str(part[0]) in ("LITERAL", "NOT_LITERAL"):
        yield chr(part[1])
    elif isinstance(part, tuple) and len(part) == 2 and str(part[0]) == "RANGE":
        yield from map(chr, part[1])
    elif isinstance(part, tuple) and len(part) == 2 and str(part[0]) == "CATEGORY":
        yield _OF_A_CLASS.get(str(part[1]), "-")
    elif isinstance(part, (tuple, list, _parser.SubPattern)):
        for inner in part:
            yield from _characters_in(inner)


def report() -> bool:
    """Try all patterns and print the slow ones. Returns whether there are none."""
    found = patterns()
    used = uses()
    slow = {
        where: text
        for where, pattern in found.items()
        if (text := slow_on(pattern, ways_of(where, used))) is not None
    }
    for where, text in slow.items():
        print(f"{where}: more than linear time on {text!r}…")
    print(f"{len(found)} patterns, {len(slow)} of them slow")
    return not slow
