"""The second recogniser: what it takes, what it refuses and where, and that it knows the product's grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import UnexpectedInput

from corpus_files import grammar_files
from jmjp_recogniser import ALTERNATIVES, NotJmjp, recognise
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


def test_the_least_match() -> None:
    assert {"frame:absent", "ptRule:absent", "recerInfo:absent", "match:one"} <= used(match())


def test_several_matches_and_none() -> None:
    assert "match:several" in used(match() * 3)
    assert refused("") == (0, "a match")


@pytest.mark.parametrize(
    ("major", "act", "name"),
    [
        (1, "e,5m,tg", "discTile:actTmg"),
        (1, "e,0m,kg", "discTile:actKrg"),
        (1, "e,uk,rd", "drawTile:realTiles"),
        (1, "s,ch[2m3m],ew", "drawTile:actChi"),
        (1, "s,pn[5m0m],ew", "drawTile:actPon"),
        (0, "s,pn,ew", "drawTile:actPon"),
        (1, "s,dk[5m5m5m],", "drawTile:actDmk"),
        (0, "s,dk,", "drawTile:actDmk"),
        (1, "s,rs[9p],ak[1p1p1p1p]", "discTile:actAnk"),
        (0, "s,rs[9p],ak[1p]", "discTile:actAnk"),
        (1, "s,rs[9p],kk[1p]", "discTile:actKkn"),
        (1, "s,rn,", "drawTile:actRon"),
        (0, "s,ro,", "drawTile:actRon"),
        (1, "e,oy,rc[1m]", "drawTile:actOya"),
        (1, "e,1m,tm", "discTile:actTsm"),
        (1, "e,1m,", "discTile:absent"),
    ],
)
def test_acts(major: int, act: str, name: str) -> None:
    assert name in used(match(frame(f"({act})")), major)


#: Texts that are no act, by version, with blanks between them.
NO_ACTS = {
    0: "s,pn[5m0m],ew s,dk[5m5m5m], s,rs[9p],ak[1p1p1p1p] s,rn,",
    1: "s,pn,ew s,dk, s,rs[9p],ak[1p] s,ro, e,5x,tg e,10m,tg x,5m,tg e,5m e5m,tg e,,tg s,ch[2m],ew "
    "s,ch[2m3m4m],ew s,rc[1m],ew E,1m,ew",
}


@pytest.mark.parametrize(
    ("major", "act"), [(major, act) for major, acts in NO_ACTS.items() for act in acts.split()]
)
def test_what_is_no_act(major: int, act: str) -> None:
    offset, _ = refused(match(frame(f"({act})")), major)
    begin = match(frame("!")).index("!")
    assert begin < offset <= begin + len(act) + 1


@pytest.mark.parametrize(
    ("major", "call", "name"),
    [
        (1, "chi[1m,2m3m]", "furoChi"),
        (0, "chi[1m,2m3m]", "furoChi"),
        (1, "pon[1m,1m1m,k]", "furoPon"),
        (0, "pon[1m,k]", "furoPon"),
        (1, "dmk[1m,1m1m1m,t]", "furoDmk"),
        (0, "dmk[1m,t]", "furoDmk"),
        (1, "kkn[1m,1m,1m1m,s]", "furoKkn"),
        (0, "kkn[1m,s]", "furoKkn"),
        (1, "ank[1m1m1m1m]", "furoAnk"),
        (0, "ank[1m]", "furoAnk"),
    ],
)
def test_calls_differ_by_version(major: int, call: str, name: str) -> None:
    hand = f"(e,hnd[1m,9m,{call}])"
    text = match(frame(end=hand + HANDS.removeprefix(f"(e,{HAND})")))
    found = used(text, major)
    assert {f"tileFuro:{name}", "tileFuro:1", "tileInHand:1"} <= found
    if name != "furoChi":
        assert refused(text, 1 - major)[0] > text.index(call)


@pytest.mark.parametrize(
    "hand",
    ["hnd[,,]", "hnd[1m1m1m1m1m1m1m1m1m1m1m1m1m1m,,]", "hnd[1m,2m2m,]", "hnd[1m,]", "hnd[1m,,pon[1m,1m1m]]"],
)
def test_what_is_no_hand(hand: str) -> None:
    refused(match(frame(end=f"(e,{hand})" + HANDS.removeprefix(f"(e,{HAND})"))))


def test_a_hand_has_at_most_four_calls() -> None:
    calls = "chi[1m,2m3m]" * 4
    rest = HANDS.removeprefix(f"(e,{HAND})")
    assert "tileFuro:4" in used(match(frame(end=f"(e,hnd[9p,,{calls}])" + rest)))
    refused(match(frame(end=f"(e,hnd[9p,,{calls}chi[1m,2m3m]])" + rest)))


def test_a_flow_has_four_hands_before_and_after() -> None:
    for wrong in (HANDS + f"(e,{HAND})", HANDS.removesuffix(f"(n,{HAND})")):
        refused(match(frame("(e,1m,tg)", end=wrong)))
    assert "frameFlow:several" in used(match(f"frm[E1-0,,,,,{HANDS * 4},,]"))
    assert "frameFlow:absent" in used(match("frm[E1-0,,,,,,,]"))


@pytest.mark.parametrize(
    ("dice", "name"),
    [("3-4", "dice:separate"), ("2", "diceTotal:2"), ("10", "diceTotal:10"), ("1-6", "diceSep:1")],
)
def test_dice(dice: str, name: str) -> None:
    assert name in used(match(frame(fields=f",{dice},,")))
    if "-" not in dice:
        refused(match(frame(fields=f",{dice},,")), 0)


@pytest.mark.parametrize("dice", ["1", "13", "7-1", "0-1", "3-", "-3", "3-4-5"])
def test_what_are_no_dice(dice: str) -> None:
    refused(match(frame(fields=f",{dice},,")))


@pytest.mark.parametrize("points", ["1", "1.", ".5", "1.00", "+1.0", "--1.0", "1,0"])
def test_what_are_no_points(points: str) -> None:
    refused(match(frame(fields=f"{points},,,")))


@pytest.mark.parametrize("dora", [9, 11])
def test_dora_are_ten(dora: int) -> None:
    refused(match(frame(fields=",,," + "1m" * dora)))
    used(match(frame(fields=",,," + "1m" * 10)))


@pytest.mark.parametrize("players", [3, 5])
def test_players_are_four(players: int) -> None:
    refused(match(before="mtp[,,,]" + "ply[0,,,,]" * players))


def test_point_rules_have_a_fifth_field_in_1_x() -> None:
    five = match(before=f"mtp[,,,]{PLAYERS}ptr[25.0,30.0,(20.0,10.0),0.3,3.0]")
    assert "ptRule:absent" not in used(five)
    assert "ptRule:absent" not in used(five.replace(",3.0]", "]"), 0)
    refused(five, 0)
    refused(five.replace(",3.0]", "]"))


def test_names_have_other_brackets_in_version_0() -> None:
    text = match(before="mtp[,,,]" + PLAYERS.replace("ply[0,,", 'ply[0,(snt["a"],),'))
    assert "fname:absent" in used(text)
    refused(text, 0)
    assert "fname:absent" in used(text.replace('(snt["a"],)', '[snt["a"],]'), 0)


def test_every_shorthand_token_of_the_standard() -> None:
    ours = {(name.split(":")[1]) for name in ALTERNATIVES if name.split(":")[0][2:] in _FIELDS}
    assert ours - {"strLit", "absent"} == set(CODES)


_FIELDS = ("tourName", "tourStage", "matchPlace", "plyerTeam", "plyerAffil")


def test_strings() -> None:
    def place(string: str, major: int = 1) -> set[str]:
        return used(match(before=f"mtp[,,,snt[{string}]]{PLAYERS}"), major)

    assert "string:empty" in place('""')
    assert "string:newline" in place('"a\nb"')
    assert "string:slashes" in place('"http://"')
    assert "string:escaped quote" in place(r'"a\"b"')
    assert "string:escaped quote" not in place(r'"a\b"')
    assert "string:empty" not in place('"\\"', 0)
    for major, string in ((1, '"'), (1, '"\\"'), (0, r'"a\"b"')):
        refused(match(before=f"mtp[,,,snt[{string}]]{PLAYERS}"), major)


def test_blanks_and_comments_are_allowed_anywhere_outside_strings() -> None:
    text = match(frame("(e,1m,tg)"))
    spread = "".join(f"{char} //)(\n\t\u3000" for char in HEADS[1] + text)
    assert recognise(spread) >= recognise(HEADS[1] + text) | {"1 file:comment", "1 file:blank in a token"}
    assert "1 file:blank" not in recognise(HEADS[1] + text)
    assert "1 file:byte order mark" in recognise("\ufeff" + HEADS[1] + text)


@pytest.mark.parametrize(
    "head", ["", "jmjp", "jmjp[]", "jmjp[2.0]", "jmjp[1.]", "jmjp[01]", "jmjp[1.0", "mjai[1.0]"]
)
def test_what_is_no_head(head: str) -> None:
    with pytest.raises(NotJmjp):
        recognise(head + match())


@pytest.mark.parametrize("head", ["jmjp[0]", "jmjp[0.0]", "jmjp[1]", "jmjp[1.0]", "jmjp[1.12]"])
def test_heads(head: str) -> None:
    recognise(head + match())


def test_nothing_follows_the_matches() -> None:
    assert refused(match() + "!") == (len(match()), "the end of the file")


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
