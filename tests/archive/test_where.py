"""The language of ``--where``: what an expression keeps, and what each mistake is answered."""

import datetime
import json
from pathlib import Path

import pytest

import mjconv
from looped import looped
from mjconv.archive.facts import Facts
from mjconv.archive.where import where_of
from mjconv.ir.errors import UsageError

GAME = Facts(
    4,
    9,
    "mjai",
    date=datetime.date(2023, 5, 6),
    time=datetime.time(18, 30, tzinfo=datetime.UTC),
    room="houou",
    lobby=0,
    open_tanyao=True,
    names=("A'B", None, "東風", "x%y"),
    ratings=(2100.5, None, 1500.0, 1499.0),
    whole=False,
)


@looped(
    ("text", "kept"),
    ("players = 4", True),
    ("players == 3 or rounds >= 9", True),
    ("PLAYERS = 4 ".lower() + "AND NOT rounds < 9", True),
    ("players != 4", False),
    ("players in (3, 4) and rounds not in (1, 2)", True),
    ("date >= 2023-01-01 and date < 2023-05-07", True),
    ("time > 18:29 and time <= 18:30:00", True),
    ("room = 'houou'", True),
    ('room = "jade"', False),
    ("names = 'A''B'", True),
    ("names like '東%'", True),
    ("names like '_風'", True),
    ("names like 'X%Y'", True),
    ("names like '%%b'", True),
    ("names not like '%q%'", True),
    ("names like '風'", False),
    ("ratings > 2100", True),
    ("not ratings < 1400", True),
    ("open_tanyao", True),
    ("whole", False),
    ("whole = false", True),
    ("lobby = 0", True),
    # Facts that the record does not state.
    ("platform = 'tenhou'", False),
    ("platform != 'tenhou'", False),
    ("not platform = 'tenhou'", True),
    ("start >= 0 or start < 0", False),
    # `and` before `or`, brackets before both.
    ("players = 4 or players = 4 and players = 3", True),
    ("(players = 4 or players = 4) and players = 3", False),
)
def test_an_expression_keeps_the_matches_that_fit(text: str, kept: bool) -> None:
    assert where_of(text)(GAME) is kept


@looped(
    ("text", "message"),
    ("", "from character 1 on"),
    ("players", "players is compared with a number"),
    ("players = ", "from character 11 on"),
    ("players = 'four'", "players is compared with a number"),
    ("room = houou", "joined by and, or, not; a text has quotes: 'houou'"),
    ("room = 'a' houou", "joined by and, or, not"),
    ("romm = 'houou'", "there is no fact 'romm', did you mean 'room'?"),
    ("Rooms = 'houou'", "did you mean 'room'?"),
    ("q = 1", "the facts are players, rounds"),
    ("date = 2023", "date is compared with a date such as 2023-01-31"),
    ("date = 2023-02-30", "no such date or time: 2023-02-30"),
    ("rounds like '1%'", "rounds is compared with a number"),
    ("players = 4; import os", "from character 12 on"),
    ("__class__ = 'x'", "there is no fact '__class__'"),
    ("(" * 5_000 + "whole", "from character 5006 on"),
    ("x" * 10_001, "more than 10,000 characters"),
)
def test_a_mistake_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        where_of(text)
    assert message in error.value.message
    assert error.value.message.startswith("--where: ")


def test_a_pattern_of_many_parts_ends_soon() -> None:
    assert not where_of(f"names like '{'a%' * 40}b'")(Facts(4, 1, names=("a" * 4_000,)))


def test_the_library_reads_the_matches_that_fit(tmp_path: Path) -> None:
    for name, players in {"one.mjson": "ABCD", "two.mjson": "EFGH"}.items():
        start = json.dumps({"type": "start_game", "names": list(players)})
        (tmp_path / name).write_text(f'{start}\n{{"type":"end_game"}}\n')
    fits, others = "names = 'F'", "not names = 'F'"
    assert [Path(one.source).name for one in mjconv.iter_records(tmp_path, where=fits)] == ["two.mjson"]
    assert [match.players[0].name.shown for match in mjconv.iter_matches(tmp_path, where=others)] == ["A"]
    with pytest.raises(UsageError, match="no fact 'nams'"):
        mjconv.iter_records(tmp_path, where="nams = 'F'")


@looped("part", "(players = 3 or ", "not (whole and ")
def test_an_expression_that_is_nested_too_deeply_is_refused_before_a_file_is_read(part: str) -> None:
    for depth in (101, 247, 340):
        with pytest.raises(UsageError, match="nested too deeply; 100 levels are the most"):
            where_of(part * depth + "players = 4" + ")" * depth)
    assert where_of(part * 40 + "players = 4" + ")" * 40) is not None
    with pytest.raises(UsageError, match="nested too deeply"):
        where_of("not " * 2_400 + "whole")
    # Brackets alone are no levels.
    assert where_of("(" * 3_000 + "whole" + ")" * 3_000)(GAME) is False
