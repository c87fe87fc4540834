"""Reads the rows of Kanachan back, by the tables of its numbers. It shares no code with the writer."""

from functools import cache
from typing import Any, NamedTuple

TILES = [f"{5 if rank == 0 else rank}{suit}{'r' if rank == 0 else ''}" for suit in "mps" for rank in range(10)]
TILES += list("ESWNPFC")
KINDS = [tile for tile in TILES if not tile.endswith("r")]
#: The thirty shapes of a chi in a suit: the tiles of the hand, and the tile called. 0 is the red five.
SHAPES = [
    "23+1", "13+2", "34+2", "12+3", "24+3", "45+3", "40+3", "23+4", "35+4", "30+4", "56+4", "06+4", "34+5",
    "34+0", "46+5", "46+0", "67+5", "67+0", "45+6", "40+6", "57+6", "07+6", "78+6", "56+7", "06+7", "68+7",
    "89+7", "67+8", "79+8", "78+9",
]  # fmt: skip
#: The shapes of a pon: the kinds, and after each five the red one in the hand, and the red one called.
PONS = [
    (own, called)
    for kind in KINDS
    for own, called in (
        [((kind, kind), kind), ((f"{kind}r", kind), kind), ((kind, kind), f"{kind}r")]
        if kind in ("5m", "5p", "5s")
        else [((kind, kind), kind)]
    )
]
#: The tiles of a hand by their slots.
SLOTS = [each for each in TILES for _ in range(1 if each.endswith("r") else 3 if each[0] == "5" else 4)]
#: The ranges of the sparse features.
RANGES = {
    "room": (0, 5), "length": (5, 7), "seat": (7, 11), "wind": (11, 14), "dealer": (14, 18),
    **{f"dora {number}": (18 + 37 * number, 55 + 37 * number) for number in range(5)},
    "left": (203, 273),
    **{f"level {turn}": (273 + 20 * turn, 289 + 20 * turn) for turn in range(4)},
    **{f"place {turn}": (289 + 20 * turn, 293 + 20 * turn) for turn in range(4)},
    "hand": (353, 489), "draw": (489, 526),
}  # fmt: skip
#: The range of each sparse feature, and its first number.
RANGE_OF = {number: (name, begin) for name, (begin, end) in RANGES.items() for number in range(begin, end)}


def tile(number: int) -> str:
    return TILES[number]


def chi(number: int) -> tuple[list[str], str]:
    suit = "mps"[number // 30]
    own, _, called = SHAPES[number % 30].partition("+")

    def named(rank: str) -> str:
        return f"5{suit}r" if rank == "0" else f"{rank}{suit}"

    return sorted(map(named, own)), named(called)


class Row(NamedTuple):
    """One row: its name, and the numbers of the other columns."""

    name: str
    sparse: list[int]
    numeric: list[int]
    progression: list[int]
    candidates: list[int]
    index: int
    results: list[int]


def row(line: str) -> Row:
    name, *columns = line.rstrip("\n").split("\t")
    sparse, numeric, progression, candidates, [index], results = [[*map(int, one.split(","))] for one in columns]
    return Row(name, sparse, numeric, progression, candidates, index, results)


class Situation(NamedTuple):
    room: int
    south: bool
    seat: int
    wind: int
    dealer: int
    indicators: list[str]
    left: int
    levels: list[int]
    places: list[int]
    hand: list[str]
    drawn: str | None


def situation(sparse: list[int]) -> Situation:
    """Read the sparse features. Raises `KeyError` for one in no range of the layout."""
    groups: dict[str, list[int]] = {}
    for number in sparse:
        name, begin = RANGE_OF[number]
        groups.setdefault(name, []).append(number - begin)

    def one(name: str) -> int:
        [value] = groups[name]
        return value

    hand = [SLOTS[slot] for slot in groups.get("hand", [])]
    for slot in groups.get("hand", []):
        # The slots of a tile are filled from the first on.
        assert slot == 0 or SLOTS[slot - 1] != SLOTS[slot] or slot - 1 in groups["hand"]
    return Situation(
        one("room"),
        one("length") == 1,
        one("seat"),
        one("wind"),
        one("dealer"),
        [tile(one(f"dora {number}")) for number in range(5) if f"dora {number}" in groups],
        one("left"),
        [one(f"level {turn}") for turn in range(4)],
        [one(f"place {turn}") for turn in range(4)],
        hand,
        tile(one("draw")) if "draw" in groups else None,
    )


@cache
def event(number: int) -> dict[str, Any]:
    """Read one number of the play; a call names the player who discarded, from the seat of the one who calls."""
    if number < 597:
        seat, rest = divmod(number - 5, 148)
        flags = {"drawn": bool(rest & 2), "riichi": bool(rest & 1)}
        return {"type": "dahai", "actor": seat, "pai": tile(rest // 4), **flags}
    if number < 957:
        seat, rest = divmod(number - 597, 90)
        own, called = chi(rest)
        return {"type": "chi", "actor": seat, "target": (seat + 3) % 4, "pai": called, "consumed": own}
    if number < 1437:
        seat, rest = divmod(number - 957, 120)
        away, shape = divmod(rest, 40)
        own_tiles, called = PONS[shape]
        tiles = {"pai": called, "consumed": sorted(own_tiles)}
        return {"type": "pon", "actor": seat, "target": (seat + away + 1) % 4, **tiles}
    if number < 1881:
        seat, rest = divmod(number - 1437, 111)
        away, called_number = divmod(rest, 37)
        return {"type": "daiminkan", "actor": seat, "target": (seat + away + 1) % 4, "pai": tile(called_number)}
    if number < 2017:
        seat, kind = divmod(number - 1881, 34)
        return {"type": "ankan", "actor": seat, "kind": KINDS[kind]}
    seat, added = divmod(number - 2017, 37)
    return {"type": "kakan", "actor": seat, "pai": tile(added)}


def action(number: int, seat: int) -> dict[str, Any]:
    """Read one action of the player at `seat`."""
    if number < 148:
        return {
            "type": "dahai", "pai": tile(number // 4), "drawn": bool(number & 2), "riichi": bool(number & 1)
        }  # fmt: skip
    if number < 182:
        return {"type": "ankan", "kind": KINDS[number - 148]}
    if number < 219:
        return {"type": "kakan", "pai": tile(number - 182)}
    if number < 222:
        return {"type": ("tsumo", "ryukyoku", "none")[number - 219]}
    if number < 312:
        own, called = chi(number - 222)
        return {"type": "chi", "pai": called, "consumed": own}
    if number < 432:
        away, shape = divmod(number - 312, 40)
        own_tiles, called = PONS[shape]
        return {"type": "pon", "target": (seat + away + 1) % 4, "pai": called, "consumed": sorted(own_tiles)}
    if number < 543:
        away, called_number = divmod(number - 432, 37)
        return {"type": "daiminkan", "target": (seat + away + 1) % 4, "pai": tile(called_number)}
    return {"type": "ron", "target": (seat + number - 543 + 1) % 4}
