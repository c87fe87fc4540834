"""The results of rounds in tenhou.net/6 JSON: who wins from whom, the value of the hand in words, and the yaku.

``["和了", [8000,0,0,-8000], [0,3,0,"満貫8000点","清一色(5飜)"]]``
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.json_values import (
    CannotHoldError,
    Path,
    WrongValueError,
    check_list,
    check_number,
    check_text,
)
from mjconv.converters.shared.winning_hands import Scored
from mjconv.converters.tenhou.vocabulary import ALL_TENPAI, LISTED, NONE_TENPAI, REASON_SPELLINGS, reason_of
from mjconv.converters.tenhou.yaku import in_messages, read_yaku, write_yaku, yaku_of
from mjconv.ir import events as ev
from mjconv.ir import message_names
from mjconv.ir.catalogue import catalogue
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.message_names import REASON_IN_MESSAGES, YAKUMAN_IN_MESSAGES
from mjconv.ir.table import Table
from mjconv.ir.tiles import WINDS, Tile
from mjconv.ir.vocabulary import REASONS
from mjconv.rules.riichi_values import payment
from mjconv.rules.tenpai import stated_tenpai

#: The index of the result in a round.
RESULT: Final = 16
#: The word for a win.
_WON: Final = "和了"
#: The result of a round that breaks off: Tenhou's own records do not break off.
_BROKEN_OFF: Final = "中断"
_EXHAUSTED: Final = "exhaustive_draw"
#: The most words of a win.
_MOST_WORDS: Final = 60
#: The most characters of a value that are read.
_LONGEST: Final = 200

#: By limit, from mangan to yakuman: Tenhou's name, and the names in records of other programs.
_NAMES: Final = catalogue(__name__, "limits.json", list[list[str]])
#: The name of a limit by its number in mjlog. 0 is none.
_LIMITS: Final = ("", *(names[0] for names in _NAMES))
_YAKUMAN: Final = 5
#: The number of each limit, by its names in small letters.
_LIMIT_NUMBERS: Final[Mapping[str, int]] = {
    name: number for number, names in enumerate(_NAMES, 1) for name in names
}
#: The size of each limit, in halves of a mangan, and its number.
_SIZES: Final = {2: 1, 3: 2, 4: 3, 6: 4}
_LEAST_YAKUMAN: Final = 8
_MANGAN_HAN: Final = 5
_VALUE: Final = re.compile(
    r"(?:(?P<fu>[0-9]{1,3})(?:符|Fu)(?P<han>[0-9]{1,3})(?:飜|翻|Han)|(?P<limit>[^0-9]{1,20}?))? ?"
    r"(?:(?P<low>[0-9]{1,9})-)?(?P<points>[0-9]{1,9})(?:点|Points)(?P<all>∀)?"
)


def read_points(value: Any, seats: int, path: Path, expected: str) -> tuple[int, ...]:
    """Return the points of all players. Raises `WrongValueError`.

    >>> read_points([35000, 35000, 35000, 0], 3, (1,), "the points of each player")
    (35000, 35000, 35000)
    """
    check_list(value, path, expected, seats, LISTED)
    for seat, points in enumerate(value):
        check_number(points, (*path, seat), expected, -MOST_POINTS, MOST_POINTS)
    if any(value[seats:]):
        raise WrongValueError("a game of three players has no points of a fourth", (*path, seats))
    return tuple(value[:seats])


def four_points(points: Sequence[int]) -> list[int]:
    """Return points of four seats. Where three play, the last one has 0.

    >>> four_points((35000,) * 3)
    [35000, 35000, 35000, 0]
    """
    return [*points, *[0] * (LISTED - len(points))]


# Reading.


class JsonResult:
    """The last value of a round, checked: wins, a draw, or a round that breaks off."""

    def __init__(self, value: Any, seats: int) -> None:
        self.value = check_list(value, (RESULT,), "a result", 1)
        self.seats = seats
        self.name = check_text(value[0], (RESULT, 0), "the name of the result")
        self.wins: list[tuple[tuple[int, ...], list[Any]]] = []
        #: The words of wins that nobody knows, each with its path in the round.
        self.unknown: list[tuple[Path, str]] = []
        if self.name == _WON:
            self._read_wins()

    def _read_wins(self) -> None:
        value = self.value
        if len(value) < 3 or len(value) % 2 == 0 or len(value) > 1 + 2 * (self.seats - 1):
            raise WrongValueError("expected the points of all players and the win, of each winner", (RESULT,))
        for place in range(1, len(value), 2):
            deltas = read_points(value[place], self.seats, (RESULT, place), "the gains of each player")
            detail = check_list(value[place + 1], (RESULT, place + 1), "a win", 3, _MOST_WORDS)
            for index in range(3):
                path = (RESULT, place + 1, index)
                check_number(detail[index], path, "the seat of a player", 0, self.seats - 1)
            self.wins.append((deltas, detail))

    def takes_from(self, seat: int) -> bool:
        """Return whether somebody wins on the discard of this seat."""
        if self.wins:
            return any(detail[1] == seat != detail[0] for _, detail in self.wins)
        return reason_of(self.name) == "triple_ron"

    def events(self, play: Sequence[ev.Event], ura: tuple[Tile, ...]) -> list[ev.Event]:
        """Return the events of the result. `play` are the events before it, `ura` the ura indicators."""
        if self.name == _BROKEN_OFF:
            return []
        if not self.wins:
            return [self._draw(), ev.EndRound()]
        return [*(self._win(number, play, ura) for number in range(len(self.wins))), ev.EndRound()]

    def _win(self, number: int, play: Sequence[ev.Event], ura: tuple[Tile, ...]) -> ev.Win:
        deltas, (actor, target, liable, *words) = self.wins[number]
        declared: list[ev.Riichi | ev.Nukidora] = ev.select(play, ev.Riichi, ev.Nukidora)
        own = [type(event) for event in declared if event.actor == actor]
        path = (RESULT, 2 * number + 2)
        value: Value | None = None
        yakus: list[tuple[str, int]] = []
        for index, text in enumerate(words, 3):
            check_text(text, (*path, index), "the value of the hand or a yaku")
            yaku = read_yaku(text) if index > 3 else None
            if index == 3:
                value = read_value(text, self.seats)
            if yaku is not None:
                yakus += in_messages(*yaku, own.count(ev.Nukidora))
            elif value is None or index > 3:
                self.unknown.append(((*path, index), text))
        points = UNSET if value is None else value.points
        value = value or Value(0)
        fan: int | UnsetType = sum(han for _, han in yakus) if yakus else UNSET
        if not yakus and value.han is not None:
            fan = value.han
        return ev.Win(
            actor,
            target,
            deltas=deltas,
            ura_markers=(ura or UNSET) if ev.Riichi in own else (),
            yakus=tuple(yakus) if yakus else UNSET,
            fu=UNSET if value.fu is None else value.fu,
            fan=fan,
            hora_points=points,
            liable=liable if liable != actor else UNSET,
        )

    def _draw(self) -> ev.Ryukyoku:
        check_list(self.value, (RESULT,), "the name of the draw, and the gains of each player", 1, 2)
        reason = reason_of(self.name) or ""
        deltas: tuple[int, ...] | UnsetType = UNSET
        tenpais: tuple[bool, ...] | UnsetType = UNSET
        if len(self.value) > 1:
            deltas = read_points(self.value[1], self.seats, (RESULT, 1), "the gains of each player")
            paid = stated_tenpai(ev.Ryukyoku(deltas=deltas), self.seats)
            # Other payments are those of a nagashi mangan, which some programs name like a usual draw.
            if reason == _EXHAUSTED and None not in paid:
                tenpais = tuple(map(bool, paid))
        elif self.name in (ALL_TENPAI, NONE_TENPAI):
            tenpais = (self.name == ALL_TENPAI,) * self.seats
            deltas = (0,) * self.seats
        elif reason in REASONS and REASONS[reason].abortive:
            deltas = (0,) * self.seats
        return ev.Ryukyoku(REASON_IN_MESSAGES.get(reason, self.name), tenpais=tenpais, deltas=deltas)


def differences_of_value(text: str, yaku: Sequence[Scored], win: ev.Win, table: Table) -> Iterator[str]:
    """Yield a message if the han of a value are not those of the yaku, and if its limit has other points.

    `text` are the words of the value. A value of fu and han may have the points of a limit.

    >>> table = Table(((), (), (), ()), oya=0)
    >>> list(differences_of_value("30符2飜2000点", [("riichi", 1)], ev.Win(1, 2), table))
    ['the value of the win states 2 han, but its yaku have 1']
    >>> list(differences_of_value("跳満8000点", [("riichi", 5)], ev.Win(1, 2), table))
    ['the win is named 跳満, but its 8000 points are another value']
    """
    value = read_value(text, table.seats)
    if value is None:
        return
    han = sum(han for _, han in yaku)
    if yaku and value.han not in (None, han):
        yield f"the value of the win states {value.han} han, but its yaku have {han}"
    dealer, tsumo = win.actor == table.oya, win.giver == win.actor
    if value.limit and value.limit != _limit(value.points, table.seats, dealer=dealer, tsumo=tsumo):
        yield f"the win is named {_LIMITS[value.limit]}, but its {value.points} points are another value"


# Writing.


def write_result(events: Sequence[ev.Event], deal: ev.StartRound, table: Table) -> list[Any]:
    """Return the result of a round. Raises `CannotHoldError` for a win whose points are not known.

    `table` is the table before the result.

    >>> draw = ev.Ryukyoku("exhaustive_draw", tenpais=(False,) * 4, deltas=(0,) * 4)
    >>> write_result([draw], ev.StartRound(), Table.dealt(ev.StartRound()))
    ['全員不聴']
    """
    seats = table.seats
    results: list[Any] = ev.select(events, ev.Win, ev.Ryukyoku)
    wins: list[Any] = []
    for event in results:
        if type(event) is ev.Win:
            if event.deltas is UNSET or len(event.deltas) != seats:
                raise CannotHoldError("the points that the win moves are not known", events.index(event))
            wins += [four_points(event.deltas), _win_words(event, deal, table)]
    if wins:
        return [_WON, *wins]
    if results:
        return _draw(results[0], seats)
    return [_BROKEN_OFF]


def _draw(event: ev.Ryukyoku, seats: int) -> list[Any]:
    deltas = event.deltas
    reason = _EXHAUSTED if event.reason is UNSET else message_names.reason_of(event.reason)
    if reason is not None:
        name = REASON_SPELLINGS.get(reason) or REASONS[reason].japanese
    else:
        name = str(event.reason)
        if name in (_WON, _BROKEN_OFF):
            # These words are no reasons of a draw.
            name = REASON_SPELLINGS[_EXHAUSTED]
    if reason is not None and REASONS[reason].abortive and not any(deltas or ()):
        return [name]
    tenpais = event.tenpais or ()
    if reason == _EXHAUSTED and len(tenpais) == seats and len(set(tenpais)) == 1 and not any(deltas or ()):
        return [ALL_TENPAI if tenpais[0] else NONE_TENPAI]
    return [name] if deltas is UNSET else [name, four_points(deltas)]


def _win_words(win: ev.Win, deal: ev.StartRound, table: Table) -> list[Any]:
    """Return the seats and the words of a win. `table` is the table before it.

    Where the points of the hand are not known, there are no words.

    >>> deal = ev.StartRound("E", oya=0, tehais=((), (), (), ()))
    >>> win = ev.Win(1, 2, fu=30, fan=2, hora_points=2000, yakus=(("reach", 1), ("pinfu", 1)))
    >>> _win_words(win, deal, Table.dealt(deal))
    [1, 2, 1, '30符2飜2000点', '立直(1飜)', '平和(1飜)']
    """
    seats = table.seats
    target = win.giver
    liable = win.actor if win.liable is UNSET else win.liable
    seated: list[Any] = [win.actor, target, liable]
    if win.hora_points is UNSET:
        return seated
    dealer, tsumo = win.actor == deal.oya, target == win.actor
    yakuman = any(name in YAKUMAN_IN_MESSAGES for name, _ in win.yakus or ())
    fan = win.fan if win.fan is not UNSET or not win.yakus else sum(han for _, han in win.yakus)
    # The points of a limit are more than the points of any fu and han below the limits.
    limit = _YAKUMAN if yakuman else _limit(win.hora_points, seats, dealer=dealer, tsumo=tsumo)
    fu, han = (None if number is UNSET else number for number in (win.fu, fan))
    value = Value(win.hora_points, fu, han, limit)
    words = write_value(value, seats, tsumo=tsumo, dealer=dealer)
    yaku = [write_yaku(name, han) for name, han in yaku_of(win, table, deal.bakaze or WINDS[0]).items() if han > 0]
    return [*seated, words, *yaku]


def _limit(points: int, seats: int, *, dealer: bool, tsumo: bool) -> int:
    """Return the number of the limit whose points these are, or 0.

    >>> _limit(12000, 4, dealer=True, tsumo=False), _limit(6000, 3, dealer=False, tsumo=True)
    (1, 1)
    """
    mangan = payment(_MANGAN_HAN, 0, 0, dealer, tsumo).total(seats - 1, dealer_wins=dealer)
    halves, rest = divmod(2 * points, mangan)
    return 0 if rest else _YAKUMAN if halves >= _LEAST_YAKUMAN else _SIZES.get(halves, 0)


# The value of a hand in words.


class Value(NamedTuple):
    """The value of a hand as words state it.

    `fu` and `han` are stated for hands below the limits, `limit` (a number of `_LIMITS`) for the others. `points`
    are all points of the hand, without honba and sticks.
    """

    points: int
    fu: int | None = None
    han: int | None = None
    limit: int = 0


def read_value(text: str, seats: int) -> Value | None:
    """Read the value of a hand, or return None where the text states none. `seats` is the number of players.

    >>> read_value("30符4飜2000-3900点", 4)
    Value(points=7900, fu=30, han=4, limit=0)
    >>> read_value("倍満8000点∀", 4), read_value("満貫2000-4000点", 3).points, read_value("?", 4)
    (Value(points=24000, fu=None, han=None, limit=3), 6000, None)
    """
    # The length is checked here: the cache keeps its keys.
    return _read_value(text, seats) if len(text) <= _LONGEST else None


@lru_cache(1024)
def _read_value(text: str, seats: int) -> Value | None:
    form = _VALUE.fullmatch(text)
    if form is None or (form["limit"] is not None and form["limit"].lower() not in _LIMIT_NUMBERS):
        return None
    points = int(form["points"])
    if form["low"] is not None:
        points += int(form["low"]) * (seats - 2)
    elif form["all"] is not None:
        points *= seats - 1
    fu, han = form["fu"], form["han"]
    limit = 0 if form["limit"] is None else _LIMIT_NUMBERS[form["limit"].lower()]
    return Value(points, None if fu is None else int(fu), None if han is None else int(han), limit)


def write_value(value: Value, seats: int, *, tsumo: bool, dealer: bool) -> str:
    """Write the value of a hand as Tenhou does. `dealer`: whether the dealer wins.

    >>> write_value(Value(7900, 30, 4), 4, tsumo=True, dealer=False)
    '30符4飜2000-3900点'
    >>> write_value(Value(24000, limit=3), 4, tsumo=True, dealer=True)
    '倍満8000点∀'
    """
    points, fu, han, limit = value
    words, other = _LIMITS[limit], points // seats
    if not limit and fu is not None and han is not None:
        words = f"{fu}符{han}飜"
        paid = payment(han, fu, tsumo=True)
        other = paid.other if paid.total(seats - 1, dealer_wins=False) == points else other
    if not tsumo:
        return f"{words}{points}点"
    if dealer:
        return f"{words}{points // (seats - 1)}点∀"
    return f"{words}{other}-{points - other * (seats - 2)}点"
