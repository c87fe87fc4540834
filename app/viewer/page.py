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

#: The parts of the page's script, in their order. Together they are one script.
_SCRIPTS: Final = (
    "dom",
    "words",
    "replay",
    "tiles",
    "table",
    "lanes",
    "sheet",
    "graph",
    "panel",
    "wall",
    "kyoku",
    "scores",
    "address",
    "controls",
    "main",
)
_TILE_WORD: Final = "tile."


def page(data: Mapping[str, Any]) -> str:
    """Return the whole HTML text of the page that shows `data`, the value of `payload`.

    No text of the record becomes markup: the title is escaped, and everything else is packed.
    """
    style, script, loader = _style(), _script(), _asset("loader.js")
    packed = {"style": style, "script": script, "symbols": symbols(_tiles(data)), "data": data}
    return _asset("page.html").format(
        title=escape(data["title"]),
        style_hash=_hash(style),
        script_hash=_hash(script),
        loader_hash=_hash(loader),
        loader=loader,
        data=_packed(packed),
    )


def _tiles(data: Mapping[str, Any]) -> set[str]:
    """Return the tiles that the data names. Each tile has a word. The back is always included."""
    words: Mapping[str, str] = next(iter(data["words"].values()), {})
    return {HIDDEN} | {key.removeprefix(_TILE_WORD) for key in words if key.startswith(_TILE_WORD)}


def _packed(data: Mapping[str, Any]) -> str:
    return base64.b64encode(zlib.compress(msgspec.json.encode(data), 9)).decode("ascii")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def _asset(name: str) -> str:
    return (files("mjconv.viewer.assets") / name).read_text("utf-8")


@cache
def _style() -> str:
    return _asset("page.css")


@cache
def _script() -> str:
    return "".join(['"use strict";\n', *(_asset(f"{name}.js") for name in _SCRIPTS)])
