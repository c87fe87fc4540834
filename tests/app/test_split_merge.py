"""`mjconv split` and `mjconv merge`: one file per match, and back."""

import os
from pathlib import Path

import pytest
from given import BAD_INPUT, BROKEN, DONE, GAME, ROUND, WOULD_LOSE, Run

from mjconv import read_all
from mjconv.files.compression import BY_NAME


@pytest.fixture
def day() -> str:
    """Create a file of three matches and a folder to split it into."""
    Path("day.mjson").write_text(GAME + ROUND + GAME)
    Path("out").mkdir()
    return "day.mjson"


def test_merge_puts_together_what_split_took_apart(run: Run, day: str) -> None:
    run("split", day, "-o", "out")
    run("merge", *sorted(Path("out").iterdir()), "-o", "again.mjson").check(DONE)
    assert Path("again.mjson").read_bytes() == Path(day).read_bytes()
    assert read_all("again.mjson") == read_all(day)


def test_a_pattern_in_gz_compresses_each_file(run: Run, day: str) -> None:
    assert run("split", day, "-o", "g-%05d.mjson.gz").status == DONE
    assert Path("g-00002.mjson.gz").read_bytes() == BY_NAME["gzip"].pack(ROUND.encode())


def test_the_ending_of_a_compressed_file_is_in_no_name(run: Run, day: str) -> None:
    assert run("convert", day, "-o", "day.mjson.zst").status == DONE
    assert run("split", "day.mjson.zst", "-o", "out/").status == DONE
    assert sorted(os.listdir("out")) == ["day_001.mjson", "day_002.mjson", "day_003.mjson"]


def test_standard_input_is_split_under_a_plain_name(run: Run, day: str) -> None:
    assert run("split", "-", "-o", "out", stdin=Path(day).read_bytes()).status == DONE
    assert sorted(os.listdir("out")) == ["match_001.mjson", "match_002.mjson", "match_003.mjson"]


@pytest.mark.usefixtures("day")
def test_losses_name_the_match_in_the_whole_and_strict_writes_nothing(run: Run) -> None:
    Path("in.tally").write_text("tally\nA\nlossy\n")
    run("split", "in.tally", "-o", "out", "--strict").check(WOULD_LOSE, err="player.team, first in match 2")
    assert os.listdir("out") == []


def test_a_folder_is_made_if_its_name_ends_with_a_slash(run: Run, day: str) -> None:
    for _ in range(2):
        run("split", day, "-o", "new/").check(DONE)
        assert sorted(os.listdir("new")) == ["day_001.mjson", "day_002.mjson", "day_003.mjson"]


def test_a_folder_that_is_made_is_removed_after_an_error(run: Run, day: str) -> None:
    Path(day).write_text(GAME + BROKEN)
    assert run("split", day, "-o", "new/").status == BAD_INPUT
    assert sorted(os.listdir()) == ["day.mjson", "out"]


def test_notes_go_with_their_matches_through_another_format(run: Run, day: str) -> None:
    noted = ROUND.replace('"fan":3', '"fan":3,"remark":"carried in a note"')
    Path(day).write_text(GAME + noted + ROUND)
    assert run(day, "-o", "day.jmjp").status == DONE
    assert run("split", "day.jmjp", "-o", "out").status == DONE
    assert sorted(os.listdir("out")) == ["day_001.jmjp", "day_002.jmjp", "day_003.jmjp"]
    assert run("out/day_002.jmjp", "--to", "mjai").out == noted.encode()
    assert run("merge", *sorted(Path("out").iterdir()), "-o", "again.jmjp").status == DONE
    assert Path("again.jmjp").read_bytes() == Path("day.jmjp").read_bytes()
    assert run("again.jmjp", "--to", "mjai").out == Path(day).read_bytes()
