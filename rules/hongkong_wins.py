"""The winning hand of a played round, and how it was won. The faan are counted from these."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError, PlayedWrongError
from mjconv.ir.match import USUAL_SEATS, Meld, Round
from mjconv.ir.table import KAN, Table
from mjconv.ir.tiles import HAND, HIDDEN, WINDS, Tile
from mjconv.rules.hands import groups
from mjconv.rules.hongkong_faan import Way

#: The tiles of a set, where the record does not have the wall.
USUAL_WALL: Final = 136


@dataclass(frozen=True)
class Won:
    """A winning hand: the concealed tiles with the winning one, the melds, and how it was won."""

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    way: Way


def played_hand(game_round: Round, deal: ev.StartRound, win: ev.Win, draws: int | None = None) -> Won | None:
    """Play a round up to a win and return the winning hand, or None where the record does not show it.

    `deal` is the round's deal with derived values. `draws` is the number of draws of a round that is played to
    its last tile; None for all tiles that are not dealt. Raises `PlayedWrongError` if the events cannot be
    played.
    """
    if deal.tehais is UNSET or len(deal.tehais) != USUAL_SEATS:
        return None
    wall = len(game_round.wall) if game_round.wall else USUAL_WALL
    most = wall - USUAL_SEATS * HAND if draws is None else draws
    return _play(game_round.events, most, deal, win)


def _play(events: Sequence[ev.Event], draws: int, deal: ev.StartRound, win: ev.Win) -> Won | None:
    table = Table.dealt(deal)
    discards = 0
    replacement = kong = False
    index = 0
    try:
        for index, event in enumerate(events):  # noqa: B007 - the error names it
            if isinstance(event, ev.Win):
                kong = kong or table.phase is KAN
                if event.actor == win.actor:
                    break
            elif isinstance(event, ev.Draw):
                replacement = table.phase is KAN
            discards += isinstance(event, ev.Discard)
            table.apply(event)
        table.apply(win)
    except IllegalPlayError as error:
        raise PlayedWrongError(str(error), index) from None
    actor = win.actor
    self_drawn = win.giver == actor
    dealer = int(deal.oya or 0)
    untouched = not any(table.melds)
    way = Way(
        self_drawn=self_drawn,
        seat_wind=WINDS[(actor - dealer) % USUAL_SEATS],
        round_wind="" if deal.bakaze is UNSET else deal.bakaze,
        robbed_kong=kong and not self_drawn,
        replacement=replacement and self_drawn,
        last_tile=table.draws >= draws and not kong,
        heavenly=self_drawn and actor == dealer and table.draws == 1 and untouched,
        earthly=not self_drawn and win.target == dealer and discards == 1 and untouched,
    )
    hand = _hand(table, win, self_drawn=self_drawn)
    return None if hand is None else Won(hand, tuple(groups(table.melds[actor])), way)


def _hand(table: Table, win: ev.Win, *, self_drawn: bool) -> tuple[Tile, ...] | None:
    """Return the concealed tiles with the winning one: as played, else as the record shows them at the win."""
    hand = tuple(table.hands[win.actor])
    last = table.drawn if self_drawn else table.last_tile
    if not self_drawn:
        hand += (table.last_tile,)
    if HIDDEN not in hand:
        return hand
    shown = win.hora_tehais or ()
    if len(shown) % 3 == 1:
        shown += (win.pai or last or HIDDEN,)
    return None if not shown or HIDDEN in shown else shown
