"""The keys of a tenhou.net/6 object around its rounds: title, names, rules, and what Tenhou's server adds.

``{"title":["",""],"name":["A","B","C","D"],"rule":{"disp":"鳳南喰赤","aka":1},"log":[...]}``

Keys without a field in the hub, and keys that the writer would write otherwise, are kept in the extras.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, Final

from msgspec import UNSET, UnsetType, field

from mjconv.converters.shared.extras import as_extras, read_part
from mjconv.converters.shared.json_log import kept_keys, texts_of, tournament_of, with_kept_keys
from mjconv.converters.shared.json_values import WrongValueError, check_list, check_text, is_number, shown
from mjconv.converters.tenhou.vocabulary import LISTED, RANKS, ROOM_OF, display_of
from mjconv.ir import events as ev
from mjconv.ir.match import Frozen, Length, Match, Name, Player, Rules, Text, Tournament

#: The key of the format in `extras`.
KEY: Final = "tenhou"
#: The rules that are displayed: the length, open tanyao, and red fives. Other platforms have other rooms.
_DISPLAY: Final = re.compile(r"[三四]?([般上特鳳]?|.{1,12}の間)([東南])(喰?)(赤?)[速－]?")
#: The fields of a match that the keys of an object state.
_STATED: Final = (
    *("players", "tournament", "rules", "opening", "closing"),
    *("final_scores", "id", "room", "lobby"),
)
#: The numbers of red fives in an object, in the order of the suits.
_REDS: Final = ("aka51", "aka52", "aka53")
_HUNDREDTH: Final = Decimal("0.01")
_THOUSAND: Final = 1000


class JsonHeadExtras(Frozen, frozen=True):
    """The extras of a match that comes from tenhou.net/6 JSON.

    `keys` are the keys of the object that the writer would write otherwise, `absent` the keys that the object does
    not have. `sizes` is the number of rounds of each object, if the game has several.
    """

    keys: dict[str, Any] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


class JsonRoundExtras(Frozen, frozen=True):
    """The extras of a round: the values that the writer would write otherwise, by their index in the round."""

    values: dict[str, Any] = field(default_factory=dict)


def read_head(head: Mapping[str, Any], seats: int, *, closed: bool = True) -> Match:
    """Return a match without rounds, of an object without its log. Raises `WrongValueError`.

    `closed` says whether the last round has an end: then the match has one.

    >>> read_head({"name": ["A", "B", "C", "D"], "rule": {"disp": "般東喰", "aka": 0}}, 4).rules
    Rules(length='east', players=4, reds=(0, 0, 0), open_tanyao=True)
    """
    match = _visible(head, seats, closed=closed)
    match.extras = as_extras(KEY, JsonHeadExtras(*kept_keys(head, _usual(match))))
    return match


def write_head(match: Match) -> dict[str, Any]:
    """Return the keys of an object around its rounds.

    A key that is kept in the extras replaces the usual one, if it states the same.

    >>> write_head(Match([Player(Name(Text(name))) for name in "ABCD"]))
    {'title': ['', ''], 'name': ['A', 'B', 'C', 'D'], 'rule': {'disp': '般南喰赤', 'aka': 1}}
    """
    extras = read_part(match, KEY, JsonHeadExtras)
    own = Match(**{name: getattr(match, name) for name in _STATED})
    stated_by = partial(_visible, seats=match.seats, closed=bool(match.closing))
    return with_kept_keys(_usual(match), extras.keys, extras.absent, own, stated_by)


# What the keys state.


def _visible(head: Mapping[str, Any], seats: int, *, closed: bool) -> Match:
    """Return the match that the keys state. Keys that the hub has no field for are ignored."""
    rules, room = _rules(head.get("rule"), seats)
    ref, lobby = head.get("ref"), head.get("lobby")
    scores, final_scores = _ends(head.get("sc"), seats)
    start = ev.StartGame()
    if rules is not UNSET:
        first = UNSET if rules.length is UNSET else LISTED * (rules.length == "east")
        start = ev.StartGame(kyoku_first=first, aka_flag=UNSET if rules.reds is UNSET else any(rules.reds))
    return Match(
        _players(head, seats),
        tournament=_tournament(head.get("title")),
        rules=rules,
        opening=[start],
        closing=[ev.EndGame(scores=scores)] if closed else [],
        final_scores=final_scores,
        id=ref if isinstance(ref, str) and ref else UNSET,
        room=room,
        lobby=lobby if type(lobby) is int and 0 < lobby <= ev.MOST_POINTS else UNSET,
    )


def _players(head: Mapping[str, Any], seats: int) -> list[Player]:
    names = check_list(head.get("name", []), ("name",), "a list of names", 0, LISTED)
    ranks = _each(head.get("dan"), seats, lambda rank: isinstance(rank, str) and rank != "")
    rates = _each(head.get("rate"), seats, is_number)
    if not names and not ranks and not rates:
        return []
    texts = [check_text(name, ("name", seat), "a name") for seat, name in enumerate(names)]
    texts += [""] * (seats - len(texts))
    return [
        Player(
            Name(Text(name)) if name else UNSET,
            rank=ranks[seat] if ranks else UNSET,
            rating=_rating(rates[seat]) if rates else UNSET,
        )
        for seat, name in enumerate(texts[:seats])
    ]


def _each(values: Any, seats: int, is_right: Callable[[Any], bool]) -> list[Any]:
    """Return the values of all seats, or an empty list where they are not all known."""
    right = isinstance(values, list) and len(values) >= seats and all(map(is_right, values[:seats]))
    return values if right else []


def _rating(rate: float) -> Decimal:
    """Return a rating: a number with decimals has two of them.

    >>> _rating(2104.6), _rating(1500)
    (Decimal('2104.60'), Decimal('1500'))
    """
    exact = Decimal(repr(rate))
    if isinstance(rate, int):
        return exact
    rounded = exact.quantize(_HUNDREDTH)
    return rounded if rounded == exact else exact


def _tournament(title: Any) -> Tournament | UnsetType:
    if title is None:
        return UNSET
    texts = check_list(title, ("title",), "a list of two texts", 0, 2)
    name, stage = [check_text(text, ("title", index), "a text") for index, text in enumerate([*texts, "", ""][:2])]
    return tournament_of(name, stage)


def _rules(rule: Any, seats: int) -> tuple[Rules | UnsetType, str | UnsetType]:
    """Return the rules that are displayed, and the room."""
    if rule is None:
        return UNSET, UNSET
    if not isinstance(rule, dict):
        raise WrongValueError(f"expected an object with the rules, not {shown(rule)}", ("rule",))
    reds = _reds(rule, seats)
    form = _DISPLAY.fullmatch(check_text(rule.get("disp", ""), ("rule", "disp"), "a text"))
    if form is None:
        return UNSET if reds is UNSET else Rules(reds=reds), UNSET
    room, length, tanyao, red = form.groups()
    if reds is UNSET:
        reds = _usual_reds(seats) if red else (0, 0, 0)
    planned: Length = "south" if length == "南" else "east"
    rules = Rules(reds=reds, open_tanyao=bool(tanyao), length=planned, players=seats)
    return rules, ROOM_OF.get(room, UNSET)


def _reds(rule: Mapping[str, Any], seats: int) -> tuple[int, int, int] | UnsetType:
    counts = [rule.get(key) for key in _REDS]
    if all(type(count) is int and 0 <= count <= LISTED for count in counts):
        return counts[0] or 0, counts[1] or 0, counts[2] or 0
    aka = rule.get("aka")
    if aka is None:
        return UNSET
    if aka not in (0, 1) or isinstance(aka, float):
        raise WrongValueError(f"expected 1 for red fives, or 0, not {shown(aka)}", ("rule", "aka"))
    return _usual_reds(seats) if aka else (0, 0, 0)


def _usual_reds(seats: int) -> tuple[int, int, int]:
    return (1, 1, 1) if seats == LISTED else (0, 1, 1)


def _ends(values: Any, seats: int) -> tuple[tuple[int, ...] | UnsetType, tuple[int, ...] | UnsetType]:
    """Return the scores at the end of the game, and the points after uma, which are stated in thousands."""
    if not isinstance(values, list) or len(values) != 2 * LISTED or not all(map(is_number, values)):
        return UNSET, UNSET
    scores, results = values[: 2 * seats : 2], values[1 : 2 * seats : 2]
    if not all(type(score) is int for score in scores):
        return UNSET, UNSET
    return tuple(scores), tuple([round(result * _THOUSAND) for result in results])


# What the writer writes.


def _usual(match: Match) -> dict[str, Any]:
    """Return the keys as Tenhou writes them. Ranks, ratings and final points are written if all are known."""
    seats = match.seats
    players = match.players or [Player()] * seats
    empty = LISTED - seats
    head: dict[str, Any] = {
        "title": texts_of(match.tournament),
        "name": [*(player.called for player in players), *[""] * empty],
        "rule": _rule(match, seats),
    }
    if match.id:
        head = {"ref": match.id, **head}
    if match.lobby:
        head["lobby"] = match.lobby
    if all(player.rank for player in players):
        head["dan"] = [*(player.rank for player in players), *[RANKS[0]] * empty]
    if all(player.rating is not UNSET for player in players):
        head["rate"] = [*(_rate(player.rating) for player in players), *[1500.0] * empty]
    scores = next((event.scores for event in match.closing if type(event) is ev.EndGame), UNSET)
    if scores and match.final_scores and len(scores) == len(match.final_scores) == seats:
        pairs = zip(scores, map(_thousands, match.final_scores), strict=True)
        head["sc"] = [*(part for pair in pairs for part in pair), *[0] * 2 * empty]
    return head


def _rule(match: Match, seats: int) -> dict[str, Any]:
    rules = match.rules
    display = {"disp": display_of(rules, seats, match.room)}
    reds = _usual_reds(seats) if rules is UNSET or rules.reds is UNSET else rules.reds
    if reds in ((0, 0, 0), _usual_reds(seats)):
        return {**display, "aka": int(any(reds))}
    return display | dict(zip(_REDS, reds, strict=True))


def _rate(rating: Decimal | UnsetType) -> float:
    """Return a rating as a number: whole only if it has no decimals."""
    text = format(rating or Decimal(0), "f")
    return float(text) if "." in text else int(text)


def _thousands(points: int) -> float:
    return points // _THOUSAND if points % _THOUSAND == 0 else points / _THOUSAND
