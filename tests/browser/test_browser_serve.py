"""The page of `mjconv serve` in Chromium: what it shows of files, its frame, and what axe finds."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from chromium import PHONE, WIDE, Browser

from served import choose, serving

AXE = """
const [done] = arguments;
axe.run(document, {iframes: false, resultTypes: ["violations"]}).then((found) => done(found.violations));
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
    with serving() as (address, _):
        yield address


@pytest.fixture(autouse=True)
def asks_the_server_alone(browser: Browser, address: str) -> Iterator[None]:
    yield
    assert all(url.startswith(address) for url in browser.requests())


def test_a_file_is_shown_played_and_converted(browser: Browser, address: str) -> None:
    browser.size(PHONE)
    choose(browser, address, "tenhou/hanchan.mjlog")
    assert browser.texts("h2") == ["Records", "Findings", "Convert", "The game as a player saw it"]
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.run("return document.getElementById('replay').contentDocument") is None
    browser.run("document.getElementById('to').value = 'jmjp'")
    browser.driver.find_element("css selector", "#convert p button").click()
    browser.wait("return !!document.querySelector('#convert pre')")
    assert "not expressible in jmjp" in browser.texts("#convert pre")[0]
    assert browser.run("return document.activeElement.id") == "convert"
    browser.driver.switch_to.frame("replay")
    # The game in the frame goes on, which cannot reach the page around it.
    assert browser.run("return document.documentElement.dataset.ready !== undefined && origin") == "null"
    browser.driver.switch_to.default_content()


def test_a_text_that_is_no_record_is_refused_in_words(browser: Browser, address: str) -> None:
    browser.size(PHONE)
    for text, said in (("<b>hello</b>", "is not clear"), (f"jmjp[1.0]\n({'x' * 60})", "expected")):
        browser.driver.get(address)
        browser.driver.find_element("id", "text").send_keys(text)
        browser.driver.find_element("css selector", "button.main").click()
        browser.wait("return !!document.querySelector('#result pre')")
        assert said in browser.texts("#result pre")[0]
        # A sentence wraps, and a quoted line stays over its caret.
        heights = browser.run(
            "const lines = [...document.querySelectorAll('#result pre span')];"
            "return lines.map((line) => Math.round(line.clientHeight / 19.6))"
        )
        assert heights[0] > 1, text
        assert set(heights[1:]) <= {1}, heights


@pytest.mark.parametrize(
    ("size", "scheme", "language", "head"), [(PHONE, "light", "ja", "名前"), (WIDE, "dark", "zh-Hans", "姓名")]
)
def test_several_games_have_standings_and_axe_finds_no_violation(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, head: str
) -> None:
    browser.size(size)
    browser.media(prefers_color_scheme=scheme)
    choose(browser, f"{address}?lang={language}", "tenhou/hanchan.mjlog", "tenhou/hex.mjlog")
    assert browser.texts("#standings th")[0] == head
    browser.run((files(pytest.importorskip("axe_core_python")) / "axe.min.js").read_text("utf-8"))
    assert browser.driver.execute_async_script(AXE) == []
