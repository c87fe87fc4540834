"""The rules by which points of a riichi game become results, as a person writes them: ``uma 30 10``.

A line has one setting or several. The words are English, Japanese or Chinese. Points are whole, or in thousands:
a number below 1000 is in thousands.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.ir.catalogue import catalogue
from mjconv.ir.match import Rules
from mjconv.ir.tiles import WINDS
from mjconv.rules.scores import USUAL_START, places_of

#: The words of each setting.
_WORDS: Final = catalogue(__name__, "settings.json", dict[str, list[str]])
#: The words of the two ways to settle ties.
TIES: Final = {word: way for way in ("share", "dealer") for word in _WORDS[way]}
#: The words that begin a setting.
WORDS: Final = {word: key for key, words in _WORDS.items() for word in words if word not in TIES}
_LETTERS: Final = re.compile(r"[^\W\d_]+")
#: A number of points.
NUMBER: Final = re.compile(r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})(?:\.[0-9]{1,6})?")
_PAIR: Final = re.compile(r"([0-9]{1,6})[-~/]([0-9]{1,6})")
_THOUSAND: Final = 1000
#: Signs that people write for others, each one sign.
_PLAIN: Final[dict[int, int | str]] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **{ord(sign): "-" for sign in "▲△−‐‑‒–—"},
    **{ord(sign): "," for sign in "、，；;\t"},
    **{ord(sign): " " for sign in ":：|｜\u3000"},
}


class SettingError(ValueError):
    """Raised for a setting that cannot be read."""


class Settings(NamedTuple):
    """The rules of results. Points are whole. `four` and `three` are the points of each place, from the first."""

    start: int | None = None
    returning: int | None = None
    oka: int | None = None
    four: tuple[int, ...] = ()
    three: tuple[int, ...] = ()
    ties: str | None = None
    chombo: int | None = None

    def places(self, seats: int) -> tuple[int, ...]:
        """Return the points of each place in a game of so many players."""
        return self.four if seats == len(WINDS) else self.three

    @property
    def states_uma(self) -> bool:
        """Whether they state the points of the places."""
        return bool(self.four or self.three)

    @property
    def states_points(self) -> bool:
        """Whether they state more than ties and chombo: how final points follow."""
        return self._replace(ties=None, chombo=None) != Settings()

    def after(self, text: str) -> Settings:
        """Return the settings after a line of settings. Raises `SettingError`.

        >>> Settings().after("start 25 return 30 ウマ10-30 ties share").rules(4)
        Rules(start=25000, returning=30000, uma=(30000, 10000), ties='share')
        """
        text = plainly(text)
        settings, pieces = self, _LETTERS.split(text)
        words = [word.casefold() for word in _LETTERS.findall(text)]
        for number, (word, value) in enumerate(zip(words, pieces[1:], strict=True)):
            key, before = WORDS.get(word), words[number - 1] if number else ""
            if word in TIES and WORDS.get(before) == "ties":
                settings = settings._replace(ties=TIES[word])
            elif key == "usual":
                settings = Settings()
            elif key == "ties":
                if words[number + 1 : number + 2] == [] or words[number + 1] not in TIES:
                    raise SettingError(f"{word} is followed by share or dealer")
            elif key is None:
                raise SettingError(f"{word!r} is no setting: uma, start, return, oka, ties, chombo or usual")
            else:
                settings = settings._replace(**_values(key, word, value))
        return settings

    def rules(self, seats: int) -> Rules | UnsetType:
        """Return the rules of a game of so many players; UNSET without a setting. Raises `SettingError`."""
        start, returning = self.start, self.returning
        places = self.places(seats)
        if self.oka is not None:
            start = USUAL_START[seats] if start is None else start
            added, rest = divmod(self.oka, seats)
            if rest or returning not in (None, start + added):
                raise SettingError(
                    f"an oka of {spell(self.oka)} does not follow from start and return: leave it out"
                )
            returning = start + added
        pair = places[:2] if places[:2] == tuple(-each for each in places[:1:-1]) else ()
        values: dict[str, Any] = {
            "start": start,
            "returning": returning,
            "uma": pair or None,
            "by_place": None if pair else places or None,
            "ties": self.ties,
            "chombo": self.chombo,
        }
        stated = {key: value for key, value in values.items() if value is not None}
        return Rules(**stated) if stated else UNSET

    def over(self, rules: Rules | UnsetType, seats: int) -> Rules:
        """Return the rules of a game after these settings have replaced those that they state.

        >>> Settings(oka=20000).over(Rules(start=30000, returning=30000, ties="share"), 4)
        Rules(start=30000, returning=35000, ties='share')
        """
        stated = {key: value for key, value in self._asdict().items() if value not in (None, ())}
        # Oka and return state the same.
        stated |= {"oka": None} if "returning" in stated else {"returning": None} if "oka" in stated else {}
        return Settings.of(rules, seats)._replace(**stated).rules(seats) or Rules()

    @classmethod
    def of(cls, rules: Rules | UnsetType, seats: int) -> Settings:
        """Return the settings of the rules of a game, without the values that no setting can state.

        >>> Settings.of(Rules(start=25000, returning=-5, uma=(20000, 10000)), 4).words()
        ['start 25', 'uma 20 10']
        """
        if rules is UNSET:
            return cls()
        values = {key: getattr(rules, key) for key in ("start", "returning", "ties", "chombo")}
        values["four" if seats == len(WINDS) else "three"] = places_of(rules, seats) or UNSET
        return cls(
            **{key: value for key, value in values.items() if value is not UNSET and _is_readable(key, value)}
        )

    def words(self) -> list[str]:
        """Return each setting as text.

        >>> Settings(start=30000, four=(15000, 5000, -5000, -15000), three=(20000, 0, -20000)).words()
        ['start 30', 'uma 15 5', 'uma 20 0 -20']
        """
        values = zip(("start", "return", "oka", "uma", "uma", "ties", "chombo"), self, strict=True)
        return [f"{word} {_spelled(value)}" for word, value in values if value not in (None, ())]

    def line_to(self, wanted: Settings) -> str:
        """Return the line of settings that changes these settings to others; empty if none is needed.

        >>> Settings(start=30000).line_to(Settings(start=25000)), Settings(ties="share").line_to(Settings())
        ('start 25', 'usual')
        """
        own, words = self.words(), wanted.words()
        lost = any(
            mine not in (None, ()) and other in (None, ()) for mine, other in zip(self, wanted, strict=True)
        )
        return " ".join(["usual", *words] if lost else [each for each in words if each not in own])


def plainly(text: str) -> str:
    """Return a text with usual signs for those of other keyboards, each at its place.

    >>> plainly("▲１２．３、ウマ：１０－３０")
    '-12.3,ウマ 10-30'
    """
    return text.translate(_PLAIN)


def spell(points: int | Fraction) -> str:
    """Return points in thousands.

    >>> spell(42300), spell(-500), spell(Fraction(100, 3))
    ('42.3', '-0.5', '0.0333')
    """
    text = f"{float(points) / _THOUSAND:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _values(key: str, word: str, text: str) -> dict[str, Any]:
    """Return the fields of `Settings` that a setting changes. Raises `SettingError`."""
    value = text.strip(" =,")
    pair = _PAIR.fullmatch(value)
    texts = pair.groups() if pair else re.split("[ ,/]+", value) if key == "uma" else [value.replace(" ", "")]
    if not all(map(NUMBER.fullmatch, texts)):
        raise SettingError(f"{word} is followed by points such as {'30 10' if key == 'uma' else '25'}")
    numbers: tuple[int, ...] = tuple([points_of(each) for each in texts])
    if key != "uma":
        if len(numbers) > 1 or numbers[0] < 0:
            raise SettingError(f"{word} is followed by one number that is not negative")
        return {key: numbers[0]}
    if numbers == (0,):
        return {"four": (0, 0, 0, 0), "three": (0, 0, 0)}
    if len(numbers) == len(("first", "second")):
        first, second = max(numbers), min(numbers)
        numbers = (first, second, -second, -first)
    if len(numbers) not in USUAL_START or sum(numbers) != 0:
        raise SettingError(f"{word} is followed by two numbers, or by one for each place that add up to 0")
    return {"four" if len(numbers) == len(WINDS) else "three": numbers}


def points_of(text: str) -> int:
    """Return the points that a number of a setting means. Raises `SettingError`.

    >>> points_of("30"), points_of("+1.5"), points_of("25,000")
    (30000, 1500, 25000)
    """
    value = Fraction(text.replace(",", ""))
    points = value * _THOUSAND if abs(value) < _THOUSAND else value
    if points.denominator != 1:
        raise SettingError(f"{text} is no number of whole points")
    return int(points)


def _spelled(value: Any) -> str:
    if not isinstance(value, tuple):
        return value if isinstance(value, str) else spell(value)
    usual = value[:2] == tuple(-each for each in value[:1:-1]) and value[0] >= value[1] >= 0
    return " ".join(map(spell, value[:2] if usual else value))


def _is_readable(key: str, value: Any) -> bool:
    """Return whether the text of a setting is read as the setting."""
    settings = Settings(**{key: value})
    try:
        return Settings().after(" ".join(settings.words())) == settings
    except SettingError:
        return False
