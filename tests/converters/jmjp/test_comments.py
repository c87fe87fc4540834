"""Comments keep their places, and each note stays after its frame."""

import json
import re
from pathlib import Path
from time import process_time
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import mjconv
from engine import play
from handmade import DEAL
from logs import lines
from mjconv.converters import formats
from mjconv.converters.jmjp.notes import note_in
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir import events as ev
from mjconv.ir.events import Chi, Daiminkan, Discard, Draw, Pon, Win
from mjconv.ir.match import Annotation, Match, Round
from trips import Was, read, write

SAMPLE = (Path(__file__).parents[3] / "corpus/sample/game.jmjp").read_bytes()


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
