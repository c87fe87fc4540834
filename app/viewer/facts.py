"""Facts about a match for the head of a view: its title, date, place, rules; names of rounds and players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from mjconv.ir.match import Match, Player, Round, Text
from mjconv.viewer.sentences import Sentence

#: The rules that are shown, by their names in `mjconv.ir.match.Rules`.
_RULES = ("start", "length", "base", "max_faan")


def title(matches: Sequence[Match]) -> str:
    """Return the names of the players of matches and the dates in one line.

    >>> title([Match()])
    'mahjong'
    """
    names = dict.fromkeys(player_name(player) for match in matches for player in match.players)
    return ", ".join(filter(None, [*names, _dates(matches)])) or "mahjong"


def player_name(player: Player) -> str:
    """Return the name of a player, empty if it is not known."""
    return player.name.shown if player.name is not UNSET else ""


def player_facts(player: Player) -> dict[str, str]:
    """Return the name, team and rank of a player, as far as they are known."""
    found = {"name": player_name(player), "team": _text(player.team), "rank": player.rank or ""}
    return {key: value for key, value in found.items() if value}


def round_name(record: Round) -> Sentence:
    """Return the name of a round as a sentence.

    >>> round_name(Round())
    ('?',)
    """
    start = record.start
    if start is None or UNSET in (start.bakaze, start.kyoku):
        return ("?",)
    return "round", f"wind.{start.bakaze}", start.kyoku, start.honba or 0


def facts(matches: Sequence[Match]) -> Iterator[tuple[str, str]]:
    """Yield the facts that are the same in all matches: the key of each in the words under ``head``, and its text.

    Of several dates, these are the first and the last.
    """
    first, *others = [dict(_facts(match)) for match in matches]
    first["date"] = _dates(matches)
    for key, text in first.items():
        if text and (key == "date" or all(other.get(key) == text for other in others)):
            yield key, text


def _facts(match: Match) -> Iterator[tuple[str, str]]:
    rules, tournament = match.rules, match.tournament
    if tournament is not UNSET:
        year = "" if tournament.year is UNSET else str(tournament.year)
        yield "tournament", " ".join(filter(None, (_text(tournament.name), year, _text(tournament.stage))))
    yield "date", ""
    if match.time is not UNSET:
        yield "time", match.time.isoformat("minutes")
    yield "place", _text(match.place)
    if rules is not UNSET:
        for key in _RULES:
            value = getattr(rules, key)
            if value is not UNSET:
                yield key, f"{value:,}" if isinstance(value, int) else str(value)
        if rules.reds is not UNSET:
            yield "reds", " ".join(map(str, rules.reds))


def _dates(matches: Sequence[Match]) -> str:
    """Return the date of the matches; of several dates the first and the last."""
    days = [match.date for match in matches if match.date is not UNSET]
    return " – ".join(dict.fromkeys(day.isoformat() for day in (min(days), max(days)))) if days else ""


def _text(text: Any) -> str:
    return (text.native or text.roman or text.code or "") if isinstance(text, Text) else ""
