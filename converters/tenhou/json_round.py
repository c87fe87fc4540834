"""Reads and writes a round of tenhou.net/6 JSON: 17 values. The last one is the result.

``[[round, honba, sticks], scores, indicators, ura, hand, takes, plays, ... of four players, result]``
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import UNSET

from mjconv.converters.shared.dora import CUSTOMS, Custom, with_dora
from mjconv.converters.shared.json_values import (
    CannotHoldError,
    Path,
    WrongValueError,
    check_list,
    check_number,
    shown,
)
from mjconv.converters.shared.walls import MOST_INDICATORS
from mjconv.converters.tenhou.json_results import RESULT, JsonResult, four_points, read_points, write_result
from mjconv.converters.tenhou.json_turns import (
    OrderError,
    Play,
    Take,
    Thrown,
    find_order,
    read_call,
    write_call,
)
from mjconv.converters.tenhou.vocabulary import LISTED, NUMBER_OF, TILE_OF
from mjconv.ir import events as ev
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Meld
from mjconv.ir.melds import event_of, meld_of
from mjconv.ir.table import Table
from mjconv.ir.tiles import HAND, HIDDEN, WINDS, Tile, sorted_tiles

#: The indices of the values of a round. Hand, takes and plays of each player, three values, begin at `_HANDS`.
_SCORES: Final = 1
_INDICATORS: Final = 2
_URA: Final = 3
_HANDS: Final = 4
_LENGTH: Final = 17
#: The most takes, and plays, of a player: no game has so many.
_MOST_TURNS: Final = 200
#: The number of a discard of the tile just drawn.
_DRAWN: Final = 60

#: The plays that are discards, by seat: a number, or a text that also declares riichi.
_THROWN: Final[list[Mapping[int | str, Thrown]]] = [
    {
        key: Thrown(None if number == _DRAWN else ev.Discard(seat, tile, False), riichi)
        for number, tile in {**TILE_OF, _DRAWN: HIDDEN}.items()
        for key, riichi in ((number, False), (f"r{number:02}", True))
    }
    for seat in range(LISTED)
]
#: The events of draws by seat and number, made once: events never change.
_DRAWS: Final[list[Mapping[int, ev.Draw]]] = [
    {number: ev.Draw(seat, tile) for number, tile in TILE_OF.items()} for seat in range(LISTED)
]
Item = TypeVar("Item")


def seats_of(log: list[Any], rule: Any = None) -> int:
    """Return the number of players of the rounds of an object: three if the fourth never has tiles.

    Without rounds the name of the rules decides.

    >>> seats_of([]), seats_of([[[0, 0, 0], [35000] * 3, [11], [], *[[11], [], []] * 3, [], [], [], ["流局"]]])
    (4, 3)
    >>> seats_of([], {"disp": "三般南喰赤"})
    3
    """
    last = slice(_HANDS + 3 * (LISTED - 1), RESULT)
    rounds = [each for each in log if isinstance(each, list) and len(each) == _LENGTH]
    named = isinstance(rule, dict) and str(rule.get("disp")).startswith("三")
    three = all(each[last] == [[], [], []] for each in rounds) if rounds else named
    return LISTED - 1 if three else LISTED


class JsonRoundReading(NamedTuple):
    """The value of a round, and its events.

    `custom` is the moment at which the dora of an open kan is turned. `unknown` are the words of the result that
    nobody knows, each with its path in the round.
    """

    value: Any
    events: list[ev.Event]
    custom: Custom = CUSTOMS[0]
    unknown: Sequence[tuple[Path, str]] = ()


def read_round(value: Any, seats: int, custom: Custom = CUSTOMS[0]) -> JsonRoundReading:
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
    for slot in range(_HANDS + 3 * seats, RESULT):
        if value[slot] != []:
            raise WrongValueError("a game of three players has no tiles of a fourth", (slot,))
    result = JsonResult(value[RESULT], seats)
    try:
        order = find_order(takes, plays, int(deal.oya or 0))
    except OrderError as error:
        slot = _HANDS + 3 * (error.seat or 0) + (1 if error.takes else 2)
        path: Path = () if error.seat is None else (slot, error.index)
        raise WrongValueError(str(error), path) from None
    events: list[ev.Event] = [deal, *order.events]
    if order.declared is not None and not result.takes_from(order.declared):
        events.append(ev.RiichiAccepted(order.declared))
    events += result.events(order.events, _markers(value, _URA))
    indicators = _markers(value, _INDICATORS)
    if len(indicators) > 1:
        events = with_dora(events, indicators[1:], custom)
    return JsonRoundReading(value, events, custom, result.unknown)


def _deal(value: list[Any], seats: int) -> ev.StartRound:
    head = check_list(value[0], (0,), "the round, honba and sticks", 3, 3)
    number = check_number(head[0], (0, 0), "a round from 0 to 15", 0, 15)
    wind, dealer = divmod(number, LISTED)
    if dealer >= seats:
        raise WrongValueError(f"there is no round {number} in a game of {seats} players", (0, 0))
    honba, sticks = (check_number(head[slot], (0, slot), "a number", 0, MOST_POINTS) for slot in (1, 2))
    indicators = _markers(value, _INDICATORS)
    return ev.StartRound(
        WINDS[wind],
        indicators[0] if indicators else UNSET,
        dealer + 1,
        honba,
        sticks,
        dealer,
        read_points(value[_SCORES], seats, (_SCORES,), "the points of each player"),
        tuple([_tiles(value, _HANDS + 3 * seat, "a hand of 13 tiles", HAND, HAND) for seat in range(seats)]),
    )


def _markers(value: list[Any], slot: int) -> tuple[Tile, ...]:
    return _tiles(value, slot, "at most 5 indicators", 0, MOST_INDICATORS)


def _tiles(value: list[Any], slot: int, expected: str, least: int, most: int) -> tuple[Tile, ...]:
    items = check_list(value[slot], (slot,), expected, least, most)
    return tuple(_each(items, slot, TILE_OF, lambda _: None, "a tile"))


def _takes(value: list[Any], seat: int) -> list[Take]:
    slot = _HANDS + 3 * seat + 1
    items = check_list(value[slot], (slot,), f"at most {_MOST_TURNS} takes of a player", 0, _MOST_TURNS)

    def call_of_other(item: Any) -> Any:
        call = read_call(item, seat) if isinstance(item, str) else None
        if call is None or call.kind not in ev.CALLS or call.target == seat:
            return None
        return event_of(call, seat)

    return _each(items, slot, _DRAWS[seat], call_of_other, "a tile, or a chi, pon or kan of another player's tile")


def _plays(value: list[Any], seat: int) -> list[Play]:
    slot = _HANDS + 3 * seat + 2
    items = check_list(value[slot], (slot,), f"at most {_MOST_TURNS} plays of a player", 0, _MOST_TURNS)
    thrown = _THROWN[seat]

    def riichi_or_kan(item: Any) -> Any:
        if not isinstance(item, str):
            return None
        call = read_call(item, seat)
        return thrown.get(item) if call is None or call.kind in ev.CALLS else event_of(call, seat)

    return _each(items, slot, thrown, riichi_or_kan, "a discard, or a kan of the player's own tiles")


def _each(
    items: list[Any], slot: int, by_number: Mapping[Any, Item], read: Callable[[Any], Item | None], expected: str
) -> list[Item]:
    """Return what each item of a list is read as: a number in a table, anything else by a function.

    Raises `WrongValueError` for an item that is not in the table, or that the function reads as None.
    """
    values = [by_number.get(item) if type(item) is int else read(item) for item in items]
    # No value but None is false, and `None in values` compares it with each event.
    if not all(values):
        index = values.index(None)
        raise WrongValueError(f"expected {expected}, not {shown(items[index])}", (slot, index))
    return values  # type: ignore[return-value]


# The places of events.

#: The values of a deal, by the key of the hub.
_DEAL_PATHS: Final[Mapping[str, Path]] = {
    "bakaze": (0, 0),
    "kyoku": (0, 0),
    "oya": (0, 0),
    "honba": (0, 1),
    "kyotaku": (0, 2),
    "scores": (_SCORES,),
    "dora_marker": (_INDICATORS, 0),
    "tehais": (_HANDS,),
}
#: The values of a win, by the key of the hub: the index in the list of its seats and words.
_WIN_WORDS: Final = {"actor": 0, "target": 1, "pao": 2, "fu": 3, "fan": 3, "hora_points": 3, "yakus": 4}


def path_of(events: Sequence[ev.Event], index: int, key: str, value: Sequence[Any]) -> Path:
    """Return the path of a key of an event, or of the event, in the value of its round; empty for the round.

    >>> hands = [*[[11] * 13, [], []] * 4]
    >>> path_of([ev.StartRound(), ev.Draw(2, "E")], 1, "", [[0, 0, 0], [], [], [], *hands, ["流局"]])
    (11, 0)
    """
    event: Any = events[index]
    before = [(type(one), getattr(one, "actor", None)) for one in events[:index]]
    kinds = [kind for kind, _ in before]
    kind = type(event)
    if kind is ev.StartRound:
        return _DEAL_PATHS.get(key, ())
    if kind is ev.Dora:
        return (_INDICATORS, 1 + kinds.count(ev.Dora))
    if kind is ev.Ryukyoku or kind is ev.EndRound:
        return (RESULT, 1) if key == "deltas" else (RESULT,)
    if kind is ev.Win:
        deltas = 1 + 2 * kinds.count(ev.Win)
        words = (RESULT, deltas + 1)
        own: dict[str, Path] = {"deltas": (RESULT, deltas), "ura_markers": (_URA,)}
        return own.get(key) or ((*words, _WIN_WORDS[key]) if key in _WIN_WORDS else words)
    if kind in ev.TAKES:
        taken = sum(one in ev.TAKES and seat == event.actor for one, seat in before)
        return (_HANDS + 3 * event.actor + 1, taken)
    if kind in ev.SHOWS or kind is ev.Riichi or kind is ev.RiichiAccepted:
        slot = _HANDS + 3 * event.actor + 2
        played = 0
        for one, seat in before:
            filled = one is ev.Daiminkan and value[slot][played : played + 1] == [0]
            played += seat == event.actor and (one in ev.SHOWS or filled)
        return (slot, max(played - (kind is ev.RiichiAccepted), 0))
    return ()


# Writing.


def write_round(events: Sequence[ev.Event], deal: ev.StartRound, table: Table) -> list[Any]:
    """Return the 17 values of a round, as Tenhou writes them. `deal` is the deal with all derived values.

    `table` is the table before the result. What the events do not state is not worked out here. Raises
    `CannotHoldError` where the round has something that the values cannot state.

    >>> deal = ev.StartRound("E", "3m", 1, 0, 0, 0, (25000,) * 4, (("1m",) * 13,) * 4)
    >>> write_round([deal, ev.Draw(0, "E"), ev.Ryukyoku("kyushu_kyuhai")], deal, Table.dealt(deal))[-4:]
    [[11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11], [], [], ['九種九牌']]
    """
    lists, seats = _Lists(table.melds), table.seats
    takes, plays, drawn = lists.takes, lists.plays, lists.drawn
    number_of = NUMBER_OF
    declared = False
    event: Any = None
    try:
        for event in events:
            kind = type(event)
            if kind is ev.Draw:
                takes[event.actor].append(number_of[event.pai])
                drawn[event.actor] = event.pai
            elif kind is ev.Discard:
                seat, tile = event.actor, event.pai
                as_drawn = drawn[seat] == tile and event.tsumogiri is not False
                number = _DRAWN if as_drawn else number_of[tile]
                plays[seat].append(f"r{number:02}" if declared else number)
                drawn[seat] = None
                declared = False
            elif kind is ev.Riichi:
                declared = True
            elif kind is ev.Dora:
                lists.dora.append(number_of[event.dora_marker])
            elif kind is ev.Win:
                lists.ura.append([number_of[tile] for tile in event.ura_markers or ()])
            elif kind in _WRITERS:
                _WRITERS[kind](lists, event)
        event = deal
        marker = [] if deal.dora_marker is UNSET else [number_of[deal.dora_marker]]
        tehais = deal.tehais or ((HIDDEN,) * HAND,) * seats
        hands = [[number_of[tile] for tile in sorted_tiles(hand)] for hand in tehais]
    except KeyError as error:
        reason = f"it has no number for the tile {error.args[0]}"
        message = f"tenhou.net/6 cannot hold this {ev.name_of(event)}: {reason}"
        raise CannotHoldError(message, events.index(event)) from None
    lists.drop_last_filler()
    game_round = LISTED * WINDS.index(deal.bakaze or "E") + int(deal.oya or 0)
    scores = deal.scores or (0,) * seats
    value: list[Any] = [
        [game_round, int(deal.honba or 0), int(deal.kyotaku or 0)],
        four_points(scores),
        [*marker, *lists.dora],
        max(lists.ura, key=len, default=[]),
    ]
    for seat in range(LISTED):
        value += (hands[seat] if seat < seats else [], lists.takes[seat], lists.plays[seat])
    value.append(write_result(events, deal, table))
    return value


class _Lists:
    """The takes and the plays of all players, while they are written. `melds` are their calls by seat."""

    def __init__(self, melds: Sequence[Sequence[Meld]]) -> None:
        self.melds = melds
        self.takes: list[list[int | str]] = [[] for _ in range(LISTED)]
        self.plays: list[list[int | str]] = [[] for _ in range(LISTED)]
        self.drawn: list[Tile | None] = [None] * LISTED
        self.dora: list[int] = []
        #: The ura indicators of each winner: the first winner in riichi has all.
        self.ura: list[list[int]] = []
        #: The number of plays of each player with the filler of the last daiminkan, 0 without one.
        self.filled = [0] * LISTED

    def call(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        seat = event.actor
        self.takes[seat].append(write_call(meld_of(event, ()), seat))
        self.drawn[seat] = None
        if type(event) is ev.Daiminkan:
            self.plays[seat].append(0)
            self.filled[seat] = len(self.plays[seat])

    def own_call(self, event: ev.Kakan | ev.Ankan | ev.Nukidora) -> None:
        seat = event.actor
        self.plays[seat].append(write_call(meld_of(event, self.melds[seat]), seat))
        self.drawn[seat] = None

    def drop_last_filler(self) -> None:
        """Drop the zero of a daiminkan after which the player plays nothing."""
        for plays, filled in zip(self.plays, self.filled, strict=True):
            if filled and len(plays) == filled:
                plays.pop()


_WRITERS: Final[dict[type, Any]] = {
    **dict.fromkeys((ev.Chi, ev.Pon, ev.Daiminkan), _Lists.call),
    **dict.fromkeys((ev.Kakan, ev.Ankan, ev.Nukidora), _Lists.own_call),
}
