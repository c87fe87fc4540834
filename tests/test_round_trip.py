"""There and back over whole logs, and over logs that break off: nothing is lost, and nothing is added."""

import json

import pytest

from comparison import in_parts
from handmade import DIALECTS, LOG
from logs import FOLDER, Log, Message, alternating, lines, logs, messages, short_logs
from looped import looped
from mjconv.ir.losses import Warn
from trips import read, standard_messages, there_and_back, write

JMJP = ["jmjp", "jmjp-0"]
FOUR = logs(4)
THREE = logs(3)

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


@looped("log", *THREE, ids=str)
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


# Logs that break off anywhere are converted all the same, with a warning that names the place.
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
