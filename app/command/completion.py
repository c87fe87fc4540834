"""Completion of the values of options by the shell: functions from the beginning of a word to its ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Final, TypeAlias

from mjconv import encoding
from mjconv.batch.shapes import TARGETS
from mjconv.converters.formats import known_names
from mjconv.ir import limits
from mjconv.rules.house import RENCHAN, SWITCHES

Completion: TypeAlias = Callable[[str], list[str]]


def one_of(*words: str) -> Completion:
    """Return the function that completes a word of a list.

    >>> one_of("auto", "always", "never")("a")
    ['auto', 'always']
    """
    return one_of_list(lambda: words)


def one_of_list(words: Callable[[], Iterable[str]]) -> Completion:
    """Return the function that completes a word of a list, which `words` makes when it is needed."""
    return lambda incomplete: [word for word in words() if word.startswith(incomplete)]


format_names: Final = one_of_list(known_names)
batch_targets: Final = one_of_list(lambda: (*known_names(), *TARGETS))
encoding_names: Final = one_of(*encoding.COMMON)
limit_names: Final = one_of_list(lambda: (f"{name}=" for name, *_ in limits.described()))
# Imported when they are needed: only completion needs these lists.
table_formats: Final = one_of_list(lambda: import_module("mjconv.score.formats").FORMATS)
score_periods: Final = one_of_list(lambda: import_module("mjconv.score.series").PERIODS)


def house_rules(incomplete: str) -> list[str]:
    """Return the rules that a list of house rules can continue with, for completion.

    >>> house_rules("kiriage,red")
    ['kiriage,reds=']
    """
    head, comma, begun = incomplete.rpartition(",")
    words = (*SWITCHES, *(f"no-{name}" for name in SWITCHES if begun.startswith("no-")), "reds=", "honba=")
    words += tuple(f"renchan={value}" for value in RENCHAN)
    return [f"{head}{comma}{word}" for word in words if word.startswith(begun) and word not in head.split(",")]


def code_names(incomplete: str) -> list[str]:
    """Return the codes and names that a list of codes can continue with, for completion.

    >>> code_names("R042,furi")
    ['R042,furiten']
    """
    # Imported here: only completion needs the table.
    from mjconv.referee.codes import CODES

    head, comma, begun = incomplete.rpartition(",")
    words = (*(kind.name for kind in CODES.values()), *CODES)
    return [f"{head}{comma}{word}" for word in words if word.startswith(begun)]
