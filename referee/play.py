"""What the table refuses: tiles that are not there, acts out of turn, calls that make no meld."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, Rule
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Hooks

CODES: Final[dict[str, Code]] = {
    "R005": Code("a tile is discarded, called with or laid down that the player does not hold"),
    "R006": Code("tsumogiri is told wrongly: the tile is not the one drawn, or can only be that"),
    "R007": Code("an act out of turn, where the order of messages allows it"),
    "R008": Code("a player that the game does not have"),
    "R009": Code("a tile is called that was not discarded last"),
    "R010": Code("play that cannot be followed: what the record tells has no meaning at that moment"),
    "R011": Code("the tiles of a call make no meld"),
    "R012": Code("a kakan where there is no such pon"),
    "R036": Code("riichi is declared twice, or one is accepted that was not declared"),
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
#: Refusals of what the order check speaks of as well.
_OF_ORDER: Final = frozenset({"turn", "left", "riichi"})


class PlayCheck(Check):
    """Tells what the table refuses: not what the order check told of, nor what only follows from that."""

    def before(self) -> Hooks:
        """Look at discards."""
        return {ev.Discard: self._discard, ev.Kakan: self._shown, ev.Ankan: self._shown, ev.Nukidora: self._shown}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Tell what was refused."""
        game = self.game
        actor = getattr(event, "actor", None)
        if type(event) is ev.Discard:
            game.doubt.last_tile = True
        if error.rule in _OF_ORDER and (game.doubt.wall or game.doubt.riichi or game.index in game.told):
            return
        if error.rule == "held" and not game.knows(event.actor):
            return
        if error.rule == "called" and game.doubt.last_tile:
            return
        game.tell(CODE_OF[error.rule], error.sentence, *error.about, actor=actor)

    def _shown(self, _: ev.Discard | ev.Kakan | ev.Ankan | ev.Nukidora) -> None:
        self.game.doubt.last_tile = False

    def _discard(self, event: ev.Discard) -> None:
        self._shown(event)
        game = self.game
        actor = event.actor
        # The first tile that the dealer draws is taken with the deal, and some logs count it to the hand.
        if (
            event.tsumogiri is False
            and game.draws > 1
            and game.table.drawn == event.pai
            and game.table.turn == actor
            and game.knows(actor)
            and game.hand(actor).count(event.pai) == 1
        ):
            said = "{} discards {} as a tile of the hand, but holds only the one just drawn"
            game.tell("R006", said, actor, event.pai, actor=actor)
