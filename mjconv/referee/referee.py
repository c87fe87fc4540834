"""The referee: follows a match round by round, and tells all that is not right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mjconv.ir.derive import starts
from mjconv.ir.force import force
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match
from mjconv.referee.findings import Finding
from mjconv.referee.game import Check, Game, House

#: The families of rules, in the order in which they look at an event.
CHECKS: Final[tuple[type[Check], ...]] = ()


def _follow(game: Game, checks: Sequence[Check]) -> None:
    """Play a round, each event seen by the checks before and after."""
    before = _hooks([check.before() for check in checks])
    after = _hooks([check.after() for check in checks])
    table = game.table
    for index, event in enumerate(game.events):
        game.index = index
        kind = type(event)
        for look in before.get(kind, ()):
            look(event)
        try:
            table.apply(event)
        except IllegalPlayError as error:
            force(table, event)
            for check in checks:
                check.refused(event, error)
        for look in after.get(kind, ()):
            look(event)
    for check in checks:
        check.end()


def _hooks(all_hooks: Sequence[Any]) -> dict[type, list[Any]]:
    found: dict[type, list[Any]] = {}
    for hooks in all_hooks:
        for kind, look in hooks.items():
            found.setdefault(kind, []).append(look)
    return found
