"""Whether a record is right, as sides of rows: the schemas, the order of messages, the rules of play."""

from __future__ import annotations

import mjconv
from benchmarks.sides import Side, in_format, matches_of
from mjconv.converters.mjai.messages import Messages
from mjconv.ir.match import Match
from mjconv.referee.findings import Level


def messages() -> Side:
    """Check mjai messages as they are read: types, tiles, seats, and other spellings folded."""
    return Side("check mjai messages", lambda game: game.data, Messages)


def check(level: Level) -> Side:
    """Have the referee look at matches that were read already."""

    def run(matches: list[Match]) -> None:
        for match in matches:
            mjconv.check(match, level=level)

    return Side(f"check {level}", matches_of, run)


def validate(form: str, level: Level) -> Side:
    """Read a file's bytes and have the referee look at what is in them, as ``mjconv validate`` does."""
    return Side(
        f"validate {form}, {level}",
        lambda game: in_format(game, form),
        lambda data: mjconv.validate(data, level=level, format=form),
    )
