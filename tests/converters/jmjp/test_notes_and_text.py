"""A note of jmjp never contradicts the text: what it may change, and what is ignored with a warning."""

import json
import re
from typing import Any

from engine import play
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir.match import Match
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


RESULT = next(at for at, event in enumerate(game().rounds[0].events) if type(event) in ev.RESULTS)


def test_a_note_does_not_deny_that_the_text_states_the_sticks() -> None:
    was = with_note("round", set={"assumed": ["kyotaku"]})
    assert was.match.rounds[0].assumed == ()
    assert [warning.message for warning in was.warnings] == [CONTRADICTS]


def test_a_note_may_change_what_the_text_does_not_show() -> None:
    for key, value in (("reason", "suufon_renda"), ("own_key", [1])):
        was = with_note("round", events=[{"at": RESULT, "set": {key: value}}])
        assert was.warnings == [], key
        assert ev.to_message(was.match.rounds[0].events[RESULT])[key] == value, key


def test_the_format_declares_what_its_text_shows() -> None:
    """An event is shown with the keys that the reader makes of the text, and so are the fields of the head.

    Annotations are not among them: comments in the text replace those of a note, which is no contradiction.
    """
    shows = formats.find("jmjp")[0].shows
    for game_round in read(BARE.encode(), "jmjp").match.rounds:
        for event in game_round.events[:-1]:
            message = ev.to_message(event)
            assert set(message) - {"type"} <= set(shows[message["type"]] or ()), message
    assert "annotations" not in {*(shows["round"] or ()), *(shows["match"] or ())}
