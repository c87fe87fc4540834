"""The parts of a frame around its acts: head (section 4.2), hands (section 2.3.7), and layout in lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.jmjp.head import write_text
from mjconv.converters.jmjp.spelling import (
    DORA,
    HUB,
    INDICATOR,
    JMJP,
    LETTERS,
    PLACE,
    UNKNOWN,
    spell,
    split,
    write_points,
)
from mjconv.converters.jmjp.syntax import Frame
from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, FinalHand, Meld, MeldKind, Round
from mjconv.ir.table import Table
from mjconv.ir.tiles import HIDDEN, Tile, sorted_tiles
from mjconv.rules.scores import RIICHI_STICK, sticks_left

#: The dora field holds five dora, each with its ura after it.
DORA_FIELDS: Final = slice(0, None, 2)
URA_FIELDS: Final = slice(1, None, 2)


class FrameError(ValueError):
    """An impossible frame: the message, and its place in the frame.

    `part` is ``kyoutak``, or ``start``, ``acts`` or ``end`` of the flow with the `index` of an entry.
    """

    def __init__(self, message: str, part: str = "acts", index: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.part = part
        self.index = index


def deal(frame: Frame, dealer: int, before: Round | None) -> tuple[ev.StartRound, tuple[str, ...]]:
    """Return the deal without its hands, and its keys that are carried on from the round `before`."""
    if frame.kyoutak is None:
        kyotaku = sticks_left(before, before.start if before else None)
    elif frame.kyoutak < 0 or frame.kyoutak % RIICHI_STICK:
        raise FrameError(f"kyoutak counts riichi sticks of 1.0 each, not {frame.kyoutak / 1000}", "kyoutak")
    else:
        kyotaku = frame.kyoutak // RIICHI_STICK
    start = ev.StartRound(
        frame.wind,
        UNSET if frame.dora is None else INDICATOR[frame.dora[0]],
        frame.number,
        frame.honba,
        kyotaku,
        dealer,
        UNSET if frame.pfs is None else by_player(frame.pfs, dealer),
    )
    return start, ("kyotaku",) if frame.kyoutak is None else ()


def by_player(points: Sequence[int], dealer: int) -> tuple[int, ...]:
    """Turn points by seat to points by player.

    >>> by_player((1, 2, 3, 4), 1)
    (4, 1, 2, 3)
    """
    first = -dealer % USUAL_SEATS
    return (*points[first:], *points[:first])


def known(dora: Sequence[str]) -> tuple[Tile, ...]:
    """Return the indicators up to the last one known."""
    end = len(dora)
    while end and dora[end - 1] == UNKNOWN:
        end -= 1
    return tuple([INDICATOR[spelling] for spelling in dora[:end]])


#: The spellings that a dora field has.
INDICATED: Final = frozenset(INDICATOR)
#: Dora that a frame has places for, each with its ura.
_MOST_DORA: Final = 5


def dora_field(events: Sequence[ev.Event]) -> tuple[str, ...] | None:
    """Spell the dora and the ura that events state. Returns None if they state no dora."""
    markers: list[Tile] = []
    ura: Sequence[Tile] = ()
    shown: list[ev.StartRound | ev.Dora | ev.Win] = ev.select(events, ev.StartRound, ev.Dora, ev.Win)
    for event in shown:
        if isinstance(event, ev.Win):
            ura = ura or event.ura_markers or ()
        elif event.dora_marker is not UNSET:
            markers.append(event.dora_marker)
    if not markers:
        return None
    places = [UNKNOWN] * (2 * _MOST_DORA)
    for place, marker in enumerate(markers[:_MOST_DORA]):
        places[2 * place] = DORA[marker]
    for place, marker in enumerate(ura[:_MOST_DORA]):
        places[2 * place + 1] = DORA[marker]
    return tuple(places)


#: From whom a tile was called, as steps after the caller: left, opposite, right.
FROM: Final = {"k": 3, "t": 2, "s": 1}
_LETTER: Final = {steps: letter for letter, steps in FROM.items()}

_MELD: Final = re.compile(r"(chi|pon|dmk|kkn|ank)\[([^\]]*)\]")
_KINDS: Final[dict[str, MeldKind]] = {
    "chi": "chi",
    "pon": "pon",
    "dmk": "daiminkan",
    "kkn": "kakan",
    "ank": "ankan",
}
_WORDS: Final = {kind: word for word, kind in _KINDS.items()}


def write_hand(player: int, hand: FinalHand, dealer: int, major: int) -> str:
    """Spell the hand of a player.

    >>> write_hand(2, FinalHand(("1m", "5pr"), "E", (Meld("pon", ("C", "C"), "C", 3),)), 2, 1)
    'e,hnd[1m0p,ew,pon[rd,rdrd,s]]'
    """
    last = "" if hand.last is UNSET else JMJP[hand.last]
    melds = "".join([_write_meld(meld, player, major) for meld in reversed(hand.melds)]) if hand.melds else ""
    return f"{LETTERS[(player - dealer) % 4]},hnd[{spell(hand.concealed)},{last},{melds}]"


def read_hand(entry: str, dealer: int) -> tuple[int, FinalHand]:
    """Read a hand that the grammar accepts: the player, and the hand.

    Version 0 names one tile a meld. The reader takes the other tiles to be like it, and plain if they are fives.

    >>> read_hand("s,hnd[1m0p,,chi[3s,4s0s]]", 0)
    (1, FinalHand(concealed=('1m', '5pr'), melds=(Meld(kind='chi', own=('4s', '5sr'), called='3s', target=0),)))
    """
    player = (PLACE[entry[0]] + dealer) % 4
    concealed, last, melds = entry[6:-1].split(",", 2)
    read = tuple([_read_meld(word, text, player) for word, text in _MELD.findall(melds)]) if melds else ()
    return player, FinalHand(split(concealed), HUB[last] if last else UNSET, read[::-1])


def final_hands(table: Table) -> list[FinalHand]:
    """Return the hand of each player when play stops. The tile drawn last, or won with, is apart."""
    hands = []
    for player, tiles in enumerate(table.hands):
        concealed = sorted_tiles(tiles)
        last: Tile | UnsetType = UNSET
        if table.drawn is not None and player == table.turn:
            last = table.drawn
            concealed.remove(last)
        elif player in table.winners:
            last = table.last_tile
        hands.append(FinalHand(tuple(concealed), last, tuple(table.melds[player])))
    return hands


def same_hand(ours: FinalHand, theirs: FinalHand) -> bool:
    """Return whether two hands hold the same tiles and melds, in any order."""
    return _normal(ours) == _normal(theirs)


def _normal(hand: FinalHand) -> tuple[object, ...]:
    melds = [(m.kind, sorted(m.own), m.called, m.target, m.added) for m in hand.melds]
    return sorted(hand.concealed), hand.last, melds


def _write_meld(meld: Meld, player: int, major: int) -> str:
    word = _WORDS[meld.kind]
    if meld.kind == "ankan":
        return f"{word}[{spell(meld.own if major else meld.own[:1])}]"
    called = JMJP[meld.called or HIDDEN]
    own = spell(meld.own)
    if meld.kind == "chi":
        return f"{word}[{called},{own}]"
    source = _LETTER[((meld.target or 0) - player) % 4]
    if not major:
        return f"{word}[{called},{source}]"
    added = f"{JMJP[meld.added or HIDDEN]}," if meld.kind == "kakan" else ""
    return f"{word}[{added}{called},{own},{source}]"


def _read_meld(word: str, text: str, player: int) -> Meld:
    kind = _KINDS[word]
    parts = text.split(",")
    called = HUB[parts[0][:2]]
    if kind == "ankan":
        own = split(parts[0])
        return Meld(kind, own if len(own) == 4 else own * 4)
    if kind == "chi":
        return Meld(kind, split(parts[1]), called, (player + 3) % 4)
    target = (player + FROM[parts[-1]]) % 4
    if len(parts) == 2:  # version 0
        own = (called[:2],) * (3 if kind == "daiminkan" else 2)
        return Meld(kind, own, called, target, called if kind == "kakan" else UNSET)
    if kind == "kakan":
        return Meld(kind, split(parts[2]), HUB[parts[1]], target, called)
    return Meld(kind, split(parts[1]), called, target)


class FrameLines(NamedTuple):
    """The lines of a frame; `begins` says with which act each line of acts begins."""

    head: str
    start: list[str]
    acts: list[str]
    begins: list[int]
    end: list[str]
    foot: str

    def text(self) -> str:
        """Return the frame without blanks."""
        return "".join((self.head, *self.start, *self.acts, *self.end, self.foot))


def frame_lines(
    frame: Frame, major: int, flows_before: Sequence[str] = (), breaks: Sequence[int] = ()
) -> FrameLines:
    """Lay out a frame. `flows_before` are earlier flows, as text; `breaks` the acts that must begin a line.

    >>> frame = Frame("E", 1, 0, 1000, (3, 4), None, None, [], (25000,) * 4, None, 0, 0)
    >>> frame_lines(frame, 1).text()
    'frm[E1-0,1.0,3-4,,,,pfe[25.0,25.0,25.0,25.0],]'
    """
    label, kyoutak, pfs, pfe = [frame.spelled.get(text, text) for text in frame_fields(frame)]
    dice = "" if frame.dice is None else "-".join(map(str, frame.dice))
    dora = "".join(frame.dora or ())
    head = f"frm[{label},{kyoutak},{dice},{pfs},{dora},"
    comment = write_text(UNSET if frame.comment is None else frame.comment, major) or ""
    foot = f",{pfe},{comment}]"
    if not frame.flows:
        return FrameLines(head, [], [], [], [], foot)
    flow = frame.flows[-1]
    start = [*flows_before, *(f"({entry})" for entry in flow.start)]
    end = [f"({entry})" for entry in flow.end]
    begins = _line_begins(flow.acts, breaks)
    lines = [f"({')('.join(flow.acts[a:b])})" for a, b in pairwise([*begins, len(flow.acts)])]
    return FrameLines(head, start, lines, begins, end, foot)


def frame_fields(frame: Frame) -> tuple[str, str, str, str]:
    """Spell the fields of a frame that have numbers: its name, its sticks, and its points before and after."""
    return (
        f"{frame.wind}{frame.number}-{frame.honba}",
        "" if frame.kyoutak is None else write_points(frame.kyoutak) or "",
        _points("pfs", frame.pfs),
        _points("pfe", frame.pfe),
    )


def _points(word: str, points: Sequence[int] | None) -> str:
    return "" if points is None else f"{word}[{','.join([write_points(number) or '' for number in points])}]"


#: Letters of seats that follow each other, each further on than the one before.
_ROUND_OF_TURNS: Final = re.compile("(?=.)e?s?w?n?")


def _line_begins(acts: Sequence[str], breaks: Sequence[int]) -> list[int]:
    """Begin a line where the seat is no longer further on than the one before, and at each break."""
    if not acts:
        return []
    seats = "".join([act[0] for act in acts])
    begins = [0, *accumulate(map(len, _ROUND_OF_TURNS.findall(seats)))][:-1]
    return begins if not breaks else sorted({*begins, *(b for b in breaks if 0 < b < len(acts))})
