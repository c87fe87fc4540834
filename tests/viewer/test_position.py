"""Drawings: a position is one SVG with the tiles of the table; pictures to send, their size, and signs."""

import re
import struct
import xml.etree.ElementTree as ET
import zlib
from collections import Counter
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import width
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.ir.tiles import HIDDEN, TILES
from mjconv.viewer.card import card as card_of
from mjconv.viewer.picture import position_picture
from mjconv.viewer.rounds import round_views
from mjconv.viewer.state import LaidMeld, MeldTile, shown_tiles
from mjconv.viewer.tiles import symbols

SVG = "{http://www.w3.org/2000/svg}"


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


# Pictures to send: their size, what a card says, and signs that no font has.
DEAL = ev.StartRound("E", kyoku=1, honba=0, scores=(25000,) * 4, tehais=(("1m",) * 13,) * 4)
PLAY = [DEAL, ev.Draw(0, "1m"), ev.Discard(0, "1m")]


def words(drawing: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", drawing)


@looped(
    ("file", "name", "shown"),
    ("sample/game.mjson", "E1-0", ["別府 夏子", "ron from 朝倉 春", "7,700", "4 han 30 fu", "ippatsu"]),
    ("sample/game.mjson", "E1-0", ["dora indicators", "ura dora indicators"]),
    ("sample/game.mjson", "E1-0", ["33,700", "+8,700", "17,300"]),
    ("sample/game.mjson", "E3-0", ["The round is drawn: nine kinds of terminals and honours."]),
    ("tenhou/hanchan.mjlog", "E4-0", ["exhaustive draw, 2 tenpai", "waits for", "31,900", "+1,500"]),
    ("uzje/six.uzje", "E4-0", ["East-West", "South"]),
)
def test_a_card_has_the_result_the_hand_and_the_points(file: str, name: str, shown: list[str]) -> None:
    assert set(shown) <= set(words(mjconv.view(mjconv.read(CORPUS / file), round=name, card=True).svg))


def test_the_lines_of_three_winners_are_apart() -> None:
    [view] = round_views(Match(rounds=[Round([*PLAY, *(ev.Win(seat, 0) for seat in (1, 2, 3))])]))
    lines = sorted((y, size) for kind, x, y, size, *_ in card_of(view) if kind == "text" and x == 40)
    assert len(lines) == 7
    for (above, _), (base, size) in pairwise(lines):
        assert above < base - 0.9 * size


def test_a_card_has_every_winner_and_a_round_without_a_result_has_none() -> None:
    card = mjconv.view(Match(rounds=[Round([*PLAY, ev.Win(1, 0), ev.Win(2, 0)])]), card=True).svg
    assert words(card)[1:5] == ["South", "ron from East", "West", "ron from East"]
    with pytest.raises(mjconv.UsageError, match="the round E1-0 has no result"):
        _ = mjconv.view(Match(rounds=[Round([DEAL])]), card=True).svg


def test_the_hands_of_a_draw_have_their_melds_and_the_doras_are_marked() -> None:
    card = mjconv.view(mjconv.read(CORPUS / "tenhou/hanchan.mjlog"), round="E4-0", card=True).svg
    tiles = re.findall(r'href="#t-([^"]+)"[^>]*/>(<path class="dora")?', card)
    # Two hands of 13 and a tile for a kan, three waits, and no indicators.
    assert (len(tiles), {tile for tile, dora in tiles if dora}) == (13 + 14 + 3, {"5mr", "5pr"})


@looped("name", "あ" * 60, "A" * 200, "W" * 20_000, "\u0301" * 20_000, "</text><script>", "👩‍👩‍👧‍👧 & co", ids=len)
def test_a_name_has_its_room_whatever_it_is(name: str) -> None:
    match = mjconv.read(SAMPLE)
    match.players = [Player(Name(Text(name))) for _ in match.players]
    for card in (True, False):
        drawing = mjconv.view(match, card=card).svg
        assert "<script" not in drawing
        for size, text in re.findall(r'font-size="([\d.]+)"[^>]*>([^<>]+)</text>', drawing):
            assert float(size) * width(unescape(text)) * 0.5 <= 700, text


@looped(("lang", "first"), ("en", "Noto Sans CJK JP"), ("zh-CN", "Noto Sans CJK SC"), ("zh", "Noto Sans CJK TC"))
def test_a_drawing_has_one_family_of_fonts_with_all_its_signs(lang: str, first: str) -> None:
    drawing = mjconv.view(mjconv.read(SAMPLE), lang=lang).svg
    assert re.findall("font-family:([^,]*),", drawing) == [f"'{first}'"]
    assert re.findall("font-family:([^,]*),", mjconv.view(mjconv.read(CORPUS / "uzje/six.uzje")).svg) == ["Arial"]


def test_a_png_is_of_the_size_of_a_preview(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg is not installed: pip install -e '.[picture]'")
    mjconv.view(mjconv.read(SAMPLE), step=3).write(tmp_path / "x.png")
    assert struct.unpack(">8s8xII", (tmp_path / "x.png").read_bytes()[:24]) == (b"\x89PNG\r\n\x1a\n", 1200, 630)
    strange = Match([Player(Name(Text("\U00012345")))] * 4, [Round([DEAL])])
    with pytest.raises(mjconv.UsageError, match="no font here has \U00012345: name a font that has them with"):
        mjconv.view(strange).png()
