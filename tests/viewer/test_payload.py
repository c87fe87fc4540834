"""The data of the page: every word that it names is there, and its parts are those of the match."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_steps import SAMPLES

import mjconv
from corpus_files import CORPUS
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Match, Round
from mjconv.viewer.show import payload
from mjconv.viewer.state import to_json

pytestmark = pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")
GAP = re.compile(r"\{([a-zA-Z])(\d)\}")
TILE = re.compile(r"\d{1,2}[mpsf]r?|[ESWNPFCZHV?]")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_word_that_the_data_names_is_there(path: Path) -> None:
    for match in mjconv.read_all(path):
        data = to_json((payload(match),))[0]
        words = data["words"]["en"]
        assert words.keys() == data["words"]["ja"].keys() == data["words"]["zh"].keys()
        captions = [step["caption"] for played in data["rounds"] for step in played["steps"]]
        briefs = [brief for played in data["rounds"] for brief in played["brief"]]
        results = [result["title"] for played in data["rounds"] for result in played["results"]]
        for key, *values in [*captions, *briefs, *results]:
            for letter, number in GAP.findall(words[key]):
                if letter in "tT":
                    tiles = [values[int(number)]] if letter == "t" else values[int(number)]
                    assert all(f"tile.{tile}" in words for tile in tiles)
        for played in data["rounds"]:
            shown = str([played["state"], [step.get("changes") for step in played["steps"]], played["results"]])
            tiles = {
                tile for word in re.findall(r"'([^']*)'", shown) for tile in word.split() if TILE.fullmatch(tile)
            }
            # A lone letter may also be the wind of a seat; both have a word.
            assert all(f"tile.{tile}" in words for tile in tiles)


def test_the_graph_has_the_points_before_each_round_and_after_the_last() -> None:
    data = payload(mjconv.read(CORPUS / "sample" / "game.mjson"))
    assert data["graph"]["lines"][0] == [25000, 17300, 15300, 15300]


def test_the_comment_of_a_match_names_the_round_that_it_is_before() -> None:
    match = Match(rounds=[Round([ev.Ryukyoku()])] * 2, annotations=(Annotation(1, "comment", value="between"),))
    assert payload(match)["notes"] == [{"kind": "comment", "text": "between", "round": 1}]


def test_a_result_that_the_record_does_not_value_is_worked_out() -> None:
    match = mjconv.read(CORPUS / "sample" / "game.mjson")
    [won] = payload(match)["rounds"][0]["results"]
    assert (won["han"], won["fu"], won["points"]) == (4, 30, 7700)
    assert won["pays"] == [[0, 1, 7700]]
    assert won["sticks"] == 2000


def test_a_house_without_winds_is_named_by_its_label() -> None:
    assert payload(Match(rounds=[Round([ev.Ryukyoku()])]))["rounds"][0]["title"] == ("?",)
