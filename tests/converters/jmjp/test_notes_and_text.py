"""A note of jmjp never contradicts the text: what it may change, and what is ignored with a warning."""

import json
import re
from typing import Any

import pytest

from engine import play
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.match import Annotation, Match
from trips import Was, read, write

CONTRADICTS = "the note of this round contradicts the text. The note was ignored"


def game() -> Match:
    """Return a game with something that jmjp has no place for in the match and in every round."""
    match = read(play(3, length="east"), "mjai").match
    match.extras = {"own": 1}
    for game_round in match.rounds:
        game_round.extras = {"own": 2}
    return match


TEXT = write([game()], "jmjp").data.decode()
BARE = re.sub(r"//.*\n", "", TEXT)


def with_note(whole: str, **patch: Any) -> Was:
    """Change the patch of the first note of a round, or of the match, and read the text."""
    line = next(line for line in TEXT.splitlines() if line.startswith("//@mjconv ") and f'"{whole}":' in line)
    note = json.loads(line.removeprefix("//@mjconv "))
    note[whole] = {**note[whole], **patch}
    return read(TEXT.replace(line, f"//@mjconv {json.dumps(note)}", 1).encode(), "jmjp")


def index_of(kind: type[ev.Event]) -> int:
    return next(at for at, event in enumerate(game().rounds[0].events) if type(event) is kind)


DISCARD = index_of(ev.Discard)
RESULT = next(at for at, event in enumerate(game().rounds[0].events) if type(event) in ev.RESULTS)
#: Edits of the first round that contradict its text.
LIES: dict[str, dict[str, Any]] = {
    "a win": {"at": 4, "delete": 1, "insert": [{"type": "hora", "actor": 1, "target": 0}]},
    "another win": {"at": RESULT, "insert": [{"type": "hora", "actor": 1, "target": 0}]},
    "another player": {"at": DISCARD, "set": {"actor": 3}},
    "a discard that is gone": {"at": DISCARD, "delete": 1},
    "another tile": {"at": DISCARD, "set": {"pai": "E"}},
    "scores": {"at": 0, "set": {"scores": [1000, 2000, 3000, 94000]}},
    "no scores": {"at": 0, "unset": ["scores"]},
    "the dealer": {"at": 0, "set": {"oya": 3}},
    "the wind": {"at": 0, "set": {"bakaze": "S"}},
    "deltas": {"at": RESULT, "set": {"deltas": [100, 0, 0, -100]}},
    "a dora": {"at": RESULT, "insert": [{"type": "dora", "dora_marker": "1m"}]},
    "another kind": {"at": DISCARD, "set": {"type": "hora", "target": 0}},
    "another result": {"at": RESULT, "set": {"type": "hora", "actor": 1, "target": 0}},
    "a tile set aside": {"at": DISCARD, "insert": [{"type": "nukidora", "actor": 0}]},
    "an early end": {"at": DISCARD, "insert": [{"type": "end_kyoku"}]},
    "a stick": {"at": RESULT, "insert": [{"type": "reach_accepted", "actor": 2}]},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_note_that_changes_what_the_text_shows_is_ignored_with_a_warning(lie: str) -> None:
    was = with_note("round", events=[LIES[lie]])
    visible = read(BARE.encode(), "jmjp").match
    assert was.match.rounds[0] == visible.rounds[0]
    assert [game_round.extras for game_round in was.match.rounds[1:]] == [{"own": 2}] * (len(visible.rounds) - 1)
    assert [warning.message for warning in was.warnings] == [CONTRADICTS]


def test_a_note_does_not_change_the_points_after_a_round() -> None:
    was = with_note("round", set={"scores_after": [1000, 2000, 3000, 94000]})
    assert was.match.rounds[0] == read(BARE.encode(), "jmjp").match.rounds[0]
    assert [warning.message for warning in was.warnings] == [CONTRADICTS]


def test_a_note_cannot_end_the_game_in_a_round() -> None:
    with pytest.raises(InputError, match="the events of a round cannot hold 'end_game'") as caught:
        with_note("round", events=[{"at": DISCARD, "insert": [{"type": "end_game"}]}])
    assert caught.value.place is not None


def test_a_note_does_not_deny_that_the_text_states_the_sticks() -> None:
    was = with_note("round", set={"assumed": ["kyotaku"]})
    assert was.match.rounds[0].assumed == ()
    assert [warning.message for warning in was.warnings] == [CONTRADICTS]


def test_a_note_of_the_match_does_not_rename_a_player() -> None:
    was = with_note("match", set={"players": [{"name": {"last": {"native": name}}} for name in "ABCD"]})
    visible = read(BARE.encode(), "jmjp").match
    assert was.match.players == visible.players
    assert was.match.extras == {}
    assert was.match.rounds == game().rounds
    assert [warning.message for warning in was.warnings] == [
        "the note of this match contradicts the text. The note was ignored"
    ]


def test_a_note_may_change_what_the_text_does_not_show() -> None:
    for key, value in (("reason", "suufon_renda"), ("own_key", [1])):
        was = with_note("round", events=[{"at": RESULT, "set": {key: value}}])
        assert was.warnings == [], key
        assert ev.to_message(was.match.rounds[0].events[RESULT])[key] == value, key


def test_a_hint_that_no_dealer_of_the_text_needs_changes_the_seats_alone() -> None:
    was = with_note("round", hints={"dealer": 2})
    start = was.match.rounds[0].start
    assert start is not None
    assert start.oya == 2


def test_comments_in_the_text_win_over_those_of_the_note() -> None:
    match = game()
    match.rounds[0].annotations = (Annotation(1, "comment", value="old"), Annotation(2, "left", seat=1))
    text = write([match], "jmjp").data
    assert text.count(b"//old\n") == 1
    was = read(text.replace(b"//old\n", b"//new\n"), "jmjp")
    assert was.match.rounds[0].annotations == (
        Annotation(1, "comment", value="new"),
        Annotation(2, "left", seat=1),
    )
    assert was.warnings == []


def test_the_format_declares_what_its_text_shows() -> None:
    """An event is shown with the keys that the reader makes of the text, and so are the fields of the head.

    Annotations are not among them: comments in the text replace those of a note, which is no contradiction.
    """
    shows = formats.find("jmjp")[0].shows
    read_back = read(BARE.encode(), "jmjp").match
    for game_round in read_back.rounds:
        for event in game_round.events[:-1]:
            message = ev.to_message(event)
            assert set(message) - {"type"} <= set(shows[message["type"]] or ()), message
    assert "annotations" not in {*(shows["round"] or ()), *(shows["match"] or ())}
