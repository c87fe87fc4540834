"""Links that hold the record of a round."""

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

import trips
from faults import misread, refused
from mjconv.converters.formats import recognise
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match
from trips import known, write

GAME = (Path(__file__).parents[3] / "corpus" / "tenhou" / "game.json").read_bytes()
PREFIX = "https://tenhou.net/6/#json="


def read(data: bytes) -> list[Match]:
    return trips.read(data, "tenhou").matches


def links(matches: list[Match]) -> bytes:
    return write(matches, "tenhou-url").data


def test_each_round_has_a_link_with_the_head_of_the_match() -> None:
    lines = links(read(GAME)).decode().splitlines()
    assert all(line.startswith(PREFIX) and " " not in line and '"' not in line for line in lines)
    held = [json.loads(unquote(line.removeprefix(PREFIX))) for line in lines]
    whole = json.loads(GAME)
    assert [[game_round] for game_round in whole.pop("log")] == [one.pop("log") for one in held]
    assert held == [whole] * 5


def test_links_of_a_game_are_one_match_without_notes() -> None:
    matches = read(GAME)
    assert read(links(matches)) == matches
    matches = read(GAME)
    matches[0].rounds[1].dice = (1, 2)
    written = write(matches, "tenhou-url")
    assert written.data == links(read(GAME))
    assert [(loss.what, loss.fate) for loss in written.losses] == [("round.dice", "dropped")]


def test_a_link_is_recognised_and_may_be_encoded_otherwise() -> None:
    [line, *_] = links(read(GAME)).splitlines(keepends=True)
    found = known(recognise(line))
    assert found.id == "tenhou"
    assert read(unquote(line.decode()).encode()) == read(line)
    assert read(line.strip() + b"&ts=0&tw=2\n") == read(line)


def test_errors_in_links_have_their_places() -> None:
    error = refused(b"http://tenhou.net/0/?log=2019050417gm-0029-0000-00000000&tw=1\n", "tenhou")
    assert "mjconv fetches nothing from the network" in error.message
    assert "docs/get-records.md explains how" in error.message
    error = refused(links(read(GAME)) + b"http://example.com/\n", "tenhou")
    assert error.message == "expected a link that begins with https://tenhou.net/6/#json="
    assert known(error.place).line == 6
    _, shown = misread(links(read(GAME)).replace(b"%5B1,0,0%5D", b"%5B1,-1,0%5D"), "tenhou")
    assert shown.startswith("-1,0%5D")
    # A place in a link counts bytes that are encoded or not.
    for name, encoded in (("東", "%E6%9D%B1"), ("東", "東"), ("é!", "%C3%A9!")):
        _, shown = misread(f'{PREFIX}%7B"name":["{encoded}","","",""],"log":[5]%7D', "tenhou")
        assert shown == "5]%7D", name
    message, shown = misread(f'{PREFIX}%7B"name":["%E6%9D', "tenhou")
    assert (message, shown) == ("the link has a broken character. It may be cut here", "%E6%9D")


def test_rounds_that_do_not_continue_each_other_are_refused() -> None:
    [match] = read(GAME)
    match.rounds = match.rounds[::-1]
    with pytest.raises(UnsupportedError, match="it does not continue the round before it"):
        links([match])
    with pytest.raises(UnsupportedError, match="the match has no rounds"):
        links([Match(match.players)])
