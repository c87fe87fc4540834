"""The rules of calls: when there may be one, with what, by whom, and what may be discarded after it."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.tiles import FLOWERS, HIDDEN, SUITS, Tile, plain
from mjconv.referee.findings import Code
from mjconv.referee.game import Check, Game, Hooks

CODES: Final[dict[str, Code]] = {
    "R013": Code("a kakan that names other tiles than those of its pon"),
    "R014": Code("a call or kan when no tile is left to draw"),
    "R015": Code("a call or kakan by a player in riichi"),
    "R016": Code("swap calling: a tile is discarded that the call could have taken"),
    "R017": Code("a fifth kan"),
    "R018": Code("a chi where three play"),
    "R020": Code("a tile is set aside that is no north, or where four play"),
}

_MOST_KANS: Final = 4
_RANKED: Final = frozenset(f"{rank}{suit}" for suit in SUITS for rank in range(1, 10))


class CallCheck(Check):
    """Looks at calls and kans before they are played, and at the discard after a call."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._called: ev.Chi | ev.Pon | None = None

    def before(self) -> Hooks:
        """Look at calls, kans, and discards."""
        return {
            ev.Chi: self._chi,
            ev.Pon: self._pon,
            ev.Daiminkan: self._daiminkan,
            ev.Kakan: self._kakan,
            ev.Ankan: self._kan,
            ev.Nukidora: self._nukidora,
            ev.Discard: self._discard,
        }

    def _chi(self, event: ev.Chi) -> None:
        if self.game.riichi and self.game.seats == 3:
            self.game.tell("R018", "{} calls chi, where three play", event.actor, actor=event.actor)
        self._pon(event)

    def _pon(self, event: ev.Chi | ev.Pon) -> None:
        self._in_time(event.actor, "calls")
        self._not_in_riichi(event.actor, "calls")
        self._called = event

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        self._not_in_riichi(event.actor, "calls")
        self._kan(event)

    def _kakan(self, event: ev.Kakan) -> None:
        pon = self.game.table.pon_of(event.actor, event.pai)
        if pon is not None and pon.called is not UNSET:
            tiles = (*pon.own, pon.called)
            if HIDDEN not in (*tiles, *event.consumed) and sorted(tiles) != sorted(event.consumed):
                self.game.tell(
                    "R013", "{} adds to a pon of {}, and the pon is {}", event.actor, event.consumed, tiles,
                    actor=event.actor,
                )  # fmt: skip
        self._not_in_riichi(event.actor, "makes a kakan")
        self._kan(event)

    def _kan(self, event: ev.Daiminkan | ev.Kakan | ev.Ankan) -> None:
        self._in_time(event.actor, "makes a kan")
        if self.game.riichi and self.game.table.kans >= _MOST_KANS:
            self.game.tell("R017", "{} makes a fifth kan", event.actor, actor=event.actor)

    def _nukidora(self, event: ev.Nukidora) -> None:
        game = self.game
        tile = "N" if event.pai is UNSET else event.pai
        if game.riichi and (game.seats != 3 or tile != "N") and tile not in FLOWERS:
            said = "{} sets {} aside" if game.seats == 3 else "{} sets {} aside, where four play"
            game.tell("R020", said, event.actor, tile, actor=event.actor)
        self._in_time(event.actor, "sets a tile aside")

    def _in_time(self, actor: int, doing: str) -> None:
        left = self.game.left
        if left is not None and left <= 0:
            self.game.tell("R014", f"{{}} {doing}, and no tile is left to draw", actor, actor=actor)

    def _not_in_riichi(self, actor: int, doing: str) -> None:
        if self.game.table.riichi[actor] and actor not in self.game.doubt.hands | self.game.doubt.riichi:
            self.game.tell("R015", f"{{}} {doing}, and is in riichi", actor, actor=actor)

    def _discard(self, event: ev.Discard) -> None:
        call, self._called = self._called, None
        game = self.game
        if call is None or call.actor != event.actor or game.house.swap_calling or not game.riichi:
            return
        if event.pai != HIDDEN and plain(event.pai) in swaps(call):
            game.tell(
                "R016", "{} calls {} with {}, and discards {}", call.actor, call.pai, call.consumed, event.pai,
                actor=call.actor,
            )  # fmt: skip


def swaps(call: ev.Chi | ev.Pon) -> tuple[Tile, ...]:
    """Give the tiles, reds as plain ones, that the tiles of the hand could have called as well.

    >>> swaps(ev.Chi(1, 0, "3p", ("4p", "5pr"))), swaps(ev.Chi(1, 0, "4p", ("3p", "5p")))
    (('3p', '6p'), ('4p',))
    """
    called = plain(call.pai)
    run = (called, *map(plain, call.consumed))
    if type(call) is ev.Pon or len(run) != 3 or any(tile not in _RANKED for tile in run):
        return (called,)
    low, high = sorted(int(tile[0]) for tile in run[1:])
    ends = (f"{low - 1}{called[1]}", f"{high + 1}{called[1]}") if high - low == 1 else ()
    return (called, *(tile for tile in ends if tile in _RANKED and tile != called))
