"""Columns that follow from the play: the distance to tenpai of a hand, its waits and dora, and the tiles left.

`shanten` needs the engine riichienv, which is loaded when it is first used.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, Final

from msgspec import UNSET

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.table import Table
from mjconv.ir.tiles import COPIES, HIDDEN, RED_FIVES, Tile, plain
from mjconv.rules.circumstances import DRAWS, left_to_draw
from mjconv.rules.decomposition import WHOLE
from mjconv.rules.hands import countable, tiles_of, waits
from mjconv.rules.mahjong_package import KIND_OF
from mjconv.rules.riichi_values import dora_of

#: The events whose tile another player may win on. Only thirteen orphans win on that of a concealed kan.
_SHOWN: Final = frozenset({ev.Discard, ev.Kakan, ev.Nukidora})


def derived(events: Sequence[Any], seats: int, wanted: Collection[str]) -> Iterator[tuple[int, str, Any]]:
    """Yield the derived values of a round of riichi: the index of an event, the column, and the value.

    Each value is that of the player of the event, after it; the tile just drawn is no part of the waits. A hand
    with hidden tiles has no values. `left` needs no hands.

    >>> hands = ("2m 3m 1p 2p 3p 7s 8s 9s E E E W W".split(), *[["?"] * 13] * 3)
    >>> deal = ev.StartRound("E", dora_marker="E", oya=0, tehais=hands)
    >>> play = [deal, ev.Draw(0, "N"), ev.Discard(0, "N", tsumogiri=True)]
    >>> list(derived(play, 4, ["waits", "furiten", "left"]))[3:]
    [(2, 'left', 69), (2, 'waits', ['1m', '4m']), (2, 'furiten', False)]
    """
    start = events[0] if events else None
    if type(start) is not ev.StartRound or seats not in DRAWS:
        return
    try:
        table = Table.dealt(start, strict=False)
    except IllegalPlayError:
        return
    if table.seats != seats:
        return
    markers = [start.dora_marker or HIDDEN]
    worth = _worth(markers, seats)
    # By seat: the waits before the next draw, and the tiles of others that the player did not win on.
    waited: list[list[Tile] | None] = [None] * seats
    passed: list[set[Tile]] = [set() for _ in range(seats)]
    declared = -1
    for index, event in enumerate(events[1:], 1):
        table.apply(event)
        kind = type(event)
        if kind is ev.Dora:
            markers.append(event.dora_marker)
            worth = _worth(markers, seats)
        elif kind is ev.Riichi:
            declared = event.actor
        if kind not in ev.MOVES or not 0 <= event.actor < seats:
            continue
        seat = event.actor
        hand, melds, drawn = table.hands[seat], table.melds[seat], kind is ev.Draw
        if kind is ev.Discard and (declared == seat or not table.riichi[seat]):
            passed[seat].clear()
            declared = -1
        if kind in _SHOWN:
            tile = plain("N" if event.pai is UNSET else event.pai)
            for other in range(seats):
                if other != seat:
                    passed[other].add(tile)
        if "left" in wanted:
            yield index, "left", left_to_draw(table)
        if not countable(hand, melds):
            waited[seat] = None
            continue
        if "shanten" in wanted and (distance := shanten(hand, seats)) is not None:
            yield index, "shanten", distance
        if "dora" in wanted and worth:
            held = chain(hand, *map(tiles_of, melds))
            norths = sum(meld.kind == "nukidora" for meld in melds)
            yield index, "dora", sum(map(worth.__getitem__, held)) + norths
        if kind in (ev.Chi, ev.Pon):
            waited[seat] = None
            continue
        own = waited[seat]
        if own is None or not drawn:
            found = waits(hand[:-1] if drawn else hand, melds)
            own = waited[seat] = sorted(found, key=KIND_OF.__getitem__)
        if "waits" in wanted:
            yield index, "waits", own
        if "furiten" in wanted and own:
            seen = passed[seat].union(map(plain, table.rivers[seat]))
            yield index, "furiten", not seen.isdisjoint(own)


def _worth(markers: Sequence[Tile], seats: int) -> dict[Tile, int]:
    """Return how many dora each tile is, a red five one more; an empty table if an indicator is hidden."""
    if HIDDEN in markers:
        return {}
    doras = [dora_of(marker, seats) for marker in markers]
    return {tile: doras.count(plain(tile)) + (tile in RED_FIVES) for tile in KIND_OF}


def shanten(hand: Sequence[Tile], seats: int) -> int | None:
    """Return how many tiles a hand of known riichi tiles is from tenpai: 0 in tenpai, -1 if it is complete.

    Where three play, no tile from 2m to 8m comes. None for a hand that no player can hold: of another number of
    tiles, or with five of a kind. The engine counts a hundred times as fast as the package `mahjong`.

    >>> shanten("2m 3m 1p 2p 3p 7s 8s 9s E E E W W".split(), 4), shanten("2m 3m 1p".split(), 4)
    (0, None)
    """
    kinds = [KIND_OF[tile] for tile in hand]
    if len(kinds) % 3 == 0 or len(kinds) > WHOLE or max(map(kinds.count, kinds)) > COPIES:
        return None
    import riichienv

    count = riichienv.calculate_shanten_3p if seats == 3 else riichienv.calculate_shanten
    return int(count([COPIES * kind for kind in kinds]))
