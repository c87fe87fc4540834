"""The drawings of the tiles, as SVG: the art of `art.json` and `own.json`, and the tiles that `drawn` makes of it.

`art.json` holds the drawings of FluffyStuff, which are in the public domain (CC0 1.0). `extract.mjs` made it from
the npm package riichi-mahjong-tiles 0.1.0, and is not needed to use mjconv. `own.json` holds the zero, the white
dragon with a frame, so that an outline or a print shows a tile, the back of tiles, and the character for ten.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from mjconv.ir.catalogue import catalogue
from mjconv.ir.tiles import HIDDEN
from mjconv.viewer.tiles import drawn

#: Begins the id of each symbol. The script of the page writes the same.
PREFIX: Final = "t-"
#: The marks of players 0 to 5, which never change: paths of 20 x 20.
SHAPES: Final = catalogue(__name__, "shapes.json", list[str])
#: The body of a tile: its edge, whose lower part is the shadow, and its face. The colours are the page's.
_BODY: Final = (
    '<rect class="edge" x="2" y="6" width="296" height="400" rx="30"/>'
    '<rect class="{}" x="6" y="5" width="288" height="388" rx="27"/>'
)
_FACE: Final = _BODY.format("face")


def symbols(tiles: Iterable[str]) -> str:
    """Return one SVG ``<symbol>`` for each of the tiles, 300 x 408, whose id is ``t-`` and the tile.

    A hidden tile, ``?``, is the back of a tile: ``t-back``. A spelling that is no tile is an error: `KeyError`.

    >>> symbols(["5mr", "?"]).count("<symbol")
    2
    """
    return "".join(_symbol(tile) for tile in sorted(tiles))


def _symbol(tile: str) -> str:
    if tile == HIDDEN:
        inside = _BODY.format("back") + _drawings()["back"]
    else:
        inside = f'{_FACE}<g transform="translate(27 35)scale(.82)">{_drawings()[tile]}</g>'
    return f'<symbol id="{PREFIX}{"back" if tile == HIDDEN else tile}" viewBox="0 0 300 408">{inside}</symbol>'


@cache
def _drawings() -> dict[str, str]:
    art = catalogue(__name__, "art.json", dict[str, str]) | catalogue(__name__, "own.json", dict[str, str])
    return art | drawn.drawings(art)
