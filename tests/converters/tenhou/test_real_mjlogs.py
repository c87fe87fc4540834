"""Records of the site, where `MJCONV_REAL_LOGS` names a folder with them; else the mjlogs of the corpus."""

import json
import os
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from corpus_files import CORPUS
from logs import messages
from looped import looped
from mjconv.ir.events import Event
from mjconv.ir.match import Match
from mjconv.referee.referee import check
from trips import read, write

FOLDER = os.environ.get("MJCONV_REAL_LOGS")
REAL = (
    [path for kind in ("mjlog", "xml") for path in sorted(Path(FOLDER, "tenhou", kind).iterdir())]
    if FOLDER
    else []
)
FILES = REAL or sorted((CORPUS / "tenhou").glob("*.[mx]*l*"))
#: The record of a fourth riichi that was accepted before the draw, which the mjai log of that game lacks.
FOURTH_RIICHI = "upd-aft-reach4.mjlog"
each_file = looped("path", *FILES, ids=lambda path: path.name)


#: Lobbies with rules of their own.
HOUSES = {"ratio1.xml": ["plays kiriage mangan, 1500 points a honba"]}


@each_file
def test_the_referee_finds_no_error(path: Path) -> None:
    match = read(path.read_bytes(), "tenhou").match
    findings = [finding for finding in check(match) if finding.code != "O009"]
    assert [finding.message for finding in findings] == HOUSES.get(path.name, [])


@looped("path", *[path for path in FILES if path.suffix == ".mjlog"], ids=lambda path: path.name)
def test_the_messages_are_those_of_the_log_beside_it(path: Path) -> None:
    """Another program's log lacks some keys, and one riichi. Without such a log, the match's own log is used."""
    match = read(path.read_bytes(), "tenhou").match
    ours = messages(write([match], "mjai", plain=True).data)
    beside = path.parent.with_name("mjai") / f"{path.stem}.mjson"
    theirs = messages(beside.read_bytes()) if beside.exists() else ours
    if path.name == FOURTH_RIICHI:
        last = max(at for at, message in enumerate(ours) if message["type"] == "reach_accepted")
        del ours[last]
    for message, other in zip_longest(ours, theirs):
        assert {key: value for key, value in message.items() if key in other} == other


# Other notations of the records.


def play_of(matches: list[Match]) -> list[list[Event]]:
    """Return the events of all rounds: several links may hold one object's rounds."""
    return [game_round.events for match in matches for game_round in match.rounds]


def real_files(ending: str) -> list[Path]:
    return sorted(Path(FOLDER or "nowhere", "tenhou", "json").glob(f"*{ending}"))


def over(matches: list[Match], form: str, *, plain: bool = False) -> list[Match]:
    """Return matches that were written and read again."""
    return read(write(matches, form, plain=plain).data, form).matches


def objects(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines() if line.strip()]


@pytest.mark.parametrize("path", real_files(".json"), ids=lambda path: path.stem)
def test_a_real_object_comes_back_equal(path: Path) -> None:
    matches = read(path.read_bytes(), "tenhou").matches
    assert objects(write(matches, "tenhou-json").data) == objects(path.read_bytes())
    through = over(matches, "mjai")
    assert through == matches
    assert objects(write(through, "tenhou-json").data) == objects(path.read_bytes())
    assert play_of(over(matches, "tenhou-url")) == play_of(matches)


@pytest.mark.parametrize("path", real_files("00a9-0000-????????.json"), ids=lambda path: path.stem)
def test_an_mjlog_makes_the_rounds_that_tenhou_exports(path: Path) -> None:
    match = read((path.parents[1] / "mjlog" / f"{path.stem}.mjlog").read_bytes(), "tenhou").match
    exported = [game_round for one in objects(path.read_bytes()) for game_round in one["log"]]
    [found] = objects(write([match], "tenhou-json").data)
    assert found["log"] == exported


@each_file
def test_an_mjlog_comes_back_over_json(path: Path) -> None:
    match = read(path.read_bytes(), "tenhou").match
    assert write(over([match], "tenhou-json"), "tenhou").data.rstrip() == path.read_bytes().rstrip()
    assert play_of(over([match], "tenhou-url")) == play_of(over([match], "tenhou-json", plain=True))
