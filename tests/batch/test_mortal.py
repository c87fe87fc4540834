"""Files that Mortal trains on: its reader of events, and its reader of points, as its sources have them."""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
from archives import run

from corpus_files import CORPUS
from mjconv.ir.tiles import RIICHI_TILES

TILES = frozenset((*RIICHI_TILES, "?"))
#: The keys that each message needs, with their types. Another message is an error.
EVENTS: dict[str, dict[str, Any]] = {
    "none": {}, "end_kyoku": {}, "end_game": {}, "ryukyoku": {},
    "start_game": {},
    "start_kyoku": {"bakaze": str, "dora_marker": str, "kyoku": int, "honba": int, "kyotaku": int, "oya": int,
                    "scores": list[int], "tehais": list[list[str]]},
    "tsumo": {"actor": int, "pai": str},
    "dahai": {"actor": int, "pai": str, "tsumogiri": bool},
    "chi": {"actor": int, "target": int, "pai": str, "consumed": list[str]},
    "pon": {"actor": int, "target": int, "pai": str, "consumed": list[str]},
    "daiminkan": {"actor": int, "target": int, "pai": str, "consumed": list[str]},
    "kakan": {"actor": int, "pai": str, "consumed": list[str]},
    "ankan": {"actor": int, "consumed": list[str]},
    "dora": {"dora_marker": str},
    "reach": {"actor": int}, "reach_accepted": {"actor": int},
    "hora": {"actor": int, "target": int},
}  # fmt: skip
LENGTHS = {"chi": 2, "pon": 2, "daiminkan": 3, "kakan": 3, "ankan": 4}


def events(data: bytes) -> list[dict[str, Any]]:
    """Read the events of a game as Mortal does: every line is a message that it knows."""
    read = []
    for line in gzip.decompress(data).decode().splitlines():
        message = json.loads(line)
        for key, kind in EVENTS[message["type"]].items():
            msgspec.convert(message[key], kind)
            if key in ("actor", "target", "oya"):
                assert 0 <= message[key] < 4
        assert len(message.get("consumed", ())) == LENGTHS.get(message["type"], 0)
        assert {message.get("pai", "?"), message.get("dora_marker", "?"), *message.get("consumed", ())} <= TILES
        if message["type"] == "start_kyoku":
            assert 1 <= message["kyoku"] <= 4
            assert [len(hand) for hand in message["tehais"]] == [13] * 4
            assert len(message["scores"]) == 4
        read.append(message)
    assert read[0]["type"] == "start_game"
    # Mortal leaves no name empty: it knows players by them.
    assert len(read[0]["names"]) == 4
    assert all(read[0]["names"])
    return read


def points(messages: list[dict[str, Any]]) -> list[int]:
    """Return the points at the end, from the last deal on, as Mortal's network of ranks learns them."""
    last = max(index for index, message in enumerate(messages) if message["type"] == "start_kyoku")
    scores = [*messages[last]["scores"]]
    for message in messages[last:]:
        if message["type"] in ("hora", "ryukyoku"):
            scores = [score + delta for score, delta in zip(scores, message["deltas"], strict=True)]
        if message["type"] == "reach_accepted":
            scores[message["actor"]] -= 1000
    return scores


def test_games_are_files_that_mortal_reads(tmp_path: Path) -> None:
    where = ("--where", "players = 4 and whole")
    words = ("--to", "mjai", "--extension", ".json.gz", "--plain", "--fill", "-q", *where)
    run(CORPUS / "tenhou", CORPUS / "majsoul", "-o", "out", *words, "--verify", folder=tmp_path)
    files = sorted(tmp_path.glob("out/**/*.json.gz"))
    assert len(files) > 2
    for file in files:
        read = events(file.read_bytes())
        assert read[1]["oya"] == 0
        stated = [message for message in read if message["type"] in ("hora", "ryukyoku")]
        assert points(read) == stated[-1]["scores"]
    run("out", "-o", "again", *words, folder=tmp_path)
    again = sorted(tmp_path.glob("again/**/*.json.gz"))
    assert [file.read_bytes() for file in again] == [file.read_bytes() for file in files]
