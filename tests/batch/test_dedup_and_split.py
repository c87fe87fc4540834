"""``--where``, ``--dedup``, ``--split``: games that fit, each once, in a folder or file that its play decides."""

import json
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from archives import failures, game, laid_out, report_of, run, tarred, tree, working_here, zstd
from msgspec import structs

import mjconv
from mjconv import fleet
from mjconv.archive.play import play_digest
from mjconv.archive.split import split_of
from mjconv.batch.journal import Journal, JournalEntry, JournalHead
from mjconv.batch.paths import FINISHED
from mjconv.batch.plan import plan_of
from mjconv.batch.run import Run
from mjconv.batch.summary import Summary
from mjconv.ir import events as ev
from mjconv.options import ConvertOptions

SPLIT = "train=0.5,val=0.25,test=0.25"
BOTH = ("--dedup", "--split", SPLIT)
#: Outputs, with the words of the command beside ``-o``.
SHAPES = {
    "folder": ("--to", "mjai"),
    "out.zip": ("--to", "mjai"),
    "out.tar.gz": ("--to", "jmjp"),
    "lines": ("--to", "mjai", "--shards", "2"),
    "tables": ("--to", "parquet"),
}

#: 12 games in 20 matches: doubles in another format, in one file, and in files with other games.
FILES = {
    "0-alone.mjson": game(0),
    "1-double.jmjp": mjconv.convert(game(0), source="mjai", target="jmjp").data,
    "2-several.mjson": b"".join(map(game, (1, 2, 1, 3, 4))),
    "3-some-new.mjson": b"".join(map(game, (4, 5, 6, 2, 7))),
    "4-none-new.mjson": b"".join(map(game, (7, 6))),
    "5-bad.mjson": game(8) + b"{",
    "6-good.mjson": game(8),
    "7-last.mjson": b"".join(map(game, (9, 10, 11, 0, 10))),
}
DUPLICATES = 8


def digest(number: int) -> str:
    return play_digest(mjconv.read(game(number), format="mjai"))


def split(number: int) -> str:
    return split_of(digest(number), SPLIT)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    laid_out(tmp_path / "logs", FILES)
    (tmp_path / "logs.tar.zst").write_bytes(zstd(tarred(FILES)))
    return tmp_path


def matches(data: bytes) -> list[str]:
    return [play_digest(match) for match in mjconv.read_all(data, format="mjai")]


def test_the_first_of_several_records_of_a_play_is_kept(logs: Path) -> None:
    done = run("logs", "-o", "out", "--to", "mjai", "--dedup", "--report", "r.json", folder=logs, status=1)
    assert {name: matches(data) for name, data in tree(logs / "out").items() if name.endswith(".mjson")} == {
        "0-alone.mjson": [digest(0)],
        "2-several.mjson": [digest(number) for number in (1, 2, 3, 4)],
        "3-some-new.mjson": [digest(number) for number in (5, 6, 7)],
        # A member that failed has written nothing.
        "6-good.mjson": [digest(8)],
        "7-last.mjson": [digest(number) for number in (9, 10, 11)],
    }
    assert f"{DUPLICATES} matches left out by --dedup" in done.stderr
    assert "2 members skipped (2 duplicate)" in done.stderr
    report = json.loads((logs / "r.json").read_bytes())
    assert [report[key] for key in ("members", "converted", "failed", "skipped")] == [8, 5, 1, 2]
    assert (report["matches"], report["duplicates"], report["skips"]) == (12, DUPLICATES, {"duplicate": 2})


def poorer(number: int) -> dict[str, bytes]:
    """Return a stream of one seat, a record without names, and one whose names hide the players."""
    whole = game(number)
    bare = structs.replace(mjconv.read(whole, format="mjai"), players=[])
    hidden = json.loads(mjconv.write_bytes(bare, "tenhou-json"))
    hidden["name"] = ["Aさん", "Bさん", "Cさん", "Dさん"]
    return {
        "stream": mjconv.convert(whole, source="mjai", target="mjai", seat=1).data,
        "bare": mjconv.write_bytes(bare, "mjai"),
        "hidden": json.dumps(hidden).encode(),
    }


def first_names(folder: Path) -> dict[str, list[str]]:
    """Return the name of the first player of each match, by file."""
    found = {name: mjconv.read_all(data) for name, data in tree(folder).items() if name.endswith(".mjson")}
    return {
        name: [match.players[0].name.shown if match.players else "" for match in matches]
        for name, matches in found.items()
    }


@pytest.mark.parametrize("order", [("stream", "bare", "hidden", "whole"), ("whole", "hidden", "stream", "bare")])
def test_of_several_records_the_one_that_states_most_is_kept(order: tuple[str, ...], tmp_path: Path) -> None:
    files = {**poorer(0), "whole": game(0)}
    names = {name: f"{place}-{name}.{'json' if name == 'hidden' else 'mjson'}" for place, name in enumerate(order)}
    laid_out(tmp_path / "logs", {names[name]: files[name] for name in order} | {"other.mjson": game(1)})
    for jobs in ("1", "2"):
        done = run("logs", "-o", f"out{jobs}", "--to", "mjai", "--dedup", "--jobs", jobs, folder=tmp_path)
        assert first_names(tmp_path / f"out{jobs}") == {names["whole"]: ["東0"], "other.mjson": ["東1"]}
        assert "3 matches left out by --dedup" in done.stderr


def test_a_member_keeps_the_best_of_its_own_matches_and_of_those_of_others(tmp_path: Path) -> None:
    bare = [poorer(number)["bare"] for number in range(4)]
    several = [bare[0], bare[1], game(2), game(0), bare[3]]
    laid_out(tmp_path / "logs", {"0.mjson": b"".join(several), "1.mjson": game(1) + bare[2]})
    words = ("--to", "mjai", "--dedup", "--check", "--verify", "--report", "r.json")
    done = run("logs", "-o", "out", *words, folder=tmp_path)
    assert first_names(tmp_path / "out") == {"0.mjson": ["東2", "東0", ""], "1.mjson": ["東1"]}
    assert "verified: 4 matches read again" in done.stderr
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert (report["matches"], report["duplicates"], report["converted"]) == (4, 3, 2)


def test_a_record_that_fails_hides_no_poorer_one(tmp_path: Path) -> None:
    """The referee refuses the record that states more."""
    better = structs.replace(mjconv.read(game(0), format="mjai"), room="jade", id="x")
    start = better.rounds[0].events[0]
    assert isinstance(start, ev.StartRound)
    better.rounds[0].events[0] = structs.replace(start, kyotaku=7)
    laid_out(tmp_path / "logs", {"0.mjson": game(0), "1.mjson": mjconv.write_bytes(better, "mjai")})
    for words, kept, status in (((), "1.mjson", 0), (("--check",), "0.mjson", 1)):
        run("logs", "-o", "out", "--to", "mjai", "--dedup", *words, "-q", folder=tmp_path, status=status)
        assert list(first_names(tmp_path / "out")) == [kept]
        shutil.rmtree(tmp_path / "out")


def test_a_split_is_a_folder_that_the_play_decides(logs: Path) -> None:
    done = run("logs", "-o", "out", "--to", "mjai", *BOTH, "--report", "r.json", folder=logs, status=1)
    found = {name: matches(data) for name, data in tree(logs / "out").items() if name.endswith(".mjson")}
    assert sorted(play for plays in found.values() for play in plays) == sorted(map(digest, range(12)))
    assert all(name.split("/")[0] == split_of(play, SPLIT) for name, plays in found.items() for play in plays)
    report = json.loads((logs / "r.json").read_bytes())
    assert report["splits"] == {name: [*map(split, range(12))].count(name) for name in report["splits"]}
    assert set(report["splits"]) == {"train", "val", "test"}
    assert (report["members"], report["converted"], report["matches"]) == (8, 5, 12)
    assert f"matches by split: {report['splits']['test']} test, " in done.stderr
    # The manifest states the split and the play of each output.
    entries = [json.loads(line) for line in (logs / "out" / FINISHED).read_bytes().splitlines()[1:]]
    assert {entry["output"]: entry["plays"] for entry in entries if "output" in entry} == found


def test_more_files_move_no_match(logs: Path) -> None:
    run("logs", "-o", "before", "--to", "mjai", *BOTH, "-q", folder=logs, status=1)
    laid_out(logs / "logs", {f"more-{number}.mjson": game(number) for number in range(12, 20)})
    run("logs", "-o", "after", "--to", "mjai", *BOTH, "-q", folder=logs, status=1)
    before, after = tree(logs / "before"), tree(logs / "after")
    assert before.items() <= after.items()
    assert len(after) >= len(before) + 8


@pytest.mark.parametrize("shape", SHAPES)
def test_any_number_of_workers_writes_the_same_bytes(shape: str, logs: Path) -> None:
    outputs = []
    for jobs in ("1", "2"):
        folder = logs / jobs
        folder.mkdir()
        words = ("../logs", "../logs.tar.zst", "-o", shape, *SHAPES[shape], *BOTH, "-q", "--jobs", jobs)
        run(*words, folder=folder, status=1)
        outputs.append(tree(folder))
    assert outputs[0] == outputs[1]


def test_files_of_lines_and_tables_are_by_split(logs: Path) -> None:
    import pyarrow.parquet as pq

    for shape in ("lines", "tables"):
        run("logs", "-o", shape, *SHAPES[shape], *BOTH, "-q", folder=logs, status=1)
    for name in ("train", "val", "test"):
        expected = {digest(number) for number in range(12) if split(number) == name}
        parts = [(logs / "lines" / f"{name}-0000{number}-of-00002.jsonl") for number in range(2)]
        assert {play for part in parts if part.exists() for play in matches(part.read_bytes())} == expected
        table = pq.read_table(logs / "tables" / f"{name}.parquet")
        assert sorted(set(table.column("game").to_pylist())) == list(range(len(expected)))
    assert {line.split()[1] for line in (logs / "tables" / "SHA256SUMS").read_text().splitlines()} == {
        *("MANIFEST", "failures.jsonl", "train.parquet", "val.parquet", "test.parquet")
    }


@pytest.mark.parametrize("shape", SHAPES)
def test_a_run_that_is_interrupted_after_any_member_is_continued(shape: str, logs: Path) -> None:
    whole = logs / "whole"
    whole.mkdir()
    words = (str(logs / "logs"), "-o", shape, *SHAPES[shape], *BOTH, "-q")
    run(*words, folder=whole, status=1)
    # The eight members are converted first, then written.
    for last in (1, 8, 12):
        folder = logs / str(last)
        folder.mkdir()
        _interrupted(logs / "logs", folder, shape, last)
        run(*words, "--resume", folder=folder, status=1)
        assert tree(folder) == tree(whole)


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-5], lambda data: data[:-5] + b"12345", lambda data: data * 0]
)
def test_outcomes_damaged_by_a_power_failure_are_made_again(damage: Callable[[bytes], bytes], logs: Path) -> None:
    words = (str(logs / "logs"), "-o", "folder", *SHAPES["folder"], *BOTH, "-q")
    run(*words, folder=logs, status=1)
    (logs / "again").mkdir()
    _interrupted(logs / "logs", logs / "again", "folder", 5)
    [path] = (logs / "again").rglob("outcomes")
    path.write_bytes(damage(path.read_bytes()))
    run(*words, "--resume", folder=logs / "again", status=1)
    assert tree(logs / "again" / "folder") == tree(logs / "folder")


@pytest.mark.parametrize(("last", "refused"), [(5, False), (10, True)])
def test_a_new_file_is_refused_when_writing_has_begun(last: int, refused: bool, logs: Path) -> None:
    _interrupted(logs / "logs", logs, "folder", last)
    laid_out(logs / "logs", {"9-new.mjson": game(13)})
    words = (str(logs / "logs"), "-o", "folder", *SHAPES["folder"], *BOTH, "-q", "--resume")
    assert ("9-new.mjson is new" in run(*words, folder=logs, status=2 if refused else 1).stderr) == refused


def _interrupted(source: Path, folder: Path, shape: str, last: int) -> None:
    """Run in this process, as the command does, and stop after a number of members, converted or written."""
    options = ConvertOptions.of(target=SHAPES[shape][1], dedup=True, split=SPLIT)
    number = int(SHAPES[shape][3]) if "--shards" in SHAPES[shape] else 0
    begun = Run(plan_of([str(source)], shape, options, shards=number), str(folder / shape))
    inputs = begun.survey([str(source)])
    begun.prepare(inputs)

    seen = count(1)

    def stop(_: Summary) -> None:
        if next(seen) == last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), working_here():
        begun.execute([str(source)], 2, stop, inputs=inputs)


def listed(journal: Journal, *entries: JournalEntry) -> None:
    for entry in entries:
        journal.add(entry)
    journal.write()


def test_a_member_whose_last_entry_is_not_written_is_done_again(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    journal.create(JournalHead("0", plan_of(["logs"], "out", ConvertOptions.of(target="mjai", split=SPLIT))))
    first = JournalEntry("a", "", output="x")
    listed(journal, first, JournalEntry("b", "", output="train/y", more=True))
    journal.close()
    assert list(journal.entries()) == [first]
    second = [JournalEntry("b", "", output="train/y", more=True), JournalEntry("b", "", output="val/y")]
    listed(journal, *second)
    assert list(journal.entries()) == [first, *second]
    journal.close()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_damaged_output_is_written_again(shape: str, logs: Path) -> None:
    words = ("logs", "-o", shape, *SHAPES[shape], *BOTH)
    run(*words, "-q", folder=logs, status=1)
    whole = tree(logs / shape)
    if (logs / shape).is_dir():
        for path in (logs / shape).rglob("*.*"):
            if path.suffix in (".mjson", ".jsonl", ".parquet"):
                path.unlink()
    else:
        (logs / shape).write_bytes(b"?")
    assert "damaged or gone, written again" in run(*words, "--resume", folder=logs, status=1).stderr
    assert tree(logs / shape) == whole


def test_matches_that_do_not_fit_hide_no_later_record(logs: Path) -> None:
    words = ("--to", "mjai", "--dedup", "--where", "format = 'jmjp'")
    run("logs/0-alone.mjson", "logs/1-double.jmjp", "-o", "out", *words, "-q", folder=logs)
    assert [name for name in tree(logs / "out") if "." in name] == ["1-double.mjson"]


def test_all_other_options_go_with_them(logs: Path) -> None:
    words = ("logs/2-several.mjson", "logs/3-some-new.mjson", "--to", "mjai", *BOTH)
    done = run(*words, "-o", "out", "--verify", "--check", "--where", "players = 4", folder=logs)
    assert "verified: 7 matches read again" in done.stderr
    run(*words, "-o", "seat", "--seat", "1", "-q", folder=logs)
    assert len({frozenset(name.rpartition("/")[0] for name in tree(logs / one)) for one in ("seat", "out")}) == 1
    # The streams of the seats of one game are records of one play.
    run("logs/0-alone.mjson", "-o", "seats", "--to", "mjai", "--seat", "all", "-q", folder=logs)
    run("seats", "logs/1-double.jmjp", "-o", "one", "--to", "mjai", "--dedup", "-q", folder=logs)
    assert sum(len(matches(data)) for name, data in tree(logs / "one").items() if name.endswith("mjson")) == 1


def test_a_bad_member_is_kept_once(logs: Path) -> None:
    run("logs", "-o", "out", "--to", "mjai", *BOTH, "--keep-bad", "bad", "-q", folder=logs, status=1)
    assert tree(logs / "bad") == {"5-bad.mjson": FILES["5-bad.mjson"]}
    [failure] = failures(logs / "out" / "failures.jsonl")
    assert (failure["member"], failure["kept"]) == ("logs/5-bad.mjson", "5-bad.mjson")


def test_a_seat_that_nobody_has_is_a_failure_of_its_own_kind(logs: Path) -> None:
    run("logs/0-alone.mjson", "-o", "out", "--to", "mjai", "--seat", "nobody", "-q", folder=logs, status=1)
    [failure] = failures(logs / "out" / "failures.jsonl")
    assert failure["kind"] == "seat"


# ``--where`` in batch and fleet: games that do not fit are skipped, counted, and no failure.

THREE = b'{"type":"start_game","names":["A","B","C"]}\n{"type":"end_game"}\n'
MIXED = {"four.mjson": game(1), "both.mjson": game(2) + THREE, "three.mjson": THREE, "note.txt": b"no record"}


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "logs", MIXED)


def test_an_archive_of_mixed_games_ends_without_a_failure(mixed: Path, tmp_path: Path) -> None:
    words = (str(mixed), "-o", "out", "--to", "mjai", "--where")
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


def test_columns_and_fleets_keep_the_same_games(mixed: Path, tmp_path: Path) -> None:
    made = fleet.plan(mixed, tmp_path / "fleet", target="mjai", lines=True, where="players = 4")
    for shard in made.shards():
        fleet.convert_shard(shard)
    manifest = made.finish()
    counts = manifest.summary.counts
    assert (counts.matches, counts.left_out, manifest.summary.failed) == (2, 2, 0)
    assert (tmp_path / "fleet" / manifest.parts[0].path).read_bytes().count(b"start_game") == 2


def test_seats_write_the_streams_of_players(mixed: Path, tmp_path: Path) -> None:
    words = (str(mixed / "four.mjson"), "--to", "mjai", "--plain")
    for name, seat in (("one", "1"), ("all", "all")):
        run(*words, "-o", name, "--seat", seat, folder=tmp_path)
    whole = mjconv.read_all(tmp_path / "all" / "four.mjson")
    assert (len(whole), whole[1]) == (4, mjconv.read(tmp_path / "one" / "four.mjson"))
    for seat, match in enumerate(whole):
        start = match.rounds[0].start
        assert start is not None
        assert [hand == ("?",) * 13 for hand in start.tehais or ()] == [seat != other for other in range(4)]
