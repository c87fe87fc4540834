"""What a person most likely meant: misspelt commands and options, archives, and outputs of another command."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from given import BROKEN, GAME, Run

DONE, BAD_INPUT, WRONG_USAGE = 0, 1, 2


class TestMisspeltCommands:
    def test_a_file_is_never_a_misspelt_command(self, run: Run) -> None:
        Path("validte").write_text(GAME)
        assert run("validte", "--to", "mjai").out == GAME.encode()

    @pytest.mark.parametrize("name", ["validte.mjson", "./validte"])
    def test_a_name_with_a_dot_or_a_slash_is_a_file_that_is_missing(self, run: Run, name: str) -> None:
        Path("logs.zip").write_bytes(b"PK\x05\x06" + bytes(18))
        for words in ([name], [name, "game.jmjp"], [name, "logs.zip"], [name, "-o", "out.mjson"]):
            outcome = run(*words)
            assert (outcome.status, outcome.err) == (
                BAD_INPUT,
                f"mjconv: error: {name}: No such file or directory\n",
            )


class TestMisspeltOptions:
    def test_without_a_command_the_usage_is_that_of_mjconv(self, run: Run) -> None:
        outcome = run("game.mjson", "--otput", "x")
        assert outcome.status == WRONG_USAGE
        assert outcome.err.startswith("Usage: mjconv IN... -o OUT\n")
        assert "mjconv convert" not in outcome.err
        assert "--otput" in outcome.err
        assert "--output" in outcome.err


def _tarred() -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        about = tarfile.TarInfo("game.mjson")
        about.size = len(GAME)
        archive.addfile(about, io.BytesIO(GAME.encode()))
    return data.getvalue()


class TestArchives:
    @pytest.fixture(params=["logs.zip", "logs.tar", "logs.tar.gz", "my logs"])
    def several(self, request: pytest.FixtureRequest) -> str:
        """Create an archive or folder with one good record, and return its name."""
        name: str = request.param
        if name == "logs.zip":
            with zipfile.ZipFile(name, "w") as archive:
                archive.writestr("game.mjson", GAME)
        elif name == "my logs":
            Path(name).mkdir()
            Path(name, "game.mjson").write_text(GAME)
        else:
            Path(name).write_bytes(gzip.compress(_tarred()) if name.endswith(".gz") else _tarred())
        return name

    @pytest.mark.parametrize(
        "rest",
        [["-o", "out.jmjp"], ["-o", "out/"], ["-o", "out"], [], ["--to", "jmjp"], ["-o", "out", "--to", "jmjp"]],
    )
    def test_convert_names_batch(self, run: Run, several: str, rest: list[str]) -> None:
        outcome = run(several, *rest)
        assert (outcome.status, outcome.out) == (BAD_INPUT, b"")
        quoted = f"'{several}'" if " " in several else several
        hint = f"one file was expected: mjconv batch {quoted} -o OUT --to FORMAT converts all files in it\n"
        assert outcome.err.endswith(hint)

    def test_merge_and_split_name_batch(self, run: Run, several: str) -> None:
        assert "mjconv batch" in run("merge", several, "-o", "all.mjson").err
        assert "mjconv batch" in run("split", several, "-o", "parts/").err
        assert not Path("parts").exists()

    def test_score_names_batch(self, run: Run, several: str) -> None:
        outcome = run("score", several)
        assert (outcome.status, outcome.out) == (BAD_INPUT, b"")
        assert outcome.err.startswith(f"mjconv: error: {several}: ")
        quoted = f"'{several}'" if " " in several else several
        hint = f"one file was expected: mjconv batch {quoted} -o OUT --to hk converts all files in it to scores\n"
        assert outcome.err.endswith(hint)

    def test_info_names_all_which_shows_each_record(self, run: Run, several: str) -> None:
        outcome = run("info", several)
        assert outcome.status == BAD_INPUT
        assert "mjconv info --all " in outcome.err
        outcome = run("info", "--all", several)
        assert (outcome.status, outcome.err) == (DONE, "")
        assert outcome.out.decode().startswith(f"{several}/game.mjson: mjai, 1 match\n")

    def test_a_member_that_cannot_be_read_hides_no_other(self, run: Run) -> None:
        Path("logs").mkdir()
        for name, text in (("1.mjson", GAME), ("2.mjson", BROKEN), ("3.mjson", GAME), ("notes.txt", "Tuesday")):
            Path("logs", name).write_text(text)
        outcome = run("info", "--all", "logs", "--json")
        assert outcome.status == BAD_INPUT
        assert len(outcome.out.splitlines()) == 2
        assert outcome.err.startswith("mjconv: error: logs/2.mjson:2:")

    def test_a_folder_without_a_record_is_an_error(self, run: Run) -> None:
        Path("logs").mkdir()
        outcome = run("info", "--all", "logs")
        assert (outcome.status, outcome.err) == (BAD_INPUT, "mjconv: error: logs: there is no record in it\n")

    def test_an_archive_on_standard_input(self, run: Run) -> None:
        outcome = run("-", "--to", "mjai", stdin=_tarred())
        assert outcome.err == "mjconv: error: <stdin>: is a tar archive, but one file was expected\n"
