"""Comments, layout and notes of an HK file, and the annotations and extras of the hub.

Comments are annotations, which other formats have too. The extras keep the rest of a layout made by hand: blank
lines, declarations and their comments, and the places of comments, each as its line up to the ``#``. A layout that
the writer would choose by itself is not kept: so it does not matter whether a match comes from another format, was
split off, or was joined to others.

Notes are lines ``#@mjconv {...}``, the match's after the names, a round's after its game. A round that HK has no
line for is a note alone, at its place among the games: its hints have ``left_out``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from msgspec import UNSET, UnsetType

from mjconv.converters.hk.lines import DatedRules, Declaration, LineError, Names, Nothing, check, parse
from mjconv.converters.hk.names import unescape
from mjconv.converters.interface import Part
from mjconv.converters.shared import carry
from mjconv.converters.shared.extras import read_part
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Frozen, Match, Round

#: The key of HK in the extras of a match or a round.
KEY: Final = "hk"
#: The sign of a comment: by itself, the place of a comment that has a line of its own.
SIGN: Final = "#"
#: The sign of a comment after a game.
_END_SIGN: Final = "  #"


class RoundLayout(Frozen, frozen=True):
    """HK's part of a round: the layout of the lines before its game, and of the game's own line."""

    before: tuple[str, ...] | UnsetType = UNSET
    line: str | UnsetType = UNSET


class MatchLayout(Frozen, frozen=True):
    """HK's part of a match: the layout of the lines before the names, of the names, and after the games."""

    before: tuple[str, ...] | UnsetType = UNSET
    line: str | UnsetType = UNSET
    after: tuple[str, ...] = ()


LayoutOf = TypeVar("LayoutOf", RoundLayout, MatchLayout)


def layout_of(whole: Match | Round, kind: type[LayoutOf]) -> LayoutOf:
    """Return HK's part of the extras of a round or match; nothing if it does not have the form of this kind."""
    return read_part(whole, KEY, kind)


# Reading.


def split_comments(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the layout of lines, and the comments that have a line of their own.

    >>> split_comments(["# evening", "", "M=6  # six", "  #  late"])
    (['#', '', 'M=6  # six', '  #'], [' evening', '  late'])
    """
    layout: list[str] = []
    comments: list[str] = []
    for line in lines:
        head, sign, comment = line.partition(SIGN)
        if sign and not head.strip():
            layout.append(head + sign)
            comments.append(comment)
        else:
            layout.append(line)
    return layout, comments


def split_end(line: str) -> tuple[str, str | None]:
    """Return the layout of a line, and its comment, if it has one.

    >>> split_end("- 2 d -  # cheap"), split_end("- 2 d -")
    (('- 2 d -  #', ' cheap'), ('- 2 d -', None))
    """
    head, sign, comment = line.partition(SIGN)
    return head + sign, comment if sign else None


def is_usual(line: str, canonical: str) -> bool:
    """Return whether the writer lays a game's line out so by itself, with or without a comment."""
    return line in (canonical, canonical + _END_SIGN)


# Writing.


def comment_lines(one: Annotation) -> list[str]:
    r"""Return the lines of a comment, without the sign; none for other annotations, and for no text.

    >>> comment_lines(Annotation(0, "comment", value="a\nb ")), comment_lines(Annotation(0, "left", 2))
    (['a', 'b'], [])
    """
    if one.kind not in ("comment", "mark") or not isinstance(one.value, str) or not _is_text(one.value):
        return []
    lines = f"{one.value}.".splitlines()
    return [line.rstrip() for line in [*lines[:-1], lines[-1][:-1]]]


def shown_of_round(game_round: Round) -> Callable[[Annotation], list[str]]:
    """Return the function that returns the lines by which a file shows an annotation of this round."""
    end = end_comment(game_round)
    return lambda one: comment_lines(one) if one is end or one == end else _above(one)


def shown_of_match(match: Match) -> Callable[[Annotation], list[str]]:
    """Return the function that returns the lines by which a file shows an annotation of this match."""
    rounds = len(match.rounds)
    beside = arrange_comments(match).beside

    def shown(one: Annotation) -> list[str]:
        if 0 < one.index < rounds:
            return []
        return comment_lines(one) if one == beside else _above(one)

    return shown


class CommentPlaces(NamedTuple):
    """The comments of a match: the lines above the names, the one beside them, and the lines below the games."""

    above: list[str]
    beside: Annotation | None
    below: list[str]


def arrange_comments(match: Match) -> CommentPlaces:
    """Return the comments of a match by their places. A comment between rounds has none."""
    kept, rounds = layout_of(match, MatchLayout), len(match.rounds)
    comments = [one for one in match.annotations if comment_lines(one)]
    above = [one for one in comments if one.index <= 0 or not rounds]
    below = [one for one in comments if one.index >= rounds > 0]
    if not rounds:
        # Only the layout separates the comments above from the comments below.
        stop = max(len(above) - sum(map(is_place, kept.after)), 0)
        above, below = above[:stop], above[stop:]
    beside = None
    if above and kept.line is not UNSET and SIGN in kept.line and len(comment_lines(above[-1])) == 1:
        beside = above.pop()
    return CommentPlaces(
        [line for one in above for line in _above(one)], beside, [line for one in below for line in _above(one)]
    )


def _above(one: Annotation) -> list[str]:
    """Return the lines of a comment that has lines of its own; none if one would be read as a note."""
    lines = comment_lines(one)
    return [] if any(is_note(SIGN + line) or (SIGN + line + " ").startswith(PREFIX) for line in lines) else lines


def end_comment(game_round: Round) -> Annotation | None:
    """Return the comment that is written at the end of the game's line: it is the only one after the result."""
    if not game_round.annotations:
        return None
    results = [i for i, event in enumerate(game_round.events) if isinstance(event, (ev.Win, ev.Ryukyoku))]
    if not results:
        return None
    late = [one for one in game_round.annotations if one.index > results[0] and comment_lines(one)]
    return late[0] if len(late) == 1 and len(comment_lines(late[0])) == 1 else None


def comments_above(game_round: Round) -> list[str]:
    """Return the comments that are written above the line of a game."""
    if not game_round.annotations:
        return []
    end = end_comment(game_round)
    return [line for one in game_round.annotations if one is not end for line in _above(one)]


def filled(layout: Sequence[str], comments: Sequence[str]) -> list[str]:
    """Return lines of this layout with comments at their places; comments that have none come last.

    >>> filled(["#", "M=6"], [" evening", " late"])
    ['# evening', 'M=6', '# late']
    """
    rest = iter(comments)
    lines = [line for place in layout for line in _filled(place, rest)]
    return lines + [SIGN + comment for comment in rest]


def _filled(place: str, comments: Iterator[str]) -> Iterator[str]:
    if not is_place(place):
        yield place
        return
    for comment in comments:
        yield place.partition(SIGN)[0] + SIGN + comment
        return


def is_place(line: str) -> bool:
    """Return whether a line has only a comment, or is the place of one.

    >>> is_place("  #"), is_place("M=6  # six")
    (True, False)
    """
    head, sign, _ = line.partition(SIGN)
    return bool(sign) and not head.strip()


def laid_out(lines: Sequence[str], state: DatedRules) -> tuple[list[str], DatedRules]:
    """Return the lines that may come before names or a game, and the state after them.

    >>> from mjconv.converters.hk.lines import BEGINNING
    >>> laid_out(["# evening", "M=6 # six", "A B C D"], BEGINNING)[0]
    ['# evening', 'M=6 # six']
    """
    fit = []
    for line in lines:
        parsed = parse_loose(line, state)
        if parsed is not None:
            fit.append(line)
            state = state_after(state, parsed)
    return fit, state


def state_after(state: DatedRules, parsed: object) -> DatedRules:
    """Return the state after a line."""
    return state._replace(**{parsed.key: parsed.value}) if isinstance(parsed, Declaration) else state


def parse_loose(line: str, state: DatedRules) -> Nothing | Declaration | None:
    """Read a line of a layout: return a comment, or a declaration that is valid here, else None."""
    if is_note(line) or not _is_line(line):
        return None
    try:
        parsed = parse(line)
        check(parsed, state, None)
    except LineError:
        return None
    return parsed if isinstance(parsed, (Nothing, Declaration)) else None


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
        try:
            if _with_names(parse(kept)) == parsed:
                head, sign = kept, sign_kept
        except LineError:
            pass
    if comment is None:
        return head.rstrip() if sign else head
    return f"{head}{sign or _END_SIGN}{comment_lines(comment)[0]}"


def _with_names(parsed: object) -> object:
    """Return a line of names with the names of the players, which may be escaped in the line."""
    return Names(tuple(map(unescape, parsed.names))) if isinstance(parsed, Names) else parsed


def _is_text(text: str) -> bool:
    """Return whether a text can be written in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_line(text: str) -> bool:
    """Return whether a text is one line, and can be written in UTF-8."""
    return _is_text(text) and len(f"{text}.".splitlines()) == 1


# Notes.


#: The beginning of a line that is a note.
PREFIX: Final = f"#@{carry.MARK} "
#: The digest of a round without a line.
_NO_LINE: Final = carry.digest(b"")
#: Characters that would end the line, and that JSON does not escape.
_LINE_ENDS: Final = re.compile("[\x85\u2028\u2029]")


class HkRoundHints(Frozen, frozen=True):
    """The hints of a round: whether the round has no line, so that the note alone shows its place."""

    left_out: bool = False


def is_note(line: str) -> bool:
    """Return whether a line is a note.

    >>> is_note('#@mjconv {"match":{}}'), is_note("# (draw)")
    (True, False)
    """
    return line.lstrip().startswith(PREFIX)


def place_note(part: Part, note: bytes) -> bytes:
    r"""Return the text of a part with a note in the line below it.

    >>> place_note(Part(b"- - - -\n"), b"{}")
    b'- - - -\n#@mjconv {}\n'
    """
    text = _LINE_ENDS.sub(lambda line_end: f"\\u{ord(line_end[0]):04x}", note.decode())
    return part.text + f"{PREFIX}{text}\n".encode()


def read_notes(line: str) -> list[carry.Note]:
    """Read the line of a note, or of an array of notes. Raises `mjconv.converters.shared.carry.NoteError`.

    >>> [note] = read_notes('#@mjconv {"v":2,"round":{"unset":["dice"]}}')
    >>> note.round.unset
    ('dice',)
    """
    return carry.loads(line.strip()[len(PREFIX) :].encode("utf-8", "replace"))


def is_left_out(note: carry.Note) -> bool:
    """Return whether a note belongs to a round without a line."""
    return note.round is not None and note.digest == _NO_LINE and note.round.hints.get("left_out") is True
