"""Drive a real Chromium: open a page of a record, press keys, and read what the page shows."""

import base64
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mjconv.viewer.page import page

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
    "--lang=en",
)  # fmt: skip
WIDE = (1280, 720)
NARROW = (320, 640)
PHONE = (390, 844)
KEY = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
PLACES = """
const { dataset } = document.getElementById("app");
return arguments[0].map((key) => {
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
  return [+dataset.round, +dataset.step];
});
"""
READY = "return document.documentElement.dataset.ready !== undefined || !!document.querySelector('.message')"


def programs() -> dict[str, str | None]:
    """Return the paths of the browser and its driver, which Selenium would look for elsewhere.

    Chromium without windows takes a fifth less of the processor's time. Its command is a script of Debian: what
    the script starts does not end with it.
    """
    browser = shutil.which("chromium-headless-shell", path="/usr/lib/chromium") or shutil.which("chromium")
    return {"chromium": browser, "chromedriver": shutil.which("chromedriver")}


class Browser:
    """One Chromium with an empty profile in `folder`."""

    def __init__(self, programs: Mapping[str, str | None], folder: Path) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = programs["chromium"] or ""
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        self.driver = webdriver.Chrome(options=options, service=Service(programs["chromedriver"]))
        self.driver.set_script_timeout(120)
        self._folder = folder
        self._pages = 0
        self.size(WIDE)
        self.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        self.driver.get("about:blank")
        # The requests of Chromium's own first page.
        self.requests()

    def close(self) -> None:
        self.driver.quit()

    def size(self, size: tuple[int, int], *, mobile: bool = False) -> None:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        # The page hears of its new size before it draws the next frame.
        drawn = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        self.driver.execute_async_script(drawn)

    def media(self, **features: str) -> None:
        """Set features of the medium, such as prefers_color_scheme="dark"."""
        values = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": values})

    def open(self, data: Mapping[str, Any], address: str = "", size: tuple[int, int] = WIDE) -> str:
        """Write the page of the data to a file, open it, and return the address without the part after `#`."""
        self._pages += 1
        # The page keeps the reader's choices.
        storage = {"origin": "file://", "storageTypes": "local_storage"}
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", storage)
        path = self._folder / f"page-{self._pages}.html"
        path.write_text(page(data), "utf-8")
        self.size(size)
        self._load(path.as_uri() + address)
        return path.as_uri()

    def go(self, address: str) -> None:
        """Open an address anew: without the empty page between, only the part after `#` would change."""
        self.driver.get("about:blank")
        self._load(address)

    def _load(self, address: str) -> None:
        self.driver.get(address)
        self.wait(READY)

    def wait(self, condition: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 20, 0.02).until(lambda driver: driver.execute_script(condition))

    def run(self, script: str, *values: Any) -> Any:
        return self.driver.execute_script(script, *values)

    def press(self, *keys: str) -> None:
        """Press keys by their names in JavaScript, such as ArrowRight, where the focus is."""
        for key in keys:
            self.run(KEY, key)

    def places(self, keys: Sequence[str]) -> list[tuple[int, int]]:
        """Press keys as `press` does, and return round and step after each."""
        places: list[list[int]] = self.run(PLACES, keys)
        return [(number, step) for number, step in places]

    def type(self, *keys: str) -> None:
        """Press real keys, by their names in Selenium."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        actions = ActionChains(self.driver)
        for key in keys:
            actions.send_keys(getattr(Keys, key, key))
        actions.perform()

    def place(self) -> tuple[int, int]:
        place: list[int] = self.run("const d = document.getElementById('app').dataset; return [+d.round, +d.step]")
        return (place[0], place[1])

    def touch(self, kind: str, *places: tuple[float, float]) -> None:
        """Send a real touch event: touchStart and touchMove with the places of fingers, touchEnd without."""
        points = [{"x": x, "y": y} for x, y in places]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def swipe(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Swipe with a finger from one place to another; between the same places, tap."""
        self.touch("touchStart", start)
        # Few moves: on a busy machine, a touch of half a second is a press that is held.
        for part in (1, 2) if start != end else ():
            self.touch("touchMove", tuple(a + (b - a) * part / 2 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
        self.touch("touchEnd")

    def click(self, selector: str) -> None:
        x, y = self.run(
            "const element = document.querySelector(arguments[0]); element.scrollIntoView({block: 'nearest'});"
            "const { left, top, width, height } = element.getBoundingClientRect();"
            "return [left + width / 2, top + height / 2]",
            selector,
        )
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map((element) => element.textContent)"
        texts: list[str] = self.run(script, selector)
        return texts

    def print(self) -> bytes:
        # Not `print_page`: that waits ten seconds at most, also on a busy machine.
        printed = self.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        return base64.b64decode(printed["data"])

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the last call. Files and the page itself do not count."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        own = ("file:", "data:", "about:", "blob:")
        return [url for each in sent if not (url := each["request"]["url"]).startswith(own)]

    def console(self) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log("browser")
        return entries
