"""The circumstances of a win: riichi, ippatsu, rinshan, chankan, the last tile, the first turn, the indicators.

They are read from the events of the round when somebody wins. Wins are few, so no other event costs any time.
"""

from collections.abc import Container, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct

from mjconv.ir import events as ev
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile

#: The draws of a riichi round that is played to its last tile, by the number of players.
DRAWS: Final = {3: 55, 4: 70}


def left_to_draw(table: Table) -> int | None:
    """Return the number of tiles that can still be drawn in a riichi round; None for another number of players.

    The number is below zero if more were drawn than there are.

    >>> left_to_draw(Table([["?"] * 13] * 3))
    55
    """
    return DRAWS[table.seats] - table.draws if table.seats in DRAWS else None


class Circumstances(Struct, frozen=True, kw_only=True):
    """All that the value of a win depends on, besides its tiles and the rules of the house.

    `dora` and `ura` are indicators. Ura indicators count only in riichi. `last_tile` is true when no tile is
    left to draw (haitei, houtei). `first_turn` is true at the winner's first draw when nobody called before
    (tenhou, chiihou). `unseen` is the number of han of dora whose indicators the record does not show.
    """

    tsumo: bool
    seat_wind: Tile
    round_wind: Tile
    seats: int = 4
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False
    dora: tuple[Tile, ...] = ()
    ura: tuple[Tile, ...] = ()
    unseen: int = 0


class History(Struct):
    """The events before a moment of a round, summed up for one seat.

    `calls` is true when anybody called or made a kan. `passed` are the tiles that others showed since the seat's
    last discard, or since its riichi, without the last one: on that the seat may win now. `dora` are the
    indicators turned so far, `last` is the last event of play. `kan_giver` is the player whose discard made the
    last kan of the seat, None if nobody's did.
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
    kan_giver: int | None = None


def history(deal: ev.StartRound, events: Sequence[ev.Event], seat: int, ignored: Container[int] = ()) -> History:
    """Sum up the events before a moment for one seat.

    `events` are those of the round before the moment. `ignored` are indices of events that are out of order:
    nobody has passed their tiles.

    >>> play = [ev.Draw(0, "1m"), ev.Riichi(0), ev.Discard(0, "1m"), ev.Draw(1, "9p"), ev.Discard(1, "9p")]
    >>> found = history(ev.StartRound(dora_marker="E"), play, seat=0)
    >>> found.double_riichi, found.ippatsu, found.dora
    (True, True, ('E',))
    """
    shown: list[Tile] = []
    # The index of the first shown tile that the seat may not pass.
    since = 0
    dora = [HIDDEN if deal.dora_marker is UNSET else deal.dora_marker]
    # Local variables: most events are draws and discards, and there are many of them.
    discarded = riichi = double_riichi = declared = ippatsu = calls = kan = after_kan = False
    last: ev.Event | None = None
    kan_giver: int | None = None
    event: Any
    for index, event in enumerate(events):
        kind = type(event)
        if kind is ev.Draw:
            # A kan ends ippatsu once nobody robbed it.
            if kan:
                ippatsu, calls = False, True
            after_kan, kan = kan, False
        elif kind in ev.SHOWS:
            if not ignored or index not in ignored:
                kan = kind is not ev.Discard
                if kan and event.actor == seat and kind is not ev.Nukidora:
                    kan_giver = None
                if event.actor != seat:
                    shown.append(_tile_shown(event) if kan else event.pai)
                elif not kan:
                    discarded, ippatsu = True, declared
                    if declared or not riichi:
                        since = len(shown)
                    declared = False
        elif kind in ev.CALL_KINDS:
            ippatsu, calls = False, True
            kan = kind is ev.Daiminkan
            if kan and event.actor == seat:
                kan_giver = event.target
        elif kind is ev.Riichi:
            if event.actor == seat:
                riichi = declared = True
                double_riichi = not (discarded or calls)
        else:
            if kind is ev.Dora:
                dora.append(event.dora_marker)
            continue
        last = event
    passed = tuple(shown[since:-1])
    return History(
        calls, discarded, riichi, double_riichi, ippatsu, after_kan, tuple(dora), passed, last, kan_giver
    )


def _tile_shown(event: ev.Kakan | ev.Ankan | ev.Nukidora) -> Tile:
    # Only thirteen orphans can rob a concealed kan, so passing its tile is no furiten.
    if isinstance(event, ev.Ankan):
        return HIDDEN
    return event.tile if isinstance(event, ev.Nukidora) else event.pai
