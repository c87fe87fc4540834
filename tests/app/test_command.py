"""The command: `mjconv IN... -o OUT`, `split`, `merge`, options, exit statuses, errors."""

import gzip
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from given import BAD_INPUT, BROKEN, DONE, GAME, ROUND, WOULD_LOSE, Outcome, Run, put_files

from corpus_files import CORPUS
from looped import looped
from mjconv import read_all
from mjconv.files import reading, writing
from mjconv.files.compression import BY_NAME

DAY = {"day.mjson": GAME + ROUND + GAME}
ONE = {"in.mjson": GAME}
HK = "A B C D\n1 - - -\n"
LINES = "".join(f"{json.dumps(json.loads(line), separators=(',', ':'))}," for line in GAME.splitlines())

#: The files before a command, its words, and files that it writes. The name `-` is that of standard output.
CONVERSIONS = [
    # The names decide the formats. Where a name is ambiguous, the contents do.
    (ONE, "in.mjson -o out.tally", {"out.tally": "tally\nA\n"}),
    (ONE, "-o out.mjson in.mjson", {"out.mjson": GAME}),
    ({"in.txt": GAME, "in": ROUND}, "in.txt in -o out.mjson", {"out.mjson": GAME + ROUND}),
    ({"in.txt": HK}, "in.txt -o out.txt", {"out.txt": HK}),
    # --from and --to count more than the names.
    ({"in.mjson": "tally\nA\n"}, "in.mjson -o x.mjson --from tally --to tally-loud", {"x.mjson": "tally\nA\n"}),
    ({"in.tally": "tally\na\n"}, "in.tally -o out.tal", {"out.tal": "tally\nA\n"}),
    ({"in.tally": "tally\na\n"}, "in.tally --to tally-loud", {"-": "tally\nA\n"}),
    ({"in.tally": "tally\nA\n"}, "in.tally --to tally --plain", {"-": "tally\n"}),
    # A JSON file holds lines, unless arrays are asked for. Either is read, whatever the name.
    (ONE, "in.mjson -o out.json", {"out.json": GAME}),
    (ONE, "in.mjson -o out.json --to mjai-batch", {"out.json": f"[{LINES[:-1]}]\n"}),
    ({"in.json": f"[{LINES[:-1]}]\n"}, "in.json --to mjai", {"-": GAME}),
    # Several inputs are joined.
    (
        {"one.mjson": GAME * 2, "two.tally": "tally\nX\nY\n"},
        "one.mjson two.tally -o all.tally",
        {"all.tally": "tally\nA\nA\nX\nY\n"},
    ),
    # A file named like a command needs its folder.
    ({"info": GAME}, "./info --to mjai", {"-": GAME}),
    (ONE, "convert in.mjson --to mjai", {"-": GAME}),
    # Each match becomes a file of its own.
    (
        DAY,
        "split day.mjson -o out",
        {"out/day_001.mjson": GAME, "out/day_002.mjson": ROUND, "out/day_003.mjson": GAME},
    ),
    (DAY, "split day.mjson -o out/g%d.jsonl", {"out/g1.jsonl": GAME, "out/g2.jsonl": ROUND, "out/g3.jsonl": GAME}),
    ({"day.tal": "tally\na\nb\n"}, "split day.tal -o out", {"out/day_002.tal": "tally\nB\n"}),
    ({"day.json": GAME + ROUND}, "split day.json -o out", {"out/day_001.json": GAME}),
    (ONE, "split in.mjson -o out --to mjai-batch", {"out/in_001.json": f"[{LINES[:-1]}]\n"}),
    (DAY, "split day.mjson -o out --to tally", {"out/day_003.tally": "tally\nA\n"}),
    (DAY, "split day.mjson -o out/%d.tally", {"out/2.tally": "tally\nA\n"}),
    (DAY, "split day.mjson -o out --to tally-loud", {"out/day_001.tal": "tally\nA\n"}),
    # Merge writes the format of the first, to standard output by default.
    (
        DAY | {"in.tally": "tally\nX\n"},
        "merge in.tally day.mjson -o all.tally",
        {"all.tally": "tally\nX\nA\nA\nA\n"},
    ),
    (DAY | {"in.tally": "tally\nX\n"}, "merge in.tally day.mjson -o all", {"all": "tally\nX\nA\nA\nA\n"}),
    (DAY, "merge day.mjson -o -", {"-": GAME + ROUND + GAME}),
    (DAY, "merge day.mjson day.mjson", {"-": (GAME + ROUND + GAME) * 2}),
]


@pytest.mark.parametrize(
    ("before", "words", "written"), CONVERSIONS, ids=lambda value: value if "-" in value else ""
)
def test_conversions_write_files(run: Run, before: dict[str, str], words: str, written: dict[str, str]) -> None:
    put_files(before)
    Path("out").mkdir()
    outcome = run(*words.split()).check(DONE)
    for name, text in written.items():
        assert (outcome.out.decode() if name == "-" else Path(name).read_text()) == text


def test_standard_input_and_output(run: Run) -> None:
    assert run("-", "--from", "mjai", "--to", "mjai", stdin=GAME.encode()).out == GAME.encode()
    assert run("-", "-o", "-", "--to", "mjai", stdin=GAME.encode()).out == GAME.encode()


def test_gzip_is_decompressed_and_written_by_name(run: Run) -> None:
    put_files({"in.mjson": gzip.compress(GAME.encode())})
    run("in.mjson", "-o", "out.mjson.gz").check(DONE)
    assert gzip.decompress(Path("out.mjson.gz").read_bytes()) == GAME.encode()
    assert run("-", "--to", "mjai", stdin=gzip.compress(GAME.encode())).out == GAME.encode()


class TestLosses:
    LOSSY = "tally\nA\nlossy\nlossy\nodd\n"

    def test_losses_are_printed_by_kind_the_worst_first(self, run: Run) -> None:
        put_files({"in.tally": self.LOSSY})
        assert run("in.tally", "-o", "out.tally").check(DONE).err.splitlines() == [
            "mjconv: warning: in.tally: match 4, line 5: an odd name",
            "mjconv: not expressible in tally:",
            "  dropped         2 x player.team, first in match 2 (a team has no place)",
            "  carried         2 x round.dice, first in match 2, event 3",
        ]
        assert run("in.tally", "-o", "out.tally", "-q").err == ""

    def test_what_the_reader_assumed_is_a_loss(self, run: Run) -> None:
        put_files({"in.tally": "tally\nguessed\n"})
        assert "  assumed         1 x player.name" in run("in.tally", "-o", "out.tally").err

    def test_many_warnings_are_counted(self, run: Run) -> None:
        put_files({"in.tally": "tally\n" + "odd\n" * 25})
        lines = run("in.tally", "-o", "out.tally").err.splitlines()
        assert (len(lines), lines[-1]) == (21, "mjconv: … and 5 more warnings")

    def test_the_report_holds_all(self, run: Run) -> None:
        put_files({"in.tally": self.LOSSY})
        run("in.tally", "-o", "out.tally", "--report", "report.json").check(DONE)
        dice = {"what": "round.dice", "fate": "carried", "event": 3}
        team = {"what": "player.team", "fate": "dropped", "detail": "a team has no place"}
        assert json.loads(Path("report.json").read_text()) == {
            "inputs": ["in.tally"],
            "output": "out.tally",
            "target": "tally",
            "losses": [loss | {"match": match} for match in (1, 2) for loss in (team, dice)],
            "warnings": [{"message": "an odd name", "match": 3, "line": 5}],
        }

    def test_joined_inputs_are_counted_through(self, run: Run) -> None:
        put_files({"one.tally": "tally\nA\nB\n", "two.tally": "tally\nC\nguessed\nodd\n"})
        run("one.tally", "two.tally", "-o", "all.tally", "--report", "report.json").check(DONE)
        report = json.loads(Path("report.json").read_text())
        assert report["losses"] == [{"what": "player.name", "fate": "assumed", "match": 3}]
        assert report["warnings"] == [{"message": "an odd name (in two.tally)", "match": 4, "line": 4}]

    def test_strict_writes_nothing_and_lists_the_losses(self, run: Run) -> None:
        put_files({"in.tally": self.LOSSY, "out.tally": "old"})
        outcome = run("in.tally", "-o", "out.tally", "--strict", "--report", "report.json")
        loss = "mjconv: error: in.tally: the conversion would lose: 2 x player.team dropped"
        outcome.check(WOULD_LOSE, err=loss)
        assert "dropped         2 x player.team" in outcome.err
        assert Path("out.tally").read_text() == "old"
        assert len(json.loads(Path("report.json").read_text())["losses"]) == 4

    def test_strict_writes_nothing_to_standard_output(self, run: Run) -> None:
        loss = "mjconv: error: <stdin>: the conversion would lose: 2 x player.team dropped\n"
        outcome = run("-", "--to", "tally", "--strict", "-q", stdin=self.LOSSY.encode())
        assert outcome == Outcome(WOULD_LOSE, b"", loss)

    def test_strict_lets_carried_losses_pass(self, run: Run) -> None:
        put_files({"in.tally": "tally\nA\nodd\n"})
        run("in.tally", "-o", "out.tally", "--strict").check(DONE)
        assert Path("out.tally").exists()


class TestBadInput:
    def test_standard_input_is_named_in_errors(self, run: Run) -> None:
        outcome = run("-", "--to", "tally", stdin=b"tally\n!\n").check(BAD_INPUT, out="")
        assert outcome.err.startswith("mjconv: error: <stdin>:2:1: ")

    @looped("contents", "", " \n\n", gzip.compress(b""), ids=["empty", "blank", "gzip"])
    @looped("name", "in.mjson", "in.jmjp", "in")
    def test_an_empty_file(self, run: Run, name: str, contents: str | bytes) -> None:
        put_files({name: contents})
        outcome = run(name, "-o", "out.mjson").check(BAD_INPUT)
        assert outcome.err.startswith(f"mjconv: error: {name}:1:1: the file is empty; expected a record\n")


def test_no_hint_offers_to_overwrite_a_file(run: Run) -> None:
    put_files({"in.mjson": GAME, "other.mjson": GAME})
    assert "did you mean" not in run("in.mjson", "other.mjson").err


class TestAsAProcess:
    def command(self, *words: str, **settings: object) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run([sys.executable, "-m", "mjconv", *words], **settings)  # type: ignore[call-overload,no-any-return]

    def test_a_closed_pipe_is_quiet(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        done = self.command("-", "--to", "mjai", input=GAME.encode(), stdout=writing, stderr=subprocess.PIPE)
        os.close(writing)
        assert (done.returncode, done.stderr) == (BAD_INPUT, b"")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
    def test_a_full_device_is_an_error_also_of_the_help(self) -> None:
        for word in ("--help", "--version", "formats"):
            with open("/dev/full", "wb") as full:
                done = self.command(word, stdout=full, stderr=subprocess.PIPE)
            assert (done.returncode, done.stderr) == (BAD_INPUT, b"mjconv: error: No space left on device\n")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
    def test_an_error_of_writing_names_the_output_as_it_was_named(self) -> None:
        put_files({"game.mjson": GAME})
        os.symlink("missing/game.jmjp", "link.jmjp")
        for name, reason in (("/dev/full", "No space left on device"), ("link.jmjp", "No such file or directory")):
            done = self.command("game.mjson", "-o", name, "--to", "jmjp", "-q", stderr=subprocess.PIPE)
            assert done.stderr.decode() == f"mjconv: error: {name}: {reason}\n"

    @pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
    def test_without_standard_error_no_message_is_in_the_output(self) -> None:
        put_files({"game.mjson": (CORPUS / "sample/game.mjson").read_bytes()})
        words = (shlex.quote(sys.executable), "-m mjconv game.mjson -t jmjp 2>&-")
        done = subprocess.run(["sh", "-c", " ".join(words)], stdout=subprocess.PIPE, check=True)
        assert done.stdout.startswith(b"jmjp[1.0]")

    @pytest.mark.skipif(os.name == "nt", reason="a shell closes the streams")
    def test_a_new_file_asks_for_nothing_without_standard_input(self) -> None:
        words = f"{shlex.quote(sys.executable)} -m mjconv new game.jmjp <&-"
        subprocess.run(["sh", "-c", words], check=True)
        assert Path("game.jmjp").exists()


def test_a_large_output_goes_to_standard_output_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = GAME * 5000
    assert run("-", "--to", "mjai", stdin=text.encode()).out == text.encode()
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="Standard output is closed"):
        writing.write_bytes("-", b"")


def test_a_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match="Standard input is closed"):
        reading.read_bytes("-")


@looped(("terminal", "name"), (True, rb"\u77f3\u6a4b"), (False, "石橋".encode()))
def test_characters_that_a_terminal_cannot_show_are_escaped_and_pipes_get_utf_8(
    run: Run, monkeypatch: pytest.MonkeyPatch, *, terminal: bool, name: bytes
) -> None:
    put_files({"in.mjson": GAME.replace('"A"', '"石橋"')})
    stream = io.TextIOWrapper(raw := io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdout", stream)
    run("info", "in.mjson").check(DONE)
    sys.stdout.flush()
    assert name in raw.getvalue()


# `mjconv split` and `mjconv merge`: one file per match, and back.


@pytest.fixture
def day() -> str:
    """Create a file of three matches and a folder to split it into."""
    Path("day.mjson").write_text(GAME + ROUND + GAME)
    Path("out").mkdir()
    return "day.mjson"


def test_merge_puts_together_what_split_took_apart(run: Run, day: str) -> None:
    run("split", day, "-o", "out")
    run("merge", *sorted(Path("out").iterdir()), "-o", "again.mjson").check(DONE)
    assert Path("again.mjson").read_bytes() == Path(day).read_bytes()
    assert read_all("again.mjson") == read_all(day)


def test_a_pattern_in_gz_compresses_each_file(run: Run, day: str) -> None:
    assert run("split", day, "-o", "g-%05d.mjson.gz").status == DONE
    assert Path("g-00002.mjson.gz").read_bytes() == BY_NAME["gzip"].pack(ROUND.encode())


def test_the_ending_of_a_compressed_file_is_in_no_name(run: Run, day: str) -> None:
    assert run("convert", day, "-o", "day.mjson.zst").status == DONE
    assert run("split", "day.mjson.zst", "-o", "out/").status == DONE
    assert sorted(os.listdir("out")) == ["day_001.mjson", "day_002.mjson", "day_003.mjson"]


def test_standard_input_is_split_under_a_plain_name(run: Run, day: str) -> None:
    assert run("split", "-", "-o", "out", stdin=Path(day).read_bytes()).status == DONE
    assert sorted(os.listdir("out")) == ["match_001.mjson", "match_002.mjson", "match_003.mjson"]


@pytest.mark.usefixtures("day")
def test_losses_name_the_match_in_the_whole_and_strict_writes_nothing(run: Run) -> None:
    Path("in.tally").write_text("tally\nA\nlossy\n")
    run("split", "in.tally", "-o", "out", "--strict").check(WOULD_LOSE, err="player.team, first in match 2")
    assert os.listdir("out") == []


def test_a_folder_is_made_if_its_name_ends_with_a_slash(run: Run, day: str) -> None:
    for _ in range(2):
        run("split", day, "-o", "new/").check(DONE)
        assert sorted(os.listdir("new")) == ["day_001.mjson", "day_002.mjson", "day_003.mjson"]


def test_a_folder_that_is_made_is_removed_after_an_error(run: Run, day: str) -> None:
    Path(day).write_text(GAME + BROKEN)
    assert run("split", day, "-o", "new/").status == BAD_INPUT
    assert sorted(os.listdir()) == ["day.mjson", "out"]


def test_notes_go_with_their_matches_through_another_format(run: Run, day: str) -> None:
    noted = ROUND.replace('"fan":3', '"fan":3,"remark":"carried in a note"')
    Path(day).write_text(GAME + noted + ROUND)
    assert run(day, "-o", "day.jmjp").status == DONE
    assert run("split", "day.jmjp", "-o", "out").status == DONE
    assert sorted(os.listdir("out")) == ["day_001.jmjp", "day_002.jmjp", "day_003.jmjp"]
    assert run("out/day_002.jmjp", "--to", "mjai").out == noted.encode()
    assert run("merge", *sorted(Path("out").iterdir()), "-o", "again.jmjp").status == DONE
    assert Path("again.jmjp").read_bytes() == Path("day.jmjp").read_bytes()
    assert run("again.jmjp", "--to", "mjai").out == Path(day).read_bytes()


def test_formats_lists_each_name_that_it_shows(run: Run) -> None:
    lines = run("formats").out.decode().splitlines()[1:]
    for name in (line.split()[0] for line in lines):
        shown = run("formats", name).check(DONE).out.decode().splitlines()[1:]
        assert [one for one in shown if one.split()[0] == name], name
    assert len(run("formats", "parquet", "mjx").out.decode().splitlines()) == 3
