"""What the text of each event begins with, in every syntax of every format of mjconv."""

from typing import Final

from mjconv.converters.interface import Format
from mjconv.converters.tenhou.detect import syntax_of
from mjconv.testing.places import Marks

#: The places of a deal, and calls of a discard.
DEAL: Final = ("round", "start_kyoku")
CALLS: Final = ("chi", "pon", "daiminkan")

_MJAI: Final = Marks(
    {
        "": r'\{[^{}]*"type"\s*:\s*"KIND"',
        "tsumo": r'\{(?=[^{}]*"type"\s*:\s*"tsumo")[^{}]*"pai"\s*:\s*"PAI"',
        "dahai": r'\{(?=[^{}]*"type"\s*:\s*"dahai")[^{}]*"pai"\s*:\s*"PAI"',
        "round": r'\{[^{}]*"type"\s*:\s*"start_kyoku"',
        "match": r'\{[^{}]*"type"\s*:\s*"(?:start_game|hello)"',
    }
)

#: A turn is in brackets: the player, the draw, the act. Spaces and comments may be anywhere.
_TURN: Final = r"\(\s*[eswn]\s*,"
_ACT: Final = r"(?<=[,(\s])"
_JMJP: Final = Marks(
    {
        "": _TURN,
        "match": r"\(",
        **dict.fromkeys(DEAL, r"(?<!\w)f\s*r\s*m\s*\["),
        "dahai": _ACT + r"(?:rc\[)?(?:PAI|tg|kg|\w \w|\w//)(?!\w)",
        **dict.fromkeys(("reach", "reach_accepted"), _ACT + r"r\s*c\s*\["),
        "ankan": _ACT + r"ak\[",
        "kakan": _ACT + r"kk\[",
        # The row of dora has no signs between its tiles, and names the dora, not their indicators.
        "dora": r"\w\w",
        "hora": rf"{_ACT}tm|{_TURN}\s*r[no]\s*,",
        "ryukyoku": rf"{_ACT}pfe\[|{_TURN}",
        "end_kyoku": r"\]",
    },
    apart=("dora",),
)

#: A turn begins with its number, or in the commands of the engine with its player.
_UZJE_TURN: Final = r"(?<!\S)(?:\d+\.|[ESWN])"
_UZJE: Final = Marks(
    {
        "": _UZJE_TURN,
        # Flowers and the first draw belong to the deal.
        "tsumo": rf"{_UZJE_TURN}|(?<!.)[ESWN] \d",
        "match": r"(?<!.)(?:[ESWN] \d|:|Match:|mjconv:)",
        **dict.fromkeys(DEAL, r"(?<!.)[ESWN] \d+ \d+"),
    }
)

_MJLOG: Final = Marks(
    {
        "": r"<N ",
        "match": r"<mjloggm",
        **dict.fromkeys(DEAL, r"<INIT "),
        "tsumo": r"<[TUVW]PAI\W",
        "dahai": r"<[DEFG]PAI\W",
        "dora": r"<DORA ",
        "reach": r'<REACH [^>]*step="1"',
        "reach_accepted": r'<REACH [^>]*step="2"',
        "hora": r"<AGARI ",
        "ryukyoku": r"<RYUUKYOKU ",
        "end_kyoku": r"<INIT |</mjloggm>",
    }
)
#: A number or a string of its own in a list.
_ITEM: Final = r"(?:(?<=[\[,\s])|^)"
_TENHOU_JSON: Final = Marks(
    {
        "": _ITEM + r'"',
        "match": r"\{",
        **dict.fromkeys((*DEAL, "ryukyoku", "end_kyoku"), _ITEM + r"\["),
        # A draw is its number; a discard may be the number of "as drawn", or have the sign of riichi.
        "tsumo": _ITEM + r"(?:PAI|0)(?!\d)",
        "dahai": _ITEM + r'(?:"r)?(?:PAI|60|0)(?!\d)',
        **dict.fromkeys(("reach", "reach_accepted"), _ITEM + r'"r\d'),
        "dora": _ITEM + r"\d",
        "hora": _ITEM + r"\[\s*(?:\d|\Z)|" + _ITEM + r"\[\Z",
    },
    # The draws of a player are one list, the discards another.
    in_order=False,
)

_MAJSOUL: Final = Marks(
    {
        "": r'(?<="data":)\{"(?:seat|type|liujumanguan)":',
        "match": r"\{",
        **dict.fromkeys(DEAL, r'(?<="data":)\{"chang"'),
        # The first draw of the dealer is a tile of the deal.
        "tsumo": r'(?<="data":)\{"seat":\d,"tile":"PAI","left|(?<="data":)\{"chang"',
        "dahai": r'(?<="data":)\{"seat":\d,"tile":"PAI","is_',
        "reach": r'(?<="data":)\{"seat":\d,"tile":"\w\w","is_liqi":true',
        "dora": r'(?<="data":)\{(?:"dora_marker"|"seat")',
        "hora": r'(?<="data":)\{"hules"',
        "end_kyoku": r'(?<="data":)\{"(?:hules|type|liujumanguan|players)"',
    }
)

#: In the short sample the data of a record is JSON in a string, in the other one it is JSON.
_CITY: Final = r'\{"data":"?\{\\*"'
_RIICHICITY: Final = Marks(
    {
        "": _CITY,
        "match": r"\{",
        "round": r'\{"(?:quanFeng|benChangNum)"',
        "start_kyoku": _CITY + r"hand_cards",
        "tsumo": _CITY + r"(?:in_card|hand_cards)",
        **dict.fromkeys(("dahai", "reach"), _CITY + r"move_cards_pos"),
        "dora": _CITY + r"cards",
    }
)

_COMMAND: Final = r'\{"time":"[^"]*","id":"[^"]*","cmd":"'
_MLEAGUE: Final = Marks(
    {
        "": _COMMAND,
        "match": r"\[",
        **dict.fromkeys(DEAL, _COMMAND + "kyokustart"),
        "tsumo": _COMMAND + r'tsumo","args":\["[A-D]0","\d+","PAI"',
        "dahai": _COMMAND + r'sutehai","args":\["[A-D]0","PAI"',
        **dict.fromkeys((*CALLS, "kakan", "ankan"), _COMMAND + "open"),
        "dora": _COMMAND + "dora",
        "reach": _COMMAND + "say",
        "reach_accepted": _COMMAND + "richi",
        "hora": _COMMAND + "agari",
        "ryukyoku": _COMMAND + "ryukyoku",
        "end_kyoku": _COMMAND + "kyokuend",
    }
)

_MAJIANG: Final = Marks(
    {
        "": r'(?<=":)\{"[lpm]":',
        "match": r"\{",
        "round": r'\[\{"qipai"',
        "start_kyoku": r'(?<="qipai":)\{',
        "tsumo": r'(?:(?<="zimo":)|(?<="gangzimo":))\{[^{}]*"p":"PAI"',
        "dahai": r'(?<="dapai":)\{[^{}]*"p":"PAI[_*]*"',
        # The next act accepts a riichi.
        "reach_accepted": r'(?<=":)\{"(?:[lpm]|name)":',
        "reach": r'(?<="dapai":)\{[^{}]*"p":"\w\d_?\*',
        **dict.fromkeys(CALLS, r'(?<="fulou":)\{[^{}]*"m":"'),
        **dict.fromkeys(("kakan", "ankan"), r'(?<="gang":)\{[^{}]*"m":"'),
        "dora": r'(?<="kaigang":)\{"baopai":"',
        "hora": r'(?<="hule":)\{"\w+"',
        "ryukyoku": r'(?<="pingju":)\{"\w+"',
        "end_kyoku": r'(?:(?<="pingju":)|(?<="hule":))\{',
    }
)

_MJX_EVENT: Final = r'\{"type":"EVENT_TYPE_'
#: A discard of the tile 0: protobuf leaves out zeros.
_MJX_ZERO: Final = r'\{(?:"type":"EVENT_TYPE_TSUMOGIRI",?)?(?:"who":\d)?\}'
_MJX: Final = Marks(
    {
        "": _MJX_EVENT,
        **dict.fromkeys(("match", "round"), r"(?<!.)\{"),
        "start_kyoku": r'(?<="publicObservation":)\{',
        "tsumo": _MJX_EVENT + "DRAW",
        "dahai": r'\{(?:"type":"EVENT_TYPE_TSUMOGIRI",)?(?:"who":\d,)?"tile":PAI\}|' + _MJX_ZERO,
        "chi": _MJX_EVENT + "CHI",
        "pon": _MJX_EVENT + "PON",
        "reach": _MJX_EVENT + "RIICHI",
        "reach_accepted": _MJX_EVENT + "RIICHI_SCORE_CHANGE",
        "hora": r'(?:(?<="wins":\[)|(?<=\},))\{"(?:who|fromWho|hand)"',
        "end_kyoku": r'(?<="roundTerminal":)\{',
    }
)

_HK: Final = Marks({"": r"(?<!.)\S+ \S+ \S+ \S+"})

#: A game is a line with three or four points.
_CLUB: Final = Marks({"": r"(?<!.)(?=\S).*(?:[\d?](?!\d).*){3}"})

_BOTZONE: Final = Marks(
    {
        "": r"(?<!.)Player \d \w+ ",
        **dict.fromkeys(("match", "round"), r"(?<!.)Match "),
        "start_kyoku": r"(?<!.)Player 0 Deal ",
        "tsumo": r"(?<!.)Player \d Draw PAI",
        "dahai": r"(?<!.)Player \d Play PAI",
        "pon": r"(?<!.)Player \d Peng PAI",
        "hora": r"(?<!.)(?:Player \d Hu |Score )",
        "ryukyoku": r"(?<!.)(?:Huang|Score )",
        "end_kyoku": r"(?<!.)Score ",
    }
)

_PMN: Final = Marks(
    {
        "": r"[CPZABR]\d[cdbwrf]\d",
        **dict.fromkeys(("match", "round"), r"(?<!.)\[Event "),
        "start_kyoku": r'(?<=Deal ")c',
        "tsumo": r"T\dPAI",
        "dahai": r"D\d(?:PAI|z1)",
        "hora": r'H\d|(?<=Result ")-?\d',
        "ryukyoku": r'N\d|(?<=Result ")-?\d',
        "end_kyoku": r"[HN]\d",
    }
)

_OF: Final = {
    "mjai": _MJAI, "jmjp": _JMJP, "uzje": _UZJE, "majsoul": _MAJSOUL, "riichicity": _RIICHICITY, "hk": _HK,
    "mleague": _MLEAGUE, "majiang": _MAJIANG, "mjx": _MJX, "club": _CLUB, "botzone": _BOTZONE, "pmn": _PMN,
}  # fmt: skip


def marks_of(form: Format, data: bytes) -> Marks:
    if form.id == "tenhou":
        return _MJLOG if syntax_of(data) == "xml" else _TENHOU_JSON
    return _OF[form.id]
