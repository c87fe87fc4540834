"""Report the data of a match that has no column: everything beside its events, date and player names."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Player, Round, Text

#: Fields that have a column.
_MATCH_COLUMNS: Final = frozenset({"players", "rounds", "opening", "closing", "date"})
_ROUND_COLUMNS: Final = frozenset({"events", "date"})


def report_losses(match: Match, report: Report, number: int) -> None:
    """Report the data of a match that has no column as dropped; columns have no notes.

    >>> report = Report()
    >>> report_losses(Match(weekday="mon", rounds=[Round(dice=(3, 4))]), report, 0)
    >>> [(loss.what, loss.round) for loss in report.losses]
    [('match.weekday', None), ('round.dice', 0)]
    """
    for name in _set_fields(match, Match(), _MATCH_COLUMNS):
        report.lose(f"match.{name}", "dropped", match=number)
    if any(not _is_plain(player) for player in match.players):
        report.lose("match.players", "dropped", match=number, detail="all but a name as one text")
    for index, game_round in enumerate(match.rounds):
        for name in _set_fields(game_round, Round(), _ROUND_COLUMNS):
            report.lose(f"round.{name}", "dropped", match=number, round=index, label=game_round.label)


def _set_fields(record: Any, empty: Any, without: frozenset[str]) -> list[str]:
    """Return the names of the fields that have a value, except those in `without`."""
    names = (name for name in record.__struct_fields__ if name not in without)
    return [name for name in names if getattr(record, name) != getattr(empty, name)]


def _is_plain(player: Player) -> bool:
    """Return whether a player has only a name, as one text."""
    name = player.name
    if not name:
        return player == Player()
    whole = Text(name.shown)
    return player == Player(name=type(name)(last=whole))
