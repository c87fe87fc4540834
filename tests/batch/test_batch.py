"""`mjconv batch`: archives in, archives out; every member is converted, skipped or listed as a failure."""

import gzip
import json
import re
import stat
import subprocess
import sys
import tarfile
import zipfile
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import pytest
from archives import (
    broken,
    failures,
    files_of,
    game,
    games,
    laid_out,
    own_run,
    report_of,
    run,
    run_apart,
    tarred,
    tree,
    unwatched,
    zipped,
    zstd,
)
from test_kills import frail

import mjconv
from mjconv.batch import ordered_results
from mjconv.batch.paths import FINISHED
from mjconv.batch.plan import plan_of
from mjconv.batch.run import Run
from mjconv.batch.worker_pool import WorkerPool
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.converters.interface import WriteOptions
from mjconv.options import ConvertOptions

Files = dict[str, bytes]


def converted(files: Files, target: str = "jmjp") -> Files:
    """Convert each of the files by itself; return the results under the new names."""
    ending = f".{target}"
    return {
        str(Path(name).with_suffix(ending)): mjconv.convert(data, source="mjai", target=target).data
        for name, data in files.items()
    }


class TestOutput:
    """Every game equals its single conversion, for each kind of input and output."""

    LOGS = games(12)

    @pytest.fixture(
        params=[
            *("folder", "tar.gz"),
            *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("gzipped", "zip", "tar", "tar.zst")),
        ]
    )
    def source(self, request: pytest.FixtureRequest, tmp_path: Path) -> str:
        """Return the name of the input. It does not show the kind, as in published archives."""
        kind = request.param
        pack = {"gzipped": gzip.compress, "tar.gz": gzip.compress, "tar.zst": zstd}.get(kind, bytes)
        if kind in ("folder", "gzipped"):
            laid_out(tmp_path / "logs", {name: pack(data) for name, data in self.LOGS.items()})
            return "logs"
        laid_out(tmp_path, {"logs.bin": zipped(self.LOGS) if kind == "zip" else pack(tarred(self.LOGS))})
        return "logs.bin"

    def test_a_folder(self, source: str, tmp_path: Path) -> None:
        run(source, "-o", "out", "--to", "jmjp", "--jobs", "2", "-q", folder=tmp_path)
        assert files_of(tmp_path / "out") == converted(self.LOGS)

    def test_a_zip(self, source: str, tmp_path: Path) -> None:
        run(source, "-o", "out.zip", "--to", "uzje", "--jobs", "2", "-q", folder=tmp_path)
        with zipfile.ZipFile(tmp_path / "out.zip") as archive:
            assert archive.testzip() is None
            found = {name: archive.read(name) for name in archive.namelist()}
        assert found == converted(self.LOGS, "uzje")

    @pytest.mark.slow
    @pytest.mark.parametrize("ending", [".tar", ".tar.gz", ".tgz"])
    def test_a_tar(self, source: str, tmp_path: Path, ending: str) -> None:
        run(source, "-o", f"out{ending}", "--to", "jmjp", "--jobs", "2", "-q", folder=tmp_path)
        with tarfile.open(tmp_path / f"out{ending}") as archive:
            found = {about.name: archive.extractfile(about).read() for about in archive}  # type: ignore[union-attr]
        assert found == converted(self.LOGS)

    def test_shards_of_a_game_a_line(self, source: str, tmp_path: Path) -> None:
        run(source, "-o", "out", "--to", "mjai", "--shards", "5", "--jobs", "2", "-q", folder=tmp_path)
        found = files_of(tmp_path / "out")
        assert sorted(found) == [f"matches-{number:05}-of-00005.jsonl" for number in range(5)]
        lines = [data.splitlines(keepends=True) for _, data in sorted(found.items())]
        assert [len(shard) for shard in lines] == [3, 3, 2, 2, 2]
        dealt = [lines[number % 5][number // 5] for number in range(12)]
        order = list(mjconv.iter_matches(tmp_path / source))
        assert [mjconv.convert(line, target="jmjp").data for line in dealt] == [
            hub.written(find("jmjp")[0], [match], mjconv.Report(), WriteOptions()) for match in order
        ]


class TestManyWorkers:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("output", "target"),
        [
            *((output, "jmjp") for output in ("out", "out.zip", "out.tar.zst")),
            *((f"{target}.parquet", target) for target in ("parquet", "decisions")),
            ("out.zip", "kanachan"),
        ],
    )
    def test_the_output_does_not_depend_on_their_number(self, tmp_path: Path, output: str, target: str) -> None:
        # Features of training take long.
        number = 60 if target in ("jmjp", "parquet") else 24
        trees = []
        # Three processes, and this one.
        for jobs, start in (("3", run_apart), ("1", run)):
            folder = laid_out(tmp_path, {f"{jobs}/logs.zip": zipped({**games(number), **broken()})}) / jobs
            start("logs.zip", "-o", output, "--to", target, "--jobs", jobs, "-q", folder=folder, status=1)
            trees.append(tree(folder))
        assert trees[0] == trees[1]

    @pytest.mark.slow
    def test_memory_does_not_grow_with_the_archive(self, tmp_path: Path) -> None:
        log = b'{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
        script = (
            "from mjconv.command.cli import main\n"
            "try: main()\n"
            "except SystemExit: print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])\n"
        )
        most = []
        for count in (500, 10_000):
            laid_out(tmp_path, {"logs.zip": zipped({f"{number}.mjson": log for number in range(count)})})
            words = ("batch", "logs.zip", "-o", f"{count}.zip", "--to", "jmjp", "--jobs", "2", "-q")
            done = subprocess.run([sys.executable, "-P", "-c", script, *words], cwd=tmp_path, capture_output=True)
            with zipfile.ZipFile(tmp_path / f"{count}.zip") as archive:
                assert len(archive.namelist()) == count
            most.append(int(done.stdout))
        # In KiB: the names alone would take as much.
        assert most[1] - most[0] < 1500

    def test_the_number_in_progress_is_bounded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The members, bytes and outcomes in memory do not grow with the archive."""
        most, submit = [0, 0], ordered_results.OrderedResults._submit_chunk

        def watched(self: ordered_results.OrderedResults, members: Any) -> bool:
            more = submit(self, members)
            most[:] = max(most[0], len(self.slots)), max(most[1], self.size)
            return more

        monkeypatch.setattr(ordered_results.OrderedResults, "_submit_chunk", watched)
        monkeypatch.setattr(ordered_results, "_WINDOW_BYTES", 400_000)
        (tmp_path / "logs.tar.zst").write_bytes(zstd(tarred(games(400))))
        own = own_run(tmp_path)
        own.prepare()
        assert own.execute([str(tmp_path / "logs.tar.zst")], 2, unwatched).converted == 400
        slots, size = most
        assert slots <= 2 * ordered_results._WINDOW + ordered_results._CHUNK
        # A chunk starts even if there is room for only a part of it.
        assert size <= 400_000 + ordered_results._CHUNK * max(map(len, games(8).values()))


#: The kinds of failures of the broken members.
KINDS = {**dict.fromkeys(broken(), "input"), "bad/illegal.mjson": "play", "bad/bomb.mjson": "limit"}


class TestBrokenMembers:
    GOOD = games(171)

    @pytest.mark.parametrize("archive", ["zip", "tar.zst"])
    def test_each_is_named_once_and_all_others_are_converted(self, tmp_path: Path, archive: str) -> None:
        files = dict(sorted({**self.GOOD, **broken()}.items(), key=lambda item: item[0][-8:]))
        laid_out(tmp_path, {f"logs.{archive}": zipped(files) if archive == "zip" else zstd(tarred(files))})
        words = ("-o", "out", "--to", "jmjp", "--jobs", "2", "-q", "--keep-bad", "bad")
        run(f"logs.{archive}", *words, folder=tmp_path, status=1)
        listed = failures(tmp_path / "out" / "failures.jsonl")
        kinds = {failure["member"].removeprefix(f"logs.{archive}/"): failure["kind"] for failure in listed}
        assert (kinds, len(listed)) == (KINDS, len(KINDS))
        assert all(failure["error"] for failure in listed)
        found = files_of(tmp_path / "out")
        del found["failures.jsonl"]
        assert found == converted(self.GOOD)
        kept = {failure["member"].partition("/")[2]: failure["kept"] for failure in listed}
        assert {name: (tmp_path / "bad" / path).read_bytes() for name, path in kept.items()} == broken()
        assert {path.name for path in tmp_path.iterdir()} == {f"logs.{archive}", "out", "bad"}

    def test_a_failure_has_its_place_in_the_member(self, tmp_path: Path) -> None:
        laid_out(tmp_path / "logs", {"a.mjson": game(0) + b'{"type":"reach","actor":"first"}\n'})
        run("logs", "-o", "out", "--to", "jmjp", "-q", folder=tmp_path, status=1)
        [failure] = failures(tmp_path / "out" / "failures.jsonl")
        place = failure["member"], failure["line"], failure["text"]
        assert place == ("logs/a.mjson", game(0).count(b"\n") + 1, '{"type":"reach","actor":"first"}')
        assert failure["column"]

    def test_the_lists_of_a_run_have_escapes_for_characters_that_a_terminal_acts_on(self, tmp_path: Path) -> None:
        hostile = "\x9b2J\u202e\x7f\u200b.mjson"
        (tmp_path / "logs.zip").write_bytes(zipped({hostile: b"{", f"good{hostile}": game(0)}))
        words = ("-o", "out", "--to", "jmjp", "-q", "--report", "-")
        done = run(f"logs{hostile}", *words, folder=laid_out(tmp_path, {f"logs{hostile}": b"{"}), status=1)
        assert json.loads(done.stdout)["inputs"] == [f"logs{hostile}"]
        run("logs.zip", *words, "--force", folder=tmp_path, status=1)
        out = tmp_path / "out"
        lists = {name: (out / name).read_bytes() for name in ("failures.jsonl", "renamed.jsonl", FINISHED)}
        assert json.loads(lists["failures.jsonl"])["member"] == f"logs.zip/{hostile}"
        for data in (done.stdout.encode(), *lists.values()):
            assert not any(char in data.decode() for char in "\x9b\u202e\x7f\u200b")

    def test_files_that_are_no_records_are_skipped_and_counted(self, tmp_path: Path) -> None:
        files = {**games(3), "README.txt": b"Logs of the year.", "picture.png": b"\x89PNG", ".hidden": b"{"}
        (tmp_path / "logs.zip").write_bytes(zipped(files))
        run("logs.zip", "-o", "out", "--to", "jmjp", "-q", "--report", "report.json", folder=tmp_path)
        report = report_of(tmp_path)
        assert (report["converted"], report["skips"]) == (3, {"no record": 2})
        assert files_of(tmp_path / "out") == converted(games(3))

    def test_an_incomplete_archive_gives_its_complete_members(self, tmp_path: Path) -> None:
        whole = tarred(games(6))
        laid_out(tmp_path, {"cut.tar": whole[: len(whole) // 2], "cut.zip": zipped(games(6))[:-100]})
        words = ("-o", "out", "--to", "jmjp", "-q", "--keep-bad", "bad")
        run("cut.tar", "cut.zip", *words, folder=tmp_path, status=1)
        listed = failures(tmp_path / "out" / "failures.jsonl")
        assert [failure["member"].partition("/")[0] for failure in listed] == ["cut.tar", "cut.zip"]
        assert re.fullmatch(r"is a tar archive that ends in the middle of ./000.\.mjson", listed[0]["error"])
        assert listed[1]["error"] == "is a broken zip archive (its directory is missing: the file ends too early)"
        assert [failure["kept"] for failure in listed] == ["cut.tar", "cut.zip"]
        for name in ("cut.tar", "cut.zip"):
            assert (tmp_path / "bad" / name).read_bytes() == (tmp_path / name).read_bytes()
        found = files_of(tmp_path / "out" / "cut")
        assert 1 < len(found) < 6
        assert found.items() <= converted(games(6)).items()

    def test_strict_refuses_members_that_would_lose(self, tmp_path: Path) -> None:
        laid_out(tmp_path / "logs", games(2))
        run("logs", "-o", "out", "--to", "hk", "--plain", "--strict", "-q", folder=tmp_path, status=3)
        assert {failure["kind"] for failure in failures(tmp_path / "out" / "failures.jsonl")} == {"loss"}

    def test_check_runs_the_referee_first(self, tmp_path: Path) -> None:
        wrong = game(1).replace(b'"deltas":[', b'"deltas":[100,', 1)
        laid_out(tmp_path, {"logs/right.mjson": game(2), "more/wrong.mjson": wrong})
        run("logs", "-o", "out", "--to", "jmjp", "-q", "--check", folder=tmp_path)
        run("more", "-o", "less", "--to", "jmjp", "-q", "--check", folder=tmp_path, status=1)


class TestFailingWorkers:
    def test_a_member_that_kills_workers_affects_no_other(self, tmp_path: Path) -> None:
        summary, listed = self.with_frail_workers(tmp_path, "deadly", seconds=300)
        assert summary.failures == {"died": 1}
        error = {"kind": "died", "error": "the process that read it died twice (signal 9)"}
        assert listed == [{"member": f"{tmp_path}/logs/0/deadly.mjson", **error, "kept": "0/deadly.mjson"}]
        assert (tmp_path / "bad" / "0" / "deadly.mjson").read_bytes() == game(1000)

    @pytest.mark.slow
    def test_a_member_that_takes_too_long_affects_no_other(self, tmp_path: Path) -> None:
        summary, [failure] = self.with_frail_workers(tmp_path, "endless", seconds=5)
        assert (summary.failures, failure["error"]) == ({"time": 1}, "took more than 5 seconds")

    def with_frail_workers(self, folder: Path, name: str, seconds: float) -> tuple[Any, list[dict[str, Any]]]:
        laid_out(folder / "logs", {**games(30), f"0/{name}.mjson": game(1000)})
        (folder / "marks").mkdir()
        names = [str(folder / "logs")]
        out, bad = str(folder / "out"), str(folder / "bad")
        own = Run(plan_of(names, out, ConvertOptions(target="jmjp"), keep_bad=bad), out, bad)
        own.prepare()
        pool = partial(WorkerPool, command=frail(folder / "marks", 1), seconds=seconds)
        with patch("mjconv.batch.run.WorkerPool", pool):
            summary = own.execute(names, 2, unwatched)
        found = files_of(folder / "out")
        del found["failures.jsonl"]
        assert found == converted(games(30))
        return summary, failures(folder / "out" / "failures.jsonl")

    @pytest.mark.parametrize("command", ["false", "./no such program", "true"])
    def test_workers_that_cannot_start_end_the_run(self, tmp_path: Path, command: str) -> None:
        laid_out(tmp_path / "logs", games(3))
        own = own_run(tmp_path)
        own.prepare()
        pool = patch("mjconv.batch.run.WorkerPool", partial(WorkerPool, command=[command]))
        with pool, pytest.raises(mjconv.MjconvError, match="the worker processes cannot be"):
            own.execute([str(tmp_path / "logs")], 2, unwatched)


class TestNames:
    def test_names_that_lead_elsewhere_are_made_safe(self, tmp_path: Path) -> None:
        written = {
            "../up.mjson": "_/up.jmjp",
            "/root.mjson": "root.jmjp",
            "C:\\drive.mjson": "C_/drive.jmjp",
            "a/../../b.mjson": "a/_/_/b.jmjp",
            "nul.mjson": "_nul.jmjp",
            "line\nbreak.mjson": "line_break.jmjp",
            "trailing. /a.mjson": "trailing__/a.jmjp",
            "x" * 300 + ".mjson": None,
        }
        (tmp_path / "logs.tar").write_bytes(tarred(dict.fromkeys(written, game(0))))
        run("logs.tar", "-o", "in/out", "--to", "jmjp", "-q", folder=laid_out(tmp_path, {"in/x": b""}))
        found = files_of(tmp_path / "in" / "out")
        listed = {line["member"]: line["output"] for line in failures(tmp_path / "in" / "out" / "renamed.jsonl")}
        assert {member.partition("/")[2] for member in listed} == set(written)
        for member, output in listed.items():
            assert found[output] == converted({"a.mjson": game(0)})["a.jmjp"]
            assert written[member.partition("/")[2]] in (output, None)
        assert set(found) == {*listed.values(), "renamed.jsonl"}
        assert {path.name for path in tmp_path.iterdir()} == {"logs.tar", "in"}
        assert {path.name for path in (tmp_path / "in").iterdir()} == {"x", "out"}

    def test_names_that_would_be_one_are_numbered(self, tmp_path: Path) -> None:
        names = {"a.mjson": "a", "a.jsonl": "a~2", "A.mjson": "A~3", "a.jmjp/b.mjson": "a~4.jmjp/b"}
        logs = {name: game(number) for number, name in enumerate(names)}
        laid_out(tmp_path, {"logs.zip": zipped(logs)})
        run("logs.zip", "-o", "out", "--to", "jmjp", "-q", folder=tmp_path)
        found = files_of(tmp_path / "out")
        del found["renamed.jsonl"]
        assert found == converted({f"{names[name]}.mjson": log for name, log in logs.items()})

    def test_links_are_not_followed_out(self, tmp_path: Path) -> None:
        laid_out(tmp_path, {"secret/game.mjson": game(1), "logs/real.mjson": game(2)})
        (tmp_path / "logs" / "out.mjson").symlink_to(tmp_path / "secret" / "game.mjson")
        (tmp_path / "logs" / "in.mjson").symlink_to("real.mjson")
        (tmp_path / "logs" / "folder").symlink_to(tmp_path / "secret", target_is_directory=True)
        run("logs", "-o", "out", "--to", "jmjp", "-q", "--report", "report.json", folder=tmp_path)
        assert set(files_of(tmp_path / "out")) == {"real.jmjp", "in.jmjp"}
        assert report_of(tmp_path)["skips"] == {"link": 1}

    def test_nothing_is_written_through_a_link_in_the_output(self, tmp_path: Path) -> None:
        files = {"logs/a/1.mjson": game(1), "logs/b/2.mjson": game(2), "elsewhere/x": b"", "out/y": b""}
        (laid_out(tmp_path, files) / "out" / "a").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
        run("logs", "-o", "out", "--to", "jmjp", "-q", "--force", folder=tmp_path, status=1)
        assert set(files_of(tmp_path / "elsewhere")) == {"x"}
        [failure] = failures(tmp_path / "out" / "failures.jsonl")
        assert (failure["member"], failure["kind"]) == ("logs/a/1.mjson", "name")
        assert (tmp_path / "out" / "b" / "2.jmjp").exists()

    def test_an_archive_that_is_replaced_keeps_its_permissions(self, tmp_path: Path) -> None:
        laid_out(tmp_path, {"logs/a.mjson": game(1), "out.zip": b""})
        (tmp_path / "out.zip").chmod(0o600)
        own = own_run(tmp_path, "out.zip")
        own.prepare(force=True)
        assert stat.S_IMODE(Path(own.paths.work).stat().st_mode) == 0o700
        own.unlock()
        run("logs", "-o", "out.zip", "--to", "jmjp", "-q", "--resume", folder=tmp_path)
        assert zipfile.is_zipfile(tmp_path / "out.zip")
        assert stat.S_IMODE((tmp_path / "out.zip").stat().st_mode) == 0o600

    def test_several_sources_have_a_folder_each(self, tmp_path: Path) -> None:
        files = {"one/a.mjson": game(1), "two.mjson": game(2), "four/five.zip": zipped({"a.mjson": game(4)})}
        laid_out(tmp_path, {**files, "three.tar.gz": gzip.compress(tarred({"a.mjson": game(3)}))})
        run("one", "two.mjson", "three.*", "four", "-o", "out", "--to", "jmjp", "-q", folder=tmp_path)
        assert set(files_of(tmp_path / "out")) == {"one/a.jmjp", "two.jmjp", "three/a.jmjp", "four/five/a.jmjp"}


class TestResume:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Start a run, and interrupt it before its first member."""
        laid_out(tmp_path / "logs", games(4))
        own = own_run(tmp_path)
        own.prepare()
        own.unlock()
        return tmp_path

    def test_resume_starts_a_run_that_was_never_started(self, folder: Path) -> None:
        run("logs", "-o", "out", "--to", "jmjp", "--resume", "-q", folder=folder)
        assert files_of(folder / "out") == converted(games(4))

    def test_an_unfinished_run_is_not_overwritten(self, folder: Path) -> None:
        done = run("logs", "-o", "out", "--to", "jmjp", folder=folder, status=1)
        assert "Holds an unfinished run: --resume continues it, --force starts again" in done.stderr
        run("logs", "-o", "out", "--to", "uzje", "--force", "-q", folder=folder)
        assert files_of(folder / "out") == converted(games(4), "uzje")

    @pytest.mark.parametrize(
        ("words", "differs"),
        [
            (["logs", "--to", "uzje"], "--to"),
            (["logs", "--to", "jmjp", "--plain"], "--plain"),
            (["logs/0", "--to", "jmjp"], "IN"),
            (["logs", "--to", "jmjp", "--limit", "rounds=9"], "--limit"),
            (["logs", "--to", "jmjp", "--encoding", "utf-16"], "--encoding"),
            (["logs", "--to", "jmjp", "--split", "a=1"], "--split"),
            (["logs", "--to", "jmjp", "--dedup"], "--dedup"),
        ],
    )
    def test_resume_refuses_other_options(self, folder: Path, words: list[str], differs: str) -> None:
        done = run(*words, "-o", "out", "--resume", folder=folder, status=2)
        assert f"the run was started with other values of {differs}: use" in done.stderr

    def test_resume_refuses_changed_inputs(self, folder: Path) -> None:
        journal = folder / "out" / ".mjconv-batch" / "journal.jsonl"
        run("logs", "-o", "out", "--to", "jmjp", "--resume", "-q", folder=folder)
        own = own_run(folder)
        own.prepare(force=True)
        own.unlock()
        with journal.open("a") as lines:
            lines.write('{"member":"logs/0/0000.mjson","stamp":"1-1","output":"0/0000.jmjp"}\n')
        done = run("logs", "-o", "out", "--to", "jmjp", "--resume", folder=folder, status=2)
        assert "the inputs changed since the run was started" in done.stderr

    @pytest.mark.parametrize("line", [0, 1])
    def test_resume_refuses_a_damaged_journal(self, folder: Path, line: int) -> None:
        journal = folder / "out" / ".mjconv-batch" / "journal.jsonl"
        lines = [*journal.read_bytes().splitlines(keepends=True), b'{"member":"logs/0/0000.mjson","stamp":""}\n']
        lines[line] = b"{" + lines[line]
        journal.write_bytes(b"".join(lines))
        done = run("logs", "-o", "out", "--to", "jmjp", "--resume", folder=folder, status=2)
        assert "is damaged, or of another version of mjconv" in done.stderr
        run("logs", "-o", "out", "--to", "jmjp", "--force", "-q", folder=folder)
        assert files_of(folder / "out") == converted(games(4))

    def test_existing_output_is_not_overwritten(self, tmp_path: Path) -> None:
        laid_out(tmp_path, {"logs/a.mjson": game(1), "out/mine": b"mine", "out.zip": b"mine", "bad/mine": b"mine"})
        for words in (["-o", "out"], ["-o", "out.zip"], ["-o", "new", "--keep-bad", "bad"]):
            before = tree(tmp_path)
            run("logs", *words, "--to", "jmjp", folder=tmp_path, status=1)
            run("logs", *words, "--to", "jmjp", "--resume", folder=tmp_path, status=1)
            assert tree(tmp_path) == before
        run("logs", "-o", "out.zip", "--to", "jmjp", "-q", "--force", folder=tmp_path)
        assert zipfile.is_zipfile(tmp_path / "out.zip")

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            ("logs -o logs --to jmjp", "logs"),
            ("- -o out --to jmjp", "standard input"),
            ("logs -o out --to jmjp --shards 2", "--shards needs a format with one match per line"),
            ("logs -o out.zip --to mjai --shards 2", "--shards"),
            ("logs -o out --to mjai --shards none", "--shards"),
            ("logs -o out --to jmjp --jobs -1", "--jobs"),
            ("logs -o out --to jmjp --keep-bad out/bad", "the folder of --keep-bad must be outside the output"),
            ("logs -o out --to jmjp --report out/report.json", "the file of --report must be outside the output"),
            ("logs -o out --to jmjp --house kiriage", "--house needs --check"),
            ("logs -o out --to nothing", "unknown format 'nothing'"),
            # Columns need their target and their ending.
            ("logs -o out --to parquet", "parquet"),
            ("logs -o out.parquet --to jmjp", "parquet"),
            ("logs -o out.parquet --to parquet --shards 2", "parquet"),
            ("logs -o out --to decisions", "columns need --to decisions and also an output"),
            ("logs -o out.parquet --to kanachan", "columns need --to parquet"),
            ("logs -o out.parquet --to decisions --verify", "cannot verify: decisions is written only"),
            ("logs -o out --to kanachan --shards 3", "--shards needs a format with one match per line"),
            ("logs -o out --to kanachan --kanachan room=9", "--kanachan takes room=0..4"),
            ("logs -o out --to mjai --kanachan room=1", "--kanachan needs --to kanachan"),
            # Folders by facts, and endings of names.
            ("logs -o out --to parquet --partition-by mont", "did you mean 'month'"),
            ("logs -o out --to mjai --partition-by month", "--partition-by needs --to parquet"),
            ("logs -o out.parquet --to parquet --derive wait", "did you mean 'waits'"),
            ("logs -o out --to mjai --derive waits", "--derive needs --to parquet"),
            ("logs -o out --to parquet --tables rounds --derive waits", "its table events"),
            ("logs -o out --to parquet --tables round", "did you mean 'rounds'"),
            ("logs -o out --to mjai --tables rounds", "--tables needs --to parquet"),
            ("logs -o out.parquet --to parquet --tables rounds", "write a folder"),
            ("logs -o out.parquet --to parquet --partition-by month", "write a folder"),
            ("logs -o out --to mjai --extension json.gz", "such as .json.gz"),
            ("logs -o out --to mjai --extension ./../x", "such as .json.gz"),
            ("logs -o out --to mjai --shards 2 --extension .json.gz", "--shards and columns write others"),
            # Splits, facts and seats.
            ("logs -o out --to mjai --split train=0.9", "the fractions add up to 0.9; they must add up to 1"),
            ("logs -o out.parquet --to parquet --split a=1", "'out.parquet' is the name of a file"),
            ("logs -o out.zip --to parquet --split a=1", "'out.zip' is the name of a file"),
            ("logs -o out --to mjai --where player=4", "there is no fact 'player', did you mean 'players'?"),
            ("logs -o out --to jmjp --seat 0", "--seat needs a target that holds in-game streams"),
            ("logs -o out --to mjai --answers", "--answers needs --seat"),
            ("logs -o out --to mjai --plain --seat all --verify", "--verify compares whole matches"),
        ],
    )
    def test_wrong_usage_writes_nothing(self, tmp_path: Path, words: str, reason: str) -> None:
        laid_out(tmp_path / "logs", games(1))
        assert reason in run(*words.split(), folder=tmp_path, status=2).stderr
        assert {path.name for path in tmp_path.iterdir()} == {"logs"}

    def test_a_missing_source(self, tmp_path: Path) -> None:
        run("missing", "-o", "out", "--to", "jmjp", folder=tmp_path, status=1)
        run("*.zip", "-o", "out", "--to", "jmjp", folder=tmp_path, status=1)
        assert not list(tmp_path.iterdir())


@pytest.mark.slow
class TestResumeOfACompleteRun:
    FILES: ClassVar[Files] = {**games(3), "bad.mjson": b"{"}

    @pytest.fixture(params=["out", "out.zip", "out.tar.gz"])
    def output(self, request: pytest.FixtureRequest, tmp_path: Path) -> str:
        """Run to the end, with a member that fails."""
        laid_out(tmp_path / "logs", self.FILES)
        output: str = request.param
        run("logs", "-o", output, "--to", "jmjp", "-q", "--resume", folder=tmp_path, status=1)
        return output

    def test_it_is_donewith_the_same_status(self, output: str, tmp_path: Path) -> None:
        # The lock of the run is in the folder for a moment.
        before = {path: path.is_dir() or path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        done = run("logs", "-o", output, "--to", "jmjp", "--resume", folder=tmp_path, status=1)
        listed = "out/failures.jsonl" if output == "out" else f"{output}.failures.jsonl"
        assert done.stderr == (
            f"mjconv: {output} is already complete\nmjconv: 1 member failed (1 input): see {listed}\n"
        )
        assert {path: path.is_dir() or path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before

    def test_its_report_can_be_written_again(self, output: str, tmp_path: Path) -> None:
        words = ("logs", "-o", output, "--to", "jmjp", "--resume", "-q", "--report", "report.json")
        run(*words, folder=tmp_path, status=1)
        report = report_of(tmp_path)
        assert (report["members"], report["converted"], report["failures"]) == (4, 3, {"input": 1})

    @pytest.mark.parametrize("change", ["added", "changed", "removed"])
    def test_other_inputs_are_refused(self, output: str, tmp_path: Path, change: str) -> None:
        path = tmp_path / "logs" / ("new.mjson" if change == "added" else "0/0000.mjson")
        if change == "removed":
            path.unlink()
        else:
            path.write_bytes(game(9))
        done = run("logs", "-o", output, "--to", "jmjp", "--resume", folder=tmp_path, status=2)
        assert "the inputs changed since the run was finished; --force starts again" in done.stderr
        run("logs", "-o", output, "--to", "jmjp", "--force", "-q", folder=tmp_path, status=1)
        run("logs", "-o", output, "--to", "jmjp", "--resume", "-q", folder=tmp_path, status=1)


class TestSummary:
    def test_the_summary(self, tmp_path: Path) -> None:
        (tmp_path / "logs.zip").write_bytes(zipped({**games(5), "notes.txt": b"notes", "bad.mjson": b"{"}))
        done = run("logs.zip", "-o", "out", "--to", "jmjp", "--report", "report.json", folder=tmp_path, status=1)
        report = report_of(tmp_path)
        assert [report[key] for key in ("members", "converted", "failed", "skipped")] == [7, 5, 1, 1]
        assert (report["matches"], report["rounds"], report["failures"]) == (5, 5, {"input": 1})
        assert 0 < report["messages"] <= sum(data.count(b"\n") for data in games(5).values())
        assert {loss["fate"] for loss in report["losses"]} <= {"carried", "dropped", "assumed", "approximated"}
        assert "mjconv: 1 member failed (1 input): see out/failures.jsonl\n" in done.stderr
        assert "mjconv: 1 member skipped (1 no record)\n" in done.stderr
        assert "mjconv: 5 members converted: 5 matches, 5 rounds, " in done.stderr

    def test_the_lists_of_another_run_are_no_records(self, tmp_path: Path) -> None:
        laid_out(tmp_path / "logs", {**games(1), "bad.mjson": b"{"})
        run("logs", "-o", "out", "--to", "mjai", "-q", folder=tmp_path, status=1)
        done = run("out", "-o", "again", "--to", "jmjp", folder=tmp_path)
        assert "mjconv: 3 members skipped (3 no record)\n" in done.stderr

    def test_the_report_replaces_no_input(self, tmp_path: Path) -> None:
        laid_out(tmp_path, games(1))
        for name in ("0", "0/0000.mjson"):
            done = run(name, "-o", "out", "--to", "jmjp", "--report", "0/0000.mjson", folder=tmp_path, status=2)
            assert "0/0000.mjson is both an input and the output: name another output" in done.stderr
            assert files_of(tmp_path / "0") == {"0000.mjson": game(0)}

    def test_a_run_is_continued_or_started_again(self, tmp_path: Path) -> None:
        laid_out(tmp_path / "logs", games(1))
        done = run("logs", "-o", "out", "--to", "jmjp", "--resume", "--force", folder=tmp_path, status=2)
        assert "--resume continues a run, and --force starts it again: leave one of them out" in done.stderr

    def test_a_report_in_an_input_folder_is_no_input(self, tmp_path: Path) -> None:
        laid_out(tmp_path / "logs", games(1))
        words = ("logs", "-o", "out", "--to", "jmjp", "-q", "--report", "logs/report.json")
        for more in ((), ("--resume",), ("--force",)):
            run(*words, *more, folder=tmp_path)
        assert json.loads((tmp_path / "logs" / "report.json").read_text())["members"] == 1

    def test_quiet_counts_failures_alone_in_a_line(self, tmp_path: Path) -> None:
        laid_out(tmp_path, {"right/a.mjson": game(1), "logs/bad.mjson": b"{", "logs/worse.mjson": b"{"})
        done = run("right", "-o", "good", "--to", "jmjp", "-q", folder=tmp_path)
        assert (done.stdout, done.stderr) == ("", "")
        done = run("logs", "-o", "out", "--to", "jmjp", "-q", folder=tmp_path, status=1)
        assert (done.stdout, done.stderr) == ("", "mjconv: 2 members failed (2 input): see out/failures.jsonl\n")
