"""What `--in-place` changes in the layout of a text: the places of lines, blank lines, and line ends."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from mjconv.ir.losses import Report
from mjconv.ir.plural import counted


def report_moves(before: bytes, after: bytes, report: Report) -> None:
    r"""Report each line of a text that has another place among its lines after the text was written anew.

    Lines that the text has more than once are not compared.

    >>> report = Report()
    >>> report_moves(b"a\nb\n\n// why\nc\n", b"// why\na\nb\nc\n", report)
    >>> [str(warning) for warning in report.warnings]
    ['line 4: this line moves to line 1', '1 blank line is dropped']
    """
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    places = _once(new)
    common = [(number, places[line]) for line, number in _once(old).items() if line in places]
    staying = _rising([place for _, place in common])
    for (number, place), stays in zip(common, staying, strict=True):
        if not stays:
            report.warn(f"this line moves to line {place}", line=number)
    dropped = sum(not line.strip() for line in old) - sum(not line.strip() for line in new)
    if dropped > 0:
        report.warn(f"{counted(dropped, 'blank line')} {'is' if dropped == 1 else 'are'} dropped")
    if b"\r\n" in before and b"\r\n" not in after:
        report.warn("line ends become LF, from CR LF")


def _once(lines: Sequence[str]) -> dict[str, int]:
    """Return the numbers, from 1, of the lines that are not blank and come once."""
    numbers = Counter(lines)
    return {line: number for number, line in enumerate(lines, 1) if line.strip() and numbers[line] == 1}


def _rising(places: Sequence[int]) -> list[bool]:
    """Return which of these numbers belong to one longest part of them that rises.

    >>> _rising([2, 3, 1, 4])
    [True, True, False, True]
    """
    ends: list[int] = []
    lengths = []
    for place in places:
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
        lengths.append(length)
    wanted = len(ends) - 1
    rising = [False] * len(places)
    for index in range(len(places) - 1, -1, -1):
        if lengths[index] == wanted:
            rising[index] = True
            wanted -= 1
    return rising
