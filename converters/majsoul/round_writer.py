"""Writes the records of one round."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.majsoul import results
from mjconv.converters.majsoul.extras import Fields, RoundExtras
from mjconv.converters.majsoul.state import State
from mjconv.converters.majsoul.tiles import SPELLED, spelled
from mjconv.converters.majsoul.wall import WHOLE, wall_fields
from mjconv.converters.shared.completed import CompleteRound
from mjconv.ir import events as ev
from mjconv.ir.match import Round
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import WINDS, Tile

_NORTH: Final = "N"
_KANS: Final = frozenset({ev.Ankan, ev.Kakan, ev.Daiminkan, ev.Nukidora})
#: The words of wins for the groups of calls, and the numbers of calls.
_CALLS: Final[dict[type, tuple[str, int]]] = {
    ev.Chi: ("shunzi", 0),
    ev.Pon: ("kezi", 1),
    ev.Daiminkan: ("minggang", 2),
}


class CannotWriteError(ValueError):
    """A round that Mahjong Soul cannot state: why."""


class RoundWriter:
    """Writes a round record by record. `totals` are the values of the wins of each seat so far: they change."""

    def __init__(self, game_round: Round, whole: CompleteRound, extras: RoundExtras, totals: list[int]) -> None:
        self.round = game_round
        self.whole = whole
        self.totals = totals
        self.records: list[Fields] = []
        self.kept = _by_index(extras.records)
        self.beside = _by_index(extras.beside)
        self.passed = extras.passed
        self.inputs = extras.inputs
        deal = whole.deal
        self.wind: Tile = deal.bakaze or WINDS[0]
        hands = deal.tehais or ()
        scores = deal.scores or (0,) * len(hands)
        self.state = State(int(deal.oya or 0), int(deal.honba or 0), int(deal.kyotaku or 0), scores, hands)
        #: The original index of the first event of each record.
        self.begins: list[int] = []
        self.accepted: Fields | None = None
        self.declared = False
        self.turned = False
        self.at = 0

    def write(self) -> list[Fields]:
        """Return the records. Raises `CannotWriteError`."""
        events = self.whole.events
        self._deal()
        while self.at < len(events):
            event = events[self.at]
            handler = _HANDLERS.get(type(event))
            if handler is not None:
                handler(self, event)
            self.at += 1
        self._flush()
        self._add_beside()
        return self.records

    def _deal(self) -> None:
        deal, state = self.whole.deal, self.state
        events = self.whole.events
        if not WINDS.index(self.wind) < 4 or deal.dora_marker is UNSET:
            raise CannotWriteError("a Mahjong Soul record needs the dora indicator")
        state.doras = [deal.dora_marker]
        hands = [spelled(hand) for hand in deal.tehais or ()]
        if any(len(hand) != 13 for hand in hands):
            raise CannotWriteError("a hand has not 13 tiles")
        first = events[1] if len(events) > 1 else None
        if isinstance(first, ev.Draw) and first.actor == state.oya:
            hands[state.oya].append(SPELLED[first.pai])
            state.draw(state.oya, first.pai)
            self.at = 2
        else:
            self.at = 1
        data: Fields = {
            "chang": WINDS.index(self.wind),
            "ju": state.oya,
            "ben": state.honba,
            "liqibang": state.sticks,
            "scores": list(state.scores),
            **{f"tiles{seat}": hands[seat] if seat < len(hands) else [] for seat in range(4)},
            "doras": spelled(state.doras),
            "left_tile_count": state.left,
        }
        wall = self.round.wall
        if wall is not UNSET and len(wall) == WHOLE[state.seats] and all(tile in SPELLED for tile in wall):
            data |= wall_fields(wall, state.seats, rest=self.round.dealt_fourteen)
        self._put("NewRound", data, 0, 0)

    # The events.

    def _draw(self, event: ev.Draw) -> None:
        state = self.state
        state.left -= 1
        data: Fields = {"seat": event.actor, "tile": SPELLED[event.pai], "left_tile_count": state.left}
        if self.turned:
            data["doras"] = spelled(state.doras)
        state.draw(event.actor, event.pai)
        self._put("DealTile", data, self.at)

    def _riichi(self, event: ev.Riichi) -> None:
        self.declared = True
        self.state.riichi[event.actor] = True

    def _accepted(self, event: ev.RiichiAccepted) -> None:
        state = self.state
        state.accept(event.actor)
        self.accepted = {"seat": event.actor, "score": state.scores[event.actor], "liqibang": state.sticks}

    def _discard(self, event: ev.Discard) -> None:
        state = self.state
        data = {
            "seat": event.actor,
            "tile": SPELLED[event.pai],
            "is_liqi": self.declared,
            "is_wliqi": self.declared and state.is_double(event.actor),
            "moqie": bool(event.tsumogiri),
        }
        if state.calm and not any(state.discarded) and not self._is_stated_drawn(event):
            data["moqie"] = False
        begin = self.at - self.declared
        self.declared = False
        state.discard(event.actor, event.pai)
        self._put("DiscardTile", data, self.at, begin)

    def _is_stated_drawn(self, event: ev.Discard) -> bool:
        """Return whether the dealer's first discard is the tile drawn only because the source states it.

        Mahjong Soul never states it. The reader works it out where the hand has no other such tile.
        """
        source = self.round.events[self.whole.origins[self.at]]
        stated = isinstance(source, ev.Discard) and source.tsumogiri is True
        return stated and self.state.hands[event.actor].count(event.pai) > 1

    def _call(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        word, number = _CALLS[type(event)]
        data = {
            "seat": event.actor,
            "type": number,
            "tiles": spelled((*event.consumed, event.pai)),
            "froms": [*(event.actor for _ in event.consumed), event.target],
        }
        self.state.call(event.actor, word, event.consumed, event.pai)
        self._put("ChiPengGang", data, self.at)

    def _ankan(self, event: ev.Ankan) -> None:
        plain = min(spelled(event.consumed), key=lambda tile: tile[0] == "0")
        self.state.conceal(event.actor, event.consumed)
        self._put("AnGangAddGang", {"seat": event.actor, "type": 3, "tiles": plain}, self.at)

    def _kakan(self, event: ev.Kakan) -> None:
        self.state.add(event.actor, event.pai)
        self._put("AnGangAddGang", {"seat": event.actor, "type": 2, "tiles": SPELLED[event.pai]}, self.at)

    def _nukidora(self, event: ev.Nukidora) -> None:
        drawn = self.state.drawn == _NORTH
        self.state.set_aside(event.actor, _NORTH)
        self._put("BaBei", {"seat": event.actor, "moqie": drawn}, self.at)

    def _dora(self, event: ev.Dora) -> None:
        """Turn a dora: the record before or after it states it, else a record of its own."""
        state = self.state
        state.doras.append(event.dora_marker)
        events = self.whole.events
        before = type(events[self.at - 1])
        if before is ev.Dora and self.turned:
            return
        rest = (type(event) for event in events[self.at + 1 : self.at + 1 + _MOST_DORA])
        draws = next((kind for kind in rest if kind is not ev.Dora), None) is ev.Draw
        if draws and (before in _KANS or self.accepted is not None):
            self.turned = True
        elif before in _STATE_DORA or (before is ev.Dora and self.records[-1]["name"] == "DiscardTile"):
            self.records[-1]["data"]["doras"] = spelled(state.doras)
        else:
            self._put("dora", {"dora_marker": SPELLED[event.dora_marker]}, self.at)

    def _win(self, event: ev.Win) -> None:
        events = self.whole.events
        wins = [event]
        while self.at + 1 < len(events) and isinstance(following := events[self.at + 1], ev.Win):
            wins.append(following)
            self.at += 1
        begin = self.at - len(wins) + 1
        if any(win.pai is not UNSET and win.pai not in SPELLED for win in wins):
            raise CannotWriteError("the winning tile is hidden")
        data = results.hule(self.state, self.wind, wins, self.totals)
        for win in wins:
            self.totals[win.actor] += int(win.hora_points or 0)
        kept = self._kept_of(begin)
        items = kept.get("hules")
        if isinstance(items, list):
            for item, fields in zip(data["hules"], items, strict=False):
                item.update(fields if isinstance(fields, dict) else {})
        self._put("Hule", data, begin, skip=frozenset({"hules"}))

    def _ryukyoku(self, event: ev.Ryukyoku) -> None:
        reason = reason_of(event.reason) if event.reason else None
        if reason in results.REASON_NUMBERS:
            data = results.liu_ju(self.state, reason)
            self._put("LiuJu", data, self.at)
        else:
            data = results.no_tile(self.state, event, nagashi=reason == "nagashi_mangan")
            self._put("NoTile", data, self.at)

    # Records.

    def _kept_of(self, at: int) -> Fields:
        return self.kept.get(self.whole.origins[at] if at < len(self.whole.origins) else -1, {})

    def _put(
        self, name: str, data: Fields, at: int, begin: int | None = None, skip: frozenset[str] = frozenset()
    ) -> None:
        """Add a record with the fields that were kept of it."""
        origins = self.whole.origins
        kept = self._kept_of(at)
        if self.accepted is not None and name in _CARRY_LIQI:
            data["liqi"] = self.accepted
            self.accepted = None
        for key, value in kept.items():
            if key == "liqi" and isinstance(value, dict) and "liqi" in data:
                data["liqi"] = {**data["liqi"], **value}
            elif key not in skip:
                data[key] = value
        if type(data.get("left_tile_count")) is int:
            self.state.left = data["left_tile_count"]
        self.turned = self.turned and name != "DealTile"
        self.records.append({"name": name, "data": data})
        self.begins.append(origins[at if begin is None else begin])

    def _flush(self) -> None:
        if self.declared:
            raise CannotWriteError("a riichi is declared, and no discard follows")

    def _add_beside(self) -> None:
        """Put beside the records what was recorded there."""
        if self.beside:
            for record, begin in zip(self.records, self.begins, strict=True):
                record.update({k: v for k, v in self.beside.get(begin, {}).items() if k not in _OWN})
        if len(self.passed) == len(self.records):
            for record, passed in zip(self.records, self.passed, strict=True):
                record["passed"] = passed
        for index, fields in self.inputs:
            # The record before the input: the last one that begins before its index.
            number = max(bisect_left(self.begins, index) - 1, 0)
            self.records[number].setdefault("inputs", []).append(fields)


def _by_index(pairs: Sequence[tuple[int, Fields]]) -> dict[int, Fields]:
    return dict(pairs)


_OWN: Final = frozenset({"name", "data", "passed", "inputs", "mjconv"})
#: The events whose records state the dora that are turned after them.
_STATE_DORA: Final = frozenset({ev.Discard, ev.Ankan, ev.Kakan, ev.Nukidora})
_MOST_DORA: Final = 5
_CARRY_LIQI: Final = frozenset({"DealTile", "ChiPengGang", "LiuJu"})
_HANDLERS: Final[dict[type, Callable[[RoundWriter, Any], None]]] = {
    ev.Draw: RoundWriter._draw,
    ev.Riichi: RoundWriter._riichi,
    ev.RiichiAccepted: RoundWriter._accepted,
    ev.Discard: RoundWriter._discard,
    ev.Chi: RoundWriter._call,
    ev.Pon: RoundWriter._call,
    ev.Daiminkan: RoundWriter._call,
    ev.Ankan: RoundWriter._ankan,
    ev.Kakan: RoundWriter._kakan,
    ev.Nukidora: RoundWriter._nukidora,
    ev.Dora: RoundWriter._dora,
    ev.Win: RoundWriter._win,
    ev.Ryukyoku: RoundWriter._ryukyoku,
}
