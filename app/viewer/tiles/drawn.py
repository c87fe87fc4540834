"""Draw the tiles without art: ranks above nine, compressed winds, and flowers.

A drawing is the inside of an SVG, 300 x 400. Some drawings use parts of the art of other tiles.
"""

import re
from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Final

_RED: Final = "#b93c3c"
_GREEN: Final = "#004900"

#: The circles or sticks in each line of a tile, by rank.
_LINES: Final = {
    10: (3, 4, 3),
    11: (4, 3, 4),
    12: (4, 4, 4),
    13: (4, 5, 4),
    14: (4, 3, 3, 4),
    15: (4, 4, 4, 3),
    16: (4, 4, 4, 4),
}

#: Season or flower: the letter of Ùzje, the number, the colour of the petals, the number of petals.
_FLOWERS: Final = {
    "1f": ("h", 1, "#3f8f3f", 5),
    "2f": ("i", 2, "#d0342c", 8),
    "3f": ("j", 3, "#d08a1d", 6),
    "4f": ("k", 4, "#3a78c2", 6),
    "5f": ("o", 1, "#d65a8a", 5),
    "6f": ("p", 2, "#7d53b5", 6),
    "7f": ("q", 3, "#c9a20c", 10),
    "8f": ("r", 4, "#2f8f83", 4),
}


def drawings(art: Mapping[str, str]) -> dict[str, str]:
    """Return the drawings of tiles that `art` does not have.

    `art` has the tiles 1 to 9, the winds, and the character for ten, above the sign for ten thousand.
    """
    _, ten_thousand = _split(art["1m"])
    made = {f"{rank}p": _pattern(rank, _circle) for rank in _LINES}
    made |= {f"{rank}s": _pattern(rank, _stick) for rank in _LINES}
    made |= {f"{rank}m": _high_character(rank, art) + ten_thousand for rank in _LINES}
    made |= {tile: _flower(*look) for tile, look in _FLOWERS.items()}
    return made | {"H": _compressed(art["E"], art["W"]), "V": _compressed(art["S"], art["N"])}


def _split(character: str) -> tuple[str, str]:
    """Return the numeral of a tile of characters, and the red sign for ten thousand below it."""
    paths = re.findall(r"<path[^>]*/>", character)
    red = [path for path in paths if _RED in path]
    return "".join(path for path in paths if path not in red), "".join(red)


def _high_character(rank: int, art: Mapping[str, str]) -> str:
    if rank == 10:
        return art["ten"]
    numeral, _ = _split(art[f"{rank - 10}m"])
    return (
        f'<g transform="translate(-18 12)scale(.56 .9)">{art["ten"]}</g>'
        f'<g transform="translate(146 12)scale(.56 .9)">{numeral}</g>'
    )


def _pattern(rank: int, draw: Callable[[float, float, bool], str]) -> str:
    """Return the lines of circles or sticks of a rank, with the number below."""
    lines = _LINES[rank]
    height = 320 / len(lines)
    shapes = [
        draw(150 + (place - (count - 1) / 2) * 62, height * (line + 0.5), line % 2 == 1)
        for line, count in enumerate(lines)
        for place in range(count)
    ]
    return "".join(shapes) + _text(rank, 150, 396, 74)


def _circle(x: float, y: float, red: bool) -> str:
    colour = _RED if red else "#000037"
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="28" fill="{colour}"/>'
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="15" fill="none" stroke="#fff" stroke-width="5"/>'
    )


def _stick(x: float, y: float, red: bool) -> str:
    colour = _RED if red else _GREEN
    return (
        f'<path d="M{x - 14:.0f} {y - 34:.0f}h28l-5 31 5 3-5 3 5 31h-28l5-31-5-3 5-3z" fill="{colour}" '
        f'stroke="{colour}" stroke-width="5" stroke-linejoin="round"/>'
    )


def _compressed(upper: str, lower: str) -> str:
    return (
        f'<g transform="translate(60 -8)scale(.6 .52)">{upper}</g>'
        f'<g transform="translate(60 198)scale(.6 .52)">{lower}</g>'
    )


def _flower(letter: str, number: int, colour: str, petals: int) -> str:
    turns = [2 * pi * petal / petals for petal in range(petals)]
    size = 58 if petals < 8 else 40
    shapes = "".join(
        f'<circle cx="{150 + 62 * sin(turn):.0f}" cy="{250 - 62 * cos(turn):.0f}" r="{size * 0.85:.0f}"/>'
        for turn in turns
    )
    return (
        f'<g fill="{colour}" stroke="#fff" stroke-width="6">{shapes}</g>'
        f'<circle cx="150" cy="250" r="30" fill="#f4c542"/>'
        + _text(number, 56, 104, 112, _RED)
        + _text(letter, 244, 104, 112)
    )


def _text(text: object, x: int, y: int, size: int, colour: str = "#000") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="700" font-family="sans-serif" text-anchor="middle"'
        f' fill="{colour}">{text}</text>'
    )
