"""The lines of club results: a date, settings, names, or a game.

Blanks of all kinds separate words, and commas too. A name of several words needs commas around it, or points
after it. Quotes keep a name as it is. ``#`` begins a comment. Full-width signs are as the usual ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from msgspec import structs

from mjconv.converters.shared.settings import NUMBER, WORDS, SettingError, Settings, plainly, spell
from mjconv.ir.errors import LineError, shortened
from mjconv.ir.match import Rules
from mjconv.rules.scores import RIICHI_STICK, USUAL_START, after_uma

#: The words for a chombo; the writer uses the first.
CHOMBO: Final = ("chombo", "チョンボ", "错和", "錯和", "诈和", "詐和")
#: The units of points that people write: thousands, hundreds, whole points.
_UNITS: Final = (1000, 100, 1)
_MOST_POINTS: Final = 10**9
#: The most players of a line of names.
_MOST_NAMES: Final = 1000
_DECIMAL_COMMA: Final = re.compile(r"(?<![\w,.])[0-9]{1,3},[0-9]{1,2}(?![\w,.])")
_QUOTED: Final = r'"(?:[^"]|"")*"'
_CODE: Final = re.compile(rf'(?:[^#"]|{_QUOTED})*')
_DATE: Final = re.compile(r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?(?: ?\([^()]*\))?(?=[ ,]|$)")
_MONTH: Final = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY: Final = "[0-9]{1,2}(?:st|nd|rd|th)?"
_OTHER_DATE: Final = re.compile(
    r"[0-9]{1,2}(?:[-/][0-9]{1,2}(?:[-/][0-9]{2,4})?|\.[0-9]{1,2}\.[0-9]{2,4}| \w{3,9} [0-9]{4}|月[0-9]{1,2}日)"
    rf"|(?:[A-Za-z]+,? )?(?:{_DAY} {_MONTH}|{_MONTH} {_DAY})(?:,? [0-9]{{4}})?"
)
_END: Final = r"(?=[\s,=]|$)"
_TOKEN: Final = re.compile(
    rf"(?P<quoted>{_QUOTED})|(?P<number>{NUMBER.pattern})[点點kK]?{_END}|(?P<sign>[-?]){_END}|(?P<total>=)|(?P<comma>,)"
    r'|(?P<word>[^\s,="]+)|(?P<quote>")'
)


class State(NamedTuple):
    """The date, the settings and the names of the columns that hold for the next games."""

    date: date | None = None
    settings: Settings = Settings()
    names: tuple[str, ...] = ()


class Game(NamedTuple):
    """One game: its players, their whole points, and the chombo of each; no points if it did not end."""

    names: tuple[str, ...]
    points: tuple[int, ...] | None
    chombo: tuple[int, ...]

    def line(self, settings: Settings) -> str:
        """Return the line of the game, with the sum of its points where they are not the points of the start.

        >>> Game(("Ann", "Mei Wong", "7"), (60000, 25000, 19000), (0, 0, 1)).line(Settings())
        'Ann 60, Mei Wong 25, "7" 19 chombo = 104'
        """
        total, right = sum(self.points or ()), _total(settings, len(self.names))
        in_thousands = _unit(Fraction(total, 1000), right) == max(_UNITS)
        points = [spell(each) if in_thousands else str(each) for each in (*(self.points or ()), total)]
        columns = zip(self.names, points[:-1] or "?" * len(self.names), self.chombo, strict=True)
        cells = [" ".join([written(name), shown, *CHOMBO[:1] * times]) for name, shown, times in columns]
        return ", ".join(cells) + ("" if self.points is None or total == right else f" = {points[-1]}")


class _Token(NamedTuple):
    kind: str
    text: str
    offset: int


class _Cell(NamedTuple):
    """The points of a player: a number, ``-`` for who does not play, or ``?``."""

    name: str
    token: _Token
    chombo: int = 0


def code_of(line: str) -> str:
    """Return a line without its comment, which begins with ``#`` outside quotes.

    >>> code_of('"A#" 25 # late')
    '"A#" 25 '
    """
    plain = plainly(line)
    found = _CODE.match(plain)
    end = found.end() if found else 0
    return line if plain[end : end + 1] == '"' else line[:end]


def read_line(line: str, state: State) -> tuple[State, Game | None]:
    """Read a line: return the state after it, and its game, if it has one. Raises `LineError`.

    >>> read_line("Ann 42.3, Mei Wong 31, Cho 18.2, Dee 8.5", State())[1]
    Game(names=('Ann', 'Mei Wong', 'Cho', 'Dee'), points=(42300, 31000, 18200, 8500), chombo=(0, 0, 0, 0))
    >>> state, _ = read_line("2024/5/3", State(names=("Ann", "Ben", "Cho", "Dee")))
    >>> state.date, read_line("450 - 350 250", state)[1].names
    (datetime.date(2024, 5, 3), ('Ann', 'Cho', 'Dee'))
    """
    code = code_of(line)
    plain = plainly(code)
    begin = len(plain) - len(plain.lstrip())
    dated = _DATE.match(plain, begin)
    if dated is not None:
        try:
            state = state._replace(date=date(*map(int, dated.groups())))
        except ValueError:
            raise LineError(f"there is no day {shortened(dated[0])}", begin) from None
        begin = dated.end()
    elif _OTHER_DATE.fullmatch(plain.strip()):
        raise LineError("a date begins with the year, as in 2024-05-03", begin)
    pieces = _TOKEN.finditer(plain, begin)
    tokens = [_Token(one.lastgroup or "", code[slice(*one.span())], one.start()) for one in pieces]
    if not tokens:
        return state, None
    first = re.match(r"[^\W\d_]+", plainly(tokens[0].text))
    if tokens[0].kind == "word" and first is not None and first[0].casefold() in WORDS:
        try:
            return state._replace(settings=state.settings.after(code[begin:])), None
        except SettingError as error:
            raise LineError(str(error), tokens[0].offset) from None
    for token in tokens:
        if token.kind == "quote":
            raise LineError('a quotation mark " has no second one', token.offset)
    if not any(token.kind in ("number", "sign", "total") for token in tokens):
        return state._replace(names=_names(tokens)), None
    try:
        return state, _game(tokens, state)
    except LineError as error:
        if found := _DECIMAL_COMMA.search(plain):
            error.message += f"; if {found[0]} is one number, write {found[0].replace(',', '.')}"
        raise


def _names(tokens: Sequence[_Token]) -> tuple[str, ...]:
    """Return the names of a line: between commas if it has any, else each word is one."""
    commas = any(token.kind == "comma" for token in tokens)
    names: list[str] = []
    joins = False
    for token in tokens:
        if token.kind == "comma":
            joins = False
            continue
        if joins:
            names[-1] += f" {_name(token)}"
        else:
            names.append(_name(token))
        joins = commas
    if len(names) == 1:
        message = f"{shortened(names[0])!r} is no date, no setting, no names and no game; a comment begins with #"
        raise LineError(message, tokens[0].offset)
    if not min(USUAL_START) <= len(names) <= _MOST_NAMES:
        raise LineError(f"{len(names)} names, and a game has three or four", tokens[0].offset)
    _check_different(names, tokens[0].offset)
    return tuple(names)


def _name(token: _Token) -> str:
    return token.text[1:-1].replace('""', '"') if token.kind == "quoted" else token.text


def _check_different(names: Sequence[str], offset: int) -> None:
    for number, name in enumerate(names):
        if name in names[:number]:
            message = f"two players are called {shortened(name)}, and each needs a name of their own"
            raise LineError(message, offset)


def _game(tokens: Sequence[_Token], state: State) -> Game:
    """Return the game of a line: of points in columns under names, or of points behind names."""
    offset, total = tokens[0].offset, None
    for number, token in enumerate(tokens):
        if token.kind == "total":
            if number != len(tokens) - 2 or tokens[-1].kind != "number":
                raise LineError("= is followed by the sum of the points, at the end of the line", token.offset)
            total, tokens = _value(tokens[-1]), tokens[:number]
    cells = [cell for cell in _cells(tokens, state.names) if plainly(cell.token.text) != "-"]
    if len(cells) not in USUAL_START:
        reason = f"a game has points of three or four players, not of {len(cells)}"
        hint = "" if len(cells) > max(USUAL_START) else "; write all players of a game in one line"
        raise LineError(reason + hint, offset)
    names, chombo = tuple([cell.name for cell in cells]), tuple([cell.chombo for cell in cells])
    _check_different(names, offset)
    values = [_value(cell.token) for cell in cells if cell.token.kind == "number"]
    if not values and total is None:
        return Game(names, None, chombo)
    if len(values) < len(cells):
        raise LineError("? is for all players of a game that did not end", offset)
    points = _points(values, total, state.settings, offset)
    _check_rules(names, points, chombo, state.settings, offset)
    return Game(names, points, chombo)


def _cells(tokens: Sequence[_Token], columns: Sequence[str]) -> list[_Cell]:
    """Return the points of a line, each with its player: the name before it, or that of its column."""
    cells: list[_Cell] = []
    named: list[str] = []
    comma: _Token | None = None  # behind a name that has no points yet
    in_columns = tokens[:1] != [] and tokens[0].kind in ("number", "sign")
    for token in tokens:
        if token.kind in ("number", "sign"):
            if not (named or in_columns):
                reason = f"{token.text} belongs to no player: write the name before it"
                raise LineError(f"{reason}, or points alone below a line of names", token.offset)
            cells.append(_Cell(" ".join(named), token))
            named, comma = [], None
        elif token.kind == "word" and token.text.casefold() in CHOMBO and cells and not named:
            cells[-1] = cells[-1]._replace(chombo=cells[-1].chombo + 1)
        elif token.kind == "comma":
            comma = token if named else None
        elif comma:
            break
        elif in_columns:
            word = shortened(token.text)
            raise LineError(f"{word} is no points: write a number, or - who does not play", token.offset)
        else:
            named.append(_name(token))
    if named:
        raise LineError(f"{shortened(' '.join(named))} has no points", (comma or tokens[-1]).offset)
    if not in_columns:
        return cells
    if not columns:
        raise LineError("points before any names: write a line of names above them", tokens[0].offset)
    if len(cells) != len(columns):
        hint = "" if len(cells) > len(columns) else "; names of several words have commas between them"
        reason = f"{len(cells)} points, and the line of names has {len(columns)}: write - for who does not play"
        raise LineError(reason + hint, cells[min(len(cells) - 1, len(columns))].token.offset)
    return [cell._replace(name=name) for cell, name in zip(cells, columns, strict=True)]


def _value(token: _Token) -> Fraction:
    return Fraction(plainly(token.text).replace(",", "").rstrip("点點kK"))


def _total(settings: Settings, seats: int) -> int:
    return (USUAL_START[seats] if settings.start is None else settings.start) * seats


def _points(
    values: Sequence[Fraction], total: Fraction | None, settings: Settings, offset: int
) -> tuple[int, ...]:
    """Return whole points. Their unit is the one in which their sum is right. Raises `LineError` if none is."""
    right, own = _total(settings, len(values)), sum(values, Fraction(0))
    if total is not None and own not in (total, total * max(_UNITS)):
        raise LineError(f"the points add up to {_number(own)}, and not to {_number(total)}", offset)
    unit = _unit(own, right)
    if total is None and own * unit != right:
        unit = unit if own > 0 else max(_UNITS)
        shown, wanted = _number(own), _number(Fraction(right, unit))
        differ = own - Fraction(right, unit)
        much = f"{_number(abs(differ))} too {'many' if differ > 0 else 'few'}"
        each = Fraction(own * unit, len(values))
        hint = "" if own > 0 else "; write the points at the end, and not the results"
        if differ * unit in range(-RIICHI_STICK * len(values), 0, RIICHI_STICK):
            hint = f"; if they are right, write = {shown} behind them"
        if each % 1000 == 0 and each >= 0:
            hint += f"; if all begin with {spell(each)}, write start {spell(each)} above"
        raise LineError(f"the points add up to {shown}, and should add up to {wanted}: {much}{hint}", offset)
    points = [value * unit for value in values]
    for one in points:
        if one.denominator != 1 or abs(one) >= _MOST_POINTS:
            raise LineError(f"{_number(one / unit)} is no number of whole points", offset)
    return tuple(map(int, points))


def _unit(total: Fraction, right: int) -> int:
    """Return the unit in which a sum is nearest to the right one."""
    return min(_UNITS, key=lambda unit: abs(total * unit - right))


def _number(value: Fraction) -> str:
    """Return a number as people write it.

    >>> _number(Fraction(997, 10)), _number(Fraction(100000))
    ('99.7', '100000')
    """
    return spell(value * 1000)


def _check_rules(
    names: Sequence[str], points: Sequence[int], chombo: Sequence[int], settings: Settings, offset: int
) -> None:
    """Raise `LineError` if the settings do not decide what the points become."""
    try:
        rules = settings.rules(len(names)) or Rules()
    except SettingError as error:
        raise LineError(str(error), offset) from None
    if not settings.ties and undecided(points, rules):
        equal = next(each for each in points if points.count(each) > 1)
        tied = [name for name, each in zip(names, points, strict=True) if each == equal]
        equals = " and ".join(map(shortened, tied))
        raise LineError(f"{equals} have the same points: write ties share or ties dealer above", offset)
    if any(chombo) and settings.chombo is None:
        message = "the cost of a chombo is not stated: write chombo 20 above, or chombo 0 if the points have it"
        raise LineError(message, offset)


def undecided(points: Sequence[int], rules: Rules) -> bool:
    """Return whether it matters how equal points are placed.

    >>> undecided((40000, 30000, 30000, 0), Rules()), undecided((40000, 30000, 30000, 0), Rules(uma=(2, 1)))
    (False, True)
    """
    share, dealer = (structs.replace(rules, ties=ties) for ties in ("share", "dealer"))
    return after_uma(points, share) != after_uma(points, dealer)


def written(name: str) -> str:
    """Return a name as a line spells it: in quotes, unless it is read as a name without them.

    >>> [written(name) for name in ("Mei Wong", "石橋", "uma", "B 7")]
    ['Mei Wong', '石橋', '"uma"', '"B 7"']
    """
    try:
        for cells in ((name, "a.", "b."), ("a.", name, "b.")):
            line = ", ".join([f"{cell} 0" for cell in cells]) + " = 0"
            game = read_line(line, State())[1]
            # At the beginning of a file it is the byte order mark.
            if game is None or game.names != cells or name.startswith("\ufeff"):
                raise LineError("another name")
    except LineError:
        return '"' + name.replace('"', '""') + '"'
    return name
