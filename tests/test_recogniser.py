"""The second recogniser: what it takes, what it refuses and where, and that it knows the product's grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import UnexpectedInput

from corpus_files import grammar_files
from jmjp_recogniser import ALTERNATIVES, NotJmjp, recognise
from looped import looped
from mjconv.converters.jmjp.grammar import fine_parser
from mjconv.converters.jmjp.spelling import CODES
from mjconv.converters.jmjp.text import StrippedText
from mjconv.ir.errors import InputError

PLAYERS = "".join(f"ply[{player},,,,]" for player in range(4))
HAND = "hnd[1m2m3m4m5m6m7m8m9m1p2p3p4p,,]"
HANDS = "".join(f"({seat},{HAND})" for seat in "eswn")
HEADS = {0: "jmjp[0]", 1: "jmjp[1.0]"}


def match(frames: str = "", before: str = f"mtp[,,,]{PLAYERS}", after: str = "") -> str:
    return f"({before}{frames}{after})"


def frame(acts: str = "", fields: str = ",,,", end: str = HANDS) -> str:
    return f"frm[E1-0,{fields},{HANDS}{acts}{end},,]"


def used(text: str, major: int = 1) -> set[str]:
    """Give the alternatives that a text after the head uses, without their version."""
    found = recognise(HEADS[major] + text)
    assert all(name.startswith(f"{major} ") for name in found)
    return {name[2:] for name in found}


def refused(text: str, major: int = 1) -> tuple[int, str]:
    """Give where a text after the head goes wrong, and what was expected there."""
    with pytest.raises(NotJmjp) as caught:
        recognise(HEADS[major] + text)
    return caught.value.offset - len(HEADS[major]), caught.value.expected


def act(text: str) -> str:
    return match(frame(f"({text})"))


def hand(tiles: str) -> str:
    """Return a match whose east has these tiles at the end."""
    return match(frame(end=f"(e,{tiles})" + HANDS.removeprefix(f"(e,{HAND})")))


def fields(text: str) -> str:
    return match(frame(fields=text))


def place(string: str) -> str:
    return match(before=f"mtp[,,,snt[{string}]]{PLAYERS}")


FIVE_RULES = match(before=f"mtp[,,,]{PLAYERS}ptr[25.0,30.0,(20.0,10.0),0.3,3.0]")
NAMED = match(before="mtp[,,,]" + PLAYERS.replace("ply[0,,", 'ply[0,(snt["a"],),'))

#: The versions, a text after the head, and alternatives that it uses.
USED = [
    ("01", match(), "frame:absent ptRule:absent recerInfo:absent match:one"),
    ("01", match() * 3, "match:several"),
    ("01", act("e,5m,tg"), "discTile:actTmg"),
    ("01", act("e,0m,kg"), "discTile:actKrg"),
    ("01", act("e,uk,rd"), "drawTile:realTiles"),
    ("01", act("s,ch[2m3m],ew"), "drawTile:actChi"),
    ("1", act("s,pn[5m0m],ew"), "drawTile:actPon"),
    ("0", act("s,pn,ew"), "drawTile:actPon"),
    ("1", act("s,dk[5m5m5m],"), "drawTile:actDmk"),
    ("0", act("s,dk,"), "drawTile:actDmk"),
    ("1", act("s,rs[9p],ak[1p1p1p1p]"), "discTile:actAnk"),
    ("0", act("s,rs[9p],ak[1p]"), "discTile:actAnk"),
    ("01", act("s,rs[9p],kk[1p]"), "discTile:actKkn"),
    ("1", act("s,rn,"), "drawTile:actRon"),
    ("0", act("s,ro,"), "drawTile:actRon"),
    ("01", act("e,oy,rc[1m]"), "drawTile:actOya"),
    ("01", act("e,1m,tm"), "discTile:actTsm"),
    ("01", act("e,1m,"), "discTile:absent"),
    ("01", hand("hnd[1m,9m,chi[1m,2m3m]]"), "tileFuro:furoChi tileFuro:1 tileInHand:1"),
    ("1", hand("hnd[1m,9m,pon[1m,1m1m,k]]"), "tileFuro:furoPon tileFuro:1 tileInHand:1"),
    ("0", hand("hnd[1m,9m,pon[1m,k]]"), "tileFuro:furoPon"),
    ("1", hand("hnd[1m,9m,dmk[1m,1m1m1m,t]]"), "tileFuro:furoDmk"),
    ("0", hand("hnd[1m,9m,dmk[1m,t]]"), "tileFuro:furoDmk"),
    ("1", hand("hnd[1m,9m,kkn[1m,1m,1m1m,s]]"), "tileFuro:furoKkn"),
    ("0", hand("hnd[1m,9m,kkn[1m,s]]"), "tileFuro:furoKkn"),
    ("1", hand("hnd[1m,9m,ank[1m1m1m1m]]"), "tileFuro:furoAnk"),
    ("0", hand("hnd[1m,9m,ank[1m]]"), "tileFuro:furoAnk"),
    ("01", hand("hnd[9p,," + "chi[1m,2m3m]" * 4 + "]"), "tileFuro:4"),
    ("01", match(f"frm[E1-0,,,,,{HANDS * 4},,]"), "frameFlow:several"),
    ("01", match("frm[E1-0,,,,,,,]"), "frameFlow:absent"),
    ("01", fields(",3-4,,"), "dice:separate"),
    ("01", fields(",1-6,,"), "diceSep:1"),
    ("1", fields(",2,,"), "diceTotal:2"),
    ("1", fields(",10,,"), "diceTotal:10"),
    ("01", fields(",,," + "1m" * 10), ""),
    ("1", NAMED, "fname:absent"),
    ("0", NAMED.replace('(snt["a"],)', '[snt["a"],]'), "fname:absent"),
    ("01", place('""'), "string:empty"),
    ("01", place('"a\nb"'), "string:newline"),
    ("01", place('"http://"'), "string:slashes"),
    ("1", place(r'"a\"b"'), "string:escaped_quote"),
]  # fmt: skip
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
]  # fmt: skip


@looped(("versions", "text", "names"), USED)
def test_a_text_uses_these_alternatives(versions: str, text: str, names: str) -> None:
    for major in map(int, versions):
        assert {name.replace("_", " ") for name in names.split()} <= used(text, major)
        assert product_takes(HEADS[major] + text)


@looped(("versions", "wrong", "around"), REFUSED)
def test_a_text_is_refused_at_what_is_wrong(versions: str, wrong: str, around: str) -> None:
    before, after = around.split("{}")
    for major in map(int, versions):
        offset, _ = refused(before + wrong + after, major)
        assert len(before) <= offset
        # An open string takes all that follows.
        assert offset <= len(before + wrong) + 1 or '"' in wrong
        assert not product_takes(HEADS[major] + before + wrong + after)


def test_the_fields_of_a_version() -> None:
    for text, least in ((FIVE_RULES, 1), (FIVE_RULES.replace(",3.0]", "]"), 0)):
        assert "ptRule:absent" not in used(text, least)
        refused(text, 1 - least)
    refused(NAMED, 0)
    for string, major, name in ((r'"a\b"', 1, "escaped quote"), ('"\\"', 0, "empty")):
        assert f"string:{name}" not in used(place(string), major)


def test_every_shorthand_token_of_the_standard() -> None:
    fields = ("tourName", "tourStage", "matchPlace", "plyerTeam", "plyerAffil")
    ours = {name.split(":")[1] for name in ALTERNATIVES if name.split(":")[0][2:] in fields}
    assert ours - {"strLit", "absent"} == set(CODES)


def test_blanks_and_comments_are_allowed_anywhere_outside_strings() -> None:
    text = act("e,1m,tg")
    spread = "".join(f"{char} //)(\n\t\u3000" for char in HEADS[1] + text)
    assert recognise(spread) >= recognise(HEADS[1] + text) | {"1 file:comment", "1 file:blank in a token"}
    assert "1 file:blank" not in recognise(HEADS[1] + text)
    assert "1 file:byte order mark" in recognise("\ufeff" + HEADS[1] + text)


def test_heads_and_ends() -> None:
    assert refused("") == (0, "a match")
    assert refused(match() + "!") == (len(match()), "the end of the file")
    for head in ("jmjp[0]", "jmjp[0.0]", "jmjp[1]", "jmjp[1.0]", "jmjp[1.12]"):
        recognise(head + match())
    for head in ("", "jmjp", "jmjp[]", "jmjp[2.0]", "jmjp[1.]", "jmjp[01]", "jmjp[1.0", "mjai[1.0]"):
        with pytest.raises(NotJmjp):
            recognise(head + match())


# Beside the product's grammar.

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


def is_jmjp(text: str) -> bool:
    try:
        recognise(text)
    except NotJmjp:
        return False
    return True


def product_takes(text: str) -> bool:
    try:
        source = StrippedText.from_bytes(text.encode())
        fine_parser(source.major).parse(source.stripped)
    except (InputError, UnexpectedInput):
        return False
    return True


@given(misspelled())
def test_it_takes_what_the_product_takes_and_nothing_else(text: str) -> None:
    assert is_jmjp(text) == product_takes(text)
