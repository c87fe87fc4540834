"""The languages in which the command speaks to people.

The code makes English sentences, and everything that is written is English: files, JSON, columns and notes.
Where the command prints for a person, `translated` looks a sentence up in the catalogue of their language, a file
beside this module. A key of a catalogue is an English sentence with holes, ``{}``, for its values. Its translation
has the same holes, with numbers where their order differs. ``{n} match`` is a number and its noun, as `counted`
writes them.

A sentence without an entry stays English.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from typing import Final, Literal, TypeAlias, get_args

from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import UsageError
from mjconv.ir.plural import counted
from mjconv.settings import Setting

Language: TypeAlias = Literal["en", "ja", "zh", "zh-Hans"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
#: The language that ``--lang`` names, None without it.
chosen: Final[Setting[Language | None]] = Setting("language", None)
#: The variables that name the language of a person, the strongest first.
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
#: Languages that are meant by codes of countries.
_COUNTRIES: Final = {"jp": "ja", "cn": "zh-CN", "tw": "zh-TW"}


def language_of(tag: str) -> Language:
    """Return the language of a tag of BCP 47, such as ``zh-Hant-TW``. Raises `UsageError` for another language.

    >>> language_of("zh-CN"), language_of("ja_JP.UTF-8")
    ('zh-Hans', 'ja')
    """
    lower = tag.lower().replace("_", "-")
    # By script, or by country.
    if re.match(r"zh-(hans|cn|sg)\b", lower):
        return "zh-Hans"
    begin = re.split("[-.@]", lower)[0]
    found = next((language for language in LANGUAGES if language == begin), None)
    if found is None:
        meant = f": did you mean {_COUNTRIES[begin]}?" if begin in _COUNTRIES else ""
        raise UsageError(f"--lang takes {', '.join(LANGUAGES)}, not {tag!r}{meant}")
    return found


def current() -> Language:
    """Return the language in which to speak: that of ``--lang``, else that of the environment, else English."""
    named = chosen.current()
    if named is None:
        tag = next(filter(None, map(os.environ.get, VARIABLES)), "en")
        with suppress(UsageError):
            named = language_of(tag)
    return named or "en"


def translated(text: str) -> str:
    r"""Return a sentence in the current language. Only its first line is translated: the rest quotes the input.

    >>> with chosen.using("ja"):
    ...     print(translated("mjconv: error: game.mjson: there is no record in it\n    a line of it"))
    mjconv: エラー: game.mjson: 牌譜が入っていません
        a line of it
    """
    language = current()
    return text if language == "en" else _catalogue(language).translated(text)


@cache
def _catalogue(language: Language) -> Catalogue:
    return Catalogue(catalogue(__name__, f"{language}.json", dict[str, str]))


#: A template: its literal pieces, between which the holes are.
_Pieces: TypeAlias = Sequence[str]
#: How many times a part of a sentence is divided again.
_DEPTH: Final = 8
#: The most characters of a line that is translated: a longer one quotes a hostile text.
_LONGEST: Final = 4000
#: What separates parts of a sentence that have translations of their own.
_JOINTS: Final = (": ", "; ", ", ", " or ", " and ", " (", "  [")
#: Of these, the marks that end the name of a file and begin another sentence.
_ENDS: Final = (": ", "; ")


class Catalogue:
    """Translates sentences. `entries` maps templates to translations.

    >>> japanese = Catalogue({"no {}": "{}なし", "{} comes after {}": "{1}の次が{0}", "{n} tile": "{n}枚"})
    >>> japanese.translated("file.txt: 'pon' comes after 3 tiles; no 5m")
    "file.txt: 3枚の次が'pon'; 5mなし"
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self._whole: dict[str, str] = {}
        self._nouns: dict[str, str] = {}
        templates: list[tuple[_Pieces, str]] = []
        for key, text in entries.items():
            pieces: _Pieces = tuple(pieces_of(key))
            if key.startswith("{n} "):
                self._nouns |= {counted(number, key[4:])[2:]: text for number in (1, 2)}
            elif len(pieces) == 1:
                self._whole[pieces[0]] = text.format()
            else:
                templates.append((pieces, text))
        often = Counter(word for pieces, _ in templates for word in _words(pieces))
        #: The templates by their rarest word: a sentence is compared with those alone that it can be.
        self._templates: defaultdict[str, list[tuple[_Pieces, str]]] = defaultdict(list)
        for pieces, text in templates:
            self._templates[min(_words(pieces), key=often.__getitem__, default="")].append((pieces, text))
        self._best = lru_cache(4096)(self._find)

    def translated(self, text: str) -> str:
        """Return a sentence in the language of the catalogue, with what follows its first line as it is."""
        if text in self._whole:
            return self._whole[text]
        line, end, rest = text.partition("\n")
        sentence = line.lstrip(" ")
        indent = line[: len(line) - len(sentence)]
        return text if len(line) > _LONGEST else indent + self._best(sentence, _DEPTH)[1] + end + rest

    def _find(self, text: str, depth: int) -> tuple[int, str]:
        """Return the number of characters for which there is a translation, and the text with it."""
        if text in self._whole:
            return len(text), self._whole[text]
        if (match := re.fullmatch(r"(no|[0-9,]+) (\D+)", text)) and match[2] in self._nouns:
            return len(text), self._nouns[match[2]].format(n=match[1].replace("no", "0"))
        if not depth or " " not in text:
            return 0, text
        found, size = (0, text), 0
        for word in dict.fromkeys(("", *text.split(" "))):
            for pieces, template in self._templates.get(word, ()):
                literal = sum(map(len, pieces))
                values = _values(pieces, text) if literal > size else None
                if values is not None:
                    covered, parts = zip(*(self._best(value, depth - 1) for value in values), strict=True)
                    size, found = literal, (literal + sum(covered), template.format(*parts))
        for joint in _JOINTS:
            for head, tail in self._halves(text, joint):
                (before, head), (after, tail) = self._best(head, depth - 1), self._best(tail, depth - 1)
                # Of two ways, a sentence begins where the name of a file before it ends.
                if before + after + (joint in _ENDS and found[0] > 0) > found[0]:
                    found = before + after, head + self._whole.get(joint, joint) + tail
        return found

    def _halves(self, text: str, joint: str) -> Iterator[tuple[str, str]]:
        """Yield the two sides of the first joint in a text, and of each one before which a whole entry ends."""
        at = text.find(joint)
        first = at
        while at >= 0:
            head = text[:at]
            if head and (at == first or head in self._whole):
                yield head, text[at + len(joint) :]
            at = text.find(joint, at + len(joint))


def pieces_of(template: str) -> Iterator[str]:
    """Return the literal pieces of a template, between which its holes are.

    >>> list(pieces_of("{} is no {{}}, but {}"))
    ['', ' is no {}, but ', '']
    """
    # Imported here: English has no templates, and most starts speak it.
    from string import Formatter

    piece = ""
    for literal, hole, _, _ in Formatter().parse(template):
        piece += literal
        if hole is not None:
            yield piece
            piece = ""
    yield piece


def _words(pieces: _Pieces) -> Iterator[str]:
    """Yield the words of the pieces that end neither at a hole nor at a mark that a joint takes away."""
    text = "\0".join(pieces)
    return (word for word in text.split(" ") if word and "\0" not in word)


def _values(pieces: _Pieces, text: str) -> list[str] | None:
    """Return what a text has in the holes between the pieces; None if it does not have the pieces, in this order.

    >>> _values(("", " is no ", ""), "5z is no tile"), _values(("no ", ""), "a tile")
    (['5z', 'tile'], None)
    """
    first, *middle, last = pieces
    at, end = len(first), len(text) - len(last)
    if end < at or not (text.startswith(first) and text.endswith(last)):
        return None
    values = []
    for piece in middle:
        found = text.find(piece, at, end)
        if found < 0:
            return None
        values.append(text[at:found])
        at = found + len(piece)
    return [*values, text[at:end]]
