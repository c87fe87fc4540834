"""A wind and two integers begin a game of an Ùzje file: a fault in them is an error, and no comment."""

from faults import refused_at
from looped import looped
from mjconv.converters import formats
from trips import known, read

GAME = (
    "2m 2m 3m 4m 5m 6m 7m 8m 5m 5m 7m 7m 2m 3m 6m 6m\n7m 4t 7t 7t 3t 4t 6t 7t 2t 2t 2t 3t 5t 7t 8t 2s\n"
    "5s 6s 6s 7s 8t 2s 3s 5s 8t 3s 6s 7s 2s 3s 4s 8s\nN N N N\nP 3s\n1.P 2.?\n"
)
SIGN = "is a number without a sign, not"


def test_a_fault_in_a_header_is_an_error_at_its_word() -> None:
    for head, column, said in (
        ("E 2 -1 4", 5, f"the repeat {SIGN} '-1'"),
        ("E 2 +1 4", 5, f"the repeat {SIGN} '+1'"),
        ("E -2 1 4", 3, f"the round {SIGN} '-2'"),
        ("E +2 -1 4", 3, f"the round {SIGN} '+2'"),
        ("E 0 0 4", 3, "the round counts from 1"),
        *((head, 7, "players are 3, 4 or 6") for head in ("E 1 0 -4", "E 1 0 x")),
    ):
        *place, message = refused_at(f"E 1 0 4\n{GAME}\n{head}\n{GAME}", "uzje")
        assert said in message, head
        assert place == [9, column], head


@looped("head", "E 2 -1 4", "E -2 0 4", "E +2 +1 4")
def test_a_file_that_begins_with_such_a_header_is_uzje(head: str) -> None:
    form = known(formats.recognise(f"{head}\n{GAME}".encode()))
    assert form.id == "uzje"


@looped("head", "E 2 x 4", "e 2 0 4", "X 2 0 4", "E 1,0 4", "E 2 --1 4", "E", "E 1 O 4")
def test_a_comment_that_lists_the_tiles_of_a_game_gets_a_warning(head: str) -> None:
    was = read(f"E 1 0 4\n{GAME}\n{head}\n{GAME}".encode(), "uzje")
    [warning] = was.warnings
    assert "read as a comment" in warning.message
    assert warning.line == 9
    assert len(was.match.rounds) == 1


def test_comments_about_play() -> None:
    for comment, reason in (
        ("2.8s\n3.9s", "lists turns"),
        ("9s 8s\n(a) 10.SR\n:aside", "lists turns"),
        ("Ed9s S- Sd8s end", "lists turns"),
        ('2.8s\nmjconv: {"v":4,"digest":"00","round":{}}', "has a note in it"),
    ):
        [warning] = read(f"E 1 0 4\n{GAME}\n{comment}\n".encode(), "uzje").warnings
        assert warning.message.startswith(f"this paragraph {reason}, but is read as a comment"), comment
        assert warning.line == 9, comment
    for comment in ("East waits for 1t 4t 7t, and N holds 2m 3m 4m.", "E plays 2 1 and wins", "See 10.SR"):
        assert read(f"E 1 0 4\n{GAME}\n{comment}\n".encode(), "uzje").warnings == [], comment


def test_a_turn_with_a_wrong_number_gets_a_warning() -> None:
    assert read(f"E 1 0 4\n{GAME}".encode(), "uzje").warnings == []
    [warning] = read(f"E 1 0 4\n{GAME}".replace("2.?", "3.?").encode(), "uzje").warnings
    assert warning.message == "turn 3 comes where turn 2 is expected"
