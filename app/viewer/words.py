"""The words of the viewer: sentences, tiles, winds, and terms of results.

The folder `languages` has a file for each language, and each file has the same keys. The page alone uses the words
of ``page.``. The names of yaku, of units of points and of reasons of draws are those of the rules and of the hub.

A sentence has gaps. The letter of a gap is the kind of its value, the digit the number of its value:

| gap | value |
| --- | --- |
| ``{s0}``, ``{S0}`` | a seat, several seats |
| ``{t0}``, ``{T0}`` | a tile, several tiles |
| ``{n0}``, ``{g0}`` | a number, a number with its sign |
| ``{w0}``, ``{W0}`` | the key of a word, several keys |
| ``{x0}`` | a text |
| ``{c0}`` | a sentence |
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

from mjconv.ir.catalogue import catalogue as read_catalogue
from mjconv.ir.vocabulary import REASONS
from mjconv.languages import Language
from mjconv.rules.rulesets import UNKNOWN, RuleSet, all_rulesets

#: The place of each language in the terms of the rules.
_TERM: Final[dict[Language, int]] = {"en": 0, "ja": 1, "zh-Hans": 2, "zh": 3}


def count_key(rules: RuleSet) -> str:
    """Return the key of the unit in which a game counts wins.

    >>> from mjconv.rules.rulesets import HONGKONG
    >>> [texts(language)[count_key(HONGKONG)] for language in ("en", "ja")]
    ['faan', '番']
    """
    return f"count.{rules.id}"


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Return the words of the viewer's own file of a language, by their keys."""
    return read_catalogue(__name__, f"languages/{language}.json", dict[str, str])


@cache
def texts(language: Language) -> Mapping[str, str]:
    """Return all texts of a language by their keys.

    >>> texts("ja")["tile.5pr"], texts("zh")["yaku.ura_dora"], texts("en")["reason.nine_kinds"]
    ('赤5筒', '裏寶牌', 'nine kinds of terminals and honours')
    """
    place = _TERM[language]
    return {
        **catalogue(language),
        **{f"yaku.{key}": term[place] for rules in all_rulesets() for key, term in rules.names().items()},
        **{count_key(rules): rules.unit[place] for rules in (*all_rulesets(), UNKNOWN)},
        **{
            f"reason.{key}": (reason.english, reason.japanese, reason.simplified, reason.chinese)[place]
            for key, reason in REASONS.items()
        },
    }


#: A sentence: the key of its template, and the values of its gaps.
Sentence: TypeAlias = tuple[Any, ...]

_GAP: Final = re.compile(r"\{([a-zA-Z])(\d)\}")


class Speaker:
    """Returns texts in one language. Players are called by `names`, or else by `winds`, both by seat.

    >>> Speaker("en", names=["East", "South"]).say(("discard.drawn_hand", 1, "4p", "9m"))
    'South draws 4p and discards 9m from the hand.'
    """

    def __init__(self, language: Language, winds: Sequence[str] = (), names: Sequence[str] = ()) -> None:
        self.language: Final = language
        self.winds: Final = winds
        self.names: Final = names
        #: What fills each kind of gap.
        self._fillers: Final[dict[str, Callable[[Any], str]]] = {
            "s": self.seat,
            "t": lambda tile: self.word(f"tile.{tile}"),
            "n": lambda number: f"{number:,}",
            "g": lambda number: f"{number:+,}",
            "w": self.word,
            "x": str,
            "c": self.say,
        }

    def word(self, key: str) -> str:
        """Return the text of a key; a key without a text is itself the text."""
        return texts(self.language).get(key, key)

    def say(self, sentence: Sentence) -> str:
        """Return a sentence as text."""

        def value(found: re.Match[str]) -> str:
            letter, each = found[1], sentence[int(found[2]) + 1]
            if letter.isupper():
                return self.word("list").join(map(self._fillers[letter.lower()], each))
            return self._fillers[letter](each)

        return _GAP.sub(value, self.word(sentence[0]))

    def seat(self, seat: int) -> str:
        """Return the name of the player of a seat, or else its wind."""
        return self.name(seat) or self.wind(seat)

    def name(self, seat: int) -> str:
        """Return the name of the player of a seat; an empty text if it is not known."""
        return self.names[seat] if 0 <= seat < len(self.names) else ""

    def wind(self, seat: int) -> str:
        """Return the wind of a seat, ``?`` if it is not known."""
        return self.word(f"seat.{self.winds[seat]}") if 0 <= seat < len(self.winds) else "?"
