"""Pictures to send: their size, what a card says, and signs that no font has."""

import re
import struct
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import width
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.viewer.card import card as card_of
from mjconv.viewer.rounds import round_views

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
    match = mjconv.read(CORPUS / "sample/game.mjson")
    match.players = [Player(Name(Text(name))) for _ in match.players]
    for card in (True, False):
        drawing = mjconv.view(match, card=card).svg
        assert "<script" not in drawing
        for size, text in re.findall(r'font-size="([\d.]+)"[^>]*>([^<>]+)</text>', drawing):
            assert float(size) * width(unescape(text)) * 0.5 <= 700, text


@looped(("lang", "first"), ("en", "Noto Sans CJK JP"), ("zh-CN", "Noto Sans CJK SC"), ("zh", "Noto Sans CJK TC"))
def test_a_drawing_has_one_family_of_fonts_with_all_its_signs(lang: str, first: str) -> None:
    drawing = mjconv.view(mjconv.read(CORPUS / "sample/game.mjson"), lang=lang).svg
    assert re.findall("font-family:([^,]*),", drawing) == [f"'{first}'"]
    assert re.findall("font-family:([^,]*),", mjconv.view(mjconv.read(CORPUS / "uzje/six.uzje")).svg) == ["Arial"]


def test_a_png_is_of_the_size_of_a_preview(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg is not installed: pip install -e '.[picture]'")
    mjconv.view(mjconv.read(CORPUS / "sample/game.mjson"), step=3).write(tmp_path / "x.png")
    assert struct.unpack(">8s8xII", (tmp_path / "x.png").read_bytes()[:24]) == (b"\x89PNG\r\n\x1a\n", 1200, 630)
    strange = Match([Player(Name(Text("\U00012345")))] * 4, [Round([DEAL])])
    with pytest.raises(mjconv.UsageError, match="no font here has \U00012345: name a font that has them with"):
        mjconv.view(strange).png()
