"""The facts of a match: what its record states about it, in one small struct, the same for all formats."""

import datetime
import re
from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

from msgspec import UNSET, Struct, UnsetType

from mjconv.converters.formats import all_formats, by_id
from mjconv.converters.interface import Format
from mjconv.converters.shared.ends import points_at_end, ranks_of, states_end
from mjconv.ir import events as ev
from mjconv.ir.match import Length, Match, Rules, Tournament
from mjconv.rules import scores
from mjconv.rules.rulesets import ruleset_of

Value = TypeVar("Value")


class Facts(Struct, frozen=True, omit_defaults=True):
    """What a record states about a match. A field is absent where the record does not state it.

    `players` and `rounds` are numbers. `format` is the id of the format. `id` is the identifier on the
    platform. `season` is the year and the stage of the tournament, as one text. `reds` is the number of red fives,
    `start` the points of one player at the start. The fields after `start` are by seat, with None for one seat
    that is not known. `points` are those at the table at the end of the game, `final_scores` those after oka and
    uma, and `places` count from 1. `whole` is false if the record begins late or has a round without a result,
    and true if it also states the end of the game.
    """

    players: int
    rounds: int
    format: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    date: datetime.date | UnsetType = UNSET
    time: datetime.time | UnsetType = UNSET
    platform: str | UnsetType = UNSET
    room: str | UnsetType = UNSET
    lobby: int | UnsetType = UNSET
    season: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    length: Length | UnsetType = UNSET
    reds: int | UnsetType = UNSET
    open_tanyao: bool | UnsetType = UNSET
    start: int | UnsetType = UNSET
    names: tuple[str | None, ...] | UnsetType = UNSET
    teams: tuple[str | None, ...] | UnsetType = UNSET
    ranks: tuple[str | None, ...] | UnsetType = UNSET
    ratings: tuple[float | None, ...] | UnsetType = UNSET
    places: tuple[int, ...] | UnsetType = UNSET
    points: tuple[int, ...] | UnsetType = UNSET
    final_scores: tuple[int, ...] | UnsetType = UNSET
    whole: bool | UnsetType = UNSET


#: The most characters of a file name or an address that are searched for the identifier of a match.
_SEARCHED: Final = 400


def facts_of(match: Match, form: Format | None = None, source: str | None = None) -> Facts:
    """Return the facts of a match. `source` is the name of its file, which may hold its identifier.

    >>> from mjconv.converters.formats import find
    >>> facts = facts_of(Match(room="jade"), find("mjai")[0])
    >>> facts.players, facts.room, facts.date
    (4, 'jade', UNSET)
    """
    # Other flavours of a format that keeps its records may be of other platforms.
    usual = "" if form is None or form.original else form.id
    origin = by_id(usual if match.original is None else match.original.flavour)
    platform = "" if origin is None else origin.platform.id
    name, date, time = match.id, match.date, match.time
    dated = _dated(match, source)
    if dated is not None:
        owner, identifier = dated
        platform = platform or owner
        name = name or identifier["id"]
        if date is UNSET:
            date, time = _moment(identifier)
    room, lobby = match.room, match.lobby
    if origin is not None and origin.platform.open_room and match.rules is not UNSET and lobby is UNSET:
        # The record has a room and a lobby: those without a sign are open to all.
        room, lobby = room or origin.platform.open_room, 0
    rules = Rules() if match.rules is UNSET else match.rules
    points = points_at_end(match) if states_end(match, form) else UNSET
    stated = match.final_scores or points or ()
    return Facts(
        players=match.seats,
        rounds=len(match.rounds),
        format=UNSET if form is None else form.id,
        id=name,
        date=date,
        time=time,
        platform=platform or UNSET,
        room=room,
        lobby=lobby,
        season=UNSET if match.tournament is UNSET else _season(match.tournament),
        game=rules.game
        or (form.holds.games[0] if form and len(form.holds.games) == 1 else ruleset_of(match).id)
        or UNSET,
        length=rules.length,
        reds=UNSET if rules.reds is UNSET else sum(rules.reds),
        open_tanyao=rules.open_tanyao,
        start=scores.points_at_start(match),
        names=_by_seat([player.called or None for player in match.players]),
        teams=_by_seat([player.team.shown or None if player.team else None for player in match.players]),
        ranks=_by_seat([player.rank or None for player in match.players]),
        ratings=_by_seat([None if player.rating is UNSET else float(player.rating) for player in match.players]),
        places=tuple([rank + 1 for rank in ranks_of(stated)]) if len(stated) == match.seats else UNSET,
        points=points,
        final_scores=match.final_scores,
        whole=_whole(match, form),
    )


def _by_seat(values: Sequence[Value | None]) -> tuple[Value | None, ...] | UnsetType:
    return UNSET if all(value is None for value in values) else tuple(values)


def _season(tournament: Tournament) -> str | UnsetType:
    """Return the year and the stage of a tournament as one text."""
    year = "" if tournament.year is UNSET else str(tournament.year)
    return year + (tournament.stage.shown if tournament.stage else "") or UNSET


@cache
def _identifiers() -> list[tuple[str, re.Pattern[str]]]:
    """Return the platforms whose identifiers have a date, each with the pattern of its identifiers."""
    platforms = (form.platform for form in all_formats())
    return [(platform.id, re.compile(platform.dated_id)) for platform in platforms if platform.dated_id]


def _dated(match: Match, source: str | None) -> tuple[str, re.Match[str]] | None:
    """Return the platform and the identifier with a date: of the match, of its address, or of its file's name."""
    starts = ev.select(match.opening, ev.StartGame)
    file = "" if match.id or source is None else source.replace("\\", "/").rpartition("/")[2]
    for text in (match.id or "", (starts[0].uri or "") if starts else "", file):
        for platform, pattern in _identifiers():
            if identifier := pattern.search(text[:_SEARCHED]):
                return platform, identifier
    return None


def _moment(identifier: re.Match[str]) -> tuple[datetime.date | UnsetType, datetime.time | UnsetType]:
    try:
        moment = datetime.datetime.strptime(identifier["moment"], "%Y%m%d%H")
    except ValueError:
        return UNSET, UNSET
    return moment.date(), moment.time()


def _whole(match: Match, form: Format | None) -> bool | UnsetType:
    if not match.rounds:
        return False
    start = match.rounds[0].start
    by_hand = match.rules is not UNSET and match.rules.game not in (UNSET, "riichi")
    begins = by_hand or start is None or scores.is_first(start)
    ended = all(any(type(event) in ev.RESULTS for event in reversed(one.events)) for one in match.rounds)
    if not (begins and ended):
        return False
    return True if states_end(match, form) else UNSET
