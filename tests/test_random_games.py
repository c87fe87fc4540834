"""Random legal games come back, as another engine agrees; changed ones come back, or are refused in words."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison import check, in_parts
from engine import STYLES, Deal, Length, Performed, Rules, perform, play
from logs import Message, lines, messages
from looped import looped
from mjconv.ir.errors import MjconvError, UnsupportedError
from strategies import TILES
from trips import read, standard_messages, there_and_back, write

RULES: tuple[Rules, ...] = get_args(Rules)
DEALS: tuple[Deal, ...] = get_args(Deal)
VERSIONS = ["jmjp", "jmjp-0"]
#: The forms of Ùzje.
FORMS = ["uzje", "uzje-long", "uzje-commands"]

slow = pytest.mark.slow
both_rules = pytest.mark.parametrize("rules", RULES)


def rounds_of(log: list[Message]) -> list[list[Message]]:
    return [[message for message in played if message["type"] != "end_kyoku"] for played in in_parts(log)[1]]


def out_and_back(game: bytes, rules: Rules) -> None:
    """Check that a game comes back equal, and that its results are those of the engine."""
    for version in VERSIONS:
        assert messages(there_and_back(game, version)) == messages(game)
    performed = perform(there_and_back(game, VERSIONS[0]), rules=rules)
    assert [list(table.events) for table in performed] == rounds_of(messages(game))
    assert all(table.finished for table in performed)
    points_agree(game, performed)
    plain_text_plays_alike(game, rules, performed)


def points_agree(game: bytes, performed: Sequence[Performed]) -> None:
    """Check the points of the jmjp text, seat by seat from the dealer, against the engine's."""
    text = write(read(game, "mjai").matches, "jmjp").data.decode()
    fields = [re.findall(f"{word}\\[([^]]*)", text) for word in ("pfs", "pfe")]
    shown = [[[round(float(one) * 1000) for one in points.split(",")] for points in field] for field in fields]
    expected: list[list[list[int]]] = [[], []]
    for table in performed:
        dealer = table.events[0]["oya"]
        for points, of_all in zip((table.start, table.end), expected, strict=True):
            of_all.append([*points[dealer:], *points[:dealer]])
    assert shown == expected


def plain_text_plays_alike(game: bytes, rules: Rules, performed: Sequence[Performed]) -> None:
    """Check that the text alone, without a note, has the same play and results."""
    away = write(read(game, "mjai").matches, "jmjp", plain=True)
    bare = write(read(away.data, "jmjp").matches, "mjai", plain=True).data
    changed = {loss.round for loss in away.losses if "marker" in loss.what}
    # A red indicator is read as a plain one: of the same tile there may then be one too many to play with.
    kept = [index for index in range(len(performed)) if index not in changed]
    starts = [place for place, message in enumerate(messages(bare)) if message["type"] == "start_kyoku"]
    assert len(starts) == len(performed)
    log = messages(bare)
    of_rounds = [log[a:b] for a, b in zip(starts, [*starts[1:], len(log)], strict=True)]
    again = perform(lines([message for index in kept for message in of_rounds[index]]), rules=rules)
    for index, table in zip(kept, again, strict=True):
        assert table.end == performed[index].end
        assert [win.yaku for win in table.wins] == [win.yaku for win in performed[index].wins]
        doras = [[e["dora_marker"] for e in t.events if e["type"] == "dora"] for t in (table, performed[index])]
        assert doras[0] == doras[1]


@both_rules
@pytest.mark.parametrize("seed", [100, 101, 102, *(pytest.param(n, marks=slow) for n in range(103, 108))])
def test_a_whole_game_of_mixed_players(seed: int, rules: Rules) -> None:
    out_and_back(play(seed, rules=rules), rules)


@both_rules
@pytest.mark.parametrize("chooser", STYLES)
def test_a_game_of_players_of_one_style(chooser: str, rules: Rules) -> None:
    out_and_back(play(7, length="east", chooser=chooser, rules=rules), rules)


@slow
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("chooser", ["mixed", *STYLES])
@given(seed=st.integers(0, 10**6), rules=st.sampled_from(RULES))
@settings(max_examples=min(10, settings().max_examples))
def test_single_rounds_from_every_kind_of_deal(deal: Deal, chooser: str, seed: int, rules: Rules) -> None:
    out_and_back(play(seed, length="round", deal=deal, chooser=chooser, rules=rules), rules)


GAMES = [
    *(("east", players, "fair", seed) for players in (4, 3) for seed in range(4)),
    *(("round", players, deal, seed) for seed in range(3) for players in (4, 3) for deal in DEALS),
]
each_game = looped(("length", "players", "deal", "seed"), *GAMES, every=3)


@pytest.mark.parametrize("target", [*FORMS, "tenhou", "tenhou-json", "majsoul"])
@each_game
def test_a_game_comes_back(length: Length, players: int, deal: Deal, seed: int, target: str) -> None:
    match = read(play(seed, length=length, players=players, deal=deal), "mjai").match
    there = write([match], target).data
    found = read(there, target).matches
    assert found == [match]
    assert write(found, target).data == there
    # The text alone has the same play, and is written again as it is.
    plain = read(write([match], target, plain=True).data, target).matches
    assert read(write(plain, target, plain=True).data, target).matches == plain


@each_game
def test_the_forms_of_a_plain_text_read_alike(length: Length, players: int, deal: Deal, seed: int) -> None:
    matches = read(play(seed, length=length, players=players, deal=deal), "mjai").matches
    short, long, commands = (read(write(matches, form, plain=True).data, form).matches for form in FORMS)
    assert short == long == commands


#: Deals and styles that bring rounds to each of their ends, and how they end beside wins by one player.
ENDS: dict[tuple[Deal, str], set[str]] = {
    ("waits", "riichi"): {"2 win"},
    ("triplets", "kans"): {"suukansansen"},
    ("fair", "mixed"): {"exhaustive_draw"},
    ("orphans", "mixed"): {"kyushu_kyuhai"},
    ("river", "thrower"): {"nagashimangan"},
    ("close", "kans"): {"suucha_riichi"},
    ("winds", "thrower"): {"sufuurenta"},
}


@both_rules
@pytest.mark.parametrize(("deal", "chooser"), ENDS)
def test_rounds_that_end_in_every_way_there_is(deal: Deal, chooser: str, rules: Rules) -> None:
    """The first round of each end and each third of the others go out and come back."""
    ends: Counter[str] = Counter()
    for seed in range(30):
        game = play(seed, length="round", deal=deal, chooser=chooser, rules=rules)
        log = messages(game)
        end = [str(message["reason"]) for message in log if message["type"] == "ryukyoku"]
        end.append(f"{sum(message['type'] == 'hora' for message in log)} win")
        if seed % 3 == 0 or not ends.keys() >= {*end}:
            out_and_back(game, rules)
        ends.update(end)
    assert ends.keys() >= ENDS[deal, chooser]
    assert deal != "waits" or {"tenhou": "sanchaho", "mjsoul": "3 win"}[rules] in ends


@both_rules
def test_the_games_have_everything_that_happens_at_a_table(rules: Rules) -> None:
    games = [play(seed, rules=rules) for seed in range(100, 112)]
    assert {message["type"] for game in games for message in messages(game)} >= {
        "tsumo", "dahai", "chi", "pon", "daiminkan", "kakan", "ankan", "dora", "reach", "reach_accepted", "hora",
        "ryukyoku",
    }  # fmt: skip


# Logs with something changed at random come back as they were, or are refused in words.

#: Rounds, and one game.
LOGS = [
    *(messages(play(seed, length="round", deal="triplets")) for seed in (0, 3, 4, 11)),
    *(messages(play(seed, length="round", deal="waits")) for seed in (1, 2)),
    messages(play(5, length="east")),
]

WAYS = ["jmjp", "jmjp-0", "tenhou", "tenhou-json", "majsoul", "majiang", "mjai"]
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


def exchange(log: list[Message], at: int, _: random.Random) -> None:
    if at:
        log[at - 1], log[at] = log[at], log[at - 1]


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


#: Leave out, repeat, insert, and others.
MUTATIONS: list[Callable[[list[Message], int, random.Random], object]] = [
    lambda log, at, _: log.pop(at),
    lambda log, at, _: log.insert(at, dict(log[at])),
    lambda log, at, rng: log.insert(at, dict(rng.choice(FURTHER))),
    *(exchange, change, add, take_away, hide, reorder),
]


def mutated(game: int, seed: int) -> list[Message]:
    rng = random.Random(seed)
    log = [dict(message) for message in LOGS[game]]
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


@pytest.mark.parametrize("version", WAYS)
@given(game=st.sampled_from(range(len(LOGS) - 1)), seed=st.integers(0, 10**6))
@settings(max_examples=5 * settings().max_examples)
def test_a_changed_round_comes_back_equal_or_is_refused(game: int, seed: int, version: str) -> None:
    is_written(version, mutated(game, seed))


@pytest.mark.parametrize("version", WAYS[:2])
@given(game=st.sampled_from(range(len(LOGS) - 1)), seed=st.integers(0, 10**6))
@settings(max_examples=3 * settings().max_examples)
def test_of_a_changed_round_a_plain_trip_loses_what_the_report_lists(game: int, seed: int, version: str) -> None:
    loses_what_is_reported(version, mutated(game, seed))


@pytest.mark.slow
@pytest.mark.parametrize("version", WAYS)
@given(seed=st.integers(0, 10**6))
def test_a_changed_game_comes_back_too(seed: int, version: str) -> None:
    log = mutated(len(LOGS) - 1, seed)
    (loses_what_is_reported if version in WAYS[:2] else is_written)(version, log)


@pytest.mark.parametrize("version", ["jmjp", "tenhou", "tenhou-json"])
def test_a_good_part_of_changed_logs_can_be_written(version: str) -> None:
    done = [is_written(version, mutated(game, seed)) for game in range(len(LOGS)) for seed in range(40)]
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
