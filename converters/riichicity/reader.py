"""Reads Riichi City records: answers of its server, or their `data` alone, with a game in each."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.interface import Reading
from mjconv.converters.riichicity import schema
from mjconv.converters.riichicity.results import by_seat
from mjconv.converters.riichicity.round_reader import HandReader, dealer_and_kyoku
from mjconv.converters.shared.json_file import Located, objects
from mjconv.converters.shared.json_places import Ways, way_to
from mjconv.converters.shared.json_values import (
    Path,
    WrongValueError,
    as_struct,
    check_list,
    shown,
    within,
)
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Length, Match, Name, Original, Player, Round, Rules, Text

_ROUNDS: Final = "handRecord"
_RECORDS: Final = "handEventRecord"
_DATA: Final = "data"
_SEATS: Final = (3, 4)
_LENGTHS: Final[Mapping[int, Length]] = {1: "east", 2: "south", 3: "one round"}
#: The latest time that is kept, in milliseconds since 1970: in the year 8000.
_MOST_TIME: Final = 190_000_000_000_000
#: The largest number of a stage, as rooms for ranked games have them.
_MOST_STAGE: Final = 999
#: The ways to the fields of records by the keys of events.
_WAYS: Final = catalogue(__name__, "fields.json", Ways)


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the games of a file one by one. Raises `InputError` with its place.

    With a lenient report, an error in a round is a fault, and the reader continues with the next round.

    >>> [reading] = read(b'{"code":0,"data":{"playerCount":4,"handRecord":[]}}', Report())
    >>> reading.match.rounds
    []
    """
    number = 0
    for located in objects(data, report):
        game = _GameReader(located, report, number)
        if game.read():
            game.match.original = Original("riichicity", located.text)
            yield Reading(game.match, game.locate)
            number += 1


class _GameReader:
    """Reads the rounds of one game."""

    def __init__(self, located: Located, report: Report, number: int) -> None:
        self.located = located
        self.report = report
        self.number = number
        self.match = Match(opening=[ev.StartGame()])
        #: The path to the object with the rounds.
        self.base: Path = ()
        self.spans: list[tuple[Path, Sequence[int]]] = []
        #: The seat of each player by id, and the position of the first dealer; of the first round that has them.
        self.seats: dict[int, int] = {}
        self.first_dealer = 0

    def read(self) -> bool:
        """Read the game. Returns whether there is one."""
        try:
            head = self._head()
        except WrongValueError as error:
            self.report.fault(self._error(error), match=self.number)
            return False
        for index, value in enumerate(head[_ROUNDS]):
            self._round((_ROUNDS, index), value)
        start, length = head.get("initPoints"), head.get("round")
        self.match.rules = Rules(
            start=start if type(start) is int and 0 < start <= ev.MOST_POINTS else UNSET,
            length=_LENGTHS.get(length, UNSET) if type(length) is int else UNSET,
            players=len(self.seats) or UNSET,
            wareme=head.get("isGeMu") is True or UNSET,
            # Open riichi counts as a yaku that mjconv does not know.
            local_yaku=head.get("isKaiLiZhi") is True or UNSET,
        )
        name, stage = head.get("keyValue"), head.get("stageType")
        self.match.id = name if isinstance(name, str) and name else UNSET
        self.match.room = str(stage) if type(stage) is int and 0 < stage <= _MOST_STAGE else UNSET
        count = head.get("playerCount", len(self.seats))
        if self.seats and count != len(self.seats):
            self._warn(("playerCount",), f"playerCount is {shown(count)}, but {len(self.seats)} players play")
        if not self.match.rounds:
            self.report.warn("the record has no rounds", match=self.number)
        elif not self.match.closing:
            self.report.warn("the game has no end: the record breaks off", match=self.number)
        return True

    def _head(self) -> dict[str, Any]:
        """Return the object with the rounds. Raises `WrongValueError`."""
        head = self.located.value
        if isinstance(head, dict) and _ROUNDS not in head and _DATA in head:
            self.base = (_DATA,)
            if not isinstance(head[_DATA], dict):
                answer = f"code {shown(head.get('code'))}, message {shown(head.get('message'))}"
                raise WrongValueError(f"the answer of the server has no record: {answer}")
            head = head[_DATA]
        if not isinstance(head, dict):
            raise WrongValueError(f"expected an object with {_ROUNDS}, not {shown(head)}")
        if head.get(_ROUNDS) is None:
            raise WrongValueError(f"the object has no {_ROUNDS} with the rounds")
        check_list(head[_ROUNDS], (_ROUNDS,), "a list of rounds")
        return head

    # Rounds.

    def _round(self, path: Path, value: Any) -> None:
        number = len(self.match.rounds)
        reader: HandReader | None = None
        complete = True
        try:
            hand = as_struct(value, schema.HandRecord)
            if not self.seats:
                self._find_seats(hand)
            reader = HandReader(hand, self.seats, self.first_dealer, partial(self._warn, path))
            for index, one in enumerate(hand.hand_event_record):
                try:
                    self._record(reader, index, one)
                except WrongValueError as error:
                    raise error.within(_RECORDS, index) from None
        except WrongValueError as error:
            complete = False
            event = len(reader.events) or None if reader else None
            self.report.fault(self._error(error, *path), match=self.number, round=number, event=event)
        if reader is None or not reader.events:
            if complete:
                self._warn(path, "the round has no deal. It was left out")
            else:
                self.spans.append((path, ()))
                self.match.rounds.append(Round())
            return
        self.spans.append((path, reader.origins))
        self.match.rounds.append(reader.round(walls=self.report.walls))
        if complete and not reader.over:
            self._warn(path, "the round has no result")

    def _find_seats(self, hand: schema.HandRecord) -> None:
        """Find the players of the game, and the position of its first dealer, by the first round."""
        records = hand.hand_event_record
        kinds = [one.get("eventType") if isinstance(one, dict) else None for one in records]
        if schema.DEAL not in kinds:
            return
        first = kinds.index(schema.DEAL)
        with within(_RECORDS, first):
            _, deal = schema.read_record(records[first])
        assert isinstance(deal, schema.DealData)
        listed = enumerate(deal.user_info_list or ())
        players = hand.players or [schema.PlayerInfo(one.user_id, position=index) for index, one in listed]
        count = len(players)
        if count not in _SEATS:
            raise WrongValueError(f"the round has {count} players: expected 3 or 4", ("players",))
        by_position = {one.position: one for one in players}
        if {*by_position} != {*range(count)} or len({one.user_id for one in players}) < count:
            raise WrongValueError("two players have the same id or the same position", ("players",))
        with within(_RECORDS, first, _DATA):
            dealer, kyoku = dealer_and_kyoku(hand, deal, count)
        self.first_dealer = (dealer - kyoku + 1) % count
        turns = [by_position[(self.first_dealer + seat) % count] for seat in range(count)]
        self.seats = {one.user_id: seat for seat, one in enumerate(turns)}
        names = [one.nickname for one in turns]
        if any(name is not UNSET for name in names):
            self.match.players = [Player() if name is UNSET else Player(Name(Text(name))) for name in names]

    def _record(self, reader: HandReader, index: int, value: Any) -> None:
        record, data = schema.read_record(value)
        if self.match.date is UNSET and 0 < record.start_time < _MOST_TIME:
            moment = datetime.datetime.fromtimestamp(record.start_time // 1000, datetime.UTC)
            self.match.date = moment.date()
            self.match.time = moment.replace(microsecond=record.start_time % 1000 * 1000).timetz()
        try:
            if isinstance(data, schema.EndData):
                scores = by_seat("user_data", data.user_data, "point_num", self.seats)
                self.match.closing = [ev.EndGame(scores=scores)]
            else:
                reader.read(index, record, data)
        except WrongValueError as error:
            raise error.within(_DATA) if error.path else error from None

    # Places.

    def _error(self, error: WrongValueError, *path: str | int) -> InputError:
        return InputError(str(error), self._place((*path, *error.path)))

    def _warn(self, path: Path, message: str, inner: Path = ()) -> None:
        """Warn about a value of a round, to which `path` leads, or of the game."""
        number = next((part for part in path if isinstance(part, int)), None)
        self.report.warn(message, match=self.number, round=number, place=self._place((*path, *inner)))

    def _place(self, path: Path) -> Place:
        """Return the place of a value: the path leads to the `data` of a record, and on in its text."""
        outer, inner = (*self.base, *path[:5]), path[5:]
        return self.located.place_in_text(outer, inner) if inner else self.located.place(outer)

    def locate(self, number: int | None, event: int, key: str) -> Place:
        """Return the place of an event, or of a key of it."""
        if number is None:
            return self.located.place(self.base)
        path, origins = self.spans[number]
        if not 0 <= event < len(origins):
            return self._place(path)
        record: Path = (*path, _RECORDS, origins[event])
        value = self.located.value_at((*self.base, *record, _DATA))
        way = way_to(key, _WAYS, schema.fields_of(value), self.match.rounds[number].events[:event])
        return self._place((*record, _DATA, *way) if way else record)
