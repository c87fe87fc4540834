"""Write the page of the viewer: one HTML file with its data, styles, script and tiles, which uses no network.

The page draws and applies no rule of mahjong. Its data is the value of `payload`. Data, tiles, style and script
are packed (zlib, base64), and a short script unpacks them. The security policy of the page allows the two scripts
and the style by their hashes, and nothing else: no network, no other code.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Final

import msgspec

from mjconv.ir.tiles import HIDDEN
from mjconv.viewer.tiles import symbols

#: The level of compression: it pays for the links of a page, and takes a quarter longer than level 6.
_LEVEL: Final = 9
#: A page with copies of its rounds has at most so many characters. A larger one leaves out these, in this order.
_MOST: Final = 120_000
_COPIES: Final = ("messages", "links")
#: The parts of the page's script, in their order. Together they are one script.
_SCRIPTS: Final = ("dom", "words", "replay", "tiles", "hands", "table", "sheet", "panel", "controls", "main")
_TILE_WORD: Final = "tile."
#: Between the packed parts. None of them holds this character: JSON escapes it.
_BETWEEN: Final = b"\0"


def page(data: Mapping[str, Any]) -> str:
    """Return the whole HTML text of the page that shows `data`, the value of `payload`.

    No text of the record becomes markup: the title is escaped, and everything else is packed. The copies of the
    rounds are left out of a page that would be large with them.
    """
    loader = _code("loader.js")
    text = _asset("page.html").format(
        title=escape(data["title"]),
        style_hash=_hash(_style()),
        script_hash=_hash(_script()),
        loader_hash=_hash(loader),
        loader=loader,
        data=_packed(symbols(_tiles(data)).encode(), msgspec.json.encode(data)),
    )
    copies = next((key for key in _COPIES if data.get(key)), None)
    return page({**data, copies: []}) if len(text) > _MOST and copies else text


def _tiles(data: Mapping[str, Any]) -> set[str]:
    """Return the tiles that the data names. Each tile has a word. The back is always included."""
    words: Mapping[str, str] = next(iter(data["words"].values()), {})
    return {HIDDEN} | {key.removeprefix(_TILE_WORD) for key in words if key.startswith(_TILE_WORD)}


def _packed(*parts: bytes) -> str:
    """Return the style, the script, and the parts that differ from page to page, packed."""
    packer, begun = _packer()
    packer = packer.copy()
    packed = [begun, packer.compress(_BETWEEN.join(parts)), packer.flush()]
    return base64.b64encode(b"".join(packed)).decode("ascii")


@cache
def _packer() -> tuple[Any, bytes]:
    """Return the compressor after the parts that are the same in every page, and these parts compressed."""
    packer = zlib.compressobj(_LEVEL)
    return packer, packer.compress(b"".join(part.encode() + _BETWEEN for part in (_style(), _script())))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def _asset(name: str) -> str:
    return (files("mjconv.viewer.assets") / name).read_text("utf-8")


@cache
def _code(name: str) -> str:
    """Return the lines of a script or a style, without indentation and lines of comment."""
    lines = [line.strip() for line in _asset(name).splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(("//", "/*")))


@cache
def _style() -> str:
    return _code("page.css")


@cache
def _script() -> str:
    return "".join(['"use strict";\n', *(_code(f"{name}.js") for name in _SCRIPTS)])
