"""Reads the results of rounds: `hule` (a win) and `pingju` (a draw)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.majiang.tiles import SEATS, STEPS, TILE_OF, read_hand
from mjconv.converters.majiang.vocabulary import MESSAGE_OF, REASON_OF
from mjconv.converters.shared.json_places import Path
from mjconv.converters.shared.json_values import WrongValueError, check_list, check_number, check_text, shown
from mjconv.ir import events as ev
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, SHOW_TENPAI

_MOST_FU: Final = 1000
_MOST_HAN: Final = 1000
_MOST_STARS: Final = 6
_MOST_YAKU: Final = 60
_MOST_MARKERS: Final = 5


def read_win(
    body: Mapping[str, Any], path: Path, first: int, *, riichi: Sequence[bool]
) -> tuple[ev.Win, list[tuple[Path, str]]]:
    """Return a win, and messages about yaku that nobody knows, each with its path. Raises `WrongValueError`.

    `first` is the seat of the dealer: the players of a step count from it. `riichi` are the seats in riichi.
    """
    seat = read_seat(body.get("l"), (*path, "l"), first)
    paying = body.get("baojia")
    target = seat if paying is None else read_seat(paying, (*path, "baojia"), first)
    yakus, liable, unknown = _yaku(body.get("hupai"), (*path, "hupai"), seat)
    fan = read_number(body, "fanshu", path, _MOST_HAN)
    if fan is UNSET:
        yakuman = read_number(body, "damanguan", path, _MOST_STARS)
        if yakuman is not UNSET:
            fan = HAN_OF_YAKUMAN * yakuman
        elif yakus:
            fan = sum(han for _, han in yakus)
    win = ev.Win(
        seat,
        target,
        _last_tile(body.get("shoupai"), (*path, "shoupai")),
        deltas=read_deltas(body.get("fenpei"), (*path, "fenpei"), first),
        ura_markers=_ura(body.get("fubaopai"), (*path, "fubaopai"), riichi=riichi[seat]),
        yakus=yakus,
        fu=read_number(body, "fu", path, _MOST_FU),
        fan=fan,
        hora_points=read_number(body, "defen", path, MOST_POINTS),
        liable=liable,
    )
    return win, unknown


def read_draw(body: Mapping[str, Any], path: Path, first: int) -> tuple[ev.Ryukyoku, str | None, list[int]]:
    """Return a draw, the hub's name of its reason, and the seats whose hands it shows."""
    name = check_text(body.get("name"), (*path, "name"), "the name of the draw")
    reason = REASON_OF.get(name)
    hands = body.get("shoupai")
    shown_by: list[int] = []
    if hands is not None:
        check_list(hands, (*path, "shoupai"), "the hand of each player, or an empty text", SEATS, SEATS)
        for at, hand in enumerate(hands):
            if check_text(hand, (*path, "shoupai", at), "a hand"):
                shown_by.append((first + at) % SEATS)
    tenpais: tuple[bool, ...] | UnsetType = UNSET
    if reason in SHOW_TENPAI and hands is not None:
        tenpais = tuple([seat in shown_by for seat in range(SEATS)])
    draw = ev.Ryukyoku(
        name if reason is None else REASON_IN_MESSAGES[reason],
        tenpais=tenpais,
        deltas=read_deltas(body.get("fenpei"), (*path, "fenpei"), first),
    )
    return draw, reason, sorted(shown_by)


def read_seat(value: Any, path: Path, first: int) -> int:
    """Return the seat of a player, who is counted from the dealer."""
    return (
        first + check_number(value, path, "a player from 0 to 3, counted from the dealer", 0, SEATS - 1)
    ) % SEATS


def read_deltas(value: Any, path: Path, first: int) -> tuple[int, ...] | UnsetType:
    """Return points by seat, from a list that begins with the dealer. Absent where there is none.

    >>> read_deltas([8000, 0, -8000, 0], (), 1)
    (0, 8000, 0, -8000)
    """
    if value is None:
        return UNSET
    check_list(value, path, "the points of four players", SEATS, SEATS)
    for at, points in enumerate(value):
        check_number(points, (*path, at), "points", -MOST_POINTS, MOST_POINTS)
    return by_seat(value, first)


def by_seat(values: Sequence[Any], first: int) -> tuple[Any, ...]:
    """Return values by seat, from a list that begins with the dealer, whose seat is `first`."""
    return tuple([values[(seat - first) % SEATS] for seat in range(SEATS)])


def from_dealer(values: Sequence[Any], first: int) -> list[Any]:
    """Return values from the dealer on, from a list by seat."""
    return [values[(first + at) % SEATS] for at in range(SEATS)]


def read_tile(value: Any, path: Path) -> Tile:
    """Return the tile of a spelling. Raises `WrongValueError` where it is none."""
    tile = TILE_OF.get(value) if isinstance(value, str) else None
    if tile is None:
        raise WrongValueError(f"expected a tile such as m1, p0 or z7, not {shown(value)}", path)
    return tile


def read_number(body: Mapping[str, Any], key: str, path: Path, most: int) -> int | UnsetType:
    """Return a number of a step, from 0 to `most`. Absent where there is none. Raises `WrongValueError`."""
    value = body.get(key)
    return UNSET if value is None else check_number(value, (*path, key), f"a number up to {most}", 0, most)


def _last_tile(value: Any, path: Path) -> Tile | UnsetType:
    """Return the winning tile: the last one of the hand, before its calls."""
    if value is None:
        return UNSET
    tiles = read_hand(check_text(value, path, "a hand"))
    if tiles is None:
        raise WrongValueError(f"expected a hand such as m123p055z77, not {shown(value)}", path)
    return tiles[-1] if tiles else UNSET


def _ura(value: Any, path: Path, *, riichi: bool) -> tuple[Tile, ...] | UnsetType:
    if value is None:
        return UNSET if riichi else ()
    check_list(value, path, "at most 5 indicators", 0, _MOST_MARKERS)
    return tuple([read_tile(each, (*path, at)) for at, each in enumerate(value)])


def _yaku(
    value: Any, path: Path, winner: int
) -> tuple[tuple[tuple[str, int], ...] | UnsetType, int | UnsetType, list[tuple[Path, str]]]:
    """Return the yaku of a win, the liable player, and messages about names that nobody knows."""
    if value is None:
        return UNSET, UNSET, []
    found: list[tuple[str, int]] = []
    unknown: list[tuple[Path, str]] = []
    liable: int | UnsetType = UNSET
    for at, yaku in enumerate(check_list(value, path, "a list of yaku", 0, _MOST_YAKU)):
        here = (*path, at)
        if not isinstance(yaku, dict):
            raise WrongValueError(f"expected an object with name and fanshu, not {shown(yaku)}", here)
        name = check_text(yaku.get("name"), (*here, "name"), "the name of a yaku")
        if name not in MESSAGE_OF:
            message = f"the win has a yaku that mjconv does not know: {shown(name)}. It was kept"
            unknown.append(((*here, "name"), message))
        found.append((MESSAGE_OF.get(name, name), _han(yaku.get("fanshu"), (*here, "fanshu"))))
        sign = yaku.get("baojia")
        if sign is not None:
            if sign not in STEPS:
                raise WrongValueError(
                    f"expected -, = or + for the liable player, not {shown(sign)}", (*here, "baojia")
                )
            liable = (winner + STEPS[sign]) % SEATS
    return tuple(found), liable, unknown


def _han(value: Any, path: Path) -> int:
    if isinstance(value, str) and 0 < len(value) <= _MOST_STARS and set(value) == {"*"}:
        return HAN_OF_YAKUMAN * len(value)
    return check_number(value, path, "the han of a yaku, or * for a yakuman", 0, _MOST_HAN)
