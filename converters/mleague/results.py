"""Reads the results of rounds: wins with their yaku, exhausted walls."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from msgspec import UNSET, UnsetType

from mjconv.converters.mleague.vocabulary import LIMITS, SEAT_OF, TILE_OF, YAKU_OF, YAKUMAN, yaku_in_messages
from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.ir import events as ev
from mjconv.ir.errors import Proposal
from mjconv.ir.message_names import REASON_IN_MESSAGES
from mjconv.ir.tiles import HIDDEN, WINDS, Tile
from mjconv.ir.vocabulary import HAN_OF_YAKUMAN, YAKU

_RON: Final = "ron="
_COMMENT: Final = "comment"
_MOST_FU: Final = 200


class ReportMistake(Protocol):
    """Reports a mistake after which the reader reads on."""

    def __call__(self, error: WrongValueError, proposal: Proposal | None = None) -> None:
        """Report it."""


class Agari(NamedTuple):
    """A win as the record states it.

    `tile` is the tile of a ron, None for a self-draw. `points` is the number, or the name of the limit, at the
    index `position` of the arguments. `yakuman` is the number of yakuman. `comments` are texts that stand among
    the arguments. `names` are the hub's names of the yaku that the record names.
    """

    seat: int
    tile: Tile | None
    points: str
    position: int
    fu: int | UnsetType
    fan: int
    yakuman: int
    yakus: tuple[tuple[str, int], ...]
    comments: tuple[str, ...]
    names: tuple[str, ...]


def read_agari(args: Sequence[str], start: ev.StartRound, remark: ReportMistake) -> Agari:
    """Read the arguments of a win. Raises `WrongValueError` without a winner.

    `remark` reports a comment among them, and a value that cannot be read: the win is read without it.
    """
    tile: Tile | None = None
    comments: list[str] = []
    position = 0
    while position < len(args) and args[position] not in SEAT_OF:
        text = args[position]
        if text.startswith(_RON):
            tile = TILE_OF.get(text.removeprefix(_RON))
            if tile is None:
                remark(WrongValueError(f"expected the tile of the ron, not {shown(text)}", ("args", position)))
                tile = HIDDEN
        elif position < 2 and text.startswith(_COMMENT):
            error = WrongValueError("a comment is between the arguments of the win", ("args", position))
            remark(error, Proposal(text, "", "a win has no such argument"))
            comments.append(text.removeprefix(_COMMENT).lstrip("=: "))
        else:
            raise WrongValueError(f"expected the winner, from A0 to D0, not {shown(text)}", ("args", position))
        position += 1
    rest = args[position:]
    if len(rest) < 3:
        raise WrongValueError("expected the winner, the points and the fu", ("args",))
    seat, points, fu = SEAT_OF[rest[0]], rest[1], rest[2]
    has_fu = fu.isdecimal() and len(fu) <= 3 and int(fu) <= _MOST_FU
    if not has_fu:
        remark(WrongValueError(f"expected the fu, not {shown(fu)}", ("args", position + 2)))
    if points not in LIMITS and not (points.isdecimal() and len(points) < 7):
        message = f"expected points or {', '.join(LIMITS)}, not {shown(points)}"
        remark(WrongValueError(message, ("args", position + 1)))
    seat_wind = WINDS[(seat - (start.oya or 0)) % len(WINDS)]
    yakus: list[tuple[str, int]] = []
    names: list[str] = []
    yakuman = 0
    for index in range(3, len(rest), 2):
        try:
            name, han = rest[index], _han(rest[index + 1 : index + 2])
            known = YAKU.get(YAKU_OF.get(name, ""))
            if known is not None and known.yakuman:
                yakuman += han
                han *= HAN_OF_YAKUMAN
            names.append(YAKU_OF.get(name, name))
            yakus += yaku_in_messages(name, han, start.bakaze or WINDS[0], seat_wind)
        except WrongValueError as error:
            remark(error.within("args", position + index))
    fan = sum(han for _, han in yakus)
    stated = int(fu) if has_fu and not (points == YAKUMAN and yakuman) else UNSET
    texts = tuple(comments), tuple(names)
    return Agari(seat, tile, points, position + 1, stated, fan, yakuman, tuple(yakus), *texts)


def _han(texts: Sequence[str]) -> int:
    text = "".join(texts)
    if not text.isdecimal() or len(text) > 2:
        raise WrongValueError(f"expected the han of this yaku, not {shown(text)}")
    return int(text)


def read_draw(
    ready: Mapping[int, bool], revealed: Mapping[int, Sequence[Tile]], held: Sequence[int]
) -> ev.Ryukyoku:
    """Return the end of a round whose wall is exhausted.

    `ready` has who announced to be tenpai or noten, `revealed` the hands that were shown, and `held` the number of
    tiles in each hand. Without an announcement of each player, it is not known who was tenpai.

    >>> read_draw({0: True, 1: False, 2: False, 3: False}, {}, (13, 13, 13, 13)).tenpais
    (True, False, False, False)
    """
    tenpais = tuple([ready[seat] for seat in range(len(held))]) if len(ready) == len(held) else UNSET
    hands: tuple[tuple[Tile, ...], ...] | UnsetType = UNSET
    if revealed:
        hands = tuple([tuple(revealed.get(seat, (HIDDEN,) * count)) for seat, count in enumerate(held)])
    return ev.Ryukyoku(REASON_IN_MESSAGES["exhaustive_draw"], tehais=hands, tenpais=tenpais)
