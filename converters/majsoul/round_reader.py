"""Reads the records of one round: their events, and the values that no event holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeVar

from msgspec import UNSET, UnsetType

from mjconv.converters.majsoul.call_reader import read_call, read_kan, read_north
from mjconv.converters.majsoul.containers import Act, number_of
from mjconv.converters.majsoul.deal_reader import Warn, read_deal
from mjconv.converters.majsoul.extras import Fields, built
from mjconv.converters.majsoul.records import (
    FIELDS,
    AnGangAddGang,
    BaBei,
    ChiPengGang,
    DealTile,
    DiscardTile,
    DoraRecord,
    FieldError,
    Hule,
    Liqi,
    LiuJu,
    convert,
    differing,
    trimmed,
)
from mjconv.converters.majsoul.result_reader import (
    THREE_RONS,
    others_of_hule,
    read_hule,
    read_liu_ju,
    read_no_tile,
)
from mjconv.converters.majsoul.state import State
from mjconv.converters.majsoul.tiles import AT_ONCE, DRAWS, FROM_HAND, TILE_OF
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, AnnotationKind, Round
from mjconv.ir.tiles import WINDS, Tile

_LIQI_FIELDS: Final = 3
_TURNS: Final[dict[str, type[DealTile | DiscardTile]]] = {"DealTile": DealTile, "DiscardTile": DiscardTile}
#: The kinds of the events of a player's connection, by their numbers.
_USER_EVENTS: Final[dict[int, AnnotationKind]] = {1: "returned", 2: "left"}
Turned = TypeVar("Turned", AnGangAddGang, BaBei)


class RoundReader:
    """Reads the records of a round one by one. `totals` are the values of the wins of each seat so far.

    Without `extras`, the values that no event holds are looked for (`seeks`) until the first is found.
    """

    def __init__(self, totals: list[int], warn: Warn, *, walls: bool, whole_walls: bool, extras: bool) -> None:
        self.totals = totals
        self.warn = warn
        self.walls = walls
        self.whole_walls = whole_walls
        self.extras = extras
        self.seeks = True
        self.events: list[ev.Event] = []
        #: The number of events before each record.
        self.firsts: list[int] = []
        self.kept: list[Any] = []
        self.passed: list[int] = []
        self.inputs: list[Any] = []
        self.beside: list[Any] = []
        self.annotations: list[Annotation] = []
        self.blocked: tuple[int, ...] = ()
        self.wall: tuple[Tile, ...] | UnsetType = UNSET
        self.fourteen = False
        self.state = State(0, 0, 0, (), ())
        self.wind: Tile = WINDS[0]
        self.first_discard = True
        self.over = False

    def read(self, name: str, data: Fields, passed: int | None) -> None:
        """Read a record. Raises `FieldError`."""
        begin = len(self.events)
        self.firsts.append(begin)
        self.seeks = self.extras or (passed is None and not self._has_extras())
        if self.over and name != "NewRound":
            raise FieldError(f"{name} comes after the result of its round")
        seat, index, kept = _HANDLERS[name](self, data)
        if kept:
            self.kept.append([index, kept])
        if passed is not None:
            if seat is not None and self.passed:
                took = max(passed - self.passed[-1], 0)
                self.annotations.append(Annotation(begin, "think_time", seat, took))
            self.passed.append(passed)

    def _has_extras(self) -> bool:
        return bool(self.passed or self.kept or self.inputs or self.beside)

    def read_turns(self, acts: Sequence[Act], at: int, end: int) -> int:
        """Read draws and discards that turn no dora and accept no riichi, in one loop.

        Returns the index of the first record that is another one, or that may be wrong: `read` reads it.
        """
        if self.over or self.first_discard or at == end:
            return at
        state, events, firsts, kept, times = self.state, self.events, self.firsts, self.kept, self.passed
        extras = self.extras
        seeks = extras or not self._has_extras()
        hands, left, drawn, last = state.hands, state.left, state.drawn, None
        discarded, annotations = state.discarded, self.annotations
        count, seats, turn = len(events), state.seats, state.turn
        event: ev.Draw | ev.Discard
        while at < end:
            act = acts[at]
            name, record, passed = act.name, act.data, act.passed
            if type(record) is dict:
                if not name and not extras:
                    self.read_beside(record)
                    at += 1
                    continue
                record = None if act.beside else _turn(name, record)
                if record is None:
                    break
            # In a struct of a usual file, an absent field is false.
            if name == "DealTile":
                seat = record.seat or 0
                if seat >= seats or record.liqi or record.doras or record.dora_marker:
                    break
                if record.left_tile_count != left - 1 and record.left_tile_count is not UNSET:
                    break
                left -= 1
                event = DRAWS[seat][record.tile]
                drawn = event.pai
                hands[seat].append(drawn)
                turn = seat
            elif name == "DiscardTile":
                seat = record.seat or 0
                if seat >= seats or record.is_liqi or record.is_wliqi or record.doras:
                    break
                event = last = (AT_ONCE if record.moqie else FROM_HAND)[seat][record.tile]
                drawn = None
                pai, hand = event.pai, hands[seat]
                if hand and hand[-1] == pai:
                    # The order of a hand does not matter.
                    hand.pop()
                elif pai in hand:
                    hand.remove(pai)
                discarded[seat] = True
                if passed is not None and times:
                    before = times[-1]
                    took = passed - before if passed > before else 0
                    annotations.append(Annotation(count, "think_time", seat, took))
            else:
                break
            # For a struct, one call gets all values that the reader does not read.
            if seeks and (record is not act.data or any(_unread(record.__class__)(record))):
                rest = _others(act.fields, name)
                if rest:
                    kept.append([count, rest])
                    seeks = extras
            if passed is not None:
                times.append(passed)
                seeks = extras
            firsts.append(count)
            events.append(event)
            count += 1
            at += 1
        state.left, state.drawn, state.turn = left, drawn, turn
        if last is not None:
            state.last_actor, state.last_tile = last.actor, last.pai
        return at

    def read_beside(self, data: Fields) -> None:
        """Read an input of a player, or a player who leaves or comes back. Empty fields are nothing."""
        if not data:
            return
        index = len(self.events)
        if self.extras:
            self.inputs.append([index, trimmed(data)])
        elif not self.inputs:
            self.inputs.append([index, data])
        user = data.get("user_input")
        if user and type(user) is dict and user.get("emo"):
            self._annotate(index, "emote", user, user["emo"])
        event = data.get("user_event")
        if event and type(event) is dict:
            kind = _USER_EVENTS.get(number_of(event, "type"))
            if kind is not None:
                self._annotate(index, kind, event, UNSET)

    def _annotate(self, index: int, kind: AnnotationKind, user: Fields, value: Any) -> None:
        seat = number_of(user, "seat")
        if 0 <= seat < self.state.seats and (kind != "emote" or type(value) in (int, str)):
            self.annotations.append(Annotation(index, kind, seat, value))

    def round(self) -> Round:
        """Return the round of the records so far."""
        values = {"records": self.kept, "passed": self.passed, "inputs": self.inputs, "beside": self.beside}
        return Round(
            self.events,
            wall=self.wall,
            blocked=self.blocked,
            dealt_fourteen=self.fourteen,
            assumed=("tehais",) if self.fourteen else (),
            annotations=tuple(self.annotations),
            extras=built(full=self.extras, **values),
        )

    # The records. Each returns the seat that acted, if one did, the index of its event, and the fields to keep.

    def _new_round(self, data: Fields) -> tuple[int | None, int, Fields]:
        # Whether a wall has extras can be seen in a whole wall only.
        whole_walls = self.whole_walls or self.seeks
        deal, state, kept = read_deal(
            data, self.warn, walls=self.walls, whole_walls=whole_walls, extras=self.seeks
        )
        self.state = state
        self.wind = deal.wind
        self.wall = deal.wall
        self.fourteen = deal.fourteen
        self.events += deal.events
        return None, 0, kept

    def _deal_tile(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, DealTile)
        seat = self.state.checked(record.seat)
        state = self.state
        kept = self._others(data, "DealTile")
        if record.liqi is not None:
            self._accept(record.liqi, data, kept)
        if record.doras or record.dora_marker:
            self._turn(record.doras or (record.dora_marker,), kept, marker=not record.doras)
        state.left -= 1
        if record.left_tile_count != state.left and record.left_tile_count is not UNSET:
            kept["left_tile_count"] = state.left = record.left_tile_count
        index = len(self.events)
        event = DRAWS[seat][record.tile]
        self.events.append(event)
        state.draw(seat, event.pai)
        return None, index, kept

    def _discard_tile(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, DiscardTile)
        seat = self.state.checked(record.seat)
        state = self.state
        kept = self._others(data, "DiscardTile")
        if record.is_liqi or record.is_wliqi:
            double = state.is_double(seat)
            if not record.is_liqi or record.is_wliqi != double:
                kept |= {"is_liqi": record.is_liqi, "is_wliqi": record.is_wliqi}
            self.events.append(ev.Riichi(seat))
            state.riichi[seat] = True
        index = len(self.events)
        event = (AT_ONCE if record.moqie else FROM_HAND)[seat][record.tile]
        if self.first_discard:
            self.first_discard = False
            if not record.moqie and event.pai == state.drawn:
                event = self._first(event)
        self.events.append(event)
        state.discard(seat, event.pai)
        if record.doras:
            self._turn(record.doras, kept)
        return seat, index, kept

    def _first(self, event: ev.Discard) -> ev.Discard:
        """Return the dealer's first discard of the tile drawn: the record never states that it was drawn."""
        alone = self.state.hands[event.actor].count(event.pai) == 1
        return ev.Discard(event.actor, event.pai, tsumogiri=True if alone else UNSET)

    def _chi_peng_gang(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, ChiPengGang)
        state = self.state
        seat = state.checked(record.seat)
        kept = self._others(data, "ChiPengGang")
        if record.liqi is not None:
            self._accept(record.liqi, data, kept)
        index = len(self.events)
        self.events.append(read_call(record, state, kept))
        return seat, index, kept

    def _an_gang_add_gang(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, AnGangAddGang)
        return self._own_turn(record, "AnGangAddGang", data, read_kan)

    def _ba_bei(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, BaBei)
        return self._own_turn(record, "BaBei", data, read_north)

    def _own_turn(
        self, record: Turned, name: str, data: Fields, read: Callable[[Turned, State, Fields], ev.Event]
    ) -> tuple[int | None, int, Fields]:
        """Read a kan of the hand or a north, and the dora that it turns."""
        seat = self.state.checked(record.seat)
        kept = self._others(data, name)
        index = len(self.events)
        self.events.append(read(record, self.state, kept))
        if record.doras:
            self._turn(record.doras, kept)
        return seat, index, kept

    def _dora(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, DoraRecord)
        index = len(self.events)
        tile = TILE_OF[record.dora_marker]
        self.events.append(ev.Dora(tile))
        self.state.doras.append(tile)
        return None, index, self._others(data, "dora")

    def _hule(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, Hule)
        latest = max(record.hules, key=lambda item: len(item.doras)).doras
        if len(latest) > len(self.state.doras):
            self._turn(latest, {})
        index = len(self.events)
        wins = read_hule(record, self.state)
        kept = others_of_hule(wins, data, self.state, self.wind, self.totals) if self.seeks else {}
        for win in wins:
            self.totals[win.actor] += int(win.hora_points or 0)
        self.events += wins
        self._end()
        return wins[0].actor, index, kept

    def _no_tile(self, data: Fields) -> tuple[int | None, int, Fields]:
        draw, kept = read_no_tile(data, self.state, extras=self.seeks)
        index = len(self.events)
        self.events.append(draw)
        self._end()
        return None, index, kept

    def _liu_ju(self, data: Fields) -> tuple[int | None, int, Fields]:
        record = convert(data, LiuJu)
        kept: Fields = {}
        if record.liqi is not None:
            self._accept(record.liqi, data, kept)
        draw, other = read_liu_ju(record, data, self.state, extras=self.seeks)
        if record.type == THREE_RONS:
            self.blocked = tuple([seat for seat in range(self.state.seats) if seat != self.state.last_actor])
        index = len(self.events)
        self.events.append(draw)
        self._end()
        return None, index, kept | other

    # Parts of records.

    def _others(self, data: Fields, name: str) -> Fields:
        """Return the fields of a record that the reader does not read, if the extras need them."""
        return _others(data, name) if self.seeks else {}

    def _accept(self, liqi: Liqi, data: Fields, kept: Fields) -> None:
        """Accept a riichi, or keep it where it failed."""
        seat = self.state.checked(liqi.seat)
        if liqi.failed:
            kept["liqi"] = data["liqi"]
            return
        state = self.state
        state.accept(seat)
        self.events.append(ev.RiichiAccepted(seat))
        if not self.seeks:
            return
        if liqi.score != state.scores[seat] or liqi.liqibang != state.sticks or len(data["liqi"]) > _LIQI_FIELDS:
            usual = {"seat": seat, "score": state.scores[seat], "liqibang": state.sticks}
            other = differing(data["liqi"], usual)
            if other:
                kept["liqi"] = other

    def _turn(self, doras: Sequence[str], kept: Fields, *, marker: bool = False) -> None:
        """Turn the dora that are new. A `marker` is a new one alone, the field states all of them otherwise."""
        known = self.state.doras
        tiles = [TILE_OF[tile] for tile in doras]
        if not marker:
            if tiles[: len(known)] != known[: len(tiles)] or len(tiles) <= len(known):
                # Some records repeat the dora that are turned.
                if tiles != known:
                    kept["doras"] = list(doras)
                return
            tiles = tiles[len(known) :]
        for tile in tiles:
            self.events.append(ev.Dora(tile))
            known.append(tile)

    def _end(self) -> None:
        self.events.append(ev.EndRound())
        self.over = True


def _turn(name: str, data: Fields) -> DealTile | DiscardTile | None:
    """Return the record of a draw or a discard, or None for any other record and for a wrong one."""
    kind = _TURNS.get(name)
    try:
        return None if kind is None else convert(data, kind)
    except FieldError:
        return None


@cache
def _unread(kind: type[Any]) -> attrgetter[tuple[Any, ...]]:
    """Return a function that gets the values of a draw or discard of a usual file that are not read."""
    return attrgetter(*[name for name in kind.__struct_fields__ if name not in FIELDS[kind.__name__]])


def _others(data: Fields, name: str) -> Fields:
    """Return the fields of a record that the reader does not read."""
    known = FIELDS[name]
    if known.issuperset(data):
        return {}
    found: Fields = trimmed({key: value for key, value in data.items() if key not in known})
    return found


_HANDLERS: Final[dict[str, Callable[[RoundReader, Fields], tuple[int | None, int, Fields]]]] = {
    "NewRound": RoundReader._new_round,
    "DealTile": RoundReader._deal_tile,
    "DiscardTile": RoundReader._discard_tile,
    "ChiPengGang": RoundReader._chi_peng_gang,
    "AnGangAddGang": RoundReader._an_gang_add_gang,
    "BaBei": RoundReader._ba_bei,
    "dora": RoundReader._dora,
    "Hule": RoundReader._hule,
    "NoTile": RoundReader._no_tile,
    "LiuJu": RoundReader._liu_ju,
}
