"""Report the data of a match that has no column: everything beside its events and its facts."""

from typing import Any, Final

from msgspec import UNSET, UnsetType

from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Player, Round, Rules, Text

#: Fields that have a column, and the usual house rules of a format, which the record does not state.
_MATCH_COLUMNS: Final = frozenset(
    {"players", "rounds", "opening", "closing", "date", "time", "id", "room", "lobby", "final_scores", "house"}
)
_RULES_COLUMNS: Final = ("game", "players", "length", "open_tanyao", "start", "reds")
#: The numbers of red fives that their sum shows.
_REDS: Final = (UNSET, (0, 0, 0), (0, 1, 1), (1, 1, 1))
_ROUND_COLUMNS: Final = frozenset({"events", "date", "answers"})


def report_losses(match: Match, report: Report, number: int) -> None:
    """Report the data of a match that has no column as dropped; columns have no notes.

    >>> report = Report()
    >>> report_losses(Match(weekday="mon", rounds=[Round(dice=(3, 4))]), report, 0)
    >>> [(loss.what, loss.round) for loss in report.losses]
    [('match.weekday', None), ('round.dice', 0)]
    """
    for name in _set_fields(match, Match(), _MATCH_COLUMNS):
        if name == "rules" and _is_usual(match.rules):
            continue
        report.lose(f"match.{name}", "dropped", match=number)
    if any(not _is_plain(player) for player in match.players):
        report.lose("match.players", "dropped", match=number, detail="all but a name as one text, rank and rating")
    for index, game_round in enumerate(match.rounds):
        for name in _set_fields(game_round, Round(), _ROUND_COLUMNS):
            report.lose(f"round.{name}", "dropped", match=number, round=index, label=game_round.label)


def _set_fields(record: Any, empty: Any, without: frozenset[str]) -> list[str]:
    """Return the names of the fields that have a value, except those in `without`."""
    names = (name for name in record.__struct_fields__ if name not in without)
    return [name for name in names if getattr(record, name) != getattr(empty, name)]


def _is_usual(rules: Rules | UnsetType) -> bool:
    """Return whether rules have only values that are facts of the match."""
    rules = rules or Rules()
    return rules.reds in _REDS and rules == Rules(**{name: getattr(rules, name) for name in _RULES_COLUMNS})


def _is_plain(player: Player) -> bool:
    """Return whether a player has only a name, as one text, a rank and a rating."""
    name = player.name
    whole = type(name)(last=Text(name.shown)) if name else UNSET
    return player == Player(name=whole, rank=player.rank, rating=player.rating)
