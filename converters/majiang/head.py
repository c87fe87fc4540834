"""The keys of a majiang record around its rounds: title, players, first dealer, and the final points.

``{"title":"…","player":["A","B","C","D"],"qijia":0,"log":[…],"defen":[…],"point":["11.0",…],"rank":[1,2,3,4]}``
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import permutations
from math import floor
from typing import Any, Final

from msgspec import UNSET, UnsetType, field, structs

from mjconv.converters.majiang.tiles import SEATS
from mjconv.converters.shared.ends import final_scores, ranks_of
from mjconv.converters.shared.extras import as_extras, read_part
from mjconv.converters.shared.json_log import kept_keys, texts_of, tournament_of, with_kept_keys
from mjconv.converters.shared.json_values import check_list, check_number, check_text, shown
from mjconv.ir import events as ev
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Frozen, Match, Name, Player, Round, Text, Tournament
from mjconv.ir.seats import turned
from mjconv.rules.scores import RIICHI_STICK, accepted_riichi, sticks_left

#: The key of the format in `extras`.
KEY: Final = "majiang"
_POINT: Final = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?")
_THOUSAND: Final = 1000
_HUNDRED: Final = 100
#: The rules by which majiang divides points at the end: points that are paid back, and points by rank.
_RETURNING: Final = 30000
_BY_RANK: Final = (20, 10, -10, -20)


class MajiangExtras(Frozen, frozen=True):
    """The values of a record that no field of a match holds.

    `first` is the index of the first dealer among the players. `keys` are the keys of the object that the record
    spells otherwise than usual, and the keys of other programs. `absent` are the usual keys that it does not have.
    """

    first: int = 0
    keys: dict[str, Any] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)


def read_head(head: Mapping[str, Any], rounds: Sequence[Round]) -> Match:
    """Return a match with these rounds, of an object without its log. Raises `WrongValueError`.

    >>> match = read_head({"title": "", "player": ["A", "B", "C", "D"], "qijia": 1}, [])
    >>> [player.name.shown for player in match.players]
    ['B', 'C', 'D', 'A']
    """
    match = _visible(head)
    match.rounds = list(rounds)
    first = read_part(match, KEY, MajiangExtras).first
    match.extras = as_extras(KEY, MajiangExtras(first, *kept_keys(head, usual_head(match))))
    return match


def _visible(head: Mapping[str, Any]) -> Match:
    """Return the match that the keys state. Keys that the hub has no field for are ignored."""
    first = check_number(head.get("qijia", 0), ("qijia",), "the first dealer, from 0 to 3", 0, SEATS - 1)
    match = Match(
        _players(head.get("player"), first),
        tournament=_tournament(head.get("title")),
        opening=[ev.StartGame()],
        extras=as_extras(KEY, MajiangExtras(first)),
    )
    if _is_closed(head):
        match.closing = [ev.EndGame(scores=_scores(head.get("defen"), first))]
        match.final_scores = _points(head.get("point"), first)
    return match


def odd_ends(head: Mapping[str, Any], match: Match) -> Iterator[tuple[str, str]]:
    """Yield the keys of the end of a game that its points contradict, each with a message.

    >>> match = Match(closing=[ev.EndGame(scores=(40000, 30000, 20000, 10000))])
    >>> dict(odd_ends({"rank": [1, 3, 2, 4], "point": ["30.0"]}, match))
    {'rank': 'the ranks are [1, 3, 2, 4], but by the points of defen they are [1, 2, 3, 4]'}
    """
    scores = [event.scores for event in match.closing if type(event) is ev.EndGame and event.scores]
    rank = head.get("rank")
    if scores and rank:
        first = read_part(match, KEY, MajiangExtras).first
        points = turned(list(scores[0]), -first)
        right = turned([place + 1 for place in ranks_of(scores[0])], -first)
        # Players of equal points may have any order.
        if not any(rank == list(each) for each in permutations(right) if _fits(each, points)):
            yield "rank", f"the ranks are {shown(rank)}, but by the points of defen they are {right}"
    total = sum(match.final_scores or ())
    if total:
        yield "point", f"the final points add up to {_thousands(total)}, and not to 0"


def _fits(ranks: Sequence[int], points: Sequence[int]) -> bool:
    """Return whether the points fall from rank to rank."""
    return [points[ranks.index(rank)] for rank in sorted(ranks)] == sorted(points, reverse=True)


def _is_closed(head: Mapping[str, Any]) -> bool:
    """Return whether the game is over: while it is played, its ranks are empty."""
    return bool(head["rank"]) if "rank" in head else "defen" in head


def _players(names: Any, first: int) -> list[Player]:
    if names is None:
        return []
    check_list(names, ("player",), "the names of four players", 0, SEATS)
    texts = [check_text("" if name is None else name, ("player", i), "a name") for i, name in enumerate(names)]
    if not any(texts):
        return []
    texts += [""] * (SEATS - len(texts))
    return [Player(Name(Text(name)) if name else UNSET) for name in turned(texts, first)]


def _tournament(title: Any) -> Tournament | UnsetType:
    name, _, stage = check_text("" if title is None else title, ("title",), "a text").partition("\n")
    return tournament_of(name, stage)


def _scores(value: Any, first: int) -> tuple[int, ...] | UnsetType:
    if value is None:
        return UNSET
    check_list(value, ("defen",), "the points of four players", SEATS, SEATS)
    for index, points in enumerate(value):
        check_number(points, ("defen", index), "points", -MOST_POINTS, MOST_POINTS)
    return turned(tuple(value), first)


def _points(value: Any, first: int) -> tuple[int, ...] | UnsetType:
    """Return the final points in points; majiang has thousands, as texts. Absent where they are other values."""
    if not isinstance(value, list) or len(value) != SEATS:
        return UNSET
    texts = [str(each) if type(each) in (int, float) else each for each in value]
    if not all(isinstance(text, str) and _POINT.fullmatch(text) for text in texts):
        return UNSET
    points = [int(Decimal(text) * _THOUSAND) for text in texts]
    return turned(tuple(points), first)


def write_head(match: Match, rounds: Sequence[Round]) -> dict[str, Any]:
    """Return the keys of a match around its rounds. `rounds` ends with the last round, as its text is read.

    A key that is kept in the extras replaces the usual one, if it states the same.

    >>> write_head(Match(opening=[ev.StartGame()]), [])["defen"]
    [0, 0, 0, 0]
    """
    extras = read_part(match, KEY, MajiangExtras)
    usual = usual_head(structs.replace(match, rounds=list(rounds)))
    own = structs.replace(_visible(usual), closing=match.closing, final_scores=match.final_scores)
    # What the usual keys leave out, such as a rank, is no change of a match.
    if "player" in extras.keys:
        own.players = match.players
    if "title" in extras.keys:
        own.tournament = match.tournament
    # Ranks follow from the points.
    return with_kept_keys(usual, extras.keys, extras.absent, own, _visible, following=("rank",))


# What the keys are usually.


def usual_head(match: Match) -> dict[str, Any]:
    """Return the keys around the rounds as majiang writes them. The rounds state their points.

    >>> usual_head(Match([Player(Name(Text(name))) for name in "ABCD"], opening=[ev.StartGame()]))["player"]
    ['A', 'B', 'C', 'D']
    """
    first = read_part(match, KEY, MajiangExtras).first % SEATS
    players = match.players or [Player()] * SEATS
    closing = next((event for event in match.closing if type(event) is ev.EndGame), None)
    last = _last_scores(match)
    scores = last
    if closing is not None:
        before = match.rounds[-1] if match.rounds else None
        # The leader takes the sticks that are left on the table.
        scores = closing.scores or final_scores(last, sticks_left(before, before.start if before else None))
    name, stage = texts_of(match.tournament)
    head: dict[str, Any] = {
        "title": f"{name}\n{stage}" if stage else name,
        "player": turned([player.called for player in players], -first),
        "qijia": first,
        "defen": turned(list(scores), -first),
        "point": [],
        "rank": [],
    }
    if closing is not None:
        points = match.final_scores if match.final_scores else _final_points(scores)
        head["point"] = turned([_thousands(each) for each in points], -first)
        head["rank"] = turned([rank + 1 for rank in ranks_of(scores)], -first)
    return head


def _last_scores(match: Match) -> Sequence[int]:
    """Return the points after the last round, without the sticks that are left on the table."""
    deal = match.rounds[-1].start if match.rounds else None
    if deal is None or deal.scores is UNSET or len(deal.scores) != SEATS:
        return (0,) * SEATS
    events = match.rounds[-1].events
    paid = accepted_riichi(events, SEATS)
    scores = [score - RIICHI_STICK * sticks for score, sticks in zip(deal.scores, paid, strict=True)]
    for event in events:
        if (type(event) is ev.Win or type(event) is ev.Ryukyoku) and event.deltas and len(event.deltas) == SEATS:
            scores = [score + gain for score, gain in zip(scores, event.deltas, strict=True)]
    return scores


def _final_points(scores: Sequence[int]) -> tuple[int, ...]:
    """Return the points after uma and oka by majiang's usual rules, in points.

    >>> _final_points((85300, 8900, 8900, -3100))
    (95000, -11000, -31000, -53000)
    """
    ranks = ranks_of(scores)
    points = [
        floor((score - _RETURNING) / _THOUSAND + 0.5) + _BY_RANK[rank]
        for score, rank in zip(scores, ranks, strict=True)
    ]
    leader = ranks.index(0)
    points[leader] = points[leader] - sum(points)
    return tuple([_THOUSAND * each for each in points])


def _thousands(points: int) -> str:
    whole = points // _THOUSAND
    if points % _THOUSAND == 0:
        return str(whole)
    decimals = 1 if points % _HUNDRED == 0 else 3
    return f"{Decimal(points) / _THOUSAND:.{decimals}f}"
