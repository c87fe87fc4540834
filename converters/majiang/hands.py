"""The hands of a round while it is played, and how majiang spells them in a result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any, Final

from mjconv.converters.majiang.tiles import SEATS, Call, sorted_hand, write_call, write_tiles
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, Tile, plain

_CALLS: Final = frozenset({ev.Chi, ev.Pon, ev.Daiminkan})


class Hands:
    """The hands and the calls of all players, after the events that were played.

    It refuses nothing: a tile that a hand does not hold is taken from its hidden tiles, if it has any.
    """

    def __init__(self, deal: ev.StartRound) -> None:
        self.tiles = [list(hand) for hand in deal.tehais or ((HIDDEN,) * 13,) * SEATS]
        self.calls: list[list[Call]] = [[] for _ in range(SEATS)]
        self.riichi = [False] * SEATS
        self.drawn: list[Tile | None] = [None] * SEATS
        #: The tile of the last discard or kan, which can be won on.
        self.last: Tile = HIDDEN

    def play_all(self, events: Sequence[Any], seats: Collection[int]) -> None:
        """Play events. Only the hands and calls of the players `seats` are those after the events."""
        for event in events:
            kind = type(event)
            if kind is ev.Draw or kind is ev.Discard:
                seat = event.actor
                if seat in seats:
                    self.play(event)
                elif kind is ev.Discard:
                    self.last = event.pai
            elif kind is not ev.StartRound:
                self.play(event)

    def play(self, event: Any) -> None:
        """Play an event. An event that moves no tile changes nothing."""
        kind = type(event)
        if kind is ev.Draw:
            self.tiles[event.actor].append(event.pai)
            self.drawn[event.actor] = event.pai
        elif kind is ev.Discard:
            self._take(event.actor, (event.pai,))
            self.last = event.pai
        elif kind in _CALLS:
            self._take(event.actor, event.consumed)
            steps = (event.target - event.actor) % SEATS
            self.calls[event.actor].append(Call(kind, tuple(event.consumed), event.pai, steps))
        elif kind is ev.Ankan:
            self._take(event.actor, event.consumed)
            self.calls[event.actor].append(Call(kind, tuple(event.consumed)))
            self.last = event.consumed[0]
        elif kind is ev.Kakan:
            self._take(event.actor, (event.pai,))
            calls = self.calls[event.actor]
            index = self.pon_of(event.actor, event.pai)
            if index is not None:
                calls[index] = calls[index]._replace(kind=ev.Kakan, added=event.pai)
            self.last = event.pai
        elif kind is ev.Riichi:
            self.riichi[event.actor] = True

    def pon_of(self, seat: int, tile: Tile) -> int | None:
        """Return the index of the pon to which a tile can be added, or None."""
        for index, call in enumerate(self.calls[seat]):
            if call.kind is ev.Pon and plain(call.called) == plain(tile):
                return index
        return None

    def _take(self, seat: int, tiles: Sequence[Tile]) -> None:
        hand = self.tiles[seat]
        for tile in tiles:
            try:
                hand.remove(tile)
            except ValueError:
                with suppress(ValueError):
                    hand.remove(HIDDEN)
        self.drawn[seat] = None

    def spell(self, seat: int, won: Tile | None = None) -> str:
        """Spell a hand with its calls: the tile that was drawn or `won` is the last one before the calls.

        >>> deal = ev.StartRound(tehais=(("1m", "2m"), ("9s", "1p"), (), ()))
        >>> hands = Hands(deal)
        >>> hands.spell(1, won="1m"), hands.spell(0)
        ('p1s9m1', 'm12')
        """
        tiles = list(self.tiles[seat])
        last = won
        drawn = self.drawn[seat]
        if won is None and drawn is not None:
            tiles.remove(drawn)
            last = drawn
        text = write_tiles(sorted_hand(tiles))
        if last is not None:
            text += write_tiles((last,))
        calls = [write_call(call) for call in self.calls[seat]]
        return ",".join([text + "*" * self.riichi[seat], *calls])
