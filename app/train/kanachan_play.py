"""The play of a round in the numbers of Kanachan: the events so far, and the actions of each decision.

Tiles are numbered 0 to 36: of each suit the red five first, then 1 to 9; then the honours. Kinds are numbered 0 to
33, without red fives.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS
from mjconv.ir.tiles import RED_FIVES, SUITS, TILE_KINDS, Tile
from mjconv.rules.mahjong_package import KIND_OF
from mjconv.train.answers import EngineAnswer
from mjconv.train.engine import Action, kind_of, riichi_discards, tile_of

#: The tiles, in the order of their numbers.
TILES: Final = (
    *(tile for suit in SUITS for tile in (f"5{suit}r", *(f"{rank}{suit}" for rank in range(1, 10)))),
    *TILE_KINDS[27:],
)
#: The number of copies of each tile.
COPIES: Final = tuple(1 if tile in RED_FIVES else 3 if tile[0] == "5" and len(tile) == 2 else 4 for tile in TILES)
#: The first slot of each tile in a hand: a slot for each copy of each tile.
SLOTS: Final = tuple(sum(COPIES[:number]) for number in range(len(TILES)))

_TILE: Final = {tile: number for number, tile in enumerate(TILES)}


def tile_number(tile: Tile) -> int:
    """Return the number of a tile.

    >>> tile_number("5mr"), tile_number("5m"), tile_number("1p"), tile_number("C")
    (0, 5, 11, 36)
    """
    return _TILE[tile]


def _runs() -> Iterator[tuple[frozenset[Tile], Tile]]:
    """Yield the tiles of the hand and the called tile of each chi, in the order of their numbers.

    The order is by suit, then by the rank of the called tile, then by the run, the lowest first. A run with a five
    follows with the red five in its place.
    """
    for suit in SUITS:
        for rank in range(1, 10):
            for low in range(max(1, rank - 2), min(7, rank) + 1):
                run = [f"{number}{suit}" for number in range(low, low + 3)]
                called = f"{rank}{suit}"
                own = [tile for tile in run if tile != called]
                yield frozenset(own), called
                red = {f"5{suit}": f"5{suit}r"}
                if any(tile in red for tile in run):
                    yield frozenset(red.get(tile, tile) for tile in own), red.get(called, called)


def _triplets() -> Iterator[tuple[frozenset[Tile], Tile]]:
    """Yield the tiles of the hand and the called tile of each pon, in the order of their numbers.

    After the five of a suit follow the pon with its red five in the hand, and the pon of the red five.
    """
    for tile in TILE_KINDS:
        yield frozenset({tile}), tile
        red = f"{tile}r"
        if red in RED_FIVES:
            yield frozenset({tile, red}), tile
            yield frozenset({tile}), red


#: The numbers of a chi, 0 to 89, and of a pon, 0 to 39, by the two tiles of the hand and the called tile.
_CHI: Final = {shape: number for number, shape in enumerate(_runs())}
_PON: Final = {shape: number for number, shape in enumerate(_triplets())}

#: Where the numbers of discards begin in the play, and how many each player has. As actions they begin at 0.
_DISCARDS, _ALL_DISCARDS = 5, 148
# The numbers of other actions.
_TSUMO, _NINE, _SKIP, _RON = 219, 220, 221, 543


class PlayNumbers:
    """The play of a round in the numbers of Kanachan.

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
                # The dealer's first draw is dealt: it is a tile of the hand.
                number = _discard(event.pai, event.tsumogiri is True and drawn > 1, riichi)
                self.progression.append(_DISCARDS + _ALL_DISCARDS * event.actor + number)
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
        if self.drawn(one) != tile:
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


def _discard(tile: Tile, drawn: bool, riichi: bool) -> int:
    return 4 * tile_number(tile) + 2 * drawn + riichi


def _away(target: int, seat: int) -> int:
    """Return the place of another player: 0 to the right, 1 across, 2 to the left."""
    return (target - seat) % USUAL_SEATS - 1


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
    "chi": _Call(597, 90, 222, lambda own, called, _: _CHI[frozenset(own), called]),
    "pon": _Call(957, 120, 312, lambda own, called, away: 40 * away + _PON[frozenset(own), called]),
    "daiminkan": _Call(1437, 111, 432, lambda _, called, away: 37 * away + tile_number(called)),
    "ankan": _Call(1881, 34, 148, lambda own, *_: KIND_OF[own[0]]),
    "kakan": _Call(2017, 37, 182, lambda _, added, __: tile_number(added)),
}
