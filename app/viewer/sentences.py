"""Sentences as data: the key of a template and its values. They become text in any language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from mjconv.viewer.words import LANGUAGES, Language, texts

#: A sentence: the key of its template, and the values of its gaps.
Sentence: TypeAlias = tuple[Any, ...]

_GAP: Final = re.compile(r"\{([a-zA-Z])(\d)\}")


def fill(sentence: Sentence, language: Language, seat: Callable[[int], str]) -> str:
    """Return a sentence as text. `seat` returns the name of a seat.

    >>> fill(("discard.drawn_hand", 1, "4p", "9m"), "en", ["East", "South"].__getitem__)
    'South draws 4p and discards 9m from the hand.'
    """
    known = texts()
    column = LANGUAGES.index(language)

    def word(key: str) -> str:
        return known[key][column] if key in known else key

    def value(found: re.Match[str]) -> str:
        letter, each = found[1], sentence[int(found[2]) + 1]
        if letter.isupper():
            return word("list").join(fillers[letter.lower()](one) for one in each)
        return fillers[letter](each)

    fillers: dict[str, Callable[[Any], str]] = {
        "s": seat,
        "t": lambda tile: word(f"tile.{tile}"),
        "n": lambda number: f"{number:,}",
        "g": lambda number: f"{number:+,}",
        "w": word,
        "x": str,
        "c": lambda inner: fill(inner, language, seat),
    }
    return _GAP.sub(value, word(sentence[0]))


def keys_of(sentence: Sentence) -> Iterator[str]:
    """Yield the keys of the texts that a sentence needs.

    >>> sorted(keys_of(("draw", 1, "4p")))
    ['draw', 'tile.4p']
    """
    key = sentence[0]
    yield key
    template = texts()[key][0] if key in texts() else ""
    for letter, number in _GAP.findall(template):
        value = sentence[int(number) + 1]
        values: Sequence[Any] = value if letter.isupper() else (value,)
        if letter in "tT":
            yield from (f"tile.{tile}" for tile in values)
        elif letter in "wW":
            yield from values
        elif letter == "c":
            yield from keys_of(value)
