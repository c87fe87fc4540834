"""The start of the command: the modules that a run loads, and plain conversions, which run without typer."""

import ast
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from given import GAME, Run, put_files

import mjconv
from corpus_files import SAMPLE
from mjconv.command import cli, start
from mjconv.command import convert as commands
from mjconv.command.console import quiet

#: Modules that take long to load. A run that does not need them must not load them.
HEAVY = {
    "dataclasses", "difflib", "hashlib", "importlib.resources", "inspect", "json", "jsonschema", "orjson",
    "pathlib", "pydantic", "rich", "tempfile", "typing_extensions", "typer", "zipfile", "zstandard",
}  # fmt: skip


def loaded(*words: str) -> set[str]:
    """Return the names of the modules that a run of the command has loaded at its end."""
    program = (
        "import sys; before = set(sys.modules); from mjconv.command.start import main; sys.argv[0] = 'mjconv'\n"
        "try: main()\n"
        "except SystemExit as left: assert not left.code, left.code\n"
        "print(*set(sys.modules) - before)"
    )
    # Without site-packages' own start files: some of them load modules.
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, check=True, text=True)
    return set(done.stdout.split())


def calls(monkeypatch: pytest.MonkeyPatch, main: Any, words: list[str]) -> list[Any]:
    """Return the conversions that a run of the command begins, and its exit status."""
    found: list[Any] = []

    def join(options: commands.JoinOptions) -> None:
        found.append((options, quiet.current()))

    monkeypatch.setattr(commands, "join", join)
    monkeypatch.setattr(sys, "argv", ["mjconv", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return [*found, left.value.code]


class TestWhatARunLoads:
    def test_a_conversion_and_the_way_back_load_nothing_heavy(self) -> None:
        Path("in.mjson").write_text(GAME)
        for words in (
            ("in.mjson", "-o", "out.jmjp"),
            ("in.mjson", "-o", "out.mjson", "--quiet"),
            (str(SAMPLE), "-o", "out.jmjp", "--quiet"),
            ("out.jmjp", "-o", "back.mjson", "--quiet"),
        ):
            assert loaded(*words) & (HEAVY | {"lark"}) == set(), words

    def test_help_needs_no_pygls(self) -> None:
        assert "pygls" not in loaded("--help")

    @pytest.mark.parametrize(
        ("code", "absent", "there"),
        [
            ("import mjconv; mjconv.InputError", "mjconv.api", "mjconv.ir.errors"),
            ("import mjconv; mjconv.read; mjconv.decisions", "riichienv", "mjconv.api"),
            ("import mjconv.referee.referee", "mahjong", "mjconv.ir.table"),
            ("from mjconv import schemas; schemas.load('hora')", "jsonschema", "mjconv.schemas"),
        ],
    )
    def test_a_name_of_the_library_loads_its_module_only(self, code: str, absent: str, there: str) -> None:
        program = f"{code}; import sys; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
        names = set(done.stdout.split())
        assert there in names
        assert absent not in names


class TestTheLibrary:
    def test_every_public_name_can_be_imported(self) -> None:
        for name in mjconv.__all__:
            assert getattr(mjconv, name) is not None
        assert set(mjconv.__all__) <= set(dir(mjconv))

    def test_type_checkers_know_each_name_from_the_module_that_it_is_loaded_from(self) -> None:
        tree = ast.parse(Path(mjconv.__file__).read_text("utf-8"))
        [block] = [node for node in tree.body if isinstance(node, ast.If)]
        nodes = [node for node in block.body if isinstance(node, ast.ImportFrom)]
        stated = {alias.name: node.module for node in nodes for alias in node.names}
        assert stated | {"VERSION": "mjconv.version"} == mjconv._MODULES  # type: ignore[attr-defined]
        assert set(mjconv._MODULES) == set(mjconv.__all__)  # type: ignore[attr-defined]

    def test_other_names_are_an_attribute_error(self) -> None:
        with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
            mjconv.no_such_name  # noqa: B018


class TestPlainConversions:
    WORDS = (
        *("in.mjson", "./in.mjson", "two.jmjp", "-", "missing.mjson", "info", "formats", "", "--", "-x", "-qq"),
        *("-o", "-oout.jmjp", "--output", "--output=out.jmjp", "out.jmjp", "--from", "-t", "--to", "mjai"),
        *("--report", "r.json", "-q", "--quiet", "--plain", "--fill", "--strict", "--lossy", "--check", "--house"),
        *("--help", "--version", "--in-place", "--no-clobber", "--limit", "rounds=5", "--nonsense"),
    )

    @pytest.fixture(autouse=True)
    def _files(self) -> None:
        put_files({"in.mjson": GAME, "two.jmjp": GAME})

    @pytest.mark.parametrize("seed", range(20))
    def test_are_the_same_as_with_the_whole_command(self, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        chosen, quick = random.Random(seed), 0
        for _ in range(40):
            words = ["in.mjson", "-o", "out.jmjp"] if chosen.random() < 0.6 else []
            words += chosen.choices(self.WORDS, k=chosen.randint(0, 4))
            if start.plain_conversion(words) is None:
                continue
            quick += 1
            assert calls(monkeypatch, start.main, words) == calls(monkeypatch, cli.main, words), words
        assert quick

    def test_an_error_has_the_same_message_and_status(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("bad.mjson").write_text(GAME + "{")
        for words in (
            "bad.mjson -o out.jmjp", "in.mjson -o out.nonsense", "in.mjson --to nonsense",
            "in.mjson", "in.mjson -o no/such/folder.jmjp", "in.mjson -o in.mjson",
        ):  # fmt: skip
            assert start.plain_conversion(words.split()) is not None
            quick = run(*words.split())
            with monkeypatch.context() as patch:
                patch.setattr(start, "plain_conversion", lambda _: None)
                assert run(*words.split()) == quick, words
            assert quick.status != 0

    def test_completion_is_left_to_the_whole_command(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("_MJCONV_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "mjconv in.mjson --fro")
        monkeypatch.setenv("COMP_CWORD", "2")
        assert run("in.mjson", "-o", "out.jmjp").out.decode().split() == ["--from"]
        assert not Path("out.jmjp").exists()
