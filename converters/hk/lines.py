"""The lines of an HK file: one table of their forms, their meanings, and their errors.

Any white space separates words, Unicode's too; ``#`` begins a comment anywhere. Names are tried before results.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.standings import BASE_DIGITS
from mjconv.ir import events as ev
from mjconv.ir.errors import LineError
from mjconv.ir.match import Rules
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.hongkong_points import MOST_FAAN, Growth, Responsibility

SEATS: Final = 4
#: Lines of more characters are not cached.
_REMEMBERED: Final = 100
#: How much of a word an error shows.
_SHOWN: Final = 40

#: The marks of the player to blame; with none of them the win is self-drawn.
Mark: TypeAlias = Literal["", "d", "D", "S", "f"]
BLAMES: Final = get_args(Mark)[1:]
BLAMELESS: Final = "-"


class DatedRules(NamedTuple):
    """The date, the rules and the players of the next games."""

    date: date | None = None
    base: Decimal = Decimal(1)
    max_faan: int = 13
    responsibility: Responsibility = "full"
    growth: Growth = "half"
    min_faan: int = 0
    multipliers: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def rules(self) -> Rules:
        """Return the rules in the hub's form."""
        stated = {each.key: getattr(self, each.key) for each in SETTINGS.values()}
        optional = ("min_faan", "multipliers")
        return Rules(**{key: value for key, value in stated.items() if value or key not in optional})

    def after(self, parsed: object) -> DatedRules:
        """Return the state after a line.

        >>> BEGINNING.after(Declaration("max_faan", 8)).max_faan
        8
        """
        if isinstance(parsed, Names):
            return self._replace(names=parsed.names)
        return self._replace(**{parsed.key: parsed.value}) if isinstance(parsed, Declaration) else self


#: The state at the beginning of a file.
BEGINNING: Final = DatedRules()


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
    blame: Mark = ""

    def __str__(self) -> str:
        return _spelled(self)


# Many lines have the same results.
@lru_cache(8192)
def _spelled(result: GameResult) -> str:
    marks = {result.winner: str(result.faan), result.blamed: result.blame}
    return " ".join([marks.get(seat, BLAMELESS) for seat in range(SEATS)])


# Events never change, and many lines have the same results.
@lru_cache(8192)
def event_of(result: GameResult) -> ev.Win | ev.Ryukyoku:
    """Return the event that the results of a game mean.

    >>> event_of(GameResult(2, 6, 3, "D")), event_of(GameResult(blamed=3, blame="f"))
    (Win(actor=2, fan=6, liable=3), Ryukyoku(reason='chombo', actor=3))
    """
    if result.winner is None:
        return ev.Ryukyoku() if result.blamed is None else ev.Ryukyoku(reason=CHOMBO, actor=result.blamed)
    blamed = UNSET if result.blamed is None else result.blamed
    targets: dict[str, int | UnsetType] = {"d": blamed, "D": UNSET}
    target = targets.get(result.blame, result.winner)
    return ev.Win(result.winner, target, fan=result.faan, liable=blamed if result.blame in ("D", "S") else UNSET)


class Wrong(NamedTuple):
    """A wrong line: the message, and the word (from 0) that is wrong."""

    message: str
    word: int = 0

    def error(self, line: str) -> LineError:
        """Return the error with the offset of the word in the line."""
        words = list(re.finditer(r"\S+", line.partition("#")[0]))
        return LineError(self.message, words[self.word].start() if self.word < len(words) else 0)


#: A line that was read; None of a blank line, or of only a comment.
Parsed: TypeAlias = Declaration | Names | GameResult | Wrong | None


# These functions make the value of a line from the groups of its form.


def _date(text: str) -> Declaration | Wrong:
    try:
        return Declaration("date", date.fromisoformat(text))
    except ValueError:
        return Wrong(f"{text} is no date: there is no such day")


class DeclarationForm(NamedTuple):
    """A declaration: the field of `DatedRules`, the form of its text, what this is called, its value, its range.

    The value is None for a text beyond the range.
    """

    key: str
    form: str
    wanted: str
    value: Callable[[str], Any]
    most: str = ""


def _base(text: str) -> Decimal | None:
    return Decimal(text) if max(map(len, text.split("."))) <= BASE_DIGITS else None


def _faan(text: str) -> int | None:
    digits = text.lstrip("0")
    return int(digits or 0) if len(digits) <= len(str(MOST_FAAN)) else None


def _multipliers(text: str) -> tuple[int, ...]:
    return tuple(map(int, filter(None, text.split(","))))


_FAAN: Final = ("[0-9]+", "digits", _faan, f"a maximum of {MOST_FAAN} faan is read")
_NUMBER: Final = f"[0-9]{{1,{BASE_DIGITS}}}"
#: The declarations, by their letters.
SETTINGS: Final = {
    "B": DeclarationForm(
        *("base", r"(?=\.?[0-9])[0-9]*\.?[0-9]*", "a number such as 2 or 0.5", _base),
        f"{BASE_DIGITS} digits before the point, and after, are read",
    ),
    "M": DeclarationForm("max_faan", *_FAAN),
    "R": DeclarationForm("responsibility", "half|full", "half or full", str),
    "S": DeclarationForm("growth", "half|spicy", "half or spicy", str),
    "L": DeclarationForm("min_faan", *_FAAN),
    "T": DeclarationForm(
        *("multipliers", f"({_NUMBER}(,{_NUMBER}){{0,{MOST_FAAN - 1}}})?"),
        *("a multiplier for each faan from 0, as in T=1,2,4,8", _multipliers),
    ),
}


def _declaration(letter: str, text: str) -> Declaration | Wrong:
    setting = SETTINGS[letter]
    if re.fullmatch(setting.form, text) is None:
        return Wrong(f"{letter}= is followed by {setting.wanted}, not {shown(text)}")
    value = setting.value(text)
    if value is None:
        return Wrong(f"{letter}={shown(text)} is out of range: {setting.most}")
    return Declaration(setting.key, value)


def results_of(names: Sequence[str]) -> str | None:
    """Return the results that four words are in full-width signs; None if they can be names.

    >>> results_of(["３", "－", "ｄ", "－"]), results_of(["d", "D", "S", "f"])
    ('3 - d -', None)
    """
    marks = _plain(" ".join(names)).split(" ")
    if all(re.fullmatch(_MARK, mark) for mark in marks) and any(re.fullmatch("[0-9]+|-", mark) for mark in marks):
        return " ".join(marks)
    return None


def _names(*names: str) -> Names | Wrong:
    if results := results_of(names):
        return Wrong(f"this is no line of scores; write {results}")
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
    winner, blamer = (each[0] if each else None for each in (winners, blamed))
    faan = 0 if winner is None else _faan(marks[winner])
    return GameResult(winner, MOST_FAAN + 1 if faan is None else faan, blamer, blame)


_NAME: Final = r"([^ *0-9-][^ *]*)"
_MARK: Final = r"([0-9]+|[-dDSf])"

#: The forms of a line, its words joined by single spaces, in the order in which they are tried.
FORMS: Final[tuple[tuple[re.Pattern[str], Callable[..., Parsed]], ...]] = (
    (re.compile(r""), lambda: None),
    (re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})"), _date),
    (re.compile(rf"([{''.join(SETTINGS)}])=([^ ]*)"), _declaration),
    (re.compile(" ".join([_NAME] * SEATS)), _names),
    (re.compile(" ".join([_MARK] * SEATS)), _result),
)


def parse(line: str) -> Parsed:
    """Read a line, without its comment.

    >>> parse("- 2 d -")
    GameResult(winner=1, faan=2, blamed=2, blame='d')
    >>> parse("M=6"), parse("d D S f").names
    (Declaration(key='max_faan', value=6), ('d', 'D', 'S', 'f'))
    """
    head = line.partition("#")[0]
    return (_parse_again if len(head) <= _REMEMBERED else _parse)(head)


def _parse(head: str) -> Parsed:
    words = head.split()
    made = _made(" ".join(words))
    return made[0] if made else _unknown(words)


def _made(text: str) -> list[Parsed]:
    """Return what a line is read as whose words are joined by single spaces; nothing if it has no form."""
    forms = ((pattern.fullmatch(text), make) for pattern, make in FORMS)
    return next(([make(*form.groups())] for form, make in forms if form), [])


#: Many lines have the same results.
_parse_again: Final = lru_cache(8192)(_parse)


def _unknown(words: list[str]) -> Wrong:
    """Return the error of a line that has no form."""
    if repaired := _repaired(" ".join(words)):
        return Wrong(f"this is no line of scores; write {repaired}")
    if _OTHER_DAY.fullmatch(" ".join(words)):
        return Wrong(f"{shown(' '.join(words))} is no date of scores: write the year first, as in 2024-01-31")
    if len(words) == 1:
        letters = "= ".join(SETTINGS)
        return Wrong(f"{shown(words[0])} is no date, no declaration ({letters}=), no names and no results")
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
_SETTING: Final = re.compile(f"([{''.join(SETTINGS)}]) ?[=:]? ?([^ =:]+)", re.IGNORECASE)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_HYPHENS)


def _repaired(text: str) -> str | None:
    """Return the line that was meant, if only the signs of a wrong line are unusual; else None.

    >>> [_repaired(text) for text in ("b = 2", "R: Half", "2024/1/5", "3,-,d,-", "３ – – d", "x")]
    ['B=2', 'R=half', '2024-01-05', '3 - d -', '3 - - d', None]
    """
    if len(text) > _REMEMBERED:
        return None
    plain = _plain(text)
    day, setting = _DAY.fullmatch(plain), _SETTING.fullmatch(plain)
    for line in (
        "{}-{:0>2}-{:0>2}".format(*day.groups()) if day else "",
        f"{setting[1].upper()}={setting[2].lower()}" if setting else "",
        " ".join(re.split("[ ,;|/]+", plain)),
    ):
        if line and any(not isinstance(made, Wrong) for made in _made(line)):
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


def read_line(line: str, state: DatedRules) -> tuple[DatedRules, Parsed]:
    """Read a line after a state: return the state after it, and its meaning. Raises `LineError`.

    >>> state, _ = read_line("A B C D", BEGINNING)
    >>> read_line("- 2 d -", state)[1]
    GameResult(winner=1, faan=2, blamed=2, blame='d')
    """
    parsed = parse_after(line, state)
    if isinstance(parsed, Wrong):
        raise parsed.error(line)
    return state.after(parsed), parsed


def parse_after(line: str, state: DatedRules) -> Parsed:
    """Read a line, and check it against the state before it.

    >>> parse_after("14 - - -", BEGINNING._replace(names=("A", "B", "C", "D")))
    Wrong(message='the faan are above the maximum, which is 13', word=0)
    """
    parsed = parse(line)
    if isinstance(parsed, GameResult):
        if not state.names:
            return Wrong("a game before any names: write a line of four names above it")
        if parsed.faan > state.max_faan:
            return Wrong(f"the faan are above the maximum, which is {state.max_faan}", parsed.winner or 0)
        if parsed.winner is not None and parsed.faan < state.min_faan:
            return Wrong(f"the faan are below the least, which is {state.min_faan}", parsed.winner)
        if parsed.blame == "D" and state.responsibility == "full":
            message = "D has no meaning under R=full, where the discarder pays all: write d"
            return Wrong(message, parsed.blamed or 0)
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
    fields = ((letter, getattr(state, each.key), getattr(wanted, each.key)) for letter, each in SETTINGS.items())
    return lines + [f"{letter}={_spelled_value(value)}" for letter, own, value in fields if value != own]


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
    stated = [] if rules is UNSET else [(letter, getattr(rules, each.key)) for letter, each in SETTINGS.items()]
    known = {SETTINGS[letter].key: value for letter, value in stated if _can_declare(letter, value)}
    return BEGINNING._replace(date=when or None, **known)


# The games of a file have few different rules.
@lru_cache(maxsize=256)
def _can_declare(letter: str, value: Any) -> bool:
    if isinstance(value, Decimal) and not (value.is_finite() and abs(value.adjusted()) <= BASE_DIGITS):
        return False
    return value is not UNSET and parse(f"{letter}={_spelled_value(value)}") == (SETTINGS[letter].key, value)
