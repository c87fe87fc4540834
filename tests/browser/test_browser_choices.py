"""What the reader chooses, questions, quiet views, and the places of tiles in a hundred positions."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from chromium import NARROW, PHONE, WIDE, Browser
from records import FOUR, TENHOU

#: The hashes of the places of tiles, by position. ``MJCONV_WRITE=1`` before the test writes them anew.
PLACES = Path(__file__).parent / "places.json"
POSITIONS = 100
LYING = (844, 390)
#: Walks through the game, and returns every so many steps what lies where: each tile with its flags, its place
#: before a player, and the turn of that player. The seat turns each tenth time.
WALK = """
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const { dataset } = document.getElementById("app");
const [count, every] = arguments;
const found = [];
for (let step = 0; found.length < count; step += 1) {
  press("ArrowRight");
  if (step % every) continue;
  if (found.length % 10 === 0) press("s");
  const places = [...document.querySelectorAll(".board [data-tile]")].map((tile) => {
    const turn = tile.parentElement.closest("[transform^=rotate]")?.getAttribute("transform");
    return `${turn} ${tile.getAttribute("transform")} ${JSON.stringify(tile.dataset)}`;
  });
  found.push([`${dataset.round}.${dataset.step}`, places.sort().join(";")]);
}
return found;
"""
VISIBLE = """
const found = [...document.querySelectorAll(arguments[0])];
return found.filter((element) => element.checkVisibility({visibilityProperty: true})).length;
"""
SHOWN = "return [...document.querySelectorAll(arguments[0])].map((tile) => tile.dataset.tile)"


def test_tiles_of_a_hundred_positions_lie_where_they_lay(browser: Browser) -> None:
    data = TENHOU.data
    steps = sum(len(played["steps"]) for played in data["rounds"])
    browser.open(data, size=WIDE)
    walked = browser.run(WALK, POSITIONS, steps // (POSITIONS + 1))
    found = {place: hashlib.sha256(tiles.encode()).hexdigest()[:12] for place, tiles in walked}
    assert len(found) == POSITIONS
    if "MJCONV_WRITE" in os.environ:
        PLACES.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    assert found == json.loads(PLACES.read_text("utf-8"))


def test_choices_survive_a_reload(browser: Browser) -> None:
    page = browser.open(FOUR.data)
    read = """
        const pressed = document.querySelector(".key-h").getAttribute("aria-pressed");
        const { classList, lang } = document.documentElement;
        return [pressed, document.querySelector(".reading").hidden, document.querySelector(".speed").textContent,
          classList.contains("dark"), lang, document.querySelector(".caption").textContent];
    """
    before = browser.run(read)
    browser.press("h", "t", "+", "d", "l", "n")
    chosen = browser.run(read)
    assert all(one != other for one, other in zip(before, chosen, strict=True))
    browser.go(page)
    assert browser.run(read) == chosen


def test_a_quiet_view_shows_nothing_of_the_end(browser: Browser) -> None:
    page = browser.open(FOUR.data)
    seen = ".rounds .brief:not(:empty), .graph, .marks path"
    assert browser.run(VISIBLE, seen) > 3
    browser.go(f"{page}?quiet#E2-0.30")
    assert browser.run(VISIBLE, seen) == 0
    assert [browser.run(VISIBLE, part) for part in (".rounds [data-round]", ".events button")] == [2, 4]
    # Nothing shows how long the round is: slider, count, wall, and the room of a river in its lane.
    length = """
        const { max, ariaValueText } = document.querySelector(".track input");
        const rooms = [...document.querySelectorAll(".lane .river")].map(({ children }) => children.length);
        const count = document.querySelector(".count").textContent;
        return [max, ariaValueText, count, [...new Set(rooms)], document.querySelectorAll(".cell").length];
    """
    browser.press("w", "v")
    for keys, last in (((), 30), (("ArrowRight",), 31), (("ArrowLeft",), 31)):
        browser.press(*keys)
        at = browser.run("return document.getElementById('app').dataset.step")
        assert browser.run(length) == [str(last), at, at, [24], 0]
    browser.press("v")
    browser.press("q")
    assert browser.run(VISIBLE, seen) > 3


def test_a_question_shows_its_answer_after_a_press(browser: Browser) -> None:
    page = browser.open(FOUR.data)
    # Without a seat it asks the player who decides, here the one who drew.
    for address in ("#E2-0.40.ask", "#E2-0.40.s2.ask"):
        browser.go(page + address)
        assert browser.texts(".caption") == ["千早 秋: what would you discard?"]
    assert browser.run("return location.hash") == "#E2-0.40.s2.ask"
    browser.click(".answer")
    assert browser.place() == (1, 41)
    assert browser.texts(".caption, .answer") == ["千早 秋 declares riichi."]


def test_the_events_of_a_round_lead_to_their_steps(browser: Browser) -> None:
    data = FOUR.data
    browser.open(data, "#E2-0.0")
    kinds = ("chi", "pon", "kan", "kakan", "ankan", "riichi", "win")
    steps = [at for at, step in enumerate(data["rounds"][1]["steps"]) if step["kind"] in kinds]
    for index, at in enumerate(steps):
        browser.click(f".events button:nth-child({index + 1})")
        assert browser.place() == (1, at)


def test_dora_are_marked_and_waits_lie_beside_the_hands_in_tenpai(browser: Browser) -> None:
    """The indicators are west and 8m: the dora are north and 9m, and red fives."""
    browser.open(FOUR.data, "#E2-0.60.s0")
    marked = set(browser.run(SHOWN, ".board [data-dora]"))
    assert marked == {"N", "9m", "5mr", "5sr"}
    everywhere = [name for name in browser.run(SHOWN, ".board [data-tile]") if name in marked]
    assert len(browser.run(SHOWN, ".board [data-dora]")) == len(everywhere)
    waits = "[data-zone=waits][data-seat='{}'] [data-tile]".format
    assert browser.run(SHOWN, waits(2)) == []
    browser.press("t")
    assert [browser.run(SHOWN, waits(seat)) for seat in range(4)] == [[], [], ["1s", "4s"], []]
    browser.press("h")
    assert browser.run(SHOWN, waits(2)) == []


def test_the_final_result_has_an_address_and_a_caption_of_its_own(browser: Browser) -> None:
    page = browser.open(FOUR.data, "#E3-0.4.s0")
    browser.press("ArrowRight")
    browser.wait("return location.hash === '#E3-0.4.s0.final'")
    for address in ("#final", "#E3-0.4.s0.final"):
        browser.go(page + address)
        assert browser.texts(".places tbody tr .name")[0] == "千早 秋"
        assert browser.texts(".caption") == ["Final result"]
    assert browser.run(VISIBLE, ".graph") == 1
    browser.press("ArrowLeft")
    assert browser.texts(".places") == []


def test_the_result_of_a_draw_shows_hands_with_their_melds_and_what_each_player_gains(browser: Browser) -> None:
    browser.open(TENHOU.data, "#E4-0.999")
    rows = """
        return [...document.querySelectorAll(".drawhand")].map((row) =>
          [row.querySelectorAll("[data-meld]").length, row.querySelector(".gain, .loss")?.textContent]);
    """
    assert browser.run(rows) == [[2, "+1,500"], [3, "+1,500"], [0, "−1,500"], [0, "−1,500"]]


def test_the_list_of_rounds_keeps_its_place(browser: Browser) -> None:
    data = TENHOU.data
    data["rounds"] *= 4
    page = browser.open(data, size=WIDE)
    browser.go(f"{page}#E3-0~4.10")
    state: Any = """
        const list = document.querySelector(".rounds");
        const item = list.querySelector("[aria-current]");
        const [box, own] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
        return [own.top >= box.top - 1 && own.bottom <= box.bottom + 1, list.scrollTop];
    """
    inside, scrolled = browser.run(state)
    assert inside
    assert scrolled > 0
    browser.press("n", "h")
    assert browser.run(state) == [True, scrolled]


@pytest.mark.parametrize(("size", "place"), [(PHONE, (150, 300)), (LYING, (150, 150))], ids=["upright", "lying"])
def test_two_fingers_enlarge_the_table_and_step_nowhere(
    browser: Browser, size: tuple[int, int], place: tuple[int, int]
) -> None:
    browser.open(FOUR.data, "#E2-0.9")
    browser.size(size, mobile=True)
    x, y = place
    browser.touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in range(30, 100, 10):
        browser.touch("touchMove", (x - apart, y), (x + apart, y))
    browser.touch("touchEnd")
    browser.wait("return visualViewport.scale > 1.2")
    assert browser.place() == (1, 9)


@pytest.mark.parametrize("size", [PHONE, LYING], ids=["upright", "lying"])
def test_a_telephone_shows_a_result_whole_and_the_hand_beside_it(browser: Browser, size: tuple[int, int]) -> None:
    places = """
        const [sheet, last, hand] = [".sheet", ".result > :last-child", "span.hand"]
          .map((part) => document.querySelector(part).getBoundingClientRect());
        const apart = hand.bottom <= sheet.top || hand.top >= sheet.bottom;
        return [sheet.top >= 0, last.bottom <= sheet.bottom + 1, apart];
    """
    data = TENHOU.data
    # A hand of eight yaku, which three players pay, has the largest sheet.
    large = next(one for game in data["rounds"] for one in game["results"] if len(one.get("pays", ())) == 3)
    large["yaku"] = (large["yaku"] * 8)[:8]
    browser.open(data, "#E2-0.999", size=size)
    for address in (f"#{game['label']}.999" for game in data["rounds"]):
        browser.run("location.hash = arguments[0]", address)
        browser.wait(f"return current.replay.round.label === '{address[1:5]}' && !!current.sheet")
        assert browser.run(places) == [True, True, True], address
    if size == LYING:
        # The sheet lies over the wall, too.
        browser.press("w")
        browser.wait("return !!document.querySelector('.wallbox .walls')")
        assert browser.run(places) == [True, True, True]


def test_fingers_have_large_targets_and_the_page_stays_within_the_screen(browser: Browser) -> None:
    browser.open(FOUR.data, size=PHONE)
    browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    targets = """
        const names = ".toggles button, .controls button, .events button, .track input";
        const found = [...document.querySelectorAll(names)].filter((target) => target.checkVisibility());
        return Math.min(...found.map((target) => target.getBoundingClientRect().height));
    """
    # A plate is hit as far as 24 pixels, at its height and behind it.
    plates = """
        return Math.min(...[...document.querySelectorAll(".plate")].map((plate) => {
          const { left, width } = plate.getBoundingClientRect();
          const hit = (y) => document.elementFromPoint(left + width / 2, y)?.closest(".plate") === plate;
          return [...Array(innerHeight).keys()].filter(hit).length;
        }));
    """
    try:
        for size in (PHONE, (360, 740), NARROW, LYING):
            browser.size(size)
            assert browser.run(targets) >= 44
            assert browser.run(plates) >= 24
            assert browser.run("return document.documentElement.scrollWidth") == size[0]
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_lanes_use_the_room_of_the_screen_and_marks_have_a_white_edge(browser: Browser) -> None:
    browser.open(FOUR.data, size=(1440, 900))
    browser.press("v")
    tile = "return document.querySelector('.lane .hand .tile').getBoundingClientRect().width"
    assert browser.run(tile) > 40
    edge = "return getComputedStyle(document.querySelector('.lanehead .shape')).stroke"
    assert browser.run(edge) == "rgb(255, 255, 255)"
