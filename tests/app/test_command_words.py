"""The words of the command: seats, links as browsers copy them, and outputs that another command writes."""

import json
from pathlib import Path

import pytest
from given import Run

from corpus_files import CORPUS

DONE, BAD_INPUT, WRONG_USAGE = 0, 1, 2
SAMPLE = CORPUS / "sample" / "game.mjson"


@pytest.mark.parametrize(
    ("word", "seat"), [("2", 2), ("W", 2), ("west", 2), ("西", 2), ("千早", 2), ("堂本 冬美", 3)]
)
def test_a_stream_is_of_the_seat_that_is_named(run: Run, word: str, seat: int) -> None:
    first, *_ = run(SAMPLE, "-t", "mjai", "--seat", word, "-q").out.splitlines()
    assert json.loads(first)["id"] == seat


def test_a_seat_is_found_anew_in_each_match(run: Run) -> None:
    names = (["A", "B", "C", "D"], ["D", "C", "B", "A"])
    log = "".join(f'{{"type":"start_game","names":{json.dumps(four)}}}\n{{"type":"end_game"}}\n' for four in names)
    Path("two.mjson").write_text(log)
    messages = [json.loads(line) for line in run("two.mjson", "-t", "mjai", "--seat", "B", "-q").out.splitlines()]
    assert [message["id"] for message in messages if message["type"] == "start_game"] == [1, 2]


def test_a_whole_name_is_before_a_wind_and_a_wind_before_a_part(run: Run) -> None:
    names = json.dumps(["Otto E", "N", "S-san", "Di"])
    Path("game.mjson").write_text(f'{{"type":"start_game","names":{names}}}\n{{"type":"end_game"}}\n')
    found = [
        json.loads(run("game.mjson", "-t", "mjai", "--seat", word, "-q").out.splitlines()[0])["id"]
        for word in "ENSW"
    ]
    assert found == [0, 1, 1, 2]


@pytest.mark.parametrize("begin", ["https://tenhou.net", "HTTPS://Tenhou.net", "http://tenhou.net", "tenhou.net"])
def test_a_link_is_an_input_as_browsers_copy_it(run: Run, begin: str) -> None:
    link = run(SAMPLE, "-t", "tenhou-url", "-q").out.decode().splitlines()[0]
    copied = begin + link.removeprefix("https://tenhou.net")
    assert run(copied, "-t", "mjai", "-q").out == run(link, "-t", "mjai", "-q").out
    assert run("-", "-t", "mjai", "-q", stdin=copied.encode()).out == run(link, "-t", "mjai", "-q").out


def test_a_file_is_never_a_link(run: Run) -> None:
    Path("tenhou.net", "6").mkdir(parents=True)
    Path("tenhou.net", "6", "#json=game.mjson").write_bytes(SAMPLE.read_bytes())
    assert run("tenhou.net/6/#json=game.mjson", "-t", "mjai", "-q").out == SAMPLE.read_bytes()


def test_a_fleet_lists_files_and_no_links(run: Run) -> None:
    link = run(SAMPLE, "-t", "tenhou-url", "-q").out.decode().splitlines()[0]
    outcome = run("fleet", "plan", link, "-o", "plan", "-t", "jmjp")
    assert outcome.status == WRONG_USAGE
    assert "is a link that holds a record itself" in outcome.err
    assert not Path("plan").exists()


@pytest.mark.parametrize(
    "text",
    ['{"foo":1}', '{"foo":1}\n', "[1,2]", '{"foo":\n1}', '[{"foo":1}]', "17", '{"games": [\n  {"id": 1}\n]}'],
)
def test_json_of_no_known_format_is_called_so(run: Run, text: str) -> None:
    Path("game.json").write_text(text)
    outcome = run("game.json", "-o", "game.jmjp")
    assert outcome.status == BAD_INPUT
    assert outcome.err.startswith("mjconv: error: game.json:1:")
    for printed in (outcome.err, run("validate", "game.json").out.decode()):
        assert "this is JSON, but no record of a format that mjconv knows" in printed


def test_a_wrong_message_of_mjai_is_still_a_wrong_message(run: Run) -> None:
    Path("game.json").write_text('{"type":"nonsense"}\n')
    assert "Unknown message type 'nonsense'" in run("game.json", "-o", "game.jmjp").err
