"""A second reader of the jmjp grammar, versions 0 and 1.x: whether a text is jmjp, and which alternatives it uses.

Written from the standard's rules alone, character by character, and knowing nothing of the product. The tests
compare it with what the product writes, and with the product's own grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

#: Literal spellings, by the rule they are alternatives of. Table 1 is among them.
WORDS = {
    "tourName": ("mlg",),
    "tourStage": ("1rd", "2rd", "qtf", "smf", "fin", "mlg-reg", "mlg-sfs", "mlg-fns"),
    "matchDayOfWk": ("sun", "mon", "tue", "wed", "thu", "fri", "sat"),
    "matchPlace": ("mlg-std",),
    "plyerTeam": (
        "mlg-drn", "mlg-exf", "mlg-skn", "mlg-mfc", "mlg-abm", "mlg-phx", "mlg-rdn", "mlg-prt",
    ),
    "plyerAffil": (
        "none", "saikouisen", "prokyoukai", "prorenmei", "rmu", "rengoumu", "101", "kishikai", "zennihon",
    ),
    "plyerId": ("0", "1", "2", "3"),
    "frameWind": ("E", "S", "W", "N"),
    "frameNum": ("1", "2", "3", "4"),
    "seat": ("e", "s", "w", "n"),
    "tileFrom": ("k", "t", "s"),
    "diceSep": ("1", "2", "3", "4", "5", "6"),
    "diceTotal": ("10", "11", "12", "2", "3", "4", "5", "6", "7", "8", "9"),
    "circleTiles": tuple(f"{rank}p" for rank in range(10)),
    "bambooTiles": tuple(f"{rank}s" for rank in range(10)),
    "charTiles": tuple(f"{rank}m" for rank in range(10)),
    "windTiles": ("ew", "sw", "ww", "nw"),
    "dragonTiles": ("wd", "gd", "rd"),
    "unknownTiles": ("uk",),
}  # fmt: skip
#: Rules that are sequences of parts. ``?`` marks a field that may be left out, ``*`` a list.
RULES = {
    "match": "( tourInfo? matchTp recerInfo* plyerInfo plyerInfo plyerInfo plyerInfo ptRule? frame* ptMatchEnd? "
    "ptTourNew? )",
    "tourInfo": "tnm[ tourName? , tourYear? , tourStage? , matchNumInStage? , matchNumInDay? ]",
    "matchTp": "mtp[ matchDate? , matchDayOfWk? , matchTime? , matchPlace? ]",
    "recerInfo": "rec[ recerName? , framesRecd? ]",
    "plyerInfo": "ply[ plyerId , plyerName? , plyerTeam? , plyerAffil? , ptTourPrev? ]",
    "name 0": "[ lname? , fname? ]",
    "name 1": "( lname? , fname? )",
    "ptTour": "( ptTourPrsnl? , ptTourTeam? )",
    "ptRule 0": "ptr[ pt , pt , ( pt , pt ) , pt ]",
    "ptRule 1": "ptr[ pt , pt , ( pt , pt ) , pt , pt ]",
    "ptMatchEnd": "pme[ pt , pt , pt , pt ]",
    "ptTourNew": "ptn[ ptTour , ptTour , ptTour , ptTour ]",
    "ptFrmStart": "pfs[ pt , pt , pt , pt ]",
    "ptFrmEnd": "pfe[ pt , pt , pt , pt ]",
    "frame": "frm[ frameId , kyoutak? , dice? , ptFrmStart? , dora? , frameFlow* , ptFrmEnd? , frameCmt? ]",
    "frameId": "frameWind frameNum - honba",
    "seatHand": "( seat , hand )",
    "frameAct": "( seat , drawTile , discTile? )",
}
#: Rules that are numbers: the least and the most digits, and their name in an error.
NUMBERS = {
    "tourYear": (4, 4, "a year"),
    "matchNumInStage": (1, 100, "a number"),
    "matchNumInDay": (1, 100, "a number"),
    "matchDate": (8, 8, "a date"),
    "matchTime": (4, 4, "a time"),
    "honba": (1, 100, "a honba"),
}
#: Rules that are another rule under a name of their own.
SAME = {
    **dict.fromkeys(("kyoutak", "ptTourPrsnl", "ptTourTeam"), "pt"),
    **dict.fromkeys(("lname", "fname", "frameCmt"), "strLit"),
    **dict.fromkeys(("recerName", "plyerName"), "name"),
    "ptTourPrev": "ptTour",
}
_PARTS = [part for parts in RULES.values() for part in parts.split()]
#: Fields that may be left out, and lists that may be empty.
OPTIONAL = {part[:-1] for part in _PARTS if part[-1] in "?*"} | {"frameAct", "tileTsumo"}
#: Lists that may hold one or several.
LISTS = {part[:-1] for part in _PARTS if part[-1] == "*"} | {"match", "frameId"}
#: Other rules. Counts are the least and the most.
OTHER = {
    **dict.fromkeys(("tourName", "tourStage", "matchPlace", "plyerTeam", "plyerAffil"), ("strLit",)),
    "strLit": ("native", "roman", "both"),
    "string": ("empty", "newline", "slashes"),
    "framesRecd": ("all", "frameIds"),
    "pt": ("positive", "negative"),
    "dice": ("separate",),
    "drawTile": ("realTiles", "actChi", "actPon", "actDmk", "actRsn", "actRon", "actOya"),
    "discTile": ("realTiles", "actTmg", "actKrg", "actKkn", "actAnk", "actTsm", "actRch"),
    "tileInHand": ("1", "13"),
    "tileFuro": ("0", "1", "2", "3", "4", "furoChi", "furoPon", "furoDmk", "furoKkn", "furoAnk"),
    "file": ("byte order mark", "blank", "blank in a token", "comment"),
}
#: What only 1.x has.
ONLY_1 = {
    "dice:total",
    *(f"diceTotal:{total}" for total in WORDS["diceTotal"]),
    "string:escaped quote",
    "version:1",
}


def _alternatives() -> frozenset[str]:
    shared = {f"{rule}:{word}" for rule, words in WORDS.items() for word in words}
    shared |= {f"{rule}:absent" for rule in OPTIONAL}
    shared |= {f"{rule}:{how}" for rule in LISTS for how in ("one", "several")}
    shared |= {f"{rule}:{other}" for rule, others in OTHER.items() for other in others}
    shared -= ONLY_1
    return frozenset({f"0 {name}" for name in shared | {"version:0"}} | {f"1 {name}" for name in shared | ONLY_1})


#: Every alternative of every rule, as ``0 drawTile:actRon`` for version 0 and ``1 drawTile:actRon`` for 1.x.
ALTERNATIVES = _alternatives()

_DIGITS = "0123456789"
_TILES = ("circleTiles", "bambooTiles", "charTiles", "windTiles", "dragonTiles", "unknownTiles")


class NotJmjp(Exception):  # noqa: N818 - it is what the text is
    """The text is no jmjp: the offset of the error, and what was expected there."""

    def __init__(self, offset: int, expected: str) -> None:
        super().__init__(f"offset {offset}: expected {expected}")
        self.offset = offset
        self.expected = expected


def recognise(text: str) -> set[str]:
    """Give the alternatives that a text uses, as `ALTERNATIVES` names them. Raises `NotJmjp`."""
    reader = _Recogniser(text)
    reader.file()
    found = {f"{reader.major} {name}" for name in reader.used}
    assert found <= ALTERNATIVES, found - ALTERNATIVES
    return found


class _Recogniser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.major = 1
        self.used: set[str] = set()

    # Characters: blanks and comments may be before any of them.

    def skip(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.used.add("file:blank")
                self.at += 1
            elif self.text.startswith("//", self.at):
                self.used.add("file:comment")
                while self.at < len(self.text) and self.text[self.at] not in "\r\n":
                    self.at += 1
            else:
                return

    def next_is(self, word: str) -> bool:
        """Say whether this comes next, and stay where it begins."""
        self.skip()
        back = self.at
        found = self.passes(word)
        self.at = back
        return found

    def passes(self, word: str) -> bool:
        """Go past this, if it comes next."""
        self.skip()
        back, begin = self.at, self.at
        for char in word:
            self.skip()
            if not self.text.startswith(char, self.at):
                self.at = back
                return False
            self.at += 1
        if self.at - begin > len(word):
            self.used.add("file:blank in a token")
        return True

    def want(self, word: str) -> None:
        if not self.passes(word):
            self.fail(repr(word))

    def fail(self, expected: str) -> None:
        self.skip()
        raise NotJmjp(self.at, expected)

    def digits(self, least: int, most: int, what: str) -> str:
        found = ""
        while len(found) < most:
            digit = next((digit for digit in _DIGITS if self.passes(digit)), None)
            if digit is None:
                break
            found += digit
        if len(found) < least:
            self.fail(what)
        return found

    def word(self, rule: str) -> str | None:
        """Go past one of the spellings of a rule, if it comes next; the longest that does."""
        for word in sorted(WORDS[rule], key=len, reverse=True):
            if self.passes(word):
                self.used.add(f"{rule}:{word}")
                return word
        return None

    def want_word(self, rule: str) -> str:
        word = self.word(rule)
        if word is None:
            self.fail(rule)
        return word or ""

    # Rules.

    def read(self, rule: str) -> None:
        """Read a rule: a sequence, a number, one of its words, or what a method of its own reads."""
        rule = SAME.get(rule, rule)
        parts = RULES.get(rule) or RULES.get(f"{rule} {self.major}")
        if parts is not None:
            self.sequence(parts.split())
        elif rule in NUMBERS:
            self.digits(*NUMBERS[rule])
        elif "strLit" in OTHER.get(rule, ()):
            self.coded(rule)
        elif rule in WORDS:
            self.want_word(rule)
        else:
            self.METHODS[rule](self)

    def sequence(self, parts: Sequence[str]) -> None:
        for place, part in enumerate(parts):
            if part[-1] == "*":
                self.many(part[:-1])
            elif part[-1] == "?":
                self.optional(part[:-1], self.openings(parts[place + 1 :]))
            elif part.isalpha():
                self.read(part)
            else:
                self.want(part)

    def openings(self, parts: Sequence[str]) -> list[str]:
        """Return what may come at once where a field is left out, before the rest of its sequence."""
        found: list[str] = []
        for part in parts:
            name = part.rstrip("?*")
            own = RULES.get(name) or RULES.get(f"{name} {self.major}") or ("(" if name == "frameFlow" else name)
            found.append(own.split()[0])
            if name == part:
                break
        return found

    def optional(self, rule: str, closed_by: Sequence[str]) -> None:
        """Read a field, unless what closes it comes at once."""
        if any(self.next_is(word) for word in closed_by):
            self.used.add(f"{rule}:absent")
        else:
            self.read(rule)

    def count(self, rule: str, number: int) -> None:
        self.used.add(f"{rule}:{'absent' if not number else 'one' if number == 1 else 'several'}")

    def many(self, rule: str) -> int:
        [opening] = self.openings([rule])
        number = 0
        while self.next_is(opening):
            self.read(rule)
            number += 1
        self.count(rule, number)
        return number

    def tile(self) -> None:
        if not any(self.word(rule) for rule in _TILES):
            self.fail("a tile")

    def tiles(self, number: int) -> None:
        for _ in range(number):
            self.tile()

    def pt(self) -> None:
        self.used.add("pt:negative" if self.passes("-") else "pt:positive")
        self.digits(1, 100, "points")
        self.want(".")
        self.digits(1, 1, "one decimal")

    def string(self) -> None:
        self.want('"')
        begin = self.at
        escaped = False
        while not self.text.startswith('"', self.at):
            if self.at >= len(self.text):
                self.fail("a closing quote")
            if self.major and self.text.startswith('\\"', self.at):
                escaped = True
                self.at += 1
            self.at += 1
        inside = self.text[begin : self.at]
        self.at += 1
        for what, is_so in (
            ("empty", not inside),
            ("newline", "\n" in inside),
            ("slashes", "//" in inside),
            ("escaped quote", escaped),
        ):
            if is_so:
                self.used.add(f"string:{what}")

    def str_lit(self) -> None:
        native = self.passes("snt[")
        if native:
            self.string()
            self.want("]")
        roman = self.passes("srm[")
        if roman:
            self.string()
            self.want("]")
        if not native and not roman:
            self.fail("snt[ or srm[")
        self.used.add(f"strLit:{'both' if native and roman else 'native' if native else 'roman'}")

    def coded(self, rule: str) -> None:
        """Read a shorthand token or a strLit."""
        if self.word(rule) is None:
            self.str_lit()
            self.used.add(f"{rule}:strLit")

    # The file, and the parts around the frames.

    def file(self) -> None:
        if self.text.startswith("\ufeff"):
            self.at = 1
            self.used.add("file:byte order mark")
        self.want("jmjp[")
        self.major = int(self.digits(1, 1, "a version"))
        if self.major > 1:
            self.fail("version 0 or 1.x")
        self.used.add(f"version:{self.major}")
        if self.passes("."):
            self.digits(1, 100, "a small version")
        self.want("]")
        if not self.many("match"):
            self.fail("a match")
        self.skip()
        if self.at < len(self.text):
            self.fail("the end of the file")

    def frames_recd(self) -> None:
        if self.passes("all"):
            self.used.add("framesRecd:all")
            return
        self.used.add("framesRecd:frameIds")
        number = 0
        while not self.next_is("]"):
            self.read("frameId")
            number += 1
        self.count("frameId", number)

    # Frames.

    def dice(self) -> None:
        # Of one die and a total the first digit may be the same: the next character decides.
        back = self.at
        self.digits(1, 1, "dice")
        separate = self.next_is("-") or not self.major
        self.at = back
        if separate:
            self.want_word("diceSep")
            self.want("-")
            self.want_word("diceSep")
        else:
            self.want_word("diceTotal")
        self.used.add(f"dice:{'separate' if separate else 'total'}")

    def frame_flow(self) -> None:
        for _ in range(4):
            self.read("seatHand")
        acts = 0
        while self.next_is("(") and not self.hand_is_next():
            self.read("frameAct")
            acts += 1
        if not acts:
            self.used.add("frameAct:absent")
        for _ in range(4):
            self.read("seatHand")

    def hand_is_next(self) -> bool:
        back = self.at
        self.want("(")
        found = any(self.passes(seat) for seat in WORDS["seat"]) and self.passes(",") and self.passes("hnd[")
        self.at = back
        return found

    def hand(self) -> None:
        self.want("hnd[")
        held = 0
        while not self.next_is(",") and held < 13:
            self.tile()
            held += 1
        if not held:
            self.fail("a tile")
        if held in (1, 13):
            self.used.add(f"tileInHand:{held}")
        self.want(",")
        self.optional("tileTsumo", [","])
        self.want(",")
        calls = 0
        while not self.next_is("]") and calls < 4:
            self.furo()
            calls += 1
        self.used.add(f"tileFuro:{calls}")
        self.want("]")

    def furo(self) -> None:
        # Version 0 names one tile, and the others are like it; but a chi's are always in full.
        for word, rule, groups in (
            ("chi[", "furoChi", (1, 2)),
            ("pon[", "furoPon", (1, 2) if self.major else (1,)),
            ("dmk[", "furoDmk", (1, 3) if self.major else (1,)),
            ("kkn[", "furoKkn", (1, 1, 2) if self.major else (1,)),
            ("ank[", "furoAnk", (4,) if self.major else (1,)),
        ):
            if self.passes(word):
                self.used.add(f"tileFuro:{rule}")
                for place, tiles in enumerate(groups):
                    if place:
                        self.want(",")
                    self.tiles(tiles)
                if word not in ("chi[", "ank["):
                    self.want(",")
                    self.want_word("tileFrom")
                self.want("]")
                return
        self.fail("a call")

    def act(self, rule: str) -> None:
        for word, name, tiles in (_DRAWS if rule == "drawTile" else _DISCARDS)[self.major]:
            if self.passes(word):
                self.tiles(tiles)
                if tiles:
                    self.want("]")
                self.used.add(f"{rule}:{name}")
                return
        self.tile()
        self.used.add(f"{rule}:realTiles")

    #: The rules that have methods of their own.
    METHODS: ClassVar[dict[str, Callable[[_Recogniser], object]]] = {
        "pt": pt,
        "strLit": str_lit,
        "dice": dice,
        "dora": lambda self: self.tiles(10),
        "framesRecd": frames_recd,
        "frameFlow": frame_flow,
        "hand": hand,
        "tileTsumo": tile,
        "drawTile": lambda self: self.act("drawTile"),
        "discTile": lambda self: self.act("discTile"),
    }


#: How each act is spelled, and how many tiles its bracket holds, by version.
_DRAWS = {
    0: (
        ("ch[", "actChi", 2), ("pn", "actPon", 0), ("dk", "actDmk", 0), ("rs[", "actRsn", 1), ("ro", "actRon", 0),
        ("oy", "actOya", 0),
    ),
    1: (
        ("ch[", "actChi", 2), ("pn[", "actPon", 2), ("dk[", "actDmk", 3), ("rs[", "actRsn", 1),
        ("rn", "actRon", 0), ("oy", "actOya", 0),
    ),
}  # fmt: skip
_DISCARDS = {
    major: (
        ("tg", "actTmg", 0), ("kg", "actKrg", 0), ("kk[", "actKkn", 1), ("ak[", "actAnk", 4 if major else 1),
        ("tm", "actTsm", 0), ("rc[", "actRch", 1),
    )
    for major in (0, 1)
}  # fmt: skip
