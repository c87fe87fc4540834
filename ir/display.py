"""Short forms of a match for people: one line, and an HTML table of its rounds."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.ir.errors import visible
from mjconv.ir.events import Event, Ryukyoku, Win
from mjconv.ir.plural import counted

#: How a round ends: ``win`` is a win that may be by ron or by tsumo: the record does not state it.
Ending: TypeAlias = Literal["tsumo", "ron", "win", "draw"]

#: The most characters of a name, and the most rows of a table, that are shown. Input may hold very long ones.
_LONGEST_NAME: Final = 24
_MOST_ROWS: Final = 64


class Played(NamedTuple):
    """A round: its name and its events."""

    label: str
    events: Sequence[Event]


def ending(event: Win | Ryukyoku) -> Ending:
    """Return how the round of a result ends.

    >>> ending(Win(0, 2)), ending(Win(0, 0)), ending(Win(0)), ending(Ryukyoku())
    ('ron', 'tsumo', 'win', 'draw')
    """
    if isinstance(event, Ryukyoku):
        return "draw"
    if event.target is UNSET:
        return "win"
    return "tsumo" if event.target == event.actor else "ron"


def match_line(names: Sequence[str], seats: int, rounds: int, events: int, date: str = "") -> str:
    """Return one line about a match. `names` are by seat, empty if unknown. `events` is their number.

    >>> match_line(["A", "B", "", "D"], 4, 3, 100, "2018-10-01")
    '<Match: A, B, seat 2, D, 2018-10-01, 3 rounds, 100 events>'
    """
    players = [_shown(name, seat) for seat, name in enumerate(names)] if any(names) else [f"{seats} players"]
    parts = [*players, date, counted(rounds, "round"), counted(events, "event")]
    return f"<Match: {', '.join(filter(None, parts))}>"


def round_line(played: Played) -> str:
    """Return one line about a round.

    >>> round_line(Played("E1-0", [Win(0, 2), Win(1, 2)]))
    '<Round E1-0: 2 events, ron, ron>'
    """
    ends = [ending(event) for event in played.events if isinstance(event, Win | Ryukyoku)]
    return f"<Round {visible(played.label)}: {', '.join([counted(len(played.events), 'event'), *ends])}>"


def html_table(names: Sequence[str], seats: int, rounds: Sequence[Played], date: str = "") -> str:
    """Return an HTML table with a row for each round: its name, its result, and the points that each player gains.

    `names` are by seat, empty if unknown. All texts are escaped.

    >>> html_table(["A", "B"], 2, [Played("E1-0", [Win(1, 0, deltas=(-1000, 1000))])]).partition("<tbody>")[2]
    '<tr><td>E1-0</td><td>B ron from A</td><td>-1000</td><td>+1000</td></tr></tbody></table>'
    """
    players = [_shown(name, seat) for seat, name in enumerate(names or [""] * seats)]
    caption = f"<caption>{escape(date)}</caption>" if date else ""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in ("Round", "Result", *players))
    rows = [_row([played.label, *_cells(played.events, players)]) for played in rounds[:_MOST_ROWS]]
    if len(rounds) > _MOST_ROWS:
        rows.append(_row(["…", counted(len(rounds) - _MOST_ROWS, "more round"), *[""] * len(players)]))
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{escape(visible(cell))}</td>' for cell in cells)}</tr>"


def _cells(events: Sequence[Event], players: Sequence[str]) -> Iterator[str]:
    """Yield the result of a round in words, then the points that each player gains, empty if unknown."""
    results = [event for event in events if isinstance(event, Win | Ryukyoku)]
    yield "; ".join(_result(event, players) for event in results) or "no result"
    known = bool(results) and all(event.deltas is not UNSET for event in results)
    for seat in range(len(players)):
        total = sum(event.deltas[seat] for event in results if event.deltas and seat < len(event.deltas))
        yield "" if not known else f"{total:+}" if total else "0"


def _result(event: Win | Ryukyoku, players: Sequence[str]) -> str:
    if isinstance(event, Ryukyoku):
        return "draw" if event.reason is UNSET else f"draw ({event.reason})"
    words = f"{_player(event.actor, players)} {ending(event)}"
    return words if event.giver == event.actor else f"{words} from {_player(event.giver, players)}"


def _player(seat: int, players: Sequence[str]) -> str:
    return players[seat] if 0 <= seat < len(players) else f"seat {seat}"


def _shown(name: str, seat: int) -> str:
    """Return a name as it is shown, on one line and not too long."""
    if not name:
        return f"seat {seat}"
    return visible(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…")
