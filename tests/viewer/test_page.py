"""The page: one file whose security policy names its scripts and its style, and where no text is markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import mjconv
from engine import play
from mjconv.ir.match import Name, Player, Text
from mjconv.viewer.show import page, payload

ASSETS = Path(str(files("mjconv.viewer.assets")))
CORPUS = Path(__file__).parents[2] / "corpus"
HOSTILE = '</script><img src=x onerror="alert(1)">'


def written(match: mjconv.Match) -> str:
    return page(payload(match))


def unpacked(text: str) -> dict[str, Any]:
    [data] = re.findall(r'<script type="application/octet-stream" id="data">([^<]*)</script>', text)
    style, script, symbols, record = zlib.decompress(base64.b64decode(data)).decode().split("\0")
    return {"style": style, "script": script, "symbols": symbols, "data": json.loads(record)}


def hashed(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.fixture(scope="module")
def sample() -> str:
    return written(mjconv.read(CORPUS / "sample/game.mjson"))


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_alone(sample: str) -> None:
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', sample)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    [loader] = re.findall(r"<script>(.*?)</script>", sample, re.DOTALL)
    packed = unpacked(sample)
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("script-src") == f"'{hashed(loader)}' '{hashed(packed['script'])}'"
    assert rules.pop("style-src") == f"'{hashed(packed['style'])}'"
    assert set(rules.values()) == {"'none'"}


def test_the_page_names_no_address(sample: str) -> None:
    packed = unpacked(sample)
    everything = sample + packed["style"] + packed["script"] + packed["symbols"]
    assert set(re.findall(r"\w+://[^\s\"'`)]+", everything)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in everything
    assert "url(" not in everything


def test_only_the_tiles_of_the_record_are_in_the_page() -> None:
    match = mjconv.read(CORPUS / "sample/game.mjson")
    symbols = re.findall(r'<symbol id="t-([^"]+)"', unpacked(written(match))["symbols"])
    assert {"back", "5mr", "E"} <= set(symbols)
    assert not {"10p", "Z", "1f"} & set(symbols)
    assert len(symbols) == len(set(symbols))


def test_the_same_record_makes_the_same_page(sample: str) -> None:
    assert written(mjconv.read(CORPUS / "sample/game.mjson")) == sample


@pytest.mark.parametrize("name", [HOSTILE, "\u202eright to left", "x" * 10_000, "a\0b", "{title}{0}", "&amp;<!--"])
def test_a_name_is_never_markup(name: str) -> None:
    match = mjconv.read(CORPUS / "sample/game.mjson")
    match.players = [Player(Name(Text(name))) for _ in match.players]
    text = written(match)
    assert text.count("<script") == 2
    assert "<img" not in text
    assert unpacked(text)["data"]["players"][0]["name"] == name


@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_two_winds_is_small(seed: int) -> None:
    match = mjconv.read(play(seed), format="mjai")
    assert len(match.rounds) >= 8
    text = written(match)
    assert len(text.encode()) < 120_000
    assert len(unpacked(text)["data"]["links"]) == len(match.rounds)


@pytest.mark.parametrize("name", sorted(path.name for path in ASSETS.iterdir() if path.suffix in (".js", ".css")))
def test_comments_and_texts_of_many_lines_are_apart_from_code(name: str) -> None:
    """The page leaves out whole lines of comment and indentation, which a text of many lines would lose too."""
    text = (ASSETS / name).read_text("utf-8")
    assert all(line.count("`") % 2 == 0 for line in text.splitlines())
    assert all(("/*" in line) == ("*/" in line) for line in text.splitlines())
    assert all(line.startswith("/*") == line.endswith("*/") for line in map(str.strip, text.splitlines()))
