"""Lenient reading reports every error and reads the rest. Strict reading stops at the first."""

from functools import partial
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import faults
from corpus_files import broken_files, grammar_files
from engine import play
from faults import Lenient, described, impossible
from looped import looped
from mjconv.converters.jmjp.parser import MOST_ERRORS
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError, MjconvError, Place, PlayError
from mjconv.ir.match import Round, Text
from trips import known, places, write
from trips import read as read_from

from .texts import HANDS, PLAYERS, file, flow, frame, match

BROKEN = [path for path in broken_files() if path.suffix == ".jmjp"]
POINTS = "25.0,25.0,25.0,25.0"
GOOD = frame(flow("e,5m,tg"), name="S3-2", kyoutak="1.0")

leniently = partial(faults.leniently, source="jmjp")
strictly = partial(faults.strictly, source="jmjp")


def refused(was: Lenient) -> list[tuple[int, Place | None]]:
    """Return each event that the table refuses, by its index in the round, and its place."""
    find = places("jmjp", was.data, lenient=True)
    return [(event, find(match, index, event)) for match, index, event in impossible(was.matches)]


def acts(*acts: str, major: int = 1, **head: str) -> Lenient:
    """Read one frame with these acts."""
    return leniently(file(match(frame(flow(*acts), **head)), major=major))


@looped("path", *BROKEN)
def test_the_first_fault_is_what_strict_reading_refuses_or_the_table_refuses_it(path: Path) -> None:
    data = path.read_bytes()
    error = strictly(data)
    assert isinstance(error, MjconvError)
    was = leniently(data)
    if was.faults:
        assert described(was.faults[0].error) == described(error)
    else:
        assert isinstance(error, PlayError)
        first = known(refused(was)[0][1])
        assert error.place is not None
        assert first.line == error.place.line
        # An error points at an act, what is found of an event may point into it.
        assert "(" not in first.text[error.place.column : first.column - 1]


@looped("path", *BROKEN)
def test_one_mistake_is_reported_once(path: Path) -> None:
    assert len(leniently(path.read_bytes()).faults) <= 1


def test_wrong_frames_harm_themselves_alone() -> None:
    bad = [frame(f"{HANDS[:-1]};)"), frame(name="E5-0"), frame(pfs="pfs[1.0]")]
    text = file(match("\n".join([GOOD, bad[0], GOOD, bad[1], bad[2], GOOD]), after=f"pme[{POINTS}]"))
    was = leniently(text)
    assert [(fault.match, fault.round) for fault in was.faults] == [(0, 1), (0, 3), (0, 4)]
    assert [fault.error.place.line for fault in was.faults if fault.error.place] == [2, 4, 5]
    [good] = leniently(file(match(GOOD))).rounds
    assert was.rounds == [good, Round(), good, Round(), Round(), good]
    assert was.matches[0].final_scores == (25000,) * 4
    # A bracket too few or too many harms its own frame alone.
    for bad, said in (
        (GOOD[:-1], 'found "frm[", expected "]", "snt[" or "srm["'),
        (GOOD + "]", 'found "]", expected ")", "frm[", "pme[" or "ptn["'),
        (GOOD.replace(")(", "(", 1), 'found "(", expected ")"'),
        (GOOD.replace("hnd[", "hnd", 1), 'found "hnd1m2m3m4m0m6m1…", expected "hnd["'),
        (GOOD + ")", 'found "frm[", expected the end of the file or "("'),
    ):
        was = leniently(file(match("\n".join([GOOD, bad, GOOD]))))
        assert was.fault.error.message.startswith(said), bad
        assert [bool(game_round.events) for game_round in was.rounds[::2]] == [True, True], bad
    # Text after a good frame does not remove it.
    was = leniently(file(match(f"{GOOD}\nfrn[E1-0,,,,,,,]{GOOD}")))
    assert was.fault.error.message.startswith('found "frn[", expected')
    assert was.fault.round is None
    assert [game_round.label for game_round in was.rounds] == ["S3-2", "S3-2"]


def test_wrong_metadata_is_left_out_statement_by_statement() -> None:
    players = PLAYERS.replace("ply[2,,,,]", "ply[2,,,xyz,]")
    before = f"tnm[mlg,2018,,,]mtp[20180230,,,]rec[,E5-0]rec[,all]{players}"
    was = leniently(file(match(GOOD, before=before, after="pme[1.0]ptn[(,),(,),(,),(1.0,)]")))
    messages = [message.partition(",")[0] for message in was.messages]
    assert messages[0] == "there is no date 20180230: expected YYYYMMDD"
    assert messages[1:] == ['found "E5-0"', 'found "xyz"', 'found "]"']
    assert {(fault.match, fault.round) for fault in was.faults} == {(0, None)}
    [read_match] = was.matches
    assert (known(read_match.tournament).year, read_match.date, read_match.final_scores) == (2018, UNSET, UNSET)
    assert [recorder.rounds for recorder in read_match.recorders] == ["all"]
    assert known(read_match.points_after)[3].personal == 1000
    assert len(read_match.rounds) == 1


def test_statements_that_are_missing_or_too_many_are_one_fault() -> None:
    for before in (
        f"mtp[20181001,,,]{PLAYERS}".replace("ply[1,,,,]", ""),
        f"mtp[20181001,,,]{PLAYERS}ply[3,,,,]",
        f"mtp[20181001,,,]{PLAYERS}".replace("ply[1,", "ply[2,"),
        f"tnm[,,,,]{PLAYERS}rec[,all]",
        f"mtq[20181001,,,]{PLAYERS}",
        "mtp[20181001,,,]",
    ):
        was = leniently(file(match(GOOD, before=before)))
        assert was.fault.error.message == getattr(strictly(file(match(GOOD, before=before))), "message", None)
        assert [game_round.label for game_round in was.rounds] == ["S3-2"], before
        assert was.matches[0].date is UNSET or was.matches[0].date.year == 2018, before


def test_several_matches_each_have_their_own() -> None:
    texts = [match(GOOD), match(frame(name="X")), match(GOOD + frame(dice="7-7")), match(before="mtp[]" + PLAYERS)]
    was = leniently(file(*texts))
    assert [(fault.match, fault.round) for fault in was.faults] == [(1, 0), (2, 1), (3, None)]
    found = [[len(one.events) > 0 for one in read_match.rounds] for read_match in was.matches]
    assert found == [[True], [False], [True, False], []]


@looped("text", match(GOOD) + "x", match(GOOD)[1:], match(GOOD) + match()[1:])
def test_what_is_wrong_between_good_pieces_is_one_fault(text: str) -> None:
    was = leniently(file(text))
    error = strictly(file(text))
    assert isinstance(error, MjconvError)
    assert described(was.fault.error) == described(error)
    assert was.matches[0].rounds == leniently(file(match(GOOD))).rounds


@looped("text", "", "jmjp", "jmjp[2.0]", "jmjp[1.0]", "jmjp[1.0]()", 'jmjp[1.0](snt["')
def test_a_file_without_a_match_is_one_fault(text: str) -> None:
    was = leniently(text)
    assert was.matches == []
    assert (was.fault.match, was.fault.round) == (None, None)


def test_bytes_that_are_no_text_are_a_fault_and_the_text_around_them_is_read() -> None:
    text = file(match(GOOD + frame(comment='snt["?"]') + frame(name="X")))
    was = leniently(text.encode().replace(b"?", b"\xff"))
    assert [message[:11] for message in was.messages] == ["not UTF-8: ", 'found "X", ']
    assert [game_round.comment for game_round in was.rounds] == [UNSET, Text("\ufffd"), UNSET]


def test_after_many_errors_nothing_more_is_read() -> None:
    was = leniently(file(match("\n".join([frame(name="X")] * (MOST_ERRORS + 50) + [GOOD]))))
    assert len(was.faults) == MOST_ERRORS + 1
    assert was.messages[-1] == f"there are more than {MOST_ERRORS} errors, and nothing is read from here on"
    assert was.faults[-1].round == MOST_ERRORS
    assert was.rounds == [Round()] * (MOST_ERRORS + 51)


def test_what_the_table_refuses_is_kept_and_no_fault_and_play_goes_on() -> None:
    was = acts("e,5m,tg", "w,9s,tg", "n,9p,9s", "e,8p,tg")
    assert was.faults == []
    assert [event for event, _ in refused(was)] == [3, 6]
    assert [type(event) for event in was.round.events[1:9]] == [ev.Draw, ev.Discard] * 4
    assert isinstance(was.round.events[-1], ev.EndRound)


def test_a_move_that_cannot_be_made_is_the_event_that_the_table_refuses() -> None:
    for before, act, kind in (
        (["e,5m,tg"], "s,ch[6m9m],ew", ev.Chi),
        (["e,5m,tg"], "s,pn[5m0m],ew", ev.Pon),
        (["e,5m,tg"], "s,dk[5m5m5m],", ev.Daiminkan),
        (["e,5m,tg", "s,9s,"], "w,pn[5m0m],ew", ev.Pon),
        ([], "e,9s,9p", ev.Discard),
        ([], "e,9s,kk[ew]", ev.Kakan),
        ([], "e,9s,ak[ewewewew]", ev.Ankan),
        ([], "e,9s,rc[9p]", ev.Discard),
        (["e,9s,rc[9s]", "s,8s,tg", "w,8s,tg", "n,8s,tg"], "e,8s,rc[8s]", ev.Riichi),
        (["e,5m,tg", "s,ch[4m6m],ew", "w,8s,tg", "n,8s,tg", "e,8p,tg"], "w,8p,tm", ev.Draw),
    ):
        was = acts(*before, act)
        assert was.faults == [], before
        assert isinstance(strictly(was.data), PlayError), before
        event, place = refused(was)[0]
        assert type(was.round.events[event]) is kind, before
        assert place is not None, before
        at = place.text.index(f"({act})")
        assert at < place.column <= at + len(act), before


@looped("act", "s,pn,ew", "s,dk,", "s,9s,ak[9p]")
def test_version_0_takes_what_a_hand_lacks_from_nowhere(act: str) -> None:
    was = acts("e,9p,tg", act, major=0)
    assert was.faults == []
    [(found, _)] = refused(was)
    event = was.round.events[found]
    assert isinstance(event, (ev.Pon, ev.Daiminkan, ev.Ankan))
    assert set(event.consumed) == {"9p"}


def test_a_tile_just_drawn_that_was_not_is_hidden() -> None:
    was = acts("e,5m,tg", "s,ch[4m6m],tg")
    assert was.faults == []
    [(found, _)] = refused(was)
    assert was.round.events[found] == ev.Discard(1, "?", tsumogiri=True)


def test_words_in_a_wrong_place_are_a_fault_and_taken_as_they_are_meant() -> None:
    for before, act, events, said in (
        (["e,1m,tg", "s,ch[2m3m],ew"], "w,rs[9s],tg", [ev.Draw, ev.Discard], "rs is allowed only after a kan"),
        (["e,rd,tg", "s,rd,ak[rdrdrdrd]"], "s,9s,tg", [ev.Draw, ev.Discard], "after a kan the tile from the dead"),
        (["e,9s,tg"], "s,9p,kg", [ev.Discard], "kg discards another tile like the one just drawn"),
        (["e,1m,tg"], "s,ch[2m3m],kg", [ev.Discard], "kg discards a tile like the one just drawn, and none"),
        ([], "e,oy,1m", [ev.Draw, ev.Discard], "oy is allowed only as the first act"),
    ):
        hands = HANDS.replace("1m2m3m", "rdrdrd") if "rd" in "".join(before) else HANDS
        text = file(match(frame(hands + "".join(f"({one})" for one in (*before, act)) + HANDS)))
        was = leniently(text)
        error = strictly(text)
        assert isinstance(error, PlayError), before
        assert described(was.faults[0].error) == described(error), before
        assert error.message.startswith(said), before
        event = was.faults[0].event
        assert event is not None, before
        assert [type(played) for played in was.round.events[event : event + len(events)]] == events, before
        assert isinstance(was.round.events[-1], ev.EndRound), before


def test_a_draw_of_a_dealer_who_has_14_tiles_already_is_a_draw() -> None:
    hands = HANDS.replace("wdwd,,", "wdwd,9s,", 1)
    was = leniently(file(match(frame(f"{hands}(e,9s,tg)(s,9p,tg){HANDS}"))))
    assert was.fault.event == 1
    assert was.fault.error.message.startswith("the dealer starts with 14 tiles")
    assert was.round.events[1:3] == [ev.Draw(0, "9s"), ev.Discard(0, "9s", tsumogiri=True)]
    assert refused(was) == []


@looped(
    ("before", "act", "kept", "said"),
    (["e,9s,tm"], "s,9p,tg", 2, "no act may follow tm"),
    (["e,9s,tg", "s,rn,"], "w,9p,tg", 3, "only another ron may follow a ron"),
    (["e,9s,tg"], "e,rn,", 3, "rn is allowed only after a discard or kakan of another seat"),
    ([], "s,ch[1m2m],ew", 1, "there is no discard that a chi could take"),
    ([], "s,pn[ewew],1m", 1, "there is no discard that a pon could take"),
)
def test_what_has_no_meaning_ends_the_round_without_a_result(
    before: list[str], act: str, kept: int, said: str
) -> None:
    was = leniently(file(match(frame(flow(*before, act, "n,9p,tg"), pfe=f"pfe[{POINTS}]") + GOOD)))
    assert was.fault.error.message.startswith(said)
    assert was.fault.event == len(was.rounds[0].events) == kept
    assert was.rounds[0].select(ev.Win, ev.Ryukyoku, ev.EndRound) == []
    assert was.rounds[0].scores_after == (25000,) * 4
    assert was.rounds[1].label == "S3-2"


@looped(
    "hands",
    HANDS.replace("1m2m3m", "1m2m", 1),
    HANDS.replace("(s,", "(e,"),
    HANDS.replace("wdwd,,", "wdwd,,pon[1m,1m1m,k]", 1),
    HANDS.replace("wdwd,,])(w", "wdwd,9s,])(w"),
)
def test_hands_that_cannot_be_dealt_leave_the_deal_alone(hands: str) -> None:
    was = leniently(file(match(frame(f"{hands}(e,9s,tg){HANDS}", pfs=f"pfs[{POINTS}]"))))
    assert was.fault.event == 0
    [start] = was.round.events
    assert isinstance(start, ev.StartRound)
    assert (start.tehais, start.scores) == (UNSET, (25000,) * 4)


def test_sticks_that_are_wrong_or_follow_a_fault() -> None:
    was = acts("e,9s,tg", kyoutak="0.5")
    assert was.fault.event == 0
    assert known(was.round.start).kyotaku is UNSET
    assert isinstance(was.round.events[-1], ev.EndRound)
    for lost in (frame(name="X"), frame(flow("e,9s,tm", "s,9p,tg"))):
        was = leniently(file(match(GOOD + lost + frame(flow("e,9s,tg")) + frame(flow("e,9s,tg")))))
        assert [game_round.start.kyotaku for game_round in was.rounds[2:] if game_round.start] == [UNSET, 0]
        assert [game_round.assumed for game_round in was.rounds[2:]] == [(), ("kyotaku",)]
    turn = ["s,8s,tg", "w,8s,tg", "n,8s,tg"]
    was = acts("e,9s,rc[9s]", *turn, "e,8s,rc[8s]", *turn)
    assert len(refused(was)) == 1
    assert len(was.round.select(ev.RiichiAccepted)) == 1


def test_two_final_hands_of_a_seat_take_nothing_away() -> None:
    ends = HANDS.replace("(s,", "(e,")
    was = leniently(file(match(frame(flow("e,9s,tg", end=ends)))))
    assert was.fault.error.message == "seat e has two final hands"
    assert was.round.events == acts("e,9s,tg").round.events


def test_faults_count_the_dora_among_the_events() -> None:
    hands = HANDS.replace("1m2m3m4m", "rdrdrd4m", 1)
    text = frame(f"{hands}(e,rd,ak[rdrdrdrd])(e,rs[9s],tg)(s,9p,kg){HANDS}", dora="2puk9muk" + "uk" * 6)
    was = leniently(file(match(text)))
    event = known(was.fault.event)
    assert was.round.events[event] == ev.Discard(1, "9p", tsumogiri=False)
    assert len(was.round.select(ev.Dora)) == 1


@looped("acts_", ["e,9s,9p"], ["e,9s,tg", "s,9p,kg"])
def test_hands_shown_at_the_end_are_not_measured_by_play_that_is_in_doubt(acts_: list[str]) -> None:
    was = leniently(file(match(frame(flow(*acts_)))))
    assert was.warnings == []
    shown = known(was.round.final_hands)
    assert {len(hand.concealed) for hand in shown} == {13}


def test_a_wrong_frame_leaves_the_notes_of_the_others_in_place() -> None:
    source = read_from(play(3, length="east"), "mjai").matches
    for game_round in source[0].rounds:
        game_round.extras = {"of": game_round.label}
    text = write(source, "jmjp").data.decode()
    assert strictly(text) == source
    at = text.index("frm[", text.index("frm[") + 1)
    was = leniently(text[:at] + text[at:].replace("(e,hnd[", "(e,hnd", 1))
    assert (was.fault.match, was.fault.round) == (0, 1)
    assert was.rounds == [source[0].rounds[0], Round(), *source[0].rounds[2:]]


PLAYED = [read_from(play(seed, length="round", deal="triplets"), "mjai").matches for seed in (3, 11)]
GIVEN = [write(matches, version).data.decode() for matches in PLAYED for version in ("jmjp", "jmjp-0")]
BEGINS = ("calls", "league", "layout")
GIVEN += [path.read_text("utf-8") for path in grammar_files() if path.stem.startswith(BEGINS)]


@st.composite
def broken_texts(draw: st.DrawFn) -> str:
    """Give a good text of which a few pieces are left out, doubled, exchanged or written over."""
    text = draw(st.sampled_from(GIVEN))
    for _ in range(draw(st.integers(1, 3))):
        at, length = draw(st.integers(0, len(text))), draw(st.integers(0, 12))
        piece = text[at : at + length]
        other = draw(st.sampled_from(["", piece * 2, *'[](),"x0', "//", "frm[", "tg", "rn", "5m"]))
        text = text[:at] + other + text[at + len(piece) :]
    return text


@given(broken_texts())
@settings(max_examples=5 * settings().max_examples)
def test_any_text_is_read_and_each_refusal_of_strict_reading_is_a_fault(text: str) -> None:
    was = leniently(text)
    strict = strictly(text)
    if isinstance(strict, list):
        assert was.matches == strict
        assert was.faults == []
        return
    assert isinstance(strict, InputError)
    assert was.faults or refused(was)
    if was.faults and not refused(was):
        assert described(was.faults[0].error) == described(strict)


@given(broken_texts())
@settings(max_examples=2 * settings().max_examples)
def test_whatever_was_read_has_its_places_within_the_text(text: str) -> None:
    was = leniently(text)
    find = places("jmjp", text.encode(), lenient=True)
    lines = text.splitlines()
    for number, read_match in enumerate(was.matches):
        for index, game_round in enumerate(read_match.rounds):
            for event in range(-1, len(game_round.events)):
                place = known(find(number, index, event))
                assert place.text in lines
    for fault in was.faults:
        if fault.event is not None and fault.match is not None and fault.round is not None:
            assert 0 <= fault.event <= len(was.matches[fault.match].rounds[fault.round].events)
