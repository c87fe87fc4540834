"""The command ``mjconv review``: inputs, outputs, summary, status, and what is left after a kill."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bots import PASSES, TSUMOGIRI, python, shell, short_match
from test_bots import gone, wait_until

import mjconv
from batch.archives import laid_out, zipped
from corpus_files import CORPUS
from mjconv.command.start import main
from mjconv.reviewer.play import review
from mjconv.reviewer.rows import FILES, ReviewRow, event_of, read_rows

#: Seat 1 discards C when it draws.
DISCARDS = """while read -r line; do case $line in
*tsumo*:1,*) echo '{"type":"dahai","actor":1,"pai":"C","meta":{"q_values":[1]}}';; *) echo '{"type":"none"}';;
esac; done"""


def run(*words: object) -> int:
    """Run the command in this process, and return its status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mjconv", "review", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
    return int(left.value.code or 0)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Make a folder with a file of one match, one of two, an archive of one, and a file that is no record."""
    folder = tmp_path / "logs"
    folder.mkdir()
    mjconv.write(short_match(2), folder / "a.mjson")
    mjconv.write([short_match(), short_match()], folder / "b.mjson")
    archive = zipped({"day/1.mjson": (folder / "a.mjson").read_bytes()})
    return laid_out(folder, {"c.zip": archive, "notes.txt": b"no record"})


def places(rows: list[ReviewRow], folder: Path) -> list[tuple[str, int, int, int]]:
    return [(os.path.relpath(row.source or "", folder), row.match, row.round, row.event) for row in rows]


ALL = [("a.mjson", 0, 0, 4), ("a.mjson", 0, 1, 4), ("b.mjson", 0, 0, 4), ("b.mjson", 1, 0, 4)]
ZIPPED = [("c.zip/day/1.mjson", 0, 0, 4), ("c.zip/day/1.mjson", 0, 1, 4)]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "csv.gz"])
def test_rows_of_all_matches_of_folders_and_archives(ending: str, logs: Path, tmp_path: Path) -> None:
    output = tmp_path / f"rows.{ending}"
    command = python(tmp_path, TSUMOGIRI, "{seat}")
    assert run(logs, "--bot", command, "--seat", "1", "-o", output, "--jobs", "2", "-q") == 0
    rows = read_rows(str(output))
    assert places(rows, logs) == ALL + ZIPPED
    facts = {(row.kind, row.same, row.legal, row.choices, row.fault) for row in rows}
    assert facts == {("discard", True, True, 14, None)}
    assert {event_of(row.answered or "") for row in rows} == {mjconv.Discard(1, "C", tsumogiri=True)}
    assert not (tmp_path / f"rows.{ending}.review").exists()


def test_columns_are_the_fields_of_a_row(logs: Path, tmp_path: Path) -> None:
    for ending in ("csv", "jsonl"):
        run(logs / "a.mjson", "--bot", shell(DISCARDS), "--seat", "1", "-o", tmp_path / f"x.{ending}", "-q")
    with (tmp_path / "x.csv").open(newline="") as file:
        [first, _] = csv.DictReader(file)
    assert list(first) == list(ReviewRow.__struct_fields__)
    assert (first["same"], first["values"], first["fault"]) == ("true", '{"meta":{"q_values":[1]}}', "")
    assert json.loads((tmp_path / "x.jsonl").read_text().splitlines()[0])["label"] == "E1-0"


def test_the_summary_has_agreement_faults_and_times(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(logs / "b.mjson", "--bot", shell(PASSES), "--seat", "all") == 1
    lines = capsys.readouterr().out.splitlines()
    problem = "illegal: none is not among the choices: dahai"
    assert lines[:3] == [
        f"{logs}/b.mjson:3:1: E1-0, event 2, seat 0: {problem}",
        f"{logs}/b.mjson:5:1: E1-0, event 4, seat 1: {problem}",
        f"{logs}/b.mjson:10:1: match 2, E1-0, event 2, seat 0: {problem}",
    ]
    assert lines[4:8] == [
        "kind     decisions  same  agreement",
        "discard          4     0          0",
        "all              4     0          0",
        "seats 0, 1, 2, 3: 8 games, 4 decisions; answers: 4 illegal, 0 late, 0 broken",
    ]
    assert lines[8].startswith("seconds for an answer: ")


def test_a_lost_game_has_its_reason_and_its_errors(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(logs / "a.mjson", "--bot", shell("echo boom >&2; exit 7"), "--seat", "1") == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{logs}/a.mjson, match 1, seat 1: the game is lost: the bot ended with status 7",
        "the bot's standard error ends with:",
        "  boom",
        "no decision was compared",
    ]


@pytest.mark.parametrize("name", ["out.html", "out.mjson"])
def test_a_page_and_a_record_without_decisions_are_not_written(
    name: str, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / name
    assert run(logs / "a.mjson", "--bot", shell("exit 7"), "-o", output, "-q") == 1
    assert f"the bot decided nothing: {output} was not written" in capsys.readouterr().err
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize(
    ("words", "status", "lines"),
    [
        (["--seat", "nobody"], 1, ["a.mjson, match 1: there is no seat 'nobody'", "no game was reviewed"]),
        (["--where", "rounds > 9"], 0, ["no game was reviewed", "1 match left out by --where"]),
    ],
)
def test_a_summary_without_decisions_is_a_sentence(
    words: list[str], status: int, lines: list[str], logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(logs / "a.mjson", "--bot", shell(DISCARDS), *words) == status
    found = capsys.readouterr().out.splitlines()
    assert [text for text, part in zip(found, lines, strict=True) if part not in text] == []


def test_a_game_of_no_riichi_fails_alone(logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (logs / "x.mjson").write_bytes(b'{"type":"start_game"}\n{')
    command = python(tmp_path, TSUMOGIRI, "{seat}")
    assert run(CORPUS / "hk" / "example.hk", logs, "--bot", command, "--seat", "1") == 1
    lines = capsys.readouterr().out.splitlines()
    assert "example.hk" in lines[0]
    place = next(number for number, line in enumerate(lines) if line.startswith(f"{logs}/x.mjson:2:"))
    assert [line.strip() for line in lines[place + 1 : place + 3]] == ["{", "^"]
    assert "seat 1: 4 games, 6 decisions; answers: 0 illegal, 0 late, 0 broken" in lines


def test_where_keeps_some_matches(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(logs, "--bot", shell(DISCARDS), "--seat", "1", "--where", "rounds = 2") == 0
    counts = "seat 1: 2 games, 4 decisions; answers: 0 illegal, 0 late, 0 broken"
    assert capsys.readouterr().out.splitlines()[3:5] == [counts, "2 matches left out by --where"]


def test_the_record_has_the_answers(logs: Path, tmp_path: Path) -> None:
    output = tmp_path / "answers.mjson"
    assert run(logs / "b.mjson", "--bot", shell(DISCARDS), "--seat", "1", "-o", output, "-q") == 0
    matches = mjconv.read_all(output)
    events = [[one.events for one in match.rounds] for match in matches]
    assert events == [[one.events for one in short_match().rounds]] * 2
    for match in matches:
        [answer] = match.rounds[0].answers
        assert (answer.index, answer.seat) == (4, 1)
        assert answer.message.extras == {"meta": {"q_values": [1]}}


def test_answers_of_one_seat_are_lines_and_those_of_several_are_in_notes(tmp_path: Path) -> None:
    log, output = CORPUS / "tenhou" / "hanchan.mjlog", tmp_path / "answers.mjson"
    for seat, seats, lines in (("2", {2}, True), ("all", {0, 1, 2, 3}, False)):
        assert run(log, "--bot", shell(PASSES), "--seat", seat, "-o", output, "-q") == 1
        assert {answer.seat for one in mjconv.read(output).rounds for answer in one.answers} == seats
        assert (b'\n{"type":"none"}\n' in output.read_bytes()) is lines


def test_a_page_shows_one_match(logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert run(logs / "a.mjson", "--bot", shell(DISCARDS), "--seat", "1", "-o", page, "-q") == 0
    assert page.read_text().startswith("<!doctype html>")
    assert run(logs, "--bot", shell(DISCARDS), "--seat", "1", "-o", page) == 2
    assert "which shows one match" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("", "name the command of a bot"),
        ("--bot sh --timeout 0", "--timeout takes seconds, such as 2.5, not '0'"),
        ("--bot sh --timeout nan", "--timeout takes seconds"),
        ("--bot sh --protocol line", "protocol is one of lines, batch, not 'line'"),
        ("--bot sh --listen 127.0.0.1:0 --jobs 2", "--listen waits for one bot at a time"),
        ("--bot sh -o x.jmjp", "ends in one of .html .mjson .jsonl .csv .parquet"),
        ("--bot sh --resume", "--resume needs -o"),
        ("--bot sh --where x", "there is no fact 'x'"),
        ("--bot no-such-program", "there is no program 'no-such-program'"),
        ("--compare", "--compare takes two files of rows, not 1"),
        ("--compare --seat 1 --from mjai", "rows that are written already: leave --seat, --from out"),
        ("--compare --anonymous", "rows that are written already: leave --anonymous out"),
    ],
)
def test_wrong_options(words: str, problem: str, logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(logs / "a.mjson", *words.split()) == 2
    assert problem in capsys.readouterr().err


class TestResume:
    def test_it_continues_after_the_last_whole_line(self, logs: Path, tmp_path: Path) -> None:
        whole, output, kept = (tmp_path / name for name in ("whole.csv", "rows.csv", "rows.csv.review"))
        words = (logs, "--bot", shell(f"echo $$ >>{tmp_path}/started; {DISCARDS}"), "--seat", "1", "-q")
        # The kept file is seen by a bot of the last member.
        spy = shell(f"[ -s {tmp_path}/copy ] || cp {kept} {tmp_path}/copy; {DISCARDS}")
        assert run(*words, "-o", whole) == 0
        words = (logs, "--bot", spy, "--seat", "1", "-q", "-o", output)
        assert run(*words) == 0
        output.unlink()
        kept.write_bytes((tmp_path / "copy").read_bytes() + b'{"member":"half')
        assert run(*words) == 1, "a review that was interrupted is not begun again"
        assert run(*words[:-1], tmp_path / "other.csv", "--resume") == 0
        assert run(*words, "--resume") == 0
        keys = [places(read_rows(str(path)), logs) for path in (whole, output)]
        assert keys[0] == keys[1] == ALL + ZIPPED

    def test_wrong_words_are_refused(self, logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        output, kept = tmp_path / "rows.csv", tmp_path / "rows.csv.review"
        spy = shell(f"cp {kept} {tmp_path}/copy; {DISCARDS}")
        words = (logs, "--bot", spy, "--seat", "1", "-q", "-o", output, "--resume")
        assert run(*words) == 0
        kept.write_bytes((tmp_path / "copy").read_bytes())
        assert run(*words, "--timeout", "3") == 2
        assert "with other inputs, options or version" in capsys.readouterr().err
        line = json.dumps({"member": "gone.mjson"})
        kept.write_bytes((tmp_path / "copy").read_bytes() + line.encode() + b"\n")
        assert run(*words) == 2
        assert "the inputs changed since the review was started: gone.mjson" in capsys.readouterr().err
        # After a power failure.
        kept.write_bytes((tmp_path / "copy").read_bytes() + bytes(100) + b"\n")
        assert run(*words) == 0


def test_an_error_of_the_disk_names_the_file(logs: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mjconv", "review", str(logs), "--bot", shell(DISCARDS), "-o", "rows.csv"]
    limited = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *words]
    found = subprocess.run(limited, cwd=tmp_path, capture_output=True, check=False)
    assert (found.returncode, found.stderr) == (1, b"mjconv: error: rows.csv.review: File too large\n")


@pytest.mark.parametrize("killed", ["run", "worker"])
def test_nothing_is_left_when_the_run_or_a_worker_is_killed(killed: str, logs: Path, tmp_path: Path) -> None:
    script = f"echo $$ >>{tmp_path}/bots; sleep 60 & echo $! >>{tmp_path}/bots; read -r line; sleep 60"
    command = [sys.executable, "-m", "mjconv", "review", logs, "--bot", shell(script), "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: (tmp_path / "bots").exists() and len((tmp_path / "bots").read_text().split()) == 4)
    bots = [int(word) for word in (tmp_path / "bots").read_text().split()]
    children = [task / "children" for task in Path(f"/proc/{process.pid}/task").iterdir()]
    workers = [int(word) for path in children for word in path.read_text().split()]
    for victim in [process.pid] if killed == "run" else workers:
        os.kill(victim, signal.SIGKILL)
    wait_until(lambda: all(map(gone, bots)))
    process.kill()
    process.wait()
    wait_until(lambda: all(map(gone, workers)))


def written(path: Path, answer: dict[str, object]) -> Path:
    """Write the rows of a bot that answers so in both rounds of a match."""
    found = review(short_match(2), 1, lambda messages: answer if messages[-1]["type"] == "tsumo" else None)
    path.write_bytes(b"".join(FILES[path.suffix][0](iter(found.rows))))
    return path


#: A row of the first decision, with an answer that is no JSON.
ROW = b'{"round":0,"label":"E1-0","event":4,"seat":1,"choices":2,"seconds":0,"answered":"x"}\n'


class TestCompare:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[Path]:
        answers = {"type": "dahai", "actor": 1, "pai": "C"}, {"type": "dahai", "actor": 1, "pai": "N"}
        return [written(tmp_path / name, one) for name, one in zip(("a.parquet", "b.jsonl"), answers, strict=True)]

    def test_the_numbers_by_kind_and_the_list(self, files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
        assert run("--compare", *files) == 0
        answer = '{{"type":"dahai","actor":1,"pai":"{}"}}'
        assert capsys.readouterr().out.splitlines() == [
            *[f"E1-0, event 4, seat 1: {answer.format('C')} → {answer.format('N')}"] * 2,
            "kind     decisions  agreement of a  agreement of b  differing",
            "discard          2               1               0          2",
            "all              2               1               0          2",
        ]

    def test_decisions_of_one_file_count(self, files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
        files[1].write_bytes(files[1].read_bytes().split(b"\n", 1)[1])
        for words in ((), ("-o", files[1].with_name("list.csv"))):
            assert run("--compare", *files, *words) == 0
            assert "".join(capsys.readouterr()).endswith("\ndecisions without a partner: 1 of a, 0 of b\n")

    def test_the_list_as_a_file(self, files: list[Path], tmp_path: Path) -> None:
        assert run("--compare", *files, "-q", "-o", tmp_path / "list.csv") == 0
        with (tmp_path / "list.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        found = [(row["round"], row["event"], row["kind"], event_of(row["b"])) for row in rows]
        assert found == [(number, "4", "discard", mjconv.Discard(1, "N")) for number in ("0", "1")]

    def test_the_same_answers_do_not_differ(self, files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
        spelled = {"type": "dahai", "actor": 1, "pai": "C", "tsumogiri": True}
        assert run("--compare", files[0], written(files[0].with_name("c.csv"), spelled)) == 0
        assert capsys.readouterr().out.splitlines()[-1].split() == ["all", "2", "1", "1", "0"]

    @pytest.mark.parametrize(
        ("name", "data", "problem"),
        [
            ("x.txt", b"", "--compare reads .jsonl, .csv, .parquet"),
            ("x.jsonl", b"[]\n", "no rows of mjconv review"),
            ("x.jsonl", b"\xff\n", "no rows of mjconv review"),
            ("x.csv", b"a,b\n1,2\n", "no rows of mjconv review"),
            ("x.parquet", b"PAR1", "no rows of mjconv review"),
            ("x.jsonl", b"", "no decision in common"),
            ("x.jsonl", ROW, "no rows of mjconv review"),
        ],
    )
    def test_other_files_are_refused(
        self, name: str, data: bytes, problem: str, files: list[Path], capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = files[0].with_name(name)
        path.write_bytes(data)
        assert run("--compare", files[0], path) == (2 if name == "x.txt" else 1)
        assert problem in capsys.readouterr().err


def test_a_client_connects_to_the_address(logs: Path, tmp_path: Path) -> None:
    from test_bots import CLIENT, free_port

    port, output = free_port(), tmp_path / "rows.jsonl"
    words = ("--bot", python(tmp_path, CLIENT, str(port)), "--listen", f"127.0.0.1:{port}", "--seat", "1", "-q")
    began = time.monotonic()
    assert run(logs / "b.mjson", *words, "-o", output) == 0
    assert [row.same for row in read_rows(str(output))] == [True, True]
    assert time.monotonic() - began < 30
