"""Names of inputs and outputs: links, sites, patterns, folders, missing files, and names that mislead."""

import json
import pickle
from pathlib import Path

import pytest
from given import BAD_INPUT, DONE, GAME, WRONG_USAGE, Run, put_files

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped


@pytest.fixture
def link(run: Run) -> str:
    """Return a link to Tenhou's viewer that holds the first round of the sample."""
    return run(SAMPLE, "--to", "tenhou-url", "-q").out.decode().splitlines()[0]


class TestALinkThatHoldsARecord:
    def test_is_an_input_of_each_command(self, run: Run, link: str) -> None:
        name = "https://tenhou.net/6/#***"
        run(link, "-o", "game.mjson", "-q").check(DONE)
        assert mjconv.read("game.mjson").rounds[0].label == "E1-0"
        assert run("info", link).out.decode().startswith(f"{name}: tenhou, 1 match\n")
        assert "nothing found" in run("validate", link).err
        assert f"{name} is not an input" in run(SAMPLE, "--in-place", "-o", link).err
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
            outcome = run(*words, SAMPLE, "-o", name, "--to", "mjai")
            assert (outcome.status, Path(name).exists()) == (WRONG_USAGE, False)
            assert f"{name} is the name of a file, and batch writes a folder, or an archive" in outcome.err
            assert hint in outcome.err
        assert run("batch", SAMPLE, "-o", f"{name}/", "--to", "mjai", "-q").status == DONE
        assert Path(name, "game.mjson").is_file()
        assert run("batch", SAMPLE, "-o", name, "--to", "mjai", "-q", "--force").status == DONE

    def test_a_name_with_a_dot_may_be_a_folder(self, run: Run) -> None:
        assert run("batch", SAMPLE, "-o", "logs.2024", "--to", "mjai", "-q").status == DONE

    def test_a_text_file_gets_scores_only_from_scores(self, run: Run) -> None:
        unclear = "the format to write is not clear from the name 'game.txt'"
        run(SAMPLE, "-o", "game.txt").check(WRONG_USAGE, err=unclear)
        assert not Path("game.txt").exists()
        with pytest.raises(mjconv.UsageError, match="not clear from the name"):
            mjconv.write(mjconv.read(SAMPLE), "game.txt")
        run(SAMPLE, "-o", "game.txt", "--to", "hk", "-q").check(DONE)
        run("game.txt", "-o", "again.txt", "-q").check(DONE)
        assert Path("again.txt").read_bytes() == Path("game.txt").read_bytes()

    def test_a_misspelt_target_of_batch_is_proposed(self, run: Run) -> None:
        for words in ([SAMPLE, "-o", "out"], ["batch", SAMPLE, "-o", "out"]):
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
    first, *_ = run(SAMPLE, "-t", "mjai", "--seat", word, "-q").out.splitlines()
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
    Path("tenhou.net", "6", "#json=game.mjson").write_bytes(SAMPLE.read_bytes())
    assert run("tenhou.net/6/#json=game.mjson", "-t", "mjai", "-q").out == SAMPLE.read_bytes()


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


# Patterns that no shell expanded, and folders: every command that takes several files takes them.


@pytest.fixture(autouse=True)
def _logs() -> None:
    put_files(dict.fromkeys(("logs/1.hk", "logs/2.hk", "logs/below/3.hk"), "2024-01-20\nA B C D\n- 3 - d\n"))
    put_files({"logs/notes.txt": "nothing of mahjong, only words\n", "one/game.mjson": GAME})


@looped(
    ("words", "games"),
    (["logs/*.hk"], 2),
    (["logs/**/*.hk"], 3),
    (["logs"], 3),
    (["logs/1.hk", "logs/below"], 2),
)
def test_score_takes_patterns_and_folders(run: Run, words: list[str], games: int) -> None:
    outcome = run("score", *words, "--format", "csv")
    assert outcome.out.decode().splitlines()[1].split(",")[1] == str(games), outcome.err


@looped(
    "words",
    ("one/*.mjson", "-o", "out.jmjp"),
    ("merge", "one/*.mjson", "-o", "out.mjson"),
    ("view", "one/*.mjson", "--text"),
    ("split", "one/*.mjson", "-o", "out/"),
    ("info", "one/*.mjson"),
    ("validate", "one/*.mjson"),
    ("fmt", "logs/*.hk", "--check"),
    ids=lambda words: words[0],
)
def test_every_command_takes_a_pattern(run: Run, words: tuple[str, ...]) -> None:
    run(*words).check(0)


def test_a_command_of_one_file_refuses_a_pattern_of_several(run: Run) -> None:
    outcome = run("split", "logs/*.hk", "-o", "out/").check(WRONG_USAGE)
    assert outcome.err == "mjconv: error: logs/*.hk matches 2 files, and the command takes one\n"


def test_the_name_of_a_file_is_no_pattern(run: Run) -> None:
    Path("game[1].mjson").write_text(GAME)
    assert run("game[1].mjson", "-o", "out.jmjp").status == 0
    assert "gone*.mjson: No such file or directory" in run("gone*.mjson", "-o", "out.jmjp").err


# Links to records of sites, their ids, and web pages, in the place of a file: one sentence names what to do.
UUID = "230101-0a1b2c3d-1111-2222-3333-0123456789ab"
NAMES = {
    f"https://game.mahjongsoul.com/?paipu={UUID}": "Mahjong Soul",
    f"https://game.maj-soul.com/1/?paipu={UUID}_a123456": "Mahjong Soul",
    f"{UUID}_a123456": "Mahjong Soul",
    "https://mahjong-jp.city/share?id=cn9m3d5u8b28j3o9k3g0": "Riichi City",
    "cn9m3d5u8b28j3o9k3g0": "Riichi City",
    "2021030415gm-00a9-0000-0a1b2c3d": "Tenhou",
}
WAYS = [("--to", "mjai"), ("info",), ("validate",), ("stats",), ("batch", "-o", "out", "--to", "mjai")]


@looped("words", *WAYS, ids=" ".join)
@looped("name", *NAMES)
def test_a_record_on_a_server_is_named_with_its_site(run: Run, name: str, words: tuple[str, ...]) -> None:
    outcome = run(*words, name)
    assert outcome.status != 0
    printed = outcome.err + outcome.out.decode()
    message = "mjconv fetches nothing from there; docs/get-records.md"
    assert f"is a record on the server of {NAMES[name]}. {message}" in printed
    assert "fsspec" not in printed
    assert "requests" not in printed


@looped("name", "page.mjlog", "page.json", "page.mjson", "page.jmjp", "page")
def test_a_web_page_is_no_record(run: Run, name: str) -> None:
    Path(name).write_text("\n<!DOCTYPE html><html><body>404</body></html>")
    message = "is a web page and no record, probably of a failed download; docs/get-records.md explains how"
    outcome = run(name, "--to", "hk")
    assert (outcome.status, outcome.err) == (BAD_INPUT, f"mjconv: error: {name}: {message} to get records\n")


def test_a_file_with_the_name_of_an_id_is_read(run: Run) -> None:
    Path(UUID).write_text('{"type":"start_game"}\n{"type":"end_game"}\n')
    assert run(UUID, "--to", "mjai").status == 0
