"""Facts about a match for the head of a view: its title, date, place, rules; names of rounds and players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from mjconv.ir.match import Match, Player, Round, Text
from mjconv.viewer.sentences import Sentence
from mjconv.viewer.words import MOST_KYOKU

#: The rules that are shown, by their names in `mjconv.ir.match.Rules`.
_RULES = ("start", "base", "max_faan")


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
    number = f"kyoku.{start.kyoku}" if start.kyoku in range(1, MOST_KYOKU + 1) else str(start.kyoku)
    return "round", f"wind.{start.bakaze}", number, start.honba or 0


def facts(matches: Sequence[Match]) -> Iterator[tuple[str, Sentence]]:
    """Yield the facts that are the same in all matches: a key in the words under ``head``, and a sentence.

    Of several dates, these are the first and the last.
    """
    first, *others = [dict(_facts(match)) for match in matches]
    first["date"] = _as_it_is(_dates(matches))
    for key, fact in first.items():
        if fact != _as_it_is("") and (key == "date" or all(other.get(key) == fact for other in others)):
            yield key, fact


def _facts(match: Match) -> Iterator[tuple[str, Sentence]]:
    rules, tournament = match.rules, match.tournament
    if tournament is not UNSET:
        year = "" if tournament.year is UNSET else str(tournament.year)
        names = (_text(tournament.name), year, _text(tournament.stage))
        yield "tournament", _as_it_is(" ".join(filter(None, names)))
    yield "date", _as_it_is("")
    if match.time is not UNSET:
        yield "time", _as_it_is(match.time.isoformat("minutes"))
    yield "place", _as_it_is(_text(match.place))
    if rules is not UNSET:
        if rules.length is not UNSET:
            yield "length", (f"length.{rules.length}",)
        for key in _RULES:
            value = getattr(rules, key)
            if value is not UNSET:
                yield key, _as_it_is(f"{value:,}" if isinstance(value, int) else str(value))
        if rules.reds is not UNSET:
            yield "reds", ("reds", *rules.reds)


def _as_it_is(text: str) -> Sentence:
    """Return a sentence that is the same text in all languages."""
    return "text", text


def _dates(matches: Sequence[Match]) -> str:
    """Return the date of the matches; of several dates the first and the last."""
    days = [match.date for match in matches if match.date is not UNSET]
    return " – ".join(dict.fromkeys(day.isoformat() for day in (min(days), max(days)))) if days else ""


def _text(text: Any) -> str:
    return (text.native or text.roman or text.code or "") if isinstance(text, Text) else ""
