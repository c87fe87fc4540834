"""Reads the steps of a round.

``[{"qipai":{...}}, {"zimo":{"l":0,"p":"m1"}}, {"dapai":{"l":0,"p":"z2_"}}, ..., {"pingju":{...}}]``

A step is an object with one key, its kind. `l` is a player, counted from the dealer of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET, field

from mjconv.converters.majiang.head import KEY
from mjconv.converters.majiang.result_writer import write_draw, write_win
from mjconv.converters.majiang.results import (
    by_seat,
    read_deltas,
    read_draw,
    read_number,
    read_seat,
    read_tile,
    read_win,
)
from mjconv.converters.majiang.tiles import (
    SEATS,
    TILE_OF,
    UNSEEN,
    hand_of,
    in_order,
    read_call,
    read_hand,
    write_call,
    write_tiles,
)
from mjconv.converters.shared.extras import as_extras
from mjconv.converters.shared.json_places import Path
from mjconv.converters.shared.json_values import (
    CannotHoldError,
    WrongValueError,
    check_list,
    check_number,
    check_text,
    shown,
)
from mjconv.converters.shared.walls import HAND
from mjconv.ir import events as ev
from mjconv.ir.match import Frozen, Meld, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import WINDS, Tile

#: The path to a step in its round: its index, and its kind.
StepPath: TypeAlias = tuple[int, str]

#: The most steps of a round: no game has so many.
_MOST_STEPS: Final = 1000
#: The keys of each kind of step.
KEYS: Final[Mapping[str, frozenset[str]]] = {
    "qipai": frozenset({"zhuangfeng", "jushu", "changbang", "lizhibang", "defen", "baopai", "shoupai"}),
    **dict.fromkeys(("zimo", "gangzimo", "dapai"), frozenset({"l", "p"})),
    **dict.fromkeys(("fulou", "gang"), frozenset({"l", "m"})),
    "kaigang": frozenset({"baopai"}),
    "hule": frozenset(
        {"l", "shoupai", "baojia", "fubaopai", "fu", "fanshu", "damanguan", "defen", "hupai", "fenpei"}
    ),
    "pingju": frozenset({"name", "shoupai", "fenpei"}),
}

#: By seat and spelling: the draw, and the discard of a tile drawn (`_`) or of the hand.
_DRAWS: Final = [{spelling: ev.Draw(seat, tile) for spelling, tile in TILE_OF.items()} for seat in range(SEATS)]
_DISCARDS: Final = [
    {
        spelling + sign: ev.Discard(seat, tile, tsumogiri=bool(sign))
        for spelling, tile in TILE_OF.items()
        if spelling != "_"
        for sign in ("", "_")
    }
    for seat in range(SEATS)
]


class MajiangRoundExtras(Frozen, frozen=True):
    """The steps of a round that are spelled otherwise than usual, by their index. The hub has no field for it."""

    steps: dict[str, Any] = field(default_factory=dict)


class RoundReading(NamedTuple):
    """What a round was read as.

    `steps` has the index of the step of each event. `odd` are the indices of the steps that are spelled otherwise
    than usual. `odd_values` are messages about unknown names and about values that contradict the round, each with
    its path in the round. `blocked` are the seats of three rons.
    """

    events: list[ev.Event]
    steps: list[int]
    odd: list[int]
    odd_values: list[tuple[Path, str]]
    blocked: tuple[int, ...] = ()

    def round(self, value: list[Any]) -> Round:
        """Return the round. `value` are its steps. It keeps the steps that are spelled otherwise than usual."""
        kept = {str(index): value[index] for index in self.odd}
        return Round(self.events, blocked=self.blocked, extras=as_extras(KEY, MajiangRoundExtras(kept)))


def read_round(value: Any) -> RoundReading:
    """Return the events of a round. Raises `WrongValueError` with the path in the round.

    >>> deal = {"zhuangfeng": 0, "jushu": 1, "shoupai": ["_" * 13] * 4, "baopai": "m1"}
    >>> read_round([{"qipai": deal}, {"zimo": {"l": 0, "p": "m0"}}, {"dapai": {"l": 0, "p": "m0_"}}]).events[1:]
    [Draw(actor=1, pai='5mr'), Discard(actor=1, pai='5mr', tsumogiri=True)]
    """
    return _StepReader(value).read()


class _StepReader:
    """Reads the steps of one round in their order."""

    def __init__(self, value: Any) -> None:
        self.value = check_list(value, (), "a list of steps, of which the first is qipai", 1, _MOST_STEPS)
        self.events: list[ev.Event] = []
        self.steps: list[int] = []
        self.odd: list[int] = []
        self.odd_values: list[tuple[Path, str]] = []
        self.blocked: tuple[int, ...] = ()
        self.first = 0
        self.riichi = [False] * SEATS
        #: The player whose riichi is not yet accepted.
        self.waiting: int | None = None
        self.after_kan = False
        self.ended = False

    def read(self) -> RoundReading:
        for index, step in enumerate(self.value):
            self._read_step(step, index)
        if self.ended:
            self._compare_results()
            self.events.append(ev.EndRound())
            self.steps.append(len(self.value) - 1)
        return RoundReading(self.events, self.steps, self.odd, self.odd_values, self.blocked)

    def _read_step(self, step: Any, index: int) -> None:
        if not isinstance(step, dict) or len(step) != 1:
            raise WrongValueError(f"expected an object with one kind of step, not {shown(step)}", (index,))
        [(kind, body)] = step.items()
        handler = _HANDLERS.get(kind)
        if handler is None:
            known = ", ".join(_HANDLERS)
            raise WrongValueError(f"unknown kind of step {shown(kind)}; known are {known}", (index, kind))
        if not isinstance(body, dict):
            raise WrongValueError(f"expected the values of {kind}, not {shown(body)}", (index, kind))
        if (index == 0) != (kind == "qipai"):
            message = "a round begins with qipai" if index == 0 else "qipai is the first step of a round only"
            raise WrongValueError(message, (index, kind))
        if self.ended and kind != "hule":
            raise WrongValueError(f"there is a {kind} after the end of the round", (index, kind))
        before = len(self.events)
        usual = handler(self, body, (index, kind))
        self.steps += [index] * (len(self.events) - before)
        if not usual or not KEYS[kind].issuperset(body):
            self.odd.append(index)

    def _compare_results(self) -> None:
        """Find the results that are spelled otherwise than usual: this needs the hands."""
        deal: Any = self.events[0]
        results = [index for index, event in enumerate(self.events) if type(event) in ev.RESULTS]
        table = Table.dealt(deal, strict=False)
        for event in self.events[: results[0]]:
            table.apply(event)
        for at in results:
            event, index = self.events[at], self.steps[at]
            [body] = self.value[index].values()
            if isinstance(event, ev.Win):
                written = _written(write_win, event, table, deal)
            else:
                written = _written(write_draw, event, table, deal, self.blocked)
            if written == body:
                continue
            if index not in self.odd:
                self.odd.append(index)
            if written is not None:
                self._compare(body, written, (index, *self.value[index]))

    def _compare(self, body: Mapping[str, Any], written: Mapping[str, Any], path: Path) -> None:
        """Note each hand that differs from the round, and a number of yakuman that differs from the yaku."""
        stated, right = body.get("shoupai"), written["shoupai"]
        pairs = [(stated, right)] if isinstance(right, str) else zip(stated or (), right, strict=False)
        for text, expected in pairs:
            if text and UNSEEN not in text + expected and hand_of(text) != hand_of(expected):
                message = f"the hand is {shown(text)}, but by the round it is {shown(expected)}"
                self.odd_values.append(((*path, "shoupai"), message))
        yakuman = body.get("damanguan")
        if yakuman is not None and body.get("hupai") and yakuman != written.get("damanguan", 0):
            message = f"damanguan is {shown(yakuman)}, but hupai has {written.get('damanguan', 0)} yakuman"
            self.odd_values.append(((*path, "damanguan"), message))

    # Each of these reads a step, and returns whether it is spelled as usual.

    def qipai(self, body: Mapping[str, Any], path: StepPath) -> bool:
        jushu = check_number(body.get("jushu"), (*path, "jushu"), "a round from 0 to 3", 0, SEATS - 1)
        self.first = jushu
        wind = read_number(body, "zhuangfeng", path, SEATS - 1)
        hands = body.get("shoupai")
        marker = body.get("baopai")
        check_list(hands, (*path, "shoupai"), "the hands of four players", SEATS, SEATS)
        dealt = [self._hand(hand, (*path, "shoupai", at)) for at, hand in enumerate(hands or ())]
        self.events.append(
            ev.StartRound(
                UNSET if wind is UNSET else WINDS[wind],
                UNSET if marker is None else read_tile(marker, (*path, "baopai")),
                jushu + 1,
                read_number(body, "changbang", path, ev.MOST_POINTS),
                read_number(body, "lizhibang", path, ev.MOST_POINTS),
                jushu,
                read_deltas(body.get("defen"), (*path, "defen"), jushu),
                by_seat(dealt, jushu),
            )
        )
        spelled = [write_tiles(hand) for hand in dealt] == hands
        return spelled and KEYS[path[1]] == body.keys() and None not in body.values()

    def _hand(self, value: Any, path: Path) -> tuple[Tile, ...]:
        tiles = read_hand(value) if isinstance(value, str) and "," not in value else None
        if tiles is None or len(tiles) != HAND:
            raise WrongValueError(f"expected a hand of 13 tiles such as m123p055…, not {shown(value)}", path)
        return tiles

    def zimo(self, body: Mapping[str, Any], path: StepPath) -> bool:
        seat = self._seat(body, path)
        tile = body.get("p")
        event = _DRAWS[seat].get(tile) if isinstance(tile, str) else None
        if event is None:
            read_tile(tile, (*path, "p"))
        self._accept()
        self.events.append(event)  # type: ignore[arg-type]
        usual = (path[1] == "gangzimo") is self.after_kan
        self.after_kan = False
        return usual

    def dapai(self, body: Mapping[str, Any], path: StepPath) -> bool:
        seat = self._seat(body, path)
        text = body.get("p")
        event = _DISCARDS[seat].get(text) if isinstance(text, str) else None
        usual = True
        if event is None:
            spelling = check_text(text, (*path, "p"), "a discard such as m1, m1_ or m1_*")
            tile, signs = spelling[:2], spelling[2:]
            event = _DISCARDS[seat].get(f"{tile}_" if "_" in signs else tile)
            if event is None or signs not in ("*", "_*", "*_"):
                raise WrongValueError(
                    f"expected a discard such as m1, m1_ or m1_*, not {shown(text)}", (*path, "p")
                )
            self.events.append(ev.Riichi(seat))
            self.riichi[seat] = True
            self.waiting = seat
            usual = signs != "*_"
        self.events.append(event)
        return usual

    def fulou(self, body: Mapping[str, Any], path: StepPath) -> bool:
        seat = self._seat(body, path)
        call = self._call(body, path, seat)
        if call is None or call.kind not in ev.CALLS:
            message = (
                f"expected a chi, pon or kan of another player's tile, such as m340-, not {shown(body.get('m'))}"
            )
            raise WrongValueError(message, (*path, "m"))
        self._accept()
        self.events.append(ev.CALLS[call.kind](seat, call.target, call.called, call.own))
        self.after_kan = call.kind == "daiminkan"
        return bool(_written(write_call, call, seat) == body["m"])

    def gang(self, body: Mapping[str, Any], path: StepPath) -> bool:
        seat = self._seat(body, path)
        call = self._call(body, path, seat)
        if call is None or call.kind in ev.CALLS:
            message = f"expected a kan such as z1111 or p555-5, not {shown(body.get('m'))}"
            raise WrongValueError(message, (*path, "m"))
        if call.called is UNSET or call.added is UNSET:
            self.events.append(ev.Ankan(seat, call.own))
        else:
            self.events.append(ev.Kakan(seat, call.added, in_order((*call.own, call.called))))
        self.after_kan = True
        return bool(_written(write_call, call, seat) == body["m"])

    def kaigang(self, body: Mapping[str, Any], path: StepPath) -> bool:
        self.events.append(ev.Dora(read_tile(body.get("baopai"), (*path, "baopai"))))
        return True

    def hule(self, body: Mapping[str, Any], path: StepPath) -> bool:
        win, unknown = read_win(body, path, self.first, riichi=self.riichi)
        self.odd_values += unknown
        self.events.append(win)
        self.ended = True
        return True

    def pingju(self, body: Mapping[str, Any], path: StepPath) -> bool:
        draw, reason, seats = read_draw(body, path, self.first)
        if reason == "triple_ron":
            self.blocked = tuple(seats)
        else:
            self._accept()
        self.events.append(draw)
        self.ended = True
        return True

    # Shared by the steps.

    def _seat(self, body: Mapping[str, Any], path: StepPath) -> int:
        at = body.get("l")
        if type(at) is int and 0 <= at < SEATS:
            return (self.first + at) % SEATS
        return read_seat(at, (*path, "l"), self.first)

    def _accept(self) -> None:
        """Accept the riichi that waits: the next player draws or calls, so nobody won on the discard."""
        if self.waiting is not None:
            # It belongs to the step of the discard; the place of this step is as good.
            self.events.append(ev.RiichiAccepted(self.waiting))
            self.waiting = None

    def _call(self, body: Mapping[str, Any], path: StepPath, seat: int) -> Meld | None:
        return read_call(check_text(body.get("m"), (*path, "m"), "a call such as m340- or z1111"), seat)


def _written(write: Callable[..., Any], *about: Any) -> Any:
    """Return the value that the writer writes; None where it cannot spell it."""
    try:
        return write(*about)
    except CannotHoldError:
        return None


_HANDLERS: Final[dict[str, Callable[[_StepReader, Mapping[str, Any], StepPath], bool]]] = {
    "qipai": _StepReader.qipai,
    "zimo": _StepReader.zimo,
    "gangzimo": _StepReader.zimo,
    "dapai": _StepReader.dapai,
    "fulou": _StepReader.fulou,
    "gang": _StepReader.gang,
    "kaigang": _StepReader.kaigang,
    "hule": _StepReader.hule,
    "pingju": _StepReader.pingju,
}
