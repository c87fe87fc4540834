"""Frames as text (section 4.2): one line for the head, one a hand, one a go-around of acts, one for the end.

Taken together without line breaks the lines are the text that a reader sees once blanks are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count, pairwise
from operator import itemgetter, le
from typing import NamedTuple

from msgspec import UNSET

from mjconv.converters.jmjp.info import write_text
from mjconv.converters.jmjp.points import write_points
from mjconv.converters.jmjp.syntax import Frame
from mjconv.converters.jmjp.tiles import PLACE


class FrameLines(NamedTuple):
    """The lines of a frame; `begins` says with which act each line of acts begins."""

    head: str
    start: list[str]
    acts: list[str]
    begins: list[int]
    end: list[str]
    foot: str

    def text(self) -> str:
        """Give the frame as a reader sees it once blanks are gone."""
        return "".join((self.head, *self.start, *self.acts, *self.end, self.foot))


def frame_lines(
    frame: Frame, major: int, flows_before: Sequence[str] = (), breaks: Sequence[int] = ()
) -> FrameLines:
    """Lay out a frame. `flows_before` are earlier flows, as text; `breaks` the acts that must begin a line.

    >>> frame = Frame("E", 1, 0, 1000, (3, 4), None, None, [], (25000,) * 4, None, 0, 0)
    >>> frame_lines(frame, 1).text()
    'frm[E1-0,1.0,3-4,,,,pfe[25.0,25.0,25.0,25.0],]'
    """
    kyoutak = "" if frame.kyoutak is None else write_points(frame.kyoutak)
    dice = "" if frame.dice is None else "-".join(map(str, frame.dice))
    dora = "".join(frame.dora or ())
    head = f"frm[{frame.wind}{frame.number}-{frame.honba},{kyoutak},{dice},{_points('pfs', frame.pfs)},{dora},"
    comment = write_text(UNSET if frame.comment is None else frame.comment, major) or ""
    foot = f",{_points('pfe', frame.pfe)},{comment}]"
    if not frame.flows:
        return FrameLines(head, [], [], [], [], foot)
    flow = frame.flows[-1]
    start = [*flows_before, *(f"({entry})" for entry in flow.start)]
    end = [f"({entry})" for entry in flow.end]
    begins = _line_begins(flow.acts, breaks)
    lines = [f"({')('.join(flow.acts[a:b])})" for a, b in pairwise([*begins, len(flow.acts)])]
    return FrameLines(head, start, lines, begins, end, foot)


def _points(word: str, points: Sequence[int] | None) -> str:
    return "" if points is None else f"{word}[{','.join([write_points(number) or '' for number in points])}]"


def _line_begins(acts: Sequence[str], breaks: Sequence[int]) -> list[int]:
    """Begin a line where the seat is no longer further on than the one before, and at each break."""
    if not acts:
        return []
    seats = list(map(PLACE.__getitem__, map(itemgetter(0), acts)))
    turns = list(compress(count(1), map(le, seats[1:], seats)))
    return [0, *turns] if not breaks else sorted({0, *turns, *(b for b in breaks if 0 < b < len(acts))})
