"""Comments, and declarations where they stood: kept beside the matches and rounds they belong to.

What a writer would write anyway is not kept. So a match that came from elsewhere, one that was split off and one
that was joined to others are alike, and only what a person laid out by hand travels along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from mjconv.converters.hk.lines import Declaration, LineError, Nothing, State, check, parse
from mjconv.converters.hk.notes import is_note
from mjconv.ir.match import Match, Record, Round

#: The key of a match's or a round's extras that is HK's.
KEY: Final = "hk"


class RoundExtras(Record, frozen=True):
    """What HK has beyond the hub's round: the lines before its game, and the game's line with its comment."""

    before: tuple[str, ...] | UnsetType = UNSET
    line: str | UnsetType = UNSET


class MatchExtras(Record, frozen=True):
    """What HK has beyond the hub's match: lines before the names, the names' own, and those after its games."""

    before: tuple[str, ...] | UnsetType = UNSET
    line: str | UnsetType = UNSET
    after: tuple[str, ...] = ()


def round_extras(game_round: Round) -> RoundExtras:
    """Give what a round carries for HK; nothing where it is not of that form."""
    if KEY not in game_round.extras:
        return RoundExtras()
    try:
        return msgspec.convert(game_round.extras[KEY], RoundExtras)
    except msgspec.ValidationError:
        return RoundExtras()


def match_extras(match: Match) -> MatchExtras:
    """Give what a match carries for HK; nothing where it is not of that form."""
    if KEY not in match.extras:
        return MatchExtras()
    try:
        return msgspec.convert(match.extras[KEY], MatchExtras)
    except msgspec.ValidationError:
        return MatchExtras()


def put(whole: Match | Round, extras: Record) -> None:
    """Set what a round or match carries for HK, if it is anything."""
    value: dict[str, Any] = msgspec.to_builtins(extras)
    if value:
        plain = {key: list(said) if isinstance(said, tuple) else said for key, said in value.items()}
        whole.extras = {**whole.extras, KEY: plain}


def laid_out(lines: Sequence[str], state: State) -> tuple[list[str], State]:
    """Give those of the lines that may stand before names or a game, and the state they lead to.

    >>> from mjconv.converters.hk.lines import BEGINNING
    >>> laid_out(["# evening", "M=6 # six", "A B C D"], BEGINNING)[0]
    ['# evening', 'M=6 # six']
    """
    fit = []
    for line in lines:
        parsed = parse_loose(line, state)
        if parsed is not None:
            fit.append(line)
            state = led(state, parsed)
    return fit, state


def led(state: State, parsed: object) -> State:
    """Give the state after a line."""
    return state._replace(**{parsed.key: parsed.value}) if isinstance(parsed, Declaration) else state


def parse_loose(line: str, state: State) -> Nothing | Declaration | None:
    """Read a line that was kept: a comment or a declaration that holds here, else None."""
    if is_note(line) or not _is_line(line):
        return None
    try:
        parsed = parse(line)
        check(parsed, state, None)
    except LineError:
        return None
    return parsed if isinstance(parsed, (Nothing, Declaration)) else None


def kept_line(line: str | UnsetType, said: object, canonical: str) -> str:
    """Give the line that was kept, if it still says the same; else the canonical one, with the comment kept.

    >>> kept_line("- 2 d -  # cheap", parse("- 2 d -"), "- 2 d -")
    '- 2 d -  # cheap'
    >>> kept_line("- 2 d -  # cheap", parse("- 3 d -"), "- 3 d -")
    '- 3 d -  # cheap'
    """
    if line is UNSET or not _is_line(line):
        return canonical
    head, mark, comment = line.partition("#")
    try:
        if parse(head) == said:
            return line
    except LineError:
        pass
    return f"{canonical}  {mark}{comment}" if mark else canonical


def _is_line(text: str) -> bool:
    """Say whether a text is one line, and can be written in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return len(f"{text}.".splitlines()) == 1
