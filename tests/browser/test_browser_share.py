"""What leaves the page: links, hands, prints, pictures of itself, a frame, and each game of an evening."""

import re
from html import escape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from chromium import Browser
from records import FLOWERS, FOUR, PLAYED, RESULTS, SIX, TENHOU, THREE, Record

import mjconv
from mjconv.ir.events import Chi, Daiminkan, Discard, Draw, Pon
from mjconv.viewer.show import evening_of

#: The size of the picture, and how many colours a few hundred of its points have.
PICTURE = """
const image = document.querySelector(".share img");
const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
canvas.getContext("2d").drawImage(image, 0, 0);
const { data } = canvas.getContext("2d").getImageData(0, 0, 1200, 630);
const colours = new Set();
for (let at = 0; at < data.length; at += 4 * 997) colours.add(data.slice(at, at + 3).join());
return [image.naturalWidth, image.naturalHeight, colours.size > 20];
"""
#: The tiles of the card and of the table in the picture of the position, with their places.
TILES = """
const places = (root) => [...root.querySelectorAll("use")].map((use) => {
  const [, x, y] = /translate\\(([-\\d.]+) ([-\\d.]+)\\)/.exec(use.parentNode.getAttribute("transform"));
  return `${Math.round(x)} ${Math.round(y)} ${use.getAttribute("href")}`;
});
return [places(drawCard(current)), places(drawPosition(current).querySelector(".board"))];
"""
SHOWN = "return !!document.querySelector('.share img')?.complete"
#: Whether nothing needs scrolling, and the controls are below the table or beside it.
FITS = """
const { scrollHeight, scrollWidth } = document.documentElement;
const boxes = (parts) => [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect());
const [dock] = boxes(".controls");
const fits = scrollHeight <= innerHeight && scrollWidth <= innerWidth;
const clear = ({ width, bottom, right }) => width && (bottom <= dock.top + 1 || right <= dock.left);
return fits && boxes(".square, span.hand").every(clear);
"""
#: Whether the result is read without scrolling, and covers no button.
READABLE = """
const sheet = document.querySelector(".sheet");
const last = sheet.querySelector(".result > :last-child").getBoundingClientRect();
const [box, dock] = [sheet, document.querySelector(".controls")].map((part) => part.getBoundingClientRect());
return box.top >= 0 && last.bottom <= box.bottom + 1 && (box.bottom <= dock.top || box.right <= dock.left);
"""
#: Frames of all shapes.
SMALL = [(320, 320), (320, 480), (400, 300), (480, 320), (559, 420)]

#: Tables of an evening that are wider than their room.
CUT = """
const wide = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth;
return [...document.querySelectorAll(".scroll")].filter(wide).map((box) => box.ariaLabel);
"""


def test_a_picture_of_the_position_and_of_the_result_is_made_without_network(browser: Browser) -> None:
    browser.open(FOUR.data, "#E2-0.17.s2")
    browser.click(".key-share")
    browser.wait(SHOWN)
    assert browser.run(PICTURE) == [1200, 630, True]
    [saved] = browser.run("return [...document.querySelectorAll('.share a')].map(({ download }) => download)")
    assert saved == "E2-0.17.png"
    # A file has no link that others could open.
    assert "Copy link" not in browser.texts(".share button")
    assert "#E2-0.17.s2 after its address" in browser.texts(".share p")[0]
    position = browser.run("return document.querySelector('.share img').src")
    browser.run("document.querySelectorAll('.share button')[1].click()")
    browser.wait(f"return document.querySelector('.share img').src.length !== {len(position)}")
    browser.wait(SHOWN)
    assert browser.run(PICTURE) == [1200, 630, True]
    # The command draws the same tiles at the same places, and after those of the table the indicators.
    for card, tiles in zip((True, False), browser.run(TILES), strict=True):
        drawing = mjconv.view(FOUR.match, round="E2-0", step=17, seat=2, card=card).svg
        found = re.findall(r'translate\(([\d.]+) ([\d.]+)\)[^>]*><use href="([^"]+)"', drawing)
        drawn = [f"{float(x):.0f} {float(y):.0f} {tile}" for x, y, tile in found]
        assert sorted(drawn[: len(tiles)]) == sorted(tiles)
    # Who wants no results ahead is offered none.
    browser.run("document.querySelector('.share').close(); current.toggle('quiet')")
    browser.click(".key-share")
    browser.wait(SHOWN)
    assert "Result of the round" not in browser.texts(".share button")


def test_an_embedded_page_fills_its_frame_and_a_link_leads_to_the_whole_page(browser: Browser) -> None:
    begin = browser.open(FOUR.data, "#E2-0.17.s2.embed", (320, 320))
    for size in [*SMALL, (560, 420), (640, 360), (700, 700), (900, 700)]:
        browser.size(size)
        assert browser.run(FITS), size
        browser.press("End")
        assert browser.run(FITS), size
        assert browser.run(READABLE), size
        browser.run("current.goStep(17)")
    browser.press("ArrowRight")
    assert browser.run("return document.querySelector('.whole').href") == f"{begin}#E2-0.18.s2"
    browser.open(SIX.data, "#embed", (320, 320))
    assert browser.place() == (0, 0)
    assert not browser.run("return !!document.querySelector('.toggles').offsetHeight")


def test_a_page_in_a_frame_takes_the_wheel_only_after_a_click(browser: Browser, tmp_path: Path) -> None:
    html = mjconv.view(FOUR.match, round="E2-0", step=5).html
    outer = tmp_path / "outer.html"
    outer.write_text(
        '<!doctype html><body style="height:3000px;margin:0"><iframe sandbox="allow-scripts" '
        f'style="width:800px;height:600px;border:0" srcdoc="{escape(html)}"></iframe>'
    )
    browser.driver.get(outer.as_uri())

    def inside(script: str) -> Any:
        browser.driver.switch_to.frame(browser.driver.find_element("css selector", "iframe"))
        browser.wait("return document.documentElement.dataset.ready !== undefined")
        found = browser.run(script)
        browser.driver.switch_to.default_content()
        return found

    def turn() -> int:
        event = {"type": "mouseWheel", "x": 200, "y": 200, "deltaX": 0, "deltaY": 100}
        browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)
        step: int = inside("return +document.getElementById('app').dataset.step")
        return step

    assert (inside("return current.replay.step"), turn()) == (5, 5)
    browser.wait("return scrollY > 0")
    browser.run("scrollTo(0, 0)")
    browser.click("iframe")
    clicked = inside("return +document.getElementById('app').dataset.step")
    assert turn() == clicked + 1
    # What a sandboxed frame refuses is not offered.
    inside("current.share()")
    browser.driver.switch_to.frame(browser.driver.find_element("css selector", "iframe"))
    browser.wait(SHOWN)
    assert browser.texts(".share button, .share a, .share p") == [
        "This position",
        "Result of the round",
        "Save picture",
        "Close",
    ]
    browser.driver.switch_to.default_content()


def test_each_game_of_an_evening_is_a_click_away(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "may.html"
    evening_of([FOUR.match, FOUR.match], "May").write(path)
    browser.go(path.as_uri())
    assert [text.strip() for text in browser.texts(".plays .open")] == ["1", "2"]
    for size in ((320, 640), (390, 844), (1000, 700), (1280, 720), (2560, 1440)):
        browser.size(size)
        assert browser.run(CUT) == [], size
    browser.run("document.querySelectorAll('.plays .open')[1].click()")
    browser.wait("return !!document.querySelector('.board')")
    browser.press("ArrowRight")
    browser.wait("return location.hash.startsWith('#2/') && location.hash.includes('.1.s')")
    browser.driver.back()
    browser.wait("return !!document.querySelector('.plays')")
    browser.go(f"{path.as_uri()}#1/E2-0.17.s2")
    browser.wait("return !!document.querySelector('.board')")
    assert (browser.place(), browser.texts(".head .open")) == ((1, 17), ["May"])
    browser.click(".head .open")
    browser.wait("return !!document.querySelector('.plays')")


# The page copies the link of a step, a hand in short notation, and a round for Tenhou's viewer.
LISTEN = """
window.copied = [];
const writeText = async (text) => { %s };
Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText } });
"""
WRITES, REFUSES = LISTEN % "window.copied.push(text)", LISTEN % "throw new Error()"


def copied(browser: Browser, key: str) -> list[str]:
    browser.run(WRITES)
    browser.press(key)
    found: list[str] = browser.run("return window.copied")
    return found


def test_a_copied_link_leads_to_the_step(browser: Browser) -> None:
    begin = browser.open(FOUR.data, "#E2-0.17.s2")
    assert copied(browser, "y") == [f"{begin}#E2-0.17.s2"]
    assert browser.texts(".caption") == ["Copied"]
    browser.press("ArrowRight")
    assert browser.texts(".caption") != ["Copied"]
    assert copied(browser, "y") == [f"{begin}#E2-0.18.s2"]


@pytest.mark.parametrize(
    ("tiles", "short"),
    [
        ("1m 5m 5mr 9m 3p E S C", "1509m3p127z"),
        ("P F 5sr 5p", "5p0s56z"),
        ("1m ? ?", "1m ? ?"),
        ("1m 1f", "1m 1f"),
    ],
)
def test_a_hand_is_copied_in_short_notation(browser: Browser, tiles: str, short: str) -> None:
    data = FOUR.data
    data["rounds"][0]["state"]["hands"][1] = tiles
    browser.open(data, "#E1-0.0.s1")
    assert copied(browser, "Y") == [short]


def test_the_tile_just_drawn_is_in_the_copied_hand(browser: Browser) -> None:
    data = FOUR.data
    steps = data["rounds"][0]["steps"]
    step = next(index for index, step in enumerate(steps) if step["kind"] == "draw")
    browser.open(data, f"#E1-0.{step}.s{steps[step]['actor']}")
    [hand] = copied(browser, "Y")
    assert sum(letter.isdigit() for letter in hand) == 14


def test_the_copied_link_of_a_round_holds_the_round(browser: Browser) -> None:
    browser.open(FOUR.data, "#E3-0.2.s0")
    [link] = copied(browser, "T")
    [match] = mjconv.read_all(link.encode())
    assert [event for event in match.rounds[0].events if isinstance(event, mjconv.Discard)] == [
        event for event in FOUR.match.rounds[2].events if isinstance(event, mjconv.Discard)
    ]


def test_a_round_is_copied_as_mjai(browser: Browser) -> None:
    for number, played in enumerate(FOUR.match.rounds):
        browser.open(FOUR.data, f"#{played.label}.2.s0")
        [text] = copied(browser, "M")
        match = mjconv.read(text.encode(), format="mjai")
        assert match.players == FOUR.match.players
        assert match.rounds[0].events == FOUR.match.rounds[number].events


@pytest.mark.parametrize("record", [SIX, FLOWERS], ids=["six", "flowers"])
def test_a_round_that_a_format_cannot_hold_has_no_copy_and_no_entry(browser: Browser, record: Record) -> None:
    browser.open(record.data)
    assert copied(browser, "T") == copied(browser, "M") == []
    browser.press("?")
    assert not {"T", "M", "b"} & set(browser.texts("dialog kbd"))
    assert "y" in browser.texts("dialog kbd")


def test_a_text_that_the_browser_does_not_copy_is_selected(browser: Browser) -> None:
    browser.open(FOUR.data, "#E1-0.0.s0")
    browser.run(REFUSES)
    browser.press("Y")
    browser.wait("return getSelection().toString() !== ''")
    assert [browser.run("return getSelection().toString()")] == browser.texts(".caption")
    assert copied(browser, "Y")


@pytest.mark.parametrize(("size", "left"), [(6_000, {"links"}), (16_000, set())], ids=["large", "larger"])
def test_a_large_page_leaves_out_mjai_and_then_the_links(browser: Browser, size: int, left: set[str]) -> None:
    data = FOUR.data
    for seed, key in enumerate(("links", "messages")):
        random = Random(seed)
        data[key] = [random.randbytes(size).hex() for _ in range(3)]
    browser.open(data)
    assert {
        key for key in ("links", "messages") if browser.run("return current.data[arguments[0]][0]", key)
    } == left
    assert (len(copied(browser, "T")), copied(browser, "M")) == (len(left), [])
    assert browser.run("return current.data.rounds.length") == 3


# Print makes a page a round: the deal, each turn of each player, and the result.
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
