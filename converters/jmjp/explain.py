"""Explain why a jmjp file does not parse: the place, the text found, the text expected, and a hint."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import partial
from typing import Final, NamedTuple, cast, get_args

from lark import Lark, UnexpectedInput, UnexpectedToken
from msgspec import Struct

from mjconv.converters.jmjp.grammar import fine_parser
from mjconv.converters.jmjp.spelling import CODES, JMJP, WEEKDAYS, Field, codes_of
from mjconv.converters.jmjp.text import STRING, StrippedText
from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError
from mjconv.ir.match import Weekday


class CountedTerminal(NamedTuple):
    """The number of a terminal that the grammar expects inside a bracket: in words."""

    terminal: str
    words: str


class _Texts(Struct):
    """The file ``explain.json``.

    `words` are the words for each terminal; a fixed spelling is shown as it is. `counts` are the counts that are
    fixed, by the innermost open bracket, and `counts_of_version` the counts that differ between the versions.
    `typed` are characters that an input method types in place of ASCII characters, beside their forms of full
    width. `honours` are spellings of others: as numbers (mpsz), as letters, and as they are read; also of a tile
    that is not known. `acts` are acts as they are read, and their spellings in either version.
    """

    words: dict[str, str]
    counts: dict[str, CountedTerminal]
    counts_of_version: dict[int, dict[str, CountedTerminal]]
    typed: dict[str, str]
    honours: dict[str, list[str]]
    acts: dict[str, list[str]]


TEXTS: Final = catalogue(__name__, "explain.json", _Texts)
ONE_MATCH: Final = "a file holds one or more matches, each in ( )"
FOUR_PLAYERS: Final = "a match lists 4 players, each a ply["
FOUR_HANDS: Final = "a flow begins with 4 hands and ends with 4 hands"

#: The most characters of the text found that are shown.
SHOWN: Final = 16

_BRACKETS: Final = {
    major: re.compile(rf"{string}|(?P<open>[a-z]{{0,8}}[\[(])|[\])]") for major, string in STRING.items()
}
_ACTUAL: Final = re.compile(rf"[A-Za-z]{{1,{SHOWN}}}\[|[A-Za-z0-9.\-]+|.", re.DOTALL)


def explain(source: StrippedText, before: str, begin: int, bracket: int | None = None) -> InputError:
    """Return the error of a text that does not parse, found by parsing it with lark.

    The text from the offset `begin` on is parsed. `before` replaces the text between the head and this offset.
    `bracket` is the offset of the bracket of the match, if it is open there.

    If lark accepts the text, lark and the regular expressions differ. That is a fault of mjconv, and the error
    says so.
    """
    lark = fine_parser(source.major)
    text = source.stripped
    head = text[: text.index("]") + 1]
    reached, expected = _where(lark, head + before + text[begin:])
    if not expected:
        return InputError(
            "mjconv cannot read this, though the standard allows it: please report it as a fault of mjconv",
            source.place(begin),
        )
    reached -= len(head + before)
    offset = begin + reached
    opening = _innermost(source, begin, offset, bracket)
    actual = _actual(text, offset, expected)
    parts = [f"found {actual}, expected {_listed(lark, expected)}"]
    count = _count(lark, source, offset, expected, opening[0] if opening else "")
    if count:
        parts.append(count)
    if opening and (offset == len(text) or text[offset] in "])" or actual.endswith('["')):
        place = source.place(opening[1])
        parts.append(f'"{opening[0]}" of line {place.line}, column {place.column} is still open')
    spellings = frozenset(filter(None, (_spelling(lark, name) for name in expected)))
    meant = hint(text, offset, expected, spellings)
    if not meant:
        # The other version may write it so.
        other = f"jmjp[{1 - source.major}]{before}"
        if _where(fine_parser(1 - source.major), other + text[begin:])[0] - len(other) > reached:
            named = "0" if source.major else "1.x"
            meant = f"version {named} writes it so, and this file says {source.version}"
    if meant:
        parts.append(meant)
    return InputError("; ".join(parts), source.place(offset))


#: The spellings of each terminal, or an example: the ways in which an unfinished terminal may end.
_EXAMPLES: Final[Mapping[str, Sequence[str]]] = {
    "PT": ("25.0",),
    "FRAME_ID": ("E1-0",),
    "TILE": tuple(JMJP.values()),
    "SEAT": "eswn",
    "TILE_FROM": "kts",
    "PLYER_ID": "0123",
    "DICE_SEP": ("3-4",),
    "DICE_TOTAL": ("10",),
}


def stops(source: StrippedText, before: str, begin: int, end: int) -> bool:
    """Return whether the text from `begin` to `end` has no error: it only stops, perhaps inside a token.

    `before` replaces the text between the head and `begin`.
    """
    lark = fine_parser(source.major)
    head = source.stripped[: source.stripped.index("]") + 1] + before
    text = source.stripped[begin:end]
    reached, expected = _where(lark, head + text)
    rest = text[reached - len(head) :]
    return not rest or any(_begins(lark, name, rest) for name in expected)


def continuations(text: str, major: int) -> tuple[str, list[str]]:
    """Return the beginning of a token at the end of a stripped text, and the tokens that the grammar allows there.

    A token that may be spelled in many ways is an example: ``25.0`` for points.

    >>> continuations("jmjp[1.0](mt", 1), continuations("jmjp[1.0](mtp[,m", 1)
    (('mt', ['mtp[']), ('m', ['mon']))
    """
    lark = fine_parser(major)
    reached, expected = _where(lark, text)
    rest = text[reached:]
    known: list[str] = []
    for name in sorted(expected):
        spelling = _spelling(lark, name)
        known += [spelling] if spelling is not None else [*_shorthand(name), *_EXAMPLES.get(name, ())]
    return rest, [token for token in known if token.startswith(rest) and token != rest]


def _begins(lark: Lark, name: str, text: str) -> bool:
    """Return whether a text is the beginning of a terminal."""
    spelling = _spelling(lark, name)
    if spelling is not None:
        return spelling.startswith(text)
    terminal = re.compile(lark.get_terminal(name).pattern.to_regexp())
    ends = (example[begin:] for example in _EXAMPLES.get(name, ()) for begin in range(len(example)))
    return any(terminal.fullmatch(text + end) for end in ends)


def _where(lark: Lark, text: str) -> tuple[int, set[str]]:
    """Find the offset of the first error of a text, or past its end if it has none, and the terminals expected."""
    parser = lark.parse_interactive(text)
    try:
        parser.exhaust_lexer()
        parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedInput as error:
        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        offset = len(text) if at_end else error.pos_in_stream or 0
        return offset, parser.accepts()  # type: ignore[no-untyped-call]
    return len(text) + 1, set()


def _actual(text: str, offset: int, expected: set[str]) -> str:
    match = _ACTUAL.match(text, offset)
    if match is None:
        return "the end of the file"
    actual = match[0]
    if "TILE" in expected and not actual.endswith("["):
        actual = actual[:2]
    quote = "'" if actual == '"' else '"'
    return f"{quote}{actual[:SHOWN]}{'…' if len(actual) > SHOWN else ''}{quote}"


def _innermost(source: StrippedText, begin: int, end: int, bracket: int | None) -> tuple[str, int] | None:
    """Find the innermost open bracket at the end of a text, with its word. The bracket of the match counts too."""
    opened = [] if bracket is None else [("(", bracket)]
    for piece in _BRACKETS[source.major].finditer(source.stripped, begin, end):
        if piece["open"]:
            opened.append((piece["open"], piece.start()))
        elif piece[0] in "])" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _count(lark: Lark, source: StrippedText, offset: int, expected: set[str], opening: str) -> str | None:
    """Name the fixed count that the text does not have; None if the error is another one."""
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
    count = TEXTS.counts_of_version[source.major].get(opening) or TEXTS.counts.get(opening)
    if count is None:
        return None
    wanted = count.terminal in expected
    item = re.compile(lark.get_terminal(count.terminal).pattern.to_regexp())
    too_many = not wanted and item.match(text, offset)
    # A frame has many commas: only a comma in place of a tile is a sign of the dora.
    too_few = separated and (wanted or opening != "frm[")
    return count.words if too_many or too_few else None


def _spelling(lark: Lark, name: str) -> str | None:
    """Return the fixed spelling of a terminal, if it has one."""
    if name in TEXTS.words:
        return None
    return str(lark.get_terminal(name).pattern.value)


def _listed(lark: Lark, expected: set[str]) -> str:
    """Return the words for terminals: first from `TEXTS.words` in their order, then the fixed spellings."""
    words = [word for name, word in TEXTS.words.items() if name in expected]
    words += sorted(f'"{spelling}"' for name in expected if (spelling := _spelling(lark, name)) is not None)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


# Hints: characters of an input method, tiles of other notations, misspelt words.

#: How near a misspelt word must be to a token, from 0 to 1, and the longest such word.
_NEAR: Final = 0.6
_MOST_WORD: Final = 16
_LETTERS: Final = re.compile(r"[A-Za-z0-9-]+\Z")
_TOKEN: Final = re.compile(rf"[A-Za-z0-9-]{{2,{_MOST_WORD}}}")
_TYPED_WORD: Final = re.compile(r'[^\s,.\[\]()"]{0,16}.', re.DOTALL)
#: Tiles as others spell them, the longest spellings first.
_TILES: Final = dict(
    sorted(
        [
            *((word, tile) for tile, words in TEXTS.honours.items() for word in words),
            *((tile.upper(), tile) for tile in JMJP.values() if tile[0].isdigit()),
            *((f"{first}5{suit}{last}", f"0{suit}") for suit in "mps" for first, last in (("", "r"), ("r", ""))),
        ],
        key=lambda pair: -len(pair[0]),
    )
)
_GROUP: Final = re.compile("([0-9]{3,14})([mps])")
_SEATS: Final = {word: tile[0] for word, tile in _TILES.items() if tile in ("ew", "sw", "ww", "nw")}
_ROUND: Final = re.compile("([東南西北eswnESWN])([1-4])局?-?([0-9]{0,4})(?:本場)?")
_POINTS: Final = re.compile(r"(-?[0-9]{1,9})(?![.0-9])")
_DATE: Final = re.compile("([0-9]{4})[-/年]([0-9]{1,2})[-/月]([0-9]{1,2})日?")
_TIME: Final = re.compile("([0-9]{1,2})[:時]([0-9]{2})分?")
_DAYS: Final = dict(zip("月火水木金土日", WEEKDAYS, strict=True))
_TILES_OF_ACT: Final = re.compile(rf"(?:{'|'.join(JMJP.values())}){{1,4}}")


def hint(text: str, offset: int, expected: set[str], spellings: Collection[str] = ()) -> str | None:
    """Return a hint about the text at the offset of an error.

    `expected` are the terminals that the grammar expects there, `spellings` the fixed spellings among them.

    >>> hint("(e，5m,tg)", 2, {"COMMA"})
    '"，" is to be typed as ","'
    >>> hint("(e,5z,tg)", 3, {"TILE"}), hint("(e,5mr,tg)", 5, {"COMMA"})
    ('the tile 5z is spelled wd', 'the tile 5mr is spelled 0m')
    >>> hint("(e,hnd[234m", 7, {"TILE"})
    'the group of tiles 234m is spelled 2m3m4m'
    >>> hint("ply[0,,mlg-drnn,,]", 14, {"COMMA"})
    'did you mean "mlg-drn" in place of "mlg-drnn"?'
    """
    return _typed(text, offset) or _other(text, offset, expected) or _meant(text, offset, expected, spellings)


def _typed(text: str, offset: int) -> str | None:
    word = _TYPED_WORD.match(text, offset)
    for char in word[0] if word else "":
        plain = TEXTS.typed.get(char) or unicodedata.normalize("NFKC", char)
        if not char.isascii() and plain.isascii():
            return f"{_quoted(char)} is to be typed as {_quoted(plain)}"
    return None


def _other(text: str, offset: int, expected: set[str]) -> str | None:
    """Return the spelling of a value that is spelled as elsewhere. A red five may be wrong at its last letter."""
    red = text[max(offset - 2, 0) : offset + 1]
    if red.startswith("5") and red.endswith("r") and red in _TILES:
        return f"the tile {red} is spelled {_TILES[red]}"
    for terminal, name, spelled in _OTHERS:
        pair = spelled(text, offset) if terminal in expected else None
        if pair is not None:
            return f"the {name} {pair[0]} is spelled {pair[1]}"
    return None


def _of_table(table: Mapping[str, str], text: str, offset: int) -> tuple[str, str] | None:
    """Return the spelling of a table at an offset, in any case but for single letters, and the word for it."""
    for spelling, word in table.items():
        end = offset + len(spelling)
        here = text[offset:end]
        if here == spelling or (len(spelling) > 1 and here.lower() == spelling):
            # A word of letters ends there: "Eat" is no east wind.
            ends = not (spelling.isascii() and spelling.isalpha() and text[end : end + 1].islower())
            return (here, word) if ends else None
    return None


def _round(text: str, offset: int) -> tuple[str, str] | None:
    named = _ROUND.match(text, offset)
    if named is None:
        return None
    wind = _SEATS.get(named[1].upper(), "").upper()
    return named[0], f"{wind}{named[2]}-{int(named[3] or 0)}"


def _points(text: str, offset: int) -> tuple[str, str] | None:
    number = _POINTS.match(text, offset)
    if number is None or (abs(value := int(number[1])) >= _LEAST_POINTS and value % 100):
        return None
    return number[1], number[1] + ".0" if value < _LEAST_POINTS else f"{int(number[1]) / 1000:.1f}"


def _when(pattern: re.Pattern[str], digits: str, text: str, offset: int) -> tuple[str, str] | None:
    """Return the digits of a date or a time, and the text that has them."""
    when = pattern.match(text, offset)
    return None if when is None else (when[0], digits.format(*when.groups()))


#: Below this a number without decimals is one of thousands, from here on one of points.
_LEAST_POINTS: Final = 1000


def _group(text: str, offset: int) -> tuple[str, str] | None:
    """Return the tiles of a group with one letter, such as ``234m``, and each of them with its own."""
    found = _GROUP.match(text, offset)
    return (found[0], "".join([digit + found[2] for digit in found[1]])) if found else None


#: The terminals that others spell otherwise: how they are called, and what finds such a spelling at an offset.
_OTHERS: Final[tuple[tuple[str, str, Callable[[str, int], tuple[str, str] | None]], ...]] = (
    ("TILE", "tile", partial(_of_table, _TILES)),
    ("TILE", "group of tiles", _group),
    ("SEAT", "seat", partial(_of_table, _SEATS)),
    ("FRAME_ID", "round", _round),
    ("PT", "number of points", _points),
    ("MATCH_DATE", "date", partial(_when, _DATE, "{}{:0>2}{:0>2}")),
    ("MATCH_TIME", "time", partial(_when, _TIME, "{:0>2}{}")),
    ("MATCH_DAY_OF_WK", "day", partial(_of_table, _DAYS)),
)


def _meant(text: str, offset: int, expected: set[str], spellings: Collection[str]) -> str | None:
    """Return the token that a misspelt word probably means. The error may be inside the word."""
    before = _LETTERS.search(text, max(0, offset - _MOST_WORD), offset)
    begin = before.start() if before else offset
    token = _TOKEN.match(text, begin)
    if token is None:
        return None
    word, after = token[0], text[token.end() : token.end() + 1]
    if "oy" in spellings and (word == "tm" or TEXTS.acts.get(word.lower()) == ["tm"]):
        return "the tile that was drawn comes before tm, as in (e,5m,tm)"
    meant = (*TEXTS.acts.get(word.lower(), ()), word.lower() + after * (after == "["))
    act = next((each for each in meant if each in spellings), None)
    act = act or _with_bracket(word, after, spellings)
    if act is not None:
        return _in_place_of(word, after, act)
    codes = {code for name in expected for code in _shorthand(name)}
    if begin < offset:
        # The beginning of the word was read as a token that it is not.
        read = text[begin:offset]
        codes.update({*CODES, *get_args(Weekday)} if read in CODES or read in get_args(Weekday) else ())
    for known in (codes, [spelling for spelling in spellings if len(spelling) > 2]):
        # A bracket after a word is part of its spelling.
        bare = {each.rstrip("[("): each for each in known}
        close = _nearest(word.lower(), bare) if len(word) > 2 else None
        if close is not None and word not in bare:
            return _in_place_of(word, after, bare[close])
    return None


def _with_bracket(word: str, after: str, spellings: Collection[str]) -> str | None:
    """Return the act of a word without its brackets: its name and its tiles."""
    for act in spellings:
        tiles = word.removeprefix(act[:-1])
        if act.endswith("[") and tiles != word and _TILES_OF_ACT.fullmatch(tiles):
            return act + tiles + "]" * (after != "]")
    return None


def _in_place_of(word: str, after: str, meant: str) -> str:
    """Propose a token for a word. `after` is the character after the word, which may be its bracket."""
    bracket = "[" if after == "[" and meant.endswith("[") else ""
    return f'did you mean "{meant}" in place of "{word}{bracket}"?'


def _nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is nearest; of several the one with the longest common beginning.

    >>> _nearest("mlg-dnr", ["mlg-rdn", "mlg-drn"]), _nearest("xyz", ["abc"])
    ('mlg-drn', None)
    """
    close = get_close_matches(word, known, 3, _NEAR)

    def nearness(other: str) -> tuple[float, int]:
        return SequenceMatcher(None, other, word).ratio(), _common_beginning(word, other)

    return max(close, key=nearness, default=None)


def _common_beginning(one: str, other: str) -> int:
    return next((i for i, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) > 1), len(one))


def _shorthand(terminal: str) -> Sequence[str]:
    """Return the tokens of a terminal: the shorthand tokens of a field, or the days of the week."""
    field = terminal.lower()
    if field in get_args(Field):
        return codes_of(cast(Field, field))
    return get_args(Weekday) if terminal == "MATCH_DAY_OF_WK" else ()


def _quoted(char: str) -> str:
    return f"'{char}'" if char == '"' else f'"{char}"'
