"""The page shows the values of a program beside the choices of a player, and lists where the play differs most."""

import pytest
from chromium import Browser
from records import FOUR, MORTAL, VALUED

BARS = """
return [...document.querySelectorAll(".opinion li")].map((choice) => ({
  tile: choice.querySelector("[data-tile]")?.dataset.tile,
  value: choice.querySelector("small").textContent,
  taken: choice.classList.contains("taken"),
  heard: choice.querySelector(".unseen").textContent,
  length: 20 - choice.querySelector("rect").getAttribute("y"),
}));
"""


def turn() -> tuple[int, int, str]:
    """Return a step with an opinion, its seat, and the tile that is discarded next."""
    steps = VALUED.data["rounds"][0]["steps"]
    step = next(at for at, one in enumerate(steps) if "opinions" in one)
    [tile] = [change["tile"] for path, change in steps[step + 1]["changes"] if path.startswith("river.")]
    return step, steps[step]["opinions"][0]["seat"], tile


def test_each_choice_has_a_bar_and_the_one_taken_is_marked(browser: Browser) -> None:
    step, seat, tile = turn()
    browser.open(VALUED.data, f"#E1-0.{step}.s{seat}")
    bars = browser.run(BARS)
    hand = browser.run(
        "return [...document.querySelectorAll('[data-zone=hand][data-seat=\"' + arguments[0] + '\"] [data-tile]')]"
        ".map((tile) => tile.dataset.tile)",
        seat,
    )
    assert {bar["tile"] for bar in bars} == set(hand)
    assert [bar["value"] for bar in bars] == [f"{MORTAL.index(bar['tile']) * 0.03:.2f}" for bar in bars]
    assert [bar["tile"] for bar in bars if bar["taken"]] == [tile]
    assert [bar["heard"].endswith(", taken") for bar in bars] == [bar["taken"] for bar in bars]
    lengths = [bar["length"] for bar in bars]
    assert lengths == sorted(lengths, reverse=True)
    assert (lengths[0], lengths[-1]) == (20, 1)


def test_the_values_of_a_hand_that_is_face_down_are_hidden(browser: Browser) -> None:
    step, seat, _ = turn()
    browser.open(VALUED.data, f"#E1-0.{step}.s{(seat + 1) % 4}")
    assert browser.run(BARS) != []
    browser.press("h")
    assert browser.run(BARS) == []
    listed = (
        "return [...document.querySelectorAll('.differences .shape')].map((mark) => mark.getAttribute('class'))"
    )
    assert set(browser.run(listed)) == {f"shape player{(seat + 1) % 4}"}
    browser.press("s", "s", "s")
    assert browser.run(BARS) != []


def test_a_difference_leads_to_its_step(browser: Browser) -> None:
    browser.open(VALUED.data)
    amounts = [float(text) for text in browser.texts(".differences .points")]
    assert amounts == sorted(amounts, reverse=True)
    assert 0 < len(amounts) <= 20
    label, names = browser.texts(".differences .label")[-1], browser.texts(".differences .brief")[-1]
    browser.run("[...document.querySelectorAll('.differences button')].at(-1).click()")
    assert VALUED.data["rounds"][browser.place()[0]]["label"] == label
    taken, best = names.split(" → ")
    bars = browser.run(BARS)
    assert bars[0]["heard"] == best
    assert [bar["heard"] for bar in bars if bar["taken"]] == [f"{taken}, taken"]


def test_a_key_hides_the_values(browser: Browser) -> None:
    step, seat, _ = turn()
    browser.open(VALUED.data, f"#E1-0.{step}.s{seat}")
    browser.press("b")
    assert browser.run(BARS) == []
    assert browser.texts(".differences") == []
    browser.press("b", "?")
    assert "b" in browser.texts("dialog kbd")


@pytest.mark.parametrize("key", ["", "b"])
def test_a_record_without_values_shows_none(browser: Browser, key: str) -> None:
    browser.open(FOUR.data, "#E1-0.20")
    browser.press(key)
    assert browser.texts(".differences, .opinion") == []
