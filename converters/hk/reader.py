"""Read HK scores: the matches of a file, each game a round that is only its result.

The writer reads its own lines with the same code.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import UNSET

from mjconv.converters.hk import layout
from mjconv.converters.hk import lines as grammar
from mjconv.converters.hk.lines import SEATS, DatedRules, GameResult, Names
from mjconv.converters.hk.names import spell, unescape
from mjconv.converters.interface import Reading
from mjconv.converters.shared import game_lines
from mjconv.converters.shared.extras import put_part
from mjconv.converters.shared.game_lines import MatchLine, MatchLines
from mjconv.converters.shared.restore import Scope
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Text


def read(data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the matches of a file, one by one: four names begin one, and every game is a round.

    The defaults are the scorer's: base 1, at most 13 faan, full responsibility, half growth. Raises `InputError`
    with the line. The note of an edited game is ignored with a warning.

    A lenient report is as for `game_lines.read`.

    >>> [(match, locate)] = read(b"B=0.5\nA B C D\n- 3 - S\n", Report())
    >>> match.rounds[0].events, match.rules.base
    ([Win(actor=1, target=1, fan=3, liable=3)], Decimal('0.5'))
    >>> locate(0, 0, "").line
    3
    """
    return game_lines.read(GRAMMAR, data, report)


def _meant(line: str, state: DatedRules) -> tuple[DatedRules, Names | GameResult | None]:
    parsed = grammar.meant(line)
    return state.after(parsed), parsed


def tokens(lines: MatchLines, scope: Scope) -> bytes:
    """Return the text whose digest a note has: the results of a game, as the writer spells them.

    That of the match are the names, and the state of the first game.
    """
    if scope is None:
        return b" ".join([*map(str.encode, lines.head.parsed.names), _state_tokens(states(lines)[0])])
    parsed = lines.games[scope].parsed
    return b"" if parsed is None else str(parsed).encode()


def outside(lines: MatchLines, scope: Scope) -> bytes:
    """Return the date and the rules in force at names or a game, and the words of the declarations before it.

    A note must not contradict them.
    """
    line = lines.head if scope is None else lines.games[scope]
    words = [word for each in line.before for word in each.partition(layout.SIGN)[0].split()]
    return b"" if line.parsed is None else b" ".join([_state_tokens(line.state), *map(str.encode, words)])


def _state_tokens(state: DatedRules) -> bytes:
    numbers = (str(state.date), grammar.spell_base(state.base), str(state.max_faan))
    # Notes of files without these declarations have digests without them.
    others = [repr(each) for each in (state.min_faan, state.multipliers) if each]
    return " ".join((*numbers, state.responsibility, state.growth, *others)).encode()


def states(lines: MatchLines) -> list[DatedRules]:
    """Return the states of the games that have results; the state of the match if it has none."""
    return [game.state for game in lines.games if game.parsed is not None] or [lines.head.state]


# The match of the lines.


def match_of(lines: MatchLines) -> Match:
    """Return the match that its lines are read as, without the notes.

    >>> [lines] = game_lines.match_lines(GRAMMAR, ["A B C D", "- 2 d -  # cheap"], grammar.BEGINNING)
    >>> match_of(lines).rounds[0].events, match_of(lines).rounds[0].annotations
    ([Win(actor=1, target=2, fan=2)], (Annotation(index=1, kind='comment', value=' cheap'),))
    """
    first, names = states(lines)[0], lines.head.parsed.names
    players = [Player(Name(Text(native=unescape(name)))) for name in names]
    rounds = [_round(game, first) for game in lines.games]
    match = Match(players, rounds, [ev.StartGame()], [ev.EndGame()], date=first.date or UNSET, rules=first.rules())
    # Without a round, the comments above and below are separated by the layout alone.
    after, below = layout.split_comments(lines.after)
    explicit = bool(below) and not match.rounds
    kept = tuple(after) if explicit or after != [layout.SIGN] * len(below) else ()
    _keep(match, lines.head, first, [" ".join(spell(names))], 0, explicit=explicit, after=kept)
    match.annotations += tuple([Annotation(len(match.rounds), "comment", value=text) for text in below])
    return match


def _round(game: MatchLine, first: DatedRules) -> Round:
    if not isinstance(game.parsed, GameResult):
        return Round()
    game_round = Round([grammar.event_of(game.parsed)])
    if game.state != first:
        if game.state.rules() != first.rules():
            game_round.rules = game.state.rules()
        if game.state.date != first.date:
            game_round.date = game.state.date or UNSET
    canonical = str(game.parsed)
    # Most lines are laid out as the writer does by itself.
    if game.text != canonical or game.before or game.entering != game.state:
        _keep(game_round, game, game.state, [canonical, canonical + layout.END_SIGN], 1)
    return game_round


def _keep(
    whole: Match | Round,
    line: MatchLine,
    state: DatedRules,
    usual: Sequence[str],
    beside: int,
    *,
    explicit: bool = False,
    after: tuple[str, ...] = (),
) -> None:
    """Keep the comments of a line and above it, and what of their layout the writer would not choose.

    `usual` are the texts of the line that the writer chooses, `beside` is the index of the comment beside it. If
    `explicit`, the layout of the lines before it is kept in any case.
    """
    before, above = layout.split_comments(line.before)
    head, sign, comment = line.text.partition(layout.SIGN)
    comments = [Annotation(0, "comment", value=text) for text in above]
    if sign:
        comments.append(Annotation(beside, "comment", value=comment))
    whole.annotations = tuple(comments)
    own_before = explicit or before != [layout.SIGN] * len(above) + grammar.declare(line.entering, state)
    own_line = UNSET if head + sign in usual else head + sign
    put_part(whole, layout.KEY, layout.KeptLines(tuple(before) if own_before else UNSET, own_line, after))


GRAMMAR: Final = game_lines.Grammar(
    *("hk", grammar.BEGINNING, grammar.read_line, _meant, Names, GameResult, SEATS),
    *(match_of, tokens, outside, layout.shown_of),
)
