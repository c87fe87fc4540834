"""From a round to a frame: the acts, hands and points that say in jmjp what the events say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET, structs

from mjconv.converters.jmjp.hands import write_hand
from mjconv.converters.jmjp.play import final_hands
from mjconv.converters.jmjp.points import write_points
from mjconv.converters.jmjp.syntax import Flow, Frame
from mjconv.converters.jmjp.tiles import DORA, JMJP, SEATS, spell
from mjconv.ir import derive
from mjconv.ir import events as ev
from mjconv.ir.match import FinalHand, Round
from mjconv.ir.stream import host_events
from mjconv.ir.table import KAN, IllegalPlayError, Table
from mjconv.ir.tiles import HIDDEN, Tile

#: Dora that a frame has places for, each with its ura.
_MOST_DORA: Final = 5
_UNKNOWN: Final = JMJP[HIDDEN]
_SEATS: Final = 4


class PlanError(ValueError):
    """The events cannot be played: the message, and the index of the event where play parts from the rules."""

    def __init__(self, message: str, event: int | None = None) -> None:
        super().__init__(message)
        self.event = event


def plan_frame(game_round: Round, deal: ev.StartRound, major: int, seat: int | None = None) -> Frame:
    """Plan the frame that says what this round says; `deal` is its deal with all that could be derived.

    `seat` is whose in-game stream it is, where it is one. Raises `PlanError` where the events are no play.
    """
    dealer = int(deal.oya or 0)
    flows: list[Flow] = []
    if _is_played(game_round):
        try:
            flows = [_Plan(deal, dealer, major).flow(game_round, game_round.events)]
        except PlanError as error:
            heard = host_events(game_round.events, seat)
            if len(heard) == len(game_round.events):
                raise
            try:
                flows = [_Plan(deal, dealer, major).flow(game_round, heard)]
            except PlanError:
                raise error from None
    return Frame(
        wind=str(deal.bakaze),
        number=int(deal.kyoku or 0),
        honba=int(deal.honba or 0),
        kyoutak=_kyoutak(game_round, deal),
        dice=None if game_round.dice is UNSET else game_round.dice,
        pfs=_by_seat(deal.scores or None, dealer),
        dora=_dora(game_round),
        flows=flows,
        pfe=_by_seat(derive.scores_after(game_round, deal.scores or None), dealer),
        comment=None if game_round.comment is UNSET else game_round.comment,
        begin=0,
        end=0,
    )


def _is_played(game_round: Round) -> bool:
    """Whether any tile of the round is known: otherwise it is only points."""
    start = game_round.start
    if start is not None and start.tehais is not UNSET and any(set(hand) - {HIDDEN} for hand in start.tehais):
        return True
    return bool(game_round.select(ev.Draw))


def _kyoutak(game_round: Round, deal: ev.StartRound) -> int | None:
    start = game_round.start
    if deal.kyotaku is UNSET or "kyotaku" in game_round.assumed or start is None or start.kyotaku is UNSET:
        return None
    return deal.kyotaku * derive.RIICHI_STICK


def _by_seat(points: Sequence[int] | None, dealer: int) -> tuple[int, ...] | None:
    """Turn points by player to seats; None also where a number cannot be spelled, so that all are left out."""
    if points is None or len(points) != _SEATS or any(write_points(number) is None for number in points):
        return None
    return tuple([points[(dealer + seat) % _SEATS] for seat in range(_SEATS)])


def _dora(game_round: Round) -> tuple[str, ...] | None:
    markers: list[Tile] = []
    ura: Sequence[Tile] = ()
    for event in game_round.select(ev.StartRound, ev.Dora, ev.Win):
        if isinstance(event, ev.StartRound):
            if event.dora_marker is not UNSET:
                markers.append(event.dora_marker)
        elif isinstance(event, ev.Dora):
            markers.append(event.dora_marker)
        elif isinstance(event, ev.Win):
            ura = ura or event.ura_markers or ()
    if not markers:
        return None
    places = [_UNKNOWN] * (2 * _MOST_DORA)
    for place, marker in enumerate(markers[:_MOST_DORA]):
        places[2 * place] = DORA[marker]
    for place, marker in enumerate(ura[:_MOST_DORA]):
        places[2 * place + 1] = DORA[marker]
    return tuple(places)


class _Plan:
    """Plays the events at a table and writes down the acts they are."""

    def __init__(self, deal: ev.StartRound, dealer: int, major: int) -> None:
        self.table = Table.dealt(deal)
        self.dealer = dealer
        self.major = major
        self.acts: list[str] = []
        #: What the seat took, while it is not yet known what it does: the act up to there.
        self.begun = ""
        self.letters = [SEATS[(player - dealer) % _SEATS] for player in range(_SEATS)]
        self.riichi = False
        self.dealt_fourteen = False

    def flow(self, game_round: Round, events: Sequence[ev.Event]) -> Flow:
        deal = [FinalHand(tuple(hand)) for hand in self.table.hands]
        first = next((event for event in events if isinstance(event, ev.Draw)), None)
        if game_round.dealt_fourteen and first is not None:
            deal[self.dealer] = structs.replace(deal[self.dealer], last=first.pai)
            self.dealt_fourteen = True
        apply = self.table.apply
        for index, event in enumerate(events):
            try:
                write = _WRITE.get(type(event))
                if write is not None:
                    write(self, event)
                apply(event)
            except IllegalPlayError as error:
                raise PlanError(str(error), index) from None
        if self.begun:
            self._give("")
        end = final_hands(self.table) if game_round.final_hands is UNSET else game_round.final_hands
        return Flow(self._hands(deal), self.acts, self._hands(end), 0, 0, 0)

    def _hands(self, hands: Sequence[FinalHand]) -> list[str]:
        order = [(self.dealer + seat) % _SEATS for seat in range(_SEATS)]
        return [write_hand(player, hands[player], self.dealer, self.major) for player in order]

    def _give(self, text: str) -> None:
        self.acts.append(self.begun + text)
        self.begun = ""

    def _draw(self, event: ev.Draw) -> None:
        tile = event.pai
        take = JMJP[tile]
        if self.dealt_fourteen and not self.acts:
            take = "oy"
        elif self.table.phase is KAN and tile != HIDDEN:
            take = f"rs[{take}]"
        self.begun = f"{self.letters[event.actor]},{take},"

    def _discard(self, event: ev.Discard) -> None:
        tile = event.pai
        text = JMJP[tile]
        if self.riichi:
            text = f"rc[{text}]"
            self.riichi = False
        elif tile == self.table.drawn and tile != HIDDEN and not self.begun.endswith(",oy,"):
            if event.tsumogiri or event.tsumogiri is UNSET:
                text = "tg"
            elif self.table.hands[event.actor].count(tile) > 1:
                text = "kg"
        self.acts.append(self.begun + text)
        self.begun = ""

    def _riichi(self, event: ev.Riichi) -> None:  # noqa: ARG002 - all take the event
        self.riichi = True

    def _chi(self, event: ev.Chi) -> None:
        self.begun = f"{self.letters[event.actor]},ch[{spell(event.consumed)}],"

    def _pon(self, event: ev.Pon) -> None:
        tiles = f"[{spell(event.consumed)}]" if self.major else ""
        self.begun = f"{self.letters[event.actor]},pn{tiles},"

    def _daiminkan(self, event: ev.Daiminkan) -> None:
        tiles = f"[{spell(event.consumed)}]" if self.major else ""
        self.acts.append(f"{self.letters[event.actor]},dk{tiles},")

    def _kakan(self, event: ev.Kakan) -> None:
        self._give(f"kk[{JMJP[event.pai]}]")

    def _ankan(self, event: ev.Ankan) -> None:
        self._give(f"ak[{spell(event.consumed if self.major else event.consumed[:1])}]")

    def _win(self, event: ev.Win) -> None:
        if event.target is UNSET or event.target == event.actor:
            self._give("tm")
        else:
            self.acts.append(f"{self.letters[event.actor]},{'rn' if self.major else 'ro'},")


_WRITE: Final[dict[type, Callable[[_Plan, Any], None]]] = {
    ev.Draw: _Plan._draw,
    ev.Discard: _Plan._discard,
    ev.Riichi: _Plan._riichi,
    ev.Chi: _Plan._chi,
    ev.Pon: _Plan._pon,
    ev.Daiminkan: _Plan._daiminkan,
    ev.Kakan: _Plan._kakan,
    ev.Ankan: _Plan._ankan,
    ev.Win: _Plan._win,
}
