"""The shorthand tokens of the standard (Table 1): what each stands for."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.ir.match import Text

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
