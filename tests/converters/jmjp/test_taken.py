"""The texts that the grammar takes and refuses, by both readings: its expressions read files, lark explains."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import UnexpectedInput

from corpus_files import grammar_files
from looped import looped
from mjconv.converters.jmjp.grammar import fine_parser
from mjconv.converters.jmjp.parser import parse
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.errors import InputError

from .texts import ACTS, CONCEALED, HANDS, PLAYERS, VERSIONS, file, flow, match
from .texts import frame as usual_frame

HAND = f"hnd[{CONCEALED},,]"


def frame(acts: str = "", fields: str = ",,,", end: str = HANDS) -> str:
    return f"frm[E1-0,{fields},{HANDS}{acts}{end},,]"


def act(text: str) -> str:
    return match(frame(f"({text})"))


def hand(tiles: str) -> str:
    """Return a match whose east has these tiles at the end."""
    return match(frame(end=f"(e,{tiles})" + HANDS.removeprefix(f"(e,{HAND})")))


def fields(text: str) -> str:
    return match(frame(fields=text))


def place(string: str) -> str:
    return match(before=f"mtp[,,,snt[{string}]]{PLAYERS}")


def tour(numbers: str) -> str:
    return match(before=f"tnm[{numbers}]mtp[,,,]{PLAYERS}")


def verdicts(text: str) -> set[bool]:
    """Return whether the grammar takes a text, by both readings of it.

    The expressions also read a file whose last frame stops, which the grammar does not have.
    """
    try:
        source = StrippedText.from_bytes(text.encode())
    except InputError:
        return {False}
    found = set()
    try:
        fine_parser(source.major).parse(source.stripped)
        found.add(True)
    except UnexpectedInput:
        found.add(False)
    try:
        read = parse(source).matches
        found.add(not any(one.stopped or one.stop is not None for one in read))
    except InputError as error:
        # The grammar counts the players of a match, and does not compare their numbers.
        if "is listed twice" not in error.message:
            found.add(False)
    return found


RULES = match(before=f"mtp[,,,]{PLAYERS}ptr[25.0,30.0,(20.0,10.0),0.3{{}}]")
NAMED = match(before="mtp[,,,]" + PLAYERS.replace("ply[0,,", "ply[0,{},"))

#: The versions, and a text after the head that they take.
TAKEN = [
    *(("01", match(frames)) for frames in ("", f"frm[E1-0,,,,,{HANDS * 4},,]")),
    ("01", match() * 3),
    *(("01", act(text)) for text in ("e,5m,tg", "e,0m,kg", "e,uk,rd", "s,ch[2m3m],ew", "s,rs[9p],kk[1p]")),
    *(("01", act(text)) for text in ("e,oy,rc[1m]", "e,1m,tm", "e,1m,")),
    *(("1", act(text)) for text in ("s,pn[5m0m],ew", "s,dk[5m5m5m],", "s,rs[9p],ak[1p1p1p1p]", "s,rn,")),
    *(("0", act(text)) for text in ("s,pn,ew", "s,dk,", "s,rs[9p],ak[1p]", "s,ro,")),
    *(("01", hand(f"hnd[{text}]")) for text in ("1m,9m,chi[1m,2m3m]", "9p,," + "chi[1m,2m3m]" * 4)),
    *(("1", hand(f"hnd[1m,9m,{text}]")) for text in ("pon[1m,1m1m,k]", "dmk[1m,1m1m1m,t]", "kkn[1m,1m,1m1m,s]")),
    ("1", hand("hnd[1m,9m,ank[1m1m1m1m]]")),
    *(("0", hand(f"hnd[1m,9m,{text}]")) for text in ("pon[1m,k]", "dmk[1m,t]", "kkn[1m,s]", "ank[1m]")),
    *(("01", fields(text)) for text in (",3-4,,", ",1-6,,", ",,," + "1m" * 10)),
    *(("1", fields(dice)) for dice in (",2,,", ",10,,")),
    ("1", NAMED.replace("{}", '(snt["a"],)')),
    ("0", NAMED.replace("{}", '[snt["a"],]')),
    *(("01", place(text)) for text in ('""', '"a\nb"', '"http://"')),
    ("1", place(r'"a\"b"')),
    ("1", place(r'"a\b"')),
    ("0", place('"\\"')),
    ("1", RULES.replace("{}", ",3.0")),
    ("0", RULES.replace("{}", "")),
    *(("01", match(f"frm[{name},,,,,,,]")) for name in ("E1-0", "N4-90", "")),
    *(("01", tour(numbers)) for numbers in (",2010,,10,09", ",,,,0")),
]

#: Points of three players, of five, and without the first.
WRONG_POINTS = ("1.0,1.0,1.0", ",1.0,1.0,1.0", "1.0" + ",1.0" * 4)
#: The versions, a text that is wrong there, and the text around it.
REFUSED = [
    ("01", "", "{}"),
    ("01", "!", match() + "{}"),
    *(("0", text, act("{}")) for text in ("s,pn[5m0m],ew", "s,dk[5m5m5m],", "s,rs[9p],ak[1p1p1p1p]", "s,rn,")),
    *(("1", text, act("{}")) for text in ("s,pn,ew", "s,dk,", "s,rs[9p],ak[1p]", "s,ro,")),
    *(("01", text, act("{}")) for text in ("e,5x,tg", "e,10m,tg", "x,5m,tg", "e,5m", "e5m,tg", "e,,tg")),
    *(("01", text, act("{}")) for text in ("s,ch[2m],ew", "s,ch[2m3m4m],ew", "s,rc[1m],ew", "E,1m,ew")),
    *(("0", text, hand("hnd[1m,9m,{}]")) for text in ("pon[1m,1m1m,k]", "dmk[1m,1m1m1m,t]")),
    *(("0", text, hand("hnd[1m,9m,{}]")) for text in ("kkn[1m,1m,1m1m,s]", "ank[1m1m1m1m]")),
    *(("1", text, hand("hnd[1m,9m,{}]")) for text in ("pon[1m,k]", "dmk[1m,t]", "kkn[1m,s]", "ank[1m]")),
    *(("01", text, hand("hnd[{}]")) for text in (",,", "1m" * 14 + ",,", "1m,2m2m,", "1m,", "1m,,pon[1m,1m1m]")),
    ("01", "9p,," + "chi[1m,2m3m]" * 5, hand("hnd[{}]")),
    *(("01", end, match(frame("(e,1m,tg)", end="{}"))) for end in (f"{HANDS}(e,{HAND})", HANDS[: -len(HAND) - 4])),
    *(("0", dice, fields(",{},,")) for dice in ("2", "10")),
    *(("01", dice, fields(",{},,")) for dice in ("1", "13", "7-1", "0-1", "3-", "-3", "3-4-5")),
    *(("01", points, fields("{},,,")) for points in ("1", "1.", ".5", "1.00", "+1.0", "--1.0", "1,0")),
    *(("01", "1m" * count, fields(",,,{}")) for count in (9, 11)),
    *(("01", "ply[0,,,,]" * count, match(before="mtp[,,,]{}")) for count in (3, 5)),
    *(("01", string, place("{}")) for string in ('"', '"\\"x')),
    ("1", '"\\"', place("{}")),
    ("0", r'"a\"b"', place("{}")),
    *(("1", text, act("{}")) for text in ("s,dk[5m5m],", "e,1m,ak[1m1m1m1m1m]", "e,1m,kk[]")),
    *(("1", text, hand("hnd[1m,9m,{}]")) for text in ("pon[1m,1m1m1m,k]", "pon[,1m1m,k]", "dmk[1m,1m1m1m,]")),
    *(("1", text, hand("hnd[1m,9m,{}]")) for text in ("kkn[1m,1m,1m,s]", "kkn[,1m,1m1m,s]", "ank[1m1m1m1m1m]")),
    *(("01", f"pfs[{points}]", fields(",,{},")) for points in WRONG_POINTS),
    *(("01", f"pme[{points}]", match(after="{}")) for points in WRONG_POINTS),
    *(("01", f"ptn[{'(,),' * count}(,)]", match(after="{}")) for count in (2, 4)),
    *(("01", name, match("frm[{},,,,,,,]")) for name in ("E0-0", "E5-0", "X1-0", "E1-", "E1-:")),
    *(("01", numbers, tour("{}")) for numbers in (",20100,,,", ",201,,,", ",,,x,")),
    *(("01", text, match(before=f"mtp[{{}},]{PLAYERS}")) for text in ("201810011,,", ",mo,", ",,19000")),
    ("01", "snt[]", match(before=f"mtp[,,,{{}}]{PLAYERS}")),
    ("01", "ptr[1.0,1.0,(1.0,),0.3", match(before=f"mtp[,,,]{PLAYERS}{{}}]")),
    ("0", ",3.0", RULES),
    ("1", "", RULES),
    ("0", '(snt["a"],)', NAMED),
    ("1", '[snt["a"],]', NAMED),
]


@looped(("versions", "text"), *TAKEN)
def test_a_text_is_taken(versions: str, text: str) -> None:
    for major in map(int, versions):
        assert verdicts(file(text, major=major)) == {True}


@looped(("versions", "wrong", "around"), *REFUSED)
def test_a_text_is_refused(versions: str, wrong: str, around: str) -> None:
    for major in map(int, versions):
        assert verdicts(file(around.replace("{}", wrong), major=major)) == {False}


SHORT = [path.read_text("utf-8") for path in grammar_files() if path.stat().st_size < 2000]
PIECES = [
    *'"()[],.-019 \n\\', "//", "5m", "0p", "uk", "tg", "kg", "rn", "ro", "pn", "all", "mlg", "101", "1.0", "E1-0",
    "hnd[", "frm[", "chi[", "ply[", 'srm["', '\\"', "ch[1m2m]", "(e,1m,)", "\u3000", "\ufeff", "\r", "\x85",
    "\uff11",
]  # fmt: skip


@st.composite
def misspelled(draw: st.DrawFn) -> str:
    """Draw a text of the corpus with some of it cut out and something put in its place, here and there."""
    text = draw(st.sampled_from(SHORT))
    for _ in range(draw(st.integers(0, 3))):
        begin = draw(st.integers(0, len(text)))
        text = text[:begin] + draw(st.sampled_from(["", *PIECES])) + text[begin + draw(st.integers(0, 4)) :]
    return text


@given(misspelled())
@example(file(match(before="mtp[,,,]" + PLAYERS.replace("ply[3", "ply[0"))))
def test_both_readings_take_the_same_texts(text: str) -> None:
    assert len(verdicts(text)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("major", VERSIONS)
def test_both_readings_take_the_same_text_with_any_one_change(major: int) -> None:
    """The file is cut anywhere, or has any one character taken out or changed."""
    text = file(match(usual_frame(flow(*ACTS[major]), dice="3-4", dora="ew" * 10)), major=major)
    head = text.index("]") + 1
    changes = [text[:at] + put + text[at + 1 :] for at in range(head, len(text)) for put in ("", "5")]
    found = {change: verdicts(change) for change in [*changes, *(text[:at] for at in range(head, len(text)))]}
    assert [change for change, both in found.items() if len(both) > 1] == []
    assert {True} in found.values()
