"""What people wrote beside the games: kept where it stands, and written back there.

Comment paragraphs and data paragraphs belong to the game they follow. Comment lines and note marks inside a game
are anchored to its turns, so that they stay in place when the game is laid out anew.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from mjconv.converters.shared.notes import MARK
from mjconv.converters.uzje.commands import is_command
from mjconv.converters.uzje.paragraphs import Block, blocks, data_paragraphs, is_mark, kind_of, tag_of
from mjconv.ir.errors import InputError, Lines
from mjconv.ir.match import Match, Record, Round

#: The key of a round's or a match's extras that is Ùzje's.
KEY: Final = "uzje"
#: The tag that parts matches.
MATCH: Final = "Match"


class RoundExtras(Record, frozen=True):
    """What Ùzje has beyond the hub's round.

    `comments` are the comment lines and note marks of its game with their anchors: how many turns stand before,
    or, below zero, how many words follow up to the first turn. `end` is the end indicator, `after` the paragraphs
    up to the next game.
    """

    comments: tuple[tuple[int, str], ...] = ()
    end: str = ""
    after: tuple[str, ...] = ()


class MatchExtras(Record, frozen=True):
    """What Ùzje has beyond the hub's match: the paragraphs before its first game."""

    head: tuple[str, ...] = ()


def round_extras(game_round: Round) -> RoundExtras:
    """Give what a round carries for Ùzje, as far as a file can hold it.

    >>> round_extras(Round(extras={"uzje": {"end": "draw", "comments": [[0, "no mark"], [0, "(a)"]]}}))
    RoundExtras(comments=((0, '(a)'),), end='draw')
    """
    if KEY not in game_round.extras:
        return RoundExtras()
    try:
        extras = msgspec.convert(game_round.extras[KEY], RoundExtras)
    except msgspec.ValidationError:
        return RoundExtras()
    return RoundExtras(
        tuple((anchor, text) for anchor, text in extras.comments if _is_comment(text)),
        extras.end if is_end(extras.end) else "",
        tuple(text for text in extras.after if _is_block(text, first=False)),
    )


def match_extras(match: Match) -> MatchExtras:
    """Give what a match carries for Ùzje, as far as a file can hold it."""
    try:
        extras = msgspec.convert(match.extras.get(KEY, {}), MatchExtras)
    except msgspec.ValidationError:
        return MatchExtras()
    return MatchExtras(tuple(text for i, text in enumerate(extras.head) if _is_block(text, first=i == 0)))


def put(whole: Match | Round, extras: Record) -> None:
    """Set what a round or match carries for Ùzje, if it is anything."""
    value: dict[str, Any] = {k: _lists(v) for k, v in msgspec.to_builtins(extras).items()}
    if value:
        whole.extras = {**whole.extras, KEY: value}


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def is_end(word: str) -> bool:
    """Say whether a word may stand after the turns: printable ASCII, no turn, command, note mark or comment.

    >>> is_end("draw"), is_end("1.5m"), is_end("(a)")
    (True, False, False)
    """
    return _is_solid(word) and not set(word) & set(".:()[]{}<>") and not is_command(word)


def _is_solid(text: str) -> bool:
    return bool(text) and text.isascii() and text.isprintable() and " " not in text


def _is_comment(text: str) -> bool:
    if text.startswith(":"):
        return text == text.strip() and text.isascii() and text.replace("\t", " ").isprintable()
    return _is_solid(text) and is_mark(text)


def _is_block(text: str, *, first: bool) -> bool:
    """Say whether a text is read as one block of comments or data, and as nothing of this program's own."""
    if (
        not text.isascii()
        or text != text.strip("\n")
        or not text.replace("\n", " ").replace("\t", " ").isprintable()
    ):
        return False
    try:
        found = list(blocks(Lines(text)))
    except InputError:
        return False
    if [block.text for block in found] != [text] or found[0].kind == "game":
        return False
    tags = _tags(found[0])
    return MARK not in tags and (MATCH not in tags or (first and tags[0] == MATCH and MATCH not in tags[1:]))


def begins_match(block: str) -> bool:
    r"""Say whether a block of data begins with the tag that parts matches.

    >>> begins_match("Match: 2\nPlayers: 4"), begins_match("Players: 4")
    (True, False)
    """
    return _tags(Block(kind_of(block), 0, block))[:1] == [MATCH]


def _tags(block: Block) -> list[str]:
    return [tag_of(part)[0] for part in data_paragraphs(block)] if block.kind == "data" else []
