"""`mjconv stats`: its numbers are those that plain loops count, from records and from Parquet."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import mjconv
from archive.counted_by_hand import count
from corpus_files import CORPUS, SAMPLE
from engine import play
from mjconv.archive.facts import Facts, facts_of
from mjconv.archive.where import Where
from mjconv.columns import to_arrow
from mjconv.command.options import STATS_BY
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Name, Player, Round, Text
from mjconv.rules.rulesets import ruleset_of
from mjconv.score.stats import GROUPS, By, Stats, complete_games

FOLDERS = ("grammar", "majsoul", "majiang", "mjx", "riichicity", "sample", "tenhou", "hk", "botzone")
REAL = os.environ.get("MJCONV_REAL_LOGS")


def games(*folders: str | Path) -> list[Match]:
    return list(mjconv.iter_matches(folders, errors=lambda _: None, wall=False))


@pytest.fixture(scope="module")
def corpus() -> list[Match]:
    played = [mjconv.read(play(seed, players=players), format="mjai") for seed in range(3) for players in (3, 4)]
    return [*games(*(CORPUS / folder for folder in FOLDERS)), *played]


def by_hand(matches: list[Match], by: str | None = None) -> dict[tuple[Any, str], dict[str, Any]]:
    riichi = [(match, facts_of(match)) for match in matches if ruleset_of(match).id == "riichi" and match.rounds]
    return count([(match, facts) for match, facts in riichi if facts.players in (3, 4)], by)


def rows(stats: Stats) -> list[dict[str, Any]]:
    grid = stats.grid()
    return [dict(zip(grid.columns, row, strict=True)) for row in grid.rows]


def compare(matches: list[Match], by: By | None = None) -> None:
    stats = Stats(by)
    # In several tables, as a command adds them.
    for half in (matches[::2], matches[1::2]):
        stats.add(to_arrow(half))
    expected = by_hand(matches, by)
    found = {(row.get(by or ""), row["player"]): row for row in rows(stats)}
    assert found.keys() == expected.keys()
    for key, row in found.items():
        values = {name: value for name, value in row.items() if name not in ("player", by)}
        assert values == {name: expected[key].get(name) for name in values}, key


@pytest.mark.parametrize("by", [None, *GROUPS])
def test_the_corpus_as_counted_by_hand(corpus: list[Match], by: By | None) -> None:
    compare(corpus, by)


def test_the_corpus_has_what_is_counted(corpus: list[Match]) -> None:
    sums = by_hand(corpus)
    assert len(sums) > 10
    for column in ("win_rate", "deal_in_rate", "riichi_rate", "call_rate", "tsumo_rate", "tenpai_rate"):
        assert any(0 < (row.get(column) or 0) < 1 for row in sums.values()), column
    assert any(match.seats == 3 for match in corpus)


@pytest.mark.skipif(REAL is None, reason="MJCONV_REAL_LOGS names no folder")
@pytest.mark.parametrize("by", [None, "month", "room", "rank", "team"])
def test_real_logs_as_counted_by_hand(by: By | None) -> None:
    compare(games(str(REAL)), by)


def test_the_groups_of_the_command_are_those_of_the_library() -> None:
    assert STATS_BY == GROUPS


def played(*events: ev.Event) -> list[dict[str, Any]]:
    deal = ev.StartRound(bakaze="E", kyoku=1, honba=0, kyotaku=1, oya=0, dora_marker="1m")
    players, stats = [Player(name=Name(last=Text(native=name))) for name in "ABCD"], Stats()
    stats.add(to_arrow(Match(players=players, rounds=[Round([deal, *events, ev.EndRound()])])))
    return sorted(rows(stats), key=lambda row: str(row["player"]))


def test_a_double_ron_is_one_deal_in_with_the_sum_of_both_hands() -> None:
    a, b, c, d = played(
        ev.Discard(0, "5p"),
        ev.Win(1, 0, hora_points=2000, deltas=(-2300, 3300, 0, 0)),
        ev.Win(2, 0, hora_points=8000, deltas=(-8000, 0, 8000, 0)),
    )
    assert (a["deal_in_rate"], a["average_deal_in"]) == (1, 10_000)
    assert (b["average_win"], c["average_win"], d["average_win"]) == (2000, 8000, None)
    assert (b["win_rate"], b["tsumo_rate"], d["deal_in_rate"]) == (1, 0, 0)


def test_a_win_without_a_value_counts_the_points_that_moved() -> None:
    a, b, *_ = played(ev.Discard(0, "5p"), ev.Win(1, 0, deltas=(-2300, 3300, 0, 0)))
    assert (a["average_deal_in"], b["average_win"]) == (2300, 3300)


def test_only_the_earlier_riichi_is_the_first() -> None:
    earlier = (ev.Riichi(0), ev.Discard(0, "5p"))
    a, b, *_ = played(*earlier, ev.Riichi(1), ev.Discard(1, "5p"), ev.Win(0, 1, deltas=(1, -1, 0, 0)))
    assert (a["first_riichi_share"], b["first_riichi_share"], b["riichi_turn"]) == (1, 0, 1)


def test_concealed_kans_are_no_calls_and_abortive_draws_no_draws() -> None:
    a, b, c, _ = played(
        ev.Ankan(0, ("1m",) * 4),
        ev.Pon(1, 0, "2m", ("2m", "2m")),
        ev.Kakan(1, "2m", ("2m",) * 3),
        ev.Daiminkan(2, 0, "3m", ("3m",) * 3),
        ev.Ryukyoku(reason="four_kans"),
    )
    assert [row["call_rate"] for row in (a, b, c)] == [0, 1, 1]
    assert (a["draw_rate"], a["tenpai_rate"], a["rounds"]) == (0, None, 1)


def test_who_received_points_at_a_draw_was_tenpai() -> None:
    a, b, *_ = played(ev.Ryukyoku(reason="Fanpai", deltas=(3000, -1000, -1000, -1000)))
    assert (a["draw_rate"], a["tenpai_rate"], b["tenpai_rate"]) == (1, 1, 0)
    # If no points move, nobody or everybody was tenpai. Nagashi mangan is paid for no tenpai.
    for reason, deltas in (("fanpai", (0, 0, 0, 0)), ("nagashimangan", (3000, -1000, -1000, -1000))):
        a, *_ = played(ev.Ryukyoku(reason=reason, deltas=deltas))
        assert (a["draw_rate"], a["tenpai_rate"]) == (1, None)


def test_a_round_without_a_result_is_not_counted() -> None:
    a, *_ = played(ev.Riichi(0), ev.Discard(0, "5p"))
    assert (a["games"], a["rounds"], a["riichi_rate"]) == (1, 0, None)


def test_other_games_are_left_out_and_counted() -> None:
    stats = Stats()
    stats.add(to_arrow(games(CORPUS / "hk", CORPUS / "botzone", SAMPLE)))
    assert stats.others == stats.matches - 1 > 0
    assert [row["games"] for row in rows(stats)] == [1] * 4


def test_where_keeps_matches(corpus: list[Match]) -> None:
    stats = Stats(where=(where := Where("players = 3")))
    stats.add(to_arrow(corpus))
    three = [match for match in corpus if match.seats == 3]
    expected = {player: row["games"] for (_, player), row in by_hand(three).items()}
    assert {row["player"]: row["games"] for row in rows(stats)} == expected
    # Matches without an event have no row.
    assert where.left_out == stats.matches - len([match for match in three if match.opening or match.rounds])


def test_facts_of_columns_are_the_facts_of_records(corpus: list[Match]) -> None:
    kept: list[Facts] = []
    where = Where("players > 0")
    where.test = lambda facts: not kept.append(facts)
    Stats(where=where).add(to_arrow(corpus))
    expected = [(facts.names, facts.date) for facts in map(facts_of, corpus)]
    assert [(facts.names, facts.date) for facts in kept] == expected


@pytest.mark.parametrize(
    ("size", "count"), [pytest.param(1, 3, marks=pytest.mark.slow), (7, 6), (1000, 6), (10**6, 6)]
)
def test_games_divided_between_row_groups_are_joined(corpus: list[Match], size: int, count: int) -> None:
    table = to_arrow(sorted(corpus[:6], key=lambda match: sum(len(one.events) for one in match.rounds))[:count])
    parts = (table.slice(at, size) for at in range(0, table.num_rows, size))
    joined = [part for part in complete_games(parts) if part.num_rows]
    numbers = [set(part["game"].to_pylist()) for part in joined]
    assert sum(map(len, numbers)) == len(set.union(*numbers)) == len(set(table["game"].to_pylist()))
    assert pa.concat_tables(joined).num_rows == table.num_rows
