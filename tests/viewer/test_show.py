"""`mjconv.view`: the page of a match, its opening, and the frame in a notebook."""

import gzip
import html
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from test_page import unpacked
from test_steps import SAMPLES

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.ir.events import StartRound
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.viewer.show import seat_number


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
