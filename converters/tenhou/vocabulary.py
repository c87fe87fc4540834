"""Tenhou's numbers and spellings of the field's terms, and the hub's names for them.

The tables serve both syntaxes: mjlog XML has numbers, tenhou.net/6 JSON has the Japanese spellings.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec import UNSET, UnsetType, structs

from mjconv.converters.shared.tile_numbers import with_numbers
from mjconv.converters.tenhou.detect import syntax_of
from mjconv.ir.catalogue import catalogue
from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Rules
from mjconv.ir.spelling import PLAIN, Spelling
from mjconv.ir.tiles import DRAGONS, HIDDEN, RED_FIVES, SUITS, WINDS, Tile

#: The seats of every list of a record. Where three play, the last one is empty.
LISTED: Final = 4

#: The letters of draws and of discards in mjlog, by seat.
DRAWS: Final = "TUVW"
DISCARDS: Final = "DEFG"

# The largest numbers of mjlog: the reader refuses larger ones, and the writer does not write them.
MOST_FU: Final = 200
MOST_HAN: Final = 200
#: Counters of honba, and riichi sticks on the table.
MOST_COUNT: Final = 100_000
#: The points of a hand.
MOST_WON: Final = 10_000_000
#: The points of a player after uma. The first has what all others lose.
MOST_RESULT: Final = 4 * MOST_POINTS + 1_000_000
#: The rating of a player in mjlog.
RATE: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")

#: The tile of each number in tenhou.net/6 JSON: 11-19 characters, 21-29 circles, 31-39 bamboo, 41-47 winds and
#: dragons, 51-53 the red fives, 0 a tile that is not shown.
TILE_OF: Final[Mapping[int, Tile]] = {
    **{10 * ten + rank: f"{rank}{suit}" for ten, suit in enumerate(SUITS, 1) for rank in range(1, 10)},
    **dict(enumerate((*WINDS, *DRAGONS), 41)),
    **dict(enumerate(RED_FIVES, 51)),
    0: HIDDEN,
}
#: The number of each tile in tenhou.net/6 JSON.
NUMBER_OF: Final[Mapping[Tile, int]] = {tile: number for number, tile in TILE_OF.items()}

#: The hub's name of each reason of a draw, by the `type` of RYUUKYOKU; empty for an exhausted wall.
REASON_BY_TYPE: Final = catalogue(__name__, "types.json", dict[str, str])
#: The `type` of RYUUKYOKU of each reason.
TYPE_BY_REASON: Final[Mapping[str, str]] = {name: number for number, name in REASON_BY_TYPE.items()}
#: The spellings of each reason in tenhou.net/6: the first is Tenhou's, the others are of other programs. An
#: exhausted wall has two more of Tenhou's, for hands that are all in tenpai and for none in tenpai.
_REASONS: Final = catalogue(__name__, "reasons.json", dict[str, list[str]])
REASON_SPELLINGS: Final = {name: spellings[0] for name, spellings in _REASONS.items()}
ALL_TENPAI: Final = "全員聴牌"
NONE_TENPAI: Final = "全員不聴"
_SPELLED_REASONS: Final = {spelling: name for name, spellings in _REASONS.items() for spelling in spellings}

#: The names of ranks, by their numbers.
RANKS: Final = catalogue(__name__, "ranks.json", tuple[str, ...])

# The bits of a GO type.
HUMANS: Final = 0x1
NO_RED: Final = 0x2
NO_OPEN_TANYAO: Final = 0x4
SOUTH: Final = 0x8
THREE: Final = 0x10
#: The bits of a room, and the bits of rooms with chips.
_ROOM: Final = 0xA0
_CHIPS: Final = 0x600
#: The rooms by their bits, with their signs. Records without a room are from the room that is open to all.
_ROOMS: Final = {0x80: ("joukyuu", "上"), 0x20: ("tokujou", "特"), 0xA0: ("houou", "鳳")}
_CHIP_ROOMS: Final = {0: "若", 0x80: "銀", 0x20: "琥", 0xA0: "孔"}
_BITS: Final = {name: bits for bits, (name, _) in _ROOMS.items()}
_SIGNS: Final = dict(_ROOMS.values())
#: The rooms by the texts that exports display. Mahjong Soul's rooms are in exports of other programs.
ROOM_OF: Final = {sign: name for name, sign in _SIGNS.items()} | catalogue(__name__, "rooms.json", dict[str, str])


def reason_of(spelling: str) -> str | None:
    """Return the hub's name of a reason of a draw that a record spells in Japanese, or None if it is unknown.

    Other programs' words may have small or capital letters.

    >>> reason_of("全員聴牌"), reason_of("三家和"), reason_of("Four Wind Abortion")
    ('exhaustive_draw', 'triple_ron', 'four_winds')
    """
    return _SPELLED_REASONS.get(spelling.lower())


def rules_of(go_type: int) -> Rules:
    """Return the rules that a GO type states.

    >>> rules_of(169)
    Rules(length='south', players=4, reds=(1, 1, 1), open_tanyao=True)
    """
    players = 3 if go_type & THREE else 4
    return Rules(
        reds=(0, 0, 0) if go_type & NO_RED else (0, 1, 1) if players == 3 else (1, 1, 1),
        open_tanyao=not go_type & NO_OPEN_TANYAO,
        length="south" if go_type & SOUTH else "east",
        players=players,
    )


def room_of(go_type: int) -> str | UnsetType:
    """Return the room that a GO type states; absent for the room that is open to all.

    >>> room_of(169), room_of(9)
    ('houou', UNSET)
    """
    room = go_type & _ROOM
    if go_type & _CHIPS:
        return _CHIP_ROOMS[room]
    return _ROOMS[room][0] if room else UNSET


def type_of(rules: Rules, players: int, *, reds: bool, room: str | UnsetType = UNSET) -> int:
    """Return the GO type of a game of humans. `reds` says whether it has red fives.

    A rule that is not stated counts as the usual one: open tanyao, a game of two winds.

    >>> type_of(Rules(length="east", open_tanyao=False), 4, reds=True), type_of(Rules(), 3, reds=False)
    (5, 27)
    """
    return (
        HUMANS
        | (0 if reds else NO_RED)
        | (NO_OPEN_TANYAO if rules.open_tanyao is False else 0)
        | (0 if rules.length in ("one round", "east") else SOUTH)
        | (THREE if players == LISTED - 1 else 0)
        | _BITS.get(room or "", 0)
    )


def display_of(rules: Rules | UnsetType, players: int, room: str | UnsetType = UNSET) -> str:
    """Return the name of the rules as Tenhou's exports display it; without a room, as for the room open to all.

    >>> display_of(UNSET, 4), display_of(Rules(reds=(0, 0, 0), length="east"), 3)
    ('般南喰赤', '三般東喰')
    """
    rules = Rules() if rules is UNSET else rules
    go_type = type_of(rules, players, reds=rules.reds is UNSET or any(rules.reds))
    three, length = "三" if go_type & THREE else "", "南" if go_type & SOUTH else "東"
    tanyao, red = "" if go_type & NO_OPEN_TANYAO else "喰", "" if go_type & NO_RED else "赤"
    return f"{three}{_SIGNS.get(room or '', '般')}{length}{tanyao}{red}"


# How messages spell tiles: by the numbers of each syntax.

#: The spelling in messages about mjlog. Pictures have the hub's tiles: the numbers of all copies are too long.
#: An mjlog has points in hundreds.
SPELLING: Final = Spelling(
    PLAIN.player, partial(with_numbers, reds=True), PLAIN.wind, str, lambda points: f"{points / 100:g}"
)
WITHOUT_REDS: Final = structs.replace(SPELLING, tile=partial(with_numbers, reds=False))
#: The spelling in messages about tenhou.net/6 JSON and links.
JSON: Final = Spelling(PLAIN.player, lambda tile: str(NUMBER_OF.get(tile, tile)), PLAIN.wind)

_TYPE: Final = re.compile(rb"<GO\s[^>]{0,4096}?type\s{0,64}=\s{0,64}[\"']([0-9]{1,5})[\"']")


def spelling_of(head: bytes) -> Spelling:
    """Return the spelling of a file that begins with `head`.

    >>> spelling_of(b'{"title":["",""],"log":[[[0,0,0],[25000]]]}').tile("5m")
    '15'
    >>> spelling_of(b'<mjloggm ver="2.3"><GO type="3" lobby="0"/>').tile("5m")
    '5m (16-19)'
    """
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and syntax_of(head) != "xml":
        return JSON
    go_type = _TYPE.search(head)
    return WITHOUT_REDS if go_type is not None and int(go_type[1]) & NO_RED else SPELLING
