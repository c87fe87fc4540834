"""The head of a record: players, their ranks and results, the length of the game, and when it was played."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.majsoul.extras import Fields, MatchExtras
from mjconv.converters.majsoul.records import trimmed
from mjconv.ir import events as ev
from mjconv.ir.match import Length, Match, Name, Player, Rules, Text

#: The names of ranks by the two digits of their numbers, and the number that begins those of three players.
_RANKS: Final = {1: "初心", 2: "雀士", 3: "雀傑", 4: "雀豪", 5: "雀聖", 6: "魂天", 7: "魂天"}
_RANK_NUMBERS: Final = {name: number for number, name in _RANKS.items()}
_LEVEL: Final = {3: "level3", 4: "level"}
_FIRST: Final = {3: 2, 4: 1}
_RANK: Final = re.compile(rf"({'|'.join(_RANK_NUMBERS)})([0-9]{{1,2}})")
_LENGTHS: Final[Mapping[int, Length]] = {1: "east", 2: "south"}
_MODES: Final = {length: mode for mode, length in _LENGTHS.items()}
#: Added to the mode of a game of three.
_THREE: Final = 10
_MOST: Final = 1_000_000_000
_MOST_SECONDS: Final = 200_000_000_000


def rank_of(level: object, seats: int) -> str | None:
    """Return the rank of a level, in Japanese with its stars.

    >>> rank_of(10403, 4), rank_of(20301, 3), rank_of(5, 4)
    ('雀豪3', '雀傑1', None)
    """
    if type(level) is not int or level // 10000 != _FIRST[seats] or level // 100 % 100 not in _RANKS:
        return None
    # Two levels of the highest rank have one name: only the newer one is written again.
    rank = f"{_RANKS[level // 100 % 100]}{level % 100}"
    return rank if _level_of(rank, seats) == level else None


def _level_of(rank: str | UnsetType, seats: int) -> int | None:
    found = None if rank is UNSET else _RANK.fullmatch(rank)
    if found is None or str(int(found[2])) != found[2]:
        return None
    return _FIRST[seats] * 10000 + _RANK_NUMBERS[found[1]] * 100 + int(found[2])


def written_head(match: Match, extras: MatchExtras) -> Fields:
    """Return the head of a match, with the fields that only its extras hold.

    >>> written_head(Match(players=[Player(Name(Text("A")))] * 4), MatchExtras(accounts=[[2, {"account_id": 7}]]))[
    ...     "accounts"
    ... ][2]
    {'seat': 2, 'nickname': 'A', 'account_id': 7}
    """
    head = _merged(_usual_head(match), extras.head)
    accounts = _with_others(head.get("accounts"), extras.accounts)
    if accounts:
        head["accounts"] = accounts
    result = head.get("result")
    result = result if isinstance(result, dict) else {}
    players = _with_others(result.get("players"), extras.results)
    if players:
        head["result"] = {**result, "players": players}
    return head


def _with_others(items: object, others: Sequence[Any]) -> list[Fields]:
    """Return the fields of players with those that only the extras hold, which are pairs of a seat and fields."""
    found: list[Fields] = list(items) if isinstance(items, list) else []
    for pair in others:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], dict)):
            continue
        seat, rest = pair
        at = next((at for at, item in enumerate(found) if item.get("seat") == seat), None)
        if at is None:
            found.append({"seat": seat, **rest})
        else:
            found[at] = _merged(found[at], rest)
    return found


def _merged(first: Fields, second: Fields) -> Fields:
    """Return an object with the fields of both; in objects that both have, too."""
    found = dict(first)
    for key, value in second.items():
        before = found.get(key)
        found[key] = _merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return found


def _usual_head(match: Match) -> Fields:
    """Return the head without the fields that only the extras of a match hold."""
    seats = match.seats
    head: Fields = {}
    if match.date is not UNSET and match.time is not UNSET and match.time.tzinfo is datetime.UTC:
        moment = datetime.datetime.combine(match.date, match.time)
        if not moment.microsecond:
            head["start_time"] = int(moment.timestamp())
    rules = match.rules
    if rules is not UNSET and rules.length in _MODES and rules.players in (3, 4):
        mode = _MODES[rules.length] + (_THREE if rules.players == 3 else 0)
        head["config"] = {"mode": {"mode": mode}}
    accounts = [_account(seat, player, seats) for seat, player in enumerate(match.players)]
    if any(player.name is not UNSET for player in match.players):
        head["accounts"] = [account for account in accounts if len(account) > 1]
    ends = next((event for event in match.closing if type(event) is ev.EndGame), None)
    scores = () if ends is None else ends.scores or ()
    totals = match.final_scores or ()
    if len(scores) == seats or len(totals) == seats:
        head["result"] = {"players": _results(scores, totals, seats)}
    return head


def _account(seat: int, player: Player, seats: int) -> Fields:
    found: Fields = {"seat": seat}
    if player.name is not UNSET:
        found["nickname"] = player.name.shown
    level = _level_of(player.rank, seats)
    if level is not None:
        found[_LEVEL[seats]] = {"id": level}
    return found


def _results(scores: Sequence[int], totals: Sequence[int], seats: int) -> list[Fields]:
    found = []
    for seat in range(seats):
        item = {"seat": seat}
        if totals:
            item["total_point"] = totals[seat]
        if scores:
            item["part_point_1"] = scores[seat]
        found.append(item)
    return sorted(found, key=lambda item: -item.get("part_point_1", item.get("total_point", 0)))


def read_head(head: Fields, match: Match, seats: int) -> tuple[Fields, list[Any], list[Any]]:
    """Read the head of a file into a match. Returns the fields to keep: of the head, of players, of results."""
    kept = trimmed(head)
    players = [Player()] * seats
    accounts: list[Any] = []
    for at, account in enumerate(_list(kept.pop("accounts", []))):
        rest = dict(account) if isinstance(account, dict) else {}
        seat = rest.pop("seat", 0)
        if type(seat) is not int or not 0 <= seat < seats or players[seat] != Player():
            accounts.append([at, account])
            continue
        players[seat] = _player(rest, seats)
        if rest:
            accounts.append([seat, rest])
    if any(player != Player() for player in players):
        match.players = players
    match.rules = _rules(kept, seats)
    _moment(kept, match)
    results = _read_results(kept, match, seats)
    return kept, accounts, results


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _player(rest: Fields, seats: int) -> Player:
    """Return a player, and take what it holds out of the fields of the account."""
    name: Name | UnsetType = UNSET
    if isinstance(rest.get("nickname"), str):
        name = Name(Text(rest.pop("nickname")))
    rank: str | None = None
    level = rest.get(_LEVEL[seats])
    if isinstance(level, dict):
        rank = rank_of(level.get("id"), seats)
        if rank is not None:
            level = {key: value for key, value in level.items() if key != "id"}
            rest.pop(_LEVEL[seats])
            if level:
                rest[_LEVEL[seats]] = level
    return Player(name, rank=UNSET if rank is None else rank)


def _rules(kept: Fields, seats: int) -> Rules | UnsetType:
    config = kept.get("config")
    inner = config.get("mode") if isinstance(config, dict) else None
    mode = inner.get("mode") if isinstance(inner, dict) else None
    three = seats == 3
    if not config or not inner or type(mode) is not int or mode - _THREE * three not in _LENGTHS:
        return UNSET
    rest = {key: value for key, value in inner.items() if key != "mode"}
    kept["config"] = {**config, "mode": rest} if rest else {k: v for k, v in config.items() if k != "mode"}
    if not kept["config"]:
        del kept["config"]
    return Rules(length=_LENGTHS[mode - _THREE * three], players=seats)


def _moment(kept: Fields, match: Match) -> None:
    """Move the begin of the game to the date and time of the match, in UTC."""
    start = kept.get("start_time")
    if type(start) is int and 0 < start < _MOST_SECONDS:
        moment = datetime.datetime.fromtimestamp(start, datetime.UTC)
        match.date, match.time = moment.date(), moment.timetz()
        del kept["start_time"]


def _read_results(kept: Fields, match: Match, seats: int) -> list[Any]:
    """Read the points at the end of the game. Returns the fields of the results that the match does not hold."""
    result = kept.get("result")
    result = result if isinstance(result, dict) else {}
    items = result.get("players")
    by_seat: dict[int, Fields] = {}
    for item in items if isinstance(items, list) else ():
        seat = item.get("seat", 0) if isinstance(item, dict) else -1
        if type(seat) is int and 0 <= seat < seats:
            by_seat[seat] = item
    if not items or len(by_seat) != seats or len(items) != seats:
        return []
    points = [_numbers(by_seat, name, seats) for name in ("part_point_1", "total_point")]
    if None in points:
        return []
    scores, totals = points
    if any(scores or ()):
        match.closing = [ev.EndGame(scores=tuple(scores or ()))]
    if any(totals or ()):
        match.final_scores = tuple(totals or ())
    order = [item.get("seat", 0) for item in items]
    usual = [item["seat"] for item in _results(tuple(scores or ()), tuple(totals or ()), seats)]
    if order != usual:
        return []
    rest = {key: value for key, value in result.items() if key != "players"}
    kept.pop("result")
    if rest:
        kept["result"] = rest
    read = {"seat", "part_point_1", "total_point"}
    others = {seat: {k: v for k, v in item.items() if k not in read} for seat, item in sorted(by_seat.items())}
    return [[seat, rest] for seat, rest in others.items() if rest]


def _numbers(by_seat: Mapping[int, Fields], name: str, seats: int) -> list[int] | None:
    found = [by_seat[seat].get(name, 0) for seat in range(seats)]
    return found if all(type(number) is int and abs(number) <= _MOST for number in found) else None
