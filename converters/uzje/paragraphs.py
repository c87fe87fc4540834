"""An Ùzje file as text: its paragraphs, told apart by their first words, and the way back to where they stand.

Paragraphs are split by empty lines; a line that starts with a colon is a comment. A paragraph is data when its
first word ends in a colon, a game when its first three words are a wind and two integers, else a comment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from mjconv.converters.uzje.detect import GAME, TAG
from mjconv.ir.errors import InputError, Lines, Place

BlockKind: TypeAlias = Literal["game", "data", "comment"]
#: Takes an error: raises it, or returns, and the reading goes on after it.
Tell: TypeAlias = Callable[[InputError], None]

#: Lines that follow each other, none of them empty.
_BLOCK: Final = re.compile(r"(?m)^(?:[^\S\n]*+\S[^\n]*+(?:\n|\Z))++")
_COMMENT_LINE: Final = re.compile(r"(?m)^[^\S\n]*+:[^\n]*+")
#: What a later line of a block begins with. A literal line break is found faster than the beginning of a line.
_LATER_COMMENT: Final = re.compile(r"\n[^\S\n]*+:")
_LATER_TAG: Final = re.compile(rf"\n(?=[^\S\n]*+{TAG})")
_LATER_GAME: Final = re.compile(rf"\n(?=[^\S\n]*+{GAME})")
_GAME_START: Final = re.compile(rf"\s*+{GAME}")
_DATA_START: Final = re.compile(rf"\s*+{TAG}")
#: A first word that ends in a colon and is no tag, and a tag that is cut in two.
_BAD_TAG: Final = re.compile(r"\s*+(?:[^\s:]\S*+(?<=:)(?=\s|\Z)|[A-Za-z0-9-]++[^\S\n]++[A-Za-z0-9-]*+:(?=\s|\Z))")
_WORD: Final = re.compile(r"\S+")
#: What only comments and note marks have in a game.
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

    Each of `comments` stands before the word of that number; `tiles` and `turns` are the first words of the list
    and of the turns.
    """

    block: Block
    words: list[str]
    comments: list[tuple[int, str]] = field(default_factory=list)

    def offset(self, word: int) -> int:
        """Find where in the file a word stands; past the last, the end of the paragraph."""
        found = list(_pieces(self.block))
        offsets = [offset for offset, _, is_word in found if is_word]
        if word < len(offsets):
            return offsets[word]
        return self.block.begin + len(self.block.text.rstrip())


def refuse(error: InputError) -> None:
    """Raise an error: no reading goes on after it."""
    raise error


def decode(data: bytes, tell: Tell = refuse) -> str:
    r"""Decode a file. Tells of the first byte that is not ASCII; a byte order mark is let pass.

    >>> decode(b"E 1\r\n0 4")
    'E 1\n0 4'
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    # Where the reading goes on, what is not ASCII is shown as what it most likely is.
    text = data.decode("utf-8", "replace")
    if not data.isascii() and (found := _NO_ASCII.search(data)):
        message = f"not ASCII: byte 0x{found[0][0]:02x} at byte offset {found.start()}"
        tell(InputError(message, Place.at(text, found.start())))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def blocks(lines: Lines, tell: Tell = refuse) -> Iterator[Block]:
    r"""Cut a text into blocks. Tells of a tag that is none, and of a game right below data, to cut it off there.

    >>> [(block.kind, block.begin) for block in blocks(Lines("A: b\nC: d\n\nE 1 0 4\n\nE plays well"))]
    [('data', 0), ('game', 11), ('comment', 20)]
    """
    for found in _BLOCK.finditer(lines.text):
        block = Block("comment", found.start(), found[0].rstrip("\n"))
        block.kind = kind_of(block.text)
        if block.kind == "comment":
            _check_tag(block, lines, tell)
        elif block.kind == "data" and (game := _LATER_GAME.search(block.text)):
            message = "a game paragraph begins after an empty line"
            tell(InputError(message, lines.place(block.begin + game.end())))
            yield Block("data", block.begin, block.text[: game.start()])
            block = Block("game", block.begin + game.end(), block.text[game.end() :])
        yield block


def kind_of(block: str) -> BlockKind:
    """Tell what the lines of a block are."""
    paragraph = without_comments(block)
    if _GAME_START.match(paragraph):
        return "game"
    return "data" if _DATA_START.match(paragraph) else "comment"


def without_comments(text: str) -> str:
    r"""Blank out the comment lines of a text, leaving everything else where it stands.

    >>> without_comments(":ab\nc")
    '   \nc'
    """
    if not text.lstrip().startswith(":") and _LATER_COMMENT.search(text) is None:
        return text
    return _COMMENT_LINE.sub(lambda found: " " * len(found[0]), text)


def is_bad_tag(block: str) -> bool:
    """Say whether a comment begins with what looks like a tag and is none: refused, lest it be misread.

    >>> is_bad_tag("Player name: Bob"), is_bad_tag("Player_1: Bob"), is_bad_tag("The name is: Bob")
    (True, True, False)
    """
    return _BAD_TAG.match(without_comments(block)) is not None


def _check_tag(block: Block, lines: Lines, tell: Tell) -> None:
    if is_bad_tag(block.text):
        body = without_comments(block.text)
        offset = block.begin + len(body) - len(body.lstrip())
        message = (
            "a tag is one word of letters, digits and hyphens, its colon right after it:"
            " a comment may not begin like one"
        )
        tell(InputError(message, lines.place(offset)))


def data_paragraphs(block: Block) -> list[Block]:
    r"""Cut a block of data into its paragraphs, each beginning with its tag (the first with what precedes it).

    >>> [part.text for part in data_paragraphs(Block("data", 0, ":x\nA: b\nc\nD: e"))]
    [':x\nA: b\nc\n', 'D: e']
    """
    begins = [found.end() for found in _LATER_TAG.finditer(block.text)]
    if _DATA_START.match(without_comments(block.text[: begins[0]] if begins else block.text)):
        begins.insert(0, 0)
    ends = [*begins[1:], len(block.text)]
    begins[0] = 0
    return [Block("data", block.begin + a, block.text[a:b]) for a, b in zip(begins, ends, strict=True)]


def tag_of(paragraph: Block) -> tuple[str, str]:
    """Give the tag of a data paragraph, without its colon, and what it says.

    >>> tag_of(Block("data", 0, "Players: 4"))
    ('Players', '4')
    """
    tag, _, value = without_comments(paragraph.text).partition(":")
    return tag.strip(), value.strip()


def game_text(block: Block, lines: Lines) -> GameText:
    r"""Take the comment lines and note marks out of a game paragraph.

    Raises `InputError` at a word whose bracket has no match.

    >>> game_text(Block("game", 0, "E 1 0 4 (a)\n:hm\n1t"), Lines("")).comments
    [(4, '(a)'), (4, ':hm')]
    """
    if not any(map(block.text.__contains__, _UNUSUAL)):
        return GameText(block, block.text.split())
    game = GameText(block, [])
    for offset, piece, is_word in _pieces(block):
        if is_word:
            if piece[0] in _BRACKETS or piece[-1] in ")]}>":
                expected = _BRACKETS.get(piece[0])
                said = (
                    f"{piece[0]!r} has no {expected!r} at the end of its word" if expected else "it has no opening"
                )
                raise InputError(f"an unmatched bracket: {said}", lines.place(offset))
            game.words.append(piece)
        else:
            game.comments.append((len(game.words), piece))
    return game


def is_mark(word: str) -> bool:
    """Say whether a word is wrapped in matching brackets.

    >>> is_mark("(a)"), is_mark("(a]"), is_mark("a")
    (True, False, False)
    """
    return len(word) > 1 and _BRACKETS.get(word[0]) == word[-1]


def _pieces(block: Block) -> Iterator[tuple[int, str, bool]]:
    """Give the words of a block with their offsets in the file, comment lines and marks told from them."""
    offset = block.begin
    for line in block.text.split("\n"):
        if line.lstrip().startswith(":"):
            yield offset + len(line) - len(line.lstrip()), line.strip(), False
        else:
            for found in _WORD.finditer(line):
                yield offset + found.start(), found[0], not is_mark(found[0])
        offset += len(line) + 1
