"""How jmjp spells tiles (section 2.3.6), points (section 2.3.5) and shorthand tokens (Table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.ir.events import MOST_POINTS
from mjconv.ir.match import Text
from mjconv.ir.tiles import DORA_OF, HIDDEN, INDICATOR_OF, Tile, plain

#: Hub spelling to jmjp's.
JMJP: Final[dict[Tile, str]] = {
    **{f"{rank}{suit}": f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)},
    **{f"5{suit}r": f"0{suit}" for suit in "mps"},
    "E": "ew",
    "S": "sw",
    "W": "ww",
    "N": "nw",
    "P": "wd",
    "F": "gd",
    "C": "rd",
    HIDDEN: "uk",
}
#: jmjp spelling to the hub's.
HUB: Final[dict[str, Tile]] = {spelling: tile for tile, spelling in JMJP.items()}

#: An indicator as the hub keeps it to the dora as jmjp writes it; and back, which cannot tell a red indicator.
DORA: Final[dict[Tile, str]] = {indicator: JMJP[dora] for indicator, dora in DORA_OF.items()}
INDICATOR: Final[dict[str, Tile]] = {spelling: INDICATOR_OF[plain(tile)] for spelling, tile in HUB.items()}

#: A seat's letter by its place after the dealer, and the place of a letter.
LETTERS: Final = "eswn"
PLACE: Final = {letter: place for place, letter in enumerate(LETTERS)}


def spell(tiles: Sequence[Tile]) -> str:
    """Spell tiles one after the other.

    >>> spell(("5mr", "E", "?"))
    '0mewuk'
    """
    return "".join(map(JMJP.__getitem__, tiles))


def split(text: str) -> tuple[Tile, ...]:
    """Read tiles that follow each other.

    >>> split("0mewuk")
    ('5mr', 'E', '?')
    """
    return tuple([HUB[text[at : at + 2]] for at in range(0, len(text), 2)])


#: What the one decimal counts.
STEP: Final = 100
#: No number with more characters is looked at.
_LONGEST: Final = 12


@lru_cache(4096)
def read_points(text: str) -> int:
    """Give the points that a number of the form ``-?[0-9]+.[0-9]`` tells.

    Raises `ValueError` when it is out of range.

    >>> read_points("25.0"), read_points("-1.5")
    (25000, -1500)
    """
    if len(text) <= _LONGEST:
        points = int(text.replace(".", "")) * STEP
        if abs(points) <= MOST_POINTS:
            return points
    raise ValueError(f"{text[:_LONGEST]} is out of range: points go to {write_points(MOST_POINTS)}")


@lru_cache(4096)
def write_points(points: int) -> str | None:
    """Spell points; None for those that are no multiple of 100 or out of range.

    >>> write_points(25000), write_points(-1500), write_points(1050)
    ('25.0', '-1.5', None)
    """
    if points % STEP or abs(points) > MOST_POINTS:
        return None
    whole, tenth = divmod(abs(points) // STEP, 10)
    return f"{'-' if points < 0 else ''}{whole}.{tenth}"


#: The fields that have shorthand tokens, by the standard's identifiers.
Field: TypeAlias = Literal["tour_name", "tour_stage", "match_place", "plyer_team", "plyer_affil"]


class Code(NamedTuple):
    """One shorthand token: the fields it may stand in, and its meaning in native script and romanised."""

    fields: tuple[Field, ...]
    native: str | None
    roman: str | None


#: Table 1. Where the table gives one script only, the other is None.
CODES: Final[dict[str, Code]] = {
    "mlg": Code(("tour_name",), "Mリーグ", "M League"),
    "1rd": Code(("tour_stage",), None, "First round"),
    "2rd": Code(("tour_stage",), None, "Second round"),
    "qtf": Code(("tour_stage",), None, "Quarterfinal"),
    "smf": Code(("tour_stage",), None, "Semifinal"),
    "fin": Code(("tour_stage",), None, "Final"),
    "mlg-reg": Code(("tour_stage",), "Mリーグ レギュラーシーズン", "M League Regular Season"),
    "mlg-sfs": Code(("tour_stage",), "Mリーグ セミファイナルシーリズ", "M League Semifinal Series"),
    "mlg-fns": Code(("tour_stage",), "Mリーグ ファイナルシーリズ", "M League Final Series"),
    "mlg-std": Code(("match_place",), "Mリーグスタジオ", "M League Studio"),
    "mlg-drn": Code(("plyer_team",), "Mリーグ 赤坂ドリブンズ", "M League - Akasaka Drivens"),
    "mlg-exf": Code(("plyer_team",), "Mリーグ EX風林火山", "M League - EX Furinkazan"),
    "mlg-skn": Code(("plyer_team",), "Mリーグ KADOKAWAサクラナイツ", "M League - Kadokawa Sakura Knights"),
    "mlg-mfc": Code(("plyer_team",), "Mリーグ KONAMI麻雀格闘倶楽部", "M League - Konami Mahjong Fight Club"),
    "mlg-abm": Code(("plyer_team",), "Mリーグ 渋谷ABEMAS", "M League - Shibuya Abemas"),
    "mlg-phx": Code(("plyer_team",), "Mリーグ セガサミーフェニックス", "M League - Sega Sammy Phoenix"),
    "mlg-rdn": Code(("plyer_team",), "Mリーグ TEAM 雷電", "M League - Team Raiden"),
    "mlg-prt": Code(("plyer_team",), "Mリーグ U-NEXT Pirates", "M League - U-Next Pirates"),
    "none": Code(("plyer_affil",), None, "No known affiliation"),
    "saikouisen": Code(("plyer_affil",), "最高位戦日本プロ麻雀協会", None),
    "prokyoukai": Code(("plyer_affil",), "日本プロ麻雀協会", None),
    "prorenmei": Code(("plyer_affil",), "日本プロ麻雀連盟", None),
    "rmu": Code(("plyer_affil",), "RMU", "RMU"),
    "rengoumu": Code(("plyer_affil",), "麻将連合-μ-", None),
    "101": Code(("plyer_affil",), "101競技連盟", None),
    "kishikai": Code(("plyer_affil",), "日本プロ麻雀棋士会", None),
    "zennihon": Code(("plyer_affil",), "全日本麻雀協会", None),
}


def codes_of(field: Field) -> list[str]:
    """Give the shorthand tokens of a field, in the order of Table 1.

    >>> codes_of("tour_name"), codes_of("match_place")
    (['mlg'], ['mlg-std'])
    """
    return [code for code, row in CODES.items() if field in row.fields]


def display(text: Text, *, roman: bool = False) -> str:
    """Give a text as people read it: its native part or, if asked for or alone, the romanised one.

    A code gives its meaning, an unknown code itself, an empty text ``""``.

    >>> display(Text(code="mlg-std")), display(Text(code="mlg-std"), roman=True), display(Text(roman="Asakura"))
    ('Mリーグスタジオ', 'M League Studio', 'Asakura')
    """
    row = CODES.get(text.code) if text.code is not UNSET else None
    native = text.native or (row and row.native)
    romanised = text.roman or (row and row.roman)
    chosen = (romanised or native) if roman else (native or romanised)
    return chosen or text.code or ""
