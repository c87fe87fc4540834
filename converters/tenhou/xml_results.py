"""Reads the elements of results: AGARI and RYUUKYOKU."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import UNSET

from mjconv.converters.shared.tile_numbers import KINDS
from mjconv.converters.shared.yaku_numbers import YAKU_BY_ID
from mjconv.converters.tenhou.attributes import LISTED
from mjconv.converters.tenhou.bounds import MOST_FU, MOST_HAN, MOST_POINTS, MOST_RESULT, MOST_WON
from mjconv.converters.tenhou.values import Values, numbers_in
from mjconv.converters.tenhou.vocabulary import REASON_BY_TYPE
from mjconv.converters.tenhou.yaku import HAN_OF_YAKUMAN, in_messages
from mjconv.ir import events as ev
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import Tile

_HUNDRED: Final = 100
_MOST_DORA: Final = 5
#: The values of `sc` and `owari`, and of those of rooms with chips, which list the chips after the points.
_POINTS_LISTED: Final = 2 * LISTED
_NORTH: Final = KINDS.index("N")
#: The reasons of draws at which hands are shown because they are in tenpai.
_SHOW_TENPAI: Final = frozenset({"exhaustive_draw", "nagashi_mangan"})


def read_win(
    values: Values, spelled: Sequence[Tile], seats: int, *, riichi: Sequence[bool], norths: int
) -> ev.Win:
    """Return the win of AGARI. `norths` is the number of norths that the winner set aside."""
    attributes = values.attributes
    actor = values.number("who", 0, seats - 1)
    target = values.number("fromWho", 0, seats - 1)
    [machi] = values.tiles("machi", 1, 1)
    fu, points, _ = values.numbers("ten", 3)
    try:
        yakus, fan = _yaku(attributes.get("yaku"), attributes.get("yakuman"), norths)
    except _WrongYakuError as error:
        raise values.wrong(*error.args) from None
    scores, deltas = read_points(values, seats)
    ura = None
    if "doraHaiUra" in attributes:
        ura = tuple([spelled[tile] for tile in values.tiles("doraHaiUra", 0, _MOST_DORA)])
    elif not riichi[actor]:
        ura = ()
    if not 0 <= fu <= MOST_FU or not 0 <= points <= MOST_WON:
        raise values.wrong("ten", "fu, points, and the number of the limit")
    return ev.Win(
        actor,
        target,
        spelled[machi],
        deltas=deltas,
        scores=scores,
        ura_markers=UNSET if ura is None else ura,
        yakus=yakus,
        fu=fu,
        fan=fan,
        hora_points=points,
        liable=values.number("paoWho", 0, seats - 1) if "paoWho" in attributes else UNSET,
    )


class _WrongYakuError(ValueError):
    """An attribute of yaku is wrong: its key, and the expected value."""


@lru_cache(4096)
def _yaku(yaku: str | None, yakuman: str | None, norths: int) -> tuple[tuple[tuple[str, int], ...], int]:
    """Return the yaku of a win, and all their han, by its two attributes; each yakuman has 13 han."""
    key, text = ("yaku", yaku) if yakuman is None else ("yakuman", yakuman)
    found = numbers_in(text)
    if found is None:
        raise _WrongYakuError(key, "some numbers, joined by commas")
    if yakuman is not None and yaku is None:
        pairs = [(number, HAN_OF_YAKUMAN) for number in found]
    elif yakuman is not None or len(found) % 2:
        raise _WrongYakuError("yaku", "pairs of a yaku and its han, and no yakuman beside them")
    else:
        pairs = list(zip(found[::2], found[1::2], strict=True))
    if not all(0 <= number < len(YAKU_BY_ID) and 0 <= han <= MOST_HAN for number, han in pairs):
        raise _WrongYakuError(key, f"numbers of yaku from 0 to {len(YAKU_BY_ID) - 1}")
    return in_messages(pairs, norths), sum([han for _, han in pairs])


def read_points(values: Values, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the scores after a result, and the points that each seat gains."""
    listed = values.hundreds("sc")
    if len(listed) not in (_POINTS_LISTED, 2 * _POINTS_LISTED):
        raise values.wrong("sc", "points before and gain of each of four seats, in hundreds")
    before, gained = listed[: 2 * seats : 2], listed[1 : 2 * seats : 2]
    deltas = tuple([_HUNDRED * gain for gain in gained])
    return tuple([_HUNDRED * point + gain for point, gain in zip(before, deltas, strict=True)]), deltas


def read_draw(values: Values, seats: int) -> tuple[ev.Ryukyoku, tuple[int, ...]]:
    """Return the draw of RYUUKYOKU, and the seats whose hands it shows."""
    kind = values.attributes.get("type", "")
    reason = REASON_BY_TYPE.get(kind)
    if reason is None:
        raise values.wrong("type", f"one of {', '.join(filter(None, REASON_BY_TYPE))}")
    shown = tuple([seat for seat in range(seats) if f"hai{seat}" in values.attributes])
    for seat in shown:
        values.tiles(f"hai{seat}", 0, 14)
    scores, deltas = read_points(values, seats)
    tenpais = tuple([seat in shown for seat in range(seats)]) if reason in _SHOW_TENPAI else UNSET
    return ev.Ryukyoku(REASON_IN_MESSAGES[reason], UNSET, tenpais, deltas, scores), shown


def read_ends(values: Values, seats: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the scores and the points of all seats at the end of a game, or None where no game ends."""
    text = values.attributes.get("owari")
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) not in (_POINTS_LISTED, 2 * _POINTS_LISTED):
        raise values.wrong("owari", "score in hundreds and result in thousands of each of four seats")
    try:
        hundreds = [_bounded(int(part), MOST_POINTS // _HUNDRED) for part in parts[: 2 * seats : 2]]
        results = tuple([_thousandths(part) for part in parts[1 : 2 * seats : 2]])
    except ValueError:
        raise values.wrong("owari", "score in hundreds and result in thousands of each of four seats") from None
    return tuple([_HUNDRED * each for each in hundreds]), results


def ends_of(scores: Sequence[int], results: Sequence[int]) -> str:
    """Return the value of `owari`: scores in hundreds, results in thousands with one decimal.

    >>> ends_of((26300, 34400, 24500, 14800), (6000, 54000, -15000, -45000))
    '263,6.0,344,54.0,245,-15.0,148,-45.0'
    """
    missing = LISTED - len(scores)
    parts = [f"{score // _HUNDRED},{result / 1000:.1f}" for score, result in zip(scores, results, strict=True)]
    return ",".join([*parts, *["0,0.0"] * missing])


def _thousandths(text: str) -> int:
    whole, _, tenths = text.partition(".")
    if len(tenths) > 1:
        raise ValueError(text)
    sign = -1 if whole.startswith("-") else 1
    return _bounded(int(whole), MOST_RESULT // 1000) * 1000 + sign * int(tenths or 0) * 100


def _bounded(number: int, most: int) -> int:
    if abs(number) > most:
        raise ValueError(number)
    return number


def norths_of(melds: Sequence[ev.Event], seat: int) -> int:
    """Return how many norths a seat set aside."""
    return sum(type(event) is ev.Nukidora and event.actor == seat for event in melds)
