"""Values that break records: numbers at the edges, words of the formats, odd bytes."""

from __future__ import annotations

from typing import Any, Final

#: Signs of syntax in any of the formats.
SIGNS: Final = b'[](){}<>,:;.-"\\/#=|?*! \n'

NUMBERS: Final = (
    b"-1", b"-0", b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"9", b"13", b"14", b"99", b"100", b"999", b"1000",
    b"9999", b"10000", b"-1000000000", b"1000000001", b"2147483648", b"9223372036854775807",
    b"9223372036854775808",
    b"18446744073709551616", b"9" * 40, b"1" * 310, b"7" * 5000, b"0" * 30 + b"1", b"0.5", b"1.0", b"-0.0",
    b"0.05",
    b"1e3", b"1e-999", b"1e999", b"NaN", b"Infinity", b"0x10", b"1_000", b"\xef\xbc\x91", b"\xe4\xba\x94",
    b"+1", b"",
)  # fmt: skip

WORDS: Final = (
    *b"E S W N P F C e s w n k t q 0 1 5 9 - + * ? uk 5mr 0m 9z 1m 1p 1s 1t 16t ew sw ww nw wd gd rd".split(),
    *b"jmjp[1.0] jmjp[0] ( ) frm[E1-0 mtp[,,,] ply[0,,,,] hnd[ ch[ pn[ dk[ kk[ ak[ rs[ rc[ tg kg rn tm oy".split(),
    *b"pfs[ pfe[ pme[ ptn[ ptr[ snt[ srm[ // //@mjconv #@mjconv mjconv: Match: Players: Game: all 4-4 12".split(),
    *b"B=0.5 B=1e9 M=13 M=999 R=half R=full S=spicy S=half 2024-02-30 0001-01-01 9999-12-31 d D f A B".split(),
    *b"null true false {} [] \"\" {\"type\":\"none\"} start_kyoku end_game hora ryukyoku reach kita kan".split(),
    *b"extras meta mjconv actor consumed tehais deltas __class__ ../../x /etc/passwd %s %d %n $(x) `x`".split(),
)  # fmt: skip

#: Bytes that may confuse a terminal, a decoder or a splitter of lines.
BYTES: Final = (
    b"\x00", b"\x1b[2J", b"\x1b]0;x\x07", b"\x07", b"\x08", b"\x7f", b"\x85", b"\x9b2J", b"\r", b"\r\n", b"\n",
    b"\n\n",
    b"\x0b", b"\x0c", b"\x1a", b"\x1c", b"\t", b"\xa0", b"\xc2\x85", b"\xc2\x9b2J", b"\xe2\x80\xa8",
    b"\xe2\x80\xae",
    b"\xe2\x81\xa6", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf", b"\xff", b"\xfe\xff",
    b"\xf0\x9f\x80\x84", b"\xf4\x90\x80\x80", b"\xcc\x81" * 20, b"\xe3\x80\x80", b"\xc3\xb9", b"\\", b"\\u0000",
    b"\\ud800", b'\\"', b'"', b"'", b"\\x1b", b"A" * 3000, b" " * 3000, b"[" * 3000, b"(" * 3000,
    b'{"a":' * 3000,
    b"\n" * 3000, b'"' * 3000, b"\\" * 3001, b"1" * 6000, b"//" * 1000, b"#" * 1000, b":" * 1000,
)  # fmt: skip

#: JSON values, to replace values of other types.
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, 2, 3, 4, 5, 13, 14, 99, -1, 10**6, 10**9, 10**9 + 1, -(10**9) - 1, 2**31, 2**63,
    2**64,
    10**40, 10**299, 1.0, 0.5, -0.0, 1e300, 1e-300, "", "?", "E", "S", "5mr", "1m", "9z", "16t", "0", "-1",
    "1e9",
    "1E+999999999", "1e-999999999", "NaN", "sNaN", "Infinity", "-Infinity", "0." + "3" * 200, "9" * 400,
    "\x00", "\x1b[2J", "\u202e", "a\nb", "//", "#", "東", "𝒳" * 50, "x" * 3000, "all", "half", "2024-02-30",
    "0001-01-01", "9999-12-31", "24:00:00", "19:00:00+09:00", "E1-0", "self-drawn", "after-reach", [], {},
    [[]], [{}],
    ["?"] * 13, ["1m"] * 14, ["?"] * 500, [0, 0, 0, 0], [0, 0, 0], [25000] * 6, [[]] * 4, [["?"] * 13] * 4,
    {"type": "none"}, {"type": "start_kyoku"}, {"type": "end_kyoku"}, {"type": "start_game", "names": ["", "",
    ""]},
    {"type": "hora", "actor": 0, "target": 0}, {"a": {"b": [1, {"c": None}]}}, {"v": 4}, {"digest": "00"},
)  # fmt: skip

#: Keys of messages, notes, rounds and matches.
KEYS: Final = (
    "type", "actor", "target", "pai", "consumed", "tsumogiri", "dora_marker", "ura_markers", "oya", "bakaze",
    "kyoku",
    "honba", "kyotaku", "scores", "deltas", "tehais", "reason", "names", "id", "yakus", "fan", "fu",
    "hora_tehais",
    "liable", "pao", "form", "tenpais", "actors", "meta", "extras", "mjconv", "digest", "v", "scale", "set",
    "unset",
    "events", "opening", "closing", "at", "delete", "insert", "round", "match", "left_out", "shift", "dealer",
    "dora",
    "frame", "wall", "rules", "date", "dice", "comment", "scores_after", "blocked", "dealt_fourteen",
    "final_hands",
    "assumed", "players", "tournament", "weekday", "time", "place", "recorders", "final_scores", "points_after",
    "base", "max_faan", "responsibility", "growth", "native", "roman", "code", "last", "first", "name", "team",
    "jmjp", "uzje", "hk", "mjai", "comments", "flows", "head", "tail", "draws", "ends", "end", "",
)  # fmt: skip

#: Values that have the right type for a key, at the edges of its range.
OF_KEYS: Final[dict[str, tuple[Any, ...]]] = {
    "base": ("-1", "0", "0.5", "1E+999999999", "1E-999999999", "NaN", "sNaN", "-Infinity", "9" * 300, "1_0"),
    "rules": ({"base": "1E+400"}, {"base": "0.1", "max_faan": 0}, {"max_faan": -1}, {"start": 1, "uma": [0,
        0]}, {}),
    "max_faan": (-1, 0, 13, 999, 1000, 10**9),
    "wall": (["1m"] * 136, ["?"] * 136, ["5mr"] * 3, [], ["16t"] * 90, ["1m"] * 1001),
    "dice": ([0, 0], [7], [1, 2, 3], [-1, 6], [10**9], []),
    "date": ("0001-01-01", "9999-12-31", "2024-02-29"),
    "time": ("00:00:00", "23:59:59.999999", "12:00:00Z", "12:00:00-23:59"),
    "oya": (-1, 0, 1, 2, 3, 4, 5, 6),
    "actor": (-1, 0, 1, 2, 3, 4, 5, 6),
    "target": (-1, 0, 1, 2, 3, 4, 5, 6),
    "kyoku": (0, 1, 4, 5, 6, 7, 10**9),
    "honba": (0, 1, 8, 9999, 10**4, 10**9),
    "kyotaku": (0, 1, 10**9),
    "bakaze": (*"ESWNPFC", "EE", "?"),
    "pai": ("?", "1m", "5mr", "5zr", "N", "P", "16t", "0", "H1", ""),
    "dora_marker": ("?", "1m", "5sr", "Z"),
    "consumed": ([], ["1m"], ["1m", "1m"], ["?", "?"], ["2m", "3m"], ["1m"] * 3, ["5p", "5p", "5pr"], ["E"] * 4),
    "tehais": ([["?"] * 13] * 3, [["?"] * 13] * 4, [["1m"] * 13] * 4, [["?"] * 14] * 4, [["?"] * 13] * 6,
        [[]] * 4),
    "scores": ([0] * 3, [0] * 4, [25050] * 4, [-(10**9)] * 4, [10**9] * 4, [0] * 6),
    "deltas": ([0] * 3, [0] * 4, [50, -50, 0, 0], [10**9, -(10**9), 0, 0], [0] * 6),
    "scores_after": ([0] * 3, [0] * 4, [10**9] * 6),
    "final_scores": ([0] * 3, [0.1] * 4, [1] * 5),
    "fan": (-1, 0, 1, 13, 14, 999, 10**9),
    "fu": (0, 20, 25, 110, 10**9),
    "ura_markers": ([], ["1m"] * 5, ["1m"] * 6, ["?"]),
    "hora_tehais": ([], ["1m"] * 14, ["?"] * 13, ["1m"] * 100),
    "tenpais": ([True] * 3, [False] * 4, [True] * 6),
    "blocked": ([0], [3, 3], [4], [-1], [0, 1, 2, 3]),
    "final_hands": ([], [{"concealed": ["1m"] * 14}] * 4, [{"concealed": [], "melds": [{"kind": "pon",
        "own": []}]}] * 4),
    "assumed": (["kyotaku"], ["oya", "scores", "x"], []),
    "extras": (
        {"jmjp": {"comments": [[-5, "a"], [10**6, "b\nc"]], "flows": ["(e,1m,tg)"], "tail": ["\r"]}},
        {"uzje": {"comments": [[-99, "(a)"], [0, ":\n"]], "end": "x y", "after": ["E 1 0 4", ""]}},
        {"hk": {"line": "- - - - # x\ny", "after": ["A B C D", "#@mjconv {}"], "head": ["M=1"]}},
    ),
    "players": ([], [{}] * 3, [{}] * 6, [{"name": {"last": {"native": "\\\"\n]"}},
        "points_before": {"personal": 1}}] * 4),
    "names": (["", "", "", ""], ["a", "a", "a", "a"], ["-", "1", "*", "#"], ["a\tb", "\x1b", "\u2028",
        "]"], ["a"] * 3),
    "events": ([], [{"at": 0, "delete": 99}], [{"at": 0, "insert": [{"type": "none"}]}], [{"at": 1,
        "unset": ["actor"]}]),
    "at": (-1, 0, 1, 5, 10**9),
    "delete": (-1, 0, 1, 100, 10**15),
    "scale": (-10, 0, 1, 10, 10**9, 10**300),
    "shift": (-5, -1, 0, 1, 3, 4, 10**18),
    "dealer": (-5, -1, 0, 3, 4, 10**18),
    "v": (-1, 0, 1, 2, 3),
    "frame": ("E1-0", "", "\x1b[2J", "x" * 3000),
    "weekday": ("sun", "sat"),
    "year": (-1, 0, 2024, 10**6),
    "rounds": ("all", [], [{"wind": "E", "number": 13, "honba": -1}]),
}  # fmt: skip
