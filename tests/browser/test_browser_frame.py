"""In a notebook the page lies in a sandboxed frame: it works there, and does not reach the notebook."""

from __future__ import annotations

from pathlib import Path

from chromium import Browser
from records import FOUR, RESULTS

import mjconv
from mjconv.viewer.show import View

#: A page with a frame, as a notebook has it.
NOTEBOOK = '<!doctype html><meta charset="utf-8"><title>notebook</title>{}'


def framed(browser: Browser, view: View, folder: Path) -> None:
    path = folder / "notebook.html"
    path.write_text(NOTEBOOK.format(view._repr_html_()), "utf-8")
    browser.driver.get("about:blank")
    browser.driver.get(path.as_uri())
    browser.driver.switch_to.frame(0)
    browser.wait("return document.documentElement.dataset.ready !== undefined")


def test_the_page_works_in_the_frame_of_a_notebook(browser: Browser, tmp_path: Path) -> None:
    framed(browser, mjconv.view(FOUR.match), tmp_path)
    browser.press("ArrowRight", "End", "PageDown", "ArrowRight")
    assert browser.place() == (1, 1)
    assert browser.texts(".caption") == [
        next(step for step in mjconv.steps(FOUR.match) if step.round == 1 and step.step == 1).caption()
    ]
    browser.run("return new Promise((resolve) => setTimeout(resolve, 400))")
    browser.driver.switch_to.default_content()
    assert browser.run("return document.title") == "notebook"


def test_the_notebook_is_out_of_reach(browser: Browser, tmp_path: Path) -> None:
    framed(browser, mjconv.view(RESULTS.match), tmp_path)
    reach = "try { return parent.document.title } catch (error) { return error.name }"
    assert browser.run(reach) == "SecurityError"
    browser.driver.switch_to.default_content()
