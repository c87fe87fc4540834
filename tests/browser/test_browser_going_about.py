"""Keys, buttons, slider, wheel, swipes, the list of rounds, the graph and the address lead to steps."""

import json
import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from chromium import NARROW, PHONE, WIDE, Browser
from records import ANSWERED, COMMENTS, FLOWERS, FOUR, PLAYED, SIX, TENHOU, THREE, VALUED, Record
from shown import WALK, expected, names_of

import mjconv

#: The seat that the table is looked from, in either layout.
FIRST_SEAT = """
const plate = document.querySelector(".plate.below");
return +(plate ? plate.dataset.plate : document.querySelector(".lane [data-seat]").dataset.seat);
"""
CONTROLS = """
const found = document.querySelectorAll('button:not([tabindex="-1"]), input');
return [...found].map((element) => element.className);
"""
FOCUSED = """
const element = document.activeElement;
const visible = element.matches(":focus-visible") && getComputedStyle(element).outlineStyle !== "none";
return [element.className, visible];
"""
TURN_WHEEL = """
const [where, deltaY] = arguments;
document.querySelector(where).dispatchEvent(new WheelEvent("wheel", {deltaY, bubbles: true, cancelable: true}));
"""
SLIDE = """
const slider = document.querySelector("input");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input", {bubbles: true}));
"""
CLICK_SECOND_ROUND = """
const graph = document.querySelector(".graph");
const band = graph.querySelector(".band").getBoundingClientRect();
const place = {clientX: band.left + band.width * 1.5, clientY: band.top + 5};
graph.dispatchEvent(new MouseEvent("click", {...place, bubbles: true}));
"""

CENTRE = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.left + box.width / 2, box.top + box.height / 2];
"""

CALLS = {"chi", "pon", "kan", "kakan", "ankan"}
#: The steps that each key leads to.
JUMPS: dict[str, Callable[[mjconv.Step], bool]] = {
    "ArrowDown": lambda step: step.kind == "discard" and step.actor == 0,
    "r": lambda step: step.kind == "riichi",
    "c": lambda step: step.kind in CALLS,
}


def steps(game: Record, number: int) -> list[mjconv.Step]:
    return [step for step in mjconv.steps(game.match) if step.round == number]


def address(browser: Browser) -> str:
    browser.wait("return location.hash !== ''")
    found: str = browser.run("return location.hash")
    return found


def test_keys_go_to_steps_and_rounds(browser: Browser) -> None:
    browser.open(FOUR.data)
    last = len(steps(FOUR, 0)) - 1
    for keys, place in [
        (["ARROW_RIGHT"], (0, 1)),
        (["END"], (0, last)),
        (["ARROW_RIGHT"], (1, 0)),
        (["ARROW_LEFT"], (0, last)),
        (["HOME"], (0, 0)),
        (["ARROW_LEFT"], (0, 0)),
        (["PAGE_DOWN", "PAGE_DOWN"], (2, 0)),
        (["PAGE_DOWN"], (2, 0)),
        (["PAGE_UP"], (1, 0)),
    ]:
        browser.type(*keys)
        assert browser.place() == place


@pytest.mark.parametrize(("game", "keys"), [(FOUR, [*JUMPS]), (TENHOU, ["r", "c"])], ids=["four", "tenhou"])
def test_keys_go_to_own_discards_riichi_and_calls(browser: Browser, game: Record, keys: list[str]) -> None:
    """A long game has hundreds of discards, which are found as those of a short one are."""
    for key in keys:
        places = [(step.round, step.step) for step in mjconv.steps(game.match) if JUMPS[key](step)]
        browser.open(game.data)
        back = "ArrowUp" if key == "ArrowDown" else key.upper()
        # Behind the last place there is none.
        assert browser.places([key] * (len(places) + 1)) == [*places, places[-1]]
        assert browser.places([back] * (len(places) - 1)) == places[-2::-1]


def test_the_key_of_findings_goes_to_the_step_of_a_finding(browser: Browser) -> None:
    data, finding = FOUR.data, {"code": "R005", "name": "unheld", "severity": "error", "text": "does not hold 9p"}
    data["rounds"][1]["steps"][7]["findings"] = [finding]
    browser.open(data)
    browser.press("f")
    assert browser.place() == (1, 7)
    assert browser.texts(".notes .finding") == ["R005 unheld does not hold 9p"]
    assert browser.run("return document.querySelectorAll('.rounds .warn').length") == 1


@pytest.mark.parametrize(("game", "count"), [(FOUR, 4), (THREE, 3), (SIX, 6)], ids=["four", "three", "six"])
def test_the_seat_turns(browser: Browser, game: Record, count: int) -> None:
    browser.open(game.data)
    seen = []
    for _ in range(count + 1):
        seen.append(browser.run(FIRST_SEAT))
        browser.press("s")
    assert seen == [*range(count), 0]


def test_the_buttons_do_as_the_keys(browser: Browser) -> None:
    browser.open(FOUR.data)
    for name, place in [
        ("forward", (0, 1)),
        ("last", (0, len(steps(FOUR, 0)) - 1)),
        ("nextRound", (1, 0)),
        ("forward", (1, 1)),
        ("back", (1, 0)),
        ("previousRound", (0, 0)),
    ]:
        browser.driver.find_element("css selector", f".buttons .{name}").click()
        assert browser.place() == place
    browser.driver.find_element("css selector", "[data-round='2']").click()
    assert browser.place() == (2, 0)
    current = "return document.querySelector('[data-round][aria-current]').dataset.round"
    assert browser.run(current) == "2"


def test_every_control_is_reached_by_tab_and_focus_is_visible(browser: Browser) -> None:
    browser.open(TENHOU.data, "#E1-0.20")
    browser.press("w")
    wanted = browser.run(CONTROLS)
    seen = []
    for _ in range(len(wanted) + 4):
        browser.type("TAB")
        seen.append(browser.run(FOCUSED))
    assert {name for name, _ in seen} >= set(wanted)
    assert all(visible for _, visible in seen[: len(wanted)])


def test_play_continues_and_stops(browser: Browser) -> None:
    browser.open(FOUR.data)
    browser.press("+", "+", "+", " ")
    browser.wait("return +document.getElementById('app').dataset.step >= 3")
    browser.press(" ")
    place = browser.place()
    browser.run("return new Promise((resolve) => setTimeout(resolve, 400))")
    assert browser.place() == place


def test_the_wheel_steps_over_the_table_alone(browser: Browser) -> None:
    browser.open(FOUR.data)
    for where, delta, step in ((".board", 120, 1), (".board", 120, 2), (".board", -120, 1), (".rounds", 120, 1)):
        browser.run(TURN_WHEEL, where, delta)
        assert browser.place() == (0, step)


def test_a_swipe_steps(browser: Browser) -> None:
    url = browser.open(FOUR.data, size=PHONE)
    for start, end, step in (
        ((250, 250), (100, 255), 1),
        ((100, 250), (250, 255), 0),
        ((250, 250), (150, 400), 0),
    ):
        browser.swipe(start, end)
        assert browser.place() == (0, step)
    browser.swipe((5, 250), (300, 250))
    assert browser.run("return location.href").startswith(url)


def test_a_tap_steps_once_and_a_held_press_steps_again(browser: Browser) -> None:
    browser.open(FOUR.data, size=PHONE)
    middle = tuple(browser.run(CENTRE, ".board .round"))
    browser.swipe(middle, middle)
    assert browser.place() == (0, 1)
    browser.touch("touchStart", middle)
    browser.wait("return +document.getElementById('app').dataset.step >= 5")
    browser.touch("touchEnd")
    place = browser.place()
    browser.run("return new Promise((resolve) => setTimeout(resolve, 400))")
    assert browser.place() == place


def test_a_click_on_a_plate_a_discard_and_a_mark_leads_there(browser: Browser) -> None:
    browser.open(TENHOU.data, "#E2-0.84.s0")
    discards = [step for step in steps(TENHOU, 1) if step.kind == "discard" and step.actor == 1]
    for selector, place, seat in [
        ("[data-plate='2']", (1, 84), 2),
        ("[data-zone=river][data-seat='1'] [data-discard='3']", (1, discards[3].step), 2),
        (".marks .win", (1, 113), 2),
    ]:
        browser.click(selector)
        assert (browser.place(), browser.run(FIRST_SEAT)) == (place, seat)


@pytest.mark.parametrize(
    ("game", "selectors"),
    [
        (FOUR, ("input", ".buttons .play", ".speed", ".key-h", "[data-plate='1']", ".rounds button", ".say")),
        (TENHOU, (".cell",)),
    ],
    ids=["page", "wall"],
)
def test_keys_mean_the_same_after_a_click(browser: Browser, game: Record, selectors: tuple[str, ...]) -> None:
    """The keys, one after the other, lead to the same places as without a click. The space bar plays."""
    browser.open(game.data, "#E2-0.34.s0")
    browser.press("w" if game is TENHOU else "")

    def places() -> list[Any]:
        browser.run("location.hash = '#'; location.hash = '#E2-0.34.s0'")
        browser.wait("return document.getElementById('app').dataset.step === '34'")
        found = []
        for key in ("ARROW_RIGHT", "PAGE_DOWN", "PAGE_UP", "END", "HOME", "r", "SPACE"):
            browser.type(key)
            found.append(browser.place())
        browser.wait("return document.querySelector('.buttons .play').ariaLabel === 'Stop'")
        browser.type("SPACE")
        return found

    wanted = places()
    for selector in selectors:
        browser.click(selector)
        if selector == ".buttons .play":
            browser.click(selector)
        assert places() == wanted, selector


def test_the_slider_and_the_graph_lead_to_steps_and_rounds(browser: Browser) -> None:
    browser.open(FOUR.data)
    browser.run(SLIDE, 9)
    assert browser.place() == (0, 9)
    browser.run(CLICK_SECOND_ROUND)
    assert browser.place() == (1, 0)


def test_the_graph_has_the_points_at_the_end_and_those_after_oka_and_uma(browser: Browser) -> None:
    browser.open(TENHOU.data)
    assert browser.texts(".legend .points") == ["50,200", "25,100", "29,500", "−4,800"]
    assert TENHOU.match.final_scores == (60200, -14900, 9500, -54800)
    assert browser.texts(".legend .settled") == ["+60.2", "−14.9", "+9.5", "−54.8"]
    browser.open(FOUR.data)
    assert browser.texts(".legend .settled") == []


@pytest.mark.parametrize("game", [FOUR, THREE, SIX, FLOWERS, COMMENTS, TENHOU], ids=lambda game: game.name)
def test_a_link_leads_back(browser: Browser, game: Record) -> None:
    url = browser.open(game.data)
    browser.press("End", "ArrowLeft", "s")
    place = browser.place()
    browser.wait("return location.hash.endsWith('.s1')")
    link = address(browser)
    assert re.fullmatch(r"#[ESWN]\d-\d+\.\d+\.s1", link)
    before = browser.texts(".caption")
    browser.go(url + link)
    assert (browser.place(), browser.texts(".caption")) == (place, before)
    browser.wait("return location.hash.endsWith('.s1')")


def test_rounds_with_one_label_have_addresses_of_their_own(browser: Browser) -> None:
    data = FOUR.data
    for game_round in data["rounds"]:
        game_round["label"] = "?"
    url = browser.open(data, "#%3F~2.4.s3")
    assert browser.place() == (1, 4)
    browser.go(f"{url}#%3F.2")
    assert browser.place() == (0, 2)


@pytest.mark.parametrize(
    "link", ["#", "#nowhere", "#E1-0.99999.s9", "#%E0%A4%A", "#E1-0.s7", "#.1.s1", "#__proto__"]
)
def test_a_wrong_address_does_no_harm(browser: Browser, link: str) -> None:
    browser.open(FOUR.data, link)
    number, step = browser.place()
    assert (number, 0 <= step < len(steps(FOUR, 0))) == (0, True)


def test_a_link_wins_over_the_address_that_the_page_writes(browser: Browser) -> None:
    """The page writes its address a moment after a step. A link that is followed in between still leads there."""
    browser.open(FOUR.data)
    browser.run("location.hash = '#E2-0.9.s0'; history.replaceState(null, '', '#E1-0.1.s0')")
    browser.wait("return document.getElementById('app').dataset.step === '9'")
    assert browser.place() == (1, 9)


def test_the_page_opens_at_the_place_in_the_data(browser: Browser) -> None:
    browser.open({**FOUR.data, "open": {"round": 1, "step": 12, "seat": 2}})
    assert (browser.place(), browser.run(FIRST_SEAT)) == ((1, 12), 2)


def test_comments_are_shown_at_their_steps(browser: Browser) -> None:
    data = COMMENTS.data
    browser.open(data)
    noted = [
        (number, index, note["text"])
        for number, game_round in enumerate(data["rounds"])
        for index, step in enumerate(game_round["steps"])
        for note in step.get("notes", ())
        if note["kind"] == "comment"
    ]
    assert noted
    for number, index, text in noted:
        browser.run("location.hash = arguments[0]", f"#{data['rounds'][number]['label']}.{index}.s0")
        browser.wait(f"return document.getElementById('app').dataset.round === '{number}' && "
                     f"document.getElementById('app').dataset.step === '{index}'")  # fmt: skip
        assert any(text in shown for shown in browser.texts(".comment"))


@pytest.mark.parametrize(("language", "caption"), [("en", "The hands are dealt"), ("ja", "配牌"), ("zh", "配牌")])
def test_the_language_is_chosen(browser: Browser, language: str, caption: str) -> None:
    browser.open({**FOUR.data, "lang": language})
    assert browser.run("return document.documentElement.lang.slice(0, 2)") == language
    assert caption in browser.texts(".caption")[0]
    for _ in range(4):
        browser.press("l")
    assert browser.run("return document.documentElement.lang.slice(0, 2)") == language


def test_simplified_chinese_has_no_traditional_character(browser: Browser) -> None:
    browser.open({**TENHOU.data, "lang": "zh-Hans"}, "#E2-0.113")
    browser.press("?")
    shown = browser.run("return document.getElementById('app').textContent")
    assert not set(shown) & set("東點聽鳴語設寶單顯牌"[:-1])
    assert {"东", "点", "听", "鸣"} & set(shown)


@pytest.mark.parametrize(
    ("language", "first", "centre"),
    [("en", "E1-0", "E1"), ("ja", "東1局0本場", "東1局"), ("zh", "東一局0本場", "東一局")],
)
def test_rounds_are_named_as_in_the_language(browser: Browser, language: str, first: str, centre: str) -> None:
    browser.open({**FOUR.data, "lang": language})
    assert browser.texts(".rounds .label")[0] == first
    assert browser.texts(".centre .round") == [centre]
    browser.press("ArrowRight")
    browser.wait("return location.hash === '#E1-0.1.s0'")


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_captions_are_those_of_the_library_in_each_language(browser: Browser, language: Any) -> None:
    browser.open({**FLOWERS.data, "lang": language})
    walk = """
        const seen = [];
        for (let count = arguments[0]; count; count -= 1) {
          seen.push(document.querySelector(".caption").textContent);
          document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
        }
        return seen;
    """
    wanted = [step.caption(language, names_of(FLOWERS)) for step in steps(FLOWERS, 0)]
    assert browser.run(walk, len(wanted)) == wanted


def test_the_wall_shows_who_got_each_tile(browser: Browser) -> None:
    data = TENHOU.data
    browser.open(data, "#E1-0.0")
    browser.press("w")
    wall = data["rounds"][0]["wall"]
    shown = browser.run("return [...document.querySelectorAll('.cell [data-tile]')].map(one => one.dataset.tile)")
    assert shown == wall["tiles"].split()
    for step in (0, 10, 40):
        browser.run("location.hash = arguments[0]", f"#E1-0.{step}.s0")
        browser.wait(f"return document.getElementById('app').dataset.step === '{step}'")
        came = browser.run("return [...document.querySelectorAll('.cell.came')].map((one) => +one.dataset.index)")
        assert came == [index for index, when in enumerate(wall["step"]) if when is not None and when <= step]
    drawn = wall["step"].index(min(when for when in wall["step"] if when))
    browser.run("document.querySelector(`.cell[data-index='${arguments[0]}']`).focus()", drawn)
    assert str(wall["step"][drawn]) in browser.texts(".wallinfo")[0]
    browser.type("ENTER")
    assert browser.place() == (0, wall["step"][drawn])
    event = "new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true})"
    browser.run(f"document.activeElement.dispatchEvent({event})")
    assert browser.run("return document.activeElement.dataset.index") == str(drawn + 1)
    assert browser.place() == (0, wall["step"][drawn])


def test_help_names_every_key_and_closes(browser: Browser) -> None:
    browser.open(FOUR.data)
    browser.type("?")
    named = json.dumps(browser.texts("dialog[open] kbd"), ensure_ascii=False)
    assert all(
        key in named for key in ("→", "↓", "Home", "Page Down", "Space", "r, c, f", "h", "w", "s", "l", "d", "p")
    )
    browser.type("ARROW_RIGHT")
    assert browser.place() == (0, 0)
    browser.type("ESCAPE")
    # The page takes the dialog away in the event of its end, which comes a moment later.
    browser.wait("return !document.querySelector('dialog')")


def test_the_sheet_of_results_closes_and_comes_again(browser: Browser) -> None:
    browser.open(FOUR.data)
    browser.press("End")
    assert len(browser.texts(".result")) == 1
    browser.press("Escape")
    assert browser.texts(".result") == []
    browser.press("ArrowLeft", "ArrowRight")
    assert len(browser.texts(".result")) == 1


def test_the_sheet_of_a_win_has_names_han_fu_honba_and_sticks(browser: Browser) -> None:
    browser.open(TENHOU.data, "#S1-1.999")
    assert browser.texts(".value") == ["haneman (6 han, 40 fu), 18,000 points"]
    assert browser.texts(".pays li") == ["堂本 冬美18,300 →朝倉 春", "1 honba +300, 1 stick +1,000"]
    assert "堂本 冬美" in browser.texts(".result h2")[0]


def test_after_the_last_step_is_the_final_result(browser: Browser) -> None:
    browser.open(TENHOU.data, "#S1-1.999")
    place = browser.place()
    browser.press("ArrowRight")
    rows = browser.texts(".places tbody tr")
    assert rows == ["1朝倉 春50,200+60.2", "2千早 秋29,500+9.5", "3別府 夏子25,100−14.9", "4堂本 冬美−4,800−54.8"]
    assert browser.run("return document.querySelectorAll('.sheet .graph .line').length") == 4
    browser.press("ArrowRight", "ArrowLeft")
    assert (browser.texts(".places"), browser.place()) == ([], place)
    browser.press("Home")
    browser.click(".rounds li:last-child button")
    assert len(browser.texts(".places")) == 1


def test_play_waits_at_a_result_or_stops_there(browser: Browser) -> None:
    last = len(steps(FOUR, 0)) - 1
    browser.open(FOUR.data, f"#E1-0.{last - 1}")
    browser.press("+", "+", "+", " ")
    browser.wait(f"return +document.getElementById('app').dataset.step === {last}")
    browser.run("return new Promise((resolve) => setTimeout(resolve, 1000))")
    assert browser.place() == (0, last)
    browser.wait("return document.getElementById('app').dataset.round === '1'")
    browser.press(" ", "PageUp", "End", "ArrowLeft", "e", " ")
    browser.wait("return document.querySelector('.buttons .play').ariaLabel === 'Play'")
    assert browser.place() == (0, last)


def test_colours_and_seat_and_print_are_at_a_key(browser: Browser) -> None:
    browser.open(FOUR.data)
    dark = "return document.documentElement.classList.contains('dark')"
    seen = []
    for _ in range(3):
        browser.press("d")
        seen.append(browser.run(dark))
    assert seen == [True, False, False]
    browser.run("window.print = () => dispatchEvent(new Event('beforeprint'))")
    browser.press("PageDown", "p")
    [sheet], [head, *_] = browser.texts(".kyoku"), browser.texts(".kyoku h2")
    assert "E2-0" not in sheet
    assert "East 2" in head


def test_a_page_is_given_another_record_and_keeps_its_place(browser: Browser) -> None:
    browser.open(FOUR.data, "#E2-0.9.s2")
    data = FOUR.data
    data["players"] = [{"name": f"new {seat}"} for seat in range(4)]
    browser.run("main({ symbols: packed.symbols, data: arguments[0] })", data)
    assert browser.place() == (1, 9)
    assert browser.texts(".plate .name") == ["new 2", "new 3", "new 0", "new 1"]
    browser.press("ArrowRight")
    assert browser.place() == (1, 10)


# After every step, forward and back, the page shows the table of mjconv. It does so in each layout.


LAYOUTS = {"wide": (WIDE, ""), "narrow": (NARROW, ""), "lanes": (NARROW, "v")}
layouts = pytest.mark.parametrize(("size", "key"), LAYOUTS.values(), ids=LAYOUTS)


@pytest.mark.parametrize(
    ("game", "layout"),
    [
        (game, layout)
        # The records with values and answers have the table of another: they add what lies beside it.
        for game in PLAYED
        if game not in (VALUED, ANSWERED)
        for layout in LAYOUTS
        # A telephone shows the tables of the wide page, which have the most players in one record.
        if layout != "narrow" or game is SIX
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_every_step_shows_the_table(browser: Browser, game: Record, layout: str) -> None:
    """The wide page shows all rounds. A telephone shows one, and lanes two."""
    size, key = LAYOUTS[layout]
    browser.open(game.data, size=size)
    browser.press(key)
    most = {"wide": len(game.match.rounds), "narrow": 1, "lanes": 2}[layout]
    for number, group in groupby(mjconv.steps(game.match), key=lambda step: step.round):
        wanted = [expected(step, names_of(game)) for step in group]
        assert browser.place() == (number, 0)
        if number == most:
            break
        forward = browser.run(WALK, "ArrowRight", len(wanted) - 1)
        for step, (shown, table) in enumerate(zip(forward, wanted, strict=True)):
            assert shown == table, f"round {number}, step {step}"
        if size == WIDE and number % 4 == 0:
            back = browser.run(WALK, "ArrowLeft", len(wanted) - 1)
            assert back == forward[::-1], f"round {number}, backwards"
        browser.press("PageDown")
    assert browser.place()[0] == number


@layouts
def test_hidden_hands_are_backs_until_they_lie_open(browser: Browser, size: tuple[int, int], key: str) -> None:
    game = PLAYED[0]
    browser.open(game.data, size=size)
    browser.press("h", key)
    first = steps(game, 0)
    for step, shown in zip(first, browser.run(WALK, "ArrowRight", len(first) - 1), strict=True):
        for seat, hand in enumerate(step.state.hands):
            hidden = seat != 0 and not step.state.open[seat]
            # On a telephone a hand that is face down is away.
            backs = [] if size == NARROW and not key else ["?"] * len(hand.split())
            assert shown["hands"][seat] == (backs if hidden else hand.split())
