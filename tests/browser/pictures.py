"""Write the pictures of docs/view.md and docs/serve.md: ``python tests/browser/pictures.py docs/pictures``."""

import base64
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from chromium import NARROW, PHONE, WIDE, Browser, programs
from records import COMMENTS, FLOWERS, TENHOU, Record, answered

from served import choose, serving

#: WebP, because a picture of the page is a third of its PNG.
FORMAT = {"format": "webp", "quality": 32}


class Picture(NamedTuple):
    name: str
    record: Record
    address: str
    size: tuple[int, int] = WIDE
    keys: tuple[str, ...] = ()
    scheme: str = "light"
    medium: str = "screen"
    #: The picture begins so many pixels from the left.
    left: int = 0
    #: A file of the corpus that the page of the server shows.
    served: str = ""


ANSWERS = Record("answers", lambda: answered("tenhou/hanchan.mjlog"))
PICTURES = (
    Picture("table", TENHOU, "#E2-0.84.s0"),
    Picture("answers", ANSWERS, "#E1-0.33.s0", (1280, 860), left=812),
    Picture("wall", FLOWERS, "#E4-0.60.s0", keys=("w",), scheme="dark"),
    Picture("narrow", COMMENTS, "#E1-3.40.s0", size=NARROW),
    Picture("serve", TENHOU, "", size=(PHONE[0], 1250), served="tenhou/hanchan.mjlog"),
    Picture("print", TENHOU, "#E3-0.0", size=(760, 620), medium="print"),
)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        browser = Browser(programs(), Path(work))
        for picture in PICTURES:
            browser.media(prefers_color_scheme=picture.scheme)
            if picture.served:
                browser.size(picture.size)
                with serving() as (address, _):
                    choose(browser, address, picture.served)
                browser.run("scrollTo(0, 0)")
            else:
                browser.open(picture.record.data, picture.address, picture.size)
                browser.press(*picture.keys)
            if picture.medium == "print":
                browser.run("dispatchEvent(new Event('beforeprint'))")
                browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            width, height = picture.size
            clip = {"x": picture.left, "y": 0, "width": width - picture.left, "height": height, "scale": 1}
            shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {**FORMAT, "clip": clip})
            (folder / f"{picture.name}.webp").write_bytes(base64.b64decode(shot["data"]))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
