"""The watched page follows the last act while the reader looks at it, and its messages cover no button."""

import threading
import time
from pathlib import Path

import pytest
from chromium import PHONE, WIDE, Browser

from corpus_files import TYPED
from mjconv.ir.match import Match
from mjconv.typist.watch import Watched, WatchServer
from mjconv.viewer.show import view

PLACE = "const { dataset } = document.getElementById('app'); return [+dataset.round, +dataset.step]"
COVERED = """
const bar = document.querySelector("pre[role=status]").getBoundingClientRect();
return [...document.querySelectorAll("button")].filter((button) => {
  const box = button.getBoundingClientRect();
  return box.width && box.top < bar.bottom && box.bottom > bar.top && box.left < bar.right && box.right > bar.left;
}).length;
"""


def last_act(matches: list[Match]) -> str:
    return view(matches[0], round=len(matches[0].rounds) - 1, step=-1).html


def wait_for(browser: Browser, script: str, wanted: object) -> None:
    until = time.monotonic() + 20
    while (value := browser.run(script)) != wanted:
        assert time.monotonic() < until, (value, wanted)
        time.sleep(0.1)


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_the_last_act_is_followed_until_one_goes(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    file = tmp_path / "game.jmjp"
    acts = TYPED.index("(e,wd,4m)")
    file.write_text(TYPED[:acts], "utf-8")
    browser.size(size)
    with WatchServer(Watched(str(file), last_act)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.driver.get(server.address)
        wait_for(browser, PLACE, [1, 0])
        file.write_text(TYPED[:acts] + "(e,wd,4m)(s,3s,", "utf-8")
        wait_for(browser, PLACE, [1, 2])
        assert browser.run(COVERED) == 0
        browser.run("document.querySelector('input[type=range]').focus()")
        browser.press("ArrowLeft")
        wait_for(browser, "return location.hash.slice(0, 8)", "#E2-0.1.")
        file.write_text(TYPED[:acts] + "(e,wd,4m)(s,3s,5m)", "utf-8")
        time.sleep(1.5)
        wait_for(browser, PLACE, [1, 1])
        browser.driver.get("about:blank")
        server.shutdown()
    asked = browser.requests()
    assert set(asked) <= {server.address, f"{server.address}version", f"{server.address}favicon.ico"}
