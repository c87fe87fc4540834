"""The action of ``mjconv explain``: the meaning of a code of a finding, of the name of a loss, or of a fate.

The texts are those of the catalogue of codes and of the docstrings of events, rounds, matches and losses.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from mjconv.converters.formats import MESSAGES
from mjconv.ir.errors import UsageError
from mjconv.ir.events import KEYS, KINDS
from mjconv.ir.losses import Loss
from mjconv.ir.match import Match, Round
from mjconv.ir.suggestion import did_you_mean
from mjconv.languages import translated
from mjconv.referee.codes import CODES, codes_of
from mjconv.referee.findings import level_of

#: What the plain text of an output does, by the fate of a loss.
FATES: Final = dict(re.findall(r"\| ``(\w+)`` \| (.+?) \|", str(Loss.__doc__)))
_FIELDS: Final = {"round": Round, "match": Match}


def print_explained(*, words: list[str]) -> None:
    """Print the meaning of each word."""
    print("\n".join(explain(words)))


def explain(words: list[str]) -> Iterator[str]:
    """Yield a paragraph for each code, loss or fate that a word names. Raises `UsageError` for an unknown word."""
    losses = set(_losses())
    for word in words:
        codes: frozenset[str] = frozenset()
        with suppress(UsageError):
            codes = codes_of([word])
        for code in sorted(codes):
            kind = CODES[code]
            yield f"{code} {kind.name} ({kind.severity}, {level_of(code)}): {translated(kind.meaning)}"
            yield "  docs/validation.md"
        if word in FATES:
            yield translated(f"{word}: the plain text of the output {FATES[word]}")
            yield "  docs/notes-and-losses.md"
        elif word in losses:
            yield from _loss(word)
        elif not codes:
            meant = did_you_mean(word, sorted({*CODES, *(kind.name for kind in CODES.values()), *FATES, *losses}))
            reason = f"{word!r} is no code of a finding, no name of a loss, and no fate{meant}"
            pages = "docs/validation.md and docs/notes-and-losses.md list them"
            raise UsageError(reason if meant else f"{reason}; {pages}")


def _loss(word: str) -> Iterator[str]:
    part, _, key = word.partition(".")
    doc = " ".join(str((_FIELDS.get(part) or KINDS[part]).__doc__).split())
    about = [one for one in re.split(r"(?<=\.) ", doc) if part in KINDS or f"`{key}`" in one]
    yield " ".join([translated(f"{word}: the output does not state this as the input does."), *about])
    yield f"  docs/{MESSAGES if part in KINDS else 'ir'}.md"


def _losses() -> Iterator[str]:
    """Yield the names of the losses: events, their keys, and the fields of a round and of a match."""
    for kind, keys in KEYS.items():
        yield from (kind, *(f"{kind}.{key}" for key in keys))
    for part, kept in _FIELDS.items():
        yield from (f"{part}.{name}" for name in kept.__struct_fields__)
