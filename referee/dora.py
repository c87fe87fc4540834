"""When dora indicators are turned, one a kan, at its time by one of the customs; and when the wall is empty.

A concealed kan's is turned at once, before its replacement is drawn. For an added or open kan customs differ:
before the discard, between a riichi and its discard, or after the discard. A win before it may leave it unturned.
Where kans follow one another, those of the earlier may be turned with a later one's.

The replacement of a kan, or of a tile set aside, is a tile of the dead wall, and leaves one less to draw.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.table import NO_RIICHI
from mjconv.ir.tiles import HIDDEN
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks

CODES: Final[dict[str, Code]] = {
    "R070": Code("a dora indicator is turned, and no kan owes one"),
    "R071": Code("play goes on, and the dora indicator of a kan is not turned"),
    "R072": Code(
        "the dora indicator of an added or open kan is turned before its replacement is drawn", "warning"
    ),
    "R073": Code("ura dora without riichi, or not as many as dora indicators"),
    "R074": Code("a draw where no tile is left in the wall"),
}


class DoraCheck(Check):
    """Counts the indicators that kans owe, by how long each may still wait."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        #: Owed by concealed kans: before the replacement is drawn.
        self._at_once = 0
        #: Owed by other kans: whose replacement is to be drawn; after that; after the discard.
        self._fresh = 0
        self._waiting = 0
        self._due = 0
        #: What was spoken of once: those told to be missing, or of a kan that is out of order; those too many.
        self._missing = 0
        self._spare = 0
        self._turned = 1
        #: Whether it was told that the draws go on too long.
        self._draws_on = False

    def before(self) -> Hooks:
        """Look at draws; and where the first dora indicator is known, at all that may not come before another."""
        if not self.game.riichi or self.game.start.dora_marker in (UNSET, HIDDEN):
            return {ev.Draw: self._from_the_wall}
        return {
            ev.Ankan: self._concealed_kan,
            ev.Kakan: self._kan,
            ev.Daiminkan: self._kan_on_a_discard,
            ev.Draw: self._draw,
            ev.Discard: self._discard,
            ev.Chi: self._play_goes_on,
            ev.Pon: self._play_goes_on,
            ev.Dora: self._dora,
        }

    def after(self) -> Hooks:
        """Look at the indicators that a win shows."""
        if not self.game.riichi or self.game.start.dora_marker in (UNSET, HIDDEN):
            return {}
        return {ev.Win: self._win}

    def _concealed_kan(self, _: ev.Ankan) -> None:
        self._at_once += self._unspared()

    def _kan(self, _: ev.Kakan | ev.Daiminkan) -> None:
        self._fresh += self._unspared()

    def _unspared(self) -> int:
        """Give the one indicator that a kan owes, or none where one too many was turned before it."""
        if self.game.index in self.game.told:
            self._missing += 1
            return 0
        spared = min(self._spare, 1)
        self._spare -= spared
        return 1 - spared

    def _kan_on_a_discard(self, event: ev.Daiminkan) -> None:
        self._play_goes_on(event)
        self._kan(event)

    def _from_the_wall(self, event: ev.Draw) -> None:
        left = self.game.left
        if left is not None and left <= 0 and not self._draws_on:
            self._draws_on = True
            self.game.tell("R074", "{} draws, and no tile is left in the wall", event.actor, actor=event.actor)

    def _draw(self, event: ev.Draw) -> None:
        self._from_the_wall(event)
        self._due += self._at_once
        self._at_once = 0
        self._play_goes_on(event)
        self._waiting += self._fresh
        self._fresh = 0

    def _discard(self, _: ev.Discard) -> None:
        self._due += self._fresh + self._waiting
        self._fresh = self._waiting = 0

    def _play_goes_on(self, event: Any) -> None:
        """Miss what should have been turned by now."""
        if self._due:
            self.game.tell(
                "R071", "play goes on, and the dora indicator of the kan is not turned", actor=event.actor
            )
            self._missing += self._due
            self._due = 0

    def _dora(self, _: ev.Dora) -> None:
        self._turned += 1
        if self._at_once:
            self._at_once -= 1
        elif self._due:
            self._due -= 1
        elif self._waiting:
            self._waiting -= 1
        elif self._missing:
            self._missing -= 1
        elif self._fresh:
            self._fresh -= 1
            self.game.tell("R072", "the dora indicator of the kan is turned before its replacement is drawn")
        else:
            self._spare += 1
            self.game.tell("R070", "a dora indicator is turned, and no kan owes one")

    def _win(self, event: ev.Win) -> None:
        ura = event.ura_markers
        doubt = self.game.doubt
        if not ura or self.game.index in self.game.told or event.actor in doubt.riichi:
            return
        if self.game.table.riichi[event.actor] == NO_RIICHI:
            # Whoever has no whole hand, or no yaku, may not be who won, or is told enough.
            if event.actor in doubt.hands:
                return
            said = "{} is shown ura dora indicators {}, and is not in riichi"
            self.game.tell("R073", said, event.actor, tuple(ura), actor=event.actor)
        elif len(ura) != self._turned and not self._owed:
            said = f"{{}} is shown {len(ura)} ura dora indicators, where {self._turned} dora indicators are turned"
            self.game.tell("R073", said, event.actor, actor=event.actor)

    @property
    def _owed(self) -> int:
        """Indicators that may or may not be turned yet, or of which something was told."""
        return self._at_once + self._fresh + self._waiting + self._due + self._missing + self._spare
