"""Comments, layout and notes of an HK file, and the annotations and extras of the hub.

Comments are annotations, which other formats have too. The extras keep the rest of a layout made by hand: blank
lines, declarations and their comments, and the places of comments, each as its line up to the ``#``. A layout that
the writer would choose by itself is not kept: so it does not matter whether a match comes from another format, was
split off, or was joined to others.

Notes are lines ``#@mjconv {...}``, the match's after the names, a round's after its game. A round that HK has no
line for is a note alone, at its place among the games: its hints have ``left_out``.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from mjconv.converters.hk.lines import DatedRules, Declaration, Names, parse, parse_after
from mjconv.converters.hk.names import unescape
from mjconv.converters.shared.extras import read_part
from mjconv.converters.shared.game_lines import is_comment
from mjconv.converters.shared.text_lines import PREFIX, comment_lines, is_note, is_text
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Frozen, Match, Round

#: The key of HK in the extras of a match or a round.
KEY: Final = "hk"
#: The sign of a comment: by itself, the place of a comment that has a line of its own.
SIGN: Final = "#"
#: The sign of a comment after names or a game.
END_SIGN: Final = "  #"


class KeptLines(Frozen, frozen=True):
    """HK's part of a match or round: the lines before its names or its game, this line, and those after the games.

    Only a match has lines `after` its games.
    """

    before: tuple[str, ...] | UnsetType = UNSET
    line: str | UnsetType = UNSET
    after: tuple[str, ...] = ()


# Comments.


class Comments(NamedTuple):
    """The comments of a match or round: above its names or its game, beside it, and below the games."""

    above: Sequence[Annotation] = ()
    beside: Annotation | None = None
    below: Sequence[Annotation] = ()


def comments_of(whole: Match | Round) -> Comments:
    """Return the comments of a match or round by their places. A comment of a match between rounds has none.

    >>> comment = Annotation(1, "comment", value=" cheap")
    >>> comments_of(Round([ev.Win(1, target=2)], annotations=(comment,))).beside == comment
    True
    """
    if not whole.annotations:
        return Comments()
    if isinstance(whole, Match):
        return _comments_of_match(whole)
    results = [i for i, event in enumerate(whole.events) if isinstance(event, (ev.Win, ev.Ryukyoku))]
    late = [one for one in whole.annotations if results and one.index > results[0] and comment_lines(one)]
    # The only comment after the result is written at the end of the game's line.
    end = late[0] if len(late) == 1 and len(comment_lines(late[0])) == 1 else None
    return Comments([one for one in whole.annotations if one is not end], end)


def _comments_of_match(match: Match) -> Comments:
    kept, rounds = read_part(match, KEY, KeptLines), len(match.rounds)
    comments = [one for one in match.annotations if comment_lines(one)]
    above = [one for one in comments if one.index <= 0 or not rounds]
    below = [one for one in comments if one.index >= rounds > 0]
    if not rounds:
        # Only the layout separates the comments above from the comments below.
        stop = max(len(above) - sum(map(is_comment, kept.after)), 0)
        above, below = above[:stop], above[stop:]
    beside = None
    if above and kept.line is not UNSET and SIGN in kept.line and len(comment_lines(above[-1])) == 1:
        beside = above.pop()
    return Comments(above, beside, below)


def lines_of(comments: Iterable[Annotation]) -> list[str]:
    """Return the lines of comments that have lines of their own; none of a comment that reads as a note."""
    written = []
    for one in comments:
        lines = comment_lines(one)
        if not any(is_note(SIGN + line) or (SIGN + line + " ").startswith(PREFIX) for line in lines):
            written += lines
    return written


def shown_of(whole: Match | Round) -> Callable[[Annotation], list[str]]:
    """Return the function that returns the lines by which a file shows an annotation of this match or round."""
    if isinstance(whole, Round) and not whole.select(ev.Win, ev.Ryukyoku):
        # A round without a result has no lines: it is in its note alone.
        return lambda _: []
    beside = comments_of(whole).beside
    rounds = len(whole.rounds) if isinstance(whole, Match) else 0

    def shown(one: Annotation) -> list[str]:
        if 0 < one.index < rounds:
            return []
        return comment_lines(one) if one == beside else lines_of([one])

    return shown


# Layout.


def split_comments(lines: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the layout of lines, and the comments that have a line of their own.

    >>> split_comments(["# evening", "", "M=6  # six", "  #  late"])
    (['#', '', 'M=6  # six', '  #'], [' evening', '  late'])
    """
    layout: list[str] = []
    comments: list[str] = []
    for line in lines:
        if is_comment(line):
            head, _, comment = line.partition(SIGN)
            layout.append(head + SIGN)
            comments.append(comment)
        else:
            layout.append(line)
    return layout, comments


def filled(layout: Iterable[str], comments: Iterable[str]) -> list[str]:
    """Return lines of this layout with comments at their places; comments that have none come last.

    >>> filled(["#", "M=6"], [" evening", " late"])
    ['# evening', 'M=6', '# late']
    """
    rest = iter(comments)
    lines = []
    for place in layout:
        if not is_comment(place):
            lines.append(place)
        elif (comment := next(rest, None)) is not None:
            lines.append(place.partition(SIGN)[0] + SIGN + comment)
    return lines + [SIGN + comment for comment in rest]


def laid_out(lines: Iterable[str], state: DatedRules) -> tuple[list[str], DatedRules]:
    """Return the lines that may come before names or a game, and the state after them.

    >>> from mjconv.converters.hk.lines import BEGINNING
    >>> laid_out(["# evening", "M=6 # six", "A B C D"], BEGINNING)[0]
    ['# evening', 'M=6 # six']
    """
    fit = []
    for line in lines:
        if is_note(line) or not _is_line(line):
            continue
        parsed = parse_after(line, state)
        if parsed is None or isinstance(parsed, Declaration):
            fit.append(line)
            state = state.after(parsed)
    return fit, state


def line_of(layout: str | UnsetType, parsed: object, canonical: str, comment: Annotation | None) -> str:
    """Return the line of names or a game: of this layout if that still reads as `parsed`, else the canonical one.

    >>> comment = Annotation(1, "comment", value=" cheap")
    >>> line_of("-  2 d - #", parse("- 2 d -"), "- 2 d -", comment)
    '-  2 d - # cheap'
    >>> line_of("-  2 d - #", parse("- 3 d -"), "- 3 d -", comment)
    '- 3 d -  # cheap'
    """
    head, sign = canonical, ""
    if layout is not UNSET and _is_line(layout):
        kept, sign_kept, _ = layout.partition(SIGN)
        read = parse(kept)
        if isinstance(read, Names):
            # The line has the names of the players escaped.
            read = Names(tuple(map(unescape, read.names)))
        if read == parsed:
            head, sign = kept, sign_kept
    if comment is None:
        return head.rstrip() if sign else head
    return f"{head}{sign or END_SIGN}{comment_lines(comment)[0]}"


def _is_line(text: str) -> bool:
    """Return whether a text is one line, and can be written in UTF-8."""
    return is_text(text) and len(f"{text}.".splitlines()) == 1
