"""PMN: what it is read as, what is written, and what is refused."""

import json
import re

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS
from faults import refused_at
from looped import looped
from mcr_made import NAMES, hand, in_pmn, match_of
from mjconv.converters.pmn.reader import unescaped_note
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Annotation, Match, Name, Player, Rules, Text
from trips import known, read, write

DRAWN = (CORPUS / "pmn/drawn.pmn").read_text("utf-8")
NOTE = re.compile(r'\[mjconv "(.*)"\]')


def written(*matches: Match, plain: bool = False) -> str:
    return write(matches, "pmn", plain=plain).data.decode()


def changed(tag: str, value: str) -> str:
    return re.sub(rf'\[{tag} ".*"\]', lambda _: f'[{tag} "{value}"]', DRAWN)


def unfinished(play: str) -> str:
    """Return a hand with this play and no winner."""
    return changed("Play", play).replace(DRAWN[DRAWN.index("[Fan") :], "")


def test_a_hand_is_a_match_with_the_tags_around_it() -> None:
    match = read(DRAWN, "pmn").match
    assert [player.name.shown for player in match.players if player.name] == list(NAMES)
    assert known(match.tournament).name == Text('Spring "Cup"')
    assert (match.rules, match.place, str(match.date)) == (Rules(game="mcr"), Text("Hangzhou"), "2026-04-05")
    start, win = match.rounds[0].start, match.rounds[0].events[-2]
    assert start is not None
    assert (start.bakaze, start.kyoku, start.oya, start.scores) == ("N", 2, 0, (0, 0, 0, 0))
    assert isinstance(win, ev.Win)
    assert (win.actor, win.target, win.pai, win.fan, win.deltas) == (2, 2, UNSET, 23, (-31, -31, 93, -31))


def test_z1_is_the_tile_just_drawn() -> None:
    events = read(unfinished("T0b2D0z1T1b2D1b2"), "pmn").match.rounds[0].events
    assert events[2] == ev.Discard(0, "2s", tsumogiri=True)
    assert events[4] == ev.Discard(1, "2s", tsumogiri=False)
    # A discard that does not state it is taken for the tile just drawn.
    match = read(unfinished("T0b2D0z1"), "pmn").match
    match.rounds[0].events[2] = ev.Discard(0, "2s")
    assert "T0b2D0z1" in written(match)


def test_others_may_set_aside_flowers_that_were_dealt_after_the_draw_of_the_dealer() -> None:
    text = unfinished("T0b2R1f3T1c9D0z1T1b2D1b2").replace("w44r1f", "w4r1f3")
    match = read(text, "pmn").match
    assert match.rounds[0].events[4] == ev.Discard(0, "2s", tsumogiri=True)
    assert not {finding.code for finding in mjconv.check(match)} & {"O001", "O002"}
    state = [step.state for step in mjconv.steps(match) if step.event is not None][3]
    assert (state.drawn[:2], "9m" in state.hands[1], state.turn) == (("2s", None), True, 0)
    assert read(written(match), "pmn").match == match


def test_an_empty_line_after_the_play_ends_a_hand_without_the_first_tag_of_the_next() -> None:
    nameless = re.sub(r'\[Event ".*"\]\n', "", DRAWN)
    first, second = read(f"{nameless}\n{DRAWN}", "pmn").matches
    assert (first.tournament, second.tournament) == (UNSET, read(DRAWN, "pmn").match.tournament)
    assert read(nameless.replace("[Fan", "\n[Fan"), "pmn").matches == [first]


def test_a_board_of_another_wind_is_kept() -> None:
    match = read(changed("Board", "1"), "pmn").match
    start = known(match.rounds[0].start)
    assert start.kyoku is UNSET
    assert '[Board "1"]' in written(match)


def test_several_winners_state_the_points_after_the_hand() -> None:
    play = re.sub(r"T2\w\wH2", "H2H1", changed("Result", "-32 36 36 -8"))
    play = play.replace('[Scoring "MCR"]\n', "").replace("[Play", '[Scoring "Duplicate"]\n[Play', 1)
    play = re.sub(r'\[Fan ".*"\]', '[Fan "None 39/8/1 28/16/1 None"]', play)
    match = read(play, "pmn").match
    [first, second] = match.rounds[0].select(ev.Win)
    assert (first.actor, first.fan, second.actor, second.fan) == (2, 16, 1, 8)
    assert (first.deltas, second.deltas) == (UNSET, UNSET)
    assert match.rounds[0].scores_after == (-32, 36, 36, -8)
    assert match.rounds[0].extras == {"pmn": {"scoring": "Duplicate"}}
    assert '[Result "-32 36 36 -8"]' in written(match)
    # Without the points before, the result is kept as the file states it.
    match = read(re.sub(r'\[Starting ".*"\]\n', "", play), "pmn").match
    assert match.rounds[0].extras == {"pmn": {"scoring": "Duplicate", "result": "-32 36 36 -8"}}
    assert '[Result "-32 36 36 -8"]' in written(match)


@looped("value", "55/6/1", "71/1/2", "70/1/1.71/1/2", "28/16/1")
def test_fan_are_written_as_they_are_read(value: str) -> None:
    text = changed("Fan", f"None None {value} None")
    assert written(*read(text, "pmn").matches) == text


def test_tags_of_other_programs_are_kept() -> None:
    text = DRAWN + '[Annotator "A \\\\ \\"B\\""]\n'
    match = read(text, "pmn").match
    assert match.rounds[0].extras == {"pmn": {"tags": {"Annotator": 'A \\ "B"'}}}
    assert written(match) == text


def test_a_line_has_two_quotation_marks_also_in_notes() -> None:
    """python-majiang cuts a line there, and refuses a line with more."""
    match = match_of(hand(3, oya=1, ready=0), names=("It's", "B", "C", "D"), name="\\'\"")
    text = written(match)
    assert all(line.count('"') == 2 for line in text.split("\n") if line)
    assert read(text, "pmn").matches == [match]
    [note] = NOTE.findall(text)
    assert {"v", "digest"} <= json.loads(unescaped_note(note))[0].keys()


def test_a_note_in_the_usual_spelling_of_strings_is_read_too() -> None:
    match = match_of(in_pmn(hand(3)), names=NAMES)
    # An annotation is in a note.
    match.rounds[0].annotations = (Annotation(1, "comment", value="a risky start"),)
    text = written(match)
    [note] = NOTE.findall(text)
    plain = unescaped_note(note).replace("\\", "\\\\").replace('"', '\\"')
    assert read(text.replace(note, plain), "pmn").matches == [match]


def test_names_in_parts_and_with_line_breaks_come_back() -> None:
    match = match_of(hand(5), names=("a\nb", 'c "d" \\', "?", ""))
    match.players[3] = Player()
    text = written(match)
    assert '[East "a b"]\n[South "c \\"d\\" \\\\"]\n[West "?"]\n[North "?"]\n' in text
    assert read(text, "pmn").matches == [match]
    match = match_of(hand(1), names=NAMES)
    match.players[0] = structs.replace(match.players[0], name=Name(Text("Li"), Text(roman="Mei")))
    assert '[East "Li Mei"]' in written(match)
    assert read(written(match), "pmn").matches == [match]


def test_a_match_of_several_hands_comes_back_with_its_dealers() -> None:
    match = match_of(hand(1), hand(2, oya=1, ready=3), hand(3, oya=3), names=NAMES, name="s1")
    text = written(match, match)
    assert re.findall(r'\[Hand "(\d)"\]', text) == ["2", "3"] * 2
    assert re.findall(r'\[East "(\w+)"\]', text) == ["Mei", "Jun", "Ling"] * 2
    assert read(text, "pmn").matches == [match, match]


def test_without_notes_the_names_show_the_dealers() -> None:
    match = match_of(hand(1), hand(2, oya=1, ready=3), hand(3, oya=3), names=NAMES)
    plain = read(written(match, plain=True), "pmn").match
    assert [known(game_round.start).oya for game_round in plain.rounds] == [0, 1, 3]
    assert plain.rounds[1].select(ev.Win)[0].actor == match.rounds[1].select(ev.Win)[0].actor
    # Players who changed their seats play another match.
    moved = written(match, plain=True).replace('[South "Tao"]\n[West "Ling"]', '[South "Ling"]\n[West "Tao"]')
    assert [len(one.rounds) for one in read(moved, "pmn").matches] == [1, 1, 1]


def test_a_hand_without_the_hand_before_it_is_reported() -> None:
    first, second, third = written(match_of(hand(1), hand(2), hand(3), names=NAMES), plain=True).split("\n\n")
    for text, number, matches in ((f"{second}\n\n{third}", 2, 1), (f"{first}\n\n{third}", 3, 2)):
        was = read(text, "pmn")
        warning = f"this is hand {number} of its match, and hand {number - 1} does not precede it"
        assert [warn.message for warn in was.warnings] == [warning]
        assert len(was.matches) == matches


def test_penalties_are_kept_and_reported() -> None:
    text = changed("Penalty", "-24 8 8 8")
    was = read(text, "pmn")
    assert written(was.match) == text
    assert [warn.message for warn in was.warnings] == [
        "the hand has penalties. They were kept, and do not count as points"
    ]


@looped("date", "2026.04.??", "????.??.??")
def test_a_date_that_is_known_in_part_is_kept(date: str) -> None:
    text = changed("Date", date)
    match = read(text, "pmn").match
    assert match.date is UNSET
    assert written(match) == text


def test_an_error_has_its_place() -> None:
    for text, message, place in (
        ("", "the file has no hand", (1, 1)),
        ("hello\n", "expected a tag and its value", (1, 1)),
        (changed("PWind", "X"), "expected the wind of the round", (5, 9)),
        (changed("Board", "two"), "expected a number from 1", (4, 9)),
        (changed("Date", "2026.02.30"), "expected a date", (3, 8)),
        (changed("Deal", "c1"), "expected the values of four players", (10, 8)),
        (changed("Deal", "c1 c2 c3 c4"), "expected a hand of 13 tiles", (10, 8)),
        (changed("Result", "1 2 3 x"), "expected points up to", (13, 16)),
        (changed("Play", "T0b2D0z1X"), "expected an act", (15, 16)),
        (changed("Play", "T0b2C1b2"), "no tile was discarded before this claim", (15, 12)),
        (changed("Play", "T0b2D0z1D0z1"), "no tile was drawn", (15, 16)),
        (changed("Play", "T0w9"), "there is no tile w9", (15, 8)),
        (changed("Play", "N0T0b2"), "expected no act after the end", (15, 10)),
        (changed("Play", "T0b2D0z1C1b9"), "b2, the last discard, is in no run with b9", (15, 16)),
        (changed("Fan", "None 99/8/1 None None"), "expected None, or the fan of a winner", (16, 12)),
        # A hand without a winner has no fan.
        (changed("Fan", "None 28/16/1 None None"), "expected None, or the fan of a winner", (16, 12)),
    ):
        *found, said = refused_at(text, "pmn")
        assert message in said
        assert tuple(found) == place, text


def test_play_that_pmn_cannot_hold_is_refused() -> None:
    for events, reason in (
        ([ev.Draw(0, "?")], "PMN has no tile ?"),
        ([ev.Draw(0, "1m"), ev.Riichi(0)], "PMN has no word for reach"),
        ([ev.Ryukyoku("kyushu_kyuhai")], "PMN has no word for the draw"),
        ([ev.Draw(0, "1m"), ev.Win(0), ev.Draw(1, "2m")], "no act after the end"),
        ([ev.Chi(1, 0, "2m", ("3m", "4m"))], "no tile was discarded before this claim"),
    ):
        game_round = hand(1)
        game_round.events[1:] = events
        with pytest.raises(UnsupportedError, match=re.escape(reason)):
            written(match_of(game_round))
