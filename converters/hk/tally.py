"""The games of an HK file for the score table, each with its points.

Under the same rules the same results mean the same points, so each different line is read once.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mjconv.converters.hk.lines import BEGINNING, Declaration, GameResult, Names, event_of, read_line
from mjconv.converters.hk.names import spell, unescape
from mjconv.converters.shared.standings import OnNames, ScoredGame, game_by_faan
from mjconv.ir.errors import LineError

__all__ = ["games_in", "spell"]

#: The number of different lines that are cached; then the cache is cleared.
_MOST_KINDS: Final = 4096


def games_in(lines: Iterable[str], named: OnNames) -> Iterator[ScoredGame]:
    """Yield the games of the lines of a file, and a game without points for each line of names.

    `named` is called with each line of names. Raises `InputError` with its place.

    >>> from mjconv.converters.shared.standings import UNITS
    >>> games = games_in(["B=0.5", "A B C D", "- 3 d -", "# a break", "- - - -"], lambda names, number: None)
    >>> [[units // UNITS for units in game.units] for game in games]
    [[], [0, 8, -8, 0], [0, 0, 0, 0]]
    """
    state, names = BEGINNING, tuple[str, ...]()
    # By line: the rest of its game under the present rules; empty for a comment.
    met: dict[str, tuple[Any, ...]] = {}
    for number, line in enumerate(lines, 1):
        code = line[: line.index("#")] if "#" in line else line
        known = met.get(code)
        if known is None:
            try:
                state, parsed = read_line(code, state)
            except LineError as error:
                raise error.at(line, number) from None
            if isinstance(parsed, Names):
                names = tuple(map(unescape, parsed.names))
                named(names, number)
                yield ScoredGame(state.date, names)
                continue
            if isinstance(parsed, Declaration):
                if parsed.key != "date":
                    met.clear()
                continue
            if len(met) >= _MOST_KINDS:
                met.clear()
            game = game_by_faan(event_of(parsed), state.rules()) if isinstance(parsed, GameResult) else None
            known = met[code] = () if game is None else game[2:]
        if known:
            yield ScoredGame(state.date, names, *known)
