"""Comments, note marks and data of an Ùzje file, and the annotations and extras of the hub.

The comments and marks are annotations, which other formats have too. Data paragraphs and the end indicator are
Ùzje's alone: they stay in the extras, with the layout that a writer would not choose by itself.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from mjconv.converters.shared.extras import put_part, read_part
from mjconv.converters.shared.note_json import MARK
from mjconv.converters.uzje.paragraphs import MATCH, Block, blocks, data_paragraphs, is_mark, kind_of, tag_of
from mjconv.converters.uzje.words import is_command
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, Lines
from mjconv.ir.match import Annotation, Frozen, Match, Round

#: A comment line or a note mark in a game, after its anchor: the number of turns before it, or, below zero, the
#: number of words from it to the first turn.
GameComment: TypeAlias = tuple[int, str]

#: The key of Ùzje in the extras of a round or a match.
KEY: Final = "uzje"
#: The entries of a list of paragraphs in the extras that are no data: a comment, and a comment of comment lines.
COMMENT: Final = ""
COMMENT_LINES: Final = ":"
#: Turns, comments and note marks have these characters.
_NOT_IN_END: Final = frozenset(".:()[]{}<>")
#: An annotation before the first turn comes after the deal.
_AFTER_DEAL: Final = 1
#: No mark of a note may come before the words that begin a game. A comment line may.
_FIRST_WORDS: Final = 3


class UzjeRoundExtras(Frozen, frozen=True):
    """Ùzje's part of a round that the hub has no field for.

    `places` are the anchors of the first comments of the game, if they come before the end of the tile list.
    `end` is the end indicator. `after` are the paragraphs up to the next game: data, and an entry for each
    comment; empty if there are only comments.
    """

    places: tuple[int, ...] = ()
    end: str = ""
    after: tuple[str, ...] = ()


class UzjeMatchExtras(Frozen, frozen=True):
    """Ùzje's part of a match: the paragraphs before its first game, as in `UzjeRoundExtras.after`."""

    head: tuple[str, ...] = ()


class Paragraphs(NamedTuple):
    """Paragraphs sorted: the entries for the extras, the comments of the round, and of the match's end."""

    entries: tuple[str, ...]
    comments: tuple[str, ...]
    of_match: tuple[str, ...] = ()

    def data(self) -> bytes:
        """Return the words of the data paragraphs: a note must not contradict them."""
        return "\n".join([" ".join(text.split()) for text in self.entries if text.strip(COMMENT_LINES)]).encode()


_NO_PARAGRAPHS: Final = Paragraphs((), ())


def round_extras(game_round: Round) -> UzjeRoundExtras:
    """Return Ùzje's part of a round's extras, without the parts that no file can hold.

    >>> round_extras(Round(extras={"uzje": {"end": "draw", "after": ["Site: a club", "no data"]}}))
    UzjeRoundExtras(end='draw', after=('Site: a club',))
    """
    extras = read_part(game_round, KEY, UzjeRoundExtras)
    places = extras.places
    return UzjeRoundExtras(
        places if all(place < 0 for place in places) and list(places) == sorted(places) else (),
        extras.end if is_end(extras.end) else "",
        tuple(text for text in extras.after if _is_entry(text, first=False)),
    )


def match_extras(match: Match) -> UzjeMatchExtras:
    """Return Ùzje's part of a match's extras, without the parts that no file can hold."""
    head = read_part(match, KEY, UzjeMatchExtras).head
    return UzjeMatchExtras(tuple(text for i, text in enumerate(head) if _is_entry(text, first=i == 0)))


def keep_layout(visible: Match | Round, restored: Match | Round, *, of_note: bool) -> None:
    """Set Ùzje's part of the extras of what a note restored to that of the text; with `of_note`, leave the note's.

    A person may have changed the data paragraphs of the file.

    >>> restored = Round(extras={"uzje": {"end": "draw"}, "other": 1})
    >>> keep_layout(Round(extras={"uzje": {"end": "done"}}), restored, of_note=False)
    >>> restored.extras
    {'uzje': {'end': 'done'}, 'other': 1}
    """
    if restored is visible or of_note:
        return
    if KEY in visible.extras:
        restored.extras = {**restored.extras, KEY: visible.extras[KEY]}
    else:
        restored.extras = {key: value for key, value in restored.extras.items() if key != KEY}


def is_end(word: str) -> bool:
    """Return whether a word may follow the turns: printable ASCII, no turn, command, note mark or comment.

    >>> is_end("draw"), is_end("1.5m"), is_end("(a)")
    (True, False, False)
    """
    return _NOT_IN_END.isdisjoint(word) and _is_solid(word) and not is_command(word)


def begins_match(block: str) -> bool:
    r"""Return whether a block of data begins with the tag that begins a match.

    >>> begins_match("Match: 2\nPlayers: 4"), begins_match("Players: 4")
    (True, False)
    """
    return _tags(Block(kind_of(block), 0, block))[:1] == [MATCH]


# Reading.


def put_around_round(
    game_round: Round,
    comments: Sequence[GameComment],
    first_event: Callable[[int], int],
    end: str,
    after: Paragraphs,
) -> None:
    """Set the annotations and the extras that the comments of a game and the paragraphs after it are read as.

    `first_event` returns the number of events before a turn. `end` is the end indicator.

    >>> game_round = Round([ev.StartRound(), ev.Draw(0, "E"), ev.EndRound()])
    >>> comments = [(-3, ":dice"), (1, "(a)")]
    >>> put_around_round(game_round, comments, lambda turn: 2 * turn, "", Paragraphs((), ("End",)))
    >>> [(one.index, one.kind, one.value) for one in game_round.annotations], game_round.extras
    ([(1, 'comment', 'dice'), (2, 'mark', '(a)'), (3, 'comment', 'End')], {'uzje': {'places': [-3]}})
    """
    game_round.annotations = (
        *[_in_game(_AFTER_DEAL if anchor <= 0 else first_event(anchor), text) for anchor, text in comments],
        *[Annotation(len(game_round.events), "comment", value=text) for text in after.comments],
    )
    places = tuple(anchor for anchor, _ in comments if anchor < 0)
    put_part(game_round, KEY, UzjeRoundExtras(places, end, after.entries))


def _in_game(index: int, text: str) -> Annotation:
    if text.startswith(":"):
        return Annotation(index, "comment", value=text[1:])
    return Annotation(index, "mark", value=text)


def match_of(rounds: list[Round], head: Paragraphs, end: Paragraphs) -> Match:
    """Return the match of rounds, with the paragraphs before its first game, and after its last one."""
    annotations = [Annotation(0, "comment", value=text) for text in head.comments]
    annotations += [Annotation(len(rounds), "comment", value=text) for text in end.of_match]
    match = Match([], rounds, [ev.StartGame()], [ev.EndGame()], annotations=tuple(annotations))
    put_part(match, KEY, UzjeMatchExtras(head.entries))
    return match


def sort_paragraphs(texts: Sequence[str], *, last: bool = False, head: bool = False) -> Paragraphs:
    r"""Sort the paragraphs after a game, or in the `head` before the first.

    After the `last` game of a match, a paragraph of comment lines alone is of the match.

    >>> sort_paragraphs(["well played", "Site: a club", ":lunch\n:at two"], last=True)
    Paragraphs(entries=('', 'Site: a club'), comments=('well played',), of_match=('lunch\nat two',))
    >>> sort_paragraphs([":lunch\n:at two"])
    Paragraphs(entries=(':',), comments=('lunch\nat two',), of_match=())
    """
    if not texts:
        return _NO_PARAGRAPHS
    entries: list[str] = []
    comments: list[str] = []
    of_match: list[str] = []
    # Comments of the match come last, unless an entry after them is kept.
    needed = 0
    for text in texts:
        if kind_of(text) != "comment":
            entries.append(text)
            needed = len(entries)
            continue
        lines = text.split("\n")
        if not all(line.startswith(":") for line in lines):
            entries.append(COMMENT)
            comments.append(text)
            needed = len(entries)
            continue
        value = "\n".join(line[1:] for line in lines)
        if last:
            of_match.append(value)
            entries.append(COMMENT_LINES)
        else:
            comments.append(value)
            # The head has no other place for such a comment.
            entries.append(COMMENT if head and not _is_paragraph(value) else COMMENT_LINES)
            needed = len(entries)
    kept = entries[:needed]
    return Paragraphs(tuple(kept) if any(kept) else (), tuple(comments), tuple(of_match))


# Writing.


def shown(one: Annotation) -> list[str]:
    r"""Return the lines by which a file shows an annotation of a round; none if it cannot.

    >>> shown(Annotation(3, "comment", value="a\nb")), shown(Annotation(3, "comment", value="東"))
    (['a', 'b'], [])
    """
    if not isinstance(one.value, str):
        return []
    if one.kind == "mark":
        return [one.value] if _is_solid(one.value) and is_mark(one.value) else []
    return one.value.split("\n") if one.kind == "comment" and _is_writable(one.value) else []


def shown_of_match(match: Match) -> Callable[[Annotation], list[str]]:
    """Return the function that returns the lines by which a file shows an annotation of this match."""
    rounds = len(match.rounds)
    return lambda one: shown(one) if one.kind == "comment" and not 0 < one.index < rounds else []


def write_round(
    game_round: Round, begins: Sequence[int], tiles: int, extras: UzjeRoundExtras, end: Sequence[str] | None
) -> tuple[list[GameComment], list[str]]:
    """Return the comments in the game of a round, and the paragraphs after it, but for its note.

    `begins` has the event that each turn begins with, `tiles` is the length of the tile list. `end` are the
    comments of the match that follow its last round; None for other rounds.
    """
    if not (game_round.annotations or extras.after or end):
        return [], []
    comments: list[GameComment] = []
    after: list[str] = []
    events = game_round.events
    stop = next((i for i, event in enumerate(events) if type(event) in (ev.Ryukyoku, ev.EndRound)), len(events))
    for one in sorted(game_round.annotations, key=lambda one: one.index):
        lines = shown(one)
        if not lines:
            continue
        if one.kind == "comment" and one.index > stop:
            after.append("\n".join(lines))
            continue
        texts = lines if one.kind == "mark" else [f":{line.rstrip()}" for line in lines]
        anchor = bisect_left(begins, one.index)
        comments += [(anchor, text) for text in texts]
    rest: list[str] = []
    paragraphs = list(_woven(extras.after, after, rest, end))
    comments += [(len(begins), f":{line.rstrip()}") for text in rest for line in text.split("\n")]
    return _with_places(comments, extras.places, tiles), paragraphs


def write_head(match: Match, extras: UzjeMatchExtras) -> list[str]:
    """Return the paragraphs before the first game of a match."""
    rest: list[str] = []
    paragraphs = list(_woven(extras.head, comments_of(match, head=True), rest, None))
    return paragraphs + list(map(_comment_lines, rest))


def comments_of(match: Match, *, head: bool) -> list[str]:
    """Return the comments of the `head` of a match, or, if it is false, the comments after its last round."""
    shows = shown_of_match(match)
    own = [one for one in match.annotations if (one.index <= 0 or not match.rounds) is head]
    return ["\n".join(lines) for lines in map(shows, own) if lines]


def _woven(entries: Iterable[str], values: list[str], rest: list[str], end: Sequence[str] | None) -> Iterator[str]:
    """Yield paragraphs: data and comments in the order of the entries, then the other comments.

    A comment that cannot be a paragraph of its own is put into `rest`.
    """
    comments = iter(values)
    of_match = iter(end or ())
    plain = _paragraphs(comments, rest)
    for entry in entries:
        if entry == COMMENT:
            yield from islice(plain, 1)
        elif entry == COMMENT_LINES:
            yield from map(_comment_lines, islice(comments if end is None else of_match, 1))
        else:
            yield entry
    yield from plain
    yield from map(_comment_lines, of_match)


def _paragraphs(comments: Iterator[str], rest: list[str]) -> Iterator[str]:
    for text in comments:
        if _is_paragraph(text):
            yield text
        else:
            rest.append(text)


def _comment_lines(text: str) -> str:
    return "\n".join(f":{line}" for line in text.split("\n"))


def _with_places(comments: list[GameComment], places: Sequence[int], tiles: int) -> list[GameComment]:
    """Return comments in order, the first of them at their places before the end of the tile list."""
    placed: list[GameComment] = []
    for number, (anchor, text) in enumerate(comments):
        if anchor == 0 and number < len(places):
            # A line may come before the header, whose fourth word is the number of players.
            least = -tiles - (_FIRST_WORDS + 1 if text.startswith(":") else 1)
            before = placed[-1][0] if placed else least
            placed.append((max(places[number], least, before), text))
        else:
            placed.append((anchor, text))
    return placed


# Texts that can be written.


def _is_solid(text: str) -> bool:
    return bool(text) and text.isascii() and text.isprintable() and " " not in text


def _is_writable(text: str) -> bool:
    return text.isascii() and text.replace("\n", " ").replace("\t", " ").isprintable()


def _is_entry(text: str, *, first: bool) -> bool:
    """Return whether a text is an entry for a comment, or is read as one block of data without notes."""
    if text in (COMMENT, COMMENT_LINES):
        return True
    block = _block(text)
    if block is None or block.kind != "data":
        return False
    tags = _tags(block)
    return MARK not in tags and (MATCH not in tags or (first and tags[0] == MATCH and MATCH not in tags[1:]))


def _is_paragraph(text: str) -> bool:
    """Return whether a text is read as one paragraph that is a comment, and not of comment lines alone."""
    block = _block(text)
    if block is None or block.kind != "comment":
        return False
    return not all(line.startswith(":") for line in text.split("\n"))


def _block(text: str) -> Block | None:
    """Return the block that a text is read as, or None if it is read as another text, or as several blocks."""
    if text != text.strip("\n") or not _is_writable(text):
        return None
    try:
        split = list(blocks(Lines(text)))
    except InputError:
        return None
    return split[0] if [block.text for block in split] == [text] else None


def _tags(block: Block) -> list[str]:
    return [tag_of(part)[0] for part in data_paragraphs(block)] if block.kind == "data" else []
