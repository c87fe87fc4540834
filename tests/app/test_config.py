"""The configuration file: its place, the effect of its values, and its mistakes."""

from pathlib import Path

import pytest
from given import GAME, ROUND, Run, put_files

from looped import looped


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name a file of the test as the configuration."""
    (tmp_path / "a.mjson").write_text(ROUND)
    path = tmp_path / "mine.toml"
    monkeypatch.setenv("MJCONV_CONFIG", str(path))
    return path


def test_limits_hold_in_the_quick_start_too_and_an_option_changes_one_of_them(config: Path, run: Run) -> None:
    config.write_text('limits = {"file-bytes" = "1kB", events = 3}\n')
    assert "limit" in run("./a.mjson", "-o", "b.mjson").err
    assert "file-bytes" not in run("./a.mjson", "-o", "b.mjson", "--limit", "file-bytes=1MB").err
    assert "events" in run("./a.mjson", "-o", "b.mjson", "--limit", "file-bytes=1MB").err


def test_the_option_names_the_language_before_the_file(config: Path, run: Run) -> None:
    config.write_text('language = "ja"\n')
    assert "エラー" in run("info", "none.mjson").err
    assert "error" in run("info", "none.mjson", "--lang", "en").err


def test_jobs_and_house_are_for_options_not_given(config: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text('jobs = 3\nhouse = "kiriage"\n')
    seen: list[object] = []
    monkeypatch.setattr("mjconv.command.batch.run_batch", lambda options: seen.append(options) or 0)
    words = ("batch", "a.mjson", "-o", "out", "--to", "jmjp")
    for more in ((), ("--jobs", "2"), ("--check",), ("--check", "--house", "no-kiriage")):
        run(*words, *more).check(0)
    given = [(one.jobs, one.convert.house) for one in seen]  # type: ignore[attr-defined]
    assert given == [(3, None), (2, None), (3, "kiriage"), (3, "no-kiriage")]
    Path("game.mjson").write_text(GAME)
    for level in ("syntax", "order", "rules"):
        run("validate", "game.mjson", "--level", level).check(0)


def test_no_file_of_the_working_folder_counts(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MJCONV_CONFIG")
    home = tmp_path / "home" / "mjconv"
    home.mkdir(parents=True)
    put_files({"mjconv.toml": "wrong", "mjconv/mjconv.toml": "wrong"})
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, ".")
    run("formats", "mjai").check(0)
    (home / "mjconv.toml").write_text("wrong")
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(name, str(home.parent))
    assert "home/mjconv/mjconv.toml:1:1: " in run("formats", "mjai").err


@looped(
    ("text", "error"),
    ("jobs = 2\nhouse = kiriage\n", "mine.toml:2:9: Invalid value"),
    ("jobs = 0\n", "mine.toml:1:1: Expected `int` >= 1 - at `$.jobs`"),
    ("# jobs = 1\njobs = 0\n", "mine.toml:2:1: Expected `int` >= 1"),
    ("jobs = 2\njobs = 3", "mine.toml:2:1: Cannot overwrite a value"),
    (
        "\nlanguages = 1\n",
        "mine.toml:2:1: there is no key 'languages', did you mean 'language'?; the keys are language, jobs, ",
    ),
    ('\nlanguage = "jp"\n', "did you mean ja?"),
    ('house = "kiriagee"\n', "mine.toml:1:1: "),
    ("jobs = 1\n[limits]\nmessage = 3\n", "mine.toml:2:1: there is no limit 'message'"),
)
def test_a_mistake_has_its_place(text: str, error: str, config: Path, run: Run) -> None:
    config.write_text(text)
    run("formats").check(2, err=error)


def test_a_mistake_is_in_the_language_of_the_command(config: Path, run: Run) -> None:
    config.write_text("langage = 1\n")
    run("formats", "--lang", "ja").check(2, err="次のキーはありません: 'langage'")


def test_a_named_file_must_be_there(config: Path, run: Run) -> None:
    assert f"{config}: No such file" in run("./a.mjson", "-o", "b.mjson").err
