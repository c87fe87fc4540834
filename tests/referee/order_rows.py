"""The rows of the order of messages, as the table of the referee answers when it is asked for each event."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from shorthand import HIDDEN, LETTERS, SHOWN

from mjconv.ir import events as ev
from mjconv.ir.table import DEALT, DECLARED, DISCARDED, FLOWER, KAN, WON
from mjconv.referee.order import AROUND
from mjconv.referee.order_table import BETWEEN, GAME_OVER, RESULT_ALONE, OrderTable

#: What play waits for in other games only: flowers of larger sets, results of several kinds in one round.
OTHER_GAMES = frozenset({FLOWER, RESULT_ALONE})
NAMES = {kind: name for name, kind in ev.KINDS.items()}
#: What a message after these is, in the words of the page.
_OF = {DECLARED: " of a `reach`", FLOWER: " for a flower"}


class May(NamedTuple):
    """A message that may come, whose it may be, and what play waits for after it."""

    message: str
    whose: str
    waits: str


class State(NamedTuple):
    """What play waits for, and the messages that may come."""

    waits: str
    may: tuple[May, ...]


def asked(table: OrderTable) -> Iterator[tuple[str, list[int], OrderTable]]:
    """Yield the letter of each message that may come, its players from the last one on, and the next table."""
    others = table.phase in (DISCARDED, KAN, WON)
    for letter, make in LETTERS.items():
        players, following = [], None
        for place in range(4):
            actor = (table.turn + place) % 4
            event = make(actor, table.turn if others or letter != "w" else actor)
            if table.allows(event):
                players.append(place)
                if following is None:
                    following = table.copy()
                    following.apply(event)
        if following is not None:
            yield letter, players, following


def whose(table: OrderTable, letter: str, players: list[int]) -> str:
    """Return the players of a message in the words of the page."""
    if letter in "xye":
        return ""
    words = {(0,): "same player", (1,): "next player", (1, 2, 3): "another player", (2, 3): "later player in turn"}
    shown = words.get(tuple(players), "any player")
    if table.phase is DEALT and players == [0]:
        return "dealer"
    on_it = letter in "cpm" or (letter == "w" and table.phase in (DISCARDED, KAN, WON))
    return f"{shown}, on the last tile" if on_it else shown


@cache
def states() -> dict[State, list[str]]:
    """Return the states of a round, each with the messages after which play waits in it."""
    found: dict[State, list[str]] = {}
    starts = [("start_kyoku", OrderTable(SHOWN)), ("start_kyoku with all hands hidden", OrderTable(HIDDEN))]
    waiting = [*starts]
    while waiting:
        message, table = waiting.pop(0)
        if table.phase is BETWEEN:
            continue
        rows = [*asked(table)]
        shown = {letter for letter, _, _ in rows}
        may = []
        for letter, players, following in rows:
            name = ev.name_of(LETTERS[letter](0, 0)) + (" of a flower" if letter == "f" else "")
            if letter != "f" or "z" not in shown:
                may.append((May(name, whose(table, letter, players), following.waits), following))
        state = State(table.waits, tuple(row for row, _ in may))
        after = found.setdefault(state, [])
        if message not in after:
            after.append(message)
            of = _OF.get(table.phase, "")
            waiting += [(row.message + of, following) for row, following in may if following.waits != table.waits]
    return found


@cache
def order() -> list[tuple[State, list[str]]]:
    """Return all states of a game, each with the messages after which play waits in it."""
    around = {
        waits: State(waits, tuple(May(NAMES[kind], "", after) for kind, after in rows.items()))
        for waits, rows in AROUND.items()
    }
    over = around.pop(GAME_OVER)
    first = [(row, ["start_game", "end_kyoku"] if waits is BETWEEN else []) for waits, row in around.items()]
    return [*first, *states().items(), (over, ["end_game"])]


def messages_after(message: str, without: frozenset[str] = frozenset()) -> list[str]:
    """Return the messages that may come after a message.

    Flowers, and the states of other games in `without`, are left out.
    """
    found = []
    for state, after in order():
        names = [may.message for may in state.may if "flower" not in may.message]
        reached = {name.split()[0] for name in after if "flower" not in name} | ({"dora"} & {*names})
        if message in reached and state.waits not in without:
            found += names
    return list(dict.fromkeys(found))
