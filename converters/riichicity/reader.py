"""Reads Riichi City records: answers of its server, or their `data` alone, with a game in each."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import msgspec

from mjconv.converters.interface import Reading
from mjconv.converters.riichicity import fields
from mjconv.converters.riichicity.extras import Fields, built
from mjconv.converters.riichicity.head import others_of_players, players_of, read_end, read_head
from mjconv.converters.riichicity.round_reader import RoundReader
from mjconv.converters.riichicity.usual import DEAL, END, Record, UsualGame, UsualRound, usual_game
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_file import Found, load, objects_of, sources
from mjconv.converters.shared.json_places import JsonPlaces, Path, offset_in_string
from mjconv.converters.shared.json_values import WrongValueError, check_list, shown
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round

_ROUNDS: Final = "handRecord"
_RECORDS: Final = "handEventRecord"
_DATA: Final = "data"
_MOST_KIND: Final = 9999
#: The fields of a record around its `data`.
_AROUND: Final = frozenset({"eventType", "userId", "startTime", "data", "eventPos"})
#: The fields of records by the keys of events, in the order in which they are tried.
_KEYS: Final[Mapping[str, tuple[Path, ...]]] = {
    "pai": (("card",), ("in_card",)),
    "actor": (("user_id",),),
    "consumed": (("group_cards",),),
    "tsumogiri": (("move_cards_pos",),),
    "dora_marker": (("cards",), ("bao_pai_card",)),
    "scores": (("user_data",), ("user_info_list",)),
    "honba": (("ben_chang_num",),),
    "kyotaku": (("li_zhi_bang_num",),),
    "bakaze": (("quan_feng",),),
    "kyoku": (("chang_ci",),),
    "oya": (("dealer_pos",),),
    "tehais": (("hand_cards",),),
    "reason": (("end_type",),),
    "deltas": (("user_profit",),),
    "tenpais": (("win_info",),),
    "yakus": (("win_info", 0, "fang_info"),),
    "fu": (("win_info", 0, "all_fu"),),
    "fan": (("win_info", 0, "all_fang_num"),),
    "hora_points": (("win_info", 0, "all_point"),),
    "ura_markers": (("win_info", 0, "li_bao_card"),),
}


def read(data: bytes, report: Report) -> Iterator[Reading]:
    """Read the games of a file one by one. Raises `InputError` with its place.

    With a lenient report, an error in a round is a fault, and the reader continues with the next round.

    >>> [reading] = read(b'{"code":0,"data":{"playerCount":4,"handRecord":[]}}', Report())
    >>> reading.match.rounds
    []
    """
    number = 0
    for source in sources(data):
        usual = None if report.extras else usual_game(source.text)
        games = objects_of(source, report) if usual is None else [Found(None, source)]
        for found in games:
            game = _GameReader(found, usual, report, number)
            if game.read():
                yield Reading(game.match, game.locate)
                number += 1


class _Span(NamedTuple):
    """A round of the file: the path to it, and the number of events before each of its records."""

    path: Path
    firsts: list[int]


class _GameReader:
    """Reads the rounds of one game. The value of a `usual` game is not decoded: only places need it."""

    def __init__(self, found: Found, usual: UsualGame | None, report: Report, number: int) -> None:
        self.found = found
        self.usual = usual
        self.report = report
        self.number = number
        self.match = Match()
        self.base: Path = ()
        self.spans: list[_Span] = []
        #: The seat of each player by id, and the position of the first dealer; of the first round that has them.
        self.seats: dict[int, int] = {}
        self.first_dealer = 0
        self.first_time = 0
        self.end: ev.EndGame | None = None
        self.end_kept: Fields = {}

    def read(self) -> bool:
        """Read the game. Returns whether there is one."""
        try:
            head, values = self._rounds()
        except WrongValueError as error:
            self.report.fault(self._error(error), match=self.number)
            return False
        for value in values:
            self._round(value)
        rounds = [one.around if isinstance(one, UsualRound) else one for one in values]
        rounds = [one for one in rounds if isinstance(one, dict)]
        try:
            kept = read_head(head, self.match, rounds, self.seats, self.first_time)
            others = others_of_players(rounds, self.seats)
        except WrongValueError as error:
            self.report.fault(self._error(error, _ROUNDS, 0), match=self.number)
            kept, others = {}, []
        self._close()
        self.match.extras = built(full=self.report.extras, head=kept, players=others, end=self.end_kept)
        return True

    def _rounds(self) -> tuple[Fields, list[Any]]:
        """Return the head of the record and its rounds. Raises `WrongValueError`."""
        if self.usual is not None:
            self.base = self.usual.base
            return self.usual.head, self.usual.rounds
        head = self.found.value
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
        return head, check_list(head[_ROUNDS], (_ROUNDS,), "a list of rounds")

    # Rounds.

    def _round(self, value: Any) -> None:
        number = len(self.match.rounds)
        path: Path = (_ROUNDS, number)
        reader: RoundReader | None = None
        complete = True
        try:
            around, records, found = value if isinstance(value, UsualRound) else _parts(value)
            reader = self._reader(around, records, found)
            at = reader.read_turns(records, found, 0) if self.first_time else 0
            while at < len(records):
                try:
                    self._record(reader, records[at], found[at])
                except WrongValueError as error:
                    raise fields.within(error, _RECORDS, at) from None
                at = reader.read_turns(records, found, at + 1) if self.first_time else at + 1
        except WrongValueError as error:
            complete = False
            event = len(reader.events) or None if reader else None
            self.report.fault(self._error(error, *path), match=self.number, round=number, event=event)
        if reader is None or not reader.events:
            self.spans.append(_Span(path, []))
            self.match.rounds.append(Round())
            return
        self.spans.append(_Span(path, reader.firsts))
        self.match.rounds.append(reader.round(partial(self._warn, path)))
        if reader.warning:
            self._warn((*path, _RECORDS, len(reader.firsts) - 1), reader.warning)
        if complete and not reader.over:
            self._warn(path, "the round has no result")

    def _reader(self, around: Fields, records: Sequence[Any], found: Sequence[Any]) -> RoundReader:
        """Return the reader of a round. The first one finds the seats of the players."""
        if not self.seats:
            deal: Fields = {}
            for at, record in enumerate(records):
                if _is_deal(record):
                    try:
                        _, _, deal, _ = _decoded(record, found[at])
                        break
                    except WrongValueError as error:
                        raise fields.within(error, _RECORDS, at) from None
            ids = players_of(around, [deal] if deal else [])
            count = len(ids)
            dealer = fields.number(deal, "dealer_pos", 0, count - 1)
            named = {"changCi": around.get("changCi", deal.get("chang_ci", 1))}
            self.first_dealer = (dealer - fields.number(named, "changCi", 1, count) + 1) % count
            self.seats = {user: (position - self.first_dealer) % count for position, user in enumerate(ids)}
        report = self.report
        return RoundReader(
            around,
            self.seats,
            self.first_dealer,
            walls=report.walls,
            whole_walls=report.whole_walls,
            extras=report.extras,
            checked=self.usual is not None,
        )

    def _record(self, reader: RoundReader, value: Any, known: Any) -> None:
        """Read a record. `known` are the fields in its `data`, if these are read already."""
        kind, user, data, moment = _decoded(value, known)
        if not self.first_time:
            self.first_time = moment
        try:
            if kind == END:
                self.end, self.end_kept = read_end(data, self.seats)
                reader.firsts.append(max(len(reader.events) - 1, 0))
                reader.kept.append([len(reader.events), END, None, moment, {}])
            else:
                reader.read(kind, user, data, moment)
                if reader.extras:
                    around = {key: part for key, part in value.items() if part and key not in _AROUND}
                    if around:
                        reader.kept[-1].append(around)
        except WrongValueError as error:
            raise fields.within(error, _DATA) if error.path else error from None

    def _close(self) -> None:
        if self.end is not None:
            self.match.closing = [self.end]
        elif self.match.rounds:
            self.report.warn("the game has no end: the record breaks off", match=self.number)
        else:
            self.report.warn("the record has no rounds", match=self.number)

    # Places.

    @cached_property
    def _value(self) -> Any:
        return self.found.value if self.usual is None else load(self.found.source)

    def _error(self, error: WrongValueError, *path: str | int) -> InputError:
        return InputError(str(error), self._place((*path, *error.path)))

    def _warn(self, path: Path, message: str, inner: Path = ()) -> None:
        """Warn about a value of a round. `path` leads to the round, or to a record of it."""
        place = self._place((*path, *inner))
        number = path[1] if isinstance(path[1], int) else None
        self.report.warn(message, match=self.number, round=number, line=place.line, column=place.column)

    def _place(self, path: Path) -> Place:
        """Return the place of a value. The fields of a record are in a string of JSON."""
        whole = (*self.base, *path)
        at = len(self.base) + 4
        if whole[at : at + 1] != (_DATA,) or len(whole) == at + 1:
            return self.found.place(whole)
        source, outer = self.found.source, whole[: at + 1]
        text = source.text.decode("utf-8", "replace")
        begin = JsonPlaces(text).offset((*self.found.path, *outer))
        inner = self._value
        for step in outer:
            inner = inner[step]
        if not isinstance(inner, str):
            return self.found.place(whole)
        try:
            offset = JsonPlaces(inner).offset(whole[at + 1 :])
        except ValueError:
            offset = 0
        return source.place_at(offset_in_string(text, begin, offset))

    def locate(self, number: int | None, event: int, key: str) -> Place | None:
        """Return the place of an event, or of a key of it."""
        if number is None:
            return self.found.place(self.base)
        if not 0 <= number < len(self.spans):
            return None
        path, firsts = self.spans[number]
        if not 0 <= event < len(self.match.rounds[number].events) or not firsts:
            return self.found.place((*self.base, *path))
        at = max(bisect_right(firsts, event) - 1, 0)
        record: Path = (*path, _RECORDS, at)
        inner = self._value
        for step in (*self.base, *record):
            inner = inner[step]
        try:
            _, _, data, _ = _decoded(inner)
        except WrongValueError:
            data = {}
        for way in _KEYS.get(key, ()):
            if way[0] in data:
                return self._place((*record, _DATA, *way))
        return self._place(record)


def _parts(value: Any) -> tuple[Fields, Sequence[Any], Sequence[Fields | None]]:
    """Return the fields of a round without its records, the records, and the fields in the `data` of each record.

    The fields in `data` are None if this `data` must be read alone. Raises `WrongValueError`.
    """
    if not isinstance(value, dict):
        raise WrongValueError(f"expected a round, not {shown(value)}")
    records = check_list(value.get(_RECORDS), (_RECORDS,), "a list of records")
    around = {key: part for key, part in value.items() if key != _RECORDS}
    texts: list[Any] = [record.get(_DATA) if type(record) is dict else None for record in records]
    found = jsontext.loads_together(texts) if set(map(type, texts)) == {str} else None
    if found is None:
        return around, records, [None] * len(records)
    return around, records, [data if type(data) is dict else None for data in found]


def _decoded(value: Any, data: Any = None) -> tuple[int, int, Fields, int]:
    """Return a record: its kind, the id of its player, its fields, and its time. Raises `WrongValueError`.

    `data` are the fields, if these are read already.
    """
    if isinstance(value, Record):
        return value.event_type or 0, value.user_id or 0, msgspec.to_builtins(data), value.start_time or 0
    if not isinstance(value, dict):
        raise WrongValueError(f"expected a record, not {shown(value)}")
    kind, user, moment = value.get("eventType", 0), value.get("userId", 0), value.get("startTime", 0)
    if not (
        type(kind) is type(user) is type(moment) is int
        and 0 <= kind <= _MOST_KIND
        and 0 <= user <= fields.MOST_ID
        and 0 <= moment <= fields.MOST_ID
    ):
        fields.number(value, "eventType", 0, _MOST_KIND)
        fields.number(value, "userId", 0, fields.MOST_ID)
        fields.number(value, "startTime", 0, fields.MOST_ID)
    if data is None:
        text = value.get(_DATA)
        if not isinstance(text, str):
            raise WrongValueError(f"expected the text of a JSON object, not {shown(text)}", (_DATA,))
        data = _object(text)
    return kind, user, data, moment


def _object(text: str) -> Fields:
    try:
        coded = text.encode()
        found = jsontext.loads(coded)
        if jsontext.may_repeat(coded, jsontext.dumps(found)):
            name = jsontext.repeated(coded)
            if name is not None:
                raise WrongValueError(f"an object has the key {name!r} twice", (_DATA,))
    except json.JSONDecodeError as error:
        raise WrongValueError(
            f"the text is no JSON: {error.msg} at its character {error.pos + 1}", (_DATA,)
        ) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, WrongValueError):
            raise
        raise WrongValueError(str(error), (_DATA,)) from None
    if not isinstance(found, dict):
        raise WrongValueError(f"expected the text of a JSON object, not {shown(text)}", (_DATA,))
    return found


def _is_deal(record: Any) -> bool:
    if isinstance(record, dict):
        return bool(record.get("eventType") == DEAL)
    return isinstance(record, Record) and record.event_type == DEAL
