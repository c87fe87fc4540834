"""The wall from a seed: the twister, each kind of seed, and what happens if a round shows other tiles."""

import base64
import random
import re
from itertools import islice
from pathlib import Path

import pytest
from msgspec import UNSET

import trips
from corpus_files import CORPUS
from looped import looped
from mjconv.converters.shared.walls import deal, indicator_place
from mjconv.converters.tenhou.wall import SeedError, by_array, walls_of
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.ir.tiles import ORDER
from trips import known, write

SAMPLES = sorted((CORPUS / "tenhou").glob("*.[mx]*l*"))
#: The key and the first numbers that the authors of the Mersenne twister publish.
PUBLISHED = [0x123, 0x234, 0x345, 0x456], [1067595299, 955945823, 477289528, 4107218783, 4228976476]


def read(text: str) -> tuple[Match, list[str]]:
    was = trips.read(text, "tenhou")
    return was.match, [warning.message for warning in was.warnings]


def test_the_twister_is_that_of_its_authors() -> None:
    key, numbers = PUBLISHED
    twister = by_array(key)
    assert [twister.getrandbits(32) for _ in numbers] == numbers


@looped("length", 1, 8, 32, 624)
def test_a_key_may_end_with_a_word_of_zero(length: int) -> None:
    words = [random.Random(length).getrandbits(32) for _ in range(length)]
    whole = sum(word << 32 * place for place, word in enumerate(words))
    assert by_array(words).getstate() == random.Random(whole).getstate()
    text = base64.b64encode(b"".join(word.to_bytes(4, "little") for word in [*words, 0][:624])).decode()
    assert next(walls_of(f"mt19937ar-sha512-n288-base64,{text}", 4)).tiles


@looped(("players", "length"), (4, 136), (3, 108))
@looped("kind", "mt19937ar-sha512-n288", "mt19937ar")
def test_a_wall_has_each_tile_once(kind: str, players: int, length: int) -> None:
    [wall, *_] = islice(walls_of(f"{kind},9EB1DB20,5F9F1065", players), 1)
    for replaced in range(5):
        tiles = wall.in_play_order(replaced)
        assert len(set(tiles)) == len(tiles) == length
    assert all(1 <= die <= 6 for die in wall.dice)
    assert players == 4 or not {4, 5, 31} & set(wall.tiles)


@looped(
    ("seed", "message"),
    ("mt19937", "no known form"),
    ("mt19937ar-sha512-n288-base64,AA", "no base64|0 bytes|1 bytes"),
    ("mt19937ar-sha512-n288,XYZ", "no list of hexadecimal words"),
    ("mt19937ar-sha512-n288," + ",".join(["1"] * 625), "625 words: expected 624 at most"),
)
def test_a_wrong_seed_is_refused(seed: str, message: str) -> None:
    with pytest.raises(SeedError, match=message):
        next(walls_of(seed, 4))


@looped("path", *SAMPLES, ids=lambda path: path.name)
def test_deal_draws_indicators_and_dice_are_those_of_the_wall(path: Path) -> None:
    match, warnings = read(path.read_text("utf-8"))
    assert warnings == []
    for game_round in match.rounds:
        start, wall = game_round.start, game_round.wall
        assert start is not None
        assert wall is not UNSET
        hands = deal(wall, match.seats)
        for place, hand in enumerate(hands):
            seat = (int(start.oya or 0) + place) % match.seats
            assert sorted(hand) == sorted((start.tehais or ())[seat])
        turned = [start.dora_marker, *(event.dora_marker for event in game_round.select(ev.Dora))]
        at = [indicator_place(len(wall), number, match.seats) for number in range(len(turned))]
        assert [wall[place] for place in at] == turned
        for win in game_round.select(ev.Win):
            for place, ura in zip(at, win.ura_markers or (), strict=False):
                assert wall[place - 1] == ura


def test_a_round_that_shows_other_tiles_has_no_wall_and_a_warning() -> None:
    text = (CORPUS / "tenhou" / "hex.mjlog").read_text("utf-8")
    first = known(re.search(r"<T(\d+)/>", text))
    drawn = int(first[1])
    # Another copy of the same tile is drawn first.
    other = drawn ^ 1 if drawn // 4 not in (4, 13, 22) else drawn ^ 2
    wrong = re.sub(rf"<([TUVWDEFG]){drawn}/>", rf"<\g<1>{other}/>", text, count=1)
    match, warnings = read(wrong)
    assert warnings == ["draw 1 of the round is another tile than by the seed. The wall was left out"]
    assert match.rounds[0].wall is UNSET
    assert match.rounds[1].wall is not UNSET
    hands = [hand for one in match.rounds for hand in (one.start or ev.StartRound()).tehais or ()]
    assert hands
    assert hands == [tuple(sorted(hand, key=ORDER.__getitem__)) for hand in hands]
    # The order of the hands depends on the seed alone, so the unchanged match is known again without its walls.
    bare = trips.read(wrong.encode(), "tenhou", Report(walls=False)).match
    assert [one.events for one in bare.rounds] == [one.events for one in match.rounds]
    assert write([bare], "tenhou").data.decode() == wrong


def test_a_seed_of_an_unknown_form_is_kept() -> None:
    text = '<mjloggm ver="2.3"><SHUFFLE seed="xyz,1" ref=""/><GO type="9" lobby="0"/></mjloggm>'
    match, warnings = read(text)
    expected = "expected mt19937ar-sha512-n288-base64, and the seed. The walls are not known"
    assert warnings == [f"the seed has no known form: {expected}"]
    assert write([match], "tenhou").data.decode() == text
