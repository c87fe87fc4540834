"""What an editor asks of HK: the names of players, and the words that may follow."""

import re
from datetime import date
from typing import Final

from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.layout import SIGN
from mjconv.converters.hk.lines import BLAMELESS, SEATS, DatedRules, Names, Wrong, parse, parse_after

#: The declarations, with their values; a number may follow where there are none.
_SETTINGS: Final = [
    f"{letter}={word}"
    for letter, each in grammar.SETTINGS.items()
    for word in (each.form.split("|") if "|" in each.form else ("",))
]
#: How a line of results may go on: with others blameless, or with a winner.
_RESULTS: Final = ((BLAMELESS,) * SEATS, ("0", *(BLAMELESS,) * SEATS))
#: How a line of names may go on.
_NAMES: Final = (tuple(f"~{seat}" for seat in range(SEATS)),)


def names_in(line: str) -> list[tuple[int, int]]:
    """Return where the names of players are in a line.

    >>> names_in("A Bo C D # A"), names_in("- - 2 d")
    ([(0, 1), (2, 4), (5, 6), (7, 8)], [])
    """
    names = isinstance(parse(line), Names)
    return [word.span() for word in re.finditer(r"\S+", line.partition(SIGN)[0])] if names else []


def completions(before: str) -> tuple[str, list[str]]:
    r"""Return the beginning of a word at the end of a text, and the words that may be there.

    >>> completions("M=2\nA B C D\n- "), completions("R")
    (('', ['-', '0', '1', '2', 'd', 'S', 'f']), ('R', ['R=half', 'R=full']))
    """
    *lines, last = before.split("\n")
    if SIGN in last:
        return "", []
    words = last.split()
    begun = words.pop() if words and last.endswith(words[-1]) else ""
    state = grammar.BEGINNING
    known: dict[str, None] = {}
    for line in lines:
        state = state.after(parse(line))
        known |= dict.fromkeys(state.names)
    marks = [BLAMELESS, *map(str, range(state.max_faan + 1)), *grammar.BLAMES]
    options = [
        word
        for tokens, rests in ((marks, _RESULTS), (known, _NAMES))
        for word in tokens
        if any(_fits([*words, word, *rest][: max(SEATS, len(words) + 1)], state) for rest in rests)
    ]
    if not words:
        options += [*_SETTINGS, *([] if state.date and state.date > date.today() else [date.today().isoformat()])]
    return begun, [word for word in options if word.startswith(begun) and word != begun]


def _fits(words: list[str], state: DatedRules) -> bool:
    """Return whether words are a line that may be there."""
    return not isinstance(parse_after(" ".join(words), state), Wrong)
