"""The head of a record: players, rules, the moment of the first deal, and the end of the game."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from mjconv.converters.riichicity import fields
from mjconv.converters.riichicity.extras import Fields, rest
from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.ir import events as ev
from mjconv.ir.match import Length, Match, Name, Player, Rules, Text

_LENGTHS: Final[Mapping[int, Length]] = {1: "east", 2: "south", 3: "one round"}
_READ: Final = frozenset({"handRecord", "playerCount", "round", "initPoints"})
_READ_OF_PLAYER: Final = frozenset({"nickname", "position", "points"})
#: The most milliseconds since 1970 of a time that is kept: those of the year 8000.
_MOST_TIME: Final = 190_000_000_000_000
#: The numbers of players, by the name of the field that states it.
SEATS: Final = (3, 4)


def players_of(value: Fields, deals: Sequence[Fields]) -> list[int]:
    """Return the ids of the players by position. Raises `WrongValueError`.

    `value` is a round, `deals` are the fields of its deals: their `user_info_list` is read if the round has no
    `players`.
    """
    stated = fields.objects(value, "players")
    key, name = ("players", "userId") if stated else ("user_info_list", "user_id")
    if not stated and deals:
        stated = fields.objects(deals[0], key)
    if len(stated) not in SEATS:
        raise WrongValueError(f"the round has {len(stated)} players: expected 3 or 4", ("players",))
    ids: dict[int, int] = {}
    for at, one in enumerate(stated):
        position = one.get("position", 0) if "position" in one or key == "players" else at
        user = one.get(name)
        if type(user) is not int or type(position) is not int or not 0 <= position < len(stated):
            raise WrongValueError(f"expected a player with {name} and position, not {shown(one)}", (key, at))
        ids[position] = user
    if len(set(ids.values())) != len(stated):
        raise WrongValueError("two players have the same id or the same position", (key,))
    return [ids[position] for position in range(len(stated))]


def read_head(
    head: Fields, match: Match, rounds: Sequence[Fields], seats: Mapping[int, int], first: int
) -> Fields:
    """Read the head of a record into a match. Returns what no field of the hub holds, for the extras.

    `first` is the time of the first record in milliseconds.
    """
    count = len(seats)
    match.opening = [ev.StartGame()]
    start, length = head.get("initPoints"), head.get("round")
    match.rules = Rules(
        start=start if type(start) is int and 0 < start <= ev.MOST_POINTS else UNSET,
        length=_LENGTHS.get(length, UNSET) if type(length) is int else UNSET,
        players=count or UNSET,
    )
    kept = rest(head, _READ)
    kept |= {
        key: head[key]
        for key, given in (("initPoints", match.rules.start), ("round", match.rules.length))
        if given is UNSET and head.get(key)
    }
    if 0 < first < _MOST_TIME:
        moment = datetime.datetime.fromtimestamp(first // 1000, datetime.UTC)
        match.date = moment.date()
        match.time = moment.replace(microsecond=first % 1000 * 1000).timetz()
    match.players = _players(rounds, seats)
    return kept


def _players(rounds: Sequence[Fields], seats: Mapping[int, int]) -> list[Player]:
    names: dict[int, str] = {}
    for value in rounds[:1]:
        for one in fields.objects(value, "players"):
            user, name = one.get("userId"), one.get("nickname")
            if type(user) is int and user in seats and isinstance(name, str):
                names[seats[user]] = name
    if not names:
        return []
    return [Player(Name(Text(names[seat]))) if seat in names else Player() for seat in range(len(seats))]


def others_of_players(rounds: Sequence[Fields], seats: Mapping[int, int]) -> list[Any]:
    """Return pairs of a seat and the fields of its player that no field of the hub holds: the id, and others."""
    found = [
        [seats[one["userId"]], rest(one, _READ_OF_PLAYER)]
        for value in rounds[:1]
        for one in fields.objects(value, "players")
        if type(one.get("userId")) is int and one["userId"] in seats
    ]
    return sorted(found, key=lambda pair: pair[0]) or [[seat, {"userId": user}] for user, seat in seats.items()]


def read_end(data: Fields, seats: Mapping[int, int]) -> tuple[ev.EndGame, Fields]:
    """Read the record of the end of a game. Returns its event, and the fields to keep.

    Raises `WrongValueError`.
    """
    scores = fields.by_seat(data, "user_data", seats, "point_num", stated=True)
    kept = rest(data, frozenset({"user_data"}))
    others = [
        [fields.seat_of(one, seats), rest(one, frozenset({"user_id", "point_num"}))]
        for one in fields.objects(data, "user_data")
    ]
    if any(other for _, other in others):
        kept["user_data"] = others
    return ev.EndGame(scores=UNSET if scores is None else tuple(scores)), kept
