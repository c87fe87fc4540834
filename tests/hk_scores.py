"""Random HK files, and a scorer of the tests' own, written from the rules alone."""

import random
import re
from dataclasses import dataclass, field
from fractions import Fraction

NAMES = [
    "A", "Ah-Wing", "阿强", "Ümit", "d", "D", "S", "f", "B=2", "石橋", "👩‍🦰", '"q', "'", "x1-", "מיכל", "a%20b",
    "=", "~",
]  # fmt: skip
COMMENTS = ["# (摸和) draw", "#", "# it's 2 d - -", "#@mjconvert", "#  a # b", "# B=4", "#\t"]
SPACES = [" ", "  ", "\t", "\u3000", "\xa0", " \t "]
BASES = ["0.5", "1", "2", ".25", "5.", "10", "0.125", "0", "001.50", "0.3"]


def write_file(rng: random.Random, games: int, most: int = 50) -> str:
    """Write a valid file: every form of line, in any order that is allowed; no more than `most` faan."""
    lines: list[str] = []
    day = 0
    maximum, responsibility = 13, "full"
    declared = False

    def put(*words: str, comments: float = 0.3) -> None:
        edge = rng.choice(["", "", " ", "\u2003"])
        text = edge + "".join(word + rng.choice(SPACES) for word in words[:-1]) + (words[-1] if words else "")
        if rng.random() < comments:
            text += rng.choice(["", " ", "\t"]) + rng.choice(COMMENTS)
        lines.append(text + rng.choice(["", "", "  "]))

    for _ in range(games):
        if not declared or rng.random() < 0.03:
            put(*rng.sample(NAMES, 4))
            declared = True
        while rng.random() < 0.25:
            kind = rng.choice(["date", "B", "M", "R", "S", "blank", "comment"])
            if kind == "date":
                day += rng.choice([0, 1, 30])
                put(f"{2000 + day // 336:04}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}")
            elif kind == "B":
                put(f"B={rng.choice(BASES)}")
            elif kind == "M":
                maximum = rng.choice([faan for faan in (0, 1, 6, 8, 10, 13, 16, 50) if faan <= most])
                put(f"M={rng.choice(['', '0'])}{maximum}")
            elif kind == "R":
                responsibility = rng.choice(["half", "full"])
                put(f"R={responsibility}")
            elif kind == "S":
                put(f"S={rng.choice(['half', 'spicy'])}")
            else:
                put(comments=kind == "comment")
        marks = ["-"] * 4
        winner, blamed = rng.sample(range(4), 2)
        form = rng.choice(["draw", "", "", "d", "d", "d", "D", "S", "f"])
        if form == "D" and responsibility == "full":
            form = "d"
        if form not in ("draw", "f"):
            marks[winner] = rng.choice(["", "", "0"]) + str(rng.randint(0, maximum))
        if form and form != "draw":
            marks[blamed] = form
        put(*marks)
    ends = rng.choice(["\n", "\r\n", "\r", "\u2028", "\x0b"])
    return rng.choice(["", "\ufeff"]) + ends.join(lines) + rng.choice([ends, "", ends * 3])


@dataclass
class Played:
    games: int = 0
    wins: int = 0
    blames: int = 0
    net: Fraction = field(default_factory=Fraction)


def multiplier(faan: int, growth: str) -> Fraction:
    if growth == "spicy" or faan <= 4:
        return Fraction(2**faan)
    if faan % 2 == 0:
        return Fraction(2 ** (4 + (faan - 4) // 2))
    return (multiplier(faan - 1, growth) + multiplier(faan + 1, growth)) / 2


def score(text: str, since: str = "", until: str = "9") -> dict[str, Played]:
    """Score a valid file line by line: where either is given, the games of `since` to `until`."""
    table: dict[str, Played] = {}
    rules = {"B": "1", "M": "13", "R": "full", "S": "half"}
    names: list[str] = []
    when = ""
    for line in text.removeprefix("\ufeff").splitlines():
        words = line.split("#")[0].split()
        if len(words) == 1:
            if words[0][:1].isdigit():
                when = words[0]
            else:
                key, rules[words[0][0]] = words[0][0], words[0][2:]
                assert key in "BMRS"
        elif words and not any(re.match("[0-9-]", word) for word in words):
            # Of the names of random files, this one is escaped.
            names = [word.replace("a%20b", "a b") for word in words]
            for name in names:
                table.setdefault(name, Played())
        elif words:
            if (since or until != "9") and not (when and since <= when <= until):
                continue
            gains = game(words, rules)
            assert sum(gains) == 0
            for name, mark, gain in zip(names, words, gains, strict=True):
                played = table[name]
                played.games += 1
                played.wins += mark.isdigit()
                played.blames += mark in "dDSf"
                played.net += gain
    return table


def game(marks: list[str], rules: dict[str, str]) -> list[Fraction]:
    base = Fraction(rules["B"] if not rules["B"].endswith(".") else rules["B"] + "0")
    if "f" in marks:
        portion = base * multiplier(int(rules["M"]), rules["S"])
        return [-9 * portion if mark == "f" else 3 * portion for mark in marks]
    winner = next((mark for mark in marks if mark.isdigit()), None)
    if winner is None:
        return [Fraction(0)] * 4
    portion = base * multiplier(int(winner), rules["S"])
    blame = next((mark for mark in marks if mark in "dDS"), "")
    gains = {
        "": (3 * portion, Fraction(0), -portion),
        "S": (3 * portion, -3 * portion, Fraction(0)),
        "D": (2 * portion, -2 * portion, Fraction(0)),
        "d": (2 * portion, -2 * portion, Fraction(0))
        if rules["R"] == "full"
        else (2 * portion, -portion, -portion / 2),
    }[blame]
    return [gains[0] if mark.isdigit() else gains[1] if mark != "-" else gains[2] for mark in marks]
