"""``--where`` in batch and fleet: games that do not fit are skipped, counted, and no failure."""

import json
from pathlib import Path

import pytest
from archives import game, laid_out, run, tree

import mjconv
from mjconv import fleet

THREE = b'{"type":"start_game","names":["A","B","C"]}\n{"type":"end_game"}\n'
FILES = {"four.mjson": game(1), "both.mjson": game(2) + THREE, "three.mjson": THREE, "note.txt": b"no record"}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "logs", FILES)


def test_an_archive_of_mixed_games_ends_without_a_failure(logs: Path, tmp_path: Path) -> None:
    assert logs.is_dir()
    done = run(
        *("logs", "-o", "out", "--to", "mjai", "--where", "players = 4", "--check", "--verify"),
        *("--report", "report.json"),
        folder=tmp_path,
    )
    found = tree(tmp_path / "out")
    for name, number in (("four.mjson", 1), ("both.mjson", 2)):
        assert mjconv.read(found[name], format="mjai") == mjconv.read(game(number), format="mjai")
    assert "three.mjson" not in found
    assert "2 members skipped (1 left out by --where, 1 no record)" in done.stderr
    assert "2 matches left out by --where" in done.stderr
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert (report["matches"], report["left_out"], report["failed"]) == (2, 2, 0)
    again = run(
        *("logs", "-o", "out", "--to", "mjai", "--where", "players = 3", "--resume"), folder=tmp_path, status=2
    )
    assert "--where: use the same again" in again.stderr


def test_columns_and_fleets_keep_the_same_games(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = fleet.plan(logs, "fleet", target="mjai", lines=True, where="players = 4")
    for shard in made.shards():
        fleet.convert_shard(shard)
    manifest = made.finish()
    assert (manifest.summary.counts.matches, manifest.summary.counts.left_out, manifest.summary.failed) == (
        2,
        2,
        0,
    )
    assert (tmp_path / "fleet" / manifest.parts[0].path).read_bytes().count(b"start_game") == 2


def test_seats_write_the_streams_of_players(logs: Path, tmp_path: Path) -> None:
    assert logs.is_dir()
    words = ("logs/four.mjson", "--to", "mjai", "--plain")
    run(*words, "-o", "one", "--seat", "1", folder=tmp_path)
    run(*words, "-o", "all", "--seat", "all", folder=tmp_path)
    whole = mjconv.read_all(tmp_path / "all" / "four.mjson")
    assert len(whole) == 4
    assert whole[1] == mjconv.read(tmp_path / "one" / "four.mjson")
    for seat, match in enumerate(whole):
        start = match.rounds[0].start
        assert start is not None
        assert [hand == ("?",) * 13 for hand in start.tehais or ()] == [seat != other for other in range(4)]
