"""Writes a round as steps from the events of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.majiang.hands import Hands
from mjconv.converters.majiang.result_writer import write_draw, write_win
from mjconv.converters.majiang.results import from_dealer
from mjconv.converters.majiang.tiles import (
    SEATS,
    UNSEEN,
    Call,
    CannotSpellError,
    write_call,
    write_tiles,
)
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, WINDS

_HAND: Final = 13
_CALLS: Final = frozenset({ev.Chi, ev.Pon, ev.Daiminkan})
_KANS: Final = frozenset({ev.Daiminkan, ev.Kakan, ev.Ankan})
#: The events without a step of their own.
_SILENT: Final = frozenset({ev.RiichiAccepted, ev.EndRound, *ev.CONVERSATION})


class CannotWriteError(ValueError):
    """A round that majiang cannot hold: the reason, and the index of the event."""

    def __init__(self, message: str, event: int) -> None:
        super().__init__(message)
        self.event = event


def write_round(
    events: Sequence[ev.Event], deal: ev.StartRound, blocked: Sequence[int] = ()
) -> list[dict[str, Any]]:
    """Return the steps of a round. `deal` is the deal with all derived values, `blocked` the seats of three rons.

    What the events do not state is not worked out here. Raises `CannotWriteError` where the round has something
    that the steps cannot state.

    >>> deal = ev.StartRound("E", "3m", 1, 0, 0, 0, (25000,) * 4, (("1m",) * 13,) * 4)
    >>> write_round([deal, ev.Draw(0, "E"), ev.Riichi(0), ev.Discard(0, "E", True)], deal)[1:]
    [{'zimo': {'l': 0, 'p': 'z1'}}, {'dapai': {'l': 0, 'p': 'z1_*'}}]
    """
    writer = _RoundWriter(deal, blocked)
    for index, event in enumerate(events):
        try:
            writer.write(event)
        except CannotSpellError as error:
            raise CannotWriteError(str(error), index) from None
    return writer.steps


class _RoundWriter:
    """Writes the events of one round in their order."""

    def __init__(self, deal: ev.StartRound, blocked: Sequence[int]) -> None:
        self.deal = deal
        self.blocked = blocked
        self.first = int(deal.oya or 0)
        self.hands = Hands(deal)
        self.declared = False
        self.after_kan = False
        self.steps: list[dict[str, Any]] = []

    def _deal(self) -> None:
        deal = self.deal
        hands = deal.tehais or ((HIDDEN,) * _HAND,) * SEATS
        self._step(
            "qipai",
            {
                "zhuangfeng": WINDS.index(deal.bakaze or WINDS[0]),
                "jushu": self.first,
                "changbang": int(deal.honba or 0),
                "lizhibang": int(deal.kyotaku or 0),
                "defen": from_dealer(deal.scores or (0,) * SEATS, self.first),
                "baopai": UNSEEN if deal.dora_marker is UNSET else write_tiles((deal.dora_marker,)),
                "shoupai": [write_tiles(hand) for hand in from_dealer(hands, self.first)],
            },
        )

    def _step(self, kind: str, body: dict[str, Any]) -> None:
        self.steps.append({kind: body})

    def write(self, event: Any) -> None:
        """Write an event."""
        kind = type(event)
        if kind in _SILENT:
            return
        if kind is ev.StartRound:
            self._deal()
        elif kind is ev.Draw:
            name = "gangzimo" if self.after_kan else "zimo"
            self._step(name, {"l": self._seat(event), "p": write_tiles((event.pai,))})
            self.after_kan = False
        elif kind is ev.Discard:
            if event.pai == HIDDEN:
                raise CannotSpellError("majiang cannot hold a discard of a hidden tile")
            spelling = write_tiles((event.pai,)) + UNSEEN * self._is_drawn(event) + "*" * self.declared
            self._step("dapai", {"l": self._seat(event), "p": spelling})
            self.declared = False
        elif kind is ev.Riichi:
            self.declared = True
        elif kind in _CALLS:
            steps = (event.target - event.actor) % SEATS
            call = Call(kind, tuple(event.consumed), event.pai, steps)
            self._step("fulou", {"l": self._seat(event), "m": write_call(call)})
            self.after_kan = kind is ev.Daiminkan
        elif kind is ev.Ankan:
            self._step("gang", {"l": self._seat(event), "m": write_call(Call(kind, tuple(event.consumed)))})
            self.after_kan = True
        elif kind is ev.Kakan:
            self._kakan(event)
        elif kind is ev.Dora:
            self._step("kaigang", {"baopai": write_tiles((event.dora_marker,))})
        elif kind is ev.Win:
            if event.deltas is UNSET or len(event.deltas) != SEATS:
                raise CannotSpellError("the points that the win moves are not known")
            self._step("hule", write_win(event, self.hands, self.deal))
        elif kind is ev.Ryukyoku:
            self._step("pingju", write_draw(event, self.hands, self.deal, self.blocked))
        else:
            raise CannotSpellError(f"majiang has no {ev.name_of(event)}")
        self.hands.play(event)

    def _seat(self, event: Any) -> int:
        return int(event.actor - self.first) % SEATS

    def _is_drawn(self, event: ev.Discard) -> bool:
        drawn = self.hands.drawn[event.actor]
        return event.tsumogiri is not False and drawn is not None and drawn in (event.pai, HIDDEN)

    def _kakan(self, event: ev.Kakan) -> None:
        index = self.hands.pon_of(event.actor, event.pai)
        if index is None:
            raise CannotSpellError("the pon of this kan is not known")
        call = self.hands.calls[event.actor][index]._replace(kind=ev.Kakan, added=event.pai)
        self._step("gang", {"l": self._seat(event), "m": write_call(call)})
        self.after_kan = True
