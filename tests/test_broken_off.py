"""Logs that break off anywhere are converted all the same, with a warning that names the place."""

import pytest

from comparison import in_parts
from handmade import DIALECTS, LOG
from logs import FOLDER, Log, Message, lines, logs, messages, short_logs
from looped import looped
from mjconv.ir.losses import Warn
from trips import read, standard_messages, write

FOUR = logs(4)
SHORT = short_logs()
#: Two that are cut after every message, beside the hand-made ones: the shortest, and the longest of the short.
WHOLE = [SHORT[0], SHORT[-1]]
#: How often each other log is cut: the real logs are many.
CUTS = 4 if FOLDER else 20


def breaks(log: list[Message]) -> list[Warn]:
    """Return the warning that a reader should give for these messages."""
    expected = []
    for index, played in enumerate(in_parts(log)[1]):
        kinds = {message["type"] for message in played}
        missing = [
            word
            for word, ends in (("result", {"hora", "ryukyoku"}), ("end_kyoku", {"end_kyoku"}))
            if not kinds & ends
        ]
        if missing:
            name = [str(played[0].get(key, "?")) for key in ("bakaze", "kyoku", "honba")]
            label = "?" if set(name) == {"?"} else "{}{}-{}".format(*name)
            expected.append(Warn(f"the round has no {' and no '.join(missing)}", 0, index, label))
    if log[-1]["type"] != "end_game":
        expected.append(Warn("the game has no end_game", 0))
    return expected


def check(log: list[Message], version: str) -> None:
    data = lines(log)
    was = read(data, "mjai")
    assert was.warnings == breaks(log)
    back = read(write(was.matches, version).data, "jmjp")
    assert back.matches == was.matches
    assert messages(write(back.matches, "mjai").data) == standard_messages(data)
    plain = read(write(was.matches, version, plain=True).data, "jmjp").matches
    assert read(write(plain, version, plain=True).data, "jmjp").matches == plain


@pytest.mark.parametrize("version", ["jmjp", "jmjp-0"])
@pytest.mark.parametrize("log", WHOLE, ids=str)
def test_a_log_cut_after_every_message_in_turn(log: Log, version: str) -> None:
    whole = messages(log.data)
    for end in range(1, len(whole) + 1):
        check(whole[:end], version)


@looped("version", "jmjp", "jmjp-0")
@looped("whole", LOG, *DIALECTS.values(), ids=["by hand", *DIALECTS])
def test_a_log_of_each_dialect_cut_after_every_message_in_turn(whole: list[Message], version: str) -> None:
    for end in range(1, len(whole) + 1):
        log = standard_messages(lines(whole[:end]))
        log[0].pop("id", None)
        if len(log) > 1 and "scores" in log[1]:
            log[1]["scores"] = [int(score) for score in log[1]["scores"]]
        check(log, version)


@pytest.mark.slow
@pytest.mark.parametrize("log", FOUR, ids=str)
def test_every_log_cut_here_and_there(log: Log) -> None:
    """Each log is cut at other places, so that over all logs they fall on every kind of message."""
    whole = messages(log.data)
    step = max(1, len(whole) // CUTS)
    for number, end in enumerate(range(1 + hash_of(log) % step, len(whole), step)):
        check(whole[:end], ["jmjp", "jmjp-0"][number % 2])


def hash_of(log: Log) -> int:
    return sum(log.name.encode())


def test_the_cuts_fall_on_every_kind_of_message() -> None:
    kinds = {message["type"] for log in WHOLE for message in messages(log.data)}
    for log in FOUR:
        whole = messages(log.data)
        step = max(1, len(whole) // CUTS)
        kinds |= {whole[end - 1]["type"] for end in range(1 + hash_of(log) % step, len(whole), step)}
    assert kinds >= {"start_kyoku", "tsumo", "dahai", "chi", "pon", "reach", "end_kyoku"}


@pytest.mark.parametrize("log", logs(3)[:2], ids=str)
def test_a_log_of_three_players_cut_here_and_there_keeps_its_messages(log: Log) -> None:
    whole = messages(log.data)
    for end in range(1, len(whole), 29):
        was = read(lines(whole[:end]), "mjai")
        assert was.warnings == breaks(whole[:end])
        assert messages(write(was.matches, "mjai").data) == standard_messages(lines(whole[:end]))


def test_a_round_in_the_middle_may_break_off_and_the_game_go_on() -> None:
    log = [*LOG[:4], *LOG[6:]]
    assert breaks(log) == [Warn("the round has no result and no end_kyoku", 0, 0, "E1-0")]
    check(log, "jmjp")


def test_the_next_game_may_follow_on_one_that_broke_off() -> None:
    was = read(lines([*LOG[:8], *LOG]), "mjai")
    assert [str(warning) for warning in was.warnings] == [
        "match 1, round E2-0: the round has no result and no end_kyoku",
        "match 1: the game has no end_game",
    ]
    assert messages(write(read(write(was.matches, "jmjp").data, "jmjp").matches, "mjai").data) == [*LOG[:8], *LOG]
