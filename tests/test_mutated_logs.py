"""Logs with something changed at random come back as they were, or are refused in words.

What a changed log cannot state otherwise goes into a note: so nothing that can be read and played may
come back different, however odd. What a plain trip loses is listed for these as for any other.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison import check
from engine import play
from logs import Message, lines, messages
from looped import looped
from mjconv.ir.errors import MjconvError, UnsupportedError
from strategies import TILES
from trips import read, standard_messages, there_and_back

#: Rounds, and one game.
GAMES = [
    *(messages(play(seed, length="round", deal="triplets")) for seed in (0, 3, 4, 11)),
    *(messages(play(seed, length="round", deal="waits")) for seed in (1, 2)),
    messages(play(5, length="east")),
]

VERSIONS = ["jmjp", "jmjp-0", "tenhou", "tenhou-json", "majsoul", "majiang", "mjai"]
#: Values that each key may have, right or wrong.
VALUES: dict[str, list[Any]] = {
    **{key: [0, 1, 2, 3] for key in ("actor", "target", "oya")},
    **dict.fromkeys(("pai", "dora_marker"), TILES),
    "bakaze": [*"ESWN"],
    "kyoku": [1, 2, 3, 4],
    "honba": [0, 1, 99, 10**6],
    "kyotaku": [0, 1, 50],
    "tsumogiri": [True, False],
    "deltas": [[0, 0, 0, 0], [1000, -1000, 0, 0], [50, 0, 0, -50], [0, 0, 0, 10**9]],
    "scores": [[25000] * 4, [0, 0, 0, 0], [24950, 25050, 25000, 25000]],
    "ura_markers": [[], ["1m"], ["5mr", "E"], ["1m"] * 5, ["?"]],
    "reason": ["", "howanpai", "sanchaho"],
    "tenpais": [[True] * 4],
    "id": [0, 3],
    "names": [["", "", "", ""], ["\\", '"', "a\nb", "//"], ["東", "[", "]", "()"]],
    "meta": [None, {}, {"a": [1, 2.5]}],
    "scores_after": [1],
}
#: Messages that may be anywhere in a log, and those that mostly may not.
FURTHER: list[Message] = [
    {"type": "dora", "dora_marker": "5pr"}, {"type": "none"}, {"type": "error", "message": "x"},
    {"type": "end_kyoku"}, {"type": "ryukyoku"}, {"type": "end_game"}, {"type": "reach", "actor": 1},
    {"type": "reach_accepted", "actor": 2}, {"type": "hora", "actor": 2, "target": 1},
]  # fmt: skip


def leave_out(log: list[Message], at: int, _: random.Random) -> None:
    del log[at]


def repeat(log: list[Message], at: int, _: random.Random) -> None:
    log.insert(at, dict(log[at]))


def exchange(log: list[Message], at: int, _: random.Random) -> None:
    if at:
        log[at - 1], log[at] = log[at], log[at - 1]


def insert(log: list[Message], at: int, rng: random.Random) -> None:
    log.insert(at, dict(rng.choice(FURTHER)))


def change(log: list[Message], at: int, rng: random.Random) -> None:
    keys = [key for key in log[at] if key in VALUES]
    if keys:
        key = rng.choice(keys)
        log[at] = log[at] | {key: rng.choice(VALUES[key])}


def add(log: list[Message], at: int, rng: random.Random) -> None:
    key = rng.choice(sorted(VALUES))
    log[at] = log[at] | {key: rng.choice(VALUES[key])}


def take_away(log: list[Message], at: int, rng: random.Random) -> None:
    key = rng.choice([key for key in log[at] if key != "type"] or ["none"])
    log[at] = {name: value for name, value in log[at].items() if name != key}


def hide(log: list[Message], at: int, rng: random.Random) -> None:
    if "pai" in log[at]:
        log[at] = log[at] | {"pai": "?"}
    if "tehais" in log[at]:
        hands = list(log[at]["tehais"])
        hands[rng.randrange(4)] = ["?"] * 13
        log[at] = log[at] | {"tehais": hands}


def reorder(log: list[Message], at: int, rng: random.Random) -> None:
    for key in ("consumed", "ura_markers"):
        if key in log[at]:
            log[at] = log[at] | {key: rng.sample(log[at][key], len(log[at][key]))}


MUTATIONS: list[Callable[[list[Message], int, random.Random], None]] = [
    leave_out, repeat, exchange, insert, change, add, take_away, hide, reorder,
]  # fmt: skip


def mutated(game: int, seed: int) -> list[Message]:
    rng = random.Random(seed)
    log = [dict(message) for message in GAMES[game]]
    for _ in range(rng.randrange(1, 4)):
        rng.choice(MUTATIONS)(log, rng.randrange(1 if rng.random() < 0.9 else 0, len(log)), rng)
    return log


def is_written(version: str, log: list[Message]) -> bool:
    """Check one log. Return whether it was written, or else refused."""
    try:
        back = there_and_back(lines(log), version)
    except MjconvError:
        return False
    assert messages(back) == standard_messages(lines(log))
    return True


def loses_what_is_reported(version: str, log: list[Message]) -> None:
    if is_written(version, log) and len(read(lines(log), "mjai").matches) == 1:
        check(lines(log), version)


@pytest.mark.parametrize("version", VERSIONS)
@given(game=st.sampled_from(range(len(GAMES) - 1)), seed=st.integers(0, 10**6))
@settings(max_examples=5 * settings().max_examples)
def test_a_changed_round_comes_back_equal_or_is_refused(game: int, seed: int, version: str) -> None:
    is_written(version, mutated(game, seed))


@pytest.mark.parametrize("version", VERSIONS[:2])
@given(game=st.sampled_from(range(len(GAMES) - 1)), seed=st.integers(0, 10**6))
@settings(max_examples=3 * settings().max_examples)
def test_of_a_changed_round_a_plain_trip_loses_what_the_report_lists(game: int, seed: int, version: str) -> None:
    loses_what_is_reported(version, mutated(game, seed))


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@given(seed=st.integers(0, 10**6))
def test_a_changed_game_comes_back_too(seed: int, version: str) -> None:
    log = mutated(len(GAMES) - 1, seed)
    (loses_what_is_reported if version in VERSIONS[:2] else is_written)(version, log)


@pytest.mark.parametrize("version", ["jmjp", "tenhou", "tenhou-json"])
def test_a_good_part_of_changed_logs_can_be_written(version: str) -> None:
    done = [is_written(version, mutated(game, seed)) for game in range(len(GAMES)) for seed in range(40)]
    assert done.count(True) > len(done) // 10
    assert done.count(False) > len(done) // 4


# What such changes brought to light, in its smallest form.

DEAL: Message = {
    "type": "start_kyoku", "bakaze": "E", "dora_marker": "1m", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
    "scores": [25000] * 4, "tehais": [[*"EEESSSWWWPPPF"]] * 4,
}  # fmt: skip


def turn(seat: int, tile: str, *, drawn: bool) -> list[Message]:
    """Return a draw that nobody saw, and a discard, of the tile drawn or from the hand."""
    discard = {"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": drawn}
    return [{"type": "tsumo", "actor": seat, "pai": "?"}, discard]


def call(kind: str, seat: int, tile: str, *own: str) -> Message:
    """Return a call of the first player's discard."""
    return {"type": kind, "actor": seat, "target": 0, "pai": tile, "consumed": list(own)}


OVER: list[Message] = [{"type": "end_kyoku"}, {"type": "end_game"}]


@looped("version", "jmjp", "jmjp-0")
@looped(
    "called",
    call("pon", 2, "?", "E", "E"),
    call("pon", 2, "?", "?", "?"),
    call("daiminkan", 1, "?", "S", "S", "S"),
    call("chi", 1, "?", "1m", "2m"),
)
def test_a_call_of_a_discard_that_nobody_saw(called: Message, version: str) -> None:
    hands = [["?"] * 13, [*"EEESSSWWWP", "1m", "2m", "F"], *DEAL["tehais"][2:]]
    log = [DEAL | {"tehais": hands}, *turn(0, "?", drawn=False), called, *OVER]
    assert is_written(version, log)
    check(lines(log), version)


@looped("version", "jmjp", "jmjp-0")
def test_a_pon_of_hidden_tiles_that_grows_to_a_kakan(version: str) -> None:
    after_pon = {"type": "dahai", "actor": 2, "pai": "1m", "tsumogiri": False}
    others = [each for seat in (3, 0, 1) for each in turn(seat, "9p", drawn=True)]
    kakan = {"type": "kakan", "actor": 2, "pai": "5p", "consumed": ["5p", "5p", "5pr"]}
    log = [DEAL | {"tehais": [["?"] * 13] * 4}, *turn(0, "5p", drawn=False), call("pon", 2, "5p", "5p", "5pr")]
    log += [after_pon, *others, {"type": "tsumo", "actor": 2, "pai": "?"}, kakan, *OVER]
    assert is_written(version, log)
    check(lines(log), version)


def test_a_log_that_begins_with_the_end_of_a_game() -> None:
    log = [{"type": "end_game"}, {"type": "start_game"}, DEAL, {"type": "end_kyoku"}]
    assert is_written("jmjp", log)
    assert is_written("mjai", log)


@looped(
    ("deal", "result", "message"),
    ({"scores": [10**9] * 4}, {}, "the score of a player is 1000001500: mjlog holds at most 1000000000"),
    ({"honba": 10**6}, {}, "the honba is 1000000: mjlog holds at most 100000"),
    ({"kyotaku": 10**6}, {}, "the number of riichi sticks is 1000000: mjlog holds at most 100000"),
    ({}, {"scores": [0, 0, 0, 10**9]}, "the score of a player before a result is 1000001500: mjlog holds at most"),
)
def test_numbers_that_the_reader_of_mjlog_refuses_are_not_written(
    deal: dict[str, Any], result: dict[str, Any], message: str
) -> None:
    log = [DEAL | deal, {"type": "ryukyoku", "deltas": [1500, 1500, -1500, -1500]} | result, *OVER]
    with pytest.raises(UnsupportedError, match=message):
        there_and_back(lines(log), "tenhou")
