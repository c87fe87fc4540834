"""The corpus of Ùzje keeps its word: games in every form, every action and omission, and broken files."""

import re
from pathlib import Path

from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from trips import read, write

GAMES = sorted((CORPUS / "uzje").glob("*.uzje"))
#: The same games in each form; in `omissions` left out what chance would have.
FORMS = {"short": "uzje", "actions": "uzje-long", "commands": "uzje-commands", "omissions": None}


def contents(name: str) -> bytes:
    return (CORPUS / "uzje" / f"{name}.uzje").read_bytes()


@looped("path", GAMES)
def test_a_game_is_read_without_a_warning(path: Path) -> None:
    assert read(path.read_bytes(), "uzje").warnings == []


@looped(("name", "flavour"), [(n, f) for n, f in FORMS.items() if f])
def test_each_form_is_what_the_others_are_written_as(name: str, flavour: str) -> None:
    for other in FORMS:
        assert write(read(contents(other), "uzje").matches, flavour).data == contents(name)


def test_the_games_use_every_action() -> None:
    [match] = read(contents("actions"), "uzje").matches
    kinds = {type(event) for game_round in match.rounds for event in game_round.events}
    assert kinds >= {ev.Draw, ev.Discard, ev.Chi, ev.Pon, ev.Daiminkan, ev.Kakan, ev.Ankan, ev.Nukidora, ev.Win}
    wins = [win for game_round in match.rounds for win in game_round.select(ev.Win)]
    assert {win.actor == win.target for win in wins} == {True, False}
    assert {name[1] for name in re.findall(rb"\b[ESWN][-dcpksr]", contents("commands"))} == set(b"-dcpksr")


def test_the_omissions_are_all_used() -> None:
    turns = re.findall(rb"\d\.(\S+)", contents("omissions"))
    forms = {
        "a discard alone": rb"[1-9x]?[a-fA-Zsm]$",
        "a discard with its player": rb"[ESWN]\d[tsm]$",
        "a draw written out": rb"\?,\d[tsm]$",
        "a player and a draw": rb"[ESWN]\?,\d[tsm]$",
        "a chow without its letter": rb"\d\d[tsm],",
        "a chow of tiles with a suit each": rb"c?\d[tsm]\d[tsm],",
        "a chow with its letter": rb"c\d",
        "a replacement left out": rb"[ESWN]?\?,K..?,[^?]",
        "a replacement written out": rb".*K.?.?,\?",
    }  # fmt: skip
    for form, pattern in forms.items():
        assert any(re.match(pattern, turn) for turn in turns), form.id


def test_flowers_six_players_norths_and_riichi_have_their_files() -> None:
    [flowers] = read(contents("flowers"), "uzje").match.rounds
    kinds = [type(event) for event in flowers.events]
    assert kinds[1] is ev.Nukidora
    assert ev.Nukidora in kinds[kinds.index(ev.Discard) :]
    six = read(contents("six"), "uzje").match
    tiles = {tile for game_round in six.rounds for tile in game_round.wall or ()}
    assert tiles >= {"H", "V", "Z", "1p", "10s", "16m", "1f", "8f"}
    assert six.seats == 6
    three = read(contents("three"), "uzje").match
    assert three.seats == 3
    assert ev.Nukidora(0, "N") in [event for game_round in three.rounds for event in game_round.events]
    sample = (CORPUS / "sample" / "game.mjson").read_bytes()
    assert write(read(sample, "mjai").matches, "uzje").data == contents("riichi")
    assert write(read(contents("riichi"), "uzje").matches, "mjai").data == sample
