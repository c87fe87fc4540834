"""The page shows the values of a program beside the choices of a player, and lists where the play differs most."""

import pytest
from chromium import PHONE, WIDE, Browser
from records import ANSWERED, FOUR, MORTAL, VALUED

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
    listed = "return [...document.querySelectorAll('.differences .shape')].map((one) => one.getAttribute('class'))"
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
    assert (browser.run(BARS), browser.texts(".differences")) == ([], [])
    browser.press("b", "?")
    assert "b" in browser.texts("dialog kbd")


@pytest.mark.parametrize("key", ["", "b"])
def test_a_record_without_values_shows_none(browser: Browser, key: str) -> None:
    browser.open(FOUR.data, "#E1-0.20")
    browser.press(key)
    assert browser.texts(".differences, .opinion") == []


LINES = "return [...document.querySelectorAll('.opinion > span')].map((line) => line.textContent.trim())"


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_answers_of_several_programs_are_beside_the_choice_taken(browser: Browser, size: tuple[int, int]) -> None:
    browser.open(ANSWERED.data, "#E1-0.1.s0", size)
    assert browser.run(LINES) == ["Alpha for East: 1m; played 5p · value", "Beta for East: 5p, as played"]
    bars = browser.run(BARS)
    assert [bar["tile"] for bar in bars if bar["heard"].endswith(", answer of the program")] == ["1m"]
    assert [bar["tile"] for bar in bars if bar["taken"]] == ["5p"]


def test_the_agreement_counts_the_decisions_whose_answer_is_known(browser: Browser) -> None:
    browser.open(ANSWERED.data)
    opinions = [
        one for each in ANSWERED.data["rounds"] for step in each["steps"] for one in step.get("opinions", ())
    ]
    shown = browser.texts(".agreement")
    for number, (seat, name) in enumerate(((0, "Alpha"), (0, "Beta"), (2, "Alpha"))):
        known = [one for one in opinions if (one["seat"], one["name"]) == (seat, name) and "taken" in one]
        same = sum(one["taken"] == one["answered"] for one in known)
        assert f"{name}Agreement {round(100 * same / len(known))}% ({same}/{len(known)})" in shown[number]
    assert [line.endswith("against the rules: 1") for line in shown] == [False, True, False]


def test_each_answer_that_differs_is_listed_first_those_against_the_rules(browser: Browser) -> None:
    browser.open(ANSWERED.data)
    steps = [(number, at) for number, one in enumerate(ANSWERED.data["rounds"]) for at in range(len(one["steps"]))]
    opinions = {place: ANSWERED.data["rounds"][place[0]]["steps"][place[1]].get("opinions", ()) for place in steps}
    expected = [
        place for place in steps for one in opinions[place] if "taken" in one and one["taken"] != one["answered"]
    ]
    count = len(browser.texts(".differences button"))
    assert count == len(expected) > 20
    assert browser.texts(".differences .illegal")[1:] == ["against the rules"]
    places = []
    for item in range(count):
        browser.run("document.querySelectorAll('.differences button')[arguments[0]].click()", item)
        places.append(browser.place())
    assert sorted(places) == sorted(expected)
    assert any(one.get("illegal") for one in opinions[places[0]])


@pytest.mark.parametrize("language", ["ja", "zh", "zh-Hans"])
def test_answers_are_sentences_in_each_language(browser: Browser, language: str) -> None:
    browser.open({**ANSWERED.data, "lang": language}, "#E1-0.1.s0")
    lines = {
        "ja": "Alpha（東家）：1萬、実戦は5筒",
        "zh": "Alpha（東家）：一萬，實戰為五筒",
        "zh-Hans": "Alpha（东家）：一万，实战为五筒",
    }
    assert browser.run(LINES)[0].startswith(lines[language])
