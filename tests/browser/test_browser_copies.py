"""The page copies the link of a step, a hand in short notation, and a round for Tenhou's viewer."""

from random import Random

import pytest
from chromium import Browser
from records import FLOWERS, FOUR, SIX, Record

import mjconv

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
