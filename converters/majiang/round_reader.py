"""Reads the steps of a round.

``[{"qipai":{...}}, {"zimo":{"l":0,"p":"m1"}}, {"dapai":{"l":0,"p":"z2_"}}, ..., {"pingju":{...}}]``

A step is an object with one key, its kind. `l` is a player, counted from the dealer of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, field, structs

from mjconv.converters.majiang.head import KEY
from mjconv.converters.majiang.result_writer import write_draw, write_win
from mjconv.converters.majiang.results import (
    CallStep,
    DealStep,
    DiscardStep,
    DoraStep,
    DrawnStep,
    DrawStep,
    StepValues,
    WinStep,
    read_deltas,
    read_draw,
    read_win,
    stated,
)
from mjconv.converters.majiang.tiles import (
    SEATS,
    TILE_OF,
    UNSEEN,
    hand_of,
    is_usual,
    read_call,
    read_hand,
    write_call,
)
from mjconv.converters.majiang.vocabulary import MESSAGE_OF, YAKU_OF
from mjconv.converters.shared.extras import as_extras
from mjconv.converters.shared.json_values import (
    CannotHoldError,
    Path,
    WrongValueError,
    as_struct,
    check_list,
    shown,
)
from mjconv.converters.shared.winning_hands import misnamed
from mjconv.ir import events as ev
from mjconv.ir.match import Frozen, Round
from mjconv.ir.melds import event_of
from mjconv.ir.play import Play, keep_play, play_of
from mjconv.ir.seats import turned
from mjconv.ir.tiles import HAND, HIDDEN, WINDS, Tile

#: The most steps of a round: no game has so many.
_MOST_STEPS: Final = 1000
#: The plain draws and discards by the seat of the dealer, the kind of their steps, and the values `p` and `l`.
_TURNS: Final[list[Mapping[str, Mapping[str, Mapping[int, ev.Event]]]]] = [
    {
        "zimo": {
            spelling: {player: ev.Draw((first + player) % SEATS, tile) for player in range(SEATS)}
            for spelling, tile in TILE_OF.items()
        },
        "dapai": {
            spelling + sign: {
                player: ev.Discard((first + player) % SEATS, tile, tsumogiri=bool(sign)) for player in range(SEATS)
            }
            for spelling, tile in TILE_OF.items()
            if tile != HIDDEN
            for sign in ("", UNSEEN)
        },
    }
    for first in range(SEATS)
]


class MajiangRoundExtras(Frozen, frozen=True):
    """The steps of a round that are spelled otherwise than usual, by their index. The hub has no field for it."""

    steps: dict[str, Any] = field(default_factory=dict)


def read_round(value: Any, play: Play | None = None) -> RoundReading:
    """Return the reading of a round. Raises `WrongValueError` with the path in the round.

    `play` is the play of the round that was written, if one was.

    >>> deal = {"zhuangfeng": 0, "jushu": 1, "shoupai": ["_" * 13] * 4, "baopai": "m1"}
    >>> read_round([{"qipai": deal}, {"zimo": {"l": 0, "p": "m0"}}, {"dapai": {"l": 0, "p": "m0_"}}]).events[1:]
    [Draw(actor=1, pai='5mr'), Discard(actor=1, pai='5mr', tsumogiri=True)]
    """
    check_list(value, (), "a list of steps that begins with qipai", 1, _MOST_STEPS)
    reading = RoundReading(value, play)
    reading.read()
    return reading


class RoundReading:
    """Reads the steps of one round in their order. Before `read`, it is the reading of no round."""

    def __init__(self, value: list[Any], play: Play | None = None) -> None:
        self.value = value
        self.play = play
        self.events: list[ev.Event] = []
        #: The index of the step of each event.
        self.steps: list[int] = []
        #: The indices of the steps that are spelled otherwise than usual.
        self.odd: list[int] = []
        #: Messages about unknown names and values that contradict the round, each with its path in the round.
        self.odd_values: list[tuple[Path, str]] = []
        #: The seats of three rons.
        self.blocked: tuple[int, ...] = ()
        self.first = 0
        self.riichi = [False] * SEATS
        #: The player whose riichi is not yet accepted.
        self.waiting: int | None = None
        self.after_kan = False
        #: The indices of the events of results.
        self.results: list[int] = []

    def round(self) -> Round:
        """Return the round. It keeps the steps that are spelled otherwise than usual."""
        kept = {str(index): self.value[index] for index in self.odd}
        extras = as_extras(KEY, MajiangRoundExtras(kept))
        return keep_play(Round(self.events, blocked=self.blocked, extras=extras), self.play)

    def read(self) -> None:
        """Read the steps. Raises `WrongValueError` with the path in the round."""
        inside: Path = ()
        events, steps = self.events, self.steps
        turns: Mapping[str, Mapping[str, Mapping[int, ev.Event]]] = {}
        index = 0
        try:
            for index, step in enumerate(self.value):
                if type(step) is not dict or len(step) != 1:
                    as_struct(step, dict)
                    raise WrongValueError(f"expected an object with one kind of step, not {shown(step)}")
                [kind] = step
                body = step[kind]
                try:
                    player = body["l"]
                    event = turns[kind][body["p"]][player]
                    if type(player) is int and len(body) == 2:
                        events.append(event)
                        continue
                except (KeyError, TypeError):
                    pass
                # Each plain turn before this step has one event.
                steps += range(index - len(events) + len(steps), index)
                inside = (kind,)
                self._read_step(index, kind, body)
                inside = ()
                steps += [index] * (len(events) - len(steps))
                # A turn after a riichi or a kan is more than its event.
                is_plain = self.waiting is None and not self.after_kan and not self.results
                turns = _TURNS[self.first] if is_plain else {}
        except WrongValueError as error:
            raise error.within(index, *inside) from None
        steps += range(len(self.value) - len(events) + len(steps), len(self.value))
        if self.results:
            self._compare_results()
            self.events.append(ev.EndRound())
            self.steps.append(len(self.value) - 1)

    def _read_step(self, index: int, kind: str, body: Any) -> None:
        """Read a step of any kind. Raises `WrongValueError` with the path in the values of the step."""
        if kind not in _KINDS:
            raise WrongValueError(f"unknown kind of step {shown(kind)}; known are {', '.join(_KINDS)}")
        read, values = _KINDS[kind]
        step = as_struct(body, values, "a tile such as m1, p0 or z7")
        if index == 0 or self.results or kind == "qipai":
            self._check_place(index, kind)
        if not read(self, step) or not _FIELDS[kind].issuperset(body):
            self.odd.append(index)

    def _check_place(self, index: int, kind: str) -> None:
        """Raise `WrongValueError` if a step of this kind cannot have this index, or follow the end of a round."""
        if (index == 0) != (kind == "qipai"):
            message = "a round begins with qipai" if index == 0 else "qipai is the first step of a round only"
            raise WrongValueError(message)
        if self.results and kind != "hule":
            raise WrongValueError(f"there is a {kind} after the end of the round")

    def _compare_results(self) -> None:
        """Find the results that are spelled otherwise than usual: this needs the hands."""
        deal: Any = self.events[0]
        self.play = play_of(keep_play(Round(self.events), self.play))
        table = self.play.table
        for event_index in self.results:
            event, step = self.events[event_index], self.steps[event_index]
            [body] = self.value[step].values()
            path = (step, *self.value[step])
            if isinstance(event, ev.Win):
                yakus = body.get("hupai") or ()
                self._note_unknown(yakus, path)
                names = [YAKU_OF.get(yaku["name"], "") for yaku in yakus]
                message = misnamed(names, event, table, deal.bakaze or WINDS[0])
                if message is not None:
                    self.odd_values.append(((*path, "hupai"), message))
                written = _written(write_win, event, table, deal)
            else:
                written = _written(write_draw, event, table, deal, self.blocked)
            if written == body:
                continue
            if step not in self.odd:
                self.odd.append(step)
            if written is not None:
                self._compare(body, written, path)

    def _note_unknown(self, yakus: Sequence[Mapping[str, Any]], path: Path) -> None:
        """Note each yaku that nobody knows."""
        for index, yaku in enumerate(yakus):
            if yaku["name"] not in MESSAGE_OF:
                message = f"the win has a yaku that mjconv does not know: {shown(yaku['name'])}. It was kept"
                self.odd_values.append(((*path, "hupai", index, "name"), message))

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

    # Each of these reads a step of the kind of its name, and returns whether it is spelled as usual.

    def _qipai(self, step: DealStep) -> bool:
        self.first = step.jushu
        dealt = [self._hand(hand, index) for index, hand in enumerate(step.shoupai)]
        self.events.append(
            ev.StartRound(
                UNSET if step.zhuangfeng is None else WINDS[step.zhuangfeng],
                UNSET if step.baopai is None else TILE_OF[step.baopai],
                step.jushu + 1,
                stated(step.changbang),
                stated(step.lizhibang),
                step.jushu,
                read_deltas(step.defen, step.jushu),
                turned(tuple(dealt), -step.jushu),
            )
        )
        return all(map(is_usual, step.shoupai)) and None not in structs.astuple(step)

    def _hand(self, value: str, index: int) -> tuple[Tile, ...]:
        tiles = None if "," in value else read_hand(value)
        if tiles is None or len(tiles) != HAND:
            raise WrongValueError(
                f"expected a hand of 13 tiles such as m123p055…, not {shown(value)}", ("shoupai", index)
            )
        return tiles

    def _zimo(self, step: DrawStep, *, after_kan: bool = False) -> bool:
        self._accept()
        self.events.append(_TURNS[self.first]["zimo"][step.p][step.l])
        usual = self.after_kan is after_kan
        self.after_kan = False
        return usual

    def _gangzimo(self, step: DrawStep) -> bool:
        return self._zimo(step, after_kan=True)

    def _dapai(self, step: DiscardStep) -> bool:
        seat, discards = (self.first + step.l) % SEATS, _TURNS[self.first]["dapai"]
        turns = discards.get(step.p)
        usual = True
        if turns is None:
            tile, signs = step.p[:2], step.p[2:]
            turns = discards.get(f"{tile}_" if "_" in signs else tile)
            if turns is None or signs not in ("*", "_*", "*_"):
                raise WrongValueError(f"expected a discard such as m1, m1_ or m1_*, not {shown(step.p)}", ("p",))
            self.events.append(ev.Riichi(seat))
            self.riichi[seat] = True
            self.waiting = seat
            usual = signs != "*_"
        self.events.append(turns[step.l])
        return usual

    def _fulou(self, step: CallStep) -> bool:
        message = f"expected a chi, pon or kan of another player's tile, such as m340-, not {shown(step.m)}"
        return self._call(step, message, of_other=True)

    def _gang(self, step: CallStep) -> bool:
        return self._call(step, f"expected a kan such as z1111 or p555-5, not {shown(step.m)}", of_other=False)

    def _kaigang(self, step: DoraStep) -> bool:
        self.events.append(ev.Dora(TILE_OF[step.baopai]))
        return True

    def _hule(self, step: WinStep) -> bool:
        self.events.append(read_win(step, self.first, riichi=self.riichi))
        self.results.append(len(self.events) - 1)
        return True

    def _pingju(self, step: DrawnStep) -> bool:
        draw, reason, seats = read_draw(step, self.first)
        if reason == "triple_ron":
            self.blocked = tuple(seats)
        else:
            self._accept()
        self.events.append(draw)
        self.results.append(len(self.events) - 1)
        return True

    # Shared by the steps.

    def _call(self, step: CallStep, message: str, *, of_other: bool) -> bool:
        seat = (self.first + step.l) % SEATS
        call = read_call(step.m, seat)
        if call is None or (call.kind in ev.CALLS) != of_other:
            raise WrongValueError(message, ("m",))
        if of_other:
            self._accept()
        self.events.append(event_of(call, seat))
        self.after_kan = call.kind not in ("chi", "pon")
        return bool(_written(write_call, call, seat) == step.m)

    def _accept(self) -> None:
        """Accept the riichi that waits: the next player draws or calls, so nobody won on the discard."""
        if self.waiting is not None:
            # It belongs to the step of the discard; the place of this step is as good.
            self.events.append(ev.RiichiAccepted(self.waiting))
            self.waiting = None


#: For each kind of step: the method that reads it, and its values.
_KINDS: Final[Mapping[str, tuple[Callable[[RoundReading, Any], bool], type[StepValues]]]] = {
    "qipai": (RoundReading._qipai, DealStep),
    "zimo": (RoundReading._zimo, DrawStep),
    "gangzimo": (RoundReading._gangzimo, DrawStep),
    "dapai": (RoundReading._dapai, DiscardStep),
    "fulou": (RoundReading._fulou, CallStep),
    "gang": (RoundReading._gang, CallStep),
    "kaigang": (RoundReading._kaigang, DoraStep),
    "hule": (RoundReading._hule, WinStep),
    "pingju": (RoundReading._pingju, DrawnStep),
}

_FIELDS: Final = {kind: frozenset(values.__struct_fields__) for kind, (_, values) in _KINDS.items()}


def _written(write: Callable[..., Any], *about: Any) -> Any:
    """Return the value that the writer writes; None where it cannot spell it."""
    try:
        return write(*about)
    except CannotHoldError:
        return None
