"""Writes a round as steps from the events of a round."""

from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.majiang.result_writer import write_draw, write_win
from mjconv.converters.majiang.tiles import SEATS, SPELLING_OF, UNSEEN, write_call, write_tiles
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.json_values import CannotHoldError
from mjconv.ir import events as ev
from mjconv.ir.melds import meld_of
from mjconv.ir.seats import turned
from mjconv.ir.tiles import HAND, HIDDEN, WINDS, Tile


def write_round(whole: CompleteRound) -> list[dict[str, Any]]:
    """Return the steps of a round with all derived values.

    What the events do not state is not worked out here. Raises `CannotHoldError` where the round has something
    that the steps cannot state.

    >>> deal = ev.StartRound("E", "3m", 1, 0, 0, 0, (25000,) * 4, (("1m",) * 13,) * 4)
    >>> play = [deal, ev.Draw(0, "E"), ev.Riichi(0), ev.Discard(0, "E", True)]
    >>> from mjconv.ir.play import Play
    >>> write_round(CompleteRound(deal, play, [0, 1, 2, 3], Play(deal)))[1:]
    [{'zimo': {'l': 0, 'p': 'z1'}}, {'dapai': {'l': 0, 'p': 'z1_*'}}]
    """
    writer = _StepWriter(whole)
    steps, places = writer.steps, writer.places
    event: Any
    try:
        for index, event in enumerate(whole.events):  # noqa: B007 - an error has the index
            kind = type(event)
            if kind is ev.Draw:
                drawn = "gangzimo" if writer.after_kan else "zimo"
                steps.append(_turn(drawn, places[event.actor], event.pai, ""))
                writer.after_kan = False
            elif kind is ev.Discard:
                # A discard that does not state it may be the tile drawn, which is hidden.
                signs = ("" if event.tsumogiri is False else UNSEEN) + "*" * writer.declared
                steps.append(_turn("dapai", places[event.actor], event.pai, signs))
                writer.declared = False
            else:
                _WRITERS[kind](writer, event)
    except CannotHoldError as error:
        error.event = index
        raise
    return steps


@lru_cache(2048)
def _turn(kind: str, player: int, tile: Tile, signs: str) -> dict[str, Any]:
    """Return the step of a draw or of a discard: most steps of all games are these. Nobody changes a step."""
    if tile == HIDDEN and kind == "dapai":
        raise CannotHoldError("majiang cannot hold a discard of a hidden tile")
    return {kind: {"l": player, "p": SPELLING_OF[tile] + signs}}


class _StepWriter:
    """Writes the events of one round that are no draws and discards. `table` is the table before the result."""

    def __init__(self, whole: CompleteRound) -> None:
        self.deal = whole.deal
        self.table = whole.table
        self.blocked = whole.blocked
        self.first = int(self.deal.oya or 0)
        #: The place of each player after the dealer.
        self.places = [(player - self.first) % SEATS for player in range(SEATS)]
        self.declared = False
        self.after_kan = False
        self.steps: list[dict[str, Any]] = []

    def _step(self, kind: str, **body: Any) -> None:
        self.steps.append({kind: body})

    def _start_kyoku(self, event: ev.StartRound) -> None:  # noqa: ARG002 - all handlers take the event
        deal = self.deal
        hands = deal.tehais or ((HIDDEN,) * HAND,) * SEATS
        self._step(
            "qipai",
            zhuangfeng=WINDS.index(deal.bakaze or WINDS[0]),
            jushu=self.first,
            changbang=int(deal.honba or 0),
            lizhibang=int(deal.kyotaku or 0),
            defen=turned(list(deal.scores or (0,) * SEATS), self.first),
            baopai=UNSEEN if deal.dora_marker is UNSET else SPELLING_OF[deal.dora_marker],
            shoupai=[write_tiles(hand) for hand in turned(hands, self.first)],
        )

    def _reach(self, event: ev.Riichi) -> None:  # noqa: ARG002
        self.declared = True

    def _call(self, event: ev.Chi | ev.Pon | ev.Daiminkan) -> None:
        self._step("fulou", l=self.places[event.actor], m=write_call(meld_of(event, ()), event.actor))
        self.after_kan = type(event) is ev.Daiminkan

    _chi = _pon = _daiminkan = _call

    def _kan(self, event: ev.Ankan | ev.Kakan) -> None:
        meld = meld_of(event, self.table.melds[event.actor])
        self._step("gang", l=self.places[event.actor], m=write_call(meld, event.actor))
        self.after_kan = True

    _ankan = _kakan = _kan

    def _dora(self, event: ev.Dora) -> None:
        self._step("kaigang", baopai=SPELLING_OF[event.dora_marker])

    def _hora(self, event: ev.Win) -> None:
        if event.deltas is UNSET or len(event.deltas) != SEATS:
            raise CannotHoldError("the points that the win moves are not known")
        self._step("hule", **write_win(event, self.table, self.deal))

    def _ryukyoku(self, event: ev.Ryukyoku) -> None:
        self._step("pingju", **write_draw(event, self.table, self.deal, self.blocked))

    def _nothing(self, event: ev.Event) -> None:
        """Write no step."""

    _reach_accepted = _end_kyoku = _nothing

    def _unknown(self, event: ev.Event) -> None:
        raise CannotHoldError(f"majiang has no {ev.name_of(event)}")


_WRITERS: Final = dict.fromkeys(ev.KINDS.values(), _StepWriter._unknown) | ev.handlers(_StepWriter)
