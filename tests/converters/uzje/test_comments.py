"""What people write beside the games is kept where it stands: comments, note marks, data, the end indicator."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjconv.ir.match import Match
from trips import read, there_and_back, write

from .games import game

ANNOTATED = f"""\
:a file of games
Event: a cup
Round: the last

Before the games,
on two lines.

:of the header
{game("1.9s (a) <b> 2.8s 3.W done", front="9s 8s 7s", back="6s").replace("E 1 0 4", "E 1 0 4 [deal]").strip()}

(a) East throws away a good tile.
:aside

Result: none

{game("1.9s 2.8s (c)", front="9s 8s", header="E 2 0").strip()}

(c) The end.
"""


def test_all_of_it_is_kept_by_its_place() -> None:
    match = read(ANNOTATED.encode(), "uzje").match
    assert match.extras["uzje"] == {
        "head": [":a file of games\nEvent: a cup\nRound: the last", "Before the games,\non two lines."]
    }
    first, second = (game_round.extras["uzje"] for game_round in match.rounds)
    assert first == {
        "comments": [[-60, ":of the header"], [-56, "[deal]"], [1, "(a)"], [1, "<b>"]],
        "end": "done",
        "after": ["(a) East throws away a good tile.\n:aside", "Result: none"],
    }
    assert second == {"comments": [[2, "(c)"]], "after": ["(c) The end."]}


def test_it_is_written_back_where_it_stood() -> None:
    text = write(read(ANNOTATED.encode(), "uzje").matches, "uzje").data.decode()
    assert text == ANNOTATED


@pytest.mark.parametrize("flavour", ["uzje", "uzje-long", "uzje-commands"])
def test_it_goes_over_each_form_and_over_mjai(flavour: str) -> None:
    matches = read(ANNOTATED.encode(), "uzje").matches
    assert read(write(matches, flavour).data, "uzje").matches == matches
    assert read(write(matches, "mjai").data, "mjai").matches == matches
    assert there_and_back(ANNOTATED.encode(), "mjai", home="uzje").decode() == ANNOTATED


def test_comment_lines_in_the_tile_list_and_between_turns_stay_between_the_same_words() -> None:
    lines = game("1.9s 2.8s", front="9s 8s").splitlines()
    text = "\n".join([lines[0], ":deal", *lines[1:5], ":draws", lines[5], ":turns", "1.9s", ":more", "2.8s"])
    match = read(text.encode(), "uzje").match
    assert match.rounds[0].extras["uzje"]["comments"] == [
        [-54, ":deal"],
        [-2, ":draws"],
        [0, ":turns"],
        [1, ":more"],
    ]
    assert read(write([match], "uzje").data, "uzje").match == match


def test_data_paragraphs_may_follow_each_other_on_single_newlines_and_go_on_over_lines() -> None:
    text = "Site: a club\nin a town\nPlayers: 4\n\n" + game(said=0)
    match = read(text.encode(), "uzje").match
    assert match.extras["uzje"] == {"head": ["Site: a club\nin a town\nPlayers: 4"]}
    assert match.seats == 4


@pytest.mark.parametrize("players", [3, 4, 6])
def test_players_0_are_as_many_as_the_tag_says(players: int) -> None:
    inherited = read(f"Players: {players}\n\n{game(players=players, said=0)}".encode(), "uzje").match
    assert inherited.rounds == read(game(players=players).encode(), "uzje").match.rounds


def test_the_last_tag_above_tells_else_the_first_below() -> None:
    text = "\n\n".join([
        game(players=3, said=0), "Players: 3", game(players=3, said=0), "Players: 4", game(said=0),
    ])  # fmt: skip
    rounds = read(text.encode(), "uzje").match.rounds
    assert [len(r.start.tehais) for r in rounds] == [3, 3, 4]  # type: ignore[union-attr,arg-type]


def test_a_match_tag_begins_a_match_and_what_it_says_is_kept() -> None:
    text = f"{game()}\n\nEvent: x\nMatch: 2\nTable: 7\n\n{game()}"
    first, second = read(text.encode(), "uzje").matches
    assert first.rounds[0].extras["uzje"] == {"after": ["Event: x"]}
    assert second.extras["uzje"] == {"head": ["Match: 2\nTable: 7"]}
    assert read(write([first, second], "uzje").data, "uzje").matches == [first, second]


def test_line_ends_and_blanks_do_not_matter() -> None:
    text = game("1.9s 2.8s", front="9s 8s")
    loose = "\ufeff \r\n\t\r\n" + text.replace(" ", "\t \r\n") + "\r\n \r\n"
    was = read(b"\xef\xbb\xbf" + loose.removeprefix("\ufeff").encode(), "uzje")
    assert was.matches == read(text.encode(), "uzje").matches


@pytest.mark.parametrize(
    "extras",
    [
        {"comments": [[0, "two words"], [1, "(ok)"], [9, ":far"], [-999, ":first"], [-999, "(b)"]]},
        {"comments": [[0, ":é"], [0, "(\x7f)"], [0, ": a\nb"], [0, "(a]"], [0, ""], [0, "()"]]},
        {"end": "not one word"},
        {"end": "1.5m"},
        {"end": ""},
        {"after": ["E 1 0 4\n1t", "mjconv: {}", "Match: 2", "a\n\nb", "", " ", "Bad tag: x", "fine"]},
        {"after": 5},
        {"unknown": True},
        [],
        None,
    ],
)
def test_extras_that_no_file_can_hold_travel_in_the_note(extras: object) -> None:
    match = read(game("1.9s", front="9s").encode(), "uzje").match
    match.rounds[0].extras = {"uzje": extras, "other": 1}
    match.extras = {"uzje": extras}
    for flavour in ("uzje", "uzje-commands"):
        assert read(write([match], flavour).data, "uzje").match == match


@given(
    head=st.lists(st.text(alphabet="aE1 0:-\n(){}.M\t", max_size=12), max_size=3),
    after=st.lists(st.text(alphabet="aE1 0:-\n(){}.M\t", max_size=12), max_size=3),
    comments=st.lists(
        st.tuples(st.integers(-70, 5), st.text(alphabet="a:(){}<>. 1", max_size=6)).map(list), max_size=4
    ),
    end=st.text(alphabet="aEd.1:( -", max_size=4),
)
def test_any_extras_come_back(head: list[str], after: list[str], comments: list[object], end: str) -> None:
    match: Match = read(game("1.9s 2.8s", front="9s 8s").encode(), "uzje").match
    match.extras = {"uzje": {"head": head}}
    match.rounds[0].extras = {"uzje": {"comments": comments, "after": after, "end": end}}
    matches = [match, match]
    for flavour in ("uzje", "uzje-long", "uzje-commands"):
        assert read(write(matches, flavour).data, "uzje").matches == matches
