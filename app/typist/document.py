"""A text in an editor: its findings, outline, places of events, and what may be typed next.

The module knows no editor: `mjconv.typist.lsp` speaks to one. Places are lines and columns from 0, in characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from mjconv.converters import flow
from mjconv.converters.hk.lines import LineError, Names, parse
from mjconv.converters.interface import Format, Reading
from mjconv.converters.jmjp.explain import continuations
from mjconv.converters.jmjp.reader import read as read_jmjp
from mjconv.converters.jmjp.spelling import CODES, HUB, JMJP, PLACE
from mjconv.converters.jmjp.text import StrippedText, write_string
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match
from mjconv.ir.melds import is_run
from mjconv.ir.spelling import Seating
from mjconv.ir.table import DISCARDED, RIICHI_ACCEPTED, Table
from mjconv.ir.tiles import plain, sorted_tiles
from mjconv.referee.findings import Finding
from mjconv.referee.picture import picture
from mjconv.referee.round_state import RoundState
from mjconv.rules.house import House
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


#: The proposals of messages: the text in the file, and the text for it.
_MEANT: Final = re.compile(r'did you mean "(?P<new>[^"]+)" in place of "(?P<old>[^"]+)"')
_SPELLED: Final = re.compile(r"the tile (?P<old>\S+) is spelled (?P<new>\S+)")
_TYPED: Final = re.compile(r"""["'](?P<old>.)["'] is to be typed as ["'](?P<new>.)["']""")
_LINE: Final = re.compile(r"this is no line of scores; write (?P<new>.+)")
#: The act that is being typed: its seat, and the tile that it takes.
_ACT: Final = re.compile(r"\((?P<seat>[eswn]),(?:(?P<taken>[0-9a-z]{2}|(?:ch|pn)\[[^\]]*\]),)?[a-z0-9\[]*\Z")
_TOKEN: Final = re.compile(r"[A-Za-z0-9-]+")


class Document:
    """One state of a text. `before` is the state before it: its matches stay while nothing can be read."""

    def __init__(self, text: str, form: Format, name: str, before: Document | None = None) -> None:
        self.text = text
        self.form = form
        self.name = name
        self.lines = text.split("\n")
        self._before = None if before is None else before.readings
        self.data = text.encode("utf-8", "replace")

    @cached_property
    def findings(self) -> list[Finding]:
        """What is wrong with the text."""
        return validate(self.data, format=self.form.id, file=self.name)

    @cached_property
    def readings(self) -> list[Reading]:
        """The matches as far as they can be read; those of the state before if no match can be read."""
        try:
            found = list(flow.read(self.form, self.data, Report(lenient=True)))
        except MjconvError:
            found = []
        return found or self._before or []

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

    def rounds(self) -> list[RoundSpot]:
        """Return the rounds of all matches, each up to the line before the next one."""
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
        for found in _TOKEN.finditer(self.line(spot.line)):
            if self.form.id == "jmjp" and found.start() <= spot.column <= found.end() and found[0] in CODES:
                code = CODES[found[0]]
                return " / ".join(filter(None, (code.native, code.roman)))
        at = bisect_right(self._events, spot, key=lambda each: each.place) - 1
        if at < 0 or not any(each.begin.line <= spot.line <= each.end.line for each in self.rounds()):
            return None
        _, match, number, event = self._events[at]
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
        """Return the changes that rename the player whose name is at a place; none if no name is there.

        A name is a string of a player in jmjp, a word of a line of names in hk, a string of ``names`` in mjai.
        """
        names = [(number, *found.span()) for number, line in enumerate(self.lines) for found in self._names(line)]
        here = [each for each in names if each[0] == spot.line and each[1] <= spot.column <= each[2]]
        if not here:
            return []
        number, begin, end = here[0]
        old = self.lines[number][begin:end]
        if self.form.id == "mjai":
            # JSON spells some characters as escapes.
            name = msgspec.json.encode(name).decode()[1:-1]
        elif self.form.id == "jmjp":
            name = (write_string(name, 1) or "")[1:-1]
        return [Fix(Spot(at, a), Spot(at, b), name) for at, a, b in names if name and self.lines[at][a:b] == old]

    def _names(self, line: str) -> Iterator[re.Match[str]]:
        """Yield the names of players in a line."""
        if self.form.id == "hk":
            try:
                names = isinstance(parse(line), Names)
            except LineError:
                names = False
            return re.finditer(r"\S+", line.partition("#")[0] if names else "")
        begin = {"jmjp": "ply[", "mjai": '"names":'}.get(self.form.id)
        if begin is None or begin not in line:
            return iter(())
        at = line.index(begin) + len(begin)
        pattern = r'(?<=s(?:nt|rm)\[")[^"]+(?=")' if self.form.id == "jmjp" else r'(?<=[\[,]")[^"]+(?=")'
        end = len(line) if self.form.id == "jmjp" else line.index("]", at)
        return re.compile(pattern).finditer(line, at, end)

    def completions(self, spot: Spot) -> list[str]:
        """Return the tokens that the grammar allows at a place, legal tiles of the player first."""
        if self.form.id != "jmjp":
            return []
        before = "\n".join([*self.lines[: spot.line], self.line(spot.line)[: spot.column]])
        try:
            source = StrippedText(before)
        except MjconvError:
            return []
        allowed = continuations(source)
        legal = [token for token in self._legal(source, before) if any(token.startswith(each) for each in allowed)]
        return list(dict.fromkeys([*legal, *allowed]))

    def _legal(self, source: StrippedText, before: str) -> list[str]:
        """Return what the player of the act that is being typed can legally take or give."""
        act = _ACT.search(source.stripped)
        try:
            *_, reading = read_jmjp(before.encode("utf-8", "replace"), Report(lenient=True))
        except (MjconvError, ValueError):
            return []
        rounds = [each for each in reading.match.rounds if each.start is not None]
        if act is None or not rounds:
            return []
        table = Table.dealt(rounds[-1].start or ev.StartRound(), strict=False)
        for event in rounds[-1].events:
            table.apply(event)
        player = (PLACE[act["seat"]] + table.oya) % USUAL_SEATS
        taken = act["taken"]
        if taken is None:
            return list(_calls(table, player))
        return list(_discards(table, player, taken))


def _calls(table: Table, player: int) -> Iterator[str]:
    """Yield the calls of the last discard that a hand allows."""
    if table.phase is not DISCARDED or table.last_actor == player or table.riichi[player]:
        return
    tile, hand = table.last_tile, table.hands[player]
    if player == (table.last_actor + 1) % table.seats:
        pairs = dict.fromkeys(combinations(sorted_tiles(hand), 2))
        yield from (f"ch[{JMJP[a]}{JMJP[b]}]" for a, b in pairs if is_run((a, b, tile)))
    like = sorted_tiles([own for own in hand if plain(own) == plain(tile)])
    for count, word in ((2, "pn"), (3, "dk")):
        for own in dict.fromkeys(combinations(like, count)):
            yield f"{word}[{''.join(map(JMJP.__getitem__, own))}]"


def _discards(table: Table, player: int, taken: str) -> Iterator[str]:
    """Yield the discards and kans that a hand allows after it took a tile."""
    drawn = HUB.get(taken)
    if table.riichi[player] == RIICHI_ACCEPTED:
        yield from ("tg", "tm")
        return
    hand = Counter(table.hands[player])
    if drawn is None:
        hand.subtract(HUB[tile] for tile in re.findall("[0-9a-z]{2}", taken[3:-1]))
    else:
        yield "tg"
    yield from (JMJP[tile] for tile in sorted_tiles([tile for tile, count in hand.items() if count > 0]))
    if drawn is not None:
        hand[drawn] += 1
        for tile in dict.fromkeys(map(plain, hand)):
            own = sorted_tiles([each for each in hand.elements() if plain(each) == tile])
            if len(own) == USUAL_SEATS:
                yield f"ak[{''.join(map(JMJP.__getitem__, own))}]"
            yield from (f"kk[{JMJP[each]}]" for each in own if table.pon_of(player, each) is not None)


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
    names = tuple(player.name.shown if player.name is not UNSET else "" for player in match.players)
    seating = Seating(None if start.oya is UNSET else start.oya, match.seats, names)
    return picture(state, form.spelling, seating)
