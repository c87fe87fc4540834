"""Notes never contradict the text: what a note may change, what is ignored, and notes that were forged."""

import json
import re
from typing import Any, ClassVar
from urllib.parse import unquote

import pytest
from msgspec import UNSET, structs

from corpus_files import CORPUS, SAMPLE, TYPED
from engine import play
from handmade import LOG
from logs import Message, lines
from looped import looped
from mjconv.converters.shared import carry, note_json
from mjconv.converters.shared.note_json import VERSION, Carried, Note, digest
from mjconv.converters.shared.restore import FoundNote, MatchNotes, check_inserted
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, Place
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from mjconv.ir.patch import Edit, Patch, PatchError, apply
from trips import Was, bare, known, read, write

CONTRADICTS = "the note of this round contradicts the text. The note was ignored"


def noted() -> list[Message]:
    """Return a log whose match and whose every round has a note."""
    match = read(lines(LOG), "mjai").match
    match.extras = {"a": 1}
    for game_round in match.rounds:
        game_round.dice = (1, 2)
    return [json.loads(line) for line in write([match], "mjai").data.splitlines()]


def with_note(at: int, whole: str, patch: dict[str, Any]) -> Was:
    log = noted()
    log[at]["mjconv"][whole] = patch
    return read(lines(log), "mjai")


def test_a_note_may_change_what_the_text_does_not_show() -> None:
    was = with_note(1, "round", {"set": {"dice": [6, 6]}})
    assert was.match.rounds[0].dice == (6, 6)
    assert was.warnings == []


def test_a_check_reports_a_wall_in_a_note_that_was_not_dealt() -> None:
    log = noted()
    log[1]["mjconv"]["round"] = {"set": {"wall": ["E"] * 136}}
    was = read(lines(log), "mjai", Report(lenient=True))
    assert was.match.rounds[0].wall == ("E",) * 136
    [warning] = was.warnings
    assert (warning.message, warning.round) == ("the hands differ from the wall in the note of this round", 0)


def test_a_note_of_a_match_does_not_rename_a_player() -> None:
    names = noted()[0]["names"]
    players = [{"name": {"last": {"native": name}}} for name in [*names[:3], "Somebody Else"]]
    was = with_note(0, "match", {"set": {"players": players}})
    assert [player.name.shown for player in was.match.players] == names
    assert was.match.extras == {}
    names = ", ".join(f"players.{seat}.name" for seat in range(4))
    edited = f"the text around the rounds was edited: {names}. The text counts for this, and the note for the rest"
    assert [warning.message for warning in was.warnings] == [edited]


@looped("name", "x", "東", "%e6%9d%b1", "a b")
def test_a_name_typed_into_an_mjlog_takes_nothing_else_from_the_note(name: str) -> None:
    match = read(lines(LOG), "mjai").match
    match.closing = [ev.EndGame()]  # the text shows scores that the match does not state
    text = write([match], "tenhou").data.decode()
    [*_, written] = re.findall('n2="(.*?)"', text)
    was = read(text.replace(written, name).encode(), "tenhou")
    assert was.match.names == [*match.names[:2], unquote(name), match.names[3]]
    assert was.match.closing == [ev.EndGame()]


@looped(
    ("target", "nobody", "one"),
    ("hk", "P1 P2 P3 P4", "Ann P2 P3 P4"),
    ("tenhou", 'n0=""', 'n0="%41%6E%6E"'),
    ("tenhou-json", '"name":["",', '"name":["Ann",'),
)
def test_a_name_for_one_of_players_without_names_takes_nothing_from_the_note(
    target: str, nobody: str, one: str
) -> None:
    match = read(lines(LOG), "mjai").match
    match.players = []
    text = write([match], target).data.decode()
    assert nobody in text
    was = read(text.replace(nobody, one, 1).encode(), target)
    assert was.match.names == ["Ann", "", "", ""]
    assert structs.replace(was.match, players=[]) == match


@looped(("target", "value", "other"), ("tenhou", 'sx="M,', 'sx="F,'), ("majiang", r'"rank":\[(\d),', '"rank":[9,'))
def test_a_value_that_no_field_of_a_match_holds_takes_nothing_from_the_note(
    target: str, value: str, other: str
) -> None:
    match = read(lines(LOG), "mjai").match
    match.closing = [ev.EndGame()]
    match.players = [structs.replace(player, rank="初段") for player in match.players]
    match.extras = {"a": 1}
    text = re.sub(value, other, write([match], target).data.decode())
    assert other in text
    was = read(text.encode(), target)
    assert was.match.extras["a"] == 1
    assert not any("ignored" in warning.message for warning in was.warnings)
    if target == "tenhou":
        assert was.match == match
    else:
        assert (was.match.players, was.match.rounds) == (match.players, match.rounds)
        assert other in write([was.match], target).data.decode()


def test_points_edited_in_the_last_round_take_only_the_end_from_the_note_of_the_match() -> None:
    match = read(lines(LOG), "mjai").match
    match.closing = [ev.EndGame()]
    match.extras = {"a": 1}
    before, fenpei, after = write([match], "majiang").data.decode().rpartition('"fenpei":[')
    was = read((before + fenpei + re.sub(r"^-?\d+", "7", after)).encode(), "majiang")
    assert was.match.extras == match.extras
    assert was.match.closing[0].scores  # type: ignore[union-attr]


def test_sticks_edited_in_the_last_deal_do_not_change_the_points_at_the_end_that_the_text_states() -> None:
    was = read(TYPED.encode(), "jmjp")
    text = re.sub(r'(?s)(.*<INIT seed="\d,\d,)0', r"\g<1>1", write(was.matches, "tenhou").data.decode())
    [end] = re.findall('owari="[^"]*"', text)
    assert end in write(read(text.encode(), "tenhou").matches, "tenhou", plain=True).data.decode()


@looped(
    ("target", "discard", "slip", "ending"),
    (
        "majiang",
        r'("dapai":{"l":\d,"p":)"\w\d"',
        r'\1"z6"',
        "the text counts for what it shows, and the note for the rest",
    ),
    (
        "majsoul",
        r'("DiscardTile","data":{"seat":\d,"tile":)"\d\w"',
        r'\1"6z"',
        "its match cannot be written. The note was ignored",
    ),
)
def test_notes_beside_a_slip_of_play_are_not_said_to_contradict(
    target: str, discard: str, slip: str, ending: str
) -> None:
    text = write(read(lines(LOG), "mjai").matches, target).data.decode()
    was = read(re.sub(discard, slip, text, count=1).encode(), target)
    with pytest.raises(MjconvError):
        write(was.matches, target)
    messages = [warning.message for warning in was.warnings]
    assert any(message.endswith(ending) for message in messages)
    assert not any("contradicts" in message for message in messages)


def test_a_note_with_the_digests_of_the_names_does_not_rename_a_player() -> None:
    match = read(lines(LOG), "mjai").match
    match.players = [structs.replace(player, rank="初段") for player in match.players]
    log = [json.loads(line) for line in write([match], "mjai").data.splitlines()]
    log[0]["mjconv"]["match"]["set"]["players"][3]["name"] = {"last": {"native": "Somebody Else"}}
    was = read(lines(log), "mjai")
    assert was.match.players == read(lines(LOG), "mjai").match.players
    [warning] = was.warnings
    assert warning.message == "the note of this match contradicts the text. The note was ignored"


def test_one_note_that_contradicts_leaves_the_others_their_word() -> None:
    log = noted()
    deals = [at for at, message in enumerate(log) if message["type"] == "start_kyoku"]
    for at in deals[:2]:
        log[at]["mjconv"]["round"]["events"] = [{"at": 1, "set": {"actor": 3 if at == deals[0] else 0}}]
    second = log[deals[1] + 1]
    log[deals[1]]["mjconv"]["round"]["events"] = [{"at": 1, "set": {"actor": second["actor"]}}]
    was = read(lines(log), "mjai")
    assert [game_round.dice for game_round in was.match.rounds[1:]] == [(1, 2)] * (len(deals) - 1)
    assert len(was.warnings) == 1


WHOLES = {
    "events": "the events of a round",
    "opening": "the opening of a match",
    "closing": "the closing of a match",
}


class TestInserted:
    """Which kinds of events a note may insert where."""

    DEAL: ClassVar[Message] = {"type": "start_kyoku", "oya": 0}

    def test_a_note_does_not_begin_or_end_another_round_or_match(self) -> None:
        north = {"type": "nukidora", "actor": 0}
        never = [("events", {"type": kind}) for kind in ("start_game", "end_game", "hello", "none")]
        never += [("opening", self.DEAL), ("opening", {"type": "end_game"})]
        never += [("closing", {"type": "start_game"}), ("closing", north)]
        for part, message, refusal in (
            *((part, said, f"{WHOLES[part]} cannot hold '{said['type']}'") for part, said in never),
            ("events", self.DEAL, "the events of a round can hold 'start_kyoku' once, as the first"),
            ("opening", {"type": "start_game"}, "the opening of a match can hold 'start_game' once"),
            ("events", {"type": "reach", "actor": 0}, ""),
            ("opening", {"type": "hello"}, ""),
            ("closing", {"type": "none"}, ""),
        ):
            whole = Round([ev.StartRound(), ev.Draw(0, "1m")])
            match = Match(opening=[ev.StartGame()], closing=[ev.EndGame()])
            visible = whole if part == "events" else match
            patch = Patch(**{part: (Edit(1, insert=(message,)),)})
            restored = apply(patch, visible)
            if not refusal:
                check_inserted(patch, restored)
            else:
                with pytest.raises(PatchError, match=refusal):
                    check_inserted(patch, restored)

    def test_a_round_without_a_deal_may_have_one_as_its_first_event(self) -> None:
        patch = Patch(events=(Edit(0, insert=(self.DEAL,)),))
        check_inserted(patch, apply(patch, Round([ev.Draw(0, "1m")])))
        patch = Patch(events=(Edit(1, insert=(self.DEAL,)),))
        with pytest.raises(PatchError, match="can hold 'start_kyoku' once, as the first of them"):
            check_inserted(patch, apply(patch, Round([ev.Draw(0, "1m")])))


def test_a_second_note_is_ignored_with_a_warning() -> None:
    for at, whole in enumerate(("match", "round")):
        log = noted()
        log[at]["mjconv"] = [log[at]["mjconv"], log[at]["mjconv"]]
        was = read(lines(log), "mjai")
        assert (was.match.extras, was.match.rounds[0].dice) == ({"a": 1}, (1, 2))
        [warning] = was.warnings
        assert warning.message == f"the {whole} has another note before this one. The note was ignored"


def test_the_note_of_an_edited_head_does_not_take_a_player_away() -> None:
    log = noted()
    log[0]["names"][3] = "Somebody Else"
    log[0]["mjconv"]["match"] = {"set": {"players": [{}, {}, {}]}}
    was = read(lines(log), "mjai")
    assert [player.name and player.name.shown for player in was.match.players] == log[0]["names"]
    assert "the match was edited, so its note no longer fits. The note was ignored" in {
        warning.message for warning in was.warnings
    }


def match_notes(count: int, **values: Any) -> MatchNotes:
    """Return the notes of a match of so many rounds without text: its own note alone, with these values."""
    found = FoundNote(Note(VERSION, digest(b""), **values), lambda: Place(1, 1, ""))
    return MatchNotes([found], count, lambda _: b"", Report(), 0)


def test_what_was_taken_out_of_the_text_is_not_restored() -> None:
    """The edits of an opening may not even fit."""
    values = {"extras": {"a": 1, "hk": 2}, "place": {"code": "mlg-std"}}
    carried = Carried(set=values, opening=(Edit(0, set={"id": 1}),))
    notes = match_notes(0, match=carried, fields=dict.fromkeys(("extras.hk", "opening", "place"), "00"))
    assert notes.restore_match(Match()) == Match(extras={"a": 1})
    assert "was edited: extras.hk, opening, place." in notes.report.warnings[0].message


def test_a_round_that_cannot_be_read_is_none_that_another_version_read_otherwise() -> None:
    notes = match_notes(2, match=Carried(), rounds=("000000",))
    for index, visible in enumerate((Round(), Round([ev.EndRound()]))):
        notes.restore_round(visible, index)
    assert notes.read_otherwise == [1]


@looped(
    ("target", "name", "source"),
    ("uzje-long", "tenhou/hanchan.mjlog", "tenhou"),
    ("tenhou-json", "sample/game.mjson", "mjai"),
    ("jmjp-0", "grammar/layout.jmjp", "jmjp"),
)
def test_where_a_note_states_no_known_flavour_it_is_that_of_the_text(target: str, name: str, source: str) -> None:
    text = write(bare(read((CORPUS / name).read_bytes(), source).matches), target).data
    assert text.count(target.encode()) == 1
    was = read(text.replace(target.encode(), b"chess"), target)
    assert (was.matches, was.warnings) == (read(text, target).matches, [])


def test_a_note_does_not_contradict_the_lines_outside_its_round() -> None:
    match = read("2026-04-05\nA B C D\n1 d - -\n", "hk").match
    match.rounds[0].dice = (1, 2)
    text = write([match], "hk").data.decode()
    was = read(text.replace('"dice":[1,2]', '"dice":[1,2],"date":"2020-01-01"'), "hk")
    assert (was.match.rounds[0].date, was.match.rounds[0].dice) == (UNSET, UNSET)
    assert [one.message for one in was.warnings] == [CONTRADICTS]


def test_a_dealer_of_a_note_of_a_round_does_not_contradict_the_order_of_the_players_in_the_head() -> None:
    match = read(SAMPLE.read_bytes(), "mjai").match
    match.rounds[0].extras = {"own": 1}
    text = write([match], "jmjp").data.decode()
    was = read(text.replace('"round":{', '"round":{"hints":{"dealer":2},', 1), "jmjp")
    assert known(was.match.rounds[0].start).oya == 0
    assert [one.message for one in was.warnings] == [CONTRADICTS]


# Notes that were forged: extras of the format itself, the order of tiles and yaku, and hints of the dealer.
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
