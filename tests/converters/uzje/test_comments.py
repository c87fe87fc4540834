"""Comments, note marks, data and the end indicator beside the games keep their places."""

from hypothesis import given
from hypothesis import strategies as st

from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Match
from noted import annotations
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


def test_comments_and_marks_are_annotations_and_the_layout_is_extras() -> None:
    match = read(ANNOTATED.encode(), "uzje").match
    assert match.annotations == (Annotation(0, "comment", value="Before the games,\non two lines."),)
    assert match.extras["uzje"] == {"head": [":a file of games\nEvent: a cup\nRound: the last", ""]}
    first, second = match.rounds
    assert first.annotations == (
        Annotation(1, "comment", value="of the header"),
        Annotation(1, "mark", value="[deal]"),
        Annotation(3, "mark", value="(a)"),
        Annotation(3, "mark", value="<b>"),
        Annotation(len(first.events), "comment", value="(a) East throws away a good tile.\n:aside"),
    )
    assert first.extras["uzje"] == {"places": [-60, -56], "end": "done", "after": ["", "Result: none"]}
    assert second.annotations == (
        Annotation(len(second.events) - 2, "mark", value="(c)"),
        Annotation(len(second.events), "comment", value="(c) The end."),
    )
    assert "uzje" not in second.extras


@looped("flavour", "uzje", "uzje-long", "uzje-commands")
def test_it_is_written_back_at_its_place_and_goes_over_each_form_and_over_mjai(flavour: str) -> None:
    matches = read(ANNOTATED.encode(), "uzje").matches
    assert write(matches, "uzje").data.decode() == ANNOTATED
    assert read(write(matches, flavour).data, "uzje").matches == matches
    assert read(write(matches, "mjai").data, "mjai").matches == matches
    assert there_and_back(ANNOTATED.encode(), "mjai", home="uzje").decode() == ANNOTATED


def test_comment_lines_in_the_tile_list_and_between_turns_stay_between_the_same_words() -> None:
    lines = game("1.9s 2.8s", front="9s 8s").splitlines()
    text = "\n".join([lines[0], ":deal", *lines[1:5], ":draws", lines[5], ":turns", "1.9s", ":more", "2.8s"])
    match = read(text.encode(), "uzje").match
    comments = [(one.index, one.value) for one in match.rounds[0].annotations]
    assert comments == [(1, "deal"), (1, "draws"), (1, "turns"), (3, "more")]
    assert match.rounds[0].extras["uzje"] == {"places": [-54, -2]}
    assert read(write([match], "uzje").data, "uzje").match == match


def test_data_paragraphs_may_follow_each_other_on_single_newlines_and_go_on_over_lines() -> None:
    text = "Site: a club\nin a town\nPlayers: 4\n\n" + game(said=0)
    match = read(text.encode(), "uzje").match
    assert match.extras["uzje"] == {"head": ["Site: a club\nin a town\nPlayers: 4"]}
    assert match.seats == 4


@looped("players", 3, 4, 6)
def test_players_0_are_as_many_as_the_tag_states(players: int) -> None:
    inherited = read(f"Players: {players}\n\n{game(players=players, said=0)}".encode(), "uzje").match
    assert inherited.rounds == read(game(players=players).encode(), "uzje").match.rounds


def test_tags_above_and_below_a_game() -> None:
    three = game(players=3, said=0)
    text = "\n\n".join([three, "Players: 3", three, "Players: 4", game(said=0)])
    rounds = read(text.encode(), "uzje").match.rounds
    assert [len(r.start.tehais) for r in rounds] == [3, 3, 4]  # type: ignore[union-attr,arg-type]
    # A match tag begins a match and its value is kept.
    text = f"{game()}\n\nEvent: x\nMatch: 2\nTable: 7\n\n{game()}"
    first, second = read(text.encode(), "uzje").matches
    assert first.rounds[0].extras["uzje"] == {"after": ["Event: x"]}
    assert second.extras["uzje"] == {"head": ["Match: 2\nTable: 7"]}
    assert read(write([first, second], "uzje").data, "uzje").matches == [first, second]


def test_line_ends_and_blanks_do_not_matter() -> None:
    text = game("1.9s 2.8s", front="9s 8s")
    loose = "\ufeff \r\n\t\r\n" + text.replace(" ", "\t \r\n") + "\r\n \r\n"
    assert read(loose.encode(), "uzje").matches == read(text.encode(), "uzje").matches


def test_extras_that_no_file_can_hold_travel_in_the_note() -> None:
    after = ["E 1 0 4\n1t", "mjconv: {}", "Match: 2", "a\n\nb", "", " ", "Bad tag: x", "fine"]
    for extras in (
        *({"places": places} for places in ([1, 2], [-1, -2], [-999, -1])),
        *({"after": lines} for lines in (["", ":", "Site: a club"], after, 5)),
        *({"end": end} for end in ("not one word", "1.5m", "")),
        *({"unknown": True}, [], None),
    ):
        match = read(game("1.9s", front="9s").encode(), "uzje").match
        match.rounds[0].extras = {"uzje": extras, "other": 1}
        match.extras = {"uzje": extras}
        for flavour in ("uzje", "uzje-commands"):
            assert read(write([match], flavour).data, "uzje").match == match, extras


@given(
    head=st.lists(st.text(alphabet="aE1 0:-\n(){}.M\t", max_size=12), max_size=3),
    after=st.lists(st.text(alphabet="aE1 0:-\n(){}.M\t", max_size=12), max_size=3),
    places=st.lists(st.integers(-70, 5), max_size=4),
    end=st.text(alphabet="aEd.1:( -", max_size=4),
)
def test_any_extras_come_back(head: list[str], after: list[str], places: list[int], end: str) -> None:
    match: Match = read(game("1.9s 2.8s", front="9s 8s").encode(), "uzje").match
    match.extras = {"uzje": {"head": head}}
    match.rounds[0].extras = {"uzje": {"places": places, "after": after, "end": end}}
    match.rounds[0].annotations = tuple(Annotation(1, "comment", value=f"{number}") for number in range(3))
    matches = [match, match]
    for flavour in ("uzje", "uzje-long", "uzje-commands"):
        assert read(write(matches, flavour).data, "uzje").matches == matches


# Annotations of any source.

TEXTS = st.text(alphabet="aE1 0:-\n(){}.M\t#", max_size=9) | st.sampled_from(
    ["", "E 1 0 4", "A: b", ":x", "mjconv: {}", "東"]
)


@given(st.tuples(annotations(2, TEXTS), annotations(9, TEXTS), annotations(7, TEXTS)), st.booleans())
def test_any_annotations_come_back(found: tuple[tuple[Annotation, ...], ...], over: bool) -> None:
    games = [game("1.9s 2.8s 3.W", front="9s 8s W"), game("1.9s 2.8s", front="9s 8s", header="E 2 0")]
    match: Match = read("\n\n".join(games).encode(), "uzje").match
    match.annotations, match.rounds[0].annotations, match.rounds[1].annotations = found
    if over:
        match.rounds[0].events.insert(3, ev.Riichi(0))
    matches = [match, match]
    for flavour in ("uzje", "uzje-commands"):
        assert read(write(matches, flavour).data, "uzje").matches == matches


def test_a_comment_is_written_before_the_turn_that_begins_at_its_index_or_later() -> None:
    for index, place in (
        (0, "6s\n:x\n1.9s"),
        (1, "6s\n:x\n1.9s"),
        (2, "1.9s\n:x\n2.8s"),
        (3, "1.9s\n:x\n2.8s"),
        (5, "2.8s\n:x\n\n"),
        (6, "2.8s\n\nx\n\n"),
        (7, "2.8s\n\nx\n\n"),
    ):
        match: Match = read(game("1.9s 2.8s", front="9s 8s 7s", back="6s").encode(), "uzje").match
        match.rounds[0].annotations = (Annotation(index, "comment", value="x"),)
        assert place in write([match], "uzje", plain=True).data.decode() + "\n", index
        assert read(write([match], "uzje").data, "uzje").match == match, index


def test_comments_of_the_match_go_before_its_first_game_and_after_its_last() -> None:
    match: Match = read(game().encode(), "uzje").match
    match.annotations = (Annotation(0, "comment", value="first"), Annotation(1, "comment", value="last\nof all"))
    written = write([match], "uzje")
    assert written.data.decode() == f"first\n\n{game()}\n:last\n:of all\n"
    assert written.losses == []
    assert read(written.data, "uzje").match == match


def test_comments_of_the_text_win_over_the_note_and_the_rest_of_the_note_stays() -> None:
    match: Match = read(game("1.9s 2.8s", front="9s 8s").encode(), "uzje").match
    match.rounds[0].events.insert(2, ev.Riichi(0))
    kept = Annotation(3, "comment", value="東"), Annotation(6, "left", 3)
    match.rounds[0].annotations = (Annotation(2, "comment", value="risky"), *kept)
    text = write([match], "uzje").data.decode()
    assert ":risky\n2.8s" in text
    edited = read(text.replace(":risky", ":bold").encode(), "uzje")
    assert edited.warnings == []
    assert edited.match.rounds[0].events == match.rounds[0].events
    assert edited.match.rounds[0].annotations == (kept[0], Annotation(4, "comment", value="bold"), kept[1])


def test_a_comment_added_to_a_text_with_a_note_stays_between_the_same_events() -> None:
    match: Match = read(game("1.9s 2.8s", front="9s 8s").encode(), "uzje").match
    match.rounds[0].events.insert(2, ev.Riichi(0))
    text = write([match], "uzje").data.decode().replace("1.9s", "1.9s (new)")
    edited = read(text.encode(), "uzje").match
    assert edited.rounds[0].annotations == (Annotation(4, "mark", value="(new)"),)
    assert isinstance(edited.rounds[0].events[3], ev.Discard)
