"""Write club results: a line for each match, with the points at its end."""

import re
from functools import partial
from typing import Final

from msgspec import UNSET

from mjconv.converters.club.lines import Game, State, undecided
from mjconv.converters.club.reader import GRAMMAR, match_of, outside, shown, tokens
from mjconv.converters.interface import Part, Rendered, WriteOptions
from mjconv.converters.shared.ends import is_chombo, points_at_end
from mjconv.converters.shared.game_lines import MatchLine, match_lines
from mjconv.converters.shared.settings import Settings
from mjconv.converters.shared.text_lines import distinct, left_out, place_note
from mjconv.ir.errors import InputError, UnsupportedError
from mjconv.ir.match import Match, Rules
from mjconv.ir.tiles import WINDS

__all__ = ["place_note", "render"]

#: Signs that no line can hold.
_UNSPELLABLE: Final = re.compile("[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")


def render(match: Match, before: State | None, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001 - as `Writer`
    r"""Write a match: the date and the settings that change, its comments, and the line of its game.

    Rounds have no line. `before` is the state after the game before, `Rendered.after` the state after this one.

    >>> from mjconv.ir.events import EndGame
    >>> match = Match(closing=[EndGame((42300, 31000, 18200, 8500))], rules=Rules(uma=(20000, 10000)))
    >>> [part.text for part in render(match, None, True, WriteOptions()).parts]
    [b'uma 20 10\nP1 42.3, P2 31, P3 18.2, P4 8.5\n', b'']
    """
    entering = before or State()
    game = _game(match)
    settings = _settings(match, game, entering.settings)
    lines = [""] if before is not None and match.date not in (UNSET, entering.date) else []
    if match.date not in (UNSET, entering.date):
        lines.append(match.date.isoformat() if match.date else "")
    changes = entering.settings.line_to(settings)
    lines += [changes] if changes else []
    comments = [text for one in match.annotations if not is_chombo(one) for text in shown(one)]
    lines += [f"#{_UNSPELLABLE.sub(' ', text)}" for text in comments]
    lines.append(game.line(settings))
    try:
        [read] = match_lines(GRAMMAR, lines, entering)
    except (InputError, ValueError) as error:
        raise UnsupportedError(f"club results cannot hold the points: {error.args[0]}") from None
    read.games = [MatchLine("", None, 0) for _ in match.rounds]
    text = "".join([f"{each}\n" for each in lines])
    rounds = [left_out("a game is one line", plain=options.plain) for _ in match.rounds]
    head = Part(text.encode(), partial(tokens, read, None), outside=partial(outside, read, None))
    return Rendered([head, *rounds, Part(b"")], partial(match_of, read), read.head.state._replace(names=()))


def _game(match: Match) -> Game:
    names = match.names or [""] * match.seats
    spelled = [_UNSPELLABLE.sub(" ", name) or f"P{seat}" for seat, name in enumerate(names, 1)]
    points = points_at_end(match)
    chombo = [sum(one.seat == seat for one in match.annotations if is_chombo(one)) for seat in range(len(names))]
    stated = points or None if points is not UNSET and len(points) == len(names) else None
    return Game(distinct(spelled), stated, tuple(chombo))


def _settings(match: Match, game: Game, before: Settings) -> Settings:
    """Return the settings under which the line is read as the match: with the decision about equal points."""
    seats = len(game.names)
    wanted = Settings.of(match.rules, seats)
    rules = wanted.rules(seats) or Rules()
    if game.points is not None and not wanted.ties and undecided(game.points, rules):
        wanted = wanted._replace(ties="share" if _shares(match, game.points) else "dealer")
    if any(game.chombo) and wanted.chombo is None:
        wanted = wanted._replace(chombo=0)
    if wanted.rules(seats) == before.rules(seats):
        return before
    # The settings for other numbers of players stay in force.
    return wanted._replace(three=before.three) if seats == len(WINDS) else wanted._replace(four=before.four)


def _shares(match: Match, points: tuple[int, ...]) -> bool:
    """Return whether two players of equal points have equal final points."""
    pairs = list(zip(points, match.final_scores or range(len(points)), strict=False))
    return len(set(pairs)) < len(pairs)
