"""Random games go out to tenhou.net/6 JSON and links and come back, and an engine agrees with their results."""

import json
import os
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from engine import STYLES, Deal, Rules, Win, play, wins
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.converters.interface import WriteOptions
from mjconv.ir.events import Event
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

RULES: tuple[Rules, ...] = get_args(Rules)
DEALS: tuple[Deal, ...] = get_args(Deal)
FLAVOURS = ["tenhou-json", "tenhou-url"]
#: The value of a hand: fu and han, or the name of a limit; then the points of each other player and of the payer.
VALUE = re.compile(r"(?:(\d+)符(\d+)飜)?(\D*)(?:(\d+)-)?(\d+)点(∀?)")
REAL = os.environ.get("MJCONV_REAL_LOGS")


def read(data: bytes, form: str) -> list[Match]:
    return hub.read_matches(find(form)[0], data, Report())


def written(matches: list[Match], to: str, *, plain: bool = False) -> bytes:
    form, flavour = find(to)
    return hub.written(form, matches, Report(), WriteOptions(flavour, plain=plain))


def play_of(matches: list[Match]) -> list[list[Event]]:
    """Return the events of all rounds: several links may hold one object's rounds."""
    return [game_round.events for match in matches for game_round in match.rounds]


def out_and_back(game: bytes) -> None:
    matches = read(game, "mjai")
    assert read(written(matches, FLAVOURS[0]), "tenhou") == matches
    # A link has no notes.
    assert play_of(read(written(matches, FLAVOURS[1]), "tenhou")) == play_of(
        read(written(matches, FLAVOURS[0], plain=True), "tenhou")
    )
    # The text alone has the same play.
    [plain] = read(written(read(written(matches, FLAVOURS[0], plain=True), "tenhou"), FLAVOURS[0]), "tenhou")
    assert written([plain], FLAVOURS[0], plain=True) == written(matches, FLAVOURS[0], plain=True)


def details(game: bytes) -> list[tuple[int, int, list[Any]]]:
    """Return the wins of the JSON of a game, with the index of their round and its honba."""
    [found] = [json.loads(line) for line in written(read(game, "mjai"), FLAVOURS[0], plain=True).splitlines()]
    return [
        (index, game_round[0][1], detail)
        for index, game_round in enumerate(found["log"])
        if game_round[-1][0] == "和了"
        for detail in game_round[-1][2::2]
    ]


def agrees(win: Win, detail: list[Any], seats: int, honba: int) -> None:
    """Check the words of a win against the engine's values."""
    form = VALUE.fullmatch(detail[3])
    assert form is not None
    fu, han, limit, low, points, each = form.groups()
    total = int(points) * (seats - 1 if each else 1) + int(low or 0) * (seats - 2)
    # Only the first of two winners takes the honba.
    assert win.points in (total, total + 100 * (seats - 1) * honba)
    counted = [re.fullmatch(r"(.+)\((?:(\d+)飜|役満)\)", text) for text in detail[4:]]
    assert all(counted)
    if limit == "役満" and "役満" in "".join(detail[4:]):
        return
    assert sum(int(one[2]) for one in counted if one) == win.han
    if fu is not None:
        assert (int(fu), int(han)) == (win.fu, win.han)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(200, 204))
def test_whole_games(seed: int, players: int) -> None:
    out_and_back(play(seed, players=players))


@pytest.mark.parametrize("chooser", STYLES)
def test_games_of_players_of_one_style(chooser: str) -> None:
    out_and_back(play(8, length="east", chooser=chooser))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("deal", DEALS)
def test_single_rounds_from_every_kind_of_deal(deal: Deal, rules: Rules) -> None:
    for seed in range(6):
        chooser = "thrower" if deal in ("river", "winds") else "mixed"
        out_and_back(play(seed, length="round", deal=deal, chooser=chooser, rules=rules))


@pytest.mark.parametrize("players", [3, 4])
def test_the_engine_agrees_with_the_words_of_wins(players: int) -> None:
    count = 0
    for seed in range(300, 304):
        game = play(seed, players=players)
        found, theirs = details(game), wins(game)
        assert [(index, detail[0]) for index, _, detail in found] == [(win.round, win.actor) for win in theirs]
        for (_, honba, detail), win in zip(found, theirs, strict=True):
            agrees(win, detail, players, honba)
            count += 1
    assert count > 10


# Real records.

real = pytest.mark.skipif(REAL is None, reason="needs MJCONV_REAL_LOGS")


def real_files(folder: str, ending: str) -> list[Path]:
    return sorted(Path(REAL or "nowhere", "tenhou", folder).glob(f"*{ending}"))


def objects(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines() if line.strip()]


@real
@pytest.mark.parametrize("path", real_files("json", ".json"), ids=lambda path: path.stem)
def test_a_real_object_comes_back_equal(path: Path) -> None:
    matches = read(path.read_bytes(), "tenhou")
    assert objects(written(matches, FLAVOURS[0])) == objects(path.read_bytes())
    through = read(written(matches, "mjai"), "mjai")
    assert through == matches
    assert objects(written(through, FLAVOURS[0])) == objects(path.read_bytes())
    assert play_of(read(written(matches, FLAVOURS[1]), "tenhou")) == play_of(matches)


@real
@pytest.mark.parametrize("path", real_files("json", "00a9-0000-????????.json"), ids=lambda path: path.stem)
def test_an_mjlog_makes_the_rounds_that_tenhou_exports(path: Path) -> None:
    mjlog = path.parents[1] / "mjlog" / f"{path.stem}.mjlog"
    exported = [game_round for one in objects(path.read_bytes()) for game_round in one["log"]]
    [found] = objects(written(read(mjlog.read_bytes(), "tenhou"), FLAVOURS[0]))
    assert found["log"] == exported


@real
@pytest.mark.parametrize(
    "path", [*real_files("mjlog", ".mjlog"), *real_files("xml", ".xml")], ids=lambda path: path.stem
)
def test_an_mjlog_comes_back_byte_for_byte(path: Path) -> None:
    data = path.read_bytes()
    back = read(written(read(data, "tenhou"), "tenhou-json"), "tenhou")
    assert written(back, "tenhou").rstrip() == data.rstrip()
    link = read(written(read(data, "tenhou"), "tenhou-url"), "tenhou")
    assert play_of(link) == play_of(read(written(read(data, "tenhou"), "tenhou-json", plain=True), "tenhou"))
