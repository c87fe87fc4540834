"""Small logs written by hand: three rounds that each need a note, and a round in each dialect."""

from logs import Message

NAMES = ["A  b", 'quo"ted', "// no comment", "石橋 伸洋\n(東)"]
HAND = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p", "2p", "3p", "4p"]


def hand_made_round(number: int) -> list[Message]:
    """Give a round that the dealer draws and discards one tile in, with a key of its own in each message."""
    dealer = number - 1
    deal: Message = {
        "type": "start_kyoku", "bakaze": "E", "dora_marker": "9s", "kyoku": number, "honba": 0, "kyotaku": 0,
        "oya": dealer, "scores": [25000] * 4, "tehais": [HAND] * 4,
    }  # fmt: skip
    play: list[Message] = [
        deal,
        {"type": "tsumo", "actor": dealer, "pai": "6s"},
        {"type": "dahai", "actor": dealer, "pai": "1m", "tsumogiri": False},
        {"type": "ryukyoku", "reason": "ended by hand", "deltas": [0] * 4},
        {"type": "end_kyoku"},
    ]
    return [message | {"meta": f"{number}.{place}"} for place, message in enumerate(play)]


#: Three rounds and a beginning that each need a note.
LOG: list[Message] = [
    {"type": "start_game", "names": NAMES, "seed": [1, 2]},
    *(message for number in (1, 2, 3) for message in hand_made_round(number)),
    {"type": "end_game", "meta": "end"},
]


def hands(*tiles: str) -> list[list[str]]:
    """Deal each player four sorts of tiles: three, three, three and four of each."""
    return [[a] * 3 + [b] * 3 + [c] * 3 + [d] * 4 for a, b, c, d in (hand.split() for hand in tiles)]


HANDS = hands("1m 2m 3m 4m", "1p 2p 3p 4p", "1s 2s 3s 4s", "E S W P")

START: Message = {"type": "start_game", "names": ["a", "b", "c", "d"]}
DEAL: Message = {
    "type": "start_kyoku", "bakaze": "E", "dora_marker": "1m", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
    "tehais": HANDS,
}  # fmt: skip
PLAY: list[Message] = [
    {"type": "tsumo", "actor": 0, "pai": "9p"},
    {"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": True},
    {"type": "ryukyoku"},
    {"type": "end_kyoku"},
]
END: Message = {"type": "end_game"}
#: A game of two rounds of one turn.
GAME = [START, DEAL, *PLAY, DEAL, *PLAY, END]

#: One round in each dialect, with all that it has of its own.
DIALECTS: dict[str, list[Message]] = {
    "original server": [
        {
            "type": "start_game", "id": 1, "names": ["p0", "p1", "p2", "p3"], "uri": "http://x/game?a=b",
            "logs": None, "meta": {"logs": {}},
        },
        {"type": "start_kyoku", "oya": 0, "dora_marker": "9p", "tehais": HANDS, "logs": [None, "x", None, None]},
        {"type": "tsumo", "actor": 0, "pai": "6s", "possible_actions": [{"type": "reach", "actor": 0}]},
        {"type": "reach", "actor": 0, "cannot_dahai": ["1m", "2m"]},
        {"type": "dahai", "actor": 0, "pai": "6s", "possible_actions": [], "message": "", "text": "ロン？"},
        {"type": "reach_accepted", "actor": 0, "deltas": [-1000, 0, 0, 0], "scores": [24000, 25000, 25000, 25000]},
        {"type": "tsumo", "actor": 1, "pai": "5mr"},
        {"type": "dahai", "actor": 1, "pai": "5mr", "tsumogiri": True},
        {
            "type": "hora", "actor": 0, "target": 1, "pai": "5mr", "uradora_markers": ["8p"], "fu": 40, "fan": 2,
            "hora_tehais": HANDS[0], "yakus": [["reach", 1], ["akadora", 1]], "hora_points": 2600,
            "deltas": [3600, -2600, 0, 0], "scores": [27600, 22400, 25000, 25000], "logs": None,
        },
        {"type": "end_kyoku"},
        {"type": "end_game", "scores": [27600, 22400, 25000, 25000]},
    ],
    "Mortal and mjai-reviewer": [
        {
            "type": "start_game", "names": ["", "あ", "b c", "d\"\\"], "kyoku_first": 4, "aka_flag": True,
            "seed": [2**64 + 1, 0.5],
        },
        {
            "type": "start_kyoku", "bakaze": "S", "dora_marker": "5pr", "kyoku": 3, "honba": 2, "kyotaku": 1,
            "oya": 2, "scores": [25000, 25050, 24000, 24950], "tehais": HANDS, "meta": {"q_values": [0.5, -1e-7]},
        },
        {"type": "tsumo", "actor": 2, "pai": "6s", "meta": None},
        {"type": "dahai", "actor": 2, "pai": "1s", "tsumogiri": False, "meta": {"mask_bits": 2**40, "": {}}},
        {"type": "ryukyoku", "deltas": [0, 0, 0, 0], "tehais": HANDS, "tenpais": [True, False, False, False]},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ],
    "RiichiEnv": [
        {"id": "2", "type": "start_game"},
        {
            "bakaze": "E", "dora_marker": "N", "honba": 0, "kyoku": 1, "kyoutaku": 0, "oya": 0,
            "scores": [25000.0, 25000, 25000, 25000], "tehais": HANDS, "type": "start_kyoku",
        },
        {"actor": 0, "pai": "4m", "type": "tsumo"},
        {"actor": 0, "consumed": ["4m", "4m", "4m", "4m"], "pai": "4m", "type": "ankan"},
        {"dora_marker": "N", "type": "dora"},
        {"actor": 0, "pai": "7p", "type": "tsumo"},
        {"actor": 0, "pai": "7p", "tsumogiri": True, "type": "dahai"},
        {
            "actor": 3, "delta": [-8000, 0, 0, 8000], "han": 4, "target": 0, "tsumo": False, "type": "hora",
            "ura_markers": [], "yaku": [["chiitoitsu", 2]],
        },
        {"type": "end_kyoku"},
        {"type": "end_game"},
    ],
}  # fmt: skip
