"""Writes a round of tenhou.net/6 JSON from the events of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.tenhou.json_calls import JsonCall, in_order, steps_to, write_call
from mjconv.converters.tenhou.json_results import UnwritableEventError, four_points, write_result
from mjconv.converters.tenhou.json_round import DRAWN
from mjconv.converters.tenhou.vocabulary import LISTED, NUMBER_OF
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, ORDER, WINDS, Tile, plain

_HAND: Final = 13
_CALLS: Final[dict[type, str]] = {ev.Chi: "chi", ev.Pon: "pon", ev.Daiminkan: "daiminkan"}


def write_round(events: Sequence[ev.Event], deal: ev.StartRound, seats: int) -> list[Any]:
    """Return the 17 values of a round, as Tenhou writes them. `deal` is the deal with all derived values.

    What the events do not state is not worked out here. Raises `UnwritableEventError` where the round has
    something that the values cannot state.

    >>> deal = ev.StartRound("E", "3m", 1, 0, 0, 0, (25000,) * 4, (("1m",) * 13,) * 4)
    >>> write_round([deal, ev.Draw(0, "E"), ev.Ryukyoku("kyushu_kyuhai")], deal, 4)[-4:]
    [[11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11], [], [], ['九種九牌']]
    """
    lists = _Lists()
    takes, plays, drawn, filler = lists.takes, lists.plays, lists.drawn, lists.filler
    number_of = NUMBER_OF
    event: Any = None
    try:
        for event in events:
            kind = type(event)
            if kind is ev.Draw:
                takes[event.actor].append(number_of[event.pai])
                drawn[event.actor] = event.pai
            elif kind is ev.Discard:
                seat, tile = event.actor, event.pai
                as_drawn = drawn[seat] == tile and event.tsumogiri is not False
                number = DRAWN if as_drawn else number_of[tile]
                plays[seat].append(f"r{number:02}" if lists.declared else number)
                drawn[seat] = None
                lists.declared = filler[seat] = False
            elif kind in _WRITERS:
                _WRITERS[kind](lists, event)
        event = deal
        marker = [] if deal.dora_marker is UNSET else [number_of[deal.dora_marker]]
        hands = [[number_of[tile] for tile in sorted(hand, key=ORDER.__getitem__)] for hand in _hands(deal, seats)]
    except KeyError as error:
        reason = f"it has no number for the tile {error.args[0]}"
        message = f"tenhou.net/6 cannot hold this {ev.name_of(event)}: {reason}"
        raise UnwritableEventError(message, events.index(event)) from None
    lists.drop_last_filler()
    game_round = LISTED * WINDS.index(deal.bakaze or "E") + int(deal.oya or 0)
    scores = deal.scores or (0,) * seats
    value: list[Any] = [
        [game_round, int(deal.honba or 0), int(deal.kyotaku or 0)],
        four_points(scores),
        [*marker, *lists.dora],
        max(lists.ura, key=len, default=[]),
    ]
    for seat in range(LISTED):
        value += (hands[seat] if seat < seats else [], lists.takes[seat], lists.plays[seat])
    value.append(write_result(events, deal, seats))
    return value


class _Lists:
    """The takes and the plays of all players, while they are written."""

    def __init__(self) -> None:
        self.takes: list[list[int | str]] = [[] for _ in range(LISTED)]
        self.plays: list[list[int | str]] = [[] for _ in range(LISTED)]
        self.drawn: list[Tile | None] = [None] * LISTED
        self.dora: list[int] = []
        #: The ura indicators of each winner: the first winner in riichi has all.
        self.ura: list[list[int]] = []
        self.declared = False
        self.pons: dict[tuple[int, Tile], JsonCall] = {}
        #: Whether the last play of each player is the filler of a daiminkan.
        self.filler = [False] * LISTED

    def call(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        seat = event.actor
        kind: Any = _CALLS[type(event)]
        call = JsonCall(kind, in_order(event.consumed), event.pai, steps_to(seat, event.target))
        self.takes[seat].append(write_call(call))
        self.drawn[seat] = None
        if kind == "pon":
            self.pons[seat, plain(event.pai)] = call
        elif kind == "daiminkan":
            self.plays[seat].append(0)
            self.filler[seat] = True

    def kakan(self, event: ev.Kakan) -> None:
        pon = self.pons[event.actor, plain(event.pai)]
        self._play(event.actor, pon._replace(kind="kakan", added=event.pai))

    def ankan(self, event: ev.Ankan) -> None:
        self._play(event.actor, JsonCall("ankan", in_order(event.consumed)))

    def nukidora(self, event: ev.Nukidora) -> None:
        self._play(event.actor, JsonCall("nukidora", ("N" if event.pai is UNSET else event.pai,)))

    def _play(self, seat: int, call: JsonCall) -> None:
        self.plays[seat].append(write_call(call))
        self.drawn[seat] = None
        self.filler[seat] = False

    def riichi(self, event: ev.Riichi) -> None:  # noqa: ARG002 - all writers take the event
        self.declared = True

    def turn(self, event: ev.Dora) -> None:
        self.dora.append(NUMBER_OF[event.dora_marker])

    def win(self, event: ev.Win) -> None:
        self.ura.append([NUMBER_OF[tile] for tile in event.ura_markers or ()])

    def drop_last_filler(self) -> None:
        """Drop the zero of a daiminkan after which the player plays nothing."""
        for plays, filler in zip(self.plays, self.filler, strict=True):
            if filler:
                plays.pop()


_WRITERS: Final[dict[type, Any]] = {
    ev.Chi: _Lists.call,
    ev.Pon: _Lists.call,
    ev.Daiminkan: _Lists.call,
    ev.Kakan: _Lists.kakan,
    ev.Ankan: _Lists.ankan,
    ev.Nukidora: _Lists.nukidora,
    ev.Riichi: _Lists.riichi,
    ev.Dora: _Lists.turn,
    ev.Win: _Lists.win,
}


def _hands(deal: ev.StartRound, seats: int) -> Sequence[Sequence[Tile]]:
    return deal.tehais or ((HIDDEN,) * _HAND,) * seats
