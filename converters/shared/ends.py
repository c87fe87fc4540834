"""Ends of rounds and games: the hands that are shown, the scores with the sticks that were left, and the ranks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mjconv.ir.vocabulary import SHOW_TENPAI
from mjconv.rules.scores import RIICHI_STICK


def shown_hands(
    reason: str | None, tenpais: Sequence[bool], drawer: int | None, blocked: Collection[int], seats: int
) -> Sequence[int]:
    """Return the seats whose hands are shown at a draw. `reason` is the hub's name of the reason.

    `drawer` is the player who has just drawn, if one has, and `blocked` are the seats of three rons.

    >>> shown_hands("exhaustive_draw", (True, False, True, False), None, (), 4)
    [0, 2]
    """
    if reason in SHOW_TENPAI:
        return [seat for seat, tenpai in enumerate(tenpais) if tenpai]
    if reason == "triple_ron":
        return sorted(blocked)
    if reason == "nine_kinds":
        return [] if drawer is None else [drawer]
    return range(seats if reason == "four_riichi" else 0)


def final_scores(scores: Sequence[int], sticks: int) -> tuple[int, ...]:
    """Return the scores at the end of a game: the leader takes the riichi sticks that were left.

    >>> final_scores((24000, 30000, 24000, 21000), 1)
    (24000, 31000, 24000, 21000)
    """
    first = ranking(scores)[0]
    return tuple([score + RIICHI_STICK * sticks * (seat == first) for seat, score in enumerate(scores)])


def ranking(scores: Sequence[int]) -> list[int]:
    """Return the seats from the first to the last. Of equal scores, the lower seat is before the other.

    >>> ranking((25000, 30000, 25000, 20000))
    [1, 0, 2, 3]
    """
    return sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))


def ranks_of(scores: Sequence[int]) -> list[int]:
    """Return the rank of each seat, from 0. Of equal scores, the lower seat is before the other.

    >>> ranks_of((25000, 30000, 25000, 20000))
    [1, 0, 2, 3]
    """
    order = ranking(scores)
    return [order.index(seat) for seat in range(len(scores))]
