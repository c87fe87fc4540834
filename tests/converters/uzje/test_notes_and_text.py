"""A note of an Ùzje file cannot contradict its text: what a person sees in the file is what is read."""

import json
from typing import Any

from handmade import LOG
from logs import lines
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from trips import Was, read, write

from .games import game

CONTRADICTS = "the note of this {} contradicts the text. The note was ignored"


def source() -> Match:
    """Return a match whose every round has a note with a riichi, points and a reason."""
    match: Match = read(game("1.9s 2.8s 3.W", front="9s 8s W").encode(), "uzje").match
    match.rounds[0].events[2:2] = [ev.Riichi(0)]
    match.rounds[0].events[-2] = ev.Ryukyoku("fourfold riichi", deltas=(0, 0, 0, 0))
    match.rounds[0].dice = (1, 2)
    match.opening[0] = ev.StartGame(id=0)
    return match


def noted(**changes: Any) -> str:
    """Return the file of the match, with parts of the note of its round changed."""
    match_note, text, note, *_ = write([source()], "uzje").data.decode().split("\n\n")
    content = json.loads(note.removeprefix("mjconv: "))
    content["round"].update(changes)
    return "\n\n".join([match_note, text, "mjconv: " + json.dumps(content)]) + "\n"


def with_edits(*edits: dict[str, Any]) -> Was:
    return read(noted(events=list(edits)).encode(), "uzje")


VISIBLE = read(write([source()], "uzje", plain=True).data, "uzje").match
#: A wall that the round may have been played from: its text would have one more tile.
WALL = read(game("1.9s 2.8s 3.W", front="9s 8s W 1m").encode(), "uzje").match.rounds[0].wall
#: The events that the text of the round is read as.
DEAL, DRAW, DISCARD, RESULT = 0, 1, 2, 7


def test_without_a_change_the_note_is_applied() -> None:
    was = read(noted().encode(), "uzje")
    assert was.match == source()
    assert was.warnings == []


def test_a_wall_in_the_note_of_a_list_that_is_none_is_a_contradiction() -> None:
    """A list that was the whole wall would have been written so."""
    was = read(noted(set={"wall": WALL}).encode(), "uzje")
    assert was.match.rounds == VISIBLE.rounds
    assert [warning.message for warning in was.warnings] == [CONTRADICTS.format("round")]


def test_values_that_the_text_does_not_show_may_be_edited_in_the_note() -> None:
    for edit in (
        {"at": RESULT, "set": {"reason": "kyushu_kyuhai", "deltas": [0, 0, 0, 0]}},
        {"at": DEAL, "set": {"scores": [1, 2, 3, 4], "dora_marker": "1m", "kyotaku": 2}},
        {"at": 4, "insert": [{"type": "reach", "actor": 1}]},
    ):
        was = with_edits(edit)
        assert was.warnings == [], edit
        assert was.match.rounds[0].dice == (1, 2), edit
        message = {**edit.get("set", {}), **(edit["insert"][0] if "insert" in edit else {})}
        assert message.items() <= json.loads(_json(was.match.rounds[0].events[edit["at"]])).items(), edit
    match: Match = read(game("1.9s 2.SR", front="9s").encode(), "uzje").match
    match.rounds[0].events[3] = ev.Win(1, 0, deltas=(-8000, 8000, 0, 0))
    text = write([match], "uzje").data.decode()
    was = read(text.replace("8000", "3900").encode(), "uzje")
    assert was.warnings == []
    [win] = was.match.rounds[0].select(ev.Win)
    assert win.deltas == (-3900, 3900, 0, 0)
    lie = read(text.replace('"set":{"deltas"', '"set":{"actor":2,"deltas"').encode(), "uzje")
    assert [warning.message for warning in lie.warnings] == [CONTRADICTS.format("round")]
    assert lie.match.rounds[0].select(ev.Win) == [ev.Win(1, 0)]
    # Names are only in the note and may be edited there.
    text = write(read(lines(LOG), "mjai").matches, "uzje").data.decode()
    assert text.count('"A\\u0020\\u0020b"') == 1
    was = read(text.replace('"A\\u0020\\u0020b"', '"Someone"').encode(), "uzje")
    assert was.warnings == []
    assert was.match.players[0].name.shown == "Someone"


def _json(event: ev.Event) -> str:
    return json.dumps(ev.to_message(event))
