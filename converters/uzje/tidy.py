"""The usual layout of an Ùzje file: one empty line between paragraphs, the header and the tiles of a game in rows.

Turns stay on their lines. A comment line stays a line, and a note mark stays between the same two words.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from mjconv.converters.shared import note_json
from mjconv.converters.shared.tidy import Span, TidyLine, encoded, joined, with_notes
from mjconv.converters.uzje.paragraphs import HEADER, Block, blocks, data_paragraphs, decode, pieces, tag_of
from mjconv.converters.uzje.spelling import SEATS
from mjconv.converters.uzje.words import is_command
from mjconv.converters.uzje.writer import tile_rows
from mjconv.ir.errors import Lines


def tokens(data: bytes) -> tuple[tuple[str, ...], ...]:
    r"""Return all that counts in a file: the words and comments of each game, the lines of other paragraphs.

    >>> tokens(b"E 1  0 4\n\nwell played \n")
    (('E', '1', '0', '4'), ('well played',))
    """
    return tuple(_tokens(block) for block in _blocks(data))


def tidied(data: bytes) -> bytes:
    r"""Return a file in the usual layout. Raises `InputError` if it is not ASCII.

    >>> tidied(b"E 1 0  4 1m\n(a) 2m\n\n\nwell played \n")
    b'E 1 0 4\n1m (a) 2m\n\nwell played\n'
    """
    return encoded(joined(_lines(data)), data)


def rearranged(before: bytes, after: bytes) -> bytes:
    """Return a file that was written anew as it was typed before, if only its notes are others now."""
    text = with_notes(*_pieces(before), *_pieces(after), "\n\n")
    return after if text is None else encoded(text, before)


def _pieces(data: bytes) -> tuple[str, list[Span]]:
    parts = []
    for block in _blocks(data):
        for part in data_paragraphs(block) if block.kind == "data" else (block,):
            is_note = block.kind == "data" and tag_of(part)[0] == note_json.MARK
            end = part.begin + len(part.text.rstrip())
            parts.append(Span(part.begin, end, _tokens(part), is_note))
    return decode(data), parts


def _tokens(block: Block) -> tuple[str, ...]:
    return tuple(text for _, text, _ in pieces(block)) if block.kind == "game" else tuple(_verbatim(block))


def _blocks(data: bytes) -> list[Block]:
    """Return the paragraphs of a file. Other errors than bytes that are no text do not matter here."""
    return list(blocks(Lines(decode(data)), lambda _: None))


def _lines(data: bytes) -> Iterator[TidyLine]:
    for block in _blocks(data):
        lines = _game_lines(block) if block.kind == "game" else _verbatim(block)
        for number, line in enumerate(lines):
            yield TidyLine(line, apart=number == 0)


def _verbatim(block: Block) -> list[str]:
    return [line.rstrip() for line in block.text.split("\n")]


#: Numbers of players by their spelling in a header.
_PLAYERS: Final = {str(seats): seats for seats in SEATS}


def _game_lines(block: Block) -> Iterator[str]:
    """Yield the lines of a game."""
    all_pieces = list(pieces(block))
    words = [text for _, text, is_word in all_pieces if is_word]
    turns = next((index for index, word in enumerate(words) if "." in word or is_command(word)), len(words))
    players = _PLAYERS.get(words[HEADER - 1]) if len(words) >= HEADER else None
    rows = set() if players is None else {*tile_rows(players, turns), turns}
    typed = block.text.count
    index = row = 0

    def place(each: tuple[int, str, bool]) -> tuple[int, int]:
        """Return a number for the line of a word, mark or comment."""
        nonlocal index, row
        offset, text, is_word = each
        row += text.startswith(":") or (is_word and index in rows)
        number = row
        row += text.startswith(":")
        index += is_word
        kept = players is None or index > turns
        return number, typed("\n", 0, offset - block.begin) if kept else 0

    for _, line in groupby(all_pieces, key=place):
        yield " ".join(text for _, text, _ in line)
