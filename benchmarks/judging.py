"""Sides of rows that check records: schemas, order of messages, rules of play."""

from __future__ import annotations

import mjconv
from benchmarks.sides import Side, in_format, matches_of
from mjconv.converters.mjai.messages import Messages
from mjconv.ir.match import Match
from mjconv.referee.findings import Level


def messages() -> Side:
    """Return a side that reads mjai messages with all checks: types, tiles, seats, other spellings."""
    return Side("check mjai messages", lambda game: game.data, Messages)


def check(level: Level) -> Side:
    """Return a side that runs the referee on matches that are already read."""

    def run(matches: list[Match]) -> None:
        for match in matches:
            mjconv.check(match, level=level)

    return Side(f"check {level}", matches_of, run)


def validate(form: str, level: Level) -> Side:
    """Return a side that reads bytes and runs the referee, as ``mjconv validate`` does."""
    return Side(
        f"validate {form}, {level}",
        lambda game: in_format(game, form),
        lambda data: mjconv.validate(data, level=level, format=form),
    )
