"""Random legal games go out and come back, and an engine that is not ours agrees with what came back."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comparison import in_parts
from engine import STYLES, Deal, Length, Performed, Rules, perform, play
from logs import Message, lines, messages
from looped import looped
from trips import read, there_and_back, write

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
THREE_RONS = {"tenhou": "sanchaho", "mjsoul": "3 win"}


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
    assert deal != "waits" or THREE_RONS[rules] in ends


@both_rules
def test_the_games_have_everything_that_happens_at_a_table(rules: Rules) -> None:
    games = [play(seed, rules=rules) for seed in range(100, 112)]
    assert {message["type"] for game in games for message in messages(game)} >= {
        "tsumo", "dahai", "chi", "pon", "daiminkan", "kakan", "ankan", "dora", "reach", "reach_accepted", "hora",
        "ryukyoku",
    }  # fmt: skip
