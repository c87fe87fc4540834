"""The drawings of the tiles: one for each tile of any set, well-formed, and without inline styles."""

from __future__ import annotations

import zlib
from xml.etree import ElementTree as ET

import pytest

from mjconv.ir.tiles import HIDDEN, TILES
from mjconv.viewer.tiles import symbols

SVG = "http://www.w3.org/2000/svg"

each_tile = pytest.mark.parametrize("tile", sorted(TILES))


def drawing(tile: str) -> ET.Element:
    [symbol] = ET.fromstring(f'<svg xmlns="{SVG}">{symbols([tile])}</svg>')
    return symbol


@each_tile
def test_every_tile_has_a_drawing(tile: str) -> None:
    symbol = drawing(tile)
    assert symbol.tag == f"{{{SVG}}}symbol"
    assert symbol.get("id") == ("t-back" if tile == HIDDEN else f"t-{tile}")
    assert len(list(symbol.iter())) > 4


def test_no_two_tiles_look_alike() -> None:
    drawings = {symbols([tile]).replace(tile, "") for tile in TILES}
    assert len(drawings) == len(TILES)


@each_tile
def test_a_drawing_has_no_inline_style_and_loads_nothing(tile: str) -> None:
    own = {f"#{element.get('id')}" for element in drawing(tile).iter()}
    for element in drawing(tile).iter():
        assert "style" not in element.attrib
        assert not element.tag.endswith("}style")
        assert not any(key.startswith("on") for key in element.attrib)
        assert element.get("href", next(iter(own))) in own


def test_the_set_is_small() -> None:
    assert len(zlib.compress(symbols(sorted(TILES)).encode(), 9)) < 20_000


@pytest.mark.parametrize(("rank", "suit"), [(rank, suit) for rank in range(10, 17) for suit in "ps"])
def test_a_high_rank_has_as_many_shapes(rank: int, suit: str) -> None:
    shapes = [element for element in drawing(f"{rank}{suit}").iter() if element.get("fill") != "none"]
    shapes = [element for element in shapes if element.tag.endswith(("}circle", "}path"))]
    assert len(shapes) == rank


def test_a_spelling_that_is_no_tile_is_an_error() -> None:
    with pytest.raises(KeyError):
        symbols(["17m"])
