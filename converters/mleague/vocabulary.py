"""Tiles, players, yaku and limits as the records of M-League spell them."""

from collections.abc import Mapping
from typing import Final

from mjconv.converters.shared.json_values import WrongValueError, shown
from mjconv.ir.catalogue import catalogue
from mjconv.ir.message_names import YAKU_IN_MESSAGES
from mjconv.ir.spelling import PLAIN, Seating, Spelling, by_table
from mjconv.ir.tiles import DRAGONS, SUITS, WINDS, Tile
from mjconv.ir.vocabulary import YAKU

PLAYERS: Final = ("A0", "B0", "C0", "D0")
#: The seat of each player.
SEAT_OF: Final[Mapping[str, int]] = {name: seat for seat, name in enumerate(PLAYERS)}
#: The hub's tile of each spelling.
TILE_OF: Final[Mapping[str, Tile]] = (
    {f"{rank}{suit}": f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)}
    | {f"5{suit.upper()}": f"5{suit}r" for suit in SUITS}
    | {f"{number}z": tile for number, tile in enumerate((*WINDS, *DRAGONS), 1)}
)
_SPELLED: Final = {tile: spelling for spelling, tile in TILE_OF.items()}


#: Spells a tile; one that a record does not have is spelled as in the hub.
spell_tile: Final = by_table(_SPELLED)


def _spell_player(seat: int, seating: Seating) -> str:
    player = PLAYERS[seat] if seat < len(PLAYERS) else PLAIN.player(seat, seating)
    name = seating.names[seat] if seat < len(seating.names) else ""
    return f"{player} ({name})" if name else player


#: How messages about a record of M-League spell players and tiles.
SPELLING: Final = Spelling(_spell_player, spell_tile, PLAIN.wind, spell_tile)


def tiles_of(text: str) -> tuple[Tile, ...]:
    """Return the tiles of a text such as ``1m5P7z``; none of an empty text. Raises `WrongValueError`.

    >>> tiles_of("1m5P7z")
    ('1m', '5pr', 'C')
    """
    tiles = [text[begin : begin + 2] for begin in range(0, len(text), 2)]
    for tile in tiles:
        if tile not in TILE_OF:
            raise WrongValueError(f"expected tiles such as 1m or 5P, not {shown(tile)}")
    return tuple([TILE_OF[tile] for tile in tiles])


#: Spellings of yaku that differ from the Japanese names of the vocabulary, or are used beside them.
_OTHERS: Final = catalogue(__name__, "yaku.json", dict[str, list[str]])
#: The hub's name of each yaku but the winds, by its spelling.
YAKU_OF: Final[Mapping[str, str]] = {yaku.japanese: name for name, yaku in YAKU.items() if "wind" not in name} | {
    spelling: name for name, spellings in _OTHERS.items() for spelling in spellings
}
#: The winds: of the round or of the seat; and both together.
WIND_OF: Final[Mapping[str, Tile]] = dict(zip("東南西北", WINDS, strict=True))
DOUBLE_WIND_OF: Final[Mapping[str, Tile]] = {f"ダブ{name}": wind for name, wind in WIND_OF.items()}
#: The limits, from mangan to yakuman.
LIMITS: Final = ("満貫", "跳満", "倍満", "三倍満", "役満")
#: The limit of the yakuman that count twice or more, which the record calls the same.
YAKUMAN: Final = "役満"


def yaku_in_messages(spelling: str, han: int, round_wind: Tile, seat_wind: Tile) -> list[tuple[str, int]]:
    """Return a yaku as `Win.yakus` names it: none for one that adds nothing, two for a double wind.

    A spelling that is not known is kept. Raises `WrongValueError` for a wind that is neither of the round nor of
    the seat.

    >>> yaku_in_messages("ダブ東", 2, "E", "E"), yaku_in_messages("南", 1, "E", "S")
    ([('bakaze', 1), ('jikaze', 1)], [('jikaze', 1)])
    """
    if spelling in DOUBLE_WIND_OF:
        return [("bakaze", 1), ("jikaze", 1)]
    wind = WIND_OF.get(spelling)
    if wind is not None:
        if wind not in (round_wind, seat_wind):
            raise WrongValueError(f"{spelling} is the wind neither of the round nor of the winner's seat")
        if round_wind == seat_wind and han == 2:
            return [("bakaze", 1), ("jikaze", 1)]
        return [("jikaze" if wind == seat_wind else "bakaze", han)]
    name = YAKU_OF.get(spelling)
    if name is None:
        return [(spelling, han)]
    return [(YAKU_IN_MESSAGES.get(name, name), han)] if han else []
