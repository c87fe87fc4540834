"""The play of a round in the numbers of Kanachan: the events so far, and the actions of each decision."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from mjconv.ir import events as ev
from mjconv.ir.tiles import Tile
from mjconv.train.answers import EngineAnswer
from mjconv.train.engine import Action, kind_of, riichi_discards, tile_of
from mjconv.train.kanachan_codes import chi_number, kind_number, pon_number, tile_number

SEATS: Final = 4

# Where the numbers of each kind of event begin.
_DISCARDS, _CHIS, _PONS, _OPEN_KANS, _CLOSED_KANS, _ADDED_KANS = 5, 597, 957, 1437, 1881, 2017
# Where the numbers of each kind of action begin. A discard has the number 0 and more.
_CLOSED, _ADDED, _TSUMO, _NINE, _SKIP, _CHI, _PON, _OPEN, _RON = 148, 182, 219, 220, 221, 222, 312, 432, 543
#: The numbers of all discards of one player, of all pons from one player, and of all open kans from one player.
_ALL_DISCARDS, _ALL_PONS, _ALL_OPEN = 148, 40, 37


class Play:
    """The play of a round.

    `progression` are the numbers of all events, the beginning of the round first. `lengths` has for each event the
    number of items of `progression` up to it, and `draws` the number of tiles drawn up to it.
    """

    def __init__(self, events: Sequence[ev.Event]) -> None:
        self.events = events
        self.progression = [0]
        self.lengths: list[int] = []
        self.draws: list[int] = []
        drawn = 0
        riichi = False
        for event in events:
            drawn += type(event) is ev.Draw
            if type(event) is ev.Discard:
                self.progression.append(
                    _DISCARDS + _ALL_DISCARDS * event.actor + _discard(event.pai, _is_drawn(event, drawn), riichi)
                )
            elif type(event) in _EVENTS:
                self.progression.append(_EVENTS[type(event)](event))
            riichi = type(event) is ev.Riichi or (riichi and type(event) is ev.Dora)
            self.lengths.append(len(self.progression))
            self.draws.append(drawn)

    def drawn(self, one: EngineAnswer) -> Tile | None:
        """Return the tile that the player has just drawn, or None."""
        event = self.events[one.event]
        return event.pai if type(event) is ev.Draw and event.actor == one.seat else None

    def choice(self, one: EngineAnswer, following: EngineAnswer | None) -> tuple[list[int], int] | None:
        """Return the numbers of the legal actions, ascending, and of the action taken; None for no decision.

        A riichi and its discard are one action: `following` is the next answer of the same player. A forced
        discard in riichi is no decision, and neither is a riichi whose discard the record does not have.
        """
        if type(self.events[one.event]) is ev.Riichi:
            return None
        taken = self._taken(one, following)
        if taken is None:
            return None
        candidates = {number for action in one.legal for number in self._numbers(one, action)}
        if taken not in candidates and taken < _CLOSED:
            # `tsumogiri` may be wrong in the record. Then only the other discard of the same tile is legal.
            taken = next((number for number in candidates if number ^ 2 == taken), taken)
        candidates.add(taken)
        if len(candidates) == 1 and one.observation.riichi_declared[one.seat]:
            return None
        return sorted(candidates), taken

    def _taken(self, one: EngineAnswer, following: EngineAnswer | None) -> int | None:
        """Return the number of the action taken; None for a riichi without its discard."""
        message = one.message
        kind = message["type"]
        if kind == "reach":
            if following is None or type(self.events[following.event]) is not ev.Riichi:
                return None
            message = following.message
        if message["type"] == "dahai":
            drawn = message["tsumogiri"] and self.draws[one.event] > 1
            return _discard(message["pai"], drawn, kind == "reach")
        if kind in _TAKEN:
            return _TAKEN[kind](message)
        if kind == "hora":
            return _TSUMO if message.get("target", one.seat) == one.seat else _RON + self._away(one)
        return _NINE if kind == "ryukyoku" else _SKIP

    def _numbers(self, one: EngineAnswer, action: Action) -> list[int]:
        """Return the numbers of one legal action of the engine: a riichi has one for each of its discards."""
        kind = kind_of(action)
        if kind == "dahai":
            return self._discards(one, tile_of(action.tile), riichi=False)
        if kind == "reach":
            tiles = {tile_of(tile) for tile in riichi_discards(one.observation)}
            return [number for tile in tiles for number in self._discards(one, tile, riichi=True)]
        if kind in ("none", "tsumo", "ryukyoku"):
            return [{"none": _SKIP, "tsumo": _TSUMO, "ryukyoku": _NINE}[kind]]
        if kind == "ron":
            return [_RON + self._away(one)]
        own = [tile_of(tile) for tile in action.consume_tiles]
        if kind == "ankan":
            return [_CLOSED + kind_number(own[0])]
        if kind == "kakan":
            return [_ADDED + tile_number(tile_of(action.tile))]
        discard: Any = self.events[one.event]
        if kind == "chi":
            return [_CHI + chi_number(own, discard.pai)]
        if kind == "pon":
            return [_PON + _ALL_PONS * self._away(one) + pon_number(own, discard.pai)]
        return [_OPEN + _ALL_OPEN * self._away(one) + tile_number(discard.pai)]

    def _discards(self, one: EngineAnswer, tile: Tile, *, riichi: bool) -> list[int]:
        """Return the numbers of a discard: from the hand, as the tile drawn, or both."""
        drawn = self.drawn(one)
        if drawn != tile:
            return [_discard(tile, False, riichi)]
        as_drawn = _discard(tile, self.draws[one.event] > 1, riichi)
        held = sum(tile_of(other) == tile for other in one.observation.hand) > 1
        if not held or one.observation.riichi_declared[one.seat]:
            return [as_drawn]
        return [_discard(tile, False, riichi), as_drawn]

    def _away(self, one: EngineAnswer) -> int:
        """Return the seat of the player who discarded: 0 to the right, 1 across, 2 to the left."""
        discard: Any = self.events[one.event]
        return (int(discard.actor) - one.seat) % SEATS - 1


def _is_drawn(event: ev.Discard, drawn: int) -> bool:
    """Return whether a discard is the tile drawn. The dealer's first draw is dealt: it is a tile of the hand."""
    return event.tsumogiri is True and drawn > 1


def _discard(tile: Tile, drawn: bool, riichi: bool) -> int:
    return 4 * tile_number(tile) + 2 * drawn + riichi


def _from(event: Any) -> int:
    return (int(event.target) - int(event.actor)) % SEATS - 1


#: The number of each kind of call in the play.
_EVENTS: Final[dict[type, Callable[[Any], int]]] = {
    ev.Chi: lambda event: _CHIS + 90 * event.actor + chi_number(event.consumed, event.pai),
    ev.Pon: lambda event: (
        _PONS + 3 * _ALL_PONS * event.actor + _ALL_PONS * _from(event) + pon_number(event.consumed, event.pai)
    ),
    ev.Daiminkan: lambda event: (
        _OPEN_KANS + 3 * _ALL_OPEN * event.actor + _ALL_OPEN * _from(event) + tile_number(event.pai)
    ),
    ev.Ankan: lambda event: _CLOSED_KANS + 34 * event.actor + kind_number(event.consumed[0]),
    ev.Kakan: lambda event: _ADDED_KANS + 37 * event.actor + tile_number(event.pai),
}


def _away_in(message: dict[str, Any]) -> int:
    return (int(message["target"]) - int(message["actor"])) % SEATS - 1


#: The number of each call that is taken, from its message.
_TAKEN: Final[dict[str, Callable[[dict[str, Any]], int]]] = {
    "chi": lambda message: _CHI + chi_number(message["consumed"], message["pai"]),
    "pon": lambda message: _PON + _ALL_PONS * _away_in(message) + pon_number(message["consumed"], message["pai"]),
    "daiminkan": lambda message: _OPEN + _ALL_OPEN * _away_in(message) + tile_number(message["pai"]),
    "ankan": lambda message: _CLOSED + kind_number(message["consumed"][0]),
    "kakan": lambda message: _ADDED + tile_number(message["pai"]),
}
