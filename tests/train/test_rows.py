"""Decisions as columns: rows, the layout in the metadata, and the outcomes of rounds and games."""

import json
from collections import Counter
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from replays import readings, rounds

import mjconv
from engine import play
from logs import lines, messages
from looped import looped
from mjconv import schemas
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Round
from mjconv.train.features import features_of, legal_of, pack_features
from mjconv.train.layout import KEY, columns_for, layout_for, schema_for
from mjconv.train.outcomes import RESULTS, end_of_match, outcome_of
from mjconv.train.rows import decision_batches
from moments_made import deal

GAMES = {4: partial(play, 21), 3: partial(play, 22, players=3)}
each_size = pytest.mark.parametrize("players", GAMES)


def table_of(data: bytes, players: int, report: Report | None = None, rows: int = 1 << 11) -> pa.Table:
    batches = decision_batches(readings(data), players, report or Report(), source="game", rows=rows)
    return pa.Table.from_batches(list(batches), schema_for(players))


@each_size
def test_a_row_is_a_decision_with_the_engines_own_numbers(players: int) -> None:
    table = table_of(GAMES[players](), players)
    answers = [
        (each.round, number, one) for each in rounds(GAMES[players]()) for number, one in enumerate(each.answers)
    ]
    assert table.num_rows == len(answers)
    features, legal = features_of(table), legal_of(table)
    assert (features.shape[1:], features.dtype) == (layout_for(players).shape, np.float32)
    for place, (row, (game_round, number, one)) in enumerate(zip(table.to_pylist(), answers, strict=True)):
        assert (row["source"], row["match"], row["round"], row["decision"]) == ("game", 0, game_round, number)
        assert (row["seat"], row["action"]) == (one.seat, one.taken.encode())
        assert legal[place].tobytes() == one.observation.mask()
        assert legal[place, row["action"]]
        assert features[place].tobytes() == one.observation.encode()


@each_size
def test_the_message_of_an_action_is_mjai_in_the_standard_dialect(players: int) -> None:
    valid = schemas.validator("accepted/message")
    kinds: Counter[str] = Counter()
    for row in table_of(GAMES[players](), players).to_pylist():
        message = json.loads(row["taken"])
        assert valid.is_valid(message)
        assert message.get("actor", row["seat"]) == row["seat"]
        assert set(message) <= {"type", "actor", "target", "pai", "consumed", "tsumogiri"}
        kinds[message["type"]] += 1
    assert kinds["dahai"] > kinds["none"] > kinds["pon"] > 0
    assert "kita" not in kinds
    assert players == 4 or kinds["nukidora"]


@each_size
def test_the_layout_is_in_the_metadata_with_a_name_for_every_action(players: int) -> None:
    table = table_of(GAMES[players](), players)
    layout = json.loads(table.schema.metadata[KEY])
    assert layout == json.loads(json.dumps(layout_for(players)._asdict()))
    assert layout["engine"].startswith("riichienv 0.")
    legal = legal_of(table)
    assert legal.shape[1] == len(layout["actions"])
    # Every legal action has a name.
    assert all(np.array(layout["actions"])[legal.any(axis=0)])
    for row in table.to_pylist():
        message = json.loads(row["taken"])
        first, _, tile = layout["actions"][row["action"]].partition(" ")
        assert (first == "kan" and message["type"] in ("daiminkan", "ankan", "kakan")) or first == message["type"]
        if first == "dahai":
            assert tile == message["pai"].removesuffix("r")
        if first == "chi":
            ranks = sorted(int(own[0]) for own in message["consumed"])
            rank = int(message["pai"][0])
            assert tile == ("low" if rank < ranks[0] else "high" if rank > ranks[1] else "middle")


def test_arrays_are_those_of_the_chosen_rows() -> None:
    table = table_of(GAMES[4](), 4)
    rows = table.slice(7, 30)
    chunks = pa.concat_tables([rows.slice(0, 11), rows.slice(11)])
    for part in (rows, chunks, *rows.combine_chunks().to_batches()):
        assert (features_of(part) == features_of(table)[7:37]).all()
        assert (legal_of(part) == legal_of(table)[7:37]).all()
    assert features_of(table.schema.empty_table()).shape == (0, 74, 34)


@looped(("plane", "values"), (0, (1, 0.5)), (0, (np.nan, 0)), (63, (0.1, 0.25)))
def test_features_that_the_columns_would_change_are_refused(plane: int, values: tuple[float, float]) -> None:
    features = np.zeros((1, 74, 34), np.float32)
    features[0, plane, :2] = values
    with pytest.raises(mjconv.UnsupportedError, match="exactly"):
        pack_features(features, layout_for(4))


@looped(("metadata", "found"), ({KEY: '{"version": 2}'}, "version 2"), ({}, "no version"))
def test_other_versions_of_the_columns_are_refused(metadata: dict[bytes, str], found: str) -> None:
    other = table_of(GAMES[4](), 4).replace_schema_metadata(metadata)
    with pytest.raises(mjconv.UnsupportedError, match=f"{found} of the columns, and this mjconv reads version 3"):
        features_of(other)


def test_batches_hold_whole_rounds() -> None:
    batches = list(decision_batches(readings(GAMES[4]()), 4, Report(), rows=100))
    assert len(batches) > 3
    ends = [(batch.column("round")[0].as_py(), batch.column("round")[-1].as_py()) for batch in batches]
    assert all(last < first for (_, last), (first, _) in pairwise(ends))
    assert sum(batch.num_rows for batch in batches) == table_of(GAMES[4](), 4).num_rows


@each_size
def test_results_points_and_places_are_those_of_the_record(players: int) -> None:
    [reading] = readings(GAMES[players]())
    match = reading.match
    starts = [each.start for each in match.rounds]
    scores = [start.scores for start in starts if start and start.scores]
    last = outcome_of(match.rounds[-1], players)
    assert last is not None
    assert last.scores is not None
    moved = {
        number: [after - before for before, after in zip(one, other, strict=True)]
        for number, (one, other) in enumerate(zip(scores, [*scores[1:], last.scores], strict=True))
    }
    final = sorted(range(players), key=lambda seat: (-last.scores[seat], seat))
    for row in table_of(GAMES[players](), players).to_pylist():
        assert row["delta"] == moved[row["round"]][row["seat"]]
        assert row["place"] == final.index(row["seat"]) + 1
        assert row["result"] in RESULTS
        won = row["result"] in ("tsumo", "ron")
        assert won == (row["seat"] in {win.actor for win in match.rounds[row["round"]].select(ev.Win)})


def test_a_game_that_breaks_off_has_no_places_and_its_last_round_no_result() -> None:
    log = messages(GAMES[4]())
    deals = [place for place, message in enumerate(log) if message["type"] == "start_kyoku"]
    rows = table_of(lines(log[: deals[2] + 20]), 4).to_pylist()
    assert {row["place"] for row in rows} == {None}
    assert {row["round"]: row["result"] is None for row in rows} == {0: False, 1: False, 2: True}
    assert {row["delta"] is None for row in rows if row["round"] == 2} == {True}


def test_a_round_that_the_engine_refuses_is_a_loss_with_its_place() -> None:
    log = messages(GAMES[4]())
    place = next(place for place, message in enumerate(log) if message["type"] == "dahai")
    log[place] |= {"pai": "5sr", "tsumogiri": False}
    report = Report()
    assert 0 not in table_of(lines(log), 4, report).column("round").to_pylist()
    [loss] = report.losses
    assert (loss.what, loss.fate) == ("match.rounds", "dropped")
    assert (loss.match, loss.round, loss.event) == (0, 0, place - 1)
    [warning] = report.warnings
    assert (warning.line, warning.match, warning.round) == (place + 1, 0, 0)
    assert "the engine does not allow this" in warning.message


def test_a_game_of_another_size_is_refused() -> None:
    with pytest.raises(mjconv.UnsupportedError, match="match 1 has 3 players, and these columns are for"):
        table_of(GAMES[3](), 4)


def test_every_column_has_a_description() -> None:
    for players in GAMES:
        schema = schema_for(players)
        assert schema.names == list(columns_for(players))
        assert all(field.metadata[b"description"] for field in schema)


READY, FAR = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 2s 3s", "1p 4p 7p 2s 5s 8s E S W N P F C"
DEAL = deal(READY, FAR, FAR, FAR, dora_marker="1s")
NOBODY = ["noten", "noten", "noten"]
PAID = ["paid tsumo", "paid tsumo", "tsumo", "paid tsumo"]


def exhaustive(**values: Any) -> ev.Ryukyoku:
    return ev.Ryukyoku("exhaustive_draw", **values)


@looped(
    ("draw", "results"),
    (exhaustive(tenpais=(True, False, True, False)), ["tenpai", "noten"] * 2),
    (exhaustive(deltas=(-1000, 3000, -1000, -1000)), ["noten", "tenpai", "noten", "noten"]),
    (exhaustive(deltas=(0, 0, 0, 0)), ["tenpai", *NOBODY]),
    (ev.Ryukyoku("kyushukyuhai", actor=0, deltas=(0, 0, 0, 0)), ["abortive draw"] * 4),
    (ev.Ryukyoku("nagashimangan", deltas=(-4000, -2000, 8000, -2000)), PAID),
    (ev.Ryukyoku("chombo", actor=1), None),
)
def test_the_outcome_of_a_draw(draw: ev.Ryukyoku, results: list[str] | None) -> None:
    outcome = outcome_of(Round([DEAL, draw, ev.EndRound()]), 4)
    assert results == (None if outcome is None else [outcome.result(seat) for seat in range(4)])


def test_of_several_wins_the_own_one_counts() -> None:
    outcome = outcome_of(Round([DEAL, ev.Win(1, 0), ev.Win(3, 0), ev.EndRound()]), 4)
    assert outcome
    assert [outcome.result(seat) for seat in range(4)] == ["dealt in", "ron", "bystander", "ron"]


def test_equal_points_are_placed_by_seat() -> None:
    ending = end_of_match(mjconv.Match(closing=[ev.EndGame(scores=(20000, 30000, 30000, 20000))]), [])
    assert ending
    assert ending.places == (3, 1, 2, 4)
