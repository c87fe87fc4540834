"""``--where`` in batch and fleet: games that do not fit are skipped, counted, and no failure."""

from pathlib import Path

import pytest
from archives import game, laid_out, report_of, run, tree

import mjconv
from mjconv import fleet

THREE = b'{"type":"start_game","names":["A","B","C"]}\n{"type":"end_game"}\n'
FILES = {"four.mjson": game(1), "both.mjson": game(2) + THREE, "three.mjson": THREE, "note.txt": b"no record"}


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "logs", FILES)


def test_an_archive_of_mixed_games_ends_without_a_failure(logs: Path, tmp_path: Path) -> None:
    words = (str(logs), "-o", "out", "--to", "mjai", "--where")
    done = run(*words, "players = 4", "--check", "--verify", "--report", "report.json", folder=tmp_path)
    found = tree(tmp_path / "out")
    for name, number in (("four.mjson", 1), ("both.mjson", 2)):
        assert mjconv.read(found[name], format="mjai") == mjconv.read(game(number), format="mjai")
    assert "three.mjson" not in found
    assert "2 members skipped (1 left out by --where, 1 no record)" in done.stderr
    assert "2 matches left out by --where" in done.stderr
    report = report_of(tmp_path)
    assert (report["matches"], report["left_out"], report["failed"]) == (2, 2, 0)
    again = run(*words, "players = 3", "--resume", folder=tmp_path, status=2)
    assert "--where: use the same again" in again.stderr


def test_columns_and_fleets_keep_the_same_games(logs: Path, tmp_path: Path) -> None:
    made = fleet.plan(logs, tmp_path / "fleet", target="mjai", lines=True, where="players = 4")
    for shard in made.shards():
        fleet.convert_shard(shard)
    manifest = made.finish()
    counts = manifest.summary.counts
    assert (counts.matches, counts.left_out, manifest.summary.failed) == (2, 2, 0)
    assert (tmp_path / "fleet" / manifest.parts[0].path).read_bytes().count(b"start_game") == 2


def test_seats_write_the_streams_of_players(logs: Path, tmp_path: Path) -> None:
    words = (str(logs / "four.mjson"), "--to", "mjai", "--plain")
    for name, seat in (("one", "1"), ("all", "all")):
        run(*words, "-o", name, "--seat", seat, folder=tmp_path)
    whole = mjconv.read_all(tmp_path / "all" / "four.mjson")
    assert (len(whole), whole[1]) == (4, mjconv.read(tmp_path / "one" / "four.mjson"))
    for seat, match in enumerate(whole):
        start = match.rounds[0].start
        assert start is not None
        assert [hand == ("?",) * 13 for hand in start.tehais or ()] == [seat != other for other in range(4)]
