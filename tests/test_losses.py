"""Games with tiles beyond riichi's: refused, or written with those hidden when the caller asks for it.

Nothing is lost even then: notes carry the tiles. Without notes the report lists what was lost, and only that.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import mjconv
from comparison import unexplained, unexplained_fields
from corpus_files import CORPUS
from engine import play
from logs import Message
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Round
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
        compare(before, after, [loss for loss in written.losses if loss.round == number])
    assert unexplained_fields(source, reading, [loss for loss in written.losses if loss.round is None]) == []
    assert (reading.opening, reading.closing) == (source.opening, source.closing)


def compare(before: Round, after: Round, losses: list[mjconv.Loss]) -> None:
    played = [loss for loss in losses if loss.event is not None]
    assert unexplained(messages(before), messages(after), played) == []
    assert unexplained_fields(before, after, [loss for loss in losses if loss.event is None]) == []
    assert {loss.label for loss in losses} == {before.label}
    # The comparison would find each of them missing.
    for place in range(0, len(played), 10):
        assert unexplained(messages(before), messages(after), played[:place] + played[place + 1 :])


def messages(game_round: Round) -> list[Message]:
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
