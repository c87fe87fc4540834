"""What the table refuses: tiles that are not there, acts out of turn, calls that make no meld."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, Rule
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks

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

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        #: Who discarded last, where that discard was refused.
        self._odd_discard: int | None = None

    def before(self) -> Hooks:
        """Look at discards."""
        return {ev.Discard: self._discard}

    def refused(self, event: Any, error: IllegalPlayError) -> None:
        """Tell what was refused."""
        game = self.game
        actor = getattr(event, "actor", None)
        if type(event) is ev.Discard:
            self._odd_discard = actor
        if error.rule in _OF_ORDER and any(index <= game.index for index in game.told):
            return
        if error.rule == "held" and actor in game.doubtful:
            return
        if error.rule == "called" and event.target == self._odd_discard:
            return
        game.tell(CODE_OF[error.rule], error.sentence, *error.about, actor=actor)

    def _discard(self, event: ev.Discard) -> None:
        game = self.game
        actor = event.actor
        self._odd_discard = None
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
