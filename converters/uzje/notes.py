r"""Notes in Ùzje: data paragraphs ``mjconv: {...}``, one for the match, one after each game that needs one.

The JSON is ASCII and has no white space inside its strings, so that its paragraph may be laid out in any way:
what is not ASCII is written ``\u6771``, a space ``\u0020``, and lines break only after a comma between values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat
from string import digits
from typing import Final

from msgspec import UNSET, UnsetType

from mjconv.converters.shared import notes
from mjconv.converters.uzje.game import Choices
from mjconv.converters.uzje.tiles import RED_OF
from mjconv.ir.match import Record
from mjconv.ir.tiles import Tile

#: Columns that a line is filled to.
WIDTH: Final = 100

_OTHER: Final = re.compile(r"[^\x21-\x7e]")
#: The text up to a comma between two values, and up to the last such comma.
_VALUE: Final = re.compile(r'(?:[^",]++|"(?:[^"\\]++|\\.)*+")*+(?:,|\Z)')
_VALUES: Final = re.compile(r'(?:(?:[^",]++|"(?:[^"\\]++|\\.)*+")*+,)++')


class RoundNote(notes.Note, frozen=True):
    """The note of a round: the patch, and the choices that the words of its game leave open (see `Choices`).

    `dealer` is the hub's seat of the dealer, if it differs from the round's number.
    """

    dealer: int | UnsetType = UNSET
    red: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    kong: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()


class UzjeNote(Record, frozen=True):
    """The content of a note's paragraph: a note of the match, or of a round."""

    match: notes.Note | None = None
    round: RoundNote | None = None


def choices_of(note: RoundNote, tiles: list[Tile]) -> Choices:
    """Return the choices of a note. Raises `notes.NoteError` if a red tile is no five."""
    for place in note.red:
        if not 0 <= place < len(tiles) or tiles[place] not in RED_OF:
            raise notes.NoteError(f"tile {place} of the list cannot be a red five: it is no five")
    if len({(place, tiles[place]) for place in note.red}) != len(note.red):
        raise notes.NoteError("a tile of the list is named twice as a red five")
    return Choices(note.red, frozenset(note.drawn), frozenset(note.kong), frozenset(note.aside))


def words_digest(words: Sequence[str], first_turn: int) -> str:
    """Return the digest of the words of a game paragraph, without the numbers of its turns.

    >>> words_digest("E 1 0 4 1t 1.1t 2.5m".split(), 5) == game_digest("E 1 0 4 1t".split(), [".1t", ".5m"])
    True
    """
    turns = words[first_turn:]
    rests = list(map(str.lstrip, turns, repeat(digits)))
    if not all(map(str.startswith, rests, repeat("."))):
        # Commands, or an end indicator: only a number with a full stop is one of a turn.
        rests = [rest if rest[:1] == "." else word for word, rest in zip(turns, rests, strict=True)]
    return game_digest(words[:first_turn], rests)


def game_digest(head: Sequence[str], turns: Sequence[str]) -> str:
    """Return the digest of a game: the header, the tile list, and the turns without numbers, or the commands.

    >>> game_digest("E 1 0 4 1t".split(), [".1t", ".5m"]) == notes.digest(b"E 1 0 4 1t .1t .5m")
    True
    """
    return notes.digest(" ".join([*head, *turns]).encode())


def match_digest(header: Sequence[str]) -> str:
    """Return the digest of a match: of the header of its first game, or of nothing if it has no game."""
    return notes.digest(" ".join(header).encode())


def write_note(note: UzjeNote) -> str:
    r"""Return the paragraph of a note.

    >>> write_note(UzjeNote(match=notes.Note(set={"place": {"native": "東 1"}})))
    'mjconv: {"match":{"set":{"place":{"native":"\\u6771\\u00201"}}}}'
    """
    json = notes.dumps(note).decode()
    if not json.isascii() or not json.isprintable() or " " in json:
        json = _OTHER.sub(_escape, json)
    return "\n".join(_filled(f"{notes.MARK}: {json}"))


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _filled(text: str) -> list[str]:
    """Break a text after commas between values into lines of at most `WIDTH`, if it has such commas."""
    lines: list[str] = []
    at = 0
    while len(text) - at > WIDTH:
        end = text.rfind(",", at, at + WIDTH) + 1
        # Mostly the last comma is no string's: then all strings before it are closed.
        if not end or text.find("\\", at, end) >= 0 or text.count('"', at, end) % 2:
            found = _VALUES.match(text, at, at + WIDTH) or _VALUE.match(text, at)
            if found is None:
                break  # a string that is not closed, which JSON has not
            end = found.end()
        lines.append(text[at:end])
        at = end
    return [*lines, text[at:]]
