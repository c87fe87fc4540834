"""The parts of a jmjp file as they are spelled: matches, frames and flows.

The expression of a frame checks the acts and hands of its flows. They are kept as texts, which
`round_reader` reads.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct, field

from mjconv.converters.jmjp.grammar import expression
from mjconv.converters.jmjp.head import (
    RefusedValueError,
    points_at,
    points_in,
    read_text,
    round_id_at,
)
from mjconv.ir import limits
from mjconv.ir.match import Match, RoundId, Text

#: A flow begins and ends with this number of hands.
_HANDS: Final = 4


class Flow(Struct):
    """The play of a frame: hands at its start, acts, hands at its end, as spelled, without outer brackets.

    A hand is ``e,hnd[...]``, an act ``e,5m,tg``. Each offset is the place of the first entry's bracket in
    the stripped text. Entries follow each other without a gap.
    """

    start: list[str]
    acts: list[str]
    end: list[str]
    start_at: int
    acts_at: int
    end_at: int

    @property
    def is_dealt(self) -> bool:
        """Whether it has all starting hands."""
        return len(self.start) == _HANDS

    def start_offset(self, index: int) -> int:
        """Return the offset of a starting hand's bracket in the stripped text."""
        return _offset(self.start, self.start_at, index)

    def act_offset(self, index: int) -> int:
        """Return the offset of an act's bracket in the stripped text.

        >>> Flow([], ["e,5m,tg", "s,ew,"], [], 0, 100, 0).act_offset(1)
        109
        """
        return _offset(self.acts, self.acts_at, index)

    def end_offset(self, index: int) -> int:
        """Return the offset of a final hand's bracket in the stripped text."""
        return _offset(self.end, self.end_at, index)


class Frame(Struct):
    """One frame (section 4.2): points as points, in the order e, s, w, n of the frame; dora as spelled.

    `dice` are two dice, or one total. `begin` and `end` are offsets in the stripped text, of ``frm[`` and after
    its ``]``. A value that the text does not state is None. A frame that is not `named` is E1-0 until the reader
    knows the round before it. `spelled` has the fields with unusual numbers (``E1-00``): it maps their usual
    spelling to their spelling in the text. A frame that stops somewhere is not `closed`: it has no foot.
    """

    wind: str
    number: int
    honba: int
    kyoutak: int | None
    dice: tuple[int, ...] | None
    pfs: tuple[int, ...] | None
    dora: tuple[str, ...] | None
    flows: list[Flow]
    pfe: tuple[int, ...] | None
    comment: Text | None
    begin: int
    end: int
    spelled: Mapping[str, str] = field(default_factory=dict)
    closed: bool = True
    named: bool = True


class MatchSyntax(Struct):
    """One match: its metadata in a `Match` without rounds, its frames, its place in the stripped text.

    `when_at` is the offset of ``mtp[``. `spelled` has the statements around the frames with unusual numbers, as
    `Frame.spelled` has the fields. `broken` are the indices of frames that could not be read, and have only a
    place. `unfinished` are the indices of frames that could be read as far as their first error. `stopped` are the
    indices of frames without an error that stop before the hands at their end. `stop` is the offset where the text
    stops outside a frame that was read: the match is not closed, or the text stops in the head of a frame.
    """

    begin: int
    end: int = 0
    info: Match = field(default_factory=Match)
    when_at: int = 0
    frames: list[Frame] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)
    unfinished: set[int] = field(default_factory=set)
    stopped: set[int] = field(default_factory=set)
    stop: int | None = None


class File(Struct):
    """A whole file: the version it is written in, and its matches, one or more."""

    version: str
    major: int
    matches: list[MatchSyntax]


# The frames.

#: A number with needless zeros before it, or a negative zero.
ODD_NUMBER: Final = re.compile(r"(?<![0-9.])(?:0[0-9]|(?<=[,(\[])-0+\.0)")
_ZEROS: Final = re.compile(r"(?<![0-9.])0+(?=[0-9])")
_NEGATIVE_ZERO: Final = re.compile(r"(?<=[,(\[])-0\.0|^-0\.0")


def usual_numbers(text: str) -> str:
    """Return a field of a frame without needless zeros and negative zeros.

    >>> usual_numbers("pfs[025.0,-00.5,-0.0,1.0]")
    'pfs[25.0,-0.5,0.0,1.0]'
    """
    return _NEGATIVE_ZERO.sub("0.0", _ZEROS.sub("", text))


def read_frame_text(statement: re.Match[str], major: int) -> Frame:
    """Return a frame from a match of its rule. Raises `RefusedValueError`."""
    frame = _frame_with(statement, _flows(statement[6], statement.start(6)), statement.end())
    _read_foot(frame, statement, 7, major)
    return frame


def _read_foot(frame: Frame, statement: re.Match[str], group: int, major: int) -> None:
    """Read the points and the comment of a frame, which are this group and the next one."""
    pfe, comment = statement[group] or "", statement[group + 1]
    frame.pfe = points_in(pfe, statement.start(group)) or None
    frame.comment = read_text(comment, major) if comment else None
    if ODD_NUMBER.search(statement.string, statement.start(), statement.start(6)) or ODD_NUMBER.search(pfe):
        fields = [statement[number] or "" for number in (1, 2, 4, group)]
        frame.spelled = {usual: own for own in fields if (usual := usual_numbers(own)) != own}


def _frame_with(statement: re.Match[str], flows: list[Flow], end: int) -> Frame:
    """Return the frame of the head that a regular expression found. Raises `RefusedValueError`."""
    name, kyoutak, dice, pfs, dora = statement.group(1, 2, 3, 4, 5)
    round_id = RoundId("E", 1, 0) if name is None else round_id_at(name, statement.start(1))
    return Frame(
        round_id.wind,
        round_id.number,
        round_id.honba,
        points_at(kyoutak, statement.start(2)) if kyoutak else None,
        tuple(map(int, dice.split("-"))) if dice else None,
        points_in(pfs, statement.start(4)) if pfs else None,
        tuple(map("".join, zip(dora[::2], dora[1::2], strict=True))) if dora else None,
        flows,
        None,
        None,
        statement.start(),
        end,
        named=name is not None,
    )


def _flows(text: str, offset: int) -> list[Flow]:
    """Return the flows of their text, which begins at an offset of the stripped text.

    >>> [flow.acts for flow in _flows("(e,hnd[1m,,])" * 4 + "(e,5m,tg)(s,6m,tg)" + "(e,hnd[1m,,])" * 12, 0)]
    [['e,5m,tg', 's,6m,tg'], []]
    """
    flows: list[Flow] = []
    entries = text[1:-1].split(")(") if text else []
    hands = [index for index, entry in enumerate(entries) if entry.startswith("hnd[", 2)]
    for begin, after in zip(hands[:: 2 * _HANDS], hands[_HANDS :: 2 * _HANDS], strict=True):
        flow = _flow(entries[begin : begin + _HANDS], entries[begin + _HANDS : after], [], offset)
        flow.end = entries[after : after + _HANDS]
        flows.append(flow)
        offset = flow.end_offset(_HANDS)
    return flows


def _flow(start: list[str], acts: list[str], end: list[str], offset: int) -> Flow:
    acts_at = _offset(start, offset, len(start))
    return Flow(start, acts, end, offset, acts_at, _offset(acts, acts_at, len(acts)))


def _offset(entries: list[str], begin: int, index: int) -> int:
    return begin + sum(map(len, entries[:index])) + 2 * index


def read_beginning(text: str, offset: int, end: int, major: int) -> Frame | None:
    """Return a frame that stops or has an error, up to the first entry of its flow that is no hand or act.

    Of its last flow, it has the starting hands and the final hands so far. A frame that lacks only the final hands
    is closed. Returns None if the head does not parse, or is impossible.
    """
    statement = _begun(major).match(text, offset)
    if statement is None:
        return None
    flows = _flows(statement[6], statement.start(6))
    begun = next((group for group in (7, 11) if statement[group] is not None), None)
    if begun is not None:
        # After a whole flow, another one may begin. It is left out, unless it has its starting hands.
        entries = statement[begun][1:-1].split(")(") if statement[begun] else []
        hands = statement[8][1:-1].split(")(") if statement[8] else []
        flows.append(_flow(entries[:_HANDS], entries[_HANDS:], hands, statement.start(begun)))
    if any(len(flow.acts) > limits.current().events for flow in flows):
        return None
    try:
        frame = _frame_with(statement, flows, end)
        frame.closed = statement[10] is not None
        if frame.closed:
            frame.end = statement.end()
            _read_foot(frame, statement, 9, major)
    except RefusedValueError:
        return None
    return frame


@cache
def _begun(major: int) -> re.Pattern[str]:
    """Return the regular expression of the beginning of a frame: its head, its whole flows, the flow begun.

    If only the final hands are missing, its foot follows.
    """
    head, foot = (expression(name, major, groups=True) for name in ("_frame_head", "_frame_foot"))
    hand, act, flow = (expression(name, major) for name in ("seat_hand", "frame_act", "frame_flow"))
    # Hands and acts never match each other, so each text has one way to match, and no state need be kept. Groups
    # are atomic as well: Python before 3.11.5 mismatches possessive repetitions of other groups.
    acts = f"((?:{hand}){{{_HANDS}}}(?>{act})*+)"
    begun = f"{acts}(?:((?:{hand}){{1,{_HANDS - 1}}})|{foot})?"
    dealt = f"(?<=,)((?:{hand}){{0,{_HANDS - 1}}})"
    return re.compile(f"{head}((?>{flow})*+)(?:{begun}|(?<=\\))|{dealt})")
