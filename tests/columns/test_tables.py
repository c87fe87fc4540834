"""The tables of games, seats and rounds: they have what the events state, counted here without columns."""

import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import mjconv
from batch.archives import run
from corpus_files import CORPUS
from logs import Log, logs
from mjconv.columns.schema import COLUMNS, TABLE_COLUMNS, TABLE_VERSION
from mjconv.columns.tables import made_table
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.converters.shared.filled import filled
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Round


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
