"""An Ùzje file as text: its paragraphs by their first words, by match and game, and their places in the file.

Paragraphs are split by empty lines; a line that starts with a colon is a comment. A paragraph is data when its
first word ends in a colon, a game when its first three words are a wind and two integers, else a comment.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from typing import Final, Literal, TypeAlias

from mjconv.converters.shared import note_json
from mjconv.converters.shared.restore import FoundNote
from mjconv.converters.uzje.detect import GAME, TAG
from mjconv.converters.uzje.spelling import HUB, SEATS
from mjconv.converters.uzje.words import is_command
from mjconv.ir.errors import InputError, Lines, Place
from mjconv.ir.losses import Report

BlockKind: TypeAlias = Literal["game", "data", "comment"]
#: Takes an error. It raises the error, or returns: then the reading continues after it.
OnError: TypeAlias = Callable[[InputError], None]

#: Words of the header of a game: prevailing wind, round, repeat, players.
HEADER: Final = 4
#: The tag that begins a match.
MATCH: Final = "Match"
#: The tag with the number of players, for headers with 0.
PLAYERS: Final = "Players"

#: Lines that follow each other, none of them empty.
_BLOCK: Final = re.compile(r"(?m)^(?>[^\S\n]*+\S[^\n]*+(?:\n|\Z))++")
_COMMENT_LINE: Final = re.compile(r"(?m)^[^\S\n]*+:[^\n]*+")
#: Beginnings of later lines of a block. A literal line break is found faster than the beginning of a line.
_LATER_COMMENT: Final = re.compile(r"\n[^\S\n]*+:")
_LATER_TAG: Final = re.compile(rf"\n(?=[^\S\n]*+{TAG})")
_LATER_NOTE: Final = re.compile(rf"\n[^\S\n]*+{note_json.MARK}:")
_LATER_GAME: Final = re.compile(rf"\n(?=[^\S\n]*+{GAME})")
_GAME_START: Final = re.compile(rf"\s*+{GAME}")
_DATA_START: Final = re.compile(rf"\s*+{TAG}")
#: A first word that ends in a colon and is no tag, and a tag that is cut in two.
_BAD_TAG: Final = re.compile(r"\s*+(?:[^\s:]\S*+(?<=:)(?=\s|\Z)|[A-Za-z0-9-]++[^\S\n]++[A-Za-z0-9-]*+:(?=\s|\Z))")
#: Tiles that are dealt to three players.
_SMALLEST_DEAL: Final = 39
_WORD: Final = re.compile(r"\S+")
_TURN: Final = re.compile(r"[0-9]++\.\S")
#: In a game, only comments and note marks have these characters.
_UNUSUAL: Final = ":()[]{}<>"
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_NO_ASCII: Final = re.compile(rb"[\x80-\xff]")


@dataclass(slots=True)
class Block:
    """Lines that follow each other, a paragraph or several of data; `text` begins at `begin` in the file."""

    kind: BlockKind
    begin: int
    text: str


@dataclass(slots=True)
class GameText:
    """The words of a game paragraph, and the comment lines and note marks among them.

    Each of `comments` comes before the word of that number, from 0.
    """

    block: Block
    words: list[str]
    comments: list[tuple[int, str]] = field(default_factory=list)
    _offsets: list[int] | None = field(default=None, repr=False, compare=False)

    def offset(self, word: int) -> int:
        """Return the offset of a word in the file; past the last word, of the end of the paragraph."""
        if self._offsets is None:
            self._offsets = [offset for offset, _, is_word in pieces(self.block) if is_word]
        if word < len(self._offsets):
            return self._offsets[word]
        return self.block.begin + len(self.block.text.rstrip())


def raise_error(error: InputError) -> None:
    """Raise an error: a strict reading ends there."""
    raise error


def decode(data: bytes, on_error: OnError = raise_error) -> str:
    r"""Decode a file and skip a byte order mark. The first byte that is not ASCII is an error.

    >>> decode(b"E 1\r\n0 4")
    'E 1\n0 4'
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    # If the reading continues, other text is most likely UTF-8.
    text = data.decode("utf-8", "replace")
    if not data.isascii() and (byte := _NO_ASCII.search(data)):
        message = f"not ASCII: byte 0x{byte[0][0]:02x} at byte offset {byte.start()}"
        wide = text[byte.start()]
        if (plain := unicodedata.normalize("NFKC", wide)).isascii():
            message += f'; "{wide}" is to be typed as "{plain}"'
        on_error(InputError(message, Place.at(text, byte.start())))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def blocks(lines: Lines, on_error: OnError = raise_error) -> Iterator[Block]:
    r"""Split a text into blocks. Errors are a tag of other characters, and a game right below data.

    >>> [(block.kind, block.begin) for block in blocks(Lines("A: b\nC: d\n\nE 1 0 4\n\nE plays well"))]
    [('data', 0), ('game', 11), ('comment', 20)]
    """
    for piece in _BLOCK.finditer(lines.text):
        block = Block("comment", piece.start(), piece[0].rstrip("\n"))
        block.kind = kind_of(block.text)
        if block.kind == "comment":
            _check_tag(block, lines, on_error)
        elif block.kind == "data" and (game := _LATER_GAME.search(block.text)):
            message = "a game paragraph begins after an empty line"
            on_error(InputError(message, lines.place(block.begin + game.end())))
            yield Block("data", block.begin, block.text[: game.start()])
            block = Block("game", block.begin + game.end(), block.text[game.end() :])
        yield block


def kind_of(block: str) -> BlockKind:
    """Return the kind of the lines of a block."""
    paragraph = without_comments(block)
    if _GAME_START.match(paragraph):
        return "game"
    return "data" if _DATA_START.match(paragraph) else "comment"


def without_comments(text: str) -> str:
    r"""Replace the comment lines of a text by spaces; all other text keeps its place.

    >>> without_comments(":ab\nc")
    '   \nc'
    """
    if not text.lstrip().startswith(":") and _LATER_COMMENT.search(text) is None:
        return text
    return _COMMENT_LINE.sub(lambda comment: " " * len(comment[0]), text)


def is_bad_tag(block: str) -> bool:
    """Return whether a comment begins like a tag, but with other characters: an error, as a misspelt tag.

    >>> is_bad_tag("Player name: Bob"), is_bad_tag("Player_1: Bob"), is_bad_tag("The name is: Bob")
    (True, True, False)
    """
    return _BAD_TAG.match(without_comments(block)) is not None


def lists_tiles(block: str) -> bool:
    """Return whether a comment has as many words that are tiles as the smallest deal has.

    >>> lists_tiles("E 1 O 4 " + "1t " * 39), lists_tiles("he waits for 1t 4t")
    (True, False)
    """
    return len(block) > 2 * _SMALLEST_DEAL and sum(map(HUB.__contains__, block.split())) >= _SMALLEST_DEAL


def lists_turns(block: Block) -> bool:
    """Return whether a comment holds turns or commands alone, after tiles if there are any.

    The last word may be an end indicator.

    >>> [lists_turns(Block("comment", 0, text)) for text in ("1t 9.W 10.SR", "E- Es draw", "1t 4t", "see 9.W")]
    [True, True, False, False]
    """
    words = [word for _, word, is_word in pieces(block) if is_word]
    plays = [_TURN.match(word) is not None or is_command(word) for word in words]
    return any(plays) and all(plays[index] or word in HUB for index, word in enumerate(words[:-1]))


def _misread(comment: Block) -> str | None:
    """Return a warning if a comment is most likely not meant as one; None if it is a usual comment."""
    if _LATER_NOTE.search(comment.text):
        what, rule = "has a note in it", "an empty line must be before a note"
    elif lists_tiles(comment.text):
        what = "lists the tiles of a game"
        rule = "a game begins with wind, round, repeat and players, as in E 1 0 4"
    elif lists_turns(comment):
        what, rule = "lists turns", "no empty line may be between a game and its turns"
    else:
        return None
    return f"this paragraph {what}, but is read as a comment: {rule}"


def _check_tag(block: Block, lines: Lines, on_error: OnError) -> None:
    if is_bad_tag(block.text):
        body = without_comments(block.text)
        offset = block.begin + len(body) - len(body.lstrip())
        message = (
            "a tag is one word of letters, digits and hyphens, its colon right after it:"
            " a comment may not begin like one"
        )
        on_error(InputError(message, lines.place(offset)))


def data_paragraphs(block: Block) -> list[Block]:
    r"""Split a block of data into paragraphs. Each begins with its tag; the first has the lines before it too.

    >>> [part.text for part in data_paragraphs(Block("data", 0, ":x\nA: b\nc\nD: e"))]
    [':x\nA: b\nc\n', 'D: e']
    """
    begins = [tag.end() for tag in _LATER_TAG.finditer(block.text)]
    if _DATA_START.match(without_comments(block.text[: begins[0]] if begins else block.text)):
        begins.insert(0, 0)
    ends = [*begins[1:], len(block.text)]
    begins[0] = 0
    return [Block("data", block.begin + a, block.text[a:b]) for a, b in zip(begins, ends, strict=True)]


def tag_of(paragraph: Block) -> tuple[str, str]:
    """Return the tag of a data paragraph, without its colon, and its value.

    >>> tag_of(Block("data", 0, "Players: 4"))
    ('Players', '4')
    """
    tag, _, value = without_comments(paragraph.text).partition(":")
    return tag.strip(), value.strip()


def game_text(block: Block, lines: Lines) -> GameText:
    r"""Separate the comment lines and note marks of a game paragraph from its words.

    Raises `InputError` for a word with an unmatched bracket.

    >>> game_text(Block("game", 0, "E 1 0 4 (a)\n:hm\n1t"), Lines("")).comments
    [(4, '(a)'), (4, ':hm')]
    """
    if not any(map(block.text.__contains__, _UNUSUAL)):
        return GameText(block, block.text.split())
    game = GameText(block, [])
    for offset, piece, is_word in pieces(block):
        if is_word:
            if piece[0] in _BRACKETS or piece[-1] in ")]}>":
                expected = _BRACKETS.get(piece[0])
                reason = (
                    f"{piece[0]!r} has no {expected!r} at the end of its word" if expected else "it has no opening"
                )
                raise InputError(f"an unmatched bracket: {reason}", lines.place(offset))
            game.words.append(piece)
        else:
            game.comments.append((len(game.words), piece))
    return game


def is_mark(word: str) -> bool:
    """Return whether a word is wrapped in matching brackets.

    >>> is_mark("(a)"), is_mark("(a]"), is_mark("a")
    (True, False, False)
    """
    return len(word) > 1 and _BRACKETS.get(word[0]) == word[-1]


def pieces(block: Block) -> Iterator[tuple[int, str, bool]]:
    """Yield the words, comment lines and marks of a block: offset in the file, text, whether it is a word."""
    offset = block.begin
    for line in block.text.split("\n"):
        if line.lstrip().startswith(":"):
            yield offset + len(line) - len(line.lstrip()), line.strip(), False
        else:
            for word in _WORD.finditer(line):
                yield offset + word.start(), word[0], not is_mark(word[0])
        offset += len(line) + 1


@dataclass(slots=True)
class GameParagraphs:
    """A game paragraph, how many play, and the paragraphs after it, without notes.

    `players` is 0 if the words or the number of players cannot be read. That is a fault, and the reading
    continues.
    """

    text: GameText
    players: int
    after: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MatchParagraphs:
    """The paragraphs of a match: before its first game, its games, and its notes.

    `begin` is the offset of its first paragraph in the file.
    """

    begin: int = 0
    head: list[str] = field(default_factory=list)
    notes: list[FoundNote] = field(default_factory=list)
    games: list[GameParagraphs] = field(default_factory=list)
    #: Whether it is a match even if no game follows.
    begun: bool = False


def group_paragraphs(lines: Lines, report: Report) -> list[MatchParagraphs]:
    """Sort the paragraphs of a file by match and game. Raises `InputError` where the report is not lenient."""
    all_blocks = list(blocks(lines, report.fault))
    matches = [MatchParagraphs(all_blocks[0].begin if all_blocks else 0)]
    players = _Players(lines, all_blocks)
    games = [block for block in all_blocks if block.kind == "game"]

    @cache
    def digest_of(game: int) -> str:
        words = (word for block in games[game : game + 1] for _, word, is_word in pieces(block) if is_word)
        return note_json.digest(tokens_of(list(islice(words, HEADER))))

    def digest_after(offset: int) -> str:
        return digest_of(bisect_left(games, offset, key=lambda game: game.begin))

    for block in all_blocks:
        match = matches[-1]
        if block.kind == "game":
            game = GameParagraphs(GameText(block, []), 0)
            try:
                game.text = game_text(block, lines)
                game.players = players.of(game.text)
            except InputError as error:
                report.fault(error, match=len(matches) - 1, round=len(match.games))
            match.games.append(game)
            continue
        kept = block.text
        misread = _misread(block) if block.kind == "comment" else None
        if misread is not None:
            report.warn(misread, match=len(matches) - 1, line=lines.place(block.begin).line)
        if block.kind == "data":
            parts = data_paragraphs(block)
            tags = [tag_of(part) for part in parts]
            if any(tag in (note_json.MARK, MATCH) for tag, _ in tags):
                _sort_out(matches, parts, tags, digest_after, lines, report)
                continue
        (match.games[-1].after if match.games else match.head).append(kept)
    return [match for match in matches if match.games or match.begun]


def tokens_of(head: Sequence[str], turns: Sequence[str] = ()) -> bytes:
    """Return the tokens of a digest: of a round its words, turns without numbers, of a match its first header.

    >>> tokens_of("E 1 0 4 1t".split(), [".1t", ".5m"])
    b'E 1 0 4 1t .1t .5m'
    """
    return " ".join([*head, *turns]).encode()


def _sort_out(
    matches: list[MatchParagraphs],
    parts: list[Block],
    tags: list[tuple[str, str]],
    digest_after: Callable[[int], str],
    lines: Lines,
    report: Report,
) -> None:
    """Take the notes out of a block of data, and split it where a match begins; `tags` has tags and values.

    `digest_after` returns the digest of the match whose first game is the first one after an offset.
    """
    kept: list[str] = []

    def keep() -> None:
        if kept:
            match = matches[-1]
            (match.games[-1].after if match.games else match.head).append("".join(kept).strip("\n"))
            kept.clear()

    for part, (tag, value) in zip(parts, tags, strict=True):
        match = matches[-1]
        if tag == MATCH:
            keep()
            if match.games or match.begun:
                match = MatchParagraphs(part.begin)
                matches.append(match)
            match.begun = True
        if tag == note_json.MARK:
            near = len(match.games) - 1 if match.games else None
            place = partial(lines.place, part.begin)
            try:
                notes = note_json.loads(value.encode())
            except note_json.NoteError as error:
                report.fault(InputError(str(error), place()), match=len(matches) - 1, round=near)
                notes = []
            of_match = [note for note in notes if note.match is not None]
            if match.games and any(note.digest == digest_after(part.begin) for note in of_match):
                # A match note comes before the first game of its match: files may be joined as text.
                keep()
                match = MatchParagraphs(part.begin)
                matches.append(match)
                near = None
            match.begun |= bool(of_match)
            match.notes += [FoundNote(note, place, near) for note in notes]
            kept += [line + "\n" for line in part.text.split("\n") if line.lstrip().startswith(":")]
        elif part.text.strip() != f"{MATCH}:":
            kept.append(part.text)
    keep()


class _Players:
    """Finds the number of players for a header with 0: in the last data tag above it, else in the first below."""

    def __init__(self, lines: Lines, all_blocks: list[Block]) -> None:
        self.lines = lines
        self.tags = [
            part
            for block in all_blocks
            if block.kind == "data" and PLAYERS in block.text
            for part in data_paragraphs(block)
            if tag_of(part)[0] == PLAYERS
        ]

    def of(self, game: GameText) -> int:
        """Return the number of players of a game. Raises `InputError` if Ùzje does not know that number."""
        if len(game.words) < HEADER:
            raise self._error(game, "a header is wind, round, repeat and players, and the players are missing")
        word = game.words[HEADER - 1]
        if word == "0":
            return self._inherited(game)
        if word not in map(str, SEATS):
            raise self._error(
                game, f"players are 3, 4 or 6, or 0 for the number in a {PLAYERS}: tag, not {word!r}"
            )
        return int(word)

    def _inherited(self, game: GameText) -> int:
        above = bisect_left(self.tags, game.block.begin, key=lambda part: part.begin)
        if not self.tags:
            raise self._error(
                game, f"0 players means the number in a {PLAYERS}: tag, but the file has no such tag"
            )
        tag = self.tags[max(above - 1, 0)]
        value = tag_of(tag)[1]
        if value not in map(str, SEATS):
            raise InputError(f"{PLAYERS}: is 3, 4 or 6, not {value!r}", self.lines.place(tag.begin))
        return int(value)

    def _error(self, game: GameText, message: str) -> InputError:
        return InputError(message, self.lines.place(game.offset(HEADER - 1)))
