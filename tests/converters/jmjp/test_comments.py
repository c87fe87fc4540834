"""A text comes back as it was: comments keep their places, and notes that state more their frames."""

import json
import re
from time import process_time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

import mjconv
from corpus_files import TYPED
from engine import play
from handmade import DEAL
from logs import lines
from looped import looped
from mjconv.converters import formats
from mjconv.converters.jmjp.notes import KEY, note_in
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir import events as ev
from mjconv.ir.events import Chi, Daiminkan, Discard, Draw, Pon, Win
from mjconv.ir.match import Annotation, Match, Round
from trips import Was, read, write

from .test_play import DEAL as HAND
from .test_play import hands
from .texts import PLAYERS, file, frame, match

SAMPLE = TYPED.encode()


def with_comments(*texts: str) -> bytes:
    assert b"(e,4s,tg)" in SAMPLE
    return SAMPLE.replace(b"(e,4s,tg)", "".join(f"//{text}\n" for text in texts).encode() + b"(e,4s,tg)", 1)


def test_a_comment_after_each_of_many_acts_takes_time_in_line_with_the_text() -> None:
    text = SAMPLE.replace(b"(e,4s,tg)", b"(n,7m,7m)//\n" * 16_000 + b"(e,4s,tg)", 1)
    begin = process_time()
    assert mjconv.validate(text, format="jmjp")
    assert process_time() - begin < 4


def comment(index: int, text: str) -> Annotation:
    return Annotation(index, "comment", value=text)


def commented() -> tuple[Match, Round, Annotation]:
    """Return a match, its third round, and the only annotation of that round."""
    match = read(with_comments(" one"), "jmjp").match
    [one] = match.rounds[2].annotations
    return match, match.rounds[2], one


def test_a_comment_is_an_annotation_before_the_events_of_its_act() -> None:
    _, third, one = commented()
    assert (one.kind, one.value) == ("comment", " one")
    draw, discard = third.events[one.index : one.index + 2]
    assert (draw, discard) == (Draw(draw.actor, "4s"), Discard(draw.actor, "4s", tsumogiri=True))
    assert third.extras == {}


def test_a_comment_that_no_line_can_hold_is_kept_by_the_note() -> None:
    match, third, one = commented()
    time = Annotation(one.index + 1, "think_time", 2, 1500)
    third.annotations = (one, comment(one.index, "two\nlines"), time, comment(one.index + 2, "@mjconv {}"))
    report = write([match], "jmjp")
    assert read(report.data, "jmjp").match == match
    assert [loss.fate for loss in report.losses if loss.what == "round.annotations"] == ["carried"]


def test_what_is_edited_among_such_comments_wins() -> None:
    match, third, one = commented()
    other = comment(one.index, "two\nlines")
    third.annotations = (one, other)
    text = write([match], "jmjp").data
    edited = read(text.replace(b"// one\n", b"// another\n"), "jmjp").match
    assert edited.rounds[2].annotations == (comment(one.index, " another"), other)
    assert read(text.replace(b"// one\n", b""), "jmjp").match.rounds[2].annotations == (other,)


def test_comments_around_the_rounds_are_annotations_of_the_match() -> None:
    text = SAMPLE.replace(b"(\n", b"(\n//head\n", 1)
    at = text.index(b"frm[", text.index(b"frm[") + 1)
    text = text[:at] + b"//between\n" + text[at:]
    text = text[: text.rindex(b")")] + b"//tail\n" + text[text.rindex(b")") :]
    matches = read(text, "jmjp").matches
    rounds = len(matches[0].rounds)
    assert matches[0].annotations == (comment(0, "head"), comment(1, "between"), comment(rounds, "tail"))
    again = write(matches, "jmjp").data
    assert read(again, "jmjp").matches == matches
    assert again.index(b"//head") < again.index(b"frm[") < again.index(b"//between") < again.index(b"frm[", at)
    assert again.index(b"//tail") > again.rindex(b"frm[")


def test_version_0_without_notes_has_no_comments() -> None:
    written = write(read(with_comments(" one"), "jmjp").matches, "jmjp-0", plain=True)
    assert b"//" not in written.data
    assert [loss.fate for loss in written.losses if loss.what == "round.annotations"] == ["dropped"]


#: Records with notes: the sample, and rounds with kans, whose dora come between the events.
PLAYED = [
    write(read(play(seed, length="round", deal="triplets"), "mjai").matches, version).data.decode()
    for seed, version in ((3, "jmjp"), (11, "jmjp"), (5, "jmjp-0"))
]
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=6).filter(
    lambda text: not text.lstrip(" \t").startswith("@mjconv ")
)


@settings(deadline=None, max_examples=3 * settings().max_examples)
@given(st.data())
def test_comments_anywhere_between_the_acts_come_back_at_their_place(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([SAMPLE.decode(), *PLAYED]))
    acts = [found.start() for found in re.finditer(r"^\([eswn],(?!hnd)", text, re.MULTILINE)]
    acts += [found.start() for found in re.finditer(r"(?<=\))\([eswn],(?!hnd)", text)]
    chosen = data.draw(st.lists(st.tuples(st.sampled_from(sorted(set(acts))), WORDS), max_size=5))
    chosen.sort(key=lambda comment: comment[0])
    commented, done = "", 0
    for at, words in chosen:
        commented += f"{text[done:at]}\n//{words}\n"
        done = at
    commented += text[done:]
    matches = read(commented.encode(), "jmjp").matches
    plain = read(text.encode(), "jmjp").matches
    found = [one.value for game_round in matches[0].rounds for one in game_round.annotations]
    assert found == [words for _, words in chosen]
    for game_round, was in zip(matches[0].rounds, plain[0].rounds, strict=True):
        assert game_round.events == was.events
        assert all(type(game_round.events[one.index]) in ACTS for one in game_round.annotations)
    for target in ("jmjp", "jmjp-0"):
        again = write(matches, target).data
        assert read(again, "jmjp").matches == matches
    again = write(matches, "jmjp-0" if text.startswith("jmjp[0]") else "jmjp").data.decode()
    assert places(again) == places(commented)


ACTS = (Draw, Chi, Pon, Daiminkan, Win)


def places(text: str) -> list[tuple[str, str]]:
    """Return each comment with the act that follows it."""
    found = StrippedText(text)
    own = [one for one in found.comments if not note_in(one.text)]
    return [(one.text, found.stripped[one.offset : found.stripped.index(")", one.offset) + 1]) for one in own]


def test_of_frames_alike_each_has_the_note_after_it() -> None:
    deal = DEAL | {"dora_marker": "?", "tehais": [["?"] * 13] * 4}
    results = [{"type": "ryukyoku", **more} for more in ({}, {"reason": "x"}, {})]
    log = [message for result in results for message in (deal, result, {"type": "end_kyoku"})]
    matches = read(lines(log), "mjai").matches
    assert read(write(matches, "jmjp").data, "jmjp").matches == matches


def test_a_blank_before_the_mark_of_a_note_does_no_harm() -> None:
    text = write(read(SAMPLE, "jmjp").matches, "jmjp").data
    assert b"//@mjconv " in text
    assert read(text.replace(b"//@mjconv ", b"// @mjconv "), "jmjp").matches == read(text, "jmjp").matches


# A note never contradicts the text


CONTRADICTS = "the note of this round contradicts the text. The note was ignored"


def game() -> Match:
    """Return a game with something that jmjp has no place for in the match and in every round."""
    match = read(play(3, length="east"), "mjai").match
    match.extras = {"own": 1}
    for game_round in match.rounds:
        game_round.extras = {"own": 2}
    return match


TEXT = write([game()], "jmjp").data.decode()


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
    for game_round in read(re.sub(r"//.*\n", "", TEXT).encode(), "jmjp").match.rounds:
        for event in game_round.events[:-1]:
            message = ev.to_message(event)
            assert set(message) - {"type"} <= set(shows[message["type"]] or ()), message
    assert "annotations" not in {*(shows["round"] or ()), *(shows["match"] or ())}


# A text that states more than events and values do comes back as it was: nothing of it is lost in silence.
POINTS = "pfs[25.0,25.0,25.0,25.0]"
#: Acts after which nobody in riichi has won, and after which somebody has.
DRAW = "(e,9s,tg)"
NO_RIICHI = "(e,9s,rd)(n,rn,)"
AGAINST_RIICHI = "(e,9s,rc[9s])(s,8s,tg)(w,rn,)"
IN_RIICHI = "(e,9s,rc[9s])(s,8s,tg)(e,rn,)"


def uk(dora: str) -> str:
    """Fill a dora field up to its ten tiles."""
    return dora.ljust(20, "#").replace("##", "uk")


def played(acts: str, dora: str) -> str:
    return file(match(frame(hands() + acts + hands(HAND), kyoutak="0.0", pfs=POINTS, dora=uk(dora))))


def only_points(dora: str) -> str:
    return file(match(frame(kyoutak="0.0", pfs=POINTS, dora=uk(dora), pfe="pfe[26.0,25.0,25.0,24.0]")))


DORA = {
    "ura at a draw": played(DRAW, "2m3m"),
    "ura of a winner without riichi": played(NO_RIICHI, "2m3m"),
    "ura of the loser's riichi": played(AGAINST_RIICHI, "2m3m"),
    "ura in a frame without a flow": only_points("2m3m"),
    "dora of kans in a frame without a flow": only_points("2muk4m5m6m"),
    "ura of a kan that was not made": played(DRAW, "2m3muk4m"),
    "ura beside an unknown dora": played(DRAW, "uk3m"),
    "a red dora": played(DRAW, "0p"),
    "a red ura, won with": played(IN_RIICHI, "2m0p"),
    "red dora of kans": played(IN_RIICHI, "0p2m0s3m"),
    "all at once": played(AGAINST_RIICHI, "uk0m2sukuk7p"),
}
NUMBERS = {
    "numbers of the match": file(match(before=f"tnm[mlg,2018,mlg-reg,007,00]mtp[20181001,,0900,]{PLAYERS}")),
    "rounds of a recorder": file(match(before=f"mtp[,,,]rec[,E1-00E2-01]{PLAYERS}")),
    "point rules": file(match(before=f"mtp[,,,]{PLAYERS}ptr[025.0,30.0,(020.0,-0.0),00.3,3.0]")),
    "points of the match": file(match(after="pme[040.0,-0.0,0.0,1.0]ptn[(01.0,),(,-0.0),(,),(1.0,1.0)]")),
    "a honba": file(match(frame(name="E1-00"))),
    "sticks": file(match(frame(kyoutak="01.0"))),
    "points of a frame": file(match(frame(pfs="pfs[025.0,25.0,-0.0,-00.5]", pfe="pfe[25.0,0025.0,-0.0,0.0]"))),
    "a player": file(match(before='mtp[,,,]ply[0,(snt["A007"],),,,(012.0,-0.0)]' + PLAYERS[len("ply[0,,,,]") :])),
}
TEXTS = DORA | NUMBERS
#: Dora fields that the events state as a whole.
STATED = {dora: played(IN_RIICHI, dora) for dora in ("2m", "2m3m", "uk", "uk3m", "2muk4m", "2m3m4m5m")}


def stripped(data: bytes) -> str:
    return StrippedText.from_bytes(data).stripped


def test_jmjp_comes_back_as_it_was_without_a_loss_also_by_way_of_mjai() -> None:
    for text in (TEXTS | STATED).values():
        again = mjconv.convert(text.encode(), source="jmjp", target="jmjp", plain=True, strict=True)
        assert stripped(again.data) == text
        assert again.losses == [], text
        mjai = mjconv.convert(text.encode(), source="jmjp", target="mjai")
        assert stripped(mjconv.convert(mjai.data, source="mjai", target="jmjp").data) == text


def test_without_notes_the_loss_has_a_name() -> None:
    for text in TEXTS.values():
        losses = mjconv.convert(text.encode(), source="jmjp", target="mjai", plain=True).losses
        assert {loss.fate for loss in losses if loss.what in ("round.extras", "match.extras")} == {"dropped"}, text


@looped("text", *STATED.values(), ids=STATED)
def test_a_dora_field_that_the_events_state_is_kept_in_them_alone(text: str) -> None:
    [game_round] = read(text.encode(), "jmjp").matches[0].rounds
    assert game_round.extras == {}


def test_ura_that_nobody_won_with_do_not_become_ura_of_a_winner() -> None:
    [game_round] = read(played(NO_RIICHI, "2m3m").encode(), "jmjp").matches[0].rounds
    assert [win.ura_markers for win in game_round.select(ev.Win)] == [()]


def test_spellings_do_not_outlive_their_values() -> None:
    match_ = read(TEXTS["numbers of the match"].encode(), "jmjp").matches[0]
    match_.tournament = structs.replace(match_.tournament, number_in_stage=8)
    out = write([match_], "jmjp", plain=True)
    assert b"tnm[mlg,2018,mlg-reg,8,0]" in out.data
    assert [(loss.what, loss.fate) for loss in out.losses] == [("match.extras", "dropped")]
    match_ = read(TEXTS["ura at a draw"].encode(), "jmjp").matches[0]
    match_.rounds[0].events[0] = structs.replace(match_.rounds[0].events[0], dora_marker="9s")
    out = write([match_], "jmjp", plain=True)
    assert b"1s" + b"uk" * 9 in out.data
    assert [(loss.what, loss.fate) for loss in out.losses] == [("round.extras", "dropped")]


USUAL = {
    "round": {"E1-0", "0.0", "pfs[25.0,25.0,25.0,25.0]", "2m" + "uk" * 9},
    "match": {"mtp[,,,]", "ply[0,,,,]", "ply[1,,,,]"},
}


def test_a_spelling_that_states_something_else_is_not_written() -> None:
    """Extras may come from anywhere, as from the note of another file."""
    for own in ("E01-0", "", "00.0],", "2m2m", "ply[1,,,,]", "mtp[,,,]ply[0,,,,]", "// E1-00", "9m" * 10, "E1-1"):
        text = played(DRAW, "2m")
        match_ = read(text.encode(), "jmjp").matches[0]
        match_.extras = {KEY: {"spelled": dict.fromkeys(USUAL["match"], own)}}
        match_.rounds[0].extras = {KEY: {"spelled": dict.fromkeys(USUAL["round"], own)}}
        out = write([match_], "jmjp", plain=True)
        assert stripped(out.data) == text, own
        fates = {(loss.what, loss.fate) for loss in out.losses}
        assert fates == {("round.extras", "dropped"), ("match.extras", "dropped")}
