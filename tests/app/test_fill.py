"""`--in-place --fill` of a jmjp file: what follows from the text is inserted, and what is typed stays."""

import re
from pathlib import Path

import pytest
from given import Run

import mjconv
from corpus_files import CORPUS, TYPED
from looped import looped
from mjconv.converters.jmjp.fill import filled
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report

SAMPLE = re.sub(r"\n//@mjconv.*", "", TYPED)
END_HANDS = re.compile(r"\n(\([eswn],hnd\[.*\n){4}(?=,)")


def typed(text: str) -> str:
    """Return a text as a person types it who leaves everything to `--fill`."""
    text = END_HANDS.sub("\n", text)
    text = re.sub(r"p[fm]e\[[^]]*\]", "", text)
    return re.sub(r"(frm\[)(?!E1-0)[^,]*,[^,]*,([^,]*),(pfs\[[^]]*\])?", r"\1,,\2,", text)


def fill(text: str) -> str:
    return filled(text.encode(), Report()).decode()


def tokens(text: str) -> str:
    return StrippedText(text).stripped


def is_inserted(less: str, more: str) -> bool:
    rest = iter(more)
    return all(char in rest for char in less)


def test_what_was_left_out_of_the_sample_comes_back() -> None:
    bare = typed(SAMPLE)
    assert len(tokens(bare)) < len(tokens(SAMPLE)) * 2 / 3
    assert tokens(fill(bare)) == tokens(SAMPLE)


@looped("name", "hk/evenings.hk", "pmn/kans.pmn")
def test_a_round_that_has_a_note_stays_as_it_is(name: str) -> None:
    text = mjconv.convert((CORPUS / name).read_bytes(), target="jmjp").data.decode()
    assert "frm[E1-0,,," in text or "frm[W2-0,,," in text
    assert fill(text) == text
    # Without its note, a round is filled.
    assert fill(text.replace("@mjconv", "")) != text.replace("@mjconv", "")


def test_what_is_typed_stays_and_a_second_time_adds_nothing() -> None:
    bare = typed(SAMPLE).replace("ply[1", "  // two\n\n\nply[1").replace("(s,rn,)", " (s,rn, )  // won\n")
    text = fill(bare)
    assert is_inserted(bare, text)
    assert fill(text) == text
    assert "(s,rn, )  // won\n" in text


def test_a_conversion_fills_in_the_names_sticks_and_points_of_rounds_too() -> None:
    out = mjconv.convert(typed(SAMPLE).encode(), source="jmjp", target="jmjp", fill=True, plain=True)
    head = r"frm\[[^,]*,[^,]*,[^,]*,pfs\[[^]]*\]"
    assert re.findall(head, out.data.decode()) == re.findall(head, SAMPLE)


@looped("name", "calls", "calls-0", "layout", "points", "league")
def test_nothing_wrong_is_inserted_into_the_corpus(name: str) -> None:
    text = (CORPUS / "grammar" / f"{name}.jmjp").read_text("utf-8").removeprefix("\ufeff")
    assert is_inserted(text, fill(text))
    bare = END_HANDS.sub("\n", text)
    # What is filled into the places that were emptied is what was there.
    assert tokens(fill(bare)) == tokens(fill(text))


def test_half_a_round_is_left_alone() -> None:
    half = typed(SAMPLE).partition("(e,1m,kg)")[0]
    assert fill(half) == half


def test_a_round_is_named_after_the_one_before_it() -> None:
    first = SAMPLE[: SAMPLE.index("frm[E2-0")]
    assert "frm[E2-0,0.0,,pfs[33.7,25.0,24.0,17.3],," in fill(first + "frm[,,,,,\n")
    # A round that stops before the last tile and moves no points is broken off: the dealer deals again.
    stopped = first.partition("(n,9m,rc")[0] + ",pfe[25.0,25.0,25.0,25.0],]\n"
    assert "frm[E1-1,0.0,,pfs[25.0,25.0,25.0,25.0],," in fill(stopped + "frm[,,,,,\n")


def test_a_name_that_does_not_follow_is_an_error() -> None:
    text, _, _ = (CORPUS / "grammar" / "endings.jmjp").read_text("utf-8").partition("frm[E1-3")
    bare = re.sub(r"pfe\[[^]]*\](?=,\]\n$)", "", text) + "frm[,,,,,"
    points = "frm[E1-2,0.0,,pfs[25.0,25.0,25.0,25.0],,,pfe[24.0,26.0,25.0,25.0],]frm[,,,,,"
    for text in (bare, SAMPLE.partition("frm[")[0] + points):
        with pytest.raises(InputError, match="the result of E1-2 is not clear: type the name"):
            fill(text)


def test_the_sticks_after_a_frame_of_points_alone_are_those_that_its_points_lack() -> None:
    for after, sticks in (("26.0,24.0,25.0,25.0", "0.0"), ("25.0,24.0,25.0,25.0", "1.0")):
        frame = f"frm[E1-0,1.0,,pfs[24.0,25.0,25.0,25.0],,,pfe[{after}],]"
        text = fill(SAMPLE.partition("frm[")[0] + frame + "frm[E1-1,,,,,,,])")
        assert f"frm[E1-1,{sticks}," in text, after


def test_findings_in_rounds_without_names_have_the_names_that_follow() -> None:
    bare = typed(SAMPLE)
    labels = [finding.label for finding in mjconv.validate(bare.encode(), format="jmjp")]
    assert labels == ["E1-0", "E2-0", "E3-0"]
    for wrong, codes in (("5z", ["S001"]), ("9s", ["R005", "S001"])):
        text = bare.replace("(s,2m,1p)", f"(s,2m,{wrong})", 1).encode()
        errors = [one for one in mjconv.validate(text, format="jmjp") if one.severity == "error"]
        assert [error.code for error in errors] == codes
    assert errors[1].message.endswith("because E1-0 cannot be played: mend it, or type the name")


def test_points_do_not_follow_where_dora_or_ura_are_not_known() -> None:
    bare = typed(SAMPLE)
    assert fill(re.sub(r"wdrd(uk){8}", "", bare)).count("pfe[") < fill(bare).count("pfe[")
    assert fill(bare.replace("],wdrd", "],wduk")).count("pfe[") < fill(bare).count("pfe[")


@looped(
    ("dora", "reason"),
    ("8pukgd" + "uk" * 7, "the dora indicator of a kan is not known"),
    ("uk" * 10, "the dora indicator is not known"),
    ("8pukgdukgd" + "uk" * 5, ""),
)
def test_points_that_do_not_follow_after_kans_are_reported_with_their_line(dora: str, reason: str) -> None:
    text = f"""jmjp[1.0]
(
mtp[,,,]
ply[0,(snt["A"],),,,]
ply[1,(snt["B"],),,,]
ply[2,(snt["C"],),,,]
ply[3,(snt["D"],),,,]
frm[E1-0,0.0,,pfs[25.0,25.0,25.0,25.0],{dora},
(e,hnd[5s5s5s5s1m2m3m4p5p6p9m9mew,,])
(s,hnd[1p1p1p1p2p2p3p4p7s8s9sewsw,,])
(w,hnd[3m4m5m2p3p4p7m8m9m6s7s9p9p,,])
(n,hnd[1s1s1s2m3m4m3s4s6swwnwnwsw,,])
(e,ew,ak[5s5s5s5s])
(e,rs[rd],tg)
(s,gd,ak[1p1p1p1p])
(s,rs[rd],tg)
(w,8s,tm)
,,]
frm[,,,,,
"""
    report = Report()
    assert ("pfe[" not in filled(text.encode(), report).decode()) == bool(reason)
    expected = f"line 8: the points after this round do not follow: {reason}"
    assert [str(warning) for warning in report.warnings] == ([expected] if reason else [])
    closed = text.replace(dora, "8p" + dora[2:]).removesuffix("frm[,,,,,\n") + ")\n"
    conversion = mjconv.convert(closed.encode(), source="jmjp", target="mjai", fill=True)
    reported = [warning.message for warning in conversion.warnings if "follow" in warning.message]
    expected = "the points of 1 round do not follow, first of this one: the dora indicator of a kan is not known"
    assert reported == ([expected] if reason else [])


NO_TILES = "indicators are at most five tiles such as 5m or ew, with blanks between them"


@looped("comment", "indicators: rd, ura gd", "Indicator RD; Ura: gd", "ドラ表示牌 rd 裏 gd")
def test_indicators_in_a_comment_become_dora(comment: str) -> None:
    assert tokens(fill(typed(SAMPLE).replace("],wdrdukukukukukukukuk,", f"],, // {comment}"))) == tokens(SAMPLE)


@looped(
    ("comment", "message"),
    ("indicators: nw, ura ew", "the indicators make the dora ewswukukukukukukukuk, not wdrdukukukukukukukuk"),
    ("indicators: N", NO_TILES),
    ("ドラ表示牌: 1m 2m 3m 4m 5m 6m", NO_TILES),
)
def test_indicators_that_differ_or_cannot_be_read_are_reported(comment: str, message: str) -> None:
    text = SAMPLE.replace("wdrdukukukukukukukuk,", f"wdrdukukukukukukukuk, // {comment}", 1)
    assert fill(text) == text
    [finding] = mjconv.validate(text.encode(), format="jmjp")
    assert finding.message == message
    assert finding.place is not None
    assert (finding.place.line, finding.place.text[finding.place.column - 1 :]) == (8, f"// {comment}")


ROBBED = """jmjp[1.0](mtp[,,,]ply[0,,,,]ply[1,,,,]ply[2,,,,]ply[3,,,,]
frm[E1-0,0.0,,pfs[25.0,25.0,25.0,25.0],ewukukukukukukukukuk,
(e,hnd[3m4m1p2p3p4p5p6p7p8p9p9s9s,,])(s,hnd[5m5m1s2s3s4s6s7s8sewwwnwwd,,])
(w,hnd[1m1m2m3m6m7m8m1s1s3sswswnw,,])(n,hnd[2m2m6m6m7m7m8m9m1p1pswswwd,,])
(e,gd,tg)(s,rd,tg)(w,5m,tg)(s,pn[5m5m],ew)(w,rd,tg)(n,rd,tg)(e,gd,tg)(s,5m,kk[5m])(e,rn,)
,,]"""


def test_the_points_of_a_robbed_kan_follow_without_another_indicator() -> None:
    # Pinfu, a straight and the robbed kan.
    assert "pfe[36.6,13.4,25.0,25.0]" in fill(ROBBED)


@looped(
    ("indicators", "pfe"),
    ("nw", None),
    ("nw -", "pfe[23.7,27.7,24.3,24.3]"),
    ("nw －, ura -", "pfe[23.7,27.7,24.3,24.3]"),
    ("nw gd", "pfe[23.7,27.7,24.3,24.3]"),
    ("nw 4m", "pfe[19.0,37.0,22.0,22.0]"),
)
def test_an_indicator_that_was_not_turned_before_a_win_is_a_hyphen(indicators: str, pfe: str | None) -> None:
    text = ROBBED.replace("ewuk" + "uk" * 8, "").replace("(e,hnd", f"// indicators: {indicators}\n(e,hnd")
    text = text.replace("1s2s3s4s6s7s8sewwwnwwd", "1s2s3s4s5s6s7s8sewwdwd")
    after = fill(text.replace("(e,rn,)", "(s,rs[9s],tm)"))
    assert (re.findall(r"pfe\[.*?\]", after) or [None]) == [pfe]
    # The indicator stays one that was not turned, by way of another format too.
    back = mjconv.convert(mjconv.convert(after.encode(), source="jmjp", target="tenhou-json").data, target="jmjp")
    assert tokens(fill(back.data.decode())) == tokens(fill(after + ")\n"))


def test_the_empty_comment_of_a_new_file_and_a_second_one_are_no_indicators() -> None:
    bare = ROBBED.replace("ewuk" + "uk" * 8, "")
    text = fill(bare.replace("(e,hnd", "// indicators:\n// indicators: nw\n// indicators: sw\n(e,hnd"))
    assert text.count("ukuk") == 4
    assert "ewuk" in text
    [warning] = [one for one in mjconv.validate(text.encode(), format="jmjp") if "dora" in one.message]
    assert warning.message.startswith("the indicators make the dora ww")


def test_ura_without_a_winner_in_riichi_are_reported() -> None:
    head, mark, last = SAMPLE.partition("frm[E3-0")
    [finding] = mjconv.validate(f"{head}{mark}{last.replace('4mukukukuk', '4m5mukukuk')}".encode(), format="jmjp")
    assert finding.message == "ura dora are typed, but no winner is in riichi"


def test_the_command_inserts_and_reports_where_the_two_disagree(run: Run) -> None:
    Path("game.jmjp").write_text(typed(SAMPLE), "utf-8")
    assert run("game.jmjp", "--in-place", "--fill").status == 0
    assert tokens(Path("game.jmjp").read_text("utf-8")) == tokens(SAMPLE)
    wrong = typed(SAMPLE).replace("(s,rn,)\n,,]", "(s,rn,)\n,pfe[17.3,33.6,25.0,24.1],]")
    assert wrong != typed(SAMPLE)
    Path("game.jmjp").write_text(wrong, "utf-8")
    outcome = run("game.jmjp", "--in-place", "--fill")
    assert "the deltas" in outcome.err or "R05" in outcome.err
    assert "pfe[17.3,33.6,25.0,24.1]" in Path("game.jmjp").read_text("utf-8")


def test_the_final_points_follow_after_the_last_round_of_south() -> None:
    rules = "ptr[25.0,30.0,(20.0,10.0),0.3,3.0]\n"
    text = SAMPLE[: SAMPLE.index("frm[E2-0")].replace("frm[E1-0", f"{rules}frm[S4-0") + ")\n"
    # The points of the frame are by seat, and east of S4 is player 3.
    assert "pfe[17.3,33.7,25.0,24.0]" in text
    assert fill(text).endswith("\npme[43.7,5.0,-16.0,-32.7]\n)\n")
    assert "pme[" not in fill(text.removesuffix(")\n"))
    assert "pme[" not in fill(text.replace("frm[S4", "frm[S3"))


def test_lines_are_inserted_with_the_line_ends_of_the_file() -> None:
    text = typed(SAMPLE).replace("\n", "\r\n")
    assert fill(text).count("\n") == fill(text).count("\r\n") == fill(typed(SAMPLE)).count("\n")


def test_a_byte_order_mark_stays(run: Run) -> None:
    Path("game.jmjp").write_text(typed(SAMPLE), "utf-8-sig")
    assert run("game.jmjp", "--in-place", "--fill").status == 0
    assert tokens(Path("game.jmjp").read_text("utf-8-sig")) == tokens(SAMPLE)
    assert Path("game.jmjp").read_bytes().startswith(b"\xef\xbb\xbf")


# A jmjp file that stops in the middle of a round: every command reads it, and reports once that it is unfinished.


HALF = TYPED[: TYPED.index("(e,1m,kg)")] + "(e,1m,kg)(s,r"
STOPS = "the text stops before the round ends"


@looped("words", "info {}", "view {} --text", "{} --to mjai", "{} --to jmjp", "validate {}")
def test_every_command_reads_half_a_file(run: Run, words: str) -> None:
    Path("half.jmjp").write_text(HALF, "utf-8")
    done = run(*words.format("half.jmjp").split()).check(0)
    expected = "the round breaks off without a result" if "validate" in words else STOPS
    assert (done.out.decode() + done.err).count(expected) == 1
    assert "error" not in done.err


def test_what_is_converted_from_half_a_file_has_no_result(run: Run) -> None:
    Path("half.jmjp").write_text(HALF, "utf-8")
    lines = run("half.jmjp", "--to", "mjai").out.decode().splitlines()
    assert '"type":"dahai","actor":0' in lines[-2]
    assert not any("hora" in line or "end_kyoku" in line for line in lines)


NAMELESS = SAMPLE.replace("frm[E2-0,0.0", "frm[,0.0").replace("frm[E2-1,", "frm[,")


def test_a_round_without_a_name_is_the_next_one_by_the_rules(run: Run) -> None:
    Path("named.jmjp").write_text(SAMPLE, "utf-8")
    Path("nameless.jmjp").write_text(NAMELESS, "utf-8")
    assert run("validate", "nameless.jmjp").out == run("validate", "named.jmjp").out
    named, nameless = mjconv.read("named.jmjp"), mjconv.read("nameless.jmjp")
    assert [one.events for one in nameless.rounds] == [one.events for one in named.rounds]
    assert [one.assumed for one in nameless.rounds if one.assumed] == [("bakaze", "kyoku", "honba")]
    # The target states the name, and this is said.
    assert "start_kyoku.bakaze" in run("nameless.jmjp", "-o", "nameless.mjson").err
    run("nameless.mjson", "-o", "back.jmjp")
    assert (mjconv.read("back.jmjp"), fill(NAMELESS)) == (nameless, SAMPLE)


def test_an_impossible_act_of_a_round_without_a_name_is_reported_at_its_place(run: Run) -> None:
    wrong = NAMELESS.replace("(e,wd,4m)", "(e,wd,1p)")
    Path("wrong.jmjp").write_text(wrong, "utf-8")
    place = StrippedText(wrong).place(tokens(wrong).index("(e,wd,1p)"))
    assert f"wrong.jmjp:{place.line}:{place.column + 6}: R005 error" in run("validate", "wrong.jmjp").out.decode()


@looped("head", "frm[,,,,,", "frm[,,,,,\n)", "frm[,,,,,,,]\n)")
def test_the_head_of_a_round_without_a_name_is_no_error(run: Run, head: str) -> None:
    Path("half.jmjp").write_text(f"{SAMPLE[: SAMPLE.index('frm[E2-0')]}{head}", "utf-8")
    assert " error " not in run("validate", "half.jmjp").out.decode()
    assert run("half.jmjp", "--in-place", "--fill").status == 0
    assert "frm[E2-0," in Path("half.jmjp").read_text("utf-8")
