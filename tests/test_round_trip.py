"""There and back over whole logs: nothing is lost, and nothing is added."""

import json

import pytest

from handmade import DIALECTS
from logs import Log, alternating, lines, logs, messages
from looped import looped
from trips import read, standard_messages, there_and_back, write

JMJP = ["jmjp", "jmjp-0"]
FOUR = logs(4)
THREE = logs(3)


three = looped("log", *THREE, ids=str)
both_versions = pytest.mark.parametrize("version", JMJP)


def test_there_are_logs_to_run_over() -> None:
    assert len(FOUR) > 20
    assert len(THREE) > 2
    kinds = {message["type"] for log in FOUR + THREE for message in standard_messages(log.data)}
    assert kinds >= {"chi", "pon", "daiminkan", "kakan", "ankan", "nukidora", "dora", "reach", "hora", "ryukyoku"}


@looped(("log", "version"), *alternating(FOUR, JMJP), every=2)
def test_jmjp_holds_the_same_match_and_gives_the_same_messages(log: Log, version: str) -> None:
    matches = read(log.data, "mjai").matches
    back = read(write(matches, version).data, version).matches
    assert back == matches
    assert messages(write(back, "mjai").data) == standard_messages(log.data)


@looped(("log", "flavour"), *alternating(FOUR + THREE, ["mjai", "mjai-batch"]), every=2)
def test_mjai_to_mjai_keeps_the_messages(log: Log, flavour: str) -> None:
    written = write(read(log.data, "mjai").matches, flavour)
    assert written.losses == []
    assert read(written.data, "mjai").matches == read(log.data, "mjai").matches
    said = json.loads(written.data) if flavour == "mjai-batch" else messages(written.data)
    assert said == standard_messages(log.data)


@three
def test_riichienv_reads_kita_and_gives_back_nukidora(log: Log) -> None:
    written = write(read(log.data, "mjai").matches, "mjai-riichienv").data
    kinds = [message["type"].replace("nukidora", "kita") for message in messages(log.data)]
    assert [message["type"] for message in messages(written)] == kinds
    assert standard_messages(written) == standard_messages(log.data)


def test_a_batch_file_of_several_games_comes_back_whole() -> None:
    """One array a line, a match each; one array may also hold several."""
    games = [messages(log.data) for log in FOUR[:3]]
    one_each = b"".join(json.dumps(game).encode() + b"\n" for game in games)
    all_in_one = json.dumps([message for game in games for message in game]).encode()
    expected = standard_messages(b"".join(lines(game) for game in games))
    for data in (one_each, all_in_one):
        assert len(read(data, "mjai").matches) == 3
        assert messages(there_and_back(data, "jmjp")) == expected
    back = write(read(one_each, "mjai").matches, "mjai-batch").data
    assert [json.loads(line) for line in back.splitlines()] == [standard_messages(lines(game)) for game in games]


@both_versions
@looped("dialect", *DIALECTS)
def test_each_dialect_comes_back_with_its_own_keys_in_standard_spelling(dialect: str, version: str) -> None:
    data = lines(DIALECTS[dialect])
    expected = standard_messages(data)
    if dialect == "RiichiEnv":
        expected[0]["id"] = 2
        expected[1]["scores"] = [25000] * 4
    assert messages(there_and_back(data, version)) == expected


def test_whole_numbers_stay_whole_and_large_numbers_exact() -> None:
    written = there_and_back(lines(DIALECTS["Mortal and mjai-reviewer"]), "jmjp")
    assert b'"seed":[18446744073709551617,0.5]' in written
    assert b".0" not in there_and_back(lines(DIALECTS["RiichiEnv"]), "jmjp")


@both_versions
def test_a_game_without_messages_but_its_beginning(version: str) -> None:
    data = b'{"type":"start_game"}\n'
    assert there_and_back(data, version) == data


@both_versions
def test_a_round_whose_dealer_is_not_that_of_its_name(version: str) -> None:
    """Some logs number the players from another seat: who deals in E1 need not be player 0."""
    log = messages(FOUR[0].data)
    for message in log:
        for key in ("actor", "target", "oya"):
            if key in message:
                message[key] = (message[key] + 1) % 4
        for key in ("tehais", "scores", "deltas", "names", "tenpais"):
            if message.get(key):
                message[key] = message[key][-1:] + message[key][:-1]
    assert messages(there_and_back(lines(log), version)) == standard_messages(lines(log))
