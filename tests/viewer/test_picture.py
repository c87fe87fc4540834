"""Pictures to send: their size, what a card says, and signs that no font has."""

import re
import struct
from pathlib import Path

import pytest

import mjconv
from corpus_files import CORPUS
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Name, Player, Round, Text

DEAL = ev.StartRound("E", kyoku=1, honba=0, scores=(25000,) * 4, tehais=(("1m",) * 13,) * 4)
PLAY = [DEAL, ev.Draw(0, "1m"), ev.Discard(0, "1m")]


def words(drawing: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", drawing)


@pytest.mark.parametrize(
    ("file", "name", "shown"),
    [
        (
            "sample/game.mjson",
            "E1-0",
            ["riichi 1 · ippatsu 1 · pinfu 1 · red dora 1", "33,700", "+8,700", "別府 夏子"],
        ),
        ("sample/game.mjson", "E3-0", ["The round is drawn: nine kinds of terminals and ", "honours."]),
        ("tenhou/hanchan.mjlog", "E4-0", ["31,900", "+1,500"]),
    ],
)
def test_a_card_has_the_result_the_hand_and_the_points(file: str, name: str, shown: list[str]) -> None:
    card = mjconv.view(mjconv.read(CORPUS / file), round=name, card=True).svg
    assert set(shown) <= set(words(card))


def test_a_card_has_every_winner_and_a_round_without_a_result_has_none() -> None:
    several = Match(rounds=[Round([*PLAY, ev.Win(1, 0), ev.Win(2, 0)])])
    card = mjconv.view(several, card=True).svg
    assert [text for text in words(card) if "wins" in text] == [
        "South wins by ron on 1m from East.",
        "West wins by ron on 1m from East.",
    ]
    with pytest.raises(mjconv.UsageError, match="the round E1-0 has no result"):
        _ = mjconv.view(Match(rounds=[Round([DEAL])]), card=True).svg


def test_a_png_is_of_the_size_of_a_preview(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg is not installed: pip install -e '.[picture]'")
    view = mjconv.view(mjconv.read(CORPUS / "sample/game.mjson"), step=3)
    view.write(tmp_path / "x.png")
    assert struct.unpack(">8s8xII", (tmp_path / "x.png").read_bytes()[:24]) == (b"\x89PNG\r\n\x1a\n", 1200, 630)
    strange = Match([Player(Name(Text("\U00012345")))] * 4, [Round([DEAL])])
    with pytest.raises(
        mjconv.UsageError, match="no font here has \U00012345: name a font that has them with --font"
    ):
        mjconv.view(strange).png()
