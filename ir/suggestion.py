"""Suggest the known word that a misspelt word probably means, for messages."""

from collections.abc import Iterable

from mjconv.ir.errors import UsageError

#: The number of characters of a word that are compared: a hostile word may be very long.
_COMPARED = 32


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that names the nearest known word, or an empty string if none is near.

    >>> did_you_mean("tsmo", ["dahai", "tsumo"]), did_you_mean("x", ["dahai", "tsumo"])
    (", did you mean 'tsumo'?", '')
    """
    # Imported here: a spelling mistake is rare, and every start of the command would pay for the import.
    from difflib import get_close_matches

    close = get_close_matches(word[:_COMPARED], known, 1)
    return f", did you mean {close[0]!r}?" if close else ""


def check_word(name: str, word: object, known: Iterable[str]) -> None:
    """Raise `UsageError` if the value of an argument is none of the known words.

    >>> check_word("level", "rule", ("order", "rules"))
    Traceback (most recent call last):
    mjconv.ir.errors.UsageError: level is one of order, rules, not 'rule', did you mean 'rules'?
    """
    words = list(known)
    if word not in words:
        raise UsageError(f"{name} is one of {', '.join(words)}, not {word!r}{did_you_mean(str(word), words)}")
