"""What columns do not say: all that a record tells beside its events."""

from __future__ import annotations

from typing import Any, Final

from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Player, Round, Text

#: Fields that the columns do say.
_MATCH_SAID: Final = frozenset({"players", "rounds", "opening", "closing", "date"})
_ROUND_SAID: Final = frozenset({"events", "date"})


def lose(match: Match, report: Report, number: int) -> None:
    """Report what the columns leave out of a match: it is dropped, as columns have no notes.

    >>> report = Report()
    >>> lose(Match(weekday="mon", rounds=[Round(dice=(3, 4))]), report, 0)
    >>> [(loss.what, loss.round) for loss in report.losses]
    [('match.weekday', None), ('round.dice', 0)]
    """
    for name in _told(match, Match(), _MATCH_SAID):
        report.lose(f"match.{name}", "dropped", match=number)
    if any(not _is_plain(player) for player in match.players):
        report.lose("match.players", "dropped", match=number, detail="all but a name as one text")
    for index, game_round in enumerate(match.rounds):
        for name in _told(game_round, Round(), _ROUND_SAID):
            report.lose(f"round.{name}", "dropped", match=number, round=index, label=game_round.label)


def _told(record: Any, empty: Any, said: frozenset[str]) -> list[str]:
    """Name the fields of a record that tell something, but for those `said`."""
    names = (name for name in record.__struct_fields__ if name not in said)
    return [name for name in names if getattr(record, name) != getattr(empty, name)]


def _is_plain(player: Player) -> bool:
    """Tell whether a player is no more than a name as one text."""
    name = player.name
    if not name:
        return player == Player()
    whole = Text(name.shown)
    return player == Player(name=type(name)(last=whole))
