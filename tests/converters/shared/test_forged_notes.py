"""Notes that were forged: extras of the format itself, the order of tiles and yaku, and hints of the dealer."""

from typing import Any

import pytest
from msgspec import structs

from engine import play
from looped import looped
from mjconv.converters.shared import carry, note_json
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.ir.patch import Edit
from trips import Was, known, read, write

IGNORED = "the note of this {} contradicts the text. The note was ignored"
#: A flow of jmjp that could be an earlier one of any frame.
FLOW = "".join(f"({seat},hnd[1m2m3m4m5m6m7m8m9m1p2p3p4p,,])" for seat in "eswn")
#: The first tile that the dealer draws, as majiang spells it.
DRAWN = "z6"


def game() -> Match:
    """Return a game in which the match and each round has a note in every format."""
    match = read(play(2, length="east", chooser="riichi"), "mjai").match
    match.extras = {"own": 1}
    for game_round in match.rounds:
        game_round.extras = {"own": 2}
    return match


def with_forged_note(monkeypatch: pytest.MonkeyPatch, target: str, whole: str, **changes: Any) -> Was:
    """Write a game with another patch in the note of its match, or in that of its first round, and read it."""
    dumps, match = note_json.dumps, game()

    def forged(note: note_json.Note) -> bytes:
        patch = getattr(note, whole)
        if patch is not None and (whole == "match" or note.label == "E1-0"):
            note = structs.replace(note, **{whole: structs.replace(patch, **changes)})
        return dumps(note)

    monkeypatch.setattr(carry, "dumps", forged)
    text = write([match], target).data
    monkeypatch.undo()
    return read(text, target)


@pytest.mark.parametrize(
    ("target", "whole", "part"),
    [
        *(("majiang", "match", part) for part in ({"first": 1}, {"keys": {"other": 1}}, {"absent": ["title"]})),
        ("majiang", "round", {"steps": {"1": {"zimo": {"l": 0, "p": DRAWN, "more": 1}}}}),
        ("jmjp", "match", {"spelled": {"ply[0,,,,]": "ply[0,,,(0.0,00.0),]"}}),
        ("jmjp", "round", {"flows": [f"{FLOW}(e,1m,tg){FLOW}"]}),
        ("jmjp", "round", {"spelled": {"E1-0": "E1-00"}}),
        ("uzje", "match", {"head": ["Event: a cup"]}),
        ("uzje", "round", {"end": "draw"}),
        ("uzje-long", "round", {"after": ["Result: none"]}),
    ],
)
def test_a_note_does_not_state_extras_that_the_text_would_show(
    monkeypatch: pytest.MonkeyPatch, target: str, whole: str, part: dict[str, Any]
) -> None:
    own = target.partition("-")[0]
    hints = {"hints": {"layout": True}} if own == "uzje" else {}
    was = with_forged_note(monkeypatch, target, whole, set={"extras": {own: part}}, **hints)
    assert write(was.matches, target, plain=True).data == write([game()], target, plain=True).data
    assert {warning.message for warning in was.warnings} <= {IGNORED.format(whole)}


@pytest.mark.parametrize("target", ["majiang", "majsoul", "tenhou", "jmjp", "mjai"])
def test_a_note_does_not_change_the_order_of_dealt_tiles(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    start = known(game().rounds[0].start)
    assert start.tehais
    hands = [hand[::-1] for hand in start.tehais]
    was = with_forged_note(monkeypatch, target, "round", events=(Edit(0, set={"tehais": hands}),))
    assert [warning.message for warning in was.warnings] == [IGNORED.format("round")]


@pytest.mark.parametrize("target", ["majiang", "majsoul", "tenhou", "mjai"])
def test_a_note_does_not_change_the_order_of_yaku(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    visible = read(write([game()], target, plain=True).data, target).match.rounds[0]
    [win] = visible.select(ev.Win)
    yaku = (win.yakus or (("tanyao", 1),))[::-1]
    edit = Edit(visible.events.index(win), set={"yakus": yaku})
    was = with_forged_note(monkeypatch, target, "round", events=(edit,))
    assert [warning.message for warning in was.warnings] == [IGNORED.format("round")]


def test_a_note_changes_neither_a_tile_nor_the_kind_of_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    [dora] = {start.dora_marker for start in game().rounds[0].select(ev.StartRound)}
    other = "1m" if dora != "1m" else "2m"
    for edit in (Edit(0, set={"dora_marker": other}), Edit(1, set={"type": "dahai"})):
        was = with_forged_note(monkeypatch, "jmjp", "round", events=(edit,))
        assert [warning.message for warning in was.warnings] == [IGNORED.format("round")], edit


@looped("target", "jmjp", "uzje")
def test_a_hint_that_another_player_deals_is_a_warning(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    was = with_forged_note(monkeypatch, target, "round", hints={"dealer": 2})
    [warning] = was.warnings
    assert warning.message == "by its note, another player deals this round than its number states"
    assert (warning.round, warning.label) == (0, "E1-0")
    assert [one.oya for one in was.match.rounds[0].select(ev.StartRound)] == [2]
