"""The values of the steps of a round, and the events of its results: `hule` (a win) and `pingju` (a draw).

A player in a step is counted from the dealer of the round. A value that is `null` counts as absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from mjconv.converters.majiang.tiles import SEATS, STEPS, TILE_OF, read_hand
from mjconv.converters.majiang.vocabulary import MESSAGE_OF, REASON_OF
from mjconv.converters.shared.json_values import Points, Worth, WrongValueError, shown
from mjconv.ir import events as ev
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.seats import turned
from mjconv.ir.tiles import Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, SHOW_TENPAI

if TYPE_CHECKING:
    Spelled: TypeAlias = str
else:
    # The decoder checks spellings against these. For the type checker a tile is a string.
    Spelled = Literal[tuple(TILE_OF)]
Player: TypeAlias = Annotated[int, Meta(ge=0, lt=SEATS)]
#: Han and fu.
Value: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
PerPlayer: TypeAlias = Annotated[tuple[Points, ...], Meta(min_length=SEATS, max_length=SEATS)]
Hands: TypeAlias = Annotated[tuple[str, ...], Meta(min_length=SEATS, max_length=SEATS)]


class StepValues(msgspec.Struct, frozen=True, gc=False):
    """Base of the values of a step."""


class DealStep(StepValues, frozen=True):
    """The values of `qipai`."""

    jushu: Player
    shoupai: Hands
    zhuangfeng: Player | None = None
    changbang: Count | None = None
    lizhibang: Count | None = None
    defen: PerPlayer | None = None
    baopai: Spelled | None = None


class DrawStep(StepValues, frozen=True):
    """The values of `zimo` and `gangzimo`."""

    l: Player  # noqa: E741 - the key of majiang
    p: Spelled


class DiscardStep(StepValues, frozen=True):
    """The values of `dapai`."""

    l: Player  # noqa: E741
    p: str


class CallStep(StepValues, frozen=True):
    """The values of `fulou` and `gang`."""

    l: Player  # noqa: E741
    m: str


class DoraStep(StepValues, frozen=True):
    """The values of `kaigang`."""

    baopai: Spelled


class YakuValues(msgspec.Struct, frozen=True):
    """A yaku: its name, its han or a star for each yakuman, and the sign of the liable player."""

    name: str
    fanshu: Value | Annotated[str, Meta(pattern=r"^\*{1,6}$")]
    baojia: Annotated[str, Meta(pattern="^[-=+]$")] | None = None


class WinStep(StepValues, frozen=True):
    """The values of `hule`."""

    l: Player  # noqa: E741
    shoupai: str | None = None
    baojia: Player | None = None
    fubaopai: Annotated[tuple[Spelled, ...], Meta(max_length=5)] | None = None
    fu: Value | None = None
    fanshu: Value | None = None
    damanguan: Annotated[int, Meta(ge=0, le=6)] | None = None
    defen: Worth | None = None
    hupai: Annotated[tuple[YakuValues, ...], Meta(max_length=60)] | None = None
    fenpei: PerPlayer | None = None


class DrawnStep(StepValues, frozen=True):
    """The values of `pingju`."""

    name: str
    shoupai: Hands | None = None
    fenpei: PerPlayer | None = None


def stated(value: Any) -> Any:
    """Return a value of a step; `UNSET` where there is none."""
    return UNSET if value is None else value


def read_win(step: WinStep, first: int, *, riichi: Sequence[bool]) -> ev.Win:
    """Return a win. Raises `WrongValueError` if its hand cannot be read.

    `first` is the seat of the dealer. `riichi` are the seats in riichi.
    """
    seat = (first + step.l) % SEATS
    named = [(MESSAGE_OF.get(yaku.name, yaku.name), _han(yaku.fanshu)) for yaku in step.hupai or ()]
    liable = [(seat + STEPS[yaku.baojia]) % SEATS for yaku in step.hupai or () if yaku.baojia is not None]
    fan = step.fanshu
    if fan is None and step.damanguan is not None:
        fan = HAN_OF_YAKUMAN * step.damanguan
    elif fan is None and named:
        fan = sum(han for _, han in named)
    ura = None if step.fubaopai is None else tuple([TILE_OF[tile] for tile in step.fubaopai])
    return ev.Win(
        seat,
        seat if step.baojia is None else (first + step.baojia) % SEATS,
        _last_tile(step.shoupai),
        deltas=read_deltas(step.fenpei, first),
        ura_markers=() if ura is None and not riichi[seat] else stated(ura),
        yakus=UNSET if step.hupai is None else tuple(named),
        fu=stated(step.fu),
        fan=stated(fan),
        hora_points=stated(step.defen),
        liable=liable[-1] if liable else UNSET,
    )


def read_draw(step: DrawnStep, first: int) -> tuple[ev.Ryukyoku, str | None, list[int]]:
    """Return a draw, the hub's name of its reason, and the seats whose hands it shows."""
    reason = REASON_OF.get(step.name)
    shown_by = sorted((first + position) % SEATS for position, hand in enumerate(step.shoupai or ()) if hand)
    tenpais: tuple[bool, ...] | UnsetType = UNSET
    if reason in SHOW_TENPAI and step.shoupai is not None:
        tenpais = tuple([seat in shown_by for seat in range(SEATS)])
    name = step.name if reason is None else REASON_IN_MESSAGES[reason]
    return ev.Ryukyoku(name, tenpais=tenpais, deltas=read_deltas(step.fenpei, first)), reason, shown_by


def read_deltas(points: Sequence[int] | None, first: int) -> tuple[int, ...] | UnsetType:
    """Return points by seat, from a list that begins with the dealer. Absent where there is none.

    >>> read_deltas([8000, 0, -8000, 0], 1)
    (0, 8000, 0, -8000)
    """
    return UNSET if points is None else turned(tuple(points), -first)


def _last_tile(hand: str | None) -> Tile | UnsetType:
    """Return the winning tile: the last one of the hand, before its calls."""
    tiles = read_hand(hand or "")
    if tiles is None:
        raise WrongValueError(f"expected a hand such as m123p055z77, not {shown(hand)}", ("shoupai",))
    return tiles[-1] if tiles else UNSET


def _han(han: int | str) -> int:
    return HAN_OF_YAKUMAN * len(han) if isinstance(han, str) else han
