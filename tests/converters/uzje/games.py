"""Ùzje texts that the tests of this folder start from, and a dealer that shares no code with the reader."""

#: Hands by place after the dealer, thirteen words each.
FOUR = (
    "1t 2t 3t 1t 2t 3t 5m 5m E E P P P",
    "4t 5t 6t 4t 5t 6t 6m 6m S S F F F",
    "7t 8t 9t 7t 8t 9t 7m 7m W W C C C",
    "1s 2s 3s 1s 2s 3s 8m 8m N N N 4s 5s",
)
THREE = FOUR[:3]
SIX = (
    "1t 2t 3t xt at bt ct dt et ft E H S",
    "1t 2t 3t xt at bt ct dt et ft H H Z",
    "1s 2s 3s xs as bs cs ds es fs S S W",
    "1s 2s 3s xs as bs cs ds es fs V V P",
    "1m 2m 3m xm am bm cm dm em fm W W C",
    "1m 2m 3m xm am bm cm dm em fm N Z F",
)
BY_PLAYERS = {3: THREE, 4: FOUR, 6: SIX}


def deal(hands: tuple[str, ...]) -> list[str]:
    """Lay hands out as a wall: each player takes four tiles, three times, and then one."""
    left = [hand.split() for hand in hands]
    rows: list[str] = []
    for take in (4, 4, 4, 1):
        row: list[str] = []
        for hand in left:
            row += hand[:take]
            del hand[:take]
        rows.append(" ".join(row))
    assert not any(left)
    return rows


def game(
    turns: str = "",
    *,
    front: str = "",
    back: str = "",
    players: int = 4,
    hands: tuple[str, ...] | None = None,
    header: str = "E 1 0",
    said: int | None = None,
) -> str:
    """Write a game: `front` and `back` are the tiles drawn from there, in the order of drawing."""
    dealt = deal(hands or BY_PLAYERS[players])
    drawn = " ".join([*front.split(), *reversed(back.split())])
    lines = [f"{header} {players if said is None else said}", *dealt, drawn, turns]
    return "\n".join(line for line in lines if line) + "\n"


def hub(words: str) -> list[str]:
    """Spell tiles as the hub does, by the tests' own rule."""
    ranks = {letter: str(rank) for rank, letter in enumerate("123456789xabcdef", 1)}
    suits = {"t": "p", "s": "s", "m": "m"}
    flowers = dict(zip("hijkopqr", range(1, 9), strict=True))
    return [
        ranks[word[0]] + suits[word[1]] if len(word) == 2 else f"{flowers[word]}f" if word in flowers else word
        for word in words.split()
    ]
