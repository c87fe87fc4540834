"""Games written as Mahjong Soul records, which RiichiEnv reads."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec import UNSET, structs
from riichienv import MjSoulReplay

import engine
import mjconv
import trips
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round
from moments_made import deal, match_of, turn
from trips import read, write

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
DEALS = ("triplets", "close", "waits", "orphans", "winds")


def results_of(log: bytes) -> list[tuple[list[int], list[int]]]:
    """Return the points of each round before and after it, from an mjai log."""
    found: list[tuple[list[int], list[int]]] = []
    for line in log.splitlines():
        event = json.loads(line)
        if event["type"] == "start_kyoku":
            found.append((event["scores"], list(event["scores"])))
        elif event["type"] == "reach_accepted":
            found[-1][1][event["actor"]] -= 1000
        elif event["type"] in ("hora", "ryukyoku"):
            points = found[-1][1]
            points[:] = [a + b for a, b in zip(points, event.get("deltas") or [0] * len(points), strict=True)]
    return found


def replayed(text: bytes) -> Any:
    return MjSoulReplay.from_dict(orjson.loads(text)["rounds"])


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("deal", ["fair", *DEALS])
def test_riichienv_reads_the_same_results(players: int, deal: Any) -> None:
    for seed in range(3):
        length: Any = "east" if deal == "fair" else "round"
        log = engine.play(seed, players=players, length=length, rules="mjsoul", deal=deal)
        replay = replayed(mjconv.convert(log, source="mjai", target="majsoul").data)
        rounds = list(replay.take_kyokus())
        assert [(list(one.scores), list(one.end_scores)) for one in rounds] == results_of(log)
        wins = sum(json.loads(line)["type"] == "hora" for line in log.splitlines())
        agreed, differing = replay.verify()
        assert agreed == wins
        # The check of RiichiEnv values the wins of three players by the rules of four.
        assert players == 3 or differing == 0


def test_riichienv_reads_the_compressed_file(tmp_path: Path) -> None:
    log = engine.play(3, length="east", rules="mjsoul")
    path = tmp_path / "game.json.gz"
    source = tmp_path / "game.mjson"
    source.write_bytes(log)
    mjconv.write(mjconv.read(source), path, format="majsoul")
    assert MjSoulReplay.from_json(str(path)).num_rounds() == len(results_of(log))


@looped("name", "four", "three", "nine", "client")
def test_without_notes_a_record_loses_its_annotations_and_its_original(name: str) -> None:
    data = (CORPUS / f"{name}.json").read_bytes()
    converted = mjconv.convert(data, source="majsoul", target="majsoul", plain=True)
    losses = {(loss.what, loss.fate) for loss in converted.losses} - {("start_kyoku.tehais", "assumed")}
    assert losses <= {("round.annotations", "dropped"), ("match.original", "dropped")}
    match = mjconv.read(data, format="majsoul")
    match.rounds = [structs.replace(one, annotations=()) for one in match.rounds]
    assert mjconv.read(converted.data, format="majsoul") == match


def written(match: Match) -> bytes:
    return write([match], "majsoul").data


@looped("via", "tenhou", "majsoul")
def test_a_kiriage_mangan_by_self_draw_states_the_payments_of_a_mangan(via: str) -> None:
    hands = (
        *("1p 1p 1p 2p 2p 2p 3p 4p 7s 8s 9s E E", "2m 3m 4m 5m 6m 7m 3s 4s 5s 8p 8p 6s 6s"),
        *("W W W 5s 6s 7s 2p 3p 4p 9p 9p 3s 3s", "1s 1s 1s 7m 8m 9m S S S N N N P"),
    )
    yakus, deltas = (("menzenchin_tsumoho", 1), ("tanyaochu", 1), ("dora", 2)), (-4000, 8000, -2000, -2000)
    win = ev.Win(1, 1, "6s", ura_markers=(), deltas=deltas, yakus=yakus, fu=30, fan=4, hora_points=8000)
    play = [*turn(0, "9m"), *turn(1, "P"), *turn(2, "9m"), *turn(3, "9m"), *turn(0, "F"), ev.Draw(1, "6s"), win]
    match = match_of([deal(*hands, dora_marker="7p"), *play])
    there = write([match], via, plain=True).data
    data = mjconv.convert(there, source=via, target="majsoul", plain=True).data
    [item] = orjson.loads(data)["rounds"][0][-1]["data"]["hules"]
    assert (item["point_zimo_qin"], item["point_zimo_xian"], item["title_id"]) == (4000, 2000, 1)
    assert "dadian" not in item
    back = read(data, "majsoul").match
    assert back.rounds[0].select(ev.Win) == [win]


@looped(("liable", "baopai"), (UNSET, 0), (0, 1), (3, 4))
def test_the_liable_seat_is_counted_from_one(liable: int, baopai: int) -> None:
    match = mjconv.read(CORPUS / "four.json")
    match.original = None
    played = next(played for played in match.rounds if played.select(ev.Win))
    played.events = [structs.replace(e, liable=liable) if isinstance(e, ev.Win) else e for e in played.events]
    [*_, result] = orjson.loads(written(structs.replace(match, rounds=[played])))["rounds"][0]
    assert result["data"]["baopai"] == baopai


def test_matches_that_majsoul_cannot_hold_are_refused() -> None:
    hidden = ev.StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, (("?",) * 13,) * 4)
    bare = ev.StartRound("E", kyoku=1, oya=0)
    for start, message in ((hidden, "no hidden tiles"), (bare, "needs the hands that are dealt")):
        with pytest.raises(mjconv.UnsupportedError, match=message):
            written(Match(rounds=[Round([start])]))
    game = (CORPUS / "three.json").read_bytes()
    log = mjconv.convert(game, source="majsoul", target="mjai").data
    with pytest.raises(mjconv.UnsupportedError, match="holds one match: `mjconv split`"):
        mjconv.convert(log + log, source="mjai", target="majsoul")
    game = mjconv.read(CORPUS / "three.json")
    game.rounds[0].events.insert(2, ev.Discard(1, "E", tsumogiri=False))
    with pytest.raises(mjconv.PlayError, match=r"round .*, message 3"):
        written(game)


def test_a_record_of_2021_becomes_a_whole_wall_in_uzje() -> None:
    there = mjconv.convert((CORPUS / "client.json").read_bytes(), source="majsoul", target="uzje", plain=True).data
    assert sum(word[-1] in "tsmESWNPCF" for word in there.decode().split() if len(word) in (1, 2)) >= 136


@looped("original", True, False)
@looped("via", "mjai", "jmjp", "uzje", "tenhou", "tenhou-json", "majiang", "hk")
def test_two_wins_that_are_not_in_turn_order_come_back_in_their_order(via: str, original: bool) -> None:
    hands = (
        *("2m 3m 4m 5m 6m 7m 3s 4s 5s 8p 8p 6s 7s", "1p 1p 1p 2p 2p 2p 3p 4p 7s 8s 9s E E"),
        *("3m 4m 5m 2p 3p 4p 7m 8m 9m 6s 7s 9p 9p", "1s 1s 1s 2m 3m 4m 3s 4s 5s W N N S"),
    )
    play = [*turn(0, "9m"), *turn(1, "F"), *turn(2, "F"), *turn(3, "8s")]
    pinfu, win = ("pinfu", 1), ev.Win(2, 3, "8s", ura_markers=(), fu=30)
    cheap = structs.replace(win, yakus=(pinfu,), fan=1, hora_points=1000, deltas=(0, 0, 1000, -1000))
    dear = structs.replace(win, actor=0, yakus=(pinfu, ("tanyaochu", 1), ("dora", 2)), fan=4)
    dear = structs.replace(dear, deltas=(12900, 0, 0, -11900), hora_points=11600)
    match = match_of([deal(*hands, dora_marker="7p", honba=1, kyotaku=1), *play, cheap, dear])
    [there] = trips.read(written(match), "majsoul").matches
    assert there.rounds[0].select(ev.Win) == [cheap, dear]
    assert [item["seat"] for item in orjson.loads(written(there))["rounds"][0][-1]["data"]["hules"]] == [2, 0]
    [away] = trips.read(trips.write([there] if original else trips.bare([there]), via).data, via).matches
    assert away == there
    [back] = trips.read(written(away), "majsoul").matches
    assert back.rounds[0].select(ev.Win) == [cheap, dear]
