"""Check that every event has its place in the text: the line and the column where its text begins."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from mjconv.converters import hub
from mjconv.converters.interface import Format, Locate
from mjconv.ir.errors import Place
from mjconv.ir.events import Discard, Draw, EndRound, Event, name_of
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.ir.spelling import Spelling
from mjconv.testing.samples import Sample

#: Keys of events whose places are asked for.
_KEYS = ("pai", "deltas", "actor")
#: What the text at a place begins with, if nothing else is known: a sign that is no space, and not inside a word.
_ANYWHERE = r"(?!\s|(?<=\w)\w)."


class Marks(NamedTuple):
    """What the text of an event begins with, in one syntax of a format.

    `begins` maps a kind of event to a regular expression, which must match at the column of the event. ``round``
    is for the place of a round, ``match`` for that of a match, and the empty string for all other kinds. In an
    expression, ``PAI`` is the tile of the event, as `Format.spelling_of` spells it, and ``KIND`` its kind.
    `in_order` is true if the text has the events of a round in their order; kinds in `apart` are elsewhere.
    """

    begins: Mapping[str, str] = {}
    in_order: bool = True
    apart: tuple[str, ...] = ()

    def pattern(self, kind: str, event: Event | None, spelling: Spelling) -> str:
        """Return the expression for a kind of event, a round or a match."""
        begins = self.begins.get(kind, self.begins.get("", _ANYWHERE)).replace("KIND", kind)
        if "PAI" in begins:
            tile = spelling.tile(getattr(event, "pai", "?"))
            begins = begins.replace("PAI", _numbers(tile) or re.escape(tile))
        return begins


#: The marks of an unknown syntax.
ANY = Marks()


def _numbers(spelled: str) -> str:
    """Return an expression for the numbers of the copies of a tile, which is spelled with them; else nothing.

    >>> _numbers("5mr (16)"), _numbers("5m (17-19)"), _numbers("0m")
    ('(?:16)', '(?:17|18|19)', '')
    """
    found = re.fullmatch(r"\S+ \((\d+)(?:-(\d+))?\)", spelled)
    if found is None:
        return ""
    first, last = int(found[1]), int(found[2] or found[1])
    return f"(?:{'|'.join(map(str, range(first, last + 1)))})"


def check_places(form: Format, sample: Sample, marks: Marks = ANY) -> None:
    """Check the place of every round and event, and that an absent round or event has none.

    A place has the line, the column and the text of the line. The text there begins as `marks` say. Rounds are
    in ascending order, each event is in its round, and no two discards of the plain text have one place.
    """
    data = sample.data
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    for lenient in (False, True):
        readings = list(hub.read(form, data, Report(lenient=lenient)))
        begins = [_begin(match, locate) for match, locate in readings]
        for number, (match, locate) in enumerate(readings):
            following = begins[number + 1] if number + 1 < len(begins) else (len(lines) + 1, 0)
            discards = form.notes is None or "dahai" in form.shows
            _Match(match, locate, marks, form.spelling_of(data), lines, following, discards).check()


def _begin(match: Match, locate: Locate) -> tuple[int, int]:
    """Return where the rounds of a match begin."""
    place = locate(0, -1, "") if match.rounds else locate(None, -1, "")
    assert place is not None, "the first round has no place"
    return _spot(place)


def _spot(place: Place) -> tuple[int, int]:
    return place.line, place.column


class _Match(NamedTuple):
    """One match whose places are checked; `following` is where the rounds of the next match begin.

    `discards`: whether the plain text shows discards. Those that only a note holds share the place of an event.
    """

    match: Match
    locate: Locate
    marks: Marks
    spelling: Spelling
    lines: list[str]
    following: tuple[int, int]
    discards: bool

    def check(self) -> None:
        rounds = len(self.match.rounds)
        self.at(self.locate(None, -1, ""), "match", None, "the match")
        spots = [
            _spot(self.at(self.locate(index, -1, ""), "round", None, f"round {index}")) for index in range(rounds)
        ]
        assert spots == sorted(set(spots)), f"the rounds have no ascending places: {spots}"
        for index, spot in enumerate(spots):
            self.check_round(index, spot, spots[index + 1] if index + 1 < rounds else self.following)

    def check_round(self, index: int, own: tuple[int, int], following: tuple[int, int]) -> None:
        """Check the events of a round, whose text is between `own` and `following`."""
        events = self.match.rounds[index].events
        last = own
        spots: list[tuple[int, int]] = []
        discards: set[tuple[int, int]] = set()
        for at, event in enumerate(events):
            name = f"round {index}, event {at} ({name_of(event)})"
            spot = _spot(self.at(self.locate(index, at, ""), name_of(event), event, name))
            spots.append(spot)
            # Few texts state the end of a round: its place may be the begin of the text behind the round.
            ends = isinstance(event, EndRound)
            within = own <= spot < following or (ends and spot == following)
            assert within, f"{name}: the place {spot} is outside its round, {own} to {following}"
            if not (ends or name_of(event) in self.marks.apart):
                assert last <= spot or not self.marks.in_order, f"{name}: the place {spot} is before {last}"
                last = spot
            assert spot not in discards or not isinstance(event, Discard), f"{name}: another discard is at {spot}"
            if isinstance(event, Discard) and self.discards:
                discards.add(spot)
            for key in () if ends else _KEYS:
                inner = self.locate(index, at, key)
                assert inner is not None, f"{name}: {key} has no place"
                self.inside(inner, name)
                # The points of a result may be before the win that they are of.
                begin = own if key == "deltas" else spot
                assert begin <= _spot(inner) < following, f"{name}: {key} is before its event or after its round"
        self.check_draws(index, spots)
        for absent in (-1, len(events)):
            place = self.locate(index, absent, "")
            assert place is not None, f"round {index}, event {absent}: no place"
            assert _spot(place) == own, f"round {index}, event {absent}: not the place of the round"

    def check_draws(self, index: int, spots: list[tuple[int, int]]) -> None:
        """Check that the tiles of draws are not rather at the places of the acts before or behind them.

        This needs no marks. It finds nothing in texts that spell no draws, or spell them in another way than
        `Format.spelling_of` does.
        """
        ascending = sorted({*spots, (len(self.lines) + 1, 1)})
        fitting: Counter[int] = Counter()
        draws = 0
        for at, event in enumerate(self.match.rounds[index].events):
            if isinstance(event, Draw) and event.pai != "?" and self.marks.in_order:
                draws += 1
                tile = self.spelling.tile(event.pai)
                pattern = re.compile(rf"(?<!\d){_numbers(tile) or re.escape(tile)}")
                # The deal is no act: its text may have all tiles.
                for shift in (-1, 0, 1) if at > 1 else (0, 1):
                    begin = spots[min(at + shift, len(spots) - 1)]
                    end = ascending[bisect_right(ascending, begin)]
                    fitting[shift] += pattern.search(self.text(begin, end)) is not None
        for shift, act in ((-1, "before"), (1, "behind")):
            # Some tiles are at another place by chance: the tile of the draw may be discarded.
            moved = fitting[shift] > max(fitting[0], draws // 2)
            found = f"of {draws} draws, {fitting[shift]} are at the place of the act {act}"
            assert not moved, f"round {index}: {found}"

    def text(self, begin: tuple[int, int], end: tuple[int, int]) -> str:
        """Return the text between two places."""
        (first, column), (last, until) = begin, end
        lines = self.lines[first - 1 : last]
        if last <= len(self.lines):
            lines[-1] = lines[-1][: until - 1]
        lines[0] = lines[0][column - 1 :]
        return "\n".join(lines)

    def at(self, place: Place | None, kind: str, event: Event | None, name: str) -> Place:
        """Check what the text at a place begins with, and return the place."""
        assert place is not None, f"{name}: no place"
        line = self.inside(place, name)
        pattern = self.marks.pattern(kind, event, self.spelling)
        shown = line[place.column - 1 : place.column + 30]
        assert re.compile(pattern).match(line, place.column - 1), f"{name}: {shown!r} does not begin as {pattern}"
        return place

    def inside(self, place: Place, name: str) -> str:
        """Check that a place is in the text, and return its line."""
        assert 1 <= place.line <= len(self.lines), f"{name}: there is no line {place.line}"
        line = self.lines[place.line - 1].rstrip("\r")
        assert place.text == line, f"{name}: the place has another text than line {place.line}"
        assert 1 <= place.column <= len(line) + 1, f"{name}: line {place.line} has no column {place.column}"
        return line
