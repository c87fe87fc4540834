"""Explain why a jmjp file does not parse: the place, the text found, the text expected, and a hint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from mjconv.converters.jmjp.grammar import BARE, fine_parser
from mjconv.converters.jmjp.hints import hint
from mjconv.converters.jmjp.text import STRING
from mjconv.ir.errors import InputError

if TYPE_CHECKING:
    from lark import Lark

    from mjconv.converters.jmjp.text import ParsedText


#: The words for each terminal. A fixed spelling is shown as it is.
WORDS: Final = {
    "$END": "the end of the file",
    "VERSION": "a version, 0 or 1.x",
    "STRING": "a string in double quotes",
    "PT": "points with one decimal such as 25.0",
    "FRAME_ID": "a frame such as E1-0",
    "TILE": "a tile such as 5m, ew or uk",
    "SEAT": "a seat (e, s, w or n)",
    "TILE_FROM": "whom it was taken from (k, t or s)",
    "DICE_SEP": "two dice such as 3-4",
    "DICE_TOTAL": "the total of the dice",
    "TOUR_YEAR": "a year of four digits",
    "MATCH_NUM": "a number",
    "MATCH_DATE": "a date (YYYYMMDD)",
    "MATCH_DAY_OF_WK": "a day of the week (sun, mon, ...)",
    "MATCH_TIME": "a time (HHMM)",
    "PLYER_ID": "a player (0, 1, 2 or 3)",
    "TOUR_NAME": "a tournament's shorthand such as mlg",
    "TOUR_STAGE": "a stage's shorthand such as fin",
    "MATCH_PLACE": "a place's shorthand such as mlg-std",
    "PLYER_TEAM": "a team's shorthand such as mlg-abm",
    "PLYER_AFFIL": "an affiliation's shorthand such as rmu or none",
}


class Count(NamedTuple):
    """The number of a terminal that the grammar expects inside a bracket: in words."""

    terminal: str
    words: str


#: The counts that are fixed, by the innermost open bracket.
COUNTS: Final = {
    "hnd[": Count("TILE", "a hand lists 1 to 13 tiles, a comma, perhaps one tile more, a comma, and 0 to 4 calls"),
    "frm[": Count("TILE", "the dora are 10 tiles, or none"),
    "ch[": Count("TILE", "ch[ holds 2 tiles"),
    "pn[": Count("TILE", "pn[ holds 2 tiles"),
    "dk[": Count("TILE", "dk[ holds 3 tiles"),
    "rs[": Count("TILE", "rs[ holds 1 tile"),
    "kk[": Count("TILE", "kk[ holds 1 tile"),
    "rc[": Count("TILE", "rc[ holds 1 tile"),
    "chi[": Count("TILE", "chi[ holds the called tile, then 2 tiles"),
    "pfs[": Count("PT", "pfs[ holds 4 points"),
    "pfe[": Count("PT", "pfe[ holds 4 points"),
    "pme[": Count("PT", "pme[ holds 4 points"),
    "ptn[": Count("LPAR", "ptn[ holds 4 brackets of tournament points"),
}
#: The counts that differ between the versions.
COUNTS_OF_VERSION: Final = {
    0: {
        "ak[": Count("TILE", "ak[ holds 1 tile in version 0"),
        "pon[": Count("TILE", "pon[ holds the called tile and whom it was taken from in version 0"),
        "dmk[": Count("TILE", "dmk[ holds the called tile and whom it was taken from in version 0"),
        "kkn[": Count("TILE", "kkn[ holds one tile and whom it was taken from in version 0"),
        "ank[": Count("TILE", "ank[ holds 1 tile in version 0"),
        "ptr[": Count("PT", "ptr[ holds 4 fields in version 0: start, return, (4th to 1st, 3rd to 2nd), honba"),
    },
    1: {
        "ak[": Count("TILE", "ak[ holds 4 tiles"),
        "pon[": Count("TILE", "pon[ holds the called tile, 2 tiles, and whom it was taken from"),
        "dmk[": Count("TILE", "dmk[ holds the called tile, 3 tiles, and whom it was taken from"),
        "kkn[": Count("TILE", "kkn[ holds the added tile, the called tile, 2 tiles, and whom it was taken from"),
        "ank[": Count("TILE", "ank[ holds 4 tiles"),
        "ptr[": Count("PT", "ptr[ holds 5 fields: start, return, (4th to 1st, 3rd to 2nd), honba, tenpai"),
    },
}
ONE_MATCH: Final = "a file holds one or more matches, each in ( )"
FOUR_PLAYERS: Final = "a match lists 4 players, each a ply["
FOUR_HANDS: Final = "a flow begins with 4 hands and ends with 4 hands"

#: The most characters of the text found that are shown.
SHOWN: Final = 16

_BRACKETS: Final = {
    major: re.compile(rf"{string}|(?P<open>[a-z]{{0,8}}[\[(])|[\])]") for major, string in STRING.items()
}
_FOUND: Final = re.compile(rf"[A-Za-z]{{1,{SHOWN}}}\[|[A-Za-z0-9.\-]+|.", re.DOTALL)


def explain(source: ParsedText, coarse: UnexpectedInput) -> InputError:
    """Return the error of a text that did not parse, found by parsing it again with the fine grammar.

    If the fine grammar accepts the text, the grammars differ: that is a fault of mjconv, and the error says so.
    """
    lark = fine_parser(source.major)
    text = source.stripped
    around, added = _around(source, coarse)
    offset, expected = _where(lark, around)
    if not expected:
        return InputError(
            "mjconv cannot read this, though the standard allows it: please report it as a fault of mjconv",
            source.place(offset_of(coarse, text)),
        )
    hint_of_version = _of_other_version(source, around, offset)
    offset += added
    opening = _innermost(text, offset, source.major)
    found = _found(text, offset, expected)
    parts = [f"found {found}, expected {_any_of([_word(lark, name) for name in _sorted(lark, expected)])}"]
    count = _count(lark, source, offset, expected, opening[0] if opening else "")
    if count:
        parts.append(count)
    if opening and (offset == len(text) or text[offset] in "])" or found.endswith('["')):
        at = source.place(opening[1])
        parts.append(f'"{opening[0]}" of line {at.line}, column {at.column} is still open')
    spellings = frozenset(filter(None, (_spelling(lark, name) for name in expected)))
    meant = hint(text, offset, expected, spellings) or hint_of_version
    if meant:
        parts.append(meant)
    return InputError("; ".join(parts), source.place(offset))


def _of_other_version(source: ParsedText, text: str, offset: int) -> str | None:
    """Return a hint that the other version writes it so, if that version parses the text at this offset."""
    other = 1 - source.major
    head = text.index("]") + 1
    named = f"jmjp[{other}]"
    reached, _ = _where(fine_parser(other), named + text[head:])
    if reached - len(named) > offset - head:
        return f"version {'1.x' if other else '0'} writes it so, and this file says {source.version}"
    return None


def _where(lark: Lark, text: str) -> tuple[int, set[str]]:
    """Find the offset of the first error of a text, or past its end if it has none, and the terminals expected."""
    parser = lark.parse_interactive(text)
    try:
        parser.exhaust_lexer()
        parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedInput as error:
        return offset_of(error, text), parser.accepts()  # type: ignore[no-untyped-call]
    return len(text) + 1, set()


def offset_of(error: UnexpectedInput, text: str) -> int:
    """Return the offset of lark's error in the text that it parsed."""
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    return len(text) if at_end else error.pos_in_stream or 0


def _around(source: ParsedText, coarse: UnexpectedInput) -> tuple[str, int]:
    """Leave out the text before the wrong frame, or the wrong match, which is known to be right.

    Returns the text that is left, and the number to add to an offset in its last part.
    """
    text = source.stripped
    reached = offset_of(coarse, text)
    head_end = text.index("]") + 1
    match_at, last_frame, depth = head_end, None, 0
    for bracket in _BRACKETS[source.major].finditer(text, head_end, reached):
        if bracket["open"]:
            if depth == 0:
                match_at, last_frame = bracket.start(), None
            elif depth == 1 and bracket["open"] == "frm[":
                last_frame = bracket.start()
            depth += 1
        elif bracket[0] in "])":
            depth -= 1
    headless = isinstance(coarse, UnexpectedCharacters) and "FRAME_HEAD" in coarse.allowed
    if headless and text.startswith("frm[", reached):
        last_frame = reached
    if last_frame is None:
        return text[:head_end] + text[match_at:], match_at - head_end
    kept = text[:head_end] + BARE
    return kept + text[last_frame:], last_frame - len(kept)


def _found(text: str, offset: int, expected: set[str]) -> str:
    match = _FOUND.match(text, offset)
    if match is None:
        return "the end of the file"
    found = match[0]
    if "TILE" in expected and not found.endswith("["):
        found = found[:2]
    quote = "'" if found == '"' else '"'
    return f"{quote}{found[:SHOWN]}{'…' if len(found) > SHOWN else ''}{quote}"


def _innermost(text: str, offset: int, major: int) -> tuple[str, int] | None:
    """Find the bracket that is open at an offset, with the word before it."""
    opened: list[tuple[str, int]] = []
    for bracket in _BRACKETS[major].finditer(text, 0, offset):
        if bracket["open"]:
            opened.append((bracket["open"], bracket.start()))
        elif bracket[0] in "])" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _count(lark: Lark, source: ParsedText, offset: int, expected: set[str], opening: str) -> str | None:
    """Name the fixed count that was missed, if that is what is wrong."""
    text = source.stripped
    spelled = {_spelling(lark, name) for name in expected}
    separated = text[offset : offset + 1] in (",", "]", ")")
    missing = "ply[" in spelled and spelled <= {"ply[", "rec["}
    if missing or ("mtp[" not in spelled and text.startswith("ply[", offset)):
        return FOUR_PLAYERS
    if spelled == {"("} and not opening and offset == len(text):
        return ONE_MATCH
    if spelled == {"hnd["} or (spelled == {"("} and opening == "frm[" and separated):
        return FOUR_HANDS
    count = COUNTS_OF_VERSION[source.major].get(opening) or COUNTS.get(opening)
    if count is None:
        return None
    wanted = count.terminal in expected
    item = re.compile(lark.get_terminal(count.terminal).pattern.to_regexp())
    too_many = not wanted and item.match(text, offset)
    # A frame has many commas: only one that stands for a tile tells of the dora.
    too_few = separated and (wanted or opening != "frm[")
    return count.words if too_many or too_few else None


def _spelling(lark: Lark, name: str) -> str | None:
    """Return the fixed spelling of a terminal, if it has one."""
    if name in WORDS:
        return None
    return str(lark.get_terminal(name).pattern.value)


def _word(lark: Lark, name: str) -> str:
    return WORDS.get(name) or f'"{_spelling(lark, name)}"'


def _sorted(lark: Lark, expected: set[str]) -> list[str]:
    order = list(WORDS)
    return sorted(
        expected,
        key=lambda name: (order.index(name) if name in WORDS else len(order), _spelling(lark, name) or ""),
    )


def _any_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
