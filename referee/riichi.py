"""The rules of riichi: who may declare it, and which events it allows."""

from collections import Counter

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.plural import counted
from mjconv.ir.table import DECLARED
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.referee.choices import CLOSED, keeps_waits
from mjconv.referee.round_state import Check
from mjconv.rules.hands import countable, ready_discards, waits
from mjconv.rules.scores import RIICHI_STICK


class RiichiCheck(Check):
    """Checks riichi when it is declared, and the events of players in riichi."""

    #: The index of the last declaration, and its player until the discard.
    _declared = 0
    _waiting: int | None = None
    #: The seats that were reported for giving away another tile than the one drawn.
    _reported: frozenset[int] = frozenset()

    def _before_reach(self, event: ev.Riichi) -> None:
        state = self.state
        actor = event.actor
        self._declared, self._waiting = state.index, actor
        opened = next((meld for meld in state.table.melds[actor] if meld.kind not in CLOSED), None)
        if state.index in state.out_of_order:
            return
        if opened is not None and actor not in state.suspect.hands:
            state.blame("R030", f"{{}} declares riichi with an open hand ({opened.kind})", actor)
        scores = state.start.scores
        if scores is not UNSET and len(scores) == state.seats and not state.house.riichi_in_debt:
            points = scores[actor]
            if points < RIICHI_STICK:
                state.blame("R032", f"{{}} declares riichi with {points} points", actor)
        left = state.left
        if left is not None and left < state.seats and not state.house.late_riichi:
            state.blame("R033", f"{{}} declares riichi with {counted(left, 'tile')} left to draw", actor)

    def _before_dahai(self, event: ev.Discard) -> None:
        state = self.state
        table = state.table
        actor = event.actor
        if not self._in_riichi(actor) or event.tsumogiri is True or table.drawn in (None, HIDDEN):
            return
        if table.phase is DECLARED and table.turn == actor:
            return
        hand = state.hand(actor)
        # A tile that is not held, or only drawn, is reported as that.
        if event.pai not in hand or (event.pai == table.drawn and hand.count(event.pai) == 1):
            return
        if event.pai != table.drawn or event.tsumogiri is False:
            self._report_other_tile(actor, "{} is in riichi, draws {} and discards {} of the hand", event.pai)

    def _before_nukidora(self, event: ev.Nukidora) -> None:
        if self._in_riichi(event.actor) and self.state.table.drawn not in (None, HIDDEN, event.tile):
            self._report_other_tile(event.actor, "{} is in riichi, draws {} and sets {} aside", event.tile)

    def _in_riichi(self, actor: int) -> bool:
        return bool(self.state.table.riichi[actor]) and actor not in self.state.suspect.riichi

    def _report_other_tile(self, actor: int, sentence: str, tile: Tile) -> None:
        # A player who is not in riichi after all would be reported at each of their turns.
        if actor not in self._reported:
            self._reported |= {actor}
            self.state.blame("R034", sentence, actor, self.state.table.drawn, tile)

    def _before_ankan(self, event: ev.Ankan) -> None:
        state = self.state
        actor = event.actor
        drawn = state.table.drawn
        if not self._in_riichi(actor) or drawn in (None, HIDDEN):
            return
        if drawn not in event.consumed:
            state.blame("R035", "{} is in riichi, draws {} and makes an ankan of {}", actor, drawn, event.consumed)
        elif self._countable(actor):
            hand, melds = state.hand(actor), state.table.melds[actor]
            held = Counter(event.consumed) <= Counter(hand)
            if held and not keeps_waits(hand, melds, drawn, event.consumed):
                sentence = "{} is in riichi, but the ankan of {} changes the waits"
                state.blame("R035", sentence, actor, event.consumed)

    def _after_dahai(self, event: ev.Discard) -> None:
        state = self.state
        actor = event.actor
        waiting, self._waiting = self._waiting, None
        if waiting != actor or actor in state.suspect.riichi or not self._countable(actor):
            return
        hand, melds = state.hand(actor), state.table.melds[actor]
        if len(hand) % 3 != 1 or waits(hand, melds, fifth=bool(state.house.fifth_wait)):
            return
        if self._can_be_tenpai([*hand, event.pai], melds):
            state.blame("R031", "{} declares riichi and discards {}, but the hand is not tenpai", actor, event.pai)
        else:
            self._not_tenpai(actor)

    def end(self) -> None:
        """Check a riichi after which the record breaks off."""
        actor = self._waiting
        if actor is not None and actor not in self.state.suspect.riichi and self._countable(actor):
            hand, melds = self.state.hand(actor), self.state.table.melds[actor]
            if len(hand) % 3 == 2 and not self._can_be_tenpai(hand, melds):
                self._not_tenpai(actor)

    def _not_tenpai(self, actor: int) -> None:
        sentence = "{} declares riichi, but the hand is not tenpai"
        self.state.report("R031", sentence, actor, actor=actor, event=self._declared)

    def _can_be_tenpai(self, hand: list[Tile], melds: list[Meld]) -> bool:
        """Return whether any discard leaves a hand tenpai."""
        return any(ready_discards(hand, melds, fifth=bool(self.state.house.fifth_wait)))

    def _countable(self, seat: int) -> bool:
        return self.state.knows(seat) and countable(self.state.hand(seat), self.state.table.melds[seat])
