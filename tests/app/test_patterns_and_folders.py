"""Patterns that no shell expanded, and folders: every command that takes several files takes them."""

from pathlib import Path

import pytest
from given import GAME, WRONG_USAGE, Run, put_files

from looped import looped


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
