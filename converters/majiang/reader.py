"""Reads majiang records: objects with the rounds of a game."""

from collections.abc import Iterator
from typing import Final

from mjconv.converters.interface import Reading
from mjconv.converters.majiang.head import KEY, odd_ends, read_head
from mjconv.converters.majiang.round_reader import RoundReading, read_round
from mjconv.converters.majiang.tiles import SEATS
from mjconv.converters.shared.contradictions import with_notes
from mjconv.converters.shared.json_file import Located, objects
from mjconv.converters.shared.json_log import LOG, JsonGame, head_tokens, round_tokens
from mjconv.converters.shared.json_places import Ways, way_to
from mjconv.converters.shared.json_values import Path, WrongValueError
from mjconv.converters.shared.restore import Scope
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import Place
from mjconv.ir.losses import Report

#: The ways to the fields of steps by the keys of events.
_WAYS: Final = catalogue(__name__, "fields.json", Ways)


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one: one object, a list of objects, or one object a line.

    Raises `InputError` with its place. With a lenient report, an error in a round is a fault, and the reader
    continues with the next round.

    >>> [reading] = read(b'{"title":"","player":["A","B","C","D"],"qijia":2,"log":[]}', Report())
    >>> reading.match.players[0].name.shown
    'C'
    """
    for number, located in enumerate(objects(data, report)):
        game = MajiangReader(located, report, number)
        if game.is_object:
            yield game.reading()


class MajiangReader(JsonGame):
    """Reads one object: its rounds, then the keys around them."""

    def __init__(self, located: Located, report: Report, number: int) -> None:
        super().__init__(located, report, number)
        self.readings = self.read_rounds(read_round, RoundReading([]))
        rounds = [reading.round() for reading in self.readings]
        try:
            self.match = read_head(self.head, rounds)
            self._warn()
        except WrongValueError as error:
            self.fault(error)
            self.is_object = bool(self.readings)
            self.match = read_head({}, rounds)

    def _warn(self) -> None:
        """Warn of names that nobody knows, of values that contradict the game, and of rounds without a result."""
        for key, message in odd_ends(self.head, self.match):
            self.warn(message, (key,))
        for index, reading in enumerate(self.readings):
            label = self.match.rounds[index].label
            for path, message in reading.odd_values:
                self.warn(message, (LOG, index, *path), index, label)
            if reading.events and type(reading.events[-1]) is not ev.EndRound:
                self.warn("the round has no result", (LOG, index), index, label)

    # Notes.

    def reading(self) -> Reading:
        """Return the match, with what its notes restore."""
        visible, notes = Reading(self.match, self._locate), self.notes(self.match)
        return with_notes(KEY, visible, notes, self._tokens, self.report, self.number, seats=SEATS)

    def _tokens(self, scope: Scope) -> bytes:
        return head_tokens(self.head) if scope is None else round_tokens(self.values[scope])

    def _locate(self, number: int | None, event: int, key: str) -> Place:
        if number is None:
            named = {"scores": "defen", "final_scores": "point"}.get(key)
            return self.located.place((named,) if named in self.head else ())
        reading = self.readings[number]
        path: Path = (LOG, number)
        if 0 <= event < len(reading.events):
            index = reading.steps[event]
            [kind] = self.values[number][index]
            path = (*path, index, kind, *way_to(key, _WAYS, self.values[number][index][kind]))
        return self.located.place(path)
