"""When dora indicators are turned, one for each kan, and whether the wall still has a tile to draw.

The indicator of a concealed kan is turned at once, before the replacement is drawn. By the house rule
`late_dora` it may be turned after that, before the next player's turn. For an added or open kan
customs differ: before the discard, between a riichi and its discard, or after the discard; by the house rule
`early_dora` also before the replacement is drawn. A win before that time may leave it unturned. Where kans follow
one another, the indicators of the earlier may be turned with that of a later one.

The replacement of a kan, or of a tile set aside, is a tile of the dead wall, and leaves one tile less to draw.
"""

from typing import Any

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.plural import counted
from mjconv.ir.table import NO_RIICHI
from mjconv.ir.tiles import HIDDEN
from mjconv.referee.round_state import Check


class WallCheck(Check):
    """Checks that the wall has a tile to draw."""

    _reported = False

    def _before_tsumo(self, event: ev.Draw) -> None:
        left = self.state.left
        if left is not None and left <= 0 and not self._reported:
            self._reported = True
            self.state.blame("R074", "{} draws, but no tile is left in the wall", event.actor)


class DoraCheck(Check):
    """Counts the indicators that kans require, by how long each may still wait."""

    #: Required by concealed kans, before the replacement is drawn.
    _at_once = 0
    #: Required by other kans: before their replacement is drawn; after that; after the discard.
    _fresh = 0
    _waiting = 0
    _due = 0
    #: Reported indicators: missing ones, or of a kan out of order; and surplus ones.
    _missing = 0
    _spare = 0
    _turned = 1

    @property
    def applies(self) -> bool:
        """Whether the game has indicators, and the first one is known."""
        return self.state.has("R070") and self.state.start.dora_marker not in (UNSET, HIDDEN)

    def _before_ankan(self, _: ev.Ankan) -> None:
        self._at_once += self._unspared()

    def _before_kakan(self, _: ev.Kakan | ev.Daiminkan) -> None:
        self._fresh += self._unspared()

    def _unspared(self) -> int:
        """Return the number of indicators that a kan requires: none where one too many was turned before it."""
        if self.state.index in self.state.out_of_order:
            self._missing += 1
            return 0
        spared = min(self._spare, 1)
        self._spare -= spared
        return 1 - spared

    def _before_daiminkan(self, event: ev.Daiminkan) -> None:
        self._play_goes_on(event)
        self._before_kakan(event)

    def _before_tsumo(self, event: ev.Draw) -> None:
        late = self._at_once if self.state.house.late_dora else 0
        self._due += self._at_once - late
        self._at_once = 0
        self._play_goes_on(event)
        self._due += late
        self._waiting += self._fresh
        self._fresh = 0

    def _before_dahai(self, _: ev.Discard) -> None:
        self._due += self._fresh + self._waiting
        self._fresh = self._waiting = 0

    def _play_goes_on(self, event: Any) -> None:
        """Report the indicators that should have been turned by now."""
        if self._due:
            sentence = "play continues, but the dora indicator of the kan is not turned"
            self.state.report("R071", sentence, actor=event.actor)
            self._missing += self._due
            self._due = 0

    _before_chi = _before_pon = _play_goes_on

    def _before_dora(self, _: ev.Dora) -> None:
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
            if not self.state.house.early_dora:
                sentence = "the dora indicator of the kan is turned before its replacement is drawn"
                self.state.report("R072", sentence)
        else:
            self._spare += 1
            self.state.report("R070", "a dora indicator is turned, but no kan requires one")

    def _after_hora(self, event: ev.Win) -> None:
        ura = event.ura_markers
        suspect = self.state.suspect
        actor = event.actor
        if ura is UNSET or self.state.index in self.state.out_of_order or actor in suspect.riichi:
            return
        if self.state.table.riichi[actor] == NO_RIICHI:
            # A winner without a complete hand or a yaku may not be the winner, and is reported already.
            if ura and actor not in suspect.hands:
                code = "R075" if self._shown_to_riichi(event) else "R073"
                sentence = "{} is shown ura dora indicators {}, but is not in riichi"
                self.state.blame(code, sentence, actor, tuple(ura))
            return
        least, most = self._turned - self._spare, self._turned + self._owed
        if not least <= len(ura) <= most:
            shown, turned = counted(len(ura), "ura dora indicator"), counted(self._turned, "dora indicator")
            owed = "" if least == most else f"; with those of kans, there may be {least} to {most}"
            self.state.blame("R073", f"{{}} is shown {shown}, but there are {turned}{owed}", actor)

    def _shown_to_riichi(self, event: ev.Win) -> bool:
        """Return whether a winner in riichi is shown the same ura dora. Converters copy them to every winner."""
        riichi = self.state.table.riichi
        return any(
            type(win) is ev.Win
            and 0 <= win.actor < self.state.seats
            and riichi[win.actor] != NO_RIICHI
            and win.ura_markers == event.ura_markers
            for win in self.state.events
        )

    @property
    def _owed(self) -> int:
        """The number of indicators that kans require and that may be turned with the ura dora."""
        return self._at_once + self._fresh + self._waiting + self._due + self._missing
