"""Reads a round of tenhou.net/6 JSON: 17 values, of which the last is the result.

``[[round, honba, sticks], scores, indicators, ura, hand, takes, plays, ... of four players, result]``
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

from msgspec import UNSET, UnsetType

from mjconv.converters.shared.dora import CUSTOMS, Custom, with_dora
from mjconv.converters.shared.json_places import Path
from mjconv.converters.shared.json_values import WrongValueError, check_list, check_number, check_text, shown
from mjconv.converters.tenhou import vocabulary
from mjconv.converters.tenhou.json_calls import TILE_OF, CallKind, read_call
from mjconv.converters.tenhou.json_hands import in_messages
from mjconv.converters.tenhou.json_results import BROKEN_OFF, WON, Value, read_value, read_yaku
from mjconv.converters.tenhou.json_spellings import REASON_NAMES
from mjconv.converters.tenhou.order import DRAWS, Declared, OrderError, Play, Take, find_order
from mjconv.ir import events as ev
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import WINDS, Tile

#: The seats of every list of a round. Where three play, the last one is empty.
LISTED: Final = 4
#: The indices of the values of a round; those of a player's hand, takes and plays begin at `HANDS`, three each.
SCORES: Final = 1
INDICATORS: Final = 2
URA: Final = 3
HANDS: Final = 4
RESULT: Final = 16
_LENGTH: Final = 17
_HAND: Final = 13
_MOST_MARKERS: Final = 5
#: The most takes, and plays, of a player: no game has so many.
_MOST_TURNS: Final = 200
_MOST_YAKU: Final = 60
#: The number of a discard of the tile just drawn.
DRAWN: Final = 60

_PLAYS: Final[list[dict[int | str, Play]]] = [
    {
        DRAWN: None,
        f"r{DRAWN}": Declared(None),
        **{number: ev.Discard(seat, tile, False) for number, tile in TILE_OF.items()},
        **{f"r{number:02}": Declared(ev.Discard(seat, tile, False)) for number, tile in TILE_OF.items()},
    }
    for seat in range(LISTED)
]
_TAKES: Final[list[dict[int, Take]]] = [
    {number: DRAWS[seat][tile] for number, tile in TILE_OF.items()} for seat in range(LISTED)
]
_TAKEN_CALLS: Final[frozenset[CallKind]] = frozenset({"chi", "pon", "daiminkan"})
_TILE_OF: Final = dict(TILE_OF)
_INT: Final = {int}
_ITEMS: Final = {int, str}
_EXHAUSTED: Final = "exhaustive_draw"
#: The draws whose payments show who was in tenpai.
_NO_PAYMENTS: Final = frozenset({"nine_kinds", "four_winds", "four_riichi", "four_kans", "triple_ron"})


def seats_of(log: list[Any]) -> int:
    """Return the number of players of the rounds of an object: three if the fourth never has tiles.

    >>> seats_of([]), seats_of([[[0, 0, 0], [35000] * 3, [11], [], *[[11], [], []] * 3, [], [], [], ["流局"]]])
    (4, 3)
    """
    last = slice(HANDS + 3 * (LISTED - 1), RESULT)
    rounds = [each for each in log if isinstance(each, list) and len(each) == _LENGTH]
    return LISTED - 1 if rounds and all(each[last] == [[], [], []] for each in rounds) else LISTED


class RoundReading(NamedTuple):
    """The events of a round, and the words of its result that nobody knows, each with its path in the round."""

    events: list[ev.Event]
    unknown: list[tuple[Path, str]]


def read_round(value: Any, seats: int, custom: Custom = CUSTOMS[0]) -> RoundReading:
    """Return the events of a round. Raises `WrongValueError` with the path in the round.

    The order of the turns is found by trying. `custom` is the moment at which the dora of an open kan is turned.

    >>> hand = [11, 12, 13, 14, 15, 16, 17, 18, 19, 41, 41, 42, 42]
    >>> hands = [hand, [41], [], *[hand, [], []] * 3]
    >>> read_round([[0, 0, 0], [25000] * 4, [47], [], *hands, ["九種九牌"]], 4).events[1:]
    [Draw(actor=0, pai='E'), Ryukyoku(reason='kyushu_kyuhai', deltas=(0, 0, 0, 0)), EndRound()]
    """
    check_list(value, (), "a round of 17 values", _LENGTH, _LENGTH)
    deal = _deal(value, seats)
    takes = [_takes(value, seat) for seat in range(seats)]
    plays = [_plays(value, seat) for seat in range(seats)]
    for at in range(HANDS + 3 * seats, RESULT):
        if value[at] != []:
            raise WrongValueError("a game of three players has no tiles of a fourth", (at,))
    result = _Result(value[RESULT], seats)
    try:
        order = find_order(takes, plays, int(deal.oya or 0))
    except OrderError as error:
        path: Path = () if error.seat is None else (HANDS + 3 * error.seat + (1 if error.takes else 2), error.at)
        raise WrongValueError(str(error), path) from None
    events: list[ev.Event] = [deal, *order.events]
    if order.declared is not None and not result.takes_from(order.declared):
        events.append(ev.RiichiAccepted(order.declared))
    events += result.events(order.events, _markers(value, URA))
    indicators = _markers(value, INDICATORS)
    if len(indicators) > 1:
        events = with_dora(events, indicators[1:], custom)
    return RoundReading(events, result.unknown)


def _deal(value: list[Any], seats: int) -> ev.StartRound:
    head = check_list(value[0], (0,), "the round, honba and sticks", 3, 3)
    number = check_number(head[0], (0, 0), "a round from 0 to 15", 0, 15)
    wind, dealer = divmod(number, LISTED)
    if dealer >= seats:
        raise WrongValueError(f"there is no round {number} in a game of {seats} players", (0, 0))
    honba, sticks = (check_number(head[at], (0, at), "a number", 0, MOST_POINTS) for at in (1, 2))
    indicators = _markers(value, INDICATORS)
    return ev.StartRound(
        WINDS[wind],
        indicators[0] if indicators else UNSET,
        dealer + 1,
        honba,
        sticks,
        dealer,
        _points(value[SCORES], seats, (SCORES,), "the points of each player"),
        tuple([_hand(value, seat) for seat in range(seats)]),
    )


def _points(value: Any, seats: int, path: Path, expected: str) -> tuple[int, ...]:
    check_list(value, path, expected, seats, LISTED)
    for at, points in enumerate(value):
        check_number(points, (*path, at), expected, -MOST_POINTS, MOST_POINTS)
    if any(value[seats:]):
        raise WrongValueError("a game of three players has no points of a fourth", (*path, seats))
    return tuple(value[:seats])


def _hand(value: list[Any], seat: int) -> tuple[Tile, ...]:
    at = HANDS + 3 * seat
    return _tiles(check_list(value[at], (at,), "a hand of 13 tiles", _HAND, _HAND), at)


def _markers(value: list[Any], at: int) -> tuple[Tile, ...]:
    return _tiles(check_list(value[at], (at,), "at most 5 indicators", 0, _MOST_MARKERS), at)


def _tiles(items: list[Any], at: int) -> tuple[Tile, ...]:
    if _INT.issuperset(map(type, items)):
        tiles = [_TILE_OF.get(item, "") for item in items]
        if "" not in tiles:
            return tuple(tiles)
    return _wrong_item(items, at, lambda item: type(item) is int and item in TILE_OF, "a tile")


def _wrong_item(items: list[Any], at: int, is_right: Any, expected: str) -> NoReturn:
    index = next(index for index, item in enumerate(items) if not is_right(item))
    raise WrongValueError(f"expected {expected}, not {shown(items[index])}", (at, index))


def _takes(value: list[Any], seat: int) -> list[Take]:
    at = HANDS + 3 * seat + 1
    items = check_list(value[at], (at,), f"at most {_MOST_TURNS} takes of a player", 0, _MOST_TURNS)
    table = _TAKES[seat]
    types = set(map(type, items))
    if types <= _ITEMS:
        takes = [table.get(item) or _call(item, seat) for item in items]
        if None not in takes:
            return takes  # type: ignore[return-value]
    _wrong_item(
        items,
        at,
        lambda item: type(item) in _ITEMS and (table.get(item) or _call(item, seat)) is not None,
        "a tile, or a chi, pon or kan of another player's tile",
    )


def _call(item: int | str, seat: int) -> Take | None:
    call = read_call(item) if isinstance(item, str) else None
    return call if call is not None and call.kind in _TAKEN_CALLS and call.target(seat) != seat else None


def _plays(value: list[Any], seat: int) -> list[Play]:
    at = HANDS + 3 * seat + 2
    items = check_list(value[at], (at,), f"at most {_MOST_TURNS} plays of a player", 0, _MOST_TURNS)
    table = _PLAYS[seat]
    types = set(map(type, items))
    if types <= _ITEMS:
        try:
            return [table[item] if item in table else _own_kan(item) for item in items]
        except KeyError:
            pass
    _wrong_item(
        items,
        at,
        lambda item: type(item) in _ITEMS and (item in table or _is_own_kan(item)),
        "a discard, or a kan of the player's own tiles",
    )


def _own_kan(item: int | str) -> Play:
    """Return a kan of the player's own tiles, or a north. Raises `KeyError` for anything else."""
    call = read_call(item) if isinstance(item, str) else None
    if call is None or call.kind in _TAKEN_CALLS:
        raise KeyError(item)
    return call


def _is_own_kan(item: int | str) -> bool:
    try:
        return _own_kan(item) is not None
    except KeyError:
        return False


class _Result:
    """The last value of a round, checked: wins, a draw, or a round that breaks off."""

    def __init__(self, value: Any, seats: int) -> None:
        self.value = check_list(value, (RESULT,), "a result", 1)
        self.seats = seats
        self.name = check_text(value[0], (RESULT, 0), "the name of the result")
        self.wins: list[tuple[tuple[int, ...], list[Any]]] = []
        #: The words of wins that nobody knows, each with its path in the round.
        self.unknown: list[tuple[Path, str]] = []
        if self.name == WON:
            self._read_wins()

    def _read_wins(self) -> None:
        value = self.value
        if len(value) < 3 or len(value) % 2 == 0 or len(value) > 1 + 2 * (self.seats - 1):
            raise WrongValueError("expected the points of all players and the win, of each winner", (RESULT,))
        for at in range(1, len(value), 2):
            deltas = _points(value[at], self.seats, (RESULT, at), "the gains of each player")
            detail = check_list(value[at + 1], (RESULT, at + 1), "a win", 3, _MOST_YAKU)
            for index in range(3):
                path = (RESULT, at + 1, index)
                check_number(detail[index], path, "the seat of a player", 0, self.seats - 1)
            self.wins.append((deltas, detail))

    def takes_from(self, seat: int) -> bool:
        """Return whether somebody wins on the discard of this seat."""
        if self.wins:
            return any(detail[1] == seat != detail[0] for _, detail in self.wins)
        return vocabulary.reason_of(self.name) == "triple_ron"

    def events(self, play: Sequence[ev.Event], ura: tuple[Tile, ...]) -> list[ev.Event]:
        """Return the events of the result. `play` are the events before it."""
        if self.name == BROKEN_OFF:
            return []
        if not self.wins:
            return [self._draw(), ev.EndRound()]
        riichi = {event.actor for event in play if type(event) is ev.Riichi}
        norths = [event.actor for event in play if type(event) is ev.Nukidora]
        found: list[ev.Event] = []
        for number, (deltas, detail) in enumerate(self.wins):
            path = (RESULT, 2 * number + 2)
            found.append(self._win(deltas, detail, path, riichi, ura, norths.count(detail[0])))
        return [*found, ev.EndRound()]

    def _win(
        self,
        deltas: tuple[int, ...],
        detail: list[Any],
        path: Path,
        riichi: set[int],
        ura: tuple[Tile, ...],
        norths: int,
    ) -> ev.Win:
        actor, target, liable, *words = detail
        value: Value | None = None
        yakus: list[tuple[str, int]] = []
        for at, text in enumerate(words, 3):
            check_text(text, (*path, at), "the value of the hand or a yaku")
            yaku = None
            if at == 3:
                value = read_value(text, self.seats)
            else:
                yaku = read_yaku(text)
            if yaku is not None:
                yakus += _with_norths(in_messages(yaku[0]), yaku[1], norths)
            elif value is None or at > 3:
                self.unknown.append(((*path, at), text))
        points = UNSET if value is None else value.points
        value = value or Value(0)
        fan: int | UnsetType = sum(han for _, han in yakus) if yakus else UNSET
        if not yakus and value.han is not None:
            fan = value.han
        return ev.Win(
            actor,
            target,
            deltas=deltas,
            ura_markers=(ura or UNSET) if actor in riichi else (),
            yakus=tuple(yakus) if yakus else UNSET,
            fu=UNSET if value.fu is None else value.fu,
            fan=fan,
            hora_points=points,
            liable=liable if liable != actor else UNSET,
        )

    def _draw(self) -> ev.Ryukyoku:
        check_list(self.value, (RESULT,), "the name of the draw, and the gains of each player", 1, 2)
        reason = vocabulary.reason_of(self.name) or REASON_NAMES.get(self.name.lower(), "")
        deltas: tuple[int, ...] | UnsetType = UNSET
        tenpais: tuple[bool, ...] | UnsetType = UNSET
        if len(self.value) > 1:
            deltas = _points(self.value[1], self.seats, (RESULT, 1), "the gains of each player")
            if reason == _EXHAUSTED and any(deltas):
                tenpais = tuple([gain > 0 for gain in deltas])
        elif self.name in (vocabulary.ALL_TENPAI, vocabulary.NONE_TENPAI):
            tenpais = (self.name == vocabulary.ALL_TENPAI,) * self.seats
            deltas = (0,) * self.seats
        elif reason in _NO_PAYMENTS:
            deltas = (0,) * self.seats
        return ev.Ryukyoku(REASON_IN_MESSAGES.get(reason, self.name), tenpais=tenpais, deltas=deltas)


def _with_norths(name: str, han: int, norths: int) -> list[tuple[str, int]]:
    """Return a yaku, with the norths that were set aside apart from the other dora.

    >>> _with_norths("dora", 3, 2), _with_norths("reach", 1, 2)
    ([('dora', 1), ('nukidora', 2)], [('reach', 1)])
    """
    if name != "dora" or not 0 < norths <= han:
        return [(name, han)]
    return [*([("dora", han - norths)] if han > norths else []), ("nukidora", norths)]
