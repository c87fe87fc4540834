"""Where findings stand in a file: at their event, and there at the word that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf
from typing import Final

from msgspec.structs import replace

from mjconv.conversion import Source
from mjconv.converters.formats import Finder
from mjconv.ir.errors import MjconvError, Place
from mjconv.referee.findings import Finding

#: What of an event a finding is about, by its code: the first of these keys that the format spells there.
_ABOUT: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("R001", "R005", "R009", "R012", "R016", "R034", "R044"), ("pai",)),
    **dict.fromkeys(("R011", "R013", "R035"), ("consumed",)),
    **dict.fromkeys(("R050", "R051", "R052", "R053", "R057"), ("deltas",)),
    **dict.fromkeys(("R064", "R066", "R067"), ("scores",)),
    "R006": ("tsumogiri",),
    "R019": ("tehais",),
    "R045": ("hora_tehais",),
    "R047": ("hora_points",),
    "R058": ("tehais",),
    "R059": ("scores", "deltas"),
    "R061": ("oya",),
    "R062": ("honba",),
    "R063": ("kyotaku",),
    "R073": ("ura_markers", "uradora_markers"),
}
#: How many lines of an event are looked at.
_MOST_LINES: Final = 200


class Placing:
    """Finds where the findings of a file stand in it; it is read for that once, and only if there are any."""

    def __init__(self, source: Source, *, lenient: bool) -> None:
        self.source = source
        self.lenient = lenient

    def placed(self, findings: Sequence[Finding]) -> list[Finding]:
        """Give the findings with file and place, in the order of their places, each once."""
        found = [replace(finding, file=self.source.name, place=self._place(finding)) for finding in findings]
        ordered = sorted(found, key=lambda finding: _order(finding.place))
        return list({_once(finding): finding for finding in reversed(ordered)}.values())[::-1]

    def _place(self, finding: Finding) -> Place | None:
        if finding.place is not None or finding.match is None:
            return finding.place
        event = -1 if finding.event is None else finding.event
        place = self._find(finding.match, finding.round or 0, event)
        return place if place is None or event < 0 else self._at_key(place, finding.code)

    @cached_property
    def _find(self) -> Finder:
        """The finder of the format, or one that finds nothing where the data cannot be read."""
        try:
            return self.source.form.places(self.source.data, lenient=self.lenient)
        except MjconvError:
            return _nowhere

    @cached_property
    def _lines(self) -> list[str]:
        return self.source.data.decode("utf-8-sig", "replace").split("\n")

    def _at_key(self, place: Place, code: str) -> Place:
        """Go on from where an event stands to the key of it that is wrong, if the format has keys."""
        keys, end = self.source.form.keys, self.source.form.key_end
        for key in _ABOUT.get(code, ()) if keys else ():
            begin = place.column - 1
            for number in range(place.line, min(place.line + _MOST_LINES, len(self._lines) + 1)):
                line = self._lines[number - 1].rstrip("\r")
                if number == place.line and line != place.text:
                    return place
                stop = line.find(end, begin + (number == place.line))
                at = line.find(keys[key], begin, stop if stop >= 0 else len(line)) if key in keys else -1
                if at >= 0:
                    return Place(number, at + 1, line, place.file)
                if stop >= 0:
                    break
                begin = 0
        return place


def _nowhere(match: int, game_round: int, event: int) -> None:  # noqa: ARG001 - as all finders
    return None


def _once(finding: Finding) -> object:
    """Tell what two findings have in common that are one: an error of syntax has a place of its own."""
    return (finding.code, finding.place) if finding.code == "S001" and finding.place else finding


def _order(place: Place | None) -> tuple[float, int]:
    return (inf, 0) if place is None else (place.line, place.column)
