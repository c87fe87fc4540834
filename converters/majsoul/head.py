"""The head of a record: players, their ranks and results, the length of the game, and when it was played."""

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.converters.majsoul.containers import Fields
from mjconv.converters.majsoul.schema import Account, DetailRule, EndPlayer, GameHead, Level
from mjconv.converters.shared.json_values import Warn, WrongValueError, as_struct
from mjconv.ir import events as ev
from mjconv.ir.match import USUAL_SEATS, Length, Match, Name, Player, Rules, Text

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
#: The number of red fives in a room that plays with more than the usual three.
_FOUR_REDS: Final = 4
_MOST_SECONDS: Final = 200_000_000_000
#: The numbers of the rooms for ranked games of one wind, by the number of players. For two winds, add 1.
_ROOMS: Final[Mapping[int, Mapping[str, int]]] = {
    4: {"bronze": 2, "silver": 5, "gold": 8, "jade": 11, "throne": 15},
    3: {"bronze": 17, "silver": 19, "gold": 21, "jade": 23, "throne": 25},
}


def rank_of(level: Level | None, seats: int) -> str | UnsetType:
    """Return the rank of a level, in Japanese with its stars; absent for a level that has no rank.

    >>> rank_of(Level(10403), 4), rank_of(Level(20301), 3), rank_of(Level(5), 4)
    ('雀豪3', '雀傑1', UNSET)
    """
    number = 0 if level is None else level.id
    if number // 10000 != _FIRST[seats] or number // 100 % 100 not in _RANKS:
        return UNSET
    # Two levels of the highest rank have one name: only the newer one is written again.
    rank = f"{_RANKS[number // 100 % 100]}{number % 100}"
    return rank if _level_of(rank, seats) == number else UNSET


def _level_of(rank: str | UnsetType, seats: int) -> int | None:
    form = None if rank is UNSET else _RANK.fullmatch(rank)
    if form is None or str(int(form[2])) != form[2]:
        return None
    return _FIRST[seats] * 10000 + _RANK_NUMBERS[form[1]] * 100 + int(form[2])


# Reading.


def head_of(fields: Fields, warn: Warn) -> GameHead:
    """Return the head of a file. Warns of a field that is wrong, which is left out, and of a seat stated twice."""
    values: dict[str, Any] = {}
    for name in GameHead.__struct_fields__:
        try:
            values[name] = getattr(as_struct({name: fields[name]} if name in fields else {}, GameHead), name)
        except WrongValueError as error:
            warn(f"{error}. This field of the head was left out", ("head", *error.path))
    head = GameHead(**values)
    results: Sequence[Account | EndPlayer] = head.result.players if head.result else ()
    for path, stated in (("accounts",), head.accounts), (("result", "players"), results):
        seats = [one.seat for one in stated]
        for index, seat in enumerate(seats):
            if seat in seats[:index]:
                warn(f"seat {seat} is stated twice", ("head", *path, index))
    return head


def read_head(head: GameHead, match: Match, seats: int) -> None:
    """Read the head of a file into a match."""
    by_seat = {account.seat: account for account in reversed(head.accounts)}
    players = [_player(by_seat.get(seat), seats) for seat in range(seats)]
    if any(player != Player() for player in players):
        match.players = players
    mode = head.config.mode.mode if head.config and head.config.mode else 0
    length = _LENGTHS.get(mode - _THREE * (seats == 3))
    if length is not None:
        match.rules = Rules(length=length, players=seats, **_house(head, seats))
    match.id = head.uuid or UNSET
    meta = head.config.meta if head.config else None
    if meta is not None:
        rooms = {number + more: room for room, number in _ROOMS[seats].items() for more in (0, 1)}
        match.room = rooms.get(meta.mode_id, UNSET)
        match.lobby = meta.room_id if 0 < meta.room_id <= ev.MOST_POINTS else UNSET
    if 0 < head.start_time < _MOST_SECONDS:
        moment = datetime.datetime.fromtimestamp(head.start_time, datetime.UTC)
        match.date, match.time = moment.date(), moment.timetz()
    _read_results(head.result.players if head.result else (), match, seats)


def _detail_rule(head: GameHead) -> DetailRule | None:
    return head.config.mode.detail_rule if head.config and head.config.mode else None


def honba_of(head: GameHead, seats: int) -> int | UnsetType:
    """Return the points of one honba that a room or a contest states."""
    detail = _detail_rule(head)
    # `Rules.honba` counts three shares, and in a game of three a honba has two.
    return UNSET if detail is None or seats != USUAL_SEATS else detail.changbang_value or UNSET


def _house(head: GameHead, seats: int) -> dict[str, Any]:
    """Return the house rules that a room of friends or a contest states."""
    detail = _detail_rule(head)
    if detail is None:
        return {}
    honba = honba_of(head, seats)
    stated = [
        ("kiriage", True, detail.have_qieshangmanguan),
        ("swap_calling", True, detail.enable_shiti == 1),
        ("late_riichi", True, detail.enable_nontsumo_liqi == 1),
        ("counted_yakuman", False, detail.disable_leijiyiman),
        ("double_yakuman", False, detail.disable_double_yakuman == 1),
        ("honba", honba, honba is not UNSET),
        # The fourth red five is a second one of circles.
        ("reds", (1, 2, 1), detail.dora_count == _FOUR_REDS),
        # Many rooms state neither, and play as usual.
        ("renchan", "win", detail.have_helelianzhuang and not detail.have_tingpailianzhuang),
    ]
    return {name: value for name, value, holds in stated if holds}


def _player(account: Account | None, seats: int) -> Player:
    if account is None:
        return Player()
    name = UNSET if account.nickname is UNSET else Name(Text(account.nickname))
    return Player(name, rank=rank_of(account.level3 if seats == 3 else account.level, seats))


def _read_results(players: Sequence[EndPlayer], match: Match, seats: int) -> None:
    """Read the points at the end of the game, if there are points of each seat."""
    ordered = sorted(players, key=lambda player: player.seat)
    if [player.seat for player in ordered] != list(range(seats)):
        return
    scores = tuple([player.part_point_1 for player in ordered])
    totals = tuple([player.total_point for player in ordered])
    if any(scores):
        match.closing = [ev.EndGame(scores=scores)]
    if any(totals):
        match.final_scores = totals


# Writing.


def written_head(match: Match) -> Fields:
    """Return the head of a match.

    >>> written_head(Match(players=[Player(Name(Text("A")))] * 4))["accounts"][2]
    {'seat': 2, 'nickname': 'A'}
    """
    seats = match.seats
    head: Fields = {"uuid": match.id} if match.id else {}
    if match.date is not UNSET and match.time is not UNSET and match.time.tzinfo is datetime.UTC:
        moment = datetime.datetime.combine(match.date, match.time)
        if not moment.microsecond:
            head["start_time"] = int(moment.timestamp())
    rules = match.rules
    if rules is not UNSET and rules.length in _MODES and rules.players in (3, 4):
        mode = _MODES[rules.length] + (_THREE if rules.players == 3 else 0)
        head["config"] = {"mode": {"mode": mode}}
        meta = {"room_id": match.lobby} if match.lobby else {}
        number = _ROOMS[rules.players].get(match.room or "")
        if number is not None:
            meta["mode_id"] = number + (rules.length == "south")
        if meta:
            head["config"]["meta"] = meta
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
    account: Fields = {"seat": seat}
    if player.name is not UNSET:
        account["nickname"] = player.name.shown
    level = _level_of(player.rank, seats)
    if level is not None:
        account[_LEVEL[seats]] = {"id": level}
    return account


def _results(scores: Sequence[int], totals: Sequence[int], seats: int) -> list[Fields]:
    points = {"total_point": totals, "part_point_1": scores}
    # Points of another number of players are in a note.
    stated = {key: values for key, values in points.items() if len(values) == seats}
    items = [{"seat": seat, **{key: values[seat] for key, values in stated.items()}} for seat in range(seats)]
    return sorted(items, key=lambda item: -item.get("part_point_1", item.get("total_point", 0)))
