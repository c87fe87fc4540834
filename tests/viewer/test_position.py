"""A position as a drawing: one SVG text with the tiles of the table, and nothing from elsewhere."""

import re
import xml.etree.ElementTree as ET
import zlib
from collections import Counter

import pytest
from msgspec.structs import replace

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.ir.match import Match, Name, Player, Text
from mjconv.ir.tiles import HIDDEN, TILES
from mjconv.viewer.picture import position_picture
from mjconv.viewer.rounds import round_views
from mjconv.viewer.state import LaidMeld, MeldTile, shown_tiles
from mjconv.viewer.tiles import symbols

SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = CORPUS / "sample/game.mjson"


def used(svg: str) -> Counter[str]:
    uses = [use.attrib["href"] for use in ET.fromstring(svg).iter(f"{SVG}use")]
    return Counter(use.removeprefix("#t-") for use in uses if use.startswith("#t-"))


@looped("name", "sample/game.mjson", "uzje/six.uzje", "uzje/flowers.uzje", "botzone/hands.botzone")
def test_every_tile_on_the_table_is_drawn_once(name: str) -> None:
    match = mjconv.read_all(CORPUS / name)[0]
    last = [step for step in mjconv.steps(match) if step.round == 0][-1]
    svg = mjconv.view(match, step=last.step).svg
    hidden = sum(tile is None for tile in last.state.dora)
    # Of a concealed kan, two tiles lie face down. The ura indicators are not drawn.
    melds = [tile for melds in last.state.melds for meld in melds for tile in meld.tiles]
    shown = Counter(shown_tiles(last.state)) - Counter(tile for tile in last.state.ura if tile)
    for tile in melds:
        if tile.down:
            shown[tile.tile] -= 1
            hidden += 1
    shown["back"] = shown.pop("?", 0) + hidden
    assert used(svg) == +shown


def test_the_drawing_needs_no_other_file() -> None:
    svg = mjconv.view(mjconv.read(SAMPLE), round="E2-0", step=40).svg
    assert set(re.findall(r"\w+://[^\s\"'<]+", svg)) == {"http://www.w3.org/2000/svg"}
    ids = [each.attrib["id"] for each in ET.fromstring(svg).iter() if "id" in each.attrib]
    assert {use.attrib["href"] for use in ET.fromstring(svg).iter(f"{SVG}use")} <= {f"#{each}" for each in ids}
    assert len(ids) == len(set(ids))


def test_the_viewed_seat_lies_first_and_its_hand_is_larger() -> None:
    svg = mjconv.view(mjconv.read(SAMPLE), seat=2).svg
    sides = [side for side in ET.fromstring(svg).iter() if "data-seat" in side.attrib]
    assert [side.attrib["data-seat"] for side in sides] == ["2", "3", "0", "1"]
    scales = [max(re.findall(r"scale\((0[\d.]+)\)", ET.tostring(side, "unicode"))) for side in sides]
    assert scales[0] > scales[1] == scales[2] == scales[3]


def test_four_kans_lie_beside_the_hand_at_every_seat() -> None:
    [view, *_] = round_views(mjconv.read(SAMPLE))
    kan = LaidMeld("kan", (*[MeldTile("5s")] * 3, MeldTile("5s", turned=True)))
    state = replace(view.steps[0].state, hands=("1m",) * 4, drawn=("9m",) * 4, melds=((kan,) * 4,) * 4)
    svg = position_picture(replace(view, steps=[replace(view.steps[0], state=state)]), 0, 0, (), "en", "")
    for side in re.findall(r'data-seat="\d".*?</g></g>', svg):
        tile_at = r'translate\(([\d.]+) [\d.]+\)(?:rotate\(-90\))?scale\(([\d.]+)\)"><use href="#t-(..)'
        drawn = re.findall(tile_at, side)
        [end] = [float(x) + 300 * float(scale) for x, scale, tile in drawn if tile == "9m"]
        melds = [float(x) for x, _, tile in drawn if tile == "5s"]
        assert (len(melds), min(melds) > end) == (16, True)


@looped("name", "</text><script>", "a\0b\x1b[2J", "&amp;")
def test_a_name_is_text_alone(name: str) -> None:
    match = mjconv.read(SAMPLE)
    match.players = [Player(Name(Text(name))) for _ in match.players]
    root = ET.fromstring(mjconv.view(match).svg.encode())
    assert not list(root.iter(f"{SVG}script"))
    assert sum(len(text.text or "") > len("North") for text in root.iter(f"{SVG}text")) >= 4


def test_a_match_without_play_has_no_position() -> None:
    with pytest.raises(mjconv.UsageError, match="no position to draw"):
        _ = mjconv.view(Match()).svg


# The drawings of the tiles: one for each tile of any set, well-formed, and without inline styles.


each_tile = looped("tile", *sorted(TILES))


def drawing(tile: str) -> ET.Element:
    [symbol] = ET.fromstring(f'<svg xmlns="{SVG[1:-1]}">{symbols([tile])}</svg>')
    return symbol


@each_tile
def test_every_tile_has_a_drawing(tile: str) -> None:
    symbol = drawing(tile)
    assert symbol.tag == f"{SVG}symbol"
    assert symbol.get("id") == ("t-back" if tile == HIDDEN else f"t-{tile}")
    assert len(list(symbol.iter())) > 4


def test_no_two_tiles_look_alike() -> None:
    assert len({symbols([tile]).replace(tile, "") for tile in TILES}) == len(TILES)


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


def test_a_high_rank_has_as_many_shapes() -> None:
    for rank, suit in [(rank, suit) for rank in range(10, 17) for suit in "ps"]:
        shapes = [element for element in drawing(f"{rank}{suit}").iter() if element.get("fill") != "none"]
        shapes = [element for element in shapes if element.tag.endswith(("}circle", "}path"))]
        assert len(shapes) == rank


def test_a_spelling_that_is_no_tile_is_an_error() -> None:
    with pytest.raises(KeyError):
        symbols(["17m"])


def test_the_turn_the_last_discard_and_the_drawn_tile_are_marked() -> None:
    match = mjconv.read(SAMPLE)
    at = next(step for step in mjconv.steps(match) if step.kind == "draw" and step.state.last)
    svg = mjconv.view(match, step=at.step).svg
    found = re.findall(r'#t-(\w+)"[^>]*/>(?:<rect class="dim"[^>]*/>)?(<rect class="ring")?', svg)
    ringed = [tile for tile, ring in found if ring]
    assert at.state.last is not None
    seat, index = at.state.last
    assert sorted(ringed) == sorted([at.state.river[seat][index].tile, str(at.state.drawn[at.state.turn])])
    assert [f"{at.state.turn}"] == re.findall(r'data-seat="(\d)"[^>]*><rect class="turn"', svg)


def test_five_and_six_players_have_tiles_of_a_hand_as_large_as_those_of_four() -> None:
    svg = mjconv.view(mjconv.read(CORPUS / "uzje/six.uzje")).svg
    [outer] = set(re.findall(r'data-seat="\d" transform="translate[^"]*scale\(([\d.]+)\)"', svg))
    assert float(outer) * max(map(float, re.findall(r"scale\((0[\d.]+)\)", svg))) * 300 >= 30
