"""Derived columns, and tables of games, seats and rounds, against events that are counted here."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from mahjong.shanten import Shanten

import mjconv
from batch.archives import run
from corpus_files import CORPUS
from logs import Log, logs, messages
from looped import looped
from mjconv.columns.derived import shanten
from mjconv.columns.schema import COLUMNS, DERIVED, TABLE_COLUMNS, TABLE_VERSION
from mjconv.columns.tables import made_table
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.converters.shared.filled import filled
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Round
from mjconv.ir.tiles import DORA_OF, TILE_KINDS, plain

ALL = ",".join(DERIVED)
#: The kinds of tiles where three play: no 2m to 8m.
KINDS = {3: [kind for kind in TILE_KINDS if kind not in {f"{rank}m" for rank in range(2, 9)}], 4: [*TILE_KINDS]}


def slowly(tiles: list[str], seats: int = 4) -> int:
    counts = [sum(plain(tile) == kind for tile in tiles) for kind in TILE_KINDS]
    return Shanten.calculate_shanten(counts, is_three_player=seats == 3)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_the_distance_to_tenpai_is_that_of_another_library(seats: int, count: int) -> None:
    chance = random.Random(count)
    for _ in range(count):
        # Few kinds make hands that are near to tenpai, with four of a kind.
        few = chance.sample(KINDS[seats], chance.randint(5, len(KINDS[seats])))
        size = chance.choice((1, 2, 4, 5, 7, 8, 10, 11, 13, 14))
        hand = chance.sample([kind for kind in few for _ in range(4)], size)
        assert shanten(hand, seats) == slowly(hand, seats), hand


@looped("hand", [], ["1m"] * 3, ["1m"] * 5, ["1m", "2m"] * 8)
def test_a_hand_that_no_player_can_hold_has_no_distance(hand: list[str]) -> None:
    assert shanten(hand, 4) is None


def own(round_messages: list[dict[str, Any]], seats: int) -> Iterator[dict[str, Any]]:
    """Yield the values of each message, from hands, rivers and passed tiles that are counted here."""
    deal = round_messages[0]
    hands = [[*hand] for hand in deal["tehais"]]
    melds: list[list[str]] = [[] for _ in hands]
    sets, norths, drawn = [0] * seats, [0] * seats, 0
    markers, rivers, riichi = [deal["dora_marker"]], [set[str]() for _ in hands], [False] * seats
    passed = [set[str]() for _ in hands]
    declared = None
    for message in round_messages:
        kind, seat = message["type"].replace("kita", "nukidora"), message.get("actor")
        if kind == "dora":
            markers.append(message["dora_marker"])
        if kind == "reach":
            declared = seat
        if kind not in ("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "nukidora"):
            yield {}
            continue
        waiting = [*hands[seat]]
        if kind == "tsumo":
            hands[seat].append(message["pai"])
            drawn += 1
        else:
            taken = [message["pai"]] if kind in ("dahai", "kakan", "nukidora") else message["consumed"]
            for tile in taken:
                hands[seat].remove(tile)
            waiting = [*hands[seat]]
            if kind != "dahai":
                melds[seat] += [*taken, *([message["pai"]] if kind in ("chi", "pon", "daiminkan") else [])]
                sets[seat] += kind not in ("kakan", "nukidora")
                norths[seat] += kind == "nukidora"
        if kind == "dahai":
            rivers[seat].add(plain(message["pai"]))
            if declared == seat or not riichi[seat]:
                passed[seat].clear()
            riichi[seat] |= declared == seat
            declared = None
        if kind in ("dahai", "kakan", "nukidora"):
            for other in set(range(seats)) - {seat}:
                passed[other].add(plain(message["pai"]))
        row: dict[str, Any] = {"shanten": slowly(hands[seat], seats), "left": {3: 55, 4: 70}[seats] - drawn}
        held = [*hands[seat], *melds[seat]]
        doras = ["9m" if (mark, seats) == ("1m", 3) else DORA_OF[plain(mark)] for mark in markers]
        row["dora"] = sum(doras.count(plain(tile)) + tile.endswith("r") for tile in held) + norths[seat]
        if kind not in ("chi", "pon"):
            held = [plain(tile) for tile in [*waiting, *melds[seat]]]
            near = [tile for tile in TILE_KINDS if held.count(tile) < 4] if slowly(waiting) == 0 else []
            row["waits"] = [tile for tile in near if slowly([*waiting, tile]) == -1]
            if row["waits"]:
                row["furiten"] = not (rivers[seat] | passed[seat]).isdisjoint(row["waits"])
        yield row


def check(data: bytes, seats: int) -> None:
    rows = mjconv.to_arrow(hub.read_matches(find("mjai")[0], data, Report()), derive=ALL).to_pylist()
    rounds: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        if row["round"] is not None:
            rounds.setdefault(row["round"], []).append({key: row[key] for key in DERIVED if row[key] is not None})
    said: list[list[dict[str, Any]]] = []
    for message in messages(data):
        if message["type"] == "start_kyoku":
            said.append([])
        if said and len(said[-1]) < len(rounds[len(said) - 1]):
            said[-1].append(message)
    for number, one in enumerate(said):
        assert [*own(one, seats)] == rounds[number]


@pytest.mark.slow
@pytest.mark.parametrize("log", [*logs(4)[:3], *logs(3)[:2]], ids=str)
def test_values_are_those_that_plain_counting_gives(log: Log) -> None:
    check(log.data, log.seats)


@pytest.mark.slow
def test_batch_adds_the_columns_of_the_library(tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        words = ("--to", "parquet", "--tables", "events,rounds", "--derive", ALL, "--jobs", jobs, "-q")
        run(CORPUS / "tenhou", "-o", jobs, *words, folder=tmp_path)
    events = pq.read_table(tmp_path / "1" / "events.parquet")
    assert events.select([*DERIVED]).equals(mjconv.to_arrow(CORPUS / "tenhou", derive=ALL).select([*DERIVED]))
    assert events.schema.names == [*COLUMNS, *DERIVED]
    assert (tmp_path / "1" / "events.parquet").read_bytes() == (tmp_path / "2" / "events.parquet").read_bytes()


# The tables of games, seats and rounds: they have what the events state, counted here without columns.


def counted(one: Round, seat: int) -> dict[str, Any]:
    """Count what a player did in a round, with its points."""
    start = one.start
    assert start is not None
    acts = [event for event in one.events if getattr(event, "actor", None) == seat]
    turns, riichi, calls = 0, None, []
    for event in acts:
        if isinstance(event, ev.Discard):
            turns += 1
        if isinstance(event, ev.Riichi):
            riichi = turns + 1
        if isinstance(event, ev.Chi | ev.Pon | ev.Daiminkan):
            calls.append(turns + 1)
    wins = one.select(ev.Win)
    own = [win for win in wins if win.actor == seat]
    results = one.select(ev.Win, ev.Ryukyoku)
    paid = 1000 * sum(isinstance(event, ev.RiichiAccepted) for event in acts)
    delta = sum(result.deltas[seat] for result in results if result.deltas) - paid
    before = start.scores[seat] if start.scores else None
    after = results[-1].scores[seat] if results[-1].scores else None if before is None else before + delta
    return {
        "seat": seat,
        "bakaze": start.bakaze,
        "dealer": start.oya == seat,
        "points_before": before,
        "riichi_turn": riichi,
        "calls": len(calls),
        "first_call_turn": min(calls, default=None),
        "won": bool(own),
        "tsumo": own[0].target == seat if own else None,
        "value": own[0].deltas[seat] if own and not own[0].hora_points else own[0].hora_points if own else None,
        "dealt_in": any(win.target == seat != win.actor for win in wins),
        "delta": delta,
        "points_after": after,
    }


@pytest.mark.parametrize("log", [*logs(4), *logs(3)], ids=str)
def test_rounds_are_those_that_plain_counting_gives(log: Log) -> None:
    matches = [filled(match) for match in hub.read_matches(find("mjai")[0], log.data, Report())]
    rows = mjconv.to_arrow(matches, table="rounds").to_pylist()
    wanted = [
        {"game": game, "round": number, **counted(one, seat)}
        for game, match in enumerate(matches)
        for number, one in enumerate(match.rounds)
        if one.select(ev.Win, ev.Ryukyoku)
        for seat in range(match.seats)
    ]
    assert [{name: row[name] for name in (wanted or [{}])[0]} for row in rows] == wanted
    for one in range(0, len(rows), matches[0].seats):
        places = [row["place_before"] for row in rows[one : one + matches[0].seats]]
        assert None in places or sorted(places) == list(range(1, matches[0].seats + 1))


def test_games_and_seats_have_the_facts() -> None:
    path = CORPUS / "tenhou" / "hanchan.mjlog"
    facts = mjconv.facts(next(iter(mjconv.iter_records(path))))
    [game] = mjconv.to_arrow(path, table="games").to_pylist()
    known = [game[key] for key in ("room", "rounds", "rules", "format")]
    assert known == [facts.room, facts.rounds, "riichi", "tenhou"]
    seats = mjconv.to_arrow(path, table="seats").to_pylist()
    players = zip(facts.names or (), facts.ranks or (), facts.places or (), strict=True)
    assert [(row["name"], row["rank"], row["place"]) for row in seats] == list(players)


def test_the_page_lists_every_column_of_the_tables() -> None:
    page = (Path(__file__).parents[2] / "docs" / "questions.md").read_text("utf-8")
    for name, columns in TABLE_COLUMNS.items():
        section = page.split(f"### {name}\n")[1].split("###")[0]
        rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", section, re.MULTILINE)
        assert rows == [(key, column.meaning) for key, column in columns.items()]


@pytest.mark.slow
def test_batch_writes_a_folder_of_tables_and_of_splits(tmp_path: Path) -> None:
    words = (CORPUS / "tenhou", "--to", "parquet", "-q")
    run(*words, "-o", "whole", "--tables", "rounds,events", folder=tmp_path)
    run(*words, "-o", "split", "--tables", "games", "--split", "a=0.5,b=0.5", "--jobs", "2", folder=tmp_path)
    run(*words, "-o", "one.parquet", folder=tmp_path)
    assert {path.name for path in tmp_path.rglob("*.parquet")} == {
        "rounds.parquet", "events.parquet", "a-games.parquet", "b-games.parquet", "one.parquet",
    }  # fmt: skip
    events = pq.read_table(tmp_path / "whole" / "events.parquet")
    assert events.equals(pq.read_table(tmp_path / "one.parquet"))
    assert events.schema.names == list(COLUMNS)
    rounds = pq.read_table(tmp_path / "whole" / "rounds.parquet")
    assert rounds.schema.metadata[b"mjconv_tables"] == str(TABLE_VERSION).encode()
    assert rounds.equals(made_table(events, "rounds"))
    parts = [pq.read_table(tmp_path / "split" / f"{name}-games.parquet").num_rows for name in "ab"]
    assert sum(parts) == len(set(events["game"].to_pylist()))


def test_only_the_events_have_derived_columns() -> None:
    with pytest.raises(mjconv.UsageError, match="derive adds columns to the table events, not to games"):
        mjconv.to_arrow(mjconv.Match(), table="games", derive="left")
