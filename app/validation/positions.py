"""Where findings are in a file: at their event, and there at the key that is wrong."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import inf
from typing import Final

from msgspec.structs import replace

from mjconv.converters.interface import Reading
from mjconv.ir.errors import Place
from mjconv.referee.codes import CODES
from mjconv.referee.findings import Finding

#: The longest line, in bytes, that is decoded for a finding.
_LONGEST: Final = 1 << 20


def with_places(
    findings: Sequence[Finding], reading: Reading | None, number: int, file: str | None
) -> list[Finding]:
    """Return findings with file and place, in the order of their places, each once.

    `reading` is the match of this number, None where there is none; findings of other matches keep their places.
    """
    placed = [
        replace(finding, file=file, place=place and place.excerpt())
        for finding in findings
        for place in (_place(finding, reading if finding.match == number else None),)
    ]
    ordered = sorted(placed, key=lambda one: (one.place.line, one.place.column) if one.place else (inf, 0))
    return list({_once(finding): finding for finding in reversed(ordered)}.values())[::-1]


class SourceLines:
    r"""The lines of a file, for findings that know only the numbers of their lines.

    >>> finding = Finding("S010", "warning", "odd", place=Place(2, 1, ""))
    >>> [shown] = SourceLines(b"one\ntwo\n").shown([finding])
    >>> shown.place
    Place(line=2, column=1, text='two')
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._data.split(b"\n")

    def shown(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Yield findings, with the text of their lines."""
        number, text = 0, ""
        for finding in findings:
            place = finding.place
            if place is not None and not place.text and 0 < place.line <= len(self._lines):
                if number != place.line:
                    number, line = place.line, self._lines[place.line - 1]
                    text = line.decode("utf-8", "replace").rstrip("\r") if len(line) <= _LONGEST else ""
                finding = replace(finding, place=replace(place, text=text).excerpt())
            yield finding


def _place(finding: Finding, reading: Reading | None) -> Place | None:
    if finding.place is not None or reading is None:
        return finding.place
    event = -1 if finding.event is None else finding.event
    number = finding.round
    # Only a few formats know the places of the keys around the rounds.
    place = reading.locate(number or 0, event, "" if finding.answer is None else f"answers.{finding.answer}")
    if place is None or (event < 0 and number is not None) or finding.answer is not None:
        return place
    for key in (finding.key,) if finding.key else CODES[finding.code].keys:
        at_key = reading.locate(number, event, key)
        if at_key is not None and at_key != place:
            return at_key
    return place


def _once(finding: Finding) -> object:
    """Return what two findings have in common that are one: an error of syntax has a place of its own."""
    return (finding.code, finding.place) if finding.code == "S001" and finding.place else finding
