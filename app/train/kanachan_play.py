"""The play of a round in the numbers of Kanachan: the events so far, and the actions of each decision."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from mjconv.ir import events as ev
from mjconv.ir.tiles import Tile
from mjconv.train.answers import EngineAnswer
from mjconv.train.engine import Action, kind_of, riichi_discards, tile_of
from mjconv.train.kanachan_codes import chi_number, kind_number, pon_number, tile_number

SEATS: Final = 4

#: Where the numbers of discards begin in the play, and how many each player has. As actions they begin at 0.
_DISCARDS, _ALL_DISCARDS = 5, 148
# The numbers of other actions.
_TSUMO, _NINE, _SKIP, _RON = 219, 220, 221, 543


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
        event: Any
        for event in events:
            drawn += type(event) is ev.Draw
            if type(event) is ev.Discard:
                self.progression.append(
                    _DISCARDS + _ALL_DISCARDS * event.actor + _discard(event.pai, _is_drawn(event, drawn), riichi)
                )
            elif call := _CALLS.get(ev.name_of(event)):
                number = call.number(event.consumed, event.pai, _away(getattr(event, "target", 0), event.actor))
                self.progression.append(call.play + call.of_player * event.actor + number)
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
        if taken not in candidates and taken < _ALL_DISCARDS:
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
        if call := _CALLS.get(kind):
            away = _away(message.get("target", 0), one.seat)
            return call.action + call.number(message["consumed"], message.get("pai", ""), away)
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
        own, event = [tile_of(tile) for tile in action.consume_tiles], self.events[one.event]
        called = tile_of(action.tile) if kind == "kakan" else getattr(event, "pai", "")
        return [_CALLS[kind].action + _CALLS[kind].number(own, called, self._away(one))]

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
        """Return the place of the player who acted before."""
        before: Any = self.events[one.event]
        return _away(before.actor, one.seat)


def _is_drawn(event: ev.Discard, drawn: int) -> bool:
    """Return whether a discard is the tile drawn. The dealer's first draw is dealt: it is a tile of the hand."""
    return event.tsumogiri is True and drawn > 1


def _discard(tile: Tile, drawn: bool, riichi: bool) -> int:
    return 4 * tile_number(tile) + 2 * drawn + riichi


def _away(target: int, seat: int) -> int:
    """Return the place of another player: 0 to the right, 1 across, 2 to the left."""
    return (target - seat) % SEATS - 1


class _Call(NamedTuple):
    """Where the numbers of a call begin in the play, how many each player has, and where they begin for actions.

    `number` is that of the call among these, by the tiles of the hand, its other tile, and the place of the player
    who discarded it.
    """

    play: int
    of_player: int
    action: int
    number: Callable[[Sequence[Tile], Tile, int], int]


#: The calls by the types of their messages. There are 40 pons and 37 open kans from one player.
_CALLS: Final = {
    "chi": _Call(597, 90, 222, lambda own, called, _: chi_number(own, called)),
    "pon": _Call(957, 120, 312, lambda own, called, away: 40 * away + pon_number(own, called)),
    "daiminkan": _Call(1437, 111, 432, lambda _, called, away: 37 * away + tile_number(called)),
    "ankan": _Call(1881, 34, 148, lambda own, *_: kind_number(own[0])),
    "kakan": _Call(2017, 37, 182, lambda _, added, __: tile_number(added)),
}
