"""Texts of any format: what their first bytes show, their usual layout, and rounds after a mistake."""

import re
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_files import CORPUS, TYPED, each
from faults import leniently
from looped import looped
from mjconv.converters import formats, hub
from mjconv.converters.formats import find
from mjconv.converters.interface import WriteOptions
from mjconv.converters.jmjp.tidy import rearranged
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from trips import known, read

MJAI = b'{"type":"start_game"}\n'
#: Heads of files, by the format that they are of.
HEADS = {
    "mjai": [
        *(MJAI, b'[{"type":"start_game"},{"type":"end_game"}]', b"\xef\xbb\xbf" + MJAI),
        b'{"type":"hello"}\n{"type":"news"}\n{"type": "kita","actor":2}\n',
        b'{"type":"start_game","names":["jmjp["]}\n',
    ],
    "jmjp": [
        *(b"jmjp[1.0](mtp[,,,]", b"jmjp[0]", b"jmjp[2.0]", b"\xef\xbb\xbfjmjp[1.0]", b" \r\n\t jmjp[1.0]"),
        *(b"j m j p [ 1.0 ]", b"// a comment\n j m j p [", b"// jmjp\n// and more\r\njmjp // here\n [1.0]"),
        "// 牌譜\u3000\njmjp[1.0]".encode(),
        b"//" + b" " * 65000 + b"\njmjp[1.0]",
    ],
    "hk": [
        *(b"# Tuesday\nA B C D\n1 - - -\n", b"A B C D\n- - - -\n", b"S=spicy  # hot", b"\xef\xbb\xbfM=8\r\n"),
        b"# Tuesday\n\n2024-01-20\nA B C D\n- 2 d -\n",
        b"2024-01-20\rA B C D\r1 - - -\rwhat is this\r",
        *(path.read_bytes() for path in sorted((CORPUS / "hk").glob("*.hk")) if path.stem != "comments"),
    ],
    "uzje": [
        *(b"E 1 0 4\n", b"\r\n\r\n  E   1 0\r\n4\r\n", b"E\n1\n0\n4\n", b"mjconv: {}\n", b"Match: 1\n"),
        *(b":a comment line\nE 1 0 4\n", b"A comment.\n\nEvent: a cup\nSite: a club\n\nE 1 0 4\n"),
        *(path.read_bytes() for path in sorted((CORPUS / "uzje").glob("*.uzje"))),
    ],
    "tenhou": [
        *(b"<mjloggm ver='2.3'>", b'<?xml version="1.0"?>\n<!-- a game -->\n<mjloggm ver="2.3"><GO type="9"/>'),
    ],
    "mleague": [path.read_bytes()[:65536] for path in sorted((CORPUS / "mleague").glob("*.*"))],
    # Nothing, other data, text that any file may hold, and heads that begin like those of a format.
    "": [
        *(b"", b"\n", b"\x00" * 100, b"\x00\x01", b"\x00\xff", b"\xff{", b"PK\x03\x04", b"\x1f\x8b"),
        *(b"[1, 2]", b'{"a":1}', b'{"name":"a"}', b'"type":"dahai"', b"[" * 100, b'{"type":"chip"}'),
        *(b'{"type":"message","text":"hello"}\n', b'{"type":"error"}\n{"type":"none"}\n'),
        b'{"notes":[{"insert":{"type":"dahai","actor":0}}]}',
        *(b"<mahjong ver='2.3'>", b"<html><body>a page</body></html>"),
        *(b"jmjp", b"jmjp(", b"JMJP[1.0]", b"x jmjp[1.0]", b"// jmjp[1.0]", b"/ jmjp[1.0]"),
        *(b"\xff\xfej\x00m\x00j\x00p\x00[\x00", b"//" + b" " * 70000 + b"\njmjp[1.0]"),
        *(b"# a heading", b"2024-01-20", b"Dear Mr John Smith\n", b"- - - -\n", b"one two three four\nfive\n"),
        *(b"E 1 x 4\n", b"X 1 0 4\n", b"a line before\nE 1 0 4\n", "é\n\nE 1 0 4\n".encode()),
        *(b"E" * 65536, b"E 1" + b" " * 65533, b"\n \n" * 21845, b":\n" * 32768),
    ],
}


@looped("form", *HEADS)
def test_a_head_is_recognised_by_its_format_alone(form: str) -> None:
    for head in HEADS[form]:
        assert [each.id for each in formats.FORMATS if each.recognise(head)] == [form] * bool(form), head[:80]
        found = formats.recognise(head)
        assert (found.id if found else "") == form, head[:80]


# The usual layout of a text that people type: only white space changes.
FORMS = ("jmjp", "uzje", "hk")
FILES = sorted(path for path in CORPUS.rglob("*") if path.suffix[1:] in FORMS)
#: Files whose layout is not clear: no text, or a string that is not closed.
NO_TEXT = {"bad-utf8", "no-ascii", "empty", "not-jmjp", "quote-in-version-0", "string-not-opened"}
NO_TEXT |= {"unclosed-string", "version-2", "version-none"}
SAMPLE = TYPED.encode()


def tokens(form: str, data: bytes) -> object:
    return import_module(f"mjconv.converters.{form}.tidy").tokens(data)


@looped("form", *FORMS)
def test_the_tokens_and_comments_are_those_before_and_the_layout_is_settled(form: str) -> None:
    tidied = find(form)[0].tidied
    for path in [path for path in FILES if path.suffix[1:] == form]:
        data = path.read_bytes()
        if path.stem in NO_TEXT:
            with pytest.raises(InputError):
                tidied(data)
            continue
        laid = tidied(data)
        assert tokens(form, laid) == tokens(form, data), path
        assert tidied(laid) == laid, path
        assert b"\n\n\n" not in laid, path


def test_the_text_reads_as_before() -> None:
    for path in [path for path in FILES if "broken" not in path.parts and "crashes" not in path.parts]:
        form = find(path.suffix[1:])[0]
        data = path.read_bytes()
        before, after = (hub.read_matches(form, text, Report()) for text in (data, form.tidied(data)))
        for match in (*before, *after):
            # The layout of hk and uzje is in their extras.
            for whole in (match, *match.rounds):
                whole.extras = {key: value for key, value in whole.extras.items() if key == "jmjp"}
        assert before == after, path


@each([CORPUS / name for name in ("sample/game.jmjp", "uzje/riichi.uzje", "hk/example.hk", "hk/evenings.hk")])
def test_texts_of_mjconv_and_of_the_standards_have_the_usual_layout(path: Path) -> None:
    assert find(path.suffix[1:])[0].tidied(path.read_bytes()) == path.read_bytes()


@given(st.data())
def test_blanks_and_comments_anywhere_leave_tokens_alone(data: st.DataObject) -> None:
    text = SAMPLE.decode()[: SAMPLE.decode().index("frm[E2-0")]
    quoted = False
    places = [0]
    for at, char in enumerate(text):
        quoted ^= char == '"'
        if not quoted and char != "/":
            places.append(at)
    # No place inside a comment.
    places = [at for at in places if "//" not in text[text.rfind("\n", 0, at) + 1 : at + 1]]
    number = count()
    for at in sorted(data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=8)), reverse=True):
        blanks = [" ", "\n", "\n\n\n", "\t", f"// {next(number)}\n", f"\n//{next(number)}\n"]
        text = text[:at] + data.draw(st.sampled_from(blanks)) + text[at:]
    laid = find("jmjp")[0].tidied(text.encode())
    assert tokens("jmjp", laid) == tokens("jmjp", text.encode())
    assert find("jmjp")[0].tidied(laid) == laid


def test_a_comment_at_the_end_of_a_line_stays_there_and_one_on_its_own_stays_alone() -> None:
    text = b"jmjp[1.0](mtp[,,,] // day\n\n\n  // the players\nply[0,,,,]ply[1,,,,] // two\nply[2,,,,])"
    lines = "jmjp[1.0]|(|mtp[,,,]  // day||// the players|ply[0,,,,]|ply[1,,,,]  // two|ply[2,,,,]|)"
    assert find("jmjp")[0].tidied(text).decode().splitlines() == lines.split("|")


def test_acts_have_a_line_for_each_time_around_and_wide_letters_two_columns() -> None:
    first, second = "(e,5m,tg)(s,1m,tg)(n,1m,tg)", "(s,pn[1m1m],2m)(w,3m,"
    text = f'jmjp[1.0](ply[0,(snt["東"],),,,]//a\nfrm[E1-0,,,,,{first}{second}//b\n'
    lines = find("jmjp")[0].tidied(text.encode()).decode().splitlines()[2:]
    assert lines == ['ply[0,(snt["東"],),,,]  //a', "frm[E1-0,,,,,", first, f"{second}  //b"]


def test_the_bracket_of_a_match_has_its_line_also_after_half_a_round() -> None:
    lines = find("jmjp")[0].tidied(b"jmjp[1.0](frm[E1-0,,,,,(e,5m,tg))(mtp[,,,])").decode().splitlines()
    assert lines[2:] == ["frm[E1-0,,,,,", "(e,5m,tg)", ")", "(", "mtp[,,,]", ")"]


def test_a_long_word_is_laid_out_in_linear_time() -> None:
    word = b"x" * 90_000
    assert find("jmjp")[0].tidied(b"jmjp[1.0](" + word) == b"jmjp[1.0]\n(\n" + word + b"\n"


def test_line_ends_stay_those_of_the_file() -> None:
    assert find("hk")[0].tidied(b"A B C D\r\n- -  - -\r\n") == b"A B C D\r\n- - - -\r\n"


def test_a_text_with_other_tokens_keeps_the_layout_that_it_was_written_in() -> None:
    written = SAMPLE.replace(b"8700", b"").replace(b"17.3", b"17.4")
    assert rearranged(SAMPLE.replace(b"\nply", b"\n\nply"), written) == written


HK = "2024-01-01   # day\n\n\nA  B   C D   # hello\n# first\n-   2 d  -    # cheap\n\n# middle\n\n- - - -\n\n\n"
UZJE = (CORPUS / "uzje" / "flowers.uzje").read_text().replace(" ", "   ", 5)
UZJE += "\n\n\nwell   played\n\n\n:the   end\n"


@looped(("form", "text"), ("hk", HK), ("uzje", UZJE), ("uzje", UZJE.replace("\n", "\r\n")))
def test_a_text_with_the_same_tokens_stays_as_it_was_typed(form: str, text: str) -> None:
    again = find(form)[0].for_typed("tidy", "rearranged")
    assert again
    data = text.encode()
    matches = read(data, form).matches
    for options in (WriteOptions(), WriteOptions(plain=True)):
        written = b"".join(hub.write(find(form)[0], matches, Report(), options))
        assert again(data, written) == data or not options.plain
        assert tokens(form, again(data, written)) == tokens(form, written)


def test_new_notes_are_between_the_lines_that_were_typed() -> None:
    again = find("hk")[0].for_typed("tidy", "rearranged")
    assert again
    written = HK.replace("\n\n", "\n").replace("  ", " ").replace("cheap", "cheap\n#@mjconv {}") + "#@mjconv {}\n"
    noted = again(HK.encode(), written.encode()).decode()
    assert noted == HK.replace("cheap", "cheap\n#@mjconv {}").replace("- - - -", "- - - -\n#@mjconv {}")
    assert again(noted.encode(), HK.encode()).decode() == HK
    assert again(HK.encode(), b"A B C D\n- 3 d -\n") == b"A B C D\n- 3 d -\n"


# A lenient reading of any format continues after a round with a mistake: the other rounds are as they were.


# A record, a value of its first round, and a wrong one.
@looped(
    ("name", "value", "wrong"),
    ("sample/game.jmjp", rb",tg\)", b",tx)"),
    ("majiang/game.json", rb'("zimo":{"l":\d,"p":")', rb"\1x"),
    ("riichicity/four.json", rb'("eventType":\s?)4', rb"\g<1>77"),
    ("mjx/game.json", rb"EVENT_TYPE_TSUMOGIRI", b"EVENT_TYPE_FLY"),
    ("tenhou/hanchan.mjlog", rb"<D\d+/>", b"<X1/>"),
    ("uzje/short.uzje", rb" 3\.", b" 3.x"),
    ("hk/example.hk", rb"\n- ", b"\nx "),
    ("pmn/ron.pmn", rb'(\[Play ")', rb"\1T0x"),
    ("botzone/hands.botzone", rb"Player (\d) Draw", rb"Player \1 Drew"),
)
def test_the_rounds_after_a_mistake_are_read(name: str, value: bytes, wrong: bytes) -> None:
    data = (CORPUS / name).read_bytes()
    broken, count = re.subn(value, wrong, data, count=1)
    assert count == 1
    assert broken != data
    form = known(formats.of_file(name, data)).id
    was = leniently(broken, form)
    rounds, whole = ([one for match in each.matches for one in match.rounds] for each in (was, read(data, form)))
    assert {(fault.match, fault.round) for fault in was.faults} == {(0, 0)}
    assert rounds[1:] == whole[1:]
    assert len(whole) > 1
    assert rounds[0].events == whole[0].events[: len(rounds[0].events)] != whole[0].events
