"""The fan of Chinese Official by the package PyMahjongGB: right ones are right, and wrong ones are found."""

import os
from pathlib import Path

import pytest

import mjconv
from corpus_files import CORPUS
from mcr_made import match_of
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.ir.mcr_fan import FAN
from mjconv.rules.mcr_wins import calculator

pytestmark = pytest.mark.mcr
FOLDERS = [CORPUS, *([Path(os.environ["MJCONV_REAL_LOGS"])] if "MJCONV_REAL_LOGS" in os.environ else [])]
FILES = [path for folder in FOLDERS for form in ("botzone", "pmn") for path in sorted((folder / form).iterdir())]
RON = (CORPUS / "botzone/hands.botzone").read_text("utf-8").split("\n\n")[0]
DRAWN = (CORPUS / "botzone/hands.botzone").read_text("utf-8").split("\n\n")[1]
FLOWERS = (CORPUS / "botzone/flowers.txt").read_bytes().decode().replace("\r\n", "\n")


def found(text: str) -> list[str]:
    return [finding.code for finding in mjconv.validate(text.encode(), format="botzone")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_stated_fan_is_right(path: Path) -> None:
    matches = list(mjconv.iter_matches(path))
    assert [finding for match in matches for finding in mjconv.check(match)] == []


def test_most_hands_state_fan() -> None:
    rounds = [one for path in FILES for match in mjconv.iter_matches(path) for one in match.rounds]
    assert sum(bool(win.yakus) for one in rounds for win in one.select(ev.Win)) >= 9


@pytest.mark.parametrize(
    ("hand", "right", "wrong", "code"),
    [
        pytest.param(RON, "Fan 21", "Fan 22", "R046", id="a sum that is too high"),
        pytest.param(RON, "无字*1+", "", "R046", id="a fan left out of the sum"),
        pytest.param(RON, "21 清龙*1", "17 花龙*1+自摸*1", "R046", id="another straight"),
        pytest.param(RON, "清龙*1+", "组合龙*1+全带幺*1+", "R046", id="another fan of the same sum"),
        pytest.param(RON, "21 清龙*1", "22 清龙*1+自摸*1", "R046", id="self-drawn after a discard"),
        pytest.param(RON, "21 清龙*1", "22 清龙*1+花牌*1", "R046", id="a flower that nobody has"),
        pytest.param(RON, "门前清", "不求人", "R046", id="fully concealed after a discard"),
        pytest.param(RON, "单钓将", "坎张", "R046", id="another wait"),
        pytest.param(RON, "21 清龙*1", "22 清龙*1+连六*1", "R046", id="a fan that another includes"),
        pytest.param(RON, "21 清龙*1", "25 清龙*1+和绝张*1", "R046", id="a last tile that is not"),
        pytest.param(RON, "21 清龙*1", "23 清龙*1+门风刻*1", "R046", id="a pung of a wind that is not there"),
        pytest.param(RON, "Score -8 -8 45 -29", "Score -8 -8 44 -28", "R051", id="one point too few"),
        pytest.param(RON, "Score -8 -8 45 -29", "Score -8 -8 46 -29", "R050", id="one point from nobody"),
        pytest.param(RON, "Score -8 -8 45 -29", "Score 0 0 29 -29", "R051", id="the others pay no base"),
        pytest.param(RON, "Score -8 -8 45 -29", "Score -29 -8 45 -8", "R051", id="another player pays"),
        pytest.param(RON, "Score -8 -8 45 -29", "Score -29 -29 87 -29", "R051", id="all pay for a discard"),
        pytest.param(DRAWN, "Score -31 -31 93 -31", "Score -23 -23 69 -23", "R051", id="no base for a draw"),
        pytest.param(DRAWN, "不求人*1+", "自摸*1+门前清*1+", "R046", id="what fully concealed includes"),
        pytest.param(FLOWERS, "24 清龙", "23 清龙", "R046", id="a flower not in the sum"),
        pytest.param(FLOWERS, "花牌*1", "花牌*2", "R046", id="two flowers for one"),
        pytest.param(RON, "Deal T2 B2 T6 B5", "Deal T2 B2 T6 B6", "R040", id="a hand that is not complete"),
    ],
)
def test_a_wrong_value_is_found(hand: str, right: str, wrong: str, code: str) -> None:
    assert right in hand
    assert found(hand) == []
    assert code in found(hand.replace(right, wrong))


def test_the_message_names_the_right_fan() -> None:
    finding = next(iter(mjconv.validate(RON.replace("Fan 21", "Fan 22").encode(), format="botzone")))
    fan = "Pure Straight 16, Concealed Hand 2, One Voided Suit 1, No Honors 1, Single Wait 1"
    assert finding.message.endswith(f"has 21 fan: {fan}")


def made(hand: str, *play: ev.Event, wind: str = "E") -> Match:
    """Return a hand: the tiles of the first player, and what is played after the first draw."""
    hands = (tuple(hand.split()), *((("?",) * 13,) * 3))
    deal = ev.StartRound(bakaze=wind, oya=0, tehais=hands)
    return match_of(mjconv.Round([deal, *play, ev.EndRound()]))


def message(match: Match) -> str:
    return "; ".join(finding.message for finding in mjconv.check(match) if finding.code == "R046")


def test_a_concealed_and_a_melded_kong_are_a_fan_of_their_own() -> None:
    fan = calculator()(
        pack=(("GANG", "W1", 1), ("GANG", "B5", 0)), hand=("T2", "T3", "T4", "T6", "T7", "F1", "F1"), winTile="T8",
        flowerCount=0, isSelfDrawn=True, is4thTile=False, isAboutKong=False, isWallLast=False, seatWind=0,
        prevalentWind=0,
    )  # fmt: skip
    row = FAN["concealed_and_melded_kong"]
    assert (row.fan, row.chinese) in fan


def test_a_win_on_the_tile_after_a_kong_counts_it() -> None:
    hand = "1m 1m 1m 1m 2p 3p 4p 6s 7s 8s 5s 5s 9p"
    win = ev.Win(0, yakus=(("all_chows", 2),), fan=2)
    play = (ev.Draw(0, "8p"), ev.Ankan(0, ("1m",) * 4), ev.Draw(0, "7p"), win)
    assert "Out with Replacement Tile 8" in message(made(hand, *play))
    flower = (ev.Draw(0, "1f"), ev.Nukidora(0, "1f"), ev.Draw(0, "7p"), win)
    again = message(made("1m 1m 1m 2p 3p 4p 6s 7s 8s 5s 5s 8p 9p", *flower))
    assert "Flower Tiles 1" in again
    assert "Replacement" not in again


def test_a_robbed_kong_counts_and_the_last_tile_does_not() -> None:
    hand = "1m 2m 3m 2p 3p 4p 6s 7s 8s 5s 5s 8p 9p"
    play = (
        ev.Draw(0, "E"), ev.Discard(0, "E"), ev.Draw(1, "7p"), ev.Discard(1, "7p"),
        ev.Pon(2, 1, "7p", ("7p", "7p")),
        ev.Discard(2, "N"), ev.Draw(3, "W"), ev.Discard(3, "W"), ev.Draw(0, "W"), ev.Discard(0, "W"),
        ev.Draw(1, "W"), ev.Discard(1, "W"), ev.Draw(2, "7p"), ev.Kakan(2, "7p", ("7p",) * 3),
        ev.Win(0, target=2, yakus=(("all_chows", 2),), fan=2),
    )  # fmt: skip
    assert "Robbing the Kong 8" in message(made(hand, *play))
    assert "Last Tile" not in message(made(hand, *play))


def test_winds_of_seat_and_round_count() -> None:
    hand = "S S S 2p 3p 4p 6s 7s 8s 5s 5s 8p 9p"
    play = (ev.Draw(0, "7p"), ev.Win(0, yakus=(("self_drawn", 1),), fan=1))
    assert "Prevalent Wind 2" in message(made(hand, *play, wind="S"))
    assert "Wind" not in message(made(hand, *play, wind="W"))
    assert "Seat Wind 2" in message(made(hand.replace("S", "E"), *play, wind="S"))
