"""Help, version and completion of the command."""

import re

import pytest
from given import Run

from looped import looped
from mjconv import VERSION
from mjconv.command.group import _HEADINGS
from mjconv.command.options import COMMANDS


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
