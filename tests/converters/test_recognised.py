"""What the first bytes of a file show: its format, which no other format claims, or none."""

from corpus_files import CORPUS
from looped import looped
from mjconv.converters import formats

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
