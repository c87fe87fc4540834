"""Hands that a result states again, compared with the play before it.

No field of the hub holds a second statement. The reader compares it, warns where it differs, and keeps nothing of
it.
"""

from collections.abc import Iterable, Sequence

from msgspec import UNSET

from mjconv.ir.play import Play
from mjconv.ir.tiles import HIDDEN, Tile, sorted_tiles


def hand_played(
    play: Play,
    seat: int,
    tiles: Iterable[Tile],
    calls: Iterable[Sequence[Tile]] | None = None,
    won: Tile | None = None,
) -> str | None:
    """Return the hand of a seat before the result of a round, if the record states another one; else None.

    `tiles` are the concealed tiles that the record states, `calls` the tiles of each call, if it states them.
    `won` is the tile of another player that completes the hand. If the play does not show the hand, returns None.

    >>> from mjconv.ir import events as ev
    >>> deal = ev.StartRound(tehais=(("1m", "E", "E"), (), (), ()), oya=1)
    >>> play = Play(deal)
    >>> table = play.follow([deal, ev.Draw(1, "E"), ev.Discard(1, "E"), ev.Pon(0, 1, "E", ("E", "E"))])
    >>> hand_played(play, 0, ["1m"], ["EEE"]), hand_played(play, 0, ["2m"])
    (None, '1m')
    """
    table = play.table
    held = table.hands[seat]
    hand = sorted(held if won is None else [*held, won])
    melds = [
        [tile for tile in (*meld.own, meld.called, meld.added) if tile is not UNSET]
        for meld in (() if calls is None else table.melds[seat])
    ]
    stated = sorted(tiles)
    if stated == hand and sorted(map(sorted, calls or ())) == sorted(map(sorted, melds)):
        return None
    if any(getattr(play.events[index], "actor", None) == seat for index, _ in play.impossible):
        # The hub warns of the impossible event.
        return None
    if HIDDEN in hand or HIDDEN in stated:
        return None
    return ", ".join(" ".join(sorted_tiles(each)) for each in (hand, *melds))
