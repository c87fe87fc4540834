"""Wins of Chinese Official without the package that counts fan: sums, the least fan, and points."""

import pytest

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from mjconv.referee import mcr
from mjconv.rules import mcr_wins

RON = (CORPUS / "botzone/hands.botzone").read_text("utf-8").split("\n\n")[0]


@pytest.fixture(autouse=True)
def no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (mcr, mcr_wins):
        monkeypatch.setattr(module, "calculator", lambda: None)


def found(text: str) -> list[str]:
    return [finding.code for finding in mjconv.validate(text.encode(), format="botzone")]


def test_fan_that_are_not_checked_are_reported_once() -> None:
    findings = mjconv.validate(f"{RON}\n\n{RON}".encode(), format="botzone")
    assert [(finding.code, finding.severity) for finding in findings] == [("R081", "note")]
    assert "pip install PyMahjongGB" in findings[0].message


def test_sums_and_points_are_checked() -> None:
    for right, wrong, code in (
        ("Fan 21", "Fan 22", "R046"),
        ("Score -8 -8 45 -29", "Score -8 -8 46 -29", "R050"),
        ("Score -8 -8 45 -29", "Score -29 -8 45 -8", "R051"),
        ("Score -8 -8 45 -29", "Score 0 0 29 -29", "R051"),
        ("21 清龙*1+门前清*1+缺一门*1+无字*1+单钓将*1\nScore -8 -8 45 -29", "1 自摸*1\nScore -8 -8 25 -9", "R080"),
        ("21 清龙*1+门前清*1+缺", "9 花牌*6+缺", "R080"),
    ):
        assert right in RON, right
        assert code in found(RON.replace(right, wrong)), right


@looped(("after", "wrong"), ((-32, 36, -8, 36), False), ((-32, 36, -8, 35), True))
def test_the_points_of_several_winners_are_those_after_the_round(after: tuple[int, ...], wrong: bool) -> None:
    wins = [ev.Win(seat, target=0, fan=12) for seat in (1, 3)]
    deal = ev.StartRound(bakaze="E", oya=0, scores=(0,) * 4, tehais=(("?",) * 13,) * 4)
    played = mjconv.Round([deal, ev.Draw(0, "E"), ev.Discard(0, "E"), *wins, ev.EndRound()], scores_after=after)
    match = mjconv.Match(rounds=[played], rules=mjconv.ir.match.Rules(game="mcr"))
    assert ("R051" in {finding.code for finding in mjconv.check(match)}) is wrong
