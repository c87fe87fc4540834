"""Tenhou against others: walls from seeds, records of the site, and random games of another engine."""

import base64
import json
import os
import random
import re
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, structs

import trips
from corpus_files import CORPUS
from engine import Deal, Length, perform, play, wins
from logs import messages
from looped import looped
from mjconv.converters.shared.walls import deal, indicator_place
from mjconv.converters.tenhou.wall import SeedError, by_array, walls_of
from mjconv.ir import events as ev
from mjconv.ir.events import Event
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.ir.tiles import ORDER
from mjconv.referee.referee import check
from mjconv.rules import scores
from test_random_games import each_game
from trips import known, read, write

SAMPLES = sorted((CORPUS / "tenhou").glob("*.[mx]*l*"))
#: The key and the first numbers that the authors of the Mersenne twister publish.
PUBLISHED = [0x123, 0x234, 0x345, 0x456], [1067595299, 955945823, 477289528, 4107218783, 4228976476]


def read_log(text: str) -> tuple[Match, list[str]]:
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
    match, warnings = read_log(path.read_text("utf-8"))
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
    match, warnings = read_log(wrong)
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
    match, warnings = read_log(text)
    expected = "expected mt19937ar-sha512-n288-base64, and the seed. The walls are not known"
    assert warnings == [f"the seed has no known form: {expected}"]
    assert write([match], "tenhou").data.decode() == text


# Records of the site, where `MJCONV_REAL_LOGS` names a folder with them; else the mjlogs of the corpus.
FOLDER = os.environ.get("MJCONV_REAL_LOGS")
REAL = (
    [path for kind in ("mjlog", "xml") for path in sorted(Path(FOLDER, "tenhou", kind).iterdir())]
    if FOLDER
    else []
)
FILES = REAL or sorted((CORPUS / "tenhou").glob("*.[mx]*l*"))
#: The record of a fourth riichi that was accepted before the draw, which the mjai log of that game lacks.
FOURTH_RIICHI = "upd-aft-reach4.mjlog"
each_file = looped("path", *FILES, ids=lambda path: path.name)

#: Lobbies with rules of their own.
HOUSES = {"ratio1.xml": ["plays kiriage mangan, 1500 points a honba"]}


@each_file
def test_the_referee_finds_no_error(path: Path) -> None:
    match = read(path.read_bytes(), "tenhou").match
    findings = [finding for finding in check(match) if finding.code != "O009"]
    assert [finding.message for finding in findings] == HOUSES.get(path.name, [])


@looped("path", *[path for path in FILES if path.suffix == ".mjlog"], ids=lambda path: path.name)
def test_the_messages_are_those_of_the_log_beside_it(path: Path) -> None:
    """Another program's log lacks some keys, and one riichi. Without such a log, the match's own log is used."""
    match = read(path.read_bytes(), "tenhou").match
    ours = messages(write([match], "mjai", plain=True).data)
    beside = path.parent.with_name("mjai") / f"{path.stem}.mjson"
    theirs = messages(beside.read_bytes()) if beside.exists() else ours
    if path.name == FOURTH_RIICHI:
        last = max(at for at, message in enumerate(ours) if message["type"] == "reach_accepted")
        del ours[last]
    for message, other in zip_longest(ours, theirs):
        assert {key: value for key, value in message.items() if key in other} == other


# Other notations of the records.


def play_of(matches: list[Match]) -> list[list[Event]]:
    """Return the events of all rounds: several links may hold one object's rounds."""
    return [game_round.events for match in matches for game_round in match.rounds]


def real_files(ending: str) -> list[Path]:
    return sorted(Path(FOLDER or "nowhere", "tenhou", "json").glob(f"*{ending}"))


def over(matches: list[Match], form: str, *, plain: bool = False) -> list[Match]:
    """Return matches that were written and read again."""
    return read(write(matches, form, plain=plain).data, form).matches


def objects(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines() if line.strip()]


@pytest.mark.parametrize("path", real_files(".json"), ids=lambda path: path.stem)
def test_a_real_object_comes_back_equal(path: Path) -> None:
    matches = read(path.read_bytes(), "tenhou").matches
    assert objects(write(matches, "tenhou-json").data) == objects(path.read_bytes())
    through = over(matches, "mjai")
    assert through == matches
    assert objects(write(through, "tenhou-json").data) == objects(path.read_bytes())
    assert play_of(over(matches, "tenhou-url")) == play_of(matches)


@pytest.mark.parametrize("path", real_files("00a9-0000-????????.json"), ids=lambda path: path.stem)
def test_an_mjlog_makes_the_rounds_that_tenhou_exports(path: Path) -> None:
    match = read((path.parents[1] / "mjlog" / f"{path.stem}.mjlog").read_bytes(), "tenhou").match
    exported = [game_round for one in objects(path.read_bytes()) for game_round in one["log"]]
    [found] = objects(write([match], "tenhou-json").data)
    assert found["log"] == exported


@each_file
def test_an_mjlog_comes_back_over_json(path: Path) -> None:
    match = read(path.read_bytes(), "tenhou").match
    assert write(over([match], "tenhou-json"), "tenhou").data.rstrip() == path.read_bytes().rstrip()
    assert play_of(over([match], "tenhou-url")) == play_of(over([match], "tenhou-json", plain=True))


# Random games of another engine in mjlog and in tenhou.net/6: they have the values of the engine.
each_syntax = looped("syntax", "tenhou", "tenhou-json")


def back(match: Match, syntax: str = "tenhou", *, plain: bool) -> Match:
    """Return a match that was written as Tenhou's record and read again."""
    return read(write([match], syntax, plain=plain).data, syntax).match


def without_points(event: ev.Event) -> ev.Event:
    """Return an event of play without points."""
    if isinstance(event, ev.Win | ev.Ryukyoku | ev.RiichiAccepted):
        return structs.replace(event, deltas=UNSET, scores=UNSET)
    return event


@each_game
def test_links_have_what_the_text_alone_has(length: Length, players: int, deal: Deal, seed: int) -> None:
    match = read(play(seed, length=length, players=players, deal=deal), "mjai").match
    links = read(write([match], "tenhou-url").data, "tenhou").matches
    assert [one.events for link in links for one in link.rounds] == [
        one.events for one in back(match, "tenhou-json", plain=True).rounds
    ]


@each_game
def test_the_play_of_a_game_is_in_the_plain_text(length: Length, players: int, deal: Deal, seed: int) -> None:
    match = read(play(seed, length=length, players=players, deal=deal), "mjai").match
    for ours, theirs in zip(back(match, plain=True).rounds, match.rounds, strict=True):
        shown = [event for event in theirs.events if not isinstance(event, ev.EndRound)]
        for event, original in zip(ours.events, shown, strict=False):
            assert type(event) is type(original)
            for key in ("actor", "target", "pai", "tsumogiri", "deltas", "dora_marker", "tehais"):
                stated = getattr(original, key, None)
                kan = isinstance(event, ev.Ankan) and key == "pai"
                assert kan or not stated or getattr(event, key) == stated


@each_syntax
@each_game
def test_fu_han_and_points_are_those_of_the_engine(
    length: Length, players: int, deal: Deal, seed: int, syntax: str
) -> None:
    """The words of a limit hand in JSON have no fu."""
    log = play(seed, length=length, players=players, deal=deal)
    match = back(read(log, "mjai").match, syntax, plain=True)
    ours = [(index, win) for index, one in enumerate(match.rounds) for win in one.select(ev.Win)]
    theirs = wins(log)
    assert len(ours) == len(theirs)
    for (index, win), engine_win in zip(ours, theirs, strict=True):
        assert (index, win.actor) == (engine_win.round, engine_win.actor)
        honba = sum(start.honba for start in match.rounds[index].select(ev.StartRound))
        # Only the first of two winners takes the honba.
        assert engine_win.points in (win.hora_points, win.hora_points + 100 * (players - 1) * honba)
        yakuman = win.fan >= 13 and all(han == 13 for _, han in win.yakus or ())
        assert win.fan == engine_win.han
        assert yakuman or win.fu == engine_win.fu or (syntax == "tenhou-json" and win.fu is UNSET)


@each_syntax
@each_game
def test_points_that_are_worked_out_are_those_of_the_engine(
    length: Length, players: int, deal: Deal, seed: int, syntax: str
) -> None:
    log = play(seed, length=length, players=players, deal=deal)
    match = read(log, "mjai").match
    rounds = [structs.replace(one, events=list(map(without_points, one.events))) for one in match.rounds]
    found = back(structs.replace(match, rounds=rounds), syntax, plain=True)
    for game_round, performed in zip(found.rounds, perform(log), strict=True):
        assert scores.scores_after(game_round, performed.start) == performed.end
