"""Help, version, completion, the man page, and the command ``mjconv explain``."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
import typer.main
from given import Run

from looped import looped
from mjconv import VERSION
from mjconv.command import manual
from mjconv.command.cli import app
from mjconv.command.console import Exit
from mjconv.command.explain import FATES, explain
from mjconv.command.group import _HEADINGS, DEFAULT
from mjconv.command.options import COMMANDS, WORDS
from mjconv.converters.formats import FORMATS
from mjconv.ir.losses import Fate
from mjconv.referee.codes import CODES


def test_the_main_use_comes_first_with_examples_options_and_commands(run: Run) -> None:
    for option in ("--help", "-h"):
        text = run(option).out.decode()
        assert text.startswith("Usage: mjconv IN... -o OUT\n")
        assert "mjconv game.jmjp -o game.mjson" in text
        for word in ("--strict", "--report FILE", "-V, --version", "--show-completion"):
            assert f"\n  {word}" in text
        for command in ("convert", "info", "formats", "split", "merge"):
            assert f"\n  {command} " in text


#: The first option under each heading of a long help, and another one.
INPUT, CHECKS = "What to read and write", "Checks"
SECTIONS = {
    "": {INPUT: ("-o", "--no-clobber"), "How": ("--plain", "--answers"), "Limits and messages": ("--limit", "-h")},
    "batch": {INPUT: ("-o", "--shards"), "How": ("--jobs", "--kanachan"), CHECKS: ("--check", "--house")},
    "validate": {INPUT: ("--format", "--ignore"), CHECKS: ("--house", "--fix-list")},
    "fleet run": {"How": ("--engine", "--part")},
    "fleet finish": {"Options": ("--skip-failed", "-h")},
}


@looped("command", *SECTIONS)
def test_options_are_in_groups_by_use(run: Run, command: str) -> None:
    text = run(*command.split(), "--help").out.decode()
    assert max(len(line) for line in text.splitlines()) <= 80
    for heading, ends in SECTIONS[command].items():
        section = re.split(r"\n\n", text.split(f"\n{heading}:\n")[1])[0]
        named = re.findall(r"^  (-[-\w]+)", section, re.MULTILINE)
        assert named[0] == ends[0]
        assert ends[1] in named
    # Each option is under one heading.
    for option in re.findall(r"^  (?:-\w, )?(--[-\w]+)", text, re.MULTILINE):
        assert len(re.findall(rf"^  (?:-\w, )?{option}\b(?!-)", text, re.MULTILINE)) == 1


def test_each_name_under_a_heading_is_that_of_an_option() -> None:
    own = {"install_completion", "show_completion", "version", "help"}
    every = {name for rows in COMMANDS.values() for name in rows}
    assert {name for names in _HEADINGS.values() for name in names.split()} <= own | every


def test_the_version(run: Run) -> None:
    assert run("-V").out == run("--version").out == f"mjconv {VERSION}\n".encode()


def test_the_completion_script(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_MJCONV_COMPLETE", "source_bash")
    assert "complete -o default -F _mjconv_completion mjconv" in run().out.decode()


@looped(
    ("typed", "position", "completed"),
    ("mjconv in", "1", ["info"]),
    ("mjconv in.mjson --to jm", "3", ["jmjp", "jmjp-0"]),
    ("mjconv convert in.mjson -t jm", "4", ["jmjp", "jmjp-0"]),
    ("mjconv in.mjson --stri", "2", ["--strict"]),
    ("mjconv info --from mjai-b", "3", ["mjai-batch"]),
    ("mjconv in.mjson --from tal", "3", ["tally", "tally-loud"]),
    ("mjconv in.mjson --to par", "3", []),
    ("mjconv batch logs --to par", "4", ["parquet"]),
    ("mjconv batch logs --to jm", "4", ["jmjp", "jmjp-0"]),
    ("mjconv validate in.mjson --level o", "4", ["order"]),
    ("mjconv validate in.mjson --select R042,furi", "4", ["R042,furiten"]),
    ("mjconv validate in.mjson --ignore S00", "4", ["S001", "S002", "S003"]),
    ("mjconv validate in.mjson --format s", "4", ["sarif"]),
    ("mjconv validate in.mjson --color n", "4", ["never"]),
    ("mjconv validate in.mjson --house kiri", "4", ["kiriage"]),
    ("mjconv in.mjson --check --house kiriage,no-kir", "4", ["kiriage,no-kiriage"]),
    ("mjconv in.mjson --house kiriage,red", "3", ["kiriage,reds="]),
    ("mjconv view in.mjson --lang z", "4", ["zh", "zh-Hans"]),
    ("mjconv info in.mjson --limit rou", "4", ["rounds="]),
    ("mjconv info in.mjson --encoding sh", "4", ["shift_jis"]),
)
def test_arguments_are_completed(
    run: Run, monkeypatch: pytest.MonkeyPatch, typed: str, position: str, completed: list[str]
) -> None:
    monkeypatch.setenv("_MJCONV_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", position)
    assert run().out.decode().split() == completed


def test_an_option_means_one_thing_in_all_commands() -> None:
    """Each name of an option has one other name, one kind of value, and a help that begins alike where it can."""
    meanings: dict[str, set[tuple[str, ...]]] = {}
    for rows in COMMANDS.values():
        for row in rows.values():
            names = row.names.split()
            for name in names:
                meanings.setdefault(name, set()).add((*names, row.metavar))
    # `score` has a table for each period, `stats` a row for each fact; `serve` names the bots of its page.
    assert {name for name, found in meanings.items() if len(found) > 1} == {"--by", "--bot"}
    assert {name for name in meanings if len(name) == 2} == {"-f", "-t", "-o", "-q"}


def test_an_unknown_house_rule_lists_the_rules_and_the_help_only_names_some(run: Run) -> None:
    assert "kiriage" in run("validate", "--house", "soft", "x.jmjp").err
    line = next(one for one in run("validate", "--help").out.decode().splitlines() if "--house" in one)
    assert line.endswith("  House rules for the check, such as kiriage,honba=1500.")


# The command ``mjconv explain``: codes, losses, fates, and completion.


@looped(
    ("word", "text"),
    *((word, "R042 furiten (error, rules): ") for word in ("R042", "furiten")),
    ("dropped", "dropped: the plain text of the output does not state the value, and no note does"),
    ("round.dice", ": the output does not state this as the input does. `dice` are two dice, or one total."),
    ("dahai.tsumogiri", "`tsumogiri`: whether it is the tile just drawn."),
    ("dora", "A further dora indicator is turned."),
)
def test_a_word_has_its_meaning_and_a_page(word: str, text: str, run: Run) -> None:
    said = run("explain", word).out.decode()
    assert text in said
    assert "\n  docs/" in said


def test_every_code_and_fate_is_explained() -> None:
    assert set(FATES) == set(get_args(Fate))
    assert all(list(explain([code])) for code in CODES)


@looped(("word", "meant"), ("furitn", "furiten"), ("round.dise", "round.dice"), ("droped", "dropped"))
def test_an_unknown_word_names_the_nearest_one(word: str, meant: str, run: Run) -> None:
    run("explain", word).check(2, err=f"did you mean '{meant}'?")


def test_codes_complete() -> None:
    assert "R042" in WORDS[COMMANDS["explain"]["words"].words]("R04")


# The man page and the completions are made from the command itself, and they work.


@pytest.fixture
def share() -> Path:
    """Write the files as a release does."""
    files = ["man/man1/mjconv.1", "bash-completion/completions/mjconv", "zsh/site-functions/_mjconv"]
    files = [*files, "fish/vendor_completions.d/mjconv.fish"]
    assert manual.write("share") == [f"share/{name}" for name in files]
    return Path("share")


@pytest.fixture
def commands(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which this Python is the command ``mjconv``."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/mjconv").write_text(f'#!/bin/sh\nexec {sys.executable} -m mjconv "$@"\n')
    (tmp_path / "bin/mjconv").chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}


def printed(words: list[str], environment: dict[str, str]) -> str:
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout


class TestManPage:
    def test_it_has_every_command_and_every_option(self) -> None:
        page = manual.man_page()
        for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
            assert f"\n.SS mjconv {name} " in page or f"\n.SS mjconv {name}\n" in page
            # The options of the page itself are those of convert.
            own = page if name == DEFAULT else page.partition(f"\n.SS mjconv {name} ")[2].partition("\n.S")[0]
            for param in command.params:
                for option in param.opts if param.param_type_name == "option" and not param.hidden else ():
                    assert option.replace("-", "\\-") in own
                    assert param.help.replace("\\", "\\e").replace("-", "\\-") in own

    def test_it_has_every_format_and_every_exit_status(self) -> None:
        page = manual.man_page()
        assert set(manual.STATUSES) == set(Exit)
        assert all(f".TP\n.B {form.id}\n" in page for form in FORMATS)
        assert all(f".TP\n.B {int(status)}\n" in page for status in Exit)

    @pytest.mark.skipif(shutil.which("groff") is None, reason="no groff to format the page with")
    def test_it_can_be_formatted(self, share: Path) -> None:
        words = ["groff", "-man", "-Tutf8", "-P-cbou", "-ww", str(share / manual.MAN_PAGE)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        assert "mjconv batch logs.zip -o out/ --to jmjp" in done.stdout
        # A help text that begins with a dot or a quote is no request of roff.
        assert ".zip .tar .tar.gz" in done.stdout
        assert "Ùzje" in done.stdout

    def test_a_line_that_begins_like_a_request_is_text(self) -> None:
        assert manual._roff(".TH x \\n") == "\\&.TH x \\en"
        assert manual._roff("'quoted'") == "\\&'quoted'"


class TestCompletions:
    def test_of_bash(self, share: Path, commands: dict[str, str]) -> None:
        script = (
            f"source {share / manual.COMPLETIONS['bash']}; COMP_WORDS=(mjconv val); COMP_CWORD=1; "
            '_mjconv_completion mjconv; echo "${COMPREPLY[@]}"; complete -p mjconv'
        )
        shown = "validate\ncomplete -o default -F _mjconv_completion mjconv\n"
        assert printed(["bash", "--norc", "-c", script], commands) == shown

    @pytest.mark.skipif(shutil.which("fish") is None, reason="no fish to complete in")
    def test_of_fish(self, share: Path, commands: dict[str, str]) -> None:
        script = f"source {share / manual.COMPLETIONS['fish']}; complete -C 'mjconv batch logs --to uzje-l'"
        assert printed(["fish", "--no-config", "-c", script], commands).split() == ["uzje-long"]

    @pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh to complete in")
    def test_of_zsh(self, share: Path, commands: dict[str, str]) -> None:
        folder = (share / manual.COMPLETIONS["zsh"]).parent.resolve()
        script = f"fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[mjconv]"
        assert printed(["zsh", "-fc", script], commands) == "_mjconv\n"
        assert printed(["zsh", "-n", str(share / manual.COMPLETIONS["zsh"])], commands) == ""


def test_it_is_a_command_of_its_own(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["manual", "share"])
    manual.main()
    assert capsys.readouterr().out.splitlines()[0] == "share/man/man1/mjconv.1"
    monkeypatch.setattr(sys, "argv", ["manual"])
    with pytest.raises(SystemExit, match=r"usage: python -m mjconv\.manual FOLDER"):
        manual.main()
