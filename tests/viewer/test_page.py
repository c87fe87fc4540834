"""The page: one file with a security policy, in which no text is markup; `mjconv.view` and its frame."""

import base64
import gzip
import hashlib
import html
import json
import lzma
import os
import re
import subprocess
import sys
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from test_steps import SAMPLES

import mjconv
from corpus_files import CORPUS, SAMPLE
from engine import play
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.events import StartRound
from mjconv.ir.match import Annotation, Match, Name, Player, Round, Rules, Text
from mjconv.viewer.page import page, payload
from mjconv.viewer.show import seat_number
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


# `mjconv.view`: the page of a match, its opening, and the frame in a notebook.


def data_of(view: mjconv.View) -> dict[str, Any]:
    data: dict[str, Any] = unpacked(view.html)["data"]
    return data


def test_the_page_is_written_whole(tmp_path: Path) -> None:
    view = mjconv.view(mjconv.read(SAMPLE), lang="ja")
    assert "東1局0本場" in view.svg
    view.write(tmp_path / "game.html")
    assert (tmp_path / "game.html").read_text("utf-8") == view.html
    for name, unpack, text in (
        ("game.html.gz", gzip.decompress, view.html),
        ("game.svg.xz", lzma.decompress, view.svg),
    ):
        view.write(tmp_path / name)
        assert unpack((tmp_path / name).read_bytes()).decode() == text
    with pytest.raises(FileNotFoundError):
        view.write(tmp_path / "missing" / "game.html")


def test_the_page_opens_where_it_is_asked_to() -> None:
    match = mjconv.read(SAMPLE)
    assert data_of(mjconv.view(match))["open"] == {"round": 0, "step": 0, "seat": 0}
    wanted = {"round": 1, "step": 40, "seat": 2}
    assert data_of(mjconv.view(match, round="E2-0", step=40, seat=2))["open"] == wanted
    assert data_of(mjconv.view(match, round=1, step=40, seat=2))["open"] == wanted
    assert data_of(mjconv.view(match))["lang"] is None
    assert [data_of(mjconv.view(match, lang=tag))["lang"] for tag in ("zh", "zh-CN")] == ["zh", "zh-CN"]


def test_a_number_is_a_seat_unless_it_is_a_whole_name() -> None:
    match = mjconv.read(SAMPLE)
    match.players = [Player(Name(Text(name))) for name in ("bot 1", "bot 2", "bot 3", "0")]
    seats = [data_of(mjconv.view(match, seat=seat))["open"]["seat"] for seat in ("1", "2", "bot 3", "0")]
    assert seats == [1, 2, 2, 3]


@looped(
    ("options", "message"),
    ({"seat": 4}, "there is no seat 4; the seats: 0 "),
    ({"seat": -1}, "there is no seat -1"),
    ({"round": "S1-0"}, "there is no round 'S1-0' in the match; its rounds: E1-0, E2-0, E3-0"),
    ({"round": 3}, "there is no round 3: the match has 3, counted from 0"),
    ({"round": 2, "step": 5}, "there is no step 5 in the round: it has 5, counted from 0"),
    ({"lang": "de"}, "--lang takes en, ja, zh, zh-Hans, not 'de'"),
)
def test_an_opening_that_does_not_exist_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(mjconv.UsageError, match=re.escape(message)):
        mjconv.view(mjconv.read(SAMPLE), **options)


def test_findings_are_marked_at_their_steps() -> None:
    match = mjconv.read(SAMPLE)
    match.rounds[1].events[7] = mjconv.Draw(0, "5mr")
    assert not any("findings" in step for step in data_of(mjconv.view(match))["rounds"][1]["steps"])
    steps = data_of(mjconv.view(match, check=True))["rounds"][1]["steps"]
    assert [at for at, step in enumerate(steps) if "findings" in step] == [31]
    [finding] = steps[31]["findings"]
    assert (finding["severity"], finding["code"][0]) == ("error", "R")


def test_walls_are_left_out_if_asked() -> None:
    match = mjconv.read(CORPUS / "tenhou" / "hanchan.mjlog")
    assert "wall" in data_of(mjconv.view(match))["rounds"][0]
    assert "wall" not in data_of(mjconv.view(match, wall=False))["rounds"][0]


def test_several_matches_are_one_page_if_all_are_of_one_kind() -> None:
    evenings = mjconv.read_all(CORPUS / "hk" / "evenings.hk")
    data = data_of(mjconv.view(evenings))
    assert (data["kind"], data["seats"], len(data["table"]["games"])) == ("results", 5, 16)
    match = mjconv.read(SAMPLE)
    data = data_of(mjconv.view([match] * 2, title="May"))
    assert (data["title"], len(data["plays"])) == ("May", 2)
    assert data_of(mjconv.view([match] * 2))["title"] == data_of(mjconv.view(match))["title"]
    with pytest.raises(mjconv.UsageError, match="opens at its first sheet: leave seat, step out"):
        mjconv.view([match] * 2, seat=1, step=3)
    with pytest.raises(mjconv.UsageError, match="a page shows results alone, or games with their play"):
        mjconv.view([match, evenings[0]])
    with pytest.raises(mjconv.UsageError, match="there is no match to show"):
        mjconv.view([])


def test_a_notebook_shows_the_page_in_a_sandboxed_frame() -> None:
    match = mjconv.read(SAMPLE)
    match.players[0] = Player(Name(Text('"></iframe><script>alert(1)</script>')))
    view = mjconv.view(match)
    frame = view._repr_html_()
    [(title, sandbox, page)] = re.findall(r'^<iframe title="([^"]*)" sandbox="([^"]*)" srcdoc="([^"]*)"', frame)
    assert (sandbox, html.unescape(page)) == ("allow-scripts allow-downloads", view.html)
    assert frame.count("<") == 2
    assert "alert(1)" in html.unescape(title)


@pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_sample_has_a_page(path: Path) -> None:
    for match in mjconv.read_all(path)[:2]:
        assert len(data_of(mjconv.view(match, check=True))["rounds"]) == len(match.rounds)


def test_a_match_has_one_page() -> None:
    """The page does not depend on the order of sets, which differs from process to process."""
    command = [sys.executable, "-c", f"import mjconv; print(mjconv.view(mjconv.read({str(SAMPLE)!r})).html)"]
    environments = [{**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    pages = [subprocess.run(command, env=each, capture_output=True, check=True).stdout for each in environments]
    assert pages[0] == pages[1]


def test_a_match_without_rounds_has_a_page() -> None:
    assert data_of(mjconv.view(Match()))["rounds"] == []
    with pytest.raises(mjconv.UsageError, match="there is no step 1"):
        mjconv.view(Match(), step=1)


def test_a_stream_without_an_id_is_seen_from_the_only_hand_that_it_shows() -> None:
    hidden, seen = ("?",) * 13, ("1m",) * 13
    deal = StartRound("E", kyoku=1, honba=0, tehais=(hidden, hidden, seen, hidden))
    assert seat_number(Match(rounds=[Round([deal])]), None) == 2
    assert seat_number(Match(rounds=[Round([replace(deal, tehais=(hidden, seen, seen, hidden))])]), None) == 0


def test_riichi_of_a_house_that_deals_otherwise_has_the_aid_to_reading_hands() -> None:
    match = mjconv.read(CORPUS / "sample/game.mjson")
    for rules in (Rules(game="riichi"), Rules(game="riichi", renchan="never")):
        match.rules = rules
        assert payload(match)["reading"] == {"tanyao": True}
    match.rules = Rules(game="uzje")
    assert payload(match)["reading"] is None
