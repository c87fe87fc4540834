"""A win as it stands at the table: the hand, the winning tile, and all that it counts by.

What has happened before a win is read off the round's events when there is one: wins are few, and every other
event stays free of this work.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET, Struct, structs

from mjconv.ir import events as ev
from mjconv.ir.match import Meld
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.referee.game import Game
from mjconv.referee.house import House
from mjconv.referee.values import countable, waits, worth
from mjconv.referee.worth import Circumstances, Worth

#: Games that hands are valued in.
_SEATS: Final = (3, 4)
#: The most tiles that one indicator makes dora.
_COPIES: Final = 4
#: Han of unseen dora that are looked at; a hand has never more.
_MOST_UNSEEN: Final = 40
_CALLS: Final = frozenset({ev.Chi, ev.Pon, ev.Daiminkan})
#: What another player can win on.
_SHOWN: Final = frozenset({ev.Discard, ev.Kakan, ev.Ankan, ev.Nukidora})


class Past(Struct):
    """What the events before a moment mean for one seat.

    `passed` are the tiles that others showed since the seat's last discard, or since its riichi, the last one not
    among them: that is the one it may win on now.
    """

    calls: bool = False
    discarded: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    after_kan: bool = False
    dora: tuple[Tile, ...] = ()
    passed: tuple[Tile, ...] = ()
    last: ev.Event | None = None


class Winning(Struct, frozen=True):
    """The winner's concealed tiles with the winning one, their melds, and the circumstances."""

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    tile: Tile
    circumstances: Circumstances
    past: Past
    #: How many han of dora the record does not show, at most.
    unseen: int

    def worth(self, game: Game, unseen: int = 0, house: House | None = None) -> Worth | None:
        """Give the value with so many han of dora that the record does not show, by the rules of a house."""
        said = structs.replace(self.circumstances, unseen=unseen) if unseen else self.circumstances
        return _worth(self.tiles, self.melds, self.tile, said, house or game.house)

    @property
    def waits(self) -> frozenset[Tile]:
        """The tiles that the hand waited for."""
        held = list(self.tiles)
        held.remove(self.tile)
        return waits(held, self.melds, fifth=True)


#: The same win is looked at for its yaku and for its points.
_worth = lru_cache(64)(worth)


def past(game: Game, seat: int) -> Past:
    """Read the events before the present one as one seat sees them."""
    found = Past()
    shown: list[Tile] = []
    #: The first of the shown tiles that a ron may not have passed.
    since = 0
    declared = False
    dora = [] if game.start.dora_marker is UNSET else [game.start.dora_marker]
    kan = False
    event: Any
    for index, event in enumerate(game.events[: game.index]):
        kind = type(event)
        if kind in _SHOWN and index in game.told:
            # It may stand twice, or be another's: nobody has passed it.
            found.last = event
            continue
        if kind is ev.Draw:
            # A kan breaks off ippatsu once its tile was not robbed.
            if kan:
                found.ippatsu, found.calls = False, True
            found.after_kan, kan = kan, False
        elif kind in _SHOWN:
            kan = kind is not ev.Discard
            if event.actor != seat:
                shown.append(_shown(event))
            elif not kan:
                found.discarded = True
                found.ippatsu = declared
                if declared or not found.riichi:
                    since = len(shown)
                declared = False
        elif kind in _CALLS:
            found.ippatsu, found.calls = False, True
            kan = kind is ev.Daiminkan
        elif kind is ev.Riichi:
            if event.actor == seat:
                found.riichi = declared = True
                found.double_riichi = not (found.discarded or found.calls)
        elif kind is ev.Dora:
            dora.append(event.dora_marker)
            continue
        else:
            continue
        found.last = event
    found.dora = tuple(dora)
    found.passed = tuple(shown[since:-1])
    return found


def _shown(event: ev.Discard | ev.Kakan | ev.Ankan | ev.Nukidora) -> Tile:
    # A concealed kan can be robbed for thirteen orphans at most: passing it is no furiten.
    if isinstance(event, ev.Ankan):
        return HIDDEN
    return "N" if event.pai is UNSET else event.pai


def winning(game: Game, win: ev.Win) -> Winning | None:
    """Give the win as it stands, or None where the record does not show enough to tell.

    To be asked when the win is the present event.
    """
    seat, table = win.actor, game.table
    if not (game.riichi and game.seats in _SEATS and 0 <= seat < game.seats and game.knows(seat)):
        return None
    before = past(game, seat)
    tsumo = win.target is UNSET or win.target == seat
    if (game.doubt.last_tile and not tsumo) or (game.doubt.wall and (game.undrawn or 0) <= game.seats):
        return None
    drawn = before.last.pai if isinstance(before.last, ev.Draw) else None
    tile = drawn if tsumo else table.last_tile
    tiles = (*game.hand(seat), *(() if tsumo else (table.last_tile,)))
    melds = tuple(table.melds[seat])
    start = game.start
    if tile is None or tile not in tiles or not countable(tiles, melds) or UNSET in (start.oya, start.bakaze):
        return None
    ura = () if win.ura_markers is UNSET else win.ura_markers
    riichi_unseen = before.riichi * max(0, len(before.dora) - sum(mark != HIDDEN for mark in ura))
    circumstances = Circumstances(
        tsumo=tsumo,
        seats=game.seats,
        seat_wind=WINDS[(seat - int(start.oya or 0)) % game.seats],
        round_wind=str(start.bakaze),
        riichi=before.riichi,
        double_riichi=before.double_riichi,
        ippatsu=before.ippatsu,
        rinshan=tsumo and before.after_kan,
        chankan=not tsumo and isinstance(before.last, (ev.Kakan, ev.Ankan)),
        last_tile=game.left is not None and game.left <= 0,
        first_turn=not before.calls and not before.discarded,
        dora=tuple(mark for mark in before.dora if mark != HIDDEN),
        ura=tuple(mark for mark in ura if mark != HIDDEN),
    )
    hidden = before.dora.count(HIDDEN) + riichi_unseen
    return Winning(tiles, melds, tile, circumstances, before, min(_COPIES * hidden, _MOST_UNSEEN))
