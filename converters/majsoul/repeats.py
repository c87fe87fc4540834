"""Compares the values that records repeat with the play: hands of winners, dora indicators, points, tiles left.

The hub holds each of these once. A repeated value that differs is a warning.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from msgspec import UNSET

from mjconv.converters.majsoul import schema
from mjconv.converters.majsoul.results import group_of, ways_of
from mjconv.converters.majsoul.tiles import in_order, spelled
from mjconv.converters.majsoul.vocabulary import HUB_NAMES, WINDS_OF_ALL
from mjconv.converters.shared.winning_hands import misnamed, winning_hand
from mjconv.ir import events as ev
from mjconv.ir.table import NO_RIICHI, Table

#: A repeated value that differs: the message, and the way to it in its record.
Difference: TypeAlias = tuple[str, tuple[str | int, ...]]

_GROUP: Final = re.compile(r"\w+")


def differences_of_wins(
    record: schema.Hule, wins: Sequence[ev.Win], table: Table, doras: Sequence[str], scores: Sequence[int]
) -> Iterator[Difference]:
    """Yield the differences in wins. `table` is the table before them, `scores` the points before them by seat."""
    for at, (item, win) in enumerate(zip(record.hules, wins, strict=True)):
        seat = win.actor
        groups = [group_of(meld) for meld in table.melds[seat] if meld.kind != "nukidora"]
        compared: list[tuple[str, Any, Any]] = [
            ("hand", item.hand, spelled(in_order(winning_hand(table, win).held))),
            ("ming", item.ming, groups),
            ("qinjia", item.qinjia, seat == table.oya),
            ("liqi", item.liqi, table.riichi[seat] != NO_RIICHI),
            ("doras", item.doras, doras),
        ]
        for key, stated, played in (*compared, *_points(item, win, dealer=seat == table.oya)):
            yield from _difference(stated, played, "hules", at, key)
        numbers = {fan.id for fan in item.fans} - WINDS_OF_ALL
        message = misnamed([HUB_NAMES.get(number, "") for number in numbers], win, table)
        if message is not None:
            yield message, ("hules", at, "fans")
        if item.baopai_seats and item.baopai_seats != (win.liable,):
            differing = f"baopai_seats is {list(item.baopai_seats)}, and mjconv takes seat {win.liable} as liable"
            yield differing, ("hules", at, "baopai_seats")
    if record.baopai and all(win.liable != record.baopai - 1 for win in wins):
        yield f"baopai is {record.baopai}, and no win has this player as liable", ("baopai",)
    yield from _difference(record.old_scores, scores, "old_scores")
    if record.delta_scores:
        moved = [score + delta for score, delta in zip(scores, record.delta_scores, strict=True)]
        yield from _difference(record.scores, moved, "scores")


def _points(item: schema.HuleItem, win: ev.Win, *, dealer: bool) -> list[tuple[str, int, int]]:
    """Return the payment of the other kind of win that is stated otherwise than the value of the hand makes it.

    The reader takes the payment of this kind. Where more of them differ, the game has values of its own.
    """
    wrong: list[list[tuple[str, int, int]]] = []
    for ron, drawn in ways_of(win, dealer=dealer):
        of_draw = [
            ("point_zimo_qin", item.point_zimo_qin, drawn.dealer),
            ("point_zimo_xian", item.point_zimo_xian, drawn.other),
        ]
        others = [("point_rong", item.point_rong, ron.discarder)] if item.zimo else of_draw
        wrong.append([one for one in others if one[1] not in (0, one[2])])
    return next((found for found in sorted(wrong, key=len) if len(found) < 2), [])


def differences_of_draw(
    record: schema.NoTile | schema.LiuJu, table: Table, scores: Sequence[int]
) -> Iterator[Difference]:
    """Yield the differences in a draw. `table` is the table before it, `scores` the points before it by seat."""
    hands = [spelled(in_order(hand)) for hand in table.hands]
    if isinstance(record, schema.LiuJu):
        yield from _difference(record.tiles, hands[table.turn], "tiles")
        if record.tiles and record.seat != table.turn:
            yield f"seat is {record.seat}, and the play makes it {table.turn}", ("seat",)
        return
    for index, (player, hand) in enumerate(zip(record.players, hands, strict=False)):
        yield from _difference(player.hand, hand, "players", index, "hand")
    for index, score in enumerate(record.scores):
        yield from _difference(score.old_scores, scores, "scores", index, "old_scores")


def _difference(stated: Any, played: Any, *path: str | int) -> Iterator[Difference]:
    """Yield a value that is stated, not empty, and differs from the play in more than the order of tiles."""
    if stated is UNSET or (stated == () and path[-1] != "ming") or _are_alike(stated, played):
        return
    yield f"{path[-1]} is {_text(stated)}, and the play makes it {_text(played)}", path


def _are_alike(stated: Any, played: Any) -> bool:
    if isinstance(stated, int):
        return bool(stated == played)
    return [*stated] == [*played] or _sorted(stated) == _sorted(played)


def _sorted(value: Sequence[Any]) -> list[Any]:
    if not value or isinstance(value[0], int):
        return list(value)
    return sorted(sorted(_GROUP.findall(text)) for text in value)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, int) else " ".join(map(str, value)) or "nothing"
