"""The page: one file whose security policy names its scripts and its style, and where no text is markup."""

import base64
import hashlib
import json
import re
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from test_steps import SAMPLES

import mjconv
from corpus_files import SAMPLE
from engine import play
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Text
from mjconv.viewer.page import page, payload
from mjconv.viewer.state import to_json

ASSETS = Path(str(files("mjconv.viewer.assets")))
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
    return written(mjconv.read(SAMPLE))


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_alone(sample: str) -> None:
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', sample)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    [loader] = re.findall(r"<script>(.*?)</script>", sample, re.DOTALL)
    packed = unpacked(sample)
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("script-src") == f"'{hashed(loader)}' '{hashed(packed['script'])}'"
    assert rules.pop("style-src") == f"'{hashed(packed['style'])}'"
    # A picture of the page is drawn from a text in it.
    assert (rules.pop("img-src"), set(rules.values())) == ("data:", {"'none'"})


def test_the_page_names_no_address(sample: str) -> None:
    packed = unpacked(sample)
    everything = sample + packed["style"] + packed["script"] + packed["symbols"]
    assert set(re.findall(r"\w+://[^\s\"'`)]+", everything)) == {
        "http://www.w3.org/2000/svg",
        # The line of mjconv leads to the package, by a click alone.
        "https://pypi.org/project/mjconv/",
    }
    assert "@import" not in everything
    assert "url(" not in everything


def test_only_the_tiles_of_the_record_are_in_the_page() -> None:
    match = mjconv.read(SAMPLE)
    symbols = re.findall(r'<symbol id="t-([^"]+)"', unpacked(written(match))["symbols"])
    assert {"back", "5mr", "E"} <= set(symbols)
    assert not {"10p", "Z", "1f"} & set(symbols)
    assert len(symbols) == len(set(symbols))


def test_the_same_record_makes_the_same_page(sample: str) -> None:
    assert written(mjconv.read(SAMPLE)) == sample


@looped(
    "name",
    HOSTILE,
    "\u202eright to left",
    "x" * 10_000,
    "a\0b\x1b[2J",
    "{title}{0}{s0}%s",
    "&amp;<!--",
    "\ud7ff\ufffe",
)
def test_a_name_is_never_markup(name: str) -> None:
    match = mjconv.read(SAMPLE)
    match.players = [Player(Name(Text(name)), team=Text(name), rank=name) for _ in match.players]
    text = written(match)
    assert text.count("<script") == 2
    assert "<img" not in text
    assert unpacked(text)["data"]["players"][0] == {"name": name, "team": name, "rank": name}


@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_two_winds_is_small(seed: int) -> None:
    match = mjconv.read(play(seed), format="mjai")
    assert len(match.rounds) >= 8
    text = written(match)
    assert len(text.encode()) < 120_000
    assert len(unpacked(text)["data"]["links"]) == len(match.rounds)


def test_comments_and_texts_of_many_lines_are_apart_from_code() -> None:
    """The page leaves out whole lines of comment and indentation, which a text of many lines would lose too."""
    for name in sorted(path.name for path in ASSETS.iterdir() if path.suffix in (".js", ".css")):
        text = (ASSETS / name).read_text("utf-8")
        assert all(line.count("`") % 2 == 0 for line in text.splitlines()), name
        assert all(("/*" in line) == ("*/" in line) for line in text.splitlines()), name
        assert all(line.startswith("/*") == line.endswith("*/") for line in map(str.strip, text.splitlines())), (
            name
        )


# The data of the page: every word that it names is there, and its parts are those of the match.


pytestmark = pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")
TILE = re.compile(r"\d{1,2}[mpsf]r?|[ESWNPFCZHV?]")


@looped("path", *SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}", every=2)
def test_every_word_that_the_data_names_is_there(path: Path) -> None:
    for match in mjconv.read_all(path):
        data = to_json((payload(match),))[0]
        words = data["words"]["en"]
        assert words.keys() == data["words"]["ja"].keys() == data["words"]["zh"].keys()
        captions = [step["caption"] for played in data["rounds"] for step in played["steps"]]
        briefs = [brief for played in data["rounds"] for brief in played["brief"]]
        results = [result["title"] for played in data["rounds"] for result in played["results"]]
        for key, *values in [*captions, *briefs, *results]:
            for letter, number in re.compile(r"\{([a-zA-Z])(\d)\}").findall(words[key]):
                if letter in "tT":
                    tiles = [values[int(number)]] if letter == "t" else values[int(number)]
                    assert all(f"tile.{tile}" in words for tile in tiles)
        for played in data["rounds"]:
            shown = str([played["state"], [step.get("changes") for step in played["steps"]], played["results"]])
            tiles = set(filter(TILE.fullmatch, " ".join(re.findall(r"'([^']*)'", shown)).split()))
            # A lone letter may also be the wind of a seat; both have a word.
            assert all(f"tile.{tile}" in words for tile in tiles)


def test_the_graph_has_the_points_before_each_round_and_after_the_last() -> None:
    data = payload(mjconv.read(SAMPLE))
    assert data["graph"]["lines"][0] == [25000, 17300, 15300, 15300]


def test_the_comment_of_a_match_names_the_round_that_it_is_before() -> None:
    match = Match(rounds=[Round([ev.Ryukyoku()])] * 2, annotations=(Annotation(1, "comment", value="between"),))
    assert payload(match)["notes"] == [{"kind": "comment", "text": "between", "round": 1}]


def test_a_result_that_the_record_does_not_value_is_worked_out() -> None:
    [won] = payload(mjconv.read(SAMPLE))["rounds"][0]["results"]
    assert (won["han"], won["fu"], won["points"]) == (4, 30, 7700)
    assert (won["pays"], won["sticks"]) == ([[0, 1, 7700]], 2000)


def test_a_house_without_winds_is_named_by_its_label() -> None:
    assert payload(Match(rounds=[Round([ev.Ryukyoku()])]))["rounds"][0]["title"] == ("?",)
