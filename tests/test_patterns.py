"""Regular expressions mean the same in every Python that mjconv supports.

Python before 3.11.5 mismatches a possessive repetition of a group (`(?:ab?c)*+` takes all of `aca`), unless the
group is atomic: `(?>ab?c)*+`. Debian 12 has Python 3.11.2.
"""

from collections.abc import Iterator
from typing import Any

from fuzz.patterns import patterns
from looped import looped

# The parser of regular expressions is private to `re`, and has these names in Python 3.11 to 3.14.
from re import _parser  # isort: skip


def steps(parsed: Any) -> Iterator[tuple[str, Any]]:
    """Yield every operation of a parsed pattern, with its argument, however deep it is."""
    if isinstance(parsed, _parser.SubPattern):
        for operation, argument in parsed:
            yield str(operation), argument
            yield from steps(argument)
    elif isinstance(parsed, (list, tuple)):
        for part in parsed:
            yield from steps(part)


def mismatched(pattern: str | bytes, flags: int = 0) -> list[str]:
    """Return the possessive repetitions of a pattern whose group is neither one character nor atomic."""
    right = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "ATOMIC_GROUP")
    parsed = steps(_parser.parse(pattern, flags))
    bodies = [argument[2] for operation, argument in parsed if operation == "POSSESSIVE_REPEAT"]
    return [str(body) for body in bodies if len(body) != 1 or str(body[0][0]) not in right]


@looped("pattern", "(?:ab?c)*+", "x(?:ab?c)++", "(?:(?:a|bc){1,3}+d)", "(?P<name>ab)?+")
def test_the_check_finds_a_possessive_group(pattern: str) -> None:
    assert mismatched(pattern)


@looped("pattern", "(?>ab?c)*+", "[ab]*+", r"\s++", "a?+", "(?:ab?c)*", "(?>(?:a|bc))++")
def test_the_check_passes_characters_and_atomic_groups(pattern: str) -> None:
    assert not mismatched(pattern)


def test_no_pattern_repeats_a_group_possessively_unless_it_is_atomic() -> None:
    found = patterns()
    assert {where for where, pattern in found.items() if mismatched(pattern.pattern, pattern.flags)} == set()
    assert len(found) > 50
