"""Names of inputs and outputs: links that hold a record, missing files, and outputs whose names mislead."""

import json
import pickle
from pathlib import Path

import pytest
from given import BAD_INPUT, DONE, WRONG_USAGE, Run

import mjconv
from corpus_files import CORPUS
from looped import looped

GAME = CORPUS / "sample" / "game.mjson"


@pytest.fixture
def link(run: Run) -> str:
    """Return a link to Tenhou's viewer that holds the first round of the sample."""
    return run(GAME, "--to", "tenhou-url", "-q").out.decode().splitlines()[0]


class TestALinkThatHoldsARecord:
    def test_is_an_input_of_each_command(self, run: Run, link: str) -> None:
        name = "https://tenhou.net/6/#***"
        run(link, "-o", "game.mjson", "-q").check(DONE)
        assert mjconv.read("game.mjson").rounds[0].label == "E1-0"
        assert run("info", link).out.decode().startswith(f"{name}: tenhou, 1 match\n")
        assert "nothing found" in run("validate", link).err
        assert f"{name} is not an input" in run(GAME, "--in-place", "-o", link).err
        assert "E1-0  East 1" in run("view", link, "--text").out.decode()
        assert run("score", link, "--as", "hk", "-q").out.startswith(b"name\t")
        run("batch", link, "-o", "out", "--to", "mjai", "-q").check(DONE)
        assert mjconv.read(Path("out", "6.mjson")).rounds[0].label == "E1-0"

    def test_is_read_by_the_library(self, link: str) -> None:
        match = mjconv.read(link)
        [record] = mjconv.iter_records(link)
        assert (record.match, match.rounds[0].label) == (match, "E1-0")


def test_a_missing_file_is_an_error_of_mjconv_and_of_python() -> None:
    for read in (mjconv.read, mjconv.read_all, lambda name: list(mjconv.iter_matches(name))):
        with pytest.raises(mjconv.MissingFileError) as raised:
            read("none.mjson")
        error = raised.value
        assert isinstance(error, mjconv.MjconvError)
        assert isinstance(error, FileNotFoundError)
        assert (error.filename, str(error).partition(":")[0]) == ("none.mjson", "none.mjson")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.filename, again.errno) == (str(error), "none.mjson", error.errno)


class TestOutputs:
    @pytest.mark.parametrize(
        ("name", "hint"),
        [
            ("out.jsonl", "mjconv merge writes one file"),
            *((name, "") for name in ("all.7z", "train.jsonl.gz", "out.mjson", "out.txt", "o.TSV")),
            ("train.csv", "--to parquet writes columns"),
            ("Scores.XLSX", "mjconv score writes tables of scores"),
            ("game.html", "mjconv view writes a page"),
        ],
    )
    def test_batch_makes_no_folder_with_the_name_of_a_file(self, run: Run, name: str, hint: str) -> None:
        for words in (["batch"], ["fleet", "plan"]):
            outcome = run(*words, GAME, "-o", name, "--to", "mjai")
            assert (outcome.status, Path(name).exists()) == (WRONG_USAGE, False)
            assert f"{name} is the name of a file, and batch writes a folder, or an archive" in outcome.err
            assert hint in outcome.err
        assert run("batch", GAME, "-o", f"{name}/", "--to", "mjai", "-q").status == DONE
        assert Path(name, "game.mjson").is_file()
        assert run("batch", GAME, "-o", name, "--to", "mjai", "-q", "--force").status == DONE

    def test_a_name_with_a_dot_may_be_a_folder(self, run: Run) -> None:
        assert run("batch", GAME, "-o", "logs.2024", "--to", "mjai", "-q").status == DONE

    def test_a_text_file_gets_scores_only_from_scores(self, run: Run) -> None:
        unclear = "the format to write is not clear from the name 'game.txt'"
        run(GAME, "-o", "game.txt").check(WRONG_USAGE, err=unclear)
        assert not Path("game.txt").exists()
        with pytest.raises(mjconv.UsageError, match="not clear from the name"):
            mjconv.write(mjconv.read(GAME), "game.txt")
        run(GAME, "-o", "game.txt", "--to", "hk", "-q").check(DONE)
        run("game.txt", "-o", "again.txt", "-q").check(DONE)
        assert Path("again.txt").read_bytes() == Path("game.txt").read_bytes()

    def test_a_misspelt_target_of_batch_is_proposed(self, run: Run) -> None:
        for words in ([GAME, "-o", "out"], ["batch", GAME, "-o", "out"]):
            error = run(*words, "--to", "parqet").err
            assert "unknown format 'parqet', did you mean 'parquet'?" in error
            assert ", parquet, " in error


class TestTilesThatATargetLacks:
    @looped("target", "mjai", "jmjp", "tenhou-json")
    def test_the_error_names_lossy_where_it_helps(self, run: Run, target: str) -> None:
        name = CORPUS / "uzje" / "flowers.uzje"
        error = run(name, "--to", target).err
        assert "; --lossy hides the tiles that " in error
        assert error.count("--lossy") == 1
        assert run(name, "--to", target, "--lossy", "-q").status == DONE

    def test_and_not_where_it_does_not(self, run: Run) -> None:
        name = CORPUS / "uzje" / "actions.uzje"
        assert "--lossy" not in run(name, "--to", "tenhou").err
        run(name, "--to", "tenhou", "--lossy").check(BAD_INPUT)


# The words of the command: seats, links as browsers copy them, and outputs that another command writes.


@looped(("word", "seat"), ("2", 2), ("W", 2), ("west", 2), ("西", 2), ("千早", 2), ("堂本 冬美", 3))
def test_a_stream_is_of_the_seat_that_is_named(run: Run, word: str, seat: int) -> None:
    first, *_ = run(GAME, "-t", "mjai", "--seat", word, "-q").out.splitlines()
    assert json.loads(first)["id"] == seat


def test_a_seat_is_found_anew_in_each_match(run: Run) -> None:
    names = (["A", "B", "C", "D"], ["D", "C", "B", "A"])
    log = "".join(f'{{"type":"start_game","names":{json.dumps(four)}}}\n{{"type":"end_game"}}\n' for four in names)
    Path("two.mjson").write_text(log)
    messages = [json.loads(line) for line in run("two.mjson", "-t", "mjai", "--seat", "B", "-q").out.splitlines()]
    assert [message["id"] for message in messages if message["type"] == "start_game"] == [1, 2]


def test_a_whole_name_is_before_a_wind_and_a_wind_before_a_part(run: Run) -> None:
    names = json.dumps(["Otto E", "N", "S-san", "Di"])
    Path("game.mjson").write_text(f'{{"type":"start_game","names":{names}}}\n{{"type":"end_game"}}\n')
    words = ("game.mjson", "-t", "mjai", "-q", "--seat")
    assert [json.loads(run(*words, seat).out.splitlines()[0])["id"] for seat in "ENSW"] == [0, 1, 1, 2]


@pytest.mark.parametrize("begin", ["https://tenhou.net", "HTTPS://Tenhou.net", "http://tenhou.net", "tenhou.net"])
def test_a_link_is_an_input_as_browsers_copy_it(run: Run, link: str, begin: str) -> None:
    copied = begin + link.removeprefix("https://tenhou.net")
    assert run(copied, "-t", "mjai", "-q").out == run(link, "-t", "mjai", "-q").out
    assert run("-", "-t", "mjai", "-q", stdin=copied.encode()).out == run(link, "-t", "mjai", "-q").out


def test_a_file_is_never_a_link(run: Run) -> None:
    Path("tenhou.net", "6").mkdir(parents=True)
    Path("tenhou.net", "6", "#json=game.mjson").write_bytes(GAME.read_bytes())
    assert run("tenhou.net/6/#json=game.mjson", "-t", "mjai", "-q").out == GAME.read_bytes()


def test_a_fleet_lists_files_and_no_links(run: Run, link: str) -> None:
    run("fleet", "plan", link, "-o", "plan", "-t", "jmjp").check(
        WRONG_USAGE, err="is a link that holds a record itself"
    )
    assert not Path("plan").exists()


@looped(
    "text",
    '{"foo":1}',
    '{"foo":1}\n',
    "[1,2]",
    '{"foo":\n1}',
    '[{"foo":1}]',
    "17",
    '{"games": [\n  {"id": 1}\n]}',
)
def test_json_of_no_known_format_is_called_so(run: Run, text: str) -> None:
    Path("game.json").write_text(text)
    outcome = run("game.json", "-o", "game.jmjp").check(BAD_INPUT)
    assert outcome.err.startswith("mjconv: error: game.json:1:")
    for printed in (outcome.err, run("validate", "game.json").out.decode()):
        assert "this is JSON, but no record of a format that mjconv knows" in printed
