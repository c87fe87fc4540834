"""A text in an editor: its findings, outline, places of events, and what may be typed next.

The module knows no editor: `mjconv.typist.lsp` speaks to one. Places are lines and columns from 0, in characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from functools import cached_property
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters import hub
from mjconv.converters.interface import Format, Reading
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, Place
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import House, Match
from mjconv.ir.spelling import Seating
from mjconv.ir.table import Table
from mjconv.ir.tiles import HAND
from mjconv.referee.findings import Finding
from mjconv.referee.picture import picture
from mjconv.referee.round_state import RoundState
from mjconv.rules.hands import countable
from mjconv.rules.mahjong_package import shanten
from mjconv.rules.rulesets import rulesets_of
from mjconv.rules.succession import starts
from mjconv.validation.check import validate


class Spot(NamedTuple):
    """A place in a text: line and column from 0, in characters."""

    line: int
    column: int


class RoundSpot(NamedTuple):
    """A round: its name, its place, and the last place that belongs to it."""

    label: str
    begin: Spot
    end: Spot


class Fix(NamedTuple):
    """A text of a line, from column to column, and the text that a message proposes in its place."""

    begin: Spot
    end: Spot
    text: str


class _EventSpot(NamedTuple):
    place: Spot
    match: int
    round: int
    event: int


#: A text of so many characters takes about half a second to read.
MOST_CHARACTERS: Final = 400_000
_LATER: Final = "mjconv validate checks the file"
#: The letters of the codes of the grammar, and of the order of play.
_OF_TEXT: Final = "SO"
#: The proposals of messages: the text in the file, and the text for it.
_MEANT: Final = re.compile(r'did you mean "(?P<new>[^"]+)" in place of "(?P<old>[^"]+)"')
_SPELLED: Final = re.compile(r"(?P<old>\S+) is spelled (?P<new>\S+)")
_TYPED: Final = re.compile(r"""["'](?P<old>.)["'] is to be typed as ["'](?P<new>.)["']""")
_LINE: Final = re.compile(r"this is no line of scores; write (?P<new>.+)")
_TOKEN: Final = re.compile(r"[A-Za-z0-9-]+")
#: A word that is typed, or that ends, where brackets and commas end words; or a string.
_TYPING: Final = re.compile(r'"(?:[^"\\]|\\.?)*|[^\s,()\[\]]*(?:.|,,)?')
_COMMENT: Final = re.compile("//.*")
#: The numbers of tiles of a hand that waits for a tile.
_WAITING: Final = range(1, HAND + 1, 3)
#: The text of an act from its discard on.
_ACT: Final = re.compile(r"[^\s()]*\)?")


class Document:
    """One state of a text. `before` is the state before it: its matches stay while nothing can be read."""

    def __init__(self, text: str, form: Format, name: str, before: Document | None = None) -> None:
        self.text = text
        self.form = form
        self.name = name
        self.lines = text.split("\n")
        self._before = None if before is None else before.readings
        self._lines_before = None if before is None else before.lines
        self.data = text.encode("utf-8", "replace")
        #: Whether the text is too large to be read at each key: it has no rounds, hovers and completions.
        self.is_large = len(text) > MOST_CHARACTERS

    @cached_property
    def findings(self) -> list[Finding]:
        """The faults of the text. An error that may be gone when the last word or line is whole is a note."""
        if self.is_large:
            message = (
                f"a text of more than {MOST_CHARACTERS} characters is not checked while it is typed: {_LATER}"
            )
            return [Finding("S003", "note", message, place=Place(1, 1, self.lines[0]), file=self.name)]
        return [
            structs.replace(one, severity="note") if self._is_unfinished(one) else one
            for one in validate(self.data, format=self.form.id, file=self.name)
        ]

    def _is_unfinished(self, finding: Finding) -> bool:
        """Return whether an error may be gone when the word or the line at which one types is whole."""
        at = self._typed_at
        if finding.place is None or finding.severity != "error" or at is None:
            return False
        place = Spot(finding.place.line - 1, finding.place.column - 1)
        first, last = sorted((place, at))
        between = "\n".join([*self.lines[first.line : last.line], self.line(last.line)[: last.column]])
        between = between[first.column :]
        words = _COMMENT.sub("", between).strip()
        if place >= at:
            return not words
        of_text = finding.code[0] in _OF_TEXT
        if "fill" in self.form.code.typed:
            return of_text and _TYPING.fullmatch(words) is not None
        return place.line == at.line and (of_text or " " not in between)

    @cached_property
    def _typed_at(self) -> Spot | None:
        """Where one types: the end of the last change or of the text. A line is whole when the next one begins.

        A text that can be filled may stop anywhere: its reader knows an unfinished text from a wrong one. So there
        it is None before the first change.
        """
        if self._lines_before is None and "fill" in self.form.code.typed:
            return None
        old, new = self._lines_before or [], self.lines
        after = _equal_at_end(old, new)
        line = max(len(new) - after - 1, 0)
        was, now = old[-after - 1] if after < len(old) else "", new[line]
        # Who types a comma after a comma is behind both.
        added = max(len(now) - len(was), 0)
        column = max(len(now) - _equal_at_end(was, now), _equal_at_end(was[::-1], now[::-1]) + added)
        if line and not new[line][:column].strip():
            return Spot(line - 1, len(new[line - 1]))
        return Spot(line, column)

    @cached_property
    def readings(self) -> list[Reading]:
        """The matches as far as they can be read; those of the state before if no match can be read."""
        if self.is_large:
            return []
        try:
            readings = list(hub.read(self.form, self.data, Report(lenient=True)))
        except MjconvError:
            readings = []
        return readings or self._before or []

    @cached_property
    def _events(self) -> list[_EventSpot]:
        """The places of all events, in their order in the text."""
        spots = []
        for match, reading in enumerate(self.readings):
            for number, game_round in enumerate(reading.match.rounds):
                for event in range(len(game_round.events)):
                    place = reading.locate(number, event, "")
                    if place is not None:
                        spots.append(_EventSpot(Spot(place.line - 1, place.column - 1), match, number, event))
        return sorted(spots)

    @cached_property
    def rounds(self) -> list[RoundSpot]:
        """The rounds of all matches, each up to the line before the next one."""
        firsts: dict[tuple[int, int], Spot] = {}
        for spot in self._events:
            firsts.setdefault((spot.match, spot.round), spot.place)
        ordered = sorted(firsts.items(), key=lambda each: each[1])
        lasts = [after.line - 1 for _, after in ordered[1:]] + [len(self.lines) - 1]
        return [
            RoundSpot(self.readings[match].match.rounds[number].label, begin, Spot(max(begin.line, last), 0))
            for ((match, number), begin), last in zip(ordered, lasts, strict=False)
        ]

    def hover(self, spot: Spot) -> str | None:
        """Return the meaning of a shorthand token, or the table after the event at a place; None elsewhere."""
        meaning_of = self.form.for_typed("editing", "meaning")
        words = _TOKEN.finditer(self.line(spot.line))
        here = [word[0] for word in words if word.start() <= spot.column <= word.end()]
        if meaning_of is not None and here and (meaning := meaning_of(here[0])):
            return str(meaning)
        index = bisect_right(self._events, spot, key=lambda each: each.place) - 1
        if index < 0 or not any(each.begin.line <= spot.line <= each.end.line for each in self.rounds):
            return None
        _, match, number, event = self._events[index]
        return table_at(self.readings[match].match, number, event, self.form)

    def line(self, number: int) -> str:
        """Return a line; an empty one past the end."""
        return self.lines[number] if number < len(self.lines) else ""

    def fix(self, finding: Finding) -> Fix | None:
        """Return the change that the message of a finding proposes; None if it proposes none."""
        if finding.place is None:
            return None
        number, column = finding.place.line - 1, finding.place.column - 1
        line = self.line(number)
        whole = _LINE.search(finding.message)
        if whole is not None:
            return Fix(Spot(number, 0), Spot(number, len(line.partition("#")[0].rstrip())), whole["new"])
        for pattern in (_MEANT, _SPELLED, _TYPED):
            meant = pattern.search(finding.message)
            if meant is not None:
                old = meant["old"]
                # The error may be inside the word.
                begin = line.find(old, max(0, column - len(old)))
                if begin >= 0:
                    return Fix(Spot(number, begin), Spot(number, begin + len(old)), meant["new"])
        return None

    def renamed(self, spot: Spot, name: str) -> list[Fix]:
        """Return the changes that rename the player whose name is at a place; none if no name is there."""
        names_in = self.form.for_typed("editing", "names_in")
        if names_in is None:
            return []
        names = [(number, *span) for number, line in enumerate(self.lines) for span in names_in(line)]
        here = [each for each in names if each[0] == spot.line and each[1] <= spot.column <= each[2]]
        if not here:
            return []
        number, begin, end = here[0]
        old = self.lines[number][begin:end]
        spell = self.form.for_typed("editing", "spelled_name")
        name = name if spell is None else spell(name)
        return [Fix(Spot(n, a), Spot(n, b), name) for n, a, b in names if name and self.lines[n][a:b] == old]

    def changed(self, data: bytes) -> list[Fix]:
        """Return the changes of whole lines that make another text of this one."""
        old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (self.text, data.decode()))
        changes = SequenceMatcher(None, old, new).get_opcodes()
        return [
            Fix(self._begin(a), self._begin(b), "".join(new[c:d]))
            for kind, a, b, c, d in changes
            if kind != "equal"
        ]

    def _begin(self, line: int) -> Spot:
        """Return the begin of a line, or the end of the text after its last line."""
        return Spot(line, 0) if line < len(self.lines) else Spot(line - 1, len(self.line(line - 1)))

    def follows(self, spot: Spot) -> str:
        """Return what must follow the text before the end of a line; an empty text if nothing must."""
        follows = None if self.is_large else self.form.for_typed("editing", "follows")
        rest = self.line(spot.line)[spot.column :].strip()
        return "" if follows is None or rest.strip(")") else str(follows(self._before_spot(spot)))

    def _before_spot(self, spot: Spot) -> str:
        return "\n".join([*self.lines[: spot.line], self.line(spot.line)[: spot.column]])

    def completions(self, spot: Spot) -> tuple[Spot, list[str]]:
        """Return where the tokens begin that the grammar allows at a place, and these: legal ones come first."""
        complete = None if self.is_large else self.form.for_typed("editing", "completions")
        before = self._before_spot(spot)
        begun, tokens = ("", []) if complete is None else complete(before)
        # A string may have begun in a line before this one.
        is_here = self.line(spot.line)[: spot.column].endswith(begun)
        return Spot(spot.line, spot.column - len(begun) * is_here), tokens

    def hints(self, lines: range, *, distances: bool) -> Iterator[tuple[Spot, str]]:
        """Yield texts to show at places of some lines: the names and points of each round, at its head.

        With `distances`, also the distance to tenpai of each hand after its discard, if its tiles are known.
        """
        for (number, index), spots in groupby(self._events, key=lambda each: (each.match, each.round)):
            places = {each.event: each.place for each in spots if each.place.line in lines}
            # Acts that even a lenient table refuses are shown without what follows.
            with suppress(IllegalPlayError):
                yield from self._hints_of(self.readings[number].match, index, places, distances=distances)

    def _hints_of(
        self, match: Match, number: int, places: Mapping[int, Spot], *, distances: bool
    ) -> Iterator[tuple[Spot, str]]:
        start = starts(match)[number] if places else ev.StartRound()
        table = Table.dealt(start, strict=False)
        for at, event in enumerate(match.rounds[number].events[: max(places, default=-1) + 1]):
            table.apply(event)
            if at not in places:
                continue
            line = self.line(places[at].line)
            if type(event) is ev.StartRound:
                yield Spot(places[at].line, len(line)), _seats(match, start, self.form)
            elif distances and type(event) is ev.Discard:
                hand = table.hands[event.actor]
                if len(hand) in _WAITING and countable(hand):
                    end = places[at].column + len(_ACT.findall(line, places[at].column)[0])
                    yield Spot(places[at].line, end), str(shanten(hand))


def _seats(match: Match, start: ev.StartRound, form: Format) -> str:
    """Return the winds of a round with the names and points of their players."""
    seating, amount = _seating(match, start), form.spelling.amount or str
    winds = []
    for seat in sorted(range(match.seats), key=lambda seat: seating.place(seat) or 0):
        points = [amount(each) or str(each) for each in (start.scores or ())[seat : seat + 1]]
        named = seating.names[seat : seat + 1]
        winds.append(" ".join([form.spelling.short_player(seat, seating), *named, *points]))
    return "  ".join(winds)


def _equal_at_end(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of equal lines, or characters, at the ends of two texts."""
    pairs = zip(reversed(old), reversed(new), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def table_at(match: Match, number: int, index: int, form: Format) -> str:
    """Return the picture of the table after an event of a round, in the spelling of a format."""
    start = starts(match)[number]
    state = RoundState(match, number, start, rulesets_of(match)[number], House(), lambda *_, **__: None)
    state.table = Table.dealt(start, strict=False)
    for event in state.events[: index + 1]:
        try:
            state.table.apply(event)
        except IllegalPlayError:
            # Not even a lenient table knows what this event means: the picture is that before it.
            break
    state.index, state.played = index, True
    return picture(state, form.spelling, _seating(match, start))


def _seating(match: Match, start: ev.StartRound) -> Seating:
    return Seating(None if start.oya is UNSET else start.oya, match.seats, tuple(match.names))
