"""The events that the table refuses, and the rules of calls.

The table refuses tiles that are not there, events out of turn, and calls without a meld. The rules of calls say
when a call is allowed, with which tiles, by whom, and which discards may follow.
"""

from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, Rule
from mjconv.ir.melds import could_take
from mjconv.ir.tiles import HIDDEN
from mjconv.referee.choices import MOST_KANS
from mjconv.referee.round_state import Check, Hooks

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
    "won": "R044",
    "riichi": "R036",
}
#: The refusals that the order check reports as well.
_OF_ORDER: Final = frozenset({"turn", "left", "riichi"})


class PlayCheck(Check):
    """Reports the events that the table refuses, except events that the order check reported, and effects."""

    def before(self) -> Hooks:
        """Return the functions to call before events."""
        return super().before() | dict.fromkeys(self.state.ruleset.foreign, self._foreign)

    def _foreign(self, event: Any) -> None:
        game = self.state.ruleset.name.english
        self.state.report("R021", f"{game} has no {ev.name_of(event)}", actor=getattr(event, "actor", None))

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
        if error.rule in ("called", "won") and state.suspect.last_tile:
            return
        if error.rule == "won" and (reported or actor in state.suspect.hands):
            return
        state.report(CODE_OF[error.rule], error.sentence, *error.about, actor=actor)

    def _shown(self, _: ev.Discard | ev.Kakan | ev.Ankan | ev.Nukidora) -> None:
        self.state.suspect.last_tile = False

    _before_kakan = _before_ankan = _before_nukidora = _shown

    def _before_dahai(self, event: ev.Discard) -> None:
        self._shown(event)
        state = self.state
        actor = event.actor
        # The dealer's first tile is taken with the deal, and some logs count it as part of the hand.
        if (
            event.tsumogiri is False
            and state.table.draws > 1
            and state.table.drawn == event.pai
            and state.table.turn == actor
            and state.knows(actor)
            and state.hand(actor).count(event.pai) == 1
        ):
            sentence = "{} discards {} as a tile of the hand, but holds only the one just drawn"
            state.blame("R006", sentence, actor, event.pai)


class CallCheck(Check):
    """Checks calls and kans before they are played, and the discard after a call."""

    _called: ev.Chi | ev.Pon | None = None

    def _before_chi(self, event: ev.Chi) -> None:
        if self.state.seats == 3:
            self.state.blame("R018", "{} calls chi, but three play", event.actor)
        self._before_pon(event)

    def _before_pon(self, event: ev.Chi | ev.Pon) -> None:
        self._in_time(event.actor, "calls")
        self._not_in_riichi(event.actor, "calls")
        self._called = event

    def _before_daiminkan(self, event: ev.Daiminkan) -> None:
        self._not_in_riichi(event.actor, "calls")
        self._before_ankan(event)

    def _before_kakan(self, event: ev.Kakan) -> None:
        pon = self.state.table.pon_of(event.actor, event.pai)
        if pon is not None and pon.called is not UNSET:
            tiles = (*pon.own, pon.called)
            if HIDDEN not in (*tiles, *event.consumed) and sorted(tiles) != sorted(event.consumed):
                sentence = "{} adds to a pon of {}, but the pon is {}"
                self.state.blame("R013", sentence, event.actor, event.consumed, tiles)
        self._not_in_riichi(event.actor, "makes a kakan")
        self._before_ankan(event)

    def _before_ankan(self, event: ev.Daiminkan | ev.Kakan | ev.Ankan) -> None:
        self._in_time(event.actor, "makes a kan")
        if self.state.table.kans >= MOST_KANS:
            self.state.blame("R017", "{} makes a fifth kan", event.actor)

    def _before_nukidora(self, event: ev.Nukidora) -> None:
        state = self.state
        tile = event.tile
        if tile not in state.ruleset.aside.get(state.seats, (tile,)):
            sentence = "{} sets {} aside" if state.seats == 3 else "{} sets {} aside, but four play"
            state.blame("R020", sentence, event.actor, tile)
        self._in_time(event.actor, "sets a tile aside")

    def _in_time(self, actor: int, doing: str) -> None:
        left = self.state.left
        if left is not None and left <= 0:
            self.state.blame("R014", f"{{}} {doing}, but no tile is left to draw", actor)

    def _not_in_riichi(self, actor: int, doing: str) -> None:
        if self.state.table.riichi[actor] and actor not in self.state.suspect.hands | self.state.suspect.riichi:
            self.state.blame("R015", f"{{}} {doing}, but is in riichi", actor)

    def _before_dahai(self, event: ev.Discard) -> None:
        call, self._called = self._called, None
        state = self.state
        if call is None or call.actor != event.actor or state.house.swap_calling:
            return
        if event.pai != HIDDEN and could_take(call.pai, call.consumed, event.pai):
            sentence = "{} calls {} with {}, and discards {}"
            state.blame("R016", sentence, call.actor, call.pai, call.consumed, event.pai)
