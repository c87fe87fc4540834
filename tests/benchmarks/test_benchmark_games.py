"""The games of the benchmarks, the files made of them, and whole archives of them."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

import mjconv
from benchmarks import archive, games
from benchmarks.commands import archived
from benchmarks.games import REAL_LOGS, Game, typical
from benchmarks.growth import few_packed, longer, many_packed, repeated
from benchmarks.scores import scores_file
from benchmarks.sides import in_file, in_format, matches_of


def test_real_logs_are_whole_games_of_four(real_logs: Path, tmp_path: Path) -> None:
    source, found = games.load(tmp_path)
    assert source == "real logs"
    assert [str(game.path.relative_to(real_logs)) for game in found] == [
        "tenhou/mjai/2010010100gm-a.mjson",
        "mjai/engine/4p-0.mjson",
        "mjai/selfplay-hanchan.jsonl",
    ]


@pytest.mark.usefixtures("real_logs")
def test_fewer_real_logs_are_some_of_each_kind(tmp_path: Path) -> None:
    _, found = games.load(tmp_path, 2)
    assert [game.path.parent.name for game in found] == ["mjai", "mjai"]
    assert len({game.path for game in found}) == 2


def test_a_folder_without_games_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.REAL_LOGS, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="there is no whole game of four in it"):
        games.load(tmp_path)


def test_without_logs_whole_games_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(games.REAL_LOGS, raising=False)
    source, played = games.load(tmp_path, 2)
    assert source == "played on riichienv"
    assert [games.is_whole(game) for game in played] == [True, True]
    assert played[0].data != played[1].data


def test_without_an_engine_there_is_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(games.REAL_LOGS, raising=False)
    monkeypatch.setattr(games, "find_spec", lambda _: None)
    source, [sample] = games.load(tmp_path, 2)
    assert source == "the sample"
    assert games.is_whole(sample)


def test_the_typical_game_is_of_the_middle_length(tmp_path: Path) -> None:
    short, middle, long = (Game(tmp_path, b"", (b"{}",) * length, tmp_path) for length in (1, 5, 99))
    assert typical([long, short, middle]) == [middle]


def test_a_game_is_prepared_in_each_format(game: Game) -> None:
    assert in_format(game, "mjai") == game.data
    assert (
        mjconv.convert(in_format(game, "jmjp"), source="jmjp", target="mjai").data
        == mjconv.convert(game.data, source="mjai", target="mjai").data
    )
    assert Path(in_file(game, "jmjp")).read_bytes() == in_format(game, "jmjp")
    assert in_file(game, "mjai") == str(game.path)


def test_an_archive_holds_each_game_so_many_times(game: Game) -> None:
    [archive] = archived([game, game], copies=3)
    assert archive.messages == 6 * game.messages
    with ZipFile(archive.path) as packed:
        assert [packed.read(name) for name in packed.namelist()] == [game.data] * 6


def test_a_longer_game_has_its_rounds_several_times(game: Game) -> None:
    [once], [thrice] = matches_of(game), matches_of(longer(game, 3))
    assert thrice.rounds == once.rounds * 3


def test_a_file_has_a_game_several_times(game: Game) -> None:
    assert matches_of(repeated(game, 3)) == matches_of(game) * 3


def test_archives_grow_with_their_size(game: Game) -> None:
    for pack in (few_packed, many_packed):
        assert pack(game, 2).messages == 2 * pack(game, 1).messages > game.messages


def test_scores_are_of_sittings_with_a_date_and_names_each(tmp_path: Path) -> None:
    path = Path(scores_file(tmp_path, lines=200, games=16))
    lines = path.read_text("utf-8").splitlines()
    assert (len(lines), lines[::18]) == (200, sorted(set(lines[::18])))
    assert all(len(names.split()) == 4 for names in lines[1::18])
    played = mjconv.hk_score_files([path]).everyone
    assert played.games == 4 * (200 - len(lines[::18]) - len(lines[1::18]))
    assert 0 < played.blames < played.games


def test_scores_are_the_same_each_time(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    one, other = (Path(scores_file(folder, lines=500, games=8)).read_bytes() for folder in folders)
    assert one == other


# The benchmark of whole archives measures a few games.


@pytest.mark.slow
def test_it_converts_archives_there_and_back_and_prints_figures(
    real_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(REAL_LOGS, str(real_logs))
    archive.main(["--games", "10", "--jobs", "2", "1", "--json", str(tmp_path / "figures.json")])
    printed = capsys.readouterr().out
    assert "10 games equal their single conversion\n" in printed
    assert "10 games equal their single conversion back\n" in printed
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [(row["games"], row["jobs"]) for row in figures] == [(1, 2)] * 3 + [(10, 2)] * 6 + [(10, 1), (10, 2)]
    assert all(row["seconds"] > 0 and row["parent"] > 0 for row in figures)


def test_games_that_differ_are_reported(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "one" / "a").write_text("a")
    (tmp_path / "other" / "a").write_text("b")
    with pytest.raises(SystemExit, match="differ"):
        archive.same(tmp_path, "one", "other")
