"""Losses: every one is named, and tiles beyond riichi's are refused, or hidden when the caller asks.

A plain trip differs in what its report lists, there and nowhere else. Notes carry hidden tiles.
"""

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from msgspec import structs

import mjconv
from comparison import check, compare, plain_trip, unexplained, unexplained_fields
from corpus_files import CORPUS
from engine import play
from handmade import DIALECTS, LOG
from logs import Log, Message, alternating, lines, logs, messages, short_logs
from looped import looped
from mjconv.converters import formats
from mjconv.converters.shared import note_json
from mjconv.converters.shared.carry import without_layout
from mjconv.ir import events as ev
from mjconv.ir.events import Pass, StartRound
from mjconv.ir.limits import Limits, using
from mjconv.ir.losses import Fate
from mjconv.ir.match import Answer, Round, Rules
from mjconv.ir.patch import diff
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES
from trips import read, write

UZJE = CORPUS / "uzje"
#: Games of four players whose tiles riichi does not know: flowers, ranks to 16, the zero, compressed winds.
BEYOND = ["actions", "commands", "flowers", "omissions", "short"]
TARGETS = ["mjai", "mjai-batch", "mjai-riichienv", "jmjp", "jmjp-0"]
KNOWN = {*RIICHI_TILES, HIDDEN}

beyond = pytest.mark.parametrize("name", BEYOND)
to_riichi = looped("target", *TARGETS)


def data_of(name: str) -> bytes:
    return (UZJE / f"{name}.uzje").read_bytes()


@cache
def hidden(name: str, target: str, *, plain: bool = False) -> mjconv.Conversion:
    return mjconv.convert(data_of(name), source="uzje", target=target, plain=plain, lossy=True)


def tiles_of(game_round: Round) -> set[str]:
    tiles: set[str] = set()
    for message in map(ev.to_message, game_round.events):
        tiles.update(message[key] for key in ("pai", "dora_marker") if key in message)
        tiles.update(message.get("consumed", ()), *message.get("tehais", ()))
    return tiles


# Without the wish.


@to_riichi
@beyond
def test_a_game_with_other_tiles_is_refused(name: str, target: str) -> None:
    with pytest.raises((mjconv.UnsupportedError, mjconv.PlayError)):
        mjconv.convert(data_of(name), source="uzje", target=target)


@looped("target", *TARGETS, "uzje", "hk")
def test_where_nothing_is_to_be_hidden_the_wish_changes_nothing(target: str) -> None:
    for data in (data_of("riichi"), (CORPUS / "grammar/calls.jmjp").read_bytes(), play(5)):
        asked, usual = (mjconv.convert(data, target=target, lossy=lossy) for lossy in (True, False))
        assert asked == usual


@looped("target", "uzje", "uzje-long", "uzje-commands", "hk")
@beyond
def test_formats_that_need_no_tile_hidden_hide_none(name: str, target: str) -> None:
    assert hidden(name, target) == mjconv.convert(data_of(name), source="uzje", target=target)


# With it.


@to_riichi
@beyond
def test_other_tiles_are_hidden_and_flowers_gone(name: str, target: str) -> None:
    [source] = read(data_of(name), "uzje").matches
    [match] = read(hidden(name, target, plain=True).data, target).matches
    assert len(match.rounds) == len(source.rounds)
    for after, before in zip(match.rounds, source.rounds, strict=True):
        assert not tiles_of(before) <= KNOWN
        assert tiles_of(after) <= KNOWN
        assert HIDDEN in tiles_of(after)
        assert not after.select(ev.Nukidora)
        assert len(after.select(ev.Discard)) == len(before.select(ev.Discard))


@looped(
    "way",
    *([target] for target in TARGETS),
    *(["mjai", "jmjp"], ["jmjp", "mjai"], ["jmjp-0", "mjai-batch", "jmjp", "mjai"], ["mjai", "hk", "jmjp"]),
)
@beyond
def test_the_way_back_is_whole(name: str, way: list[str]) -> None:
    data, last = data_of(name), "uzje"
    for target in way:
        data, last = mjconv.convert(data, source=last, target=target, lossy=True).data, target
    assert read(data, last).matches == read(data_of(name), "uzje").matches
    back = mjconv.convert(data, source=last, target="uzje")
    assert back.data == write(read(data_of(name), "uzje").matches, "uzje").data


def test_of_three_players_too_where_the_format_knows_them() -> None:
    assert read(hidden("three", "mjai").data, "mjai").matches == read(data_of("three"), "uzje").matches
    [match] = read(hidden("three", "mjai", plain=True).data, "mjai").matches
    assert {event.pai for game_round in match.rounds for event in game_round.select(ev.Nukidora)} == {"N"}


@looped(("name", "target", "players"), ("three", "jmjp", 3), *(("six", target, 6) for target in TARGETS))
def test_other_numbers_of_players_stay_refused(name: str, target: str, players: int) -> None:
    with pytest.raises(mjconv.UnsupportedError, match=f"match 1 has {players} players"):
        hidden(name, target)


# What is lost.


@to_riichi
@beyond
def test_without_notes_the_report_lists_what_was_lost_and_only_that(name: str, target: str) -> None:
    [source] = read(data_of(name), "uzje").matches
    written = hidden(name, target, plain=True)
    assert b'"digest"' not in written.data
    [reading] = read(written.data, target).matches
    assert len(reading.rounds) == len(source.rounds)
    for number, (before, after) in enumerate(zip(source.rounds, reading.rounds, strict=True)):
        losses = [loss for loss in written.losses if loss.round == number]
        played = [loss for loss in losses if loss.event is not None]
        assert unexplained(messages_of(before), messages_of(after), played) == []
        assert unexplained_fields(before, after, [loss for loss in losses if loss.event is None]) == []
        assert {loss.label for loss in losses} == {before.label}
        # The comparison would find each of them missing.
        for place in range(0, len(played), 10):
            assert unexplained(messages_of(before), messages_of(after), played[:place] + played[place + 1 :])
    assert unexplained_fields(source, reading, [loss for loss in written.losses if loss.round is None]) == []
    assert (reading.opening, reading.closing) == (source.opening, source.closing)


def messages_of(game_round: Round) -> list[Message]:
    return [ev.to_message(event) for event in game_round.events]


@to_riichi
@beyond
def test_with_notes_nothing_is_dropped_and_nothing_approximated(name: str, target: str) -> None:
    kinder = {"dropped": "carried", "approximated": "carried", "assumed": "assumed"}
    plain = {(kinder[loss.fate], loss.what) for loss in hidden(name, target, plain=True).losses}
    assert {(loss.fate, loss.what) for loss in hidden(name, target).losses} == plain


# The library and the command.


def test_it_is_an_option_of_the_library(tmp_path: Path) -> None:
    match, path = mjconv.read(UZJE / "flowers.uzje"), tmp_path / "flowers.mjson"
    with pytest.raises(mjconv.UnsupportedError):
        mjconv.write(match, path)
    assert not path.exists()
    assert mjconv.write(match, path, lossy=True) == hidden("flowers", "mjai").losses
    assert (path.read_bytes(), mjconv.read(path)) == (hidden("flowers", "mjai").data, match)
    with pytest.raises(mjconv.LossError, match="nukidora dropped"):
        mjconv.write(match, path, lossy=True, plain=True, strict=True)


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mjconv", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.parametrize(
    ("words", "output"),
    [([], "out.mjson"), (["merge", "--to", "mjai"], "out.mjson"), (["split", "--to", "mjai"], "out_001.mjson")],
    ids=["convert", "merge", "split"],
)
def test_it_is_an_option_of_the_command(tmp_path: Path, words: list[str], output: str) -> None:
    out = "out_%03d.mjson" if "split" in words else output
    asked = [*words, str(UZJE / "flowers.uzje"), "-o", out]
    refused = run(*asked, folder=tmp_path)
    assert (refused.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "mjconv: error:" in refused.stderr
    done = run(*asked, "--lossy", folder=tmp_path)
    assert done.returncode == 0
    assert "carried         6 x nukidora, first in E4-0, event 1" in done.stderr
    assert (tmp_path / output).read_bytes() == hidden("flowers", "mjai").data


# Every loss is named: a plain trip differs in what its report lists, there and nowhere else.
each_log = looped(("log", "version"), *alternating(logs(4), ["jmjp", "jmjp-0"]), every=3)
both_versions = looped("version", "jmjp", "jmjp-0")


@both_versions
@looped("dialect", *DIALECTS)
def test_a_plain_trip_of_each_dialect_differs_only_in_what_the_report_lists(dialect: str, version: str) -> None:
    """The comparison finds losses that a report leaves out or names wrongly."""
    data = lines(DIALECTS[dialect])
    trip = plain_trip(data, version)
    compare(data, trip)
    assert trip.losses
    wrong: dict[Fate, Fate] = {"dropped": "approximated", "approximated": "dropped", "assumed": "dropped"}
    for place, loss in enumerate(trip.losses):
        others = trip.losses[:place] + trip.losses[place + 1 :]
        elsewhere = structs.replace(loss, event=(loss.event or 0) + 1)
        for said in ([], [structs.replace(loss, fate=wrong[loss.fate])], [loss, loss], [elsewhere]):
            with pytest.raises(AssertionError):
                compare(data, replace(trip, losses=[*others, *said]))


@each_log
def test_a_plain_trip_differs_only_in_what_the_report_lists(log: Log, version: str) -> None:
    check(log.data, version)


@each_log
def test_notes_carry_what_plain_text_would_drop_and_are_nowhere_else(log: Log, version: str) -> None:
    """The same losses, in the same order, with a kinder fate; what the reader assumes it still assumes."""
    match = read(log.data, "mjai").match
    plain, noted = write([match], version, plain=True), write([match], version)
    fates = {"dropped": "carried", "approximated": "carried", "assumed": "assumed"}
    said = Counter((fates[loss.fate], loss.what, loss.round) for loss in plain.losses)
    kept = Counter((loss.fate, loss.what, loss.round) for loss in noted.losses)
    assert {loss.fate for loss in noted.losses} <= {"carried", "assumed"}
    # A note states when dora were turned, so with it less has to be carried.
    assert kept <= said
    text = noted.data.decode()
    notes = [note_json.loads(line.encode())[0] for line in re.findall("//@mjconv (.*)", text)]
    assert sum(note.round is not None for note in notes) == len({loss.round for loss in plain.losses} - {None})
    assert any(note.match is not None for note in notes) == bool(notes)
    assert [line for line in text.splitlines() if "@mjconv" not in line] == plain.data.decode().splitlines()
    assert b"mjconv" not in plain.data


@both_versions
def test_a_plain_trip_of_a_log_that_breaks_off_differs_only_in_what_the_report_lists(version: str) -> None:
    whole = messages(min(short_logs(), key=lambda log: abs(log.length - 100)).data)
    for end in range(1, len(whole)):
        check(lines(whole[:end]), version)


def named_without_layout(source: Round, reading: Round) -> list[str]:
    _, differences = diff(reading, source)
    found = without_layout(differences, source, reading, formats.find("jmjp")[0])
    return [one.what for one in found]


def test_the_layout_of_the_target_alone_is_no_loss() -> None:
    layout = {"jmjp": {"comments": [[0, " x"]]}}
    assert named_without_layout(Round(), Round(extras=layout)) == []
    assert named_without_layout(Round(extras={"own": 1}), Round(extras=layout)) == ["round.extras"]
    assert named_without_layout(Round(extras={"jmjp": {}}), Round(extras=layout)) == ["round.extras"]
    assert named_without_layout(Round(dice=(1, 2)), Round(extras=layout)) == ["round.dice"]


def test_an_assumed_value_that_the_target_leaves_out_is_no_loss_and_another_value_is_one() -> None:
    source = Round([StartRound(kyotaku=1)], assumed=("kyotaku",))
    assert named_without_layout(source, Round([StartRound()])) == []
    assert named_without_layout(source, Round([StartRound(kyotaku=2)])) == ["start_kyoku.kyotaku"]


def test_a_stated_game_that_the_play_shows_is_no_loss_and_another_game_is_one() -> None:
    match = read(lines(DIALECTS["original server"]), "mjai").match
    for game, expected in (("riichi", []), ("hongkong", ["match.rules"])):
        match.rules = Rules(game=game)
        assert [loss.what for loss in write([match], "mjai").losses if loss.what == "match.rules"] == expected, (
            game
        )


def test_answers_that_are_too_long_for_a_note_are_dropped_also_of_a_round_that_the_text_leaves_out() -> None:
    match = read(lines(LOG), "mjai").match
    for answered in (match.rounds[0], Round()):
        answered = structs.replace(answered, answers=tuple(Answer(0, Pass(), 0) for _ in range(99)))
        with using(Limits(note_bytes=4000)):
            written = write([structs.replace(match, rounds=[answered])], "hk")
        [loss] = [loss for loss in written.losses if loss.what == "round.answers"]
        assert (loss.fate, loss.detail) == ("dropped", "they are too long for a note")
        assert read(written.data, "hk").match.rounds[0].answers == ()
