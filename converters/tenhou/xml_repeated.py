"""Compares what the result of a round states again: hands, calls, indicators, honba, sticks and the limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mjconv.converters.shared.meldcode import decode
from mjconv.converters.shared.repeated import hand_played
from mjconv.converters.tenhou.wall import SeenTiles
from mjconv.converters.tenhou.xml_head import Warner
from mjconv.converters.tenhou.xml_scanner import TILE_NUMBERS, Element, numbers_in
from mjconv.ir import events as ev
from mjconv.ir.tiles import Tile
from mjconv.rules.riichi_values import limit_of

#: The most tiles that are read of a hand.
_MOST: Final = 20


class Repeated(NamedTuple):
    """The attributes of a result, and the round before it.

    `spelled` has the tile of each number.
    """

    element: Element
    events: Sequence[ev.Event]
    seen: SeenTiles
    spelled: Sequence[Tile]
    warn: Warner

    def compare_win(self, win: ev.Win, machi: int, limit: int) -> None:
        """Warn of the attributes of a win that differ from the round, and of its limit."""
        self._hand("hai", win.actor, "m", None if win.target == win.actor else machi)
        self._numbers("doraHai", self.seen.indicators)
        # Of several wins, only the first takes the sticks.
        self._table(takes_sticks=type(self.events[-1]) is not ev.Win)
        han, fu, yakuman = win.fan or 0, win.fu or 0, "yakuman" in self.element.attributes
        right = limit_of(han, fu, yakuman)
        if limit != right and limit != limit_of(han, fu, yakuman, kiriage=True):
            self._numbers("ten", (fu, win.hora_points or 0, right))

    def compare_draw(self) -> None:
        """Warn of the attributes of a draw that differ from the round."""
        for seat in range(len(self.seen.hands)):
            self._hand(f"hai{seat}", seat)
        self._table()

    def _hand(self, key: str, seat: int, calls: str | None = None, won: int | None = None) -> None:
        attributes, spelled = self.element.attributes, self.spelled
        if key not in attributes:
            return
        tiles = [tile for tile in map(TILE_NUMBERS.get, attributes[key].split(",", _MOST)) if tile is not None]
        codes = None if calls is None else numbers_in(attributes.get(calls)) or []
        melds = None if codes is None else [[spelled[tile] for tile in each] for each in _tiles(codes)]
        right = hand_played(
            self.events, seat, [spelled[tile] for tile in tiles], melds, None if won is None else spelled[won]
        )
        if right is not None:
            stated = key if calls is None else f"{key} and {calls}"
            self._warn(key, f"{stated} of {self.element.name}: the hand that was played is {right}")

    def _table(self, *, takes_sticks: bool = True) -> None:
        """Compare the honba, and the riichi sticks that the result takes."""
        deal = self.events[0]
        if isinstance(deal, ev.StartRound):
            sticks = (deal.kyotaku or 0) + len(ev.select(self.events, ev.RiichiAccepted))
            self._numbers("ba", (deal.honba or 0, sticks * takes_sticks))

    def _numbers(self, key: str, right: Sequence[int]) -> None:
        stated = self.element.attributes.get(key)
        expected = ",".join(map(str, right))
        if stated is not None and stated != expected and numbers_in(stated) != list(right):
            name = self.element.name
            self._warn(key, f"{key} of {name} is {stated[:40]!r}, but by the round it is {expected!r}")

    def _warn(self, key: str, message: str) -> None:
        self.warn(message, self.element, key)


def _tiles(codes: Sequence[int]) -> Iterator[set[int]]:
    """Yield the tiles of calls. Those of a north and of an ankan include the tile that names it."""
    for call in map(decode, codes):
        if call is not None:
            yield {*call.own, call.tile}
