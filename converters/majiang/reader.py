"""Reads majiang records: objects with the rounds of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mjconv.converters.interface import Reading
from mjconv.converters.majiang.head import KEY, odd_ends, read_head
from mjconv.converters.majiang.round_reader import RoundReading, read_round
from mjconv.converters.majiang.tiles import SEATS
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.contradictions import restored
from mjconv.converters.shared.json_file import Found, objects
from mjconv.converters.shared.json_log import LOG, NOTE, head_and_log
from mjconv.converters.shared.json_places import Path
from mjconv.converters.shared.json_values import WrongValueError
from mjconv.converters.shared.restore import FoundNote, Key, notes_of_value
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

#: The keys of steps, by kind of event and key of the hub.
_KEYS: Final[Mapping[type, Mapping[str, str]]] = {
    ev.StartRound: {
        "bakaze": "zhuangfeng",
        "kyoku": "jushu",
        "oya": "jushu",
        "honba": "changbang",
        "kyotaku": "lizhibang",
        "scores": "defen",
        "dora_marker": "baopai",
        "tehais": "shoupai",
    },
    ev.Draw: {"actor": "l", "pai": "p"},
    ev.Discard: {"actor": "l", "pai": "p", "tsumogiri": "p"},
    ev.Riichi: {"actor": "l"},
    **{
        kind: {"actor": "l", "target": "m", "pai": "m", "consumed": "m"}
        for kind in (ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan)
    },
    ev.Dora: {"dora_marker": "baopai"},
    ev.Win: {
        "actor": "l",
        "target": "baojia",
        "pai": "shoupai",
        "deltas": "fenpei",
        "ura_markers": "fubaopai",
        "yakus": "hupai",
        "fu": "fu",
        "fan": "fanshu",
        "hora_points": "defen",
        "pao": "hupai",
    },
    ev.Ryukyoku: {"reason": "name", "tenpais": "shoupai", "deltas": "fenpei"},
}


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the matches of a file one by one: one object, a list of objects, or one object a line.

    Raises `InputError` with its place. With a lenient report, an error in a round is a fault, and the reader
    continues with the next round.

    >>> [reading] = read(b'{"title":"","player":["A","B","C","D"],"qijia":2,"log":[]}', Report())
    >>> reading.match.players[0].name.shown
    'C'
    """
    for number, found in enumerate(objects(data, report)):
        game = MajiangReader(found, report, number)
        if game.is_object:
            yield game.reading()


class MajiangReader:
    """Reads one object: its rounds, then the keys around them."""

    def __init__(self, found: Found, report: Report, number: int) -> None:
        self.found = found
        self.report = report
        self.number = number
        self.head: dict[str, Any] = {}
        self.values: list[Any] = []
        self.readings: list[RoundReading] = []
        self.match = Match()
        self.is_object = True
        try:
            self._read()
        except WrongValueError as error:
            report.fault(self._error(error), match=number)
            self.is_object = bool(self.readings)
            if self.is_object:
                self.match = read_head({}, self._rounds())

    def _read(self) -> None:
        self.head, self.values = head_and_log(self.found.value)
        self.readings = [self._round(each, index) for index, each in enumerate(self.values)]
        self.match = read_head(self.head, self._rounds())
        self._warn()

    def _round(self, value: Any, index: int) -> RoundReading:
        try:
            return read_round(value)
        except WrongValueError as error:
            wrong = WrongValueError(str(error), (LOG, index, *error.path))
            self.report.fault(self._error(wrong), match=self.number, round=index)
            return RoundReading([], [], [], [])

    def _rounds(self) -> list[Round]:
        return [reading.round(value) for value, reading in zip(self.values, self.readings, strict=True)]

    def _error(self, error: WrongValueError) -> InputError:
        return InputError(str(error), self.found.place(error.path))

    def _warn(self) -> None:
        """Warn of names that nobody knows, of values that contradict the game, and of rounds without a result."""
        for key, message in odd_ends(self.head, self.match):
            place = self.found.place((key,))
            self.report.warn(message, match=self.number, line=place.line, column=place.column)
        for index, reading in enumerate(self.readings):
            for path, message in reading.odd_values:
                self._warning(message, index, (LOG, index, *path))
            if reading.events and type(reading.events[-1]) is not ev.EndRound:
                self._warning("the round has no result", index, (LOG, index))

    def _warning(self, message: str, index: int, path: Path) -> None:
        place = self.found.place(path)
        label = self.match.rounds[index].label
        self.report.warn(
            message, match=self.number, round=index, label=label, line=place.line, column=place.column
        )

    # Notes.

    def reading(self) -> Reading:
        """Return the match, with what its notes restore."""
        notes: list[FoundNote] = []
        if NOTE in self.found.value:
            labels = {each.label: index for index, each in reversed(list(enumerate(self.match.rounds)))}
            value, place = self.found.value[NOTE], self.found.place
            notes += notes_of_value(value, (NOTE,), place, self.report, self.number, labels=labels)
        visible = Reading(self.match, self._locate)
        return restored(KEY, visible, notes, self._tokens, self.report, self.number, seats=SEATS)

    def _tokens(self, key: Key) -> bytes:
        return head_tokens(self.head) if key is None else round_tokens(self.values[key])

    def _locate(self, number: int | None, event: int, key: str) -> Place | None:
        if number is None:
            named = {"scores": "defen", "final_scores": "point"}.get(key)
            return self.found.place((named,) if named in self.head else ())
        if not 0 <= number < len(self.readings):
            return None
        reading = self.readings[number]
        path: Path = (LOG, number)
        if 0 <= event < len(reading.events):
            index = reading.steps[event]
            [kind] = self.values[number][index]
            named = _KEYS.get(type(reading.events[event]), {}).get(key)
            path = (*path, index, kind, *([named] if named else []))
        return self.found.place(path)


def round_tokens(value: Any) -> bytes:
    """Return the bytes for the digest of a round's note: its value, without the layout of the text."""
    return jsontext.dumps(value)


def head_tokens(head: Mapping[str, Any]) -> bytes:
    """Return the bytes for the digest of a match's note: the keys around the rounds, sorted by their names."""
    return jsontext.dumps(dict(sorted(head.items())))
