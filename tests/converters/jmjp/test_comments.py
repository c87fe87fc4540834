"""Comments stay where people put them, and each note with the frame it stands after."""

from __future__ import annotations

from pathlib import Path

from trips import read, write

SAMPLE = (Path(__file__).parents[3] / "corpus/sample/game.jmjp").read_bytes()


def with_comments(*texts: str) -> bytes:
    lines = "".join(f"//{text}\n" for text in texts).encode()
    assert b"(e,4s,tg)" in SAMPLE
    return SAMPLE.replace(b"(e,4s,tg)", lines + b"(e,4s,tg)", 1)


def test_comments_at_one_place_keep_their_order() -> None:
    text = with_comments(" zebra", " apple", " mango")
    was = read(text, "jmjp")
    assert write(was.matches, "jmjp").data == text
    over = read(write(was.matches, "mjai").data, "mjai").matches
    assert over == was.matches
    assert write(over, "jmjp").data == text


def test_a_comment_that_no_line_can_hold_is_kept_by_the_note() -> None:
    matches = read(with_comments(" one"), "jmjp").matches
    third = matches[0].rounds[2]
    [comment] = third.extras["jmjp"]["comments"]
    third.extras["jmjp"]["comments"] = [comment, [comment[0], "two\nlines"]]
    assert read(write(matches, "jmjp").data, "jmjp").matches == matches


def test_what_is_edited_among_such_comments_wins() -> None:
    matches = read(with_comments(" one"), "jmjp").matches
    third = matches[0].rounds[2]
    at = third.extras["jmjp"]["comments"][0][0]
    third.extras["jmjp"]["comments"] = [[at, " one"], [at, "two\nlines"]]
    text = write(matches, "jmjp").data
    edited = read(text.replace(b"// one\n", b"// another\n"), "jmjp").match
    assert edited.rounds[2].extras["jmjp"]["comments"] == [[at, " another"], [at, "two\nlines"]]
    gone = read(text.replace(b"// one\n", b""), "jmjp").match
    assert gone.rounds[2].extras["jmjp"]["comments"] == [[at, "two\nlines"]]


def test_of_frames_alike_each_has_the_note_after_it() -> None:
    log = b"".join(
        b'{"type":"start_kyoku","bakaze":"E","dora_marker":"?","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"tehais":['
        + b",".join([b"[" + b",".join([b'"?"'] * 13) + b"]"] * 4)
        + b"]}\n"
        + result
        + b'\n{"type":"end_kyoku"}\n'
        for result in (b'{"type":"ryukyoku"}', b'{"type":"ryukyoku","reason":"x"}', b'{"type":"ryukyoku"}')
    )
    matches = read(log, "mjai").matches
    assert read(write(matches, "jmjp").data, "jmjp").matches == matches


def test_a_blank_before_the_mark_of_a_note_does_no_harm() -> None:
    text = write(read(SAMPLE, "jmjp").matches, "jmjp").data
    assert b"//@mjconv " in text
    assert read(text.replace(b"//@mjconv ", b"// @mjconv "), "jmjp").matches == read(text, "jmjp").matches
