"""Writes a round as a state: its events, the observations of the players, the wall, and the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.mjx.extras import RoundExtras
from mjconv.converters.mjx.numbering import Numbering, NumberingError
from mjconv.converters.mjx.vocabulary import REASONS, SHOW_TENPAI
from mjconv.converters.mjx.win_writer import write_win
from mjconv.converters.shared.meldcode import Call, decode, encode
from mjconv.converters.shared.tile_numbers import WITH_REDS
from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.match import MeldKind
from mjconv.ir.message_names import reason_of
from mjconv.ir.tiles import WINDS, Tile

_SEATS: Final = 4
_PREFIX: Final = "EVENT_TYPE_"
_CALLS: Final[dict[type[ev.Event], tuple[str, MeldKind]]] = {
    ev.Chi: ("CHI", "chi"),
    ev.Pon: ("PON", "pon"),
    ev.Daiminkan: ("OPEN_KAN", "daiminkan"),
    ev.Ankan: ("CLOSED_KAN", "ankan"),
    ev.Kakan: ("ADDED_KAN", "kakan"),
}
Value = dict[str, Any]


class CannotWriteError(ValueError):
    """A round that mjx cannot hold: the reason, and the index of the event."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


class RoundWriter:
    """Writes a round. `deal` and `events` have all derived values; `numbers` are those of the tiles."""

    def __init__(
        self,
        deal: ev.StartRound,
        events: Sequence[ev.Event],
        numbers: Numbering,
        extras: RoundExtras,
        blocked: Sequence[int],
    ) -> None:
        self.source = events
        self.numbers = numbers
        self.extras = extras
        self.blocked = blocked
        self.deal = deal
        self.hands = [list(hand) for hand in numbers.hands]
        self.opens: list[list[int]] = [[] for _ in range(_SEATS)]
        self.draws: list[list[int]] = [[] for _ in range(_SEATS)]
        self.riichi = [False] * _SEATS
        self.tens = list(deal.scores or ())
        self.sticks = int(deal.kyotaku or 0)
        self.drawn = -1
        self.last = -1
        self.turned = 1
        self.drawable = iter(numbers.draws)
        self.discards = iter(extras.discards)
        self.codes = iter(extras.opens)
        self.events: list[Value] = []
        self.wins: list[Value] = []
        self.draw: Value | None = None

    def write(self) -> None:
        """Write the events. Raises `CannotWriteError`."""
        for at, event in enumerate(self.source):
            write = _WRITERS.get(type(event))
            if write is None:
                raise CannotWriteError(f"mjx has no {ev.name_of(event)}", at)
            try:
                write(self, event)
            except NumberingError as error:
                raise CannotWriteError(str(error), at) from None

    def state(self, names: Sequence[str], scores: Sequence[int] | None, *, over: bool) -> Value:
        """Return the state. `scores` are the points at the end of the game, if it is `over` with this round."""
        numbers, other = self.numbers, self.extras.other
        deal = self.deal
        number = WINDS.index(deal.bakaze or WINDS[0]) * _SEATS + int(deal.kyoku or 1) - 1
        start = _score(number, int(deal.honba or 0), int(deal.kyotaku or 0), deal.scores or ())
        # The seed of a game determines its walls, so it is written only with the wall of the file.
        hidden = other.get("hidden", {}) if numbers.wall == self.extras.wall else {}
        value: Value = {
            "hiddenState": {**hidden, "wall": numbers.wall, "uraDoraIndicators": numbers.ura[: self.turned]},
            "publicObservation": {
                **other.get("public", {}),
                "playerIds": list(names),
                "initScore": start,
                "doraIndicators": numbers.indicators[: self.turned],
                "events": self.events,
            },
            "privateObservations": [self._private(seat) for seat in range(_SEATS)],
            **other.get("state", {}),
        }
        if self.wins or self.draw is not None:
            sticks = 0 if self.wins or over else self.sticks
            left = self.tens if scores is None else scores
            end: Value = {
                **other.get("terminal", {}),
                "finalScore": _score(number, int(deal.honba or 0), sticks, left),
            }
            if self.wins:
                end["wins"] = self.wins
            if self.draw is not None:
                end["noWinner"] = self.draw
            if over:
                end["isGameOver"] = True
            value["roundTerminal"] = end
        return value

    def _private(self, seat: int) -> Value:
        found: Value = {"who": seat} if seat else {}
        found["initHand"] = {"closedTiles": self.numbers.hands[seat]}
        if self.draws[seat]:
            found["drawHistory"] = self.draws[seat]
        return {**found, "currHand": self._hand(seat)}

    def _hand(self, seat: int) -> Value:
        found: Value = {"closedTiles": sorted(self.hands[seat])} if self.hands[seat] else {}
        if self.opens[seat]:
            found["opens"] = list(self.opens[seat])
        return found

    def _add(self, kind: str, seat: int = 0, **values: int) -> None:
        event: Value = {"type": _PREFIX + kind} if kind else {}
        if seat:
            event["who"] = seat
        for key, value in values.items():
            if value:
                event[key] = value
        self.events.append(event)

    def _take(self, seat: int, tile: Tile, wished: int = -1) -> int:
        """Take a tile of this spelling out of a hand: the wished one, else, if possible, one not just drawn."""
        hand = self.hands[seat]
        if wished not in hand or WITH_REDS[wished] != tile:
            found = [number for number in hand if WITH_REDS[number] == tile]
            if not found:
                raise NumberingError(f"the player does not hold {tile}")
            wished = min(found, key=lambda number: (number == self.drawn, number))
        hand.remove(wished)
        return wished

    # The events.

    def _nothing(self, event: ev.Event) -> None:
        pass

    def _draw(self, event: ev.Draw) -> None:
        self.drawn = next(self.drawable)
        self.hands[event.actor].append(self.drawn)
        self.draws[event.actor].append(self.drawn)
        self._add("DRAW", event.actor)

    def _discard(self, event: ev.Discard) -> None:
        wished = next(self.discards, -1)
        if event.tsumogiri:
            wished = self.drawn
        elif wished == self.drawn:
            wished = -1
        self.last = self._take(event.actor, event.pai, wished)
        self._add("TSUMOGIRI" if self.last == self.drawn else "", event.actor, tile=self.last)
        self.drawn = -1

    def _riichi(self, event: ev.Riichi) -> None:
        self.riichi[event.actor] = True
        self._add("RIICHI", event.actor)

    def _accepted(self, event: ev.RiichiAccepted) -> None:
        self.tens[event.actor] -= RIICHI_STICK
        self.sticks += 1
        self._add("RIICHI_SCORE_CHANGE", event.actor)

    def _dora(self, event: ev.Dora) -> None:  # noqa: ARG002 - its number is known
        self._add("NEW_DORA", tile=self.numbers.indicators[self.turned])
        self.turned += 1

    def _call(self, event: Any) -> None:
        seat = event.actor
        name, kind = _CALLS[type(event)]
        wished = decode(next(self.codes, -1))
        if wished is None or wished.kind != kind:
            wished = None
        if kind == "kakan":
            call = self._kakan(event, -1 if wished is None else wished.tile)
        else:
            copies = iter(() if wished is None else _by_spelling(wished.own, event.consumed))
            own = tuple(sorted([self._take(seat, tile, next(copies, -1)) for tile in event.consumed]))
            if kind == "ankan":
                named = min(own) if wished is None or wished.tile not in own else wished.tile
                call = Call(kind, own, named, 0)
            else:
                call = Call(kind, own, self.last, (event.target - seat) % _SEATS)
            self.opens[seat].append(encode(call))
        if kind == "ankan" or kind == "kakan":
            self.last = call.tile
        self._add(name, seat, open=encode(call))
        self.drawn = -1

    def _kakan(self, event: ev.Kakan, wished: int) -> Call:
        """Put a tile to the pon of its kind."""
        opens = self.opens[event.actor]
        for place, code in enumerate(opens):
            pon = decode(code)
            if pon is not None and pon.kind == "pon" and WITH_REDS[pon.tile][:2] == event.pai[:2]:
                call = Call("kakan", (pon.tile, *pon.own), self._take(event.actor, event.pai, wished), pon.giver)
                opens[place] = encode(call)
                return call
        raise NumberingError("the player has no pon for this kan")

    def _win(self, event: ev.Win) -> None:
        if event.deltas is UNSET or len(event.deltas) != _SEATS:
            raise NumberingError("the points that the win moves are not known")
        seat = event.actor
        own = event.target is UNSET or event.target == seat
        tile = self.drawn if own else self.last
        if tile < 0:
            raise NumberingError("the tile of the win is not known")
        if not own:
            self.hands[seat].append(tile)
        self._add("TSUMO" if own else "RON", seat, tile=tile)
        ura = self.numbers.ura[: self.turned] if self.riichi[seat] and event.ura_markers is not UNSET else []
        self.wins.append(write_win(event, tile, self._hand(seat), ura, self.deal))
        self._gain(event.deltas)

    def _drawn_game(self, event: ev.Ryukyoku) -> None:
        reason = reason_of(event.reason or "") or ""
        if reason not in REASONS:
            raise NumberingError(f"mjx has no draw by {event.reason or 'an unknown reason'}")
        if event.deltas is UNSET or len(event.deltas) != _SEATS:
            raise NumberingError("the points that the draw moves are not known")
        mover = next((seat for seat in range(_SEATS) if self.drawn in self.hands[seat]), 0)
        nine = reason == "nine_kinds"
        self._add(REASONS[reason], mover if nine else 0)
        shown = self._shown(reason, event, mover)
        found: Value = {}
        if shown:
            found["tenpais"] = [{**({"who": seat} if seat else {}), "hand": self._hand(seat)} for seat in shown]
        self.draw = {**found, "tenChanges": list(event.deltas)}
        self._gain(event.deltas)

    def _shown(self, reason: str, event: ev.Ryukyoku, mover: int) -> list[int]:
        """Return the seats whose hands are shown at a draw."""
        if reason in SHOW_TENPAI:
            return [seat for seat, tenpai in enumerate(event.tenpais or ()) if tenpai]
        if reason == "nine_kinds":
            return [mover]
        if reason == "four_riichi":
            return list(range(_SEATS))
        return sorted(self.blocked) if reason == "triple_ron" else []

    def _gain(self, deltas: Sequence[int]) -> None:
        self.tens = [points + gain for points, gain in zip(self.tens, deltas, strict=True)]


def _by_spelling(numbers: Sequence[int], tiles: Sequence[Tile]) -> list[int]:
    """Return for each tile one of the numbers that is spelled so, or -1.

    >>> _by_spelling([17, 16], ("5mr", "5m"))
    [16, 17]
    """
    left = list(numbers)
    found = []
    for tile in tiles:
        number = next((number for number in left if WITH_REDS[number] == tile), -1)
        if number >= 0:
            left.remove(number)
        found.append(number)
    return found


def _score(number: int, honba: int, sticks: int, tens: Sequence[int]) -> Value:
    found = {"round": number, "honba": honba, "riichi": sticks}
    return {**{key: value for key, value in found.items() if value}, "tens": list(tens)}


_WRITERS: Final[dict[type, Callable[[RoundWriter, Any], None]]] = {
    ev.StartRound: RoundWriter._nothing,
    ev.EndRound: RoundWriter._nothing,
    **dict.fromkeys(_CALLS, RoundWriter._call),
    ev.Draw: RoundWriter._draw,
    ev.Discard: RoundWriter._discard,
    ev.Riichi: RoundWriter._riichi,
    ev.RiichiAccepted: RoundWriter._accepted,
    ev.Dora: RoundWriter._dora,
    ev.Win: RoundWriter._win,
    ev.Ryukyoku: RoundWriter._drawn_game,
}
