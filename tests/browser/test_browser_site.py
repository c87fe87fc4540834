"""The site of the pages, as it is built: its home page plays a game, buttons copy commands, words are found."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from chromium import PHONE, WIDE, Browser

ROOT = Path(__file__).parents[2]
HTML = ROOT / "site" / "html"
#: What the copy button reads of an element.
COPIED = """
const code = [...document.querySelectorAll("code")].find((code) => code.textContent.includes(arguments[0]));
code.setAttribute("data-md-copying", "");
const text = code.innerText;
code.removeAttribute("data-md-copying");
return text.trimEnd();
"""
#: The window of the search, which opens with its button.
DIALOG = "[...document.querySelectorAll('body > div')].find((element) => element.shadowRoot)?.shadowRoot"
SEARCH = f"""
const field = {DIALOG}.querySelector("input");
Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, arguments[0]);
field.dispatchEvent(new Event("input", {{ bubbles: true }}));
"""
#: Words, and a page that has to be among the first results. The end of an address marks the words of its search.
FOUND = {
    "雀魂": "majsoul",
    "牌譜": "ja",
    "网页": "zh",
    "shanten": "glossary",
    "screenshot": "gallery",
    "replay": "view",
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Build the site as CONTRIBUTING shows, and serve it."""
    pytest.importorskip("zensical", reason="the extra `docs` is not installed: no zensical")
    subprocess.run([sys.executable, "docs/site.py"], cwd=ROOT, check=True, timeout=300)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=HTML)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.usefixtures("address")
def test_each_page_has_its_language_its_description_and_an_icon() -> None:
    for page, language in (("index", "en"), ("hk", "en"), ("ja", "ja"), ("zh", "zh")):
        text = (HTML / f"{page}.html").read_text("utf-8")
        shown = re.findall(r'<html lang="(\w+)"|<meta property="og:description" content="(.+?)">', text)
        assert shown[0][0] == language
        assert len(shown[1][1]) > 40
        assert re.findall(r'hreflang="(\w+)"', text)[:3] == ["en", "ja", "zh"]
        assert (HTML / re.findall(r'<link rel="icon" href="(?:\./)?(.+?)">', text)[0]).is_file()
        # The navigation has the section of this language, and none of another.
        sections = set(
            re.findall(
                r"日本語|中文", text.partition('<nav class="md-nav md-nav--primary')[2].partition("</nav>\n")[0]
            )
        )
        assert sections == {"ja": {"日本語"}, "zh": {"中文"}}.get(language, set())


def test_the_pages_are_used(address: str, browser: Browser) -> None:
    """One visit tries all, because each load of a page takes long."""
    browser.size(PHONE)
    browser.media(prefers_color_scheme="dark")
    browser.driver.get(f"{address}/index.html")
    frame = "document.querySelector('.replay')"
    # The whole table is on the first screen, and the game plays.
    app = f"{frame}.contentDocument.getElementById('app')?.dataset.step"
    browser.wait(f"return {app} > 67")
    assert browser.run(f"return {frame}.getBoundingClientRect().top") < PHONE[1] / 3
    colour = "return getComputedStyle(document.body).backgroundColor"
    dark = browser.run(colour)
    browser.media(prefers_color_scheme="light")
    browser.wait(f"{colour} !== {json.dumps(dark)}")
    assert len(browser.texts(".grid.cards > ul > li")) == 5
    browser.size(WIDE)
    browser.driver.get(f"{address}/readme.html")
    assert browser.run(COPIED, "validate corpus/sample").splitlines() == [
        "mjconv validate corpus/sample corpus/broken/discard-not-held.mjson",
        "mjconv batch corpus/sample -o logs.zip --to jmjp --quiet",
    ]
    assert browser.run(COPIED, "import mjconv").splitlines()[:2] == [
        "import mjconv",
        'match = mjconv.read("corpus/sample/game.mjson")',
    ]
    browser.run("document.querySelector('.md-search__button').click()")
    browser.wait(f"return {DIALOG}?.querySelector('input')")
    for words, page in FOUND.items():
        browser.run(SEARCH, words)
        browser.wait(
            f"return [...{DIALOG}.querySelectorAll('a')].some((link) => link.pathname === '/{page}.html' && "
            f"new URL(link).searchParams.get('h') === '{words}')"
        )
    assert all(asked.startswith(address) for asked in browser.requests())
