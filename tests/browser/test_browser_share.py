"""The page makes pictures of itself, fills a frame without taking the wheel, and opens each game of an evening."""

import re
from html import escape
from pathlib import Path
from typing import Any

from chromium import Browser
from records import FOUR, SIX

import mjconv
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
FRAMES = [*SMALL, (560, 420), (640, 360), (700, 700), (900, 700)]

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
    for size in FRAMES:
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
