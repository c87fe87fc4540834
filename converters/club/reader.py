"""Read club results: each game is a match without rounds, with the points at its end.

The writer reads its own lines with the same code.
"""

from collections.abc import Iterator
from operator import sub
from typing import Final

from msgspec import UNSET

from mjconv.converters.club.lines import Game, State, code_of, read_line, written
from mjconv.converters.interface import Reading
from mjconv.converters.shared import game_lines
from mjconv.converters.shared.ends import is_chombo
from mjconv.converters.shared.game_lines import MatchLine, MatchLines
from mjconv.converters.shared.restore import Scope
from mjconv.converters.shared.settings import Settings
from mjconv.converters.shared.text_lines import comment_lines, is_note
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Text
from mjconv.ir.vocabulary import CHOMBO
from mjconv.rules.scores import after_uma


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the games of a file one by one. Raises `InputError` with the place.

    A lenient report is as for `game_lines.read`.

    >>> [(match, locate)] = read(b"uma 30 10\nAnn 42.3 Ben 31 Cho 18.2 Dee 8.5\n", Report())
    >>> match.closing[0].scores, match.final_scores
    ((42300, 31000, 18200, 8500), (47300, 16000, -16800, -46500))
    >>> locate(None, 0, "").line
    2
    """
    return game_lines.read(GRAMMAR, data, report)


def tokens(lines: MatchLines, scope: Scope) -> bytes:
    """Return the text whose digest the note of a match has; a round has no line."""
    return repr(lines.head.parsed).encode("utf-8", "replace") if scope is None else b""


def outside(lines: MatchLines, scope: Scope) -> bytes:
    """Return the date and the settings in force, which the note of a match must not contradict."""
    return repr(lines.head.state[:2]).encode() if scope is None else b""


def match_of(lines: MatchLines) -> Match:
    """Return the match that a line is read as, without its notes."""
    names, points, chombo = lines.head.parsed
    state: State = lines.head.state
    rules = state.settings.rules(len(names))
    around = [(line, code_of(line)) for line in (*lines.head.before, lines.head.text, *lines.after)]
    comments = [line[len(code) + 1 :].rstrip() for line, code in around if code != line]
    players = [Player(Name(Text(native=name))) for name in names]
    rounds = [Round() for _ in lines.games]
    match = Match(players, rounds, [ev.StartGame()], date=state.date or UNSET, rules=rules)
    if points is not None:
        match.closing = [ev.EndGame(points)]
        if rules is not UNSET:
            costs = [times * (rules.chombo or 0) for times in chombo]
            match.final_scores = tuple(map(sub, after_uma(points, rules), costs))
    marks = [Annotation(0, "mark", seat, CHOMBO) for seat, times in enumerate(chombo) for _ in range(times)]
    match.annotations = (*(Annotation(0, "comment", value=text) for text in comments), *marks)
    return match


def shown(one: Annotation) -> list[str]:
    """Return the lines by which a file shows an annotation of a match: a comment, or a chombo."""
    return [CHOMBO] if is_chombo(one) else [line for line in comment_lines(one) if not is_note(f"#{line} ")]


def _warning(line: MatchLine) -> str:
    """Return what to warn of at a game: places have points in games of another number of players alone."""
    settings: Settings = line.state.settings
    seats = len(line.parsed.names)
    if settings.places(seats) or not settings.states_uma:
        return ""
    return f"a game of {seats} players has no uma: the uma above it is for other numbers of players"


GRAMMAR: Final = game_lines.Grammar(
    *("club", State(), read_line, lambda _, state: (state, None), Game, None, ev.MOST_SEATS),
    *(match_of, tokens, outside, lambda whole: shown if isinstance(whole, Match) else lambda _: []),
    spell=written,
    warning=_warning,
)
