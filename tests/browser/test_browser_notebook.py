"""A whole notebook in Chromium: a match is a table of rounds; its view works in a frame and reaches no further."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser
from records import CORPUS, RESULTS

import mjconv
from corpus_files import SAMPLE
from notebooks import executed

CELLS = (
    f"import mjconv\nmatch = mjconv.read({str(SAMPLE)!r})\nmatch",
    "mjconv.view(match, round='E2-0', step=5)",
    f"mjconv.view(mjconv.read_all({str(CORPUS / 'hk' / 'evenings.hk')!r}))",
)
#: The scripts that nbconvert would load from the network. The page of this notebook needs none of them.
SCRIPTS = ("require_js_url", "mathjax_url", "mermaid_js_url", "mermaid_layout_elk_js_url", "jquery_url")

ROUNDS = """
return [...document.querySelectorAll("table")].map((table) =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)));
"""
#: The numbers of tiles that have a size, by the parts of the table.
DRAWN = """
const size = (tile) => tile.getBoundingClientRect();
const all = [...document.querySelectorAll("[data-tile]")];
const tiles = all.filter((tile) => size(tile).width && size(tile).height);
return tiles.reduce((counts, tile) => {
  const { zone } = tile.closest("[data-zone]").dataset;
  return {...counts, [zone]: (counts[zone] || 0) + 1};
}, {});
"""
REACH = """
const tries = {
  read: () => parent.document.title,
  write: () => { parent.document.title = "harm"; },
  run: () => parent.eval("document.title = 'harm'"),
  leave: () => { top.location = "about:blank"; },
  store: () => localStorage.length,
};
return Object.entries(tries).map(([name, attempt]) => {
  try {
    attempt();
    return [name, "done"];
  } catch (error) {
    return [name, error.name];
  }
});
"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Run the cells in a kernel, write the notebook as HTML, and return its address."""
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed: pip install -e '.[browser]'")
    exporter = nbconvert.HTMLExporter(**dict.fromkeys(SCRIPTS, "data:text/javascript,"))
    text, _ = exporter.from_notebook_node(executed(*CELLS), resources={"metadata": {"name": "my notebook"}})
    path: Path = tmp_path_factory.mktemp("notebook") / "notebook.html"
    path.write_text(text, "utf-8")
    return path.as_uri()


@pytest.fixture
def frames(browser: Browser, notebook: str) -> Iterator[list[Any]]:
    browser.driver.get(notebook)
    yield browser.driver.find_elements("css selector", "iframe")
    browser.driver.switch_to.default_content()
    assert browser.run("return document.title") == "my notebook"


def enter(browser: Browser, frame: Any) -> None:
    browser.driver.switch_to.frame(frame)
    browser.wait("return document.documentElement.dataset.ready !== undefined")


def caption(number: int, at: int) -> str:
    match = mjconv.read(SAMPLE)
    steps, names = mjconv.steps(match), match.names
    return next(step.caption("en", names) for step in steps if (step.round, step.step) == (number, at))


def test_a_match_is_a_table_of_its_rounds(browser: Browser, frames: list[Any]) -> None:
    [[head, *rows]] = browser.run(ROUNDS)
    assert head == ["Round", "Result", "朝倉 春", "別府 夏子", "千早 秋", "堂本 冬美"]
    assert [row[0] for row in rows] == [one.label for one in mjconv.read(SAMPLE).rounds]
    assert len(frames) == 2


def test_the_frame_draws_the_table_at_its_step(browser: Browser, frames: list[Any]) -> None:
    enter(browser, frames[0])
    assert (browser.place(), browser.texts(".caption")) == ((1, 5), [caption(1, 5)])
    assert browser.run(DRAWN) == {"hand": 3 * 13 + 11, "melds": 3, "river": 2, "dora": 5}


def test_real_keys_step_in_the_frame(browser: Browser, frames: list[Any]) -> None:
    enter(browser, frames[0])
    browser.driver.find_element("css selector", ".board .round").click()
    browser.type("ARROW_RIGHT")
    assert browser.place() == (1, 7)
    browser.type("END", "PAGE_DOWN", "ARROW_RIGHT")
    assert (browser.place(), browser.texts(".caption")) == ((2, 1), [caption(2, 1)])


def test_the_frame_of_results_draws_its_graph_and_tables(browser: Browser, frames: list[Any]) -> None:
    enter(browser, frames[1])
    assert len(browser.texts(".graph .line")) == RESULTS.data["seats"]
    assert len(browser.texts("table.scores")) == 2


@pytest.mark.parametrize("number", [0, 1], ids=["play", "results"])
def test_the_notebook_is_out_of_reach(browser: Browser, frames: list[Any], number: int) -> None:
    enter(browser, frames[number])
    assert dict(browser.run(REACH)) == dict.fromkeys(("read", "write", "run", "leave", "store"), "SecurityError")
    errors = [entry["message"] for entry in browser.console()]
    assert all("sandboxed" in error for error in errors), errors
