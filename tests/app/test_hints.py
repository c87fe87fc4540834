"""Hints of messages name what was meant: formats by the ending of their files, commands, packages."""

import zipfile
from pathlib import Path

import pytest
from given import GAME, Run

from looped import looped

BAD_INPUT, WRONG_USAGE = 1, 2


@pytest.fixture(autouse=True)
def _game() -> None:
    Path("game.mjson").write_text(GAME)
    Path("game.hk").write_text(GAME)
    Path("evening.hk").write_text("A B C D\n- 3 - d\n")
    with zipfile.ZipFile("evening.xlsx", "w") as book:
        book.writestr("[Content_Types].xml", "<Types/>")


@looped(
    ("words", "hint"),
    [
        ("game.mjson -t tenhou6", "did you mean 'tenhou-json'?"),
        ("game.mjson -t xml", "did you mean 'tenhou'? Their files end in .xml"),
        (
            "game.mjson -t jsonl",
            "did you mean one of mjai, tenhou-json, majsoul, majiang, mjx?",
        ),
        ("game.mjson -t json", "did you mean one of mjai, tenhou-json, majsoul, majiang, mjx"),
        ("lint game.mjson", "did you mean: mjconv validate game.mjson"),
        ("game.mjson -o game.jmpj", "did you mean '.jmjp'?"),
        (
            "evening.xlsx -t hk",
            "evening.xlsx: is a document of an office program and no record: save a sheet as text",
        ),
        ("game.hk -t mjai", "no names and no results; the contents are in mjai: --from mjai reads them"),
        ("score evening.hk -o table.ods", "end in .tsv, .csv, .json, .md, .xlsx, .parquet, and not in .ods"),
        ("score evening.hk -o table.png", "A graph of the points is drawn by: mjconv view FILE -o table.png"),
    ],
)
def test_a_hint_names_what_was_meant(run: Run, words: str, hint: str) -> None:
    outcome = run(*words.split())
    assert outcome.status in (BAD_INPUT, WRONG_USAGE)
    assert hint in outcome.err


def test_formats_takes_names(run: Run) -> None:
    lines = run("formats", "jmjp").out.decode().splitlines()
    assert [line.split()[0] for line in lines] == ["FORMAT", "jmjp", "jmjp-0"]
    assert "did you mean 'jmjp'?" in run("formats", "jmpj").err


def test_messages_about_missing_packages_name_no_clone() -> None:
    root = Path(__file__).parents[2]
    sources = [
        path for folder in ("app", "referee", "converters", "rules") for path in (root / folder).rglob("*.py")
    ]
    assert [path.name for path in sources if "in the clone" in path.read_text("utf-8")] == []
