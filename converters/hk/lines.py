"""The lines of an HK file: one table of their forms, their meanings, and their errors.

Any white space separates words, Unicode's too; ``#`` begins a comment anywhere. Names are tried before results.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.standings import BASE_DIGITS
from mjconv.ir.errors import InputError, Place
from mjconv.ir.match import Rules
from mjconv.rules.hongkong_points import MOST_FAAN, USUAL, Form, Growth, Responsibility

SEATS: Final = 4
#: Lines of more characters are not cached.
_REMEMBERED: Final = 100
#: How much of a word an error shows.
_SHOWN: Final = 40

#: The marks of the player to blame, and the forms of the result; with no mark the win is self-drawn.
BLAMES: Final[dict[str, Form]] = {
    "": "self-drawn",
    "d": "discard",
    "D": "discard-guarantee",
    "S": "self-draw-guarantee",
    "f": "false win",
}
BLAMELESS: Final = "-"


class DatedRules(NamedTuple):
    """The date and the rules of a game."""

    date: date | None = None
    base: Decimal = Decimal(1)
    max_faan: int = 13
    responsibility: Responsibility = "full"
    growth: Growth = "half"
    min_faan: int = 0
    multipliers: tuple[int, ...] = ()

    def rules(self) -> Rules:
        """Return the rules in the hub's form."""
        return Rules(
            base=self.base,
            max_faan=self.max_faan,
            responsibility=self.responsibility,
            growth=self.growth,
            min_faan=self.min_faan or UNSET,
            multipliers=self.multipliers or UNSET,
        )

    def after(self, parsed: object) -> DatedRules:
        """Return the state after a line.

        >>> BEGINNING.after(Declaration("max_faan", 8)).max_faan
        8
        """
        return self._replace(**{parsed.key: parsed.value}) if isinstance(parsed, Declaration) else self


#: The state at the beginning of a file.
BEGINNING: Final = DatedRules(
    None, Decimal(str(USUAL.base)), USUAL.max_faan or 0, USUAL.responsibility or "full", USUAL.growth or "half"
)


class Nothing(NamedTuple):
    """A blank line, or only a comment."""


class Declaration(NamedTuple):
    """A field of `DatedRules`, and its value from here on."""

    key: str
    value: Any


class Names(NamedTuple):
    """The four players from here on."""

    names: tuple[str, ...]


class GameResult(NamedTuple):
    """One game: the winner and the faan, the player to blame and the mark; nobody in a draw."""

    winner: int | None = None
    faan: int = 0
    blamed: int | None = None
    blame: Literal["", "d", "D", "S", "f"] = ""

    def __str__(self) -> str:
        return _spelled(self)


# Many lines have the same results.
@lru_cache(8192)
def _spelled(result: GameResult) -> str:
    marks = {result.winner: str(result.faan), result.blamed: result.blame}
    return " ".join([marks.get(seat, BLAMELESS) for seat in range(SEATS)])


class Wrong(NamedTuple):
    """A wrong line: the message, and the word (from 0) that is wrong."""

    message: str
    word: int = 0

    def at(self, line: str, number: int) -> InputError:
        """Return the error with its place: the line, its `number` in the file, and the column of the word."""
        words = list(re.finditer(r"\S+", line.partition("#")[0]))
        column = words[self.word].start() + 1 if self.word < len(words) else 1
        return InputError(self.message, Place(number, column, line))


Parsed: TypeAlias = Nothing | Declaration | Names | GameResult | Wrong
NOTHING: Final = Nothing()


# These functions make the value of a line from the groups of its form.


def _date(text: str) -> Declaration | Wrong:
    try:
        return Declaration("date", date.fromisoformat(text))
    except ValueError:
        return Wrong(f"{text} is no date: there is no such day")


def _base(text: str) -> Declaration | Wrong:
    number = re.fullmatch(r"([0-9]*)\.?([0-9]*)", text)
    if number is None or not any(number.groups()):
        return Wrong(f"B= is followed by a number such as 2 or 0.5, not {shown(text)}")
    if max(map(len, number.groups())) > BASE_DIGITS:
        return Wrong(
            f"B={shown(text)} is out of range: {BASE_DIGITS} digits before the point, and after, are read"
        )
    return Declaration("base", Decimal(text))


def _of_faan(key: str, letter: str) -> Callable[[str], Declaration | Wrong]:
    def read(text: str) -> Declaration | Wrong:
        if re.fullmatch("[0-9]+", text) is None:
            return Wrong(f"{letter}= is followed by digits, not {shown(text)}")
        faan = _faan(text)
        if faan > MOST_FAAN:
            return Wrong(f"{letter}={shown(text)} is out of range: a maximum of {MOST_FAAN} faan is read")
        return Declaration(key, faan)

    return read


def _multipliers(text: str) -> Declaration | Wrong:
    numbers = text.split(",")
    if len(numbers) > MOST_FAAN or (
        text and not all(re.fullmatch(f"[0-9]{{1,{BASE_DIGITS}}}", each) for each in numbers)
    ):
        return Wrong(f"T= is followed by a multiplier for each faan from 0, as in T=1,2,4,8, not {shown(text)}")
    return Declaration("multipliers", tuple(map(int, numbers)) if text else ())


def _one_of(key: str, letter: str, words: tuple[str, ...]) -> Callable[[str], Declaration | Wrong]:
    def choose(text: str) -> Declaration | Wrong:
        if text not in words:
            return Wrong(f"{letter}= is followed by {' or '.join(words)}, not {shown(text)}")
        return Declaration(key, text)

    return choose


def _names(*names: str) -> Names | Wrong:
    for word, name in enumerate(names):
        if name in names[:word]:
            return Wrong(f"two players are called {shown(name)}, and each needs a name of their own", word)
    return Names(names)


def _result(*marks: str) -> GameResult | Wrong:
    winners = [seat for seat, mark in enumerate(marks) if mark[0] in "0123456789"]
    blamed = [seat for seat, mark in enumerate(marks) if mark in BLAMES]
    for seats, verb in ((winners, "win"), (blamed, "are to blame")):
        if len(seats) > 1:
            return Wrong(f"two players {verb}, and at most one can; write - for all others", seats[1])
    blame: Any = marks[blamed[0]] if blamed else ""
    if blame == "f" and winners:
        return Wrong("f is a false win: then nobody can win the game", blamed[0])
    if blame and blame != "f" and not winners:
        return Wrong(f"{blame} needs a winner, whose faan are written as digits", blamed[0])
    return GameResult(
        winners[0] if winners else None,
        _faan(marks[winners[0]]) if winners else 0,
        blamed[0] if blamed else None,
        blame,
    )


def _faan(digits: str) -> int:
    """Read digits; of an absurd number only that it is too large."""
    digits = digits.lstrip("0")
    return int(digits or 0) if len(digits) <= len(str(MOST_FAAN)) else MOST_FAAN + 1


_NAME: Final = r"([^ *0-9-][^ *]*)"
_MARK: Final = r"([0-9]+|[-dDSf])"

#: The forms of a line, its words joined by single spaces, in the order in which they are tried.
FORMS: Final[tuple[tuple[re.Pattern[str], Callable[..., Parsed]], ...]] = (
    (re.compile(r""), lambda: NOTHING),
    (re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})"), _date),
    (re.compile(r"B=([^ ]*)"), _base),
    (re.compile(r"M=([^ ]*)"), _of_faan("max_faan", "M")),
    (re.compile(r"R=([^ ]*)"), _one_of("responsibility", "R", ("half", "full"))),
    (re.compile(r"S=([^ ]*)"), _one_of("growth", "S", ("half", "spicy"))),
    (re.compile(r"L=([^ ]*)"), _of_faan("min_faan", "L")),
    (re.compile(r"T=([^ ]*)"), _multipliers),
    (re.compile(" ".join([_NAME] * SEATS)), _names),
    (re.compile(" ".join([_MARK] * SEATS)), _result),
)
#: The letters of declarations.
LETTERS: Final = {
    "base": "B",
    "max_faan": "M",
    "responsibility": "R",
    "growth": "S",
    "min_faan": "L",
    "multipliers": "T",
}


def parse(line: str) -> Parsed:
    """Read a line, without its comment.

    >>> parse("- 2 d -")
    GameResult(winner=1, faan=2, blamed=2, blame='d')
    >>> parse("M=6"), parse("d D S f").names
    (Declaration(key='max_faan', value=6), ('d', 'D', 'S', 'f'))
    """
    head = line.partition("#")[0]
    return _parse_again(head) if len(head) <= _REMEMBERED else _parse(head)


def _parse(head: str) -> Parsed:
    words = head.split()
    parsed = _parse_form(" ".join(words))
    return _unknown(words) if parsed is None else parsed


def _parse_form(text: str) -> Parsed | None:
    """Read a line whose words are joined by single spaces; None if it has no form."""
    for pattern, make in FORMS:
        form = pattern.fullmatch(text)
        if form is not None:
            return make(*form.groups())
    return None


#: Many lines have the same results.
_parse_again: Final = lru_cache(8192)(_parse)


def _unknown(words: list[str]) -> Wrong:
    """Return the error of a line that has no form."""
    if repaired := _repaired(" ".join(words)):
        return Wrong(f"this is no line of scores; write {repaired}")
    if _OTHER_DAY.fullmatch(" ".join(words)):
        return Wrong(f"{shown(' '.join(words))} is no date of scores: write the year first, as in 2024-01-31")
    if len(words) == 1:
        return Wrong(f"{shown(words[0])} is no date, no declaration (B= M= R= S= L= T=), no names and no results")
    if len(words) != SEATS:
        blanks = "" if len(words) < SEATS else "; a blank inside a name is written %20, as in Aunt%20May"
        wanted = f"{SEATS} names or {SEATS} results"
        return Wrong(f"{len(words)} words, where a line has {wanted}{blanks}", min(SEATS, len(words) - 1))
    # No name begins with a digit or a hyphen: a line that has such a word was meant as results.
    if any(re.fullmatch(r"[0-9]+|-", word) for word in words):
        bad = next(place for place, word in enumerate(words) if re.fullmatch(_MARK, word) is None)
        return Wrong(f"{shown(words[bad])} is no result: digits, - d D S or f", bad)
    bad = next(place for place, word in enumerate(words) if re.fullmatch(_NAME, word) is None)
    return Wrong(f"{shown(words[bad])} is no name: it holds no * and begins with no digit or hyphen", bad)


#: Hyphens and dashes that people write for `-`.
_HYPHENS: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−ー", "-"))
_DAY: Final = re.compile("([0-9]{4})[-/.年 ]([0-9]{1,2})[-/.月 ]([0-9]{1,2})日?")
_OTHER_DAY: Final = re.compile("[0-9]{1,2}[-/. ](?:[0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{2,4}")
_SETTING: Final = re.compile("([BMRSLTbmrslt]) ?[=:]? ?([^ =:]+)")


def _repaired(text: str) -> str | None:
    """Return the line that was meant, if only the signs of a wrong line are unusual; else None.

    >>> [_repaired(text) for text in ("b = 2", "R: Half", "2024/1/5", "3,-,d,-", "３ – – d", "x")]
    ['B=2', 'R=half', '2024-01-05', '3 - d -', '3 - - d', None]
    """
    if len(text) > _REMEMBERED:
        return None
    plain = unicodedata.normalize("NFKC", text).translate(_HYPHENS)
    day, setting = _DAY.fullmatch(plain), _SETTING.fullmatch(plain)
    for line in (
        "{}-{:0>2}-{:0>2}".format(*day.groups()) if day else "",
        f"{setting[1].upper()}={setting[2].lower()}" if setting else "",
        " ".join(re.split("[ ,;|/]+", plain)),
    ):
        if line and not isinstance(_parse_form(line), (Wrong, type(None))):
            return line
    return None


def meant(line: str) -> Names | GameResult | None:
    """Return the kind of line that a wrong line was meant as: names, with the wrong ones, or a game.

    >>> meant("A B A C"), meant("M=x"), meant("- 2 d x") == meant("- 2 d") == GameResult()
    (Names(names=('A', 'B', 'A', 'C')), None, True)
    """
    words = line.partition("#")[0].split()
    if any(re.fullmatch(r"[0-9]+|-", word) for word in words):
        of_marks = len(words) > 1 and all(re.fullmatch(_MARK, word) for word in words)
        return GameResult() if of_marks or len(words) == SEATS else None
    return Names(tuple(words)) if len(words) == SEATS else None


def shown(text: str) -> str:
    """Quote a word for an error; a long one is cut."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def parse_after(line: str, state: DatedRules, names: tuple[str, ...] | None) -> Parsed:
    """Read a line, and check it against the state and the names before it.

    >>> parse_after("14 - - -", BEGINNING, ("A", "B", "C", "D"))
    Wrong(message='the faan are above the maximum, which is 13', word=0)
    """
    parsed = parse(line)
    if isinstance(parsed, GameResult):
        if names is None:
            return Wrong("a game before any names: write a line of four names above it")
        if parsed.faan > state.max_faan:
            return Wrong(f"the faan are above the maximum, which is {state.max_faan}", parsed.winner or 0)
        if parsed.winner is not None and parsed.faan < state.min_faan:
            return Wrong(f"the faan are below the least, which is {state.min_faan}", parsed.winner)
        if parsed.blame == "D" and state.responsibility == "full":
            return Wrong(
                "D has no meaning under R=full, where the discarder pays all: write d", parsed.blamed or 0
            )
    elif isinstance(parsed, Declaration) and parsed.key == "date" and state.date and parsed.value < state.date:
        return Wrong(f"the date runs backward: {parsed.value} after {state.date}")
    return parsed


def declare(state: DatedRules, wanted: DatedRules) -> list[str]:
    """Return the declarations that change one state to another; a date can only change to a later one.

    >>> declare(BEGINNING, BEGINNING._replace(base=Decimal("0.50"), growth="spicy"))
    ['B=0.5', 'S=spicy']
    """
    lines = []
    if wanted.date is not None and (state.date is None or state.date < wanted.date):
        lines.append(wanted.date.isoformat())
    for key, letter in LETTERS.items():
        value = getattr(wanted, key)
        if value != getattr(state, key):
            lines.append(f"{letter}={_spelled_value(value)}")
    return lines


def _spelled_value(value: Any) -> str:
    if isinstance(value, Decimal):
        return spell_base(value)
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def spell_base(base: Decimal) -> str:
    """Return base points as text without needless zeros.

    >>> spell_base(Decimal("0.50")), spell_base(Decimal("2E+1"))
    ('0.5', '20')
    """
    text = format(base, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def state_of(rules: Rules | UnsetType, when: date | UnsetType) -> DatedRules:
    """Return the state for rules and a date. A value that is absent, or that HK cannot spell, is the usual one.

    >>> state_of(Rules(max_faan=8), UNSET).max_faan, state_of(Rules(max_faan=10_000), UNSET).max_faan
    (8, 13)
    """
    known: dict[str, Any] = {"date": None if when is UNSET else when}
    if rules is not UNSET:
        known.update(
            (key, value)
            for key in LETTERS
            if (value := getattr(rules, key)) is not UNSET and _can_declare(key, value)
        )
    return BEGINNING._replace(**known)


# The games of a file have few different rules.
@lru_cache(maxsize=256)
def _can_declare(key: str, value: Any) -> bool:
    if key == "base" and not (value.is_finite() and abs(value.adjusted()) <= BASE_DIGITS):
        return False
    return parse(f"{LETTERS[key]}={_spelled_value(value)}") == Declaration(key, value)
