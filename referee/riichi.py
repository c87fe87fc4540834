"""The rules of riichi: who may declare it, and what may be done in it."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.derive import RIICHI_STICK
from mjconv.ir.match import Meld
from mjconv.ir.plural import counted
from mjconv.ir.table import DECLARED
from mjconv.ir.tiles import HIDDEN, Tile
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks
from mjconv.referee.values import countable, waits

CODES: Final[dict[str, Code]] = {
    "R030": Code("riichi with an open hand"),
    "R031": Code("riichi with a hand that is not tenpai"),
    "R032": Code("riichi with fewer than 1000 points"),
    "R033": Code("riichi when too few tiles are left for another draw"),
    "R034": Code("in riichi another tile than the one drawn is given away"),
    "R035": Code("an ankan in riichi that changes the hand: not of the tile drawn, or with other waits after it"),
}

_CLOSED: Final = frozenset({"ankan", "nukidora"})


class RiichiCheck(Check):
    """Looks at riichi when it is declared, and at what a player in riichi does."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        #: Where riichi was declared last, and by whom, until its discard.
        self._declared = 0
        self._waiting: int | None = None
        #: Who was told to give another tile away than the one drawn.
        self._astray: set[int] = set()

    def before(self) -> Hooks:
        """Look at riichi, and at what may leave a hand in it."""
        return {
            ev.Riichi: self._riichi,
            ev.Discard: self._discard,
            ev.Nukidora: self._nukidora,
            ev.Ankan: self._ankan,
        }

    def after(self) -> Hooks:
        """Look at the hand that is left."""
        return {ev.Discard: self._discarded}

    def _riichi(self, event: ev.Riichi) -> None:
        game = self.game
        actor = event.actor
        self._declared, self._waiting = game.index, actor
        opened = next((meld for meld in game.table.melds[actor] if meld.kind not in _CLOSED), None)
        if game.index in game.told:
            return
        if opened is not None and actor not in game.doubt.hands:
            game.tell("R030", f"{{}} declares riichi, and has called {opened.kind}", actor, actor=actor)
        scores = game.start.scores
        if scores is not UNSET and len(scores) == game.seats and not game.house.riichi_in_debt:
            points = scores[actor]
            if points < RIICHI_STICK:
                game.tell("R032", f"{{}} declares riichi with {points} points", actor, actor=actor)
        left = game.left
        if left is not None and left < game.seats and not game.house.late_riichi:
            game.tell(
                "R033", f"{{}} declares riichi with {counted(left, 'tile')} left to draw", actor, actor=actor
            )

    def _discard(self, event: ev.Discard) -> None:
        game = self.game
        table = game.table
        actor = event.actor
        if not self._in_riichi(actor) or event.tsumogiri is True or table.drawn in (None, HIDDEN):
            return
        if table.phase is DECLARED and table.turn == actor:
            return
        hand = game.hand(actor)
        # What is not held, or only drawn, is told as that.
        if event.pai not in hand or (event.pai == table.drawn and hand.count(event.pai) == 1):
            return
        if event.pai != table.drawn or event.tsumogiri is False:
            self._gone_astray(actor, "{} is in riichi, draws {} and discards {} of the hand", event.pai)

    def _nukidora(self, event: ev.Nukidora) -> None:
        tile = "N" if event.pai is UNSET else event.pai
        drawn = self.game.table.drawn
        if self._in_riichi(event.actor) and drawn not in (None, HIDDEN, tile):
            self._gone_astray(event.actor, "{} is in riichi, draws {} and sets {} aside", tile)

    def _in_riichi(self, actor: int) -> bool:
        return bool(self.game.table.riichi[actor]) and actor not in self.game.doubt.riichi

    def _gone_astray(self, actor: int, sentence: str, tile: Tile) -> None:
        # Whoever is not in riichi after all would be told at each of their turns.
        if actor not in self._astray:
            self._astray.add(actor)
            self.game.tell("R034", sentence, actor, self.game.table.drawn, tile, actor=actor)

    def _ankan(self, event: ev.Ankan) -> None:
        game = self.game
        actor = event.actor
        drawn = game.table.drawn
        if not self._in_riichi(actor) or drawn in (None, HIDDEN):
            return
        if drawn not in event.consumed:
            game.tell(
                "R035", "{} is in riichi, draws {} and makes an ankan of {}", actor, drawn, event.consumed,
                actor=actor,
            )  # fmt: skip
        elif self._countable(actor):
            hand, melds = game.hand(actor), game.table.melds[actor]
            rest = _without(hand, event.consumed)
            if rest is None:
                return
            was = waits(_without(hand, [drawn]) or [], melds)
            now = waits(rest, [*melds, Meld("ankan", event.consumed)])
            if was != now:
                game.tell(
                    "R035", "{} is in riichi, and the ankan of {} changes what the hand waits for", actor,
                    event.consumed, actor=actor,
                )  # fmt: skip

    def _discarded(self, event: ev.Discard) -> None:
        game = self.game
        actor = event.actor
        waiting, self._waiting = self._waiting, None
        if waiting != actor or actor in game.doubt.riichi or not self._countable(actor):
            return
        hand, melds = game.hand(actor), game.table.melds[actor]
        if len(hand) % 3 != 1 or waits(hand, melds, fifth=True):
            return
        if _can_be_tenpai([*hand, event.pai], melds):
            said = "{} declares riichi and discards {}, and the hand is not tenpai"
            game.tell("R031", said, actor, event.pai, actor=actor)
        else:
            self._not_tenpai(actor)

    def end(self) -> None:
        """Look at a riichi after which the record breaks off."""
        actor = self._waiting
        if actor is not None and actor not in self.game.doubt.riichi and self._countable(actor):
            hand, melds = self.game.hand(actor), self.game.table.melds[actor]
            if len(hand) % 3 == 2 and not _can_be_tenpai(hand, melds):
                self._not_tenpai(actor)

    def _not_tenpai(self, actor: int) -> None:
        said = "{} declares riichi, and the hand is not tenpai"
        self.game.tell("R031", said, actor, actor=actor, event=self._declared)

    def _countable(self, seat: int) -> bool:
        return self.game.knows(seat) and countable(self.game.hand(seat), self.game.table.melds[seat])


def _can_be_tenpai(hand: list[Tile], melds: list[Meld]) -> bool:
    """Tell whether any discard leaves a hand tenpai."""
    return any(waits(_without(hand, [tile]) or [], melds, fifth=True) for tile in set(hand))


def _without(hand: list[Tile], tiles: tuple[Tile, ...] | list[Tile]) -> list[Tile] | None:
    """Give a hand less some tiles; None where it does not hold them."""
    left = list(hand)
    for tile in tiles:
        if tile not in left:
            return None
        left.remove(tile)
    return left
