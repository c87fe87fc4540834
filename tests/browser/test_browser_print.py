"""Print makes a page a round: the deal, each turn of each player, and the result."""

import re

import pytest
from chromium import Browser
from records import PLAYED, RESULTS, SIX, TENHOU, THREE, Record

from mjconv.ir.events import Chi, Daiminkan, Discard, Draw, Pon

PRINTED = """
dispatchEvent(new Event("beforeprint"));
return [...document.querySelectorAll(".kyoku")].map((sheet) => ({
  title: sheet.querySelector("h2").textContent,
  hands: [...sheet.querySelectorAll(".kyokuplayer > .tiles")].map((hand) =>
    hand.querySelectorAll("[data-tile]").length),
  discards: [...sheet.querySelectorAll(".kyokuplayer")].map((player) =>
    player.querySelectorAll(".turns tr:last-child [data-tile]").length),
  results: sheet.querySelectorAll(".result").length,
}));
"""


def page_count(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)
def test_a_sheet_has_the_deal_each_discard_and_the_results(browser: Browser, game: Record) -> None:
    data = game.data
    browser.open(data)
    sheets = browser.run(PRINTED)
    assert len(sheets) == len(data["rounds"])
    for sheet, game_round in zip(sheets, data["rounds"], strict=True):
        dealer = game_round["dealer"] or 0
        seats = [(dealer + place) % len(game_round["winds"]) for place in range(len(game_round["winds"]))]
        assert sheet["hands"] == [len(game_round["state"]["hands"][seat].split()) for seat in seats]
        thrown = [step["actor"] for step in game_round["steps"] if step["kind"] == "discard"]
        assert sheet["discards"] == [thrown.count(seat) for seat in seats]
        assert sheet["results"] == len(game_round["results"])


@pytest.mark.parametrize("game", [THREE, SIX, TENHOU], ids=lambda game: game.name)
def test_a_round_is_one_page(browser: Browser, game: Record) -> None:
    browser.open(game.data)
    pdf = browser.print()
    assert pdf.startswith(b"%PDF")
    assert page_count(pdf) == len(game.data["rounds"])


def test_results_alone_print(browser: Browser) -> None:
    browser.open(RESULTS.data)
    assert page_count(browser.print()) == 2


def test_the_turns_hold_every_draw_and_discard_in_rows_from_the_dealer_on(browser: Browser) -> None:
    browser.open(TENHOU.data)
    rounds = browser.run("return current.data.rounds.map(turnsOf)")
    for played, record in zip(rounds, TENHOU.match.rounds, strict=True):
        for seat, turns in enumerate(played):
            out = [turn["out"]["tile"] for turn in turns if "out" in turn]
            assert out == [event.pai for event in record.select(Discard) if event.actor == seat]
            got = [got for turn in turns for got in (turn.get("got"), *turn["more"]) if got]
            drawn = [each["tile"] for each in got if not each.get("call")]
            assert drawn == [event.pai for event in record.select(Draw) if event.actor == seat]
            calls = [each["from"] for each in got if each.get("call") in ("call.chi", "call.pon", "call.kan")]
            called = [event.target for event in record.events if isinstance(event, Chi | Pon | Daiminkan)
                      and event.actor == seat]  # fmt: skip
            assert calls == called
            assert [turn["n"] for turn in turns] == sorted({turn["n"] for turn in turns})
