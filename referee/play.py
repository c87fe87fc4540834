"""The events that the table refuses: tiles that are not there, events out of turn, calls without a meld."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, Rule
from mjconv.referee.findings import Code
from mjconv.referee.round_state import Check, Hooks

CODES: Final[dict[str, Code]] = {
    "R005": Code("unheld", "a tile is discarded, called with or laid down that the player does not hold"),
    "R006": Code("tsumogiri", "tsumogiri is wrong: the tile is not the one drawn, or can only be the one drawn"),
    "R007": Code("untimely", "an event out of turn that the order of messages allows"),
    "R008": Code("seat", "a player that the game does not have"),
    "R009": Code("called", "a tile is called that was not discarded last"),
    "R010": Code("unplayable", "play that cannot be followed: the event has no meaning at that moment"),
    "R011": Code("meld", "the tiles of a call make no meld"),
    "R012": Code("ponless", "a kakan where there is no such pon"),
    "R036": Code("riichi", "riichi is declared twice, or one is accepted that was not declared"),
}

#: The code of each of the table's refusals.
CODE_OF: Final[dict[Rule, str]] = {
    "held": "R005",
    "drawn": "R006",
    "turn": "R007",
    "seat": "R008",
    "called": "R009",
    "left": "R007",
    "meld": "R011",
    "pon": "R012",
    "riichi": "R036",
}
#: The refusals that the order check reports as well.
_OF_ORDER: Final = frozenset({"turn", "left", "riichi"})


class PlayCheck(Check):
    """Reports the events that the table refuses, except those that the order check reported, and their effects."""

    def before(self) -> Hooks:
        """Return the functions to call before events."""
        return {ev.Discard: self._discard, ev.Kakan: self._shown, ev.Ankan: self._shown, ev.Nukidora: self._shown}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Report the refused event."""
        state = self.state
        actor = getattr(event, "actor", None)
        if type(event) is ev.Discard:
            state.suspect.last_tile = True
        reported = state.suspect.wall or state.suspect.riichi or state.index in state.out_of_order
        if error.rule in _OF_ORDER and reported:
            return
        if error.rule == "held" and not state.knows(event.actor):
            return
        if error.rule == "called" and state.suspect.last_tile:
            return
        state.report(CODE_OF[error.rule], error.sentence, *error.about, actor=actor)

    def _shown(self, _: ev.Discard | ev.Kakan | ev.Ankan | ev.Nukidora) -> None:
        self.state.suspect.last_tile = False

    def _discard(self, event: ev.Discard) -> None:
        self._shown(event)
        state = self.state
        actor = event.actor
        # The dealer's first tile is taken with the deal, and some logs count it as part of the hand.
        if (
            event.tsumogiri is False
            and state.draws > 1
            and state.table.drawn == event.pai
            and state.table.turn == actor
            and state.knows(actor)
            and state.hand(actor).count(event.pai) == 1
        ):
            sentence = "{} discards {} as a tile of the hand, but holds only the one just drawn"
            state.report("R006", sentence, actor, event.pai, actor=actor)
