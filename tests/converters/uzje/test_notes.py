"""Notes in data paragraphs: what they carry, keep and lose, and that they cannot contradict the text."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, structs

from corpus_files import SAMPLE
from engine import play
from faults import refused, refused_at
from handmade import LOG as HANDMADE
from logs import lines
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.errors import MjconvError, UnsupportedError
from mjconv.ir.match import Match, Name, Player, Rules, Text
from strategies import any_text
from trips import known, read, write

from .games import deal, game

LOG = play(3, length="east")
TEXT = write(read(LOG, "mjai").matches, "uzje").data.decode()
MATCH = read(LOG, "mjai").match


def paragraphs(text: str = TEXT) -> list[str]:
    return text.strip().split("\n\n")


def note_of(paragraph: str) -> dict[str, Any]:
    tag, _, value = paragraph.partition(": ")
    assert tag == "mjconv"
    return dict(json.loads(value))


def named(match: Match, *names: str) -> Match:
    return structs.replace(match, players=[Player(Name(Text(name))) for name in names])


NAMES = [
    "", "a  b", "東風 , 南", 'quote " and \\ "', "ends: here", ": x", "\u2028\n\t", "😀", "mjconv: {}", "E 1 0 4",
]  # fmt: skip


@given(st.lists(st.sampled_from(NAMES) | any_text(max_size=9), min_size=4, max_size=4))
def test_any_name_is_carried_in_ascii(names: list[str]) -> None:
    match = named(MATCH, *names)
    text = write([match], "uzje").data
    assert text.isascii()
    assert read(text, "uzje").match == match


@given(st.lists(st.sampled_from(NAMES) | any_text(max_size=40), min_size=4, max_size=4))
def test_no_line_of_a_note_is_taken_for_anything_else(names: list[str]) -> None:
    note = next(p for p in paragraphs(write([named(MATCH, *names)], "uzje").data.decode()) if p[:7] == "mjconv:")
    for line in note.split("\n")[1:]:
        assert line.strip()
        assert not line.startswith(":")
        assert not line.split()[0].endswith(":")
    assert max(map(len, note.split("\n")[:1])) <= 400


def test_notes_may_be_laid_out_in_any_way() -> None:
    """All white space of a note is between words of JSON."""
    match = named(MATCH, "a b", "c, d", "e", "f")
    text = write([match], "uzje").data.decode()
    for blank in (" ", "\n", "\n   ", "\t\r\n"):
        loose = "\n\n".join(
            blank.join(p.split()) if p.startswith("mjconv") else "\n".join(p.split()) for p in text.split("\n\n")
        )
        was = read(loose.encode(), "uzje")
        assert was.match == match
        assert was.warnings == []


def test_a_game_reflowed_and_commented_keeps_its_note() -> None:
    match = read(TEXT.encode(), "uzje").match
    loose = [
        p if p.startswith("mjconv") else ":a line\n" + p.replace(" ", "\n").replace("\n1.", " (mark)\n1.")
        for p in paragraphs()
    ]
    was = read("\n\n".join(loose).encode(), "uzje")
    assert was.warnings == []
    for got, wanted in zip(was.match.rounds, match.rounds, strict=True):
        assert got.events == wanted.events
        assert got.annotations[0].value == "a line"


def test_a_game_of_others_loses_the_note() -> None:
    match = structs.replace(named(read(game().encode(), "uzje").match, *"abcd"), rules=Rules(start=25000))
    text = write([match], "uzje").data.decode()
    note, *_ = paragraphs(text)
    was = read(f"{note}\n\n{game(players=3)}".encode(), "uzje")
    assert was.match.players == []
    [warning] = was.warnings
    assert warning.message == "the match was edited, so its note no longer fits. The note was ignored"


def sanma(*plays: ev.Event, hands: tuple[str, ...]) -> Match:
    start = ev.StartRound("E", kyoku=1, honba=0, oya=0, tehais=tuple(tuple(hand.split()) for hand in hands))
    events: list[ev.Event] = [start, *plays, ev.Ryukyoku(), ev.EndRound()]
    match = read(game(players=3).encode(), "uzje").match
    match.rounds[0].events = events
    return match


HANDS = (
    "1p 2p 3p 1p 2p 3p 1m 1m E E N N N",
    "4p 5p 6p 4p 5p 6p 9m 9m S S F F F",
    "7p 8p 9p 7p 8p 9p 7s 7s W W C C C",
)
KONG = (ev.Draw(0, "N"), ev.Ankan(0, ("N",) * 4), ev.Draw(0, "9s"), ev.Discard(0, "9s", True))
ASIDE = (ev.Draw(0, "N"), ev.Nukidora(0, "N"), ev.Draw(0, "9s"), ev.Discard(0, "9s", True))


@looped("plays", KONG, ASIDE, ids=["kong", "aside"])
@looped("flavour", "uzje", "uzje-long", "uzje-commands")
def test_the_note_distinguishes_a_kong_of_north_from_a_north_set_aside(
    plays: tuple[ev.Event, ...], flavour: str
) -> None:
    match = sanma(*plays, hands=HANDS)
    written = write([match], flavour)
    assert {loss.what for loss in written.losses} == {"ankan" if plays is KONG else "nukidora"}
    assert read(written.data, "uzje").match == match


@looped("plays", KONG, ASIDE, ids=["kong", "aside"])
def test_without_its_note_such_a_word_is_an_error_that_shows_both_readings(plays: tuple[ev.Event, ...]) -> None:
    match = sanma(*plays, hands=HANDS)
    _, bare, _ = paragraphs(write([match], "uzje").data.decode())
    assert refused(bare, "uzje").message == "KN can be read as a concealed kong or a north set aside"
    with pytest.raises(UnsupportedError, match="KN can be read as a concealed kong or a north set aside"):
        write([match], "uzje", plain=True)


def test_an_added_kong_of_north_differs_from_one_set_aside_too() -> None:
    hands = ("1p 2p 3p 1p 2p 3p 1m 1m E E N N F", HANDS[1].replace("F F F", "F F N"), HANDS[2])
    plays = (
        ev.Draw(0, "9s"), ev.Discard(0, "9s", True), ev.Draw(1, "9s"), ev.Discard(1, "N", False),
        ev.Pon(0, 1, "N", ("N", "N")), ev.Discard(0, "F", False), ev.Draw(1, "8s"), ev.Discard(1, "8s", True),
        ev.Draw(2, "8s"), ev.Discard(2, "8s", True), ev.Draw(0, "N"),
    )  # fmt: skip
    for kong in (ev.Kakan(0, "N", ("N", "N", "N")), ev.Nukidora(0, "N")):
        match = sanma(*plays, kong, ev.Draw(0, "1s"), ev.Discard(0, "1s", True), hands=hands)
        assert read(write([match], "uzje").data, "uzje").match == match


def test_a_turn_number_names_which_of_two_like_tiles_was_discarded() -> None:
    match = read(game("1.P 2.S", front="9s S", hands=None).encode(), "uzje").match
    events = match.rounds[0].events
    assert events[4] == ev.Discard(1, "S", False)
    events[4] = ev.Discard(1, "S", True)
    written = write([match], "uzje")
    assert note_of(paragraphs(written.data.decode())[2])["round"]["hints"]["drawn"] == [1]
    assert [(loss.what, loss.fate, loss.event) for loss in written.losses] == [("dahai.tsumogiri", "carried", 3)]
    assert read(written.data, "uzje").match == match


RED_HANDS = ("5m 5mr 5m 1p 2p 3p 1s 2s 3s E E P P", *HANDS[1:], "1m 2m 3m 1m 2m 3m 8m 8m 9s 9s 9s 4s 5sr")


def test_red_fives_are_named_by_their_places_in_the_list() -> None:
    for plays in (
        (ev.Draw(0, "5m"), ev.Discard(0, "5mr", False)),
        (ev.Draw(0, "5m"), ev.Discard(0, "5m", True)),
        (ev.Draw(0, "5m"), ev.Discard(0, "5m", False)),
        (ev.Draw(0, "5m"), ev.Ankan(0, ("5m", "5mr", "5m", "5m")), ev.Draw(0, "9s")),
        (ev.Draw(0, "5m"), ev.Ankan(0, ("5m", "5m", "5m", "5mr")), ev.Draw(0, "5pr"), ev.Discard(0, "5pr", True)),
        (ev.Draw(0, "5pr"), ev.Discard(0, "5pr", False)),
        (ev.Draw(0, "5pr"), ev.Discard(0, "5m", False), ev.Draw(1, "5m"), ev.Discard(1, "5m", True),
         ev.Pon(0, 1, "5m", ("5m", "5mr")), ev.Discard(0, "5pr", False)),
        (ev.Draw(0, "5pr"), ev.Discard(0, "5mr", False), ev.Draw(1, "5m"), ev.Discard(1, "5m", True),
         ev.Pon(0, 1, "5m", ("5m", "5m")), ev.Discard(0, "5pr", False)),
        (ev.Draw(0, "3s"), ev.Discard(0, "3s", True), ev.Draw(1, "3s"), ev.Discard(1, "3s", True),
         ev.Draw(2, "3s"), ev.Discard(2, "3s", True), ev.Chi(3, 2, "3s", ("4s", "5sr")),
         ev.Discard(3, "1m", False)),
    ):  # fmt: skip
        match = sanma(*plays, hands=RED_HANDS)
        for flavour in ("uzje", "uzje-long", "uzje-commands"):
            written = write([match], flavour).data
            assert b"5mr" not in written.split(b"mjconv")[0], plays
            assert read(written, "uzje").match == match, plays


def test_a_wall_is_written_whole_and_its_red_fives_are_named() -> None:
    match = sanma(ev.Draw(0, "5m"), ev.Discard(0, "5m", True), hands=RED_HANDS)
    match.rounds[0].wall = tuple(" ".join([*deal(RED_HANDS), "5m 5pr 7s E"]).split())
    written = write([match], "uzje").data
    assert b"5m 5t 7s E\n" in written
    assert read(written, "uzje").match == match


@looped("wall", ("5m",), ("?",) * 60, ("1p",) * 200, ("E", "S"))
def test_a_wall_that_was_not_played_from_is_the_notes(wall: tuple[str, ...]) -> None:
    match = read(game("1.9s", front="9s").encode(), "uzje").match
    match.rounds[0].wall = wall
    assert read(write([match], "uzje").data, "uzje").match == match


def test_notes_hold_tiles_and_seats_beyond_mjais() -> None:
    match = read(game("1.Z 2.ft", front="Z 9m", players=6).encode(), "uzje").match
    game_round = match.rounds[0]
    start = known(game_round.start)
    game_round.events[0] = structs.replace(start, scores=(1, 2, 3, 4, 5, 6))
    game_round.events.insert(4, ev.Riichi(1))
    game_round.events[-2:] = [ev.Win(5, 1, pai="16s", deltas=(0, 0, 0, 0, -9, 9)), ev.EndRound()]
    match.players = [Player(Name(Text(name))) for name in "abcdef"]
    assert read(write([match], "uzje").data, "uzje").match == match


def test_rounds_beyond_the_fourth_have_notes_too_and_those_beyond_any_are_refused() -> None:
    for number in (5, 6, 7):
        match = read(game(header=f"E {number} 0").encode(), "uzje").match
        start = known(match.rounds[0].start)
        assert (start.kyoku, start.oya) == (number, (number - 1) % 4)
        match.rounds[0].events[0] = structs.replace(start, kyotaku=1)
        if number < 7:
            assert read(write([match], "uzje").data, "uzje").match == match
        else:
            with pytest.raises(UnsupportedError, match=r"match 1, round E7-0: no note can hold this: .*kyoku"):
                write([match], "uzje")


def test_an_event_that_names_no_player_of_the_game_is_refused() -> None:
    match = read(SAMPLE.read_bytes(), "mjai").match
    events = next(one.events for one in match.rounds if one.select(ev.Pon))
    place = next(place for place, event in enumerate(events) if type(event) is ev.Pon)
    events[place] = structs.replace(events[place], target=4)
    with pytest.raises(MjconvError, match="Expected `int` <= 3"):
        write([match], "uzje")


def test_six_players_without_a_game_and_second_winners_have_notes() -> None:
    match = Match(opening=[ev.StartGame()], closing=[ev.EndGame(scores=(1, 2, 3, 4, 5, 6))])
    assert read(write([match], "uzje").data, "uzje").match == match
    match = read(game("1.E 2.SR", front="E").encode(), "uzje").match
    match.rounds[0].events[-1:] = [ev.Win(2, 0), ev.Win(3, 0), ev.EndRound()]
    written = write([match], "uzje")
    assert [(loss.what, loss.fate) for loss in written.losses] == [("hora", "carried")] * 2
    assert read(written.data, "uzje").match == match


def test_a_note_that_is_none_is_an_error_at_its_line() -> None:
    for note, message in (
        ("{", "the note is no JSON"),
        ("[5]", "the note is not well-formed"),
        ('{"v":4,"round":{"unknown":1}}', "the note is not well-formed"),
        *(
            (
                f'{{"v":4,"digest":"DIGEST","round":{{"hints":{{"red":[{tile}]}}}}}}',
                f"fit: tile {tile} of the list",
            )
            for tile in (999, -1, 0)
        ),
        ('{"v":4,"digest":"DIGEST","round":{"hints":{"red":[18,18]}}}', "named twice as a red five"),
        ('{"v":4,"digest":"DIGEST","round":{"events":[{"at":99}]}}', "the note does not fit: no events 99"),
        ('{"v":4,"digest":"DIGEST","round":{"set":{"dice":"x"}}}', "the note does not fit: dice"),
        ('{"v":4,"digest":"MATCH","match":{"set":{"rounds":[]}}}', "the note does not fit"),
    ):
        text = game("1.5m", front="5s")
        match = read(text.encode(), "uzje").match
        match.rounds[0].dice = (1, 2)
        match.date = UNSET
        digests = note_of(paragraphs(write([match], "uzje").data.decode())[2])
        named_match = named(match, *"abcd")
        of_match = note_of(paragraphs(write([named_match], "uzje").data.decode())[0])["digest"]
        filled = note.replace("DIGEST", digests["digest"]).replace("MATCH", of_match)
        line, _, said = refused_at(f"{text}\nmjconv: {filled}\n", "uzje")
        assert message in said, note
        assert line == 9, note


WORDS = st.sampled_from(["at", "set", "insert", "delete", "type", "actor", "pai", "wall"])
VALUES = st.recursive(
    st.sampled_from([None, True, False, "5m", "E", "tsumo"]) | st.integers(-99, 99) | any_text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner),
    max_leaves=6,
)
HINTS = ["dealer", "red", "drawn", "kong", "aside", "layout"]
KEYS = ["set", "unset", "events", "opening", "closing", *HINTS]


@given(note=st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_no_note_makes_a_crash(note: dict[str, Any]) -> None:
    parts = paragraphs()
    for place, part in enumerate(parts):
        if part.startswith("mjconv"):
            whole = note_of(part)
            if "round" in whole:
                hints = {key: value for key, value in note.items() if key in HINTS}
                patch = {key: value for key, value in note.items() if key not in HINTS}
                whole["round"] = {**whole["round"], **patch, "hints": {**whole["round"].get("hints", {}), **hints}}
                parts[place] = "mjconv: " + json.dumps(whole)
                break
    with suppress(MjconvError):
        was = read("\n\n".join(parts).encode(), "uzje")
        for target in ("uzje", "mjai", "jmjp", "uzje-commands"):
            write(was.matches, target)


# A note of an Ùzje file cannot contradict its text: what a person sees in the file is what is read.
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
    assert was.match.rounds == read(write([source()], "uzje", plain=True).data, "uzje").match.rounds
    assert [warning.message for warning in was.warnings] == [CONTRADICTS.format("round")]


def test_values_that_the_text_does_not_show_may_be_edited_in_the_note() -> None:
    for edit in (
        {"at": RESULT, "set": {"reason": "kyushu_kyuhai", "deltas": [0, 0, 0, 0]}},
        {"at": DEAL, "set": {"scores": [1, 2, 3, 4], "dora_marker": "1m", "kyotaku": 2}},
        {"at": 4, "insert": [{"type": "reach", "actor": 1}]},
    ):
        was = read(noted(events=[edit]).encode(), "uzje")
        assert was.warnings == [], edit
        assert was.match.rounds[0].dice == (1, 2), edit
        message = {**edit.get("set", {}), **(edit["insert"][0] if "insert" in edit else {})}
        found = json.loads(json.dumps(ev.to_message(was.match.rounds[0].events[edit["at"]])))
        assert message.items() <= found.items(), edit
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
    text = write(read(lines(HANDMADE), "mjai").matches, "uzje").data.decode()
    assert text.count('"A\\u0020\\u0020b"') == 1
    was = read(text.replace('"A\\u0020\\u0020b"', '"Someone"').encode(), "uzje")
    assert was.warnings == []
    assert was.match.players[0].name.shown == "Someone"
