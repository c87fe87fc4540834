import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults import spot
from looped import looped
from mjconv.converters.jmjp.text import SourceComment, StrippedText
from mjconv.ir.errors import InputError

from .texts import VERSIONS, whole


def refusal(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        StrippedText.from_bytes(data)
    return caught.value


def test_white_space_goes_everywhere_but_in_strings() -> None:
    source = StrippedText('jm jp[\t1\n.0]\r\n(f r m [E 1 - 0,,,,,,,snt["a  b\n c"] ]\u3000)\xa0')
    assert source.stripped == 'jmjp[1.0](frm[E1-0,,,,,,,snt["a  b\n c"]])'


def test_comments_go_to_the_end_of_their_line_and_are_kept() -> None:
    source = StrippedText('// one\njmjp//two\r\n[1.0] // "three\n(// four')
    assert source.stripped == "jmjp[1.0]("
    comments = [(comment.offset, comment.text) for comment in source.comments]
    assert comments == [(0, " one"), (4, "two"), (9, ' "three'), (10, " four")]
    for comment in source.comments:
        assert source.text.startswith("//" + comment.text, comment.origin)


def test_strings_comments_and_quotes() -> None:
    source = StrippedText('jmjp[1.0]("http://x" // say "hi\n"//")')
    assert source.stripped == 'jmjp[1.0]("http://x""//")'
    assert source.comments == [SourceComment(20, ' say "hi', 21)]
    # In 1 x a backslash before a quote keeps the string open.
    source = StrippedText(r'jmjp[1.0]("a\" b" , "c\d" , "e\\" f")')
    assert source.stripped == r'jmjp[1.0]("a\" b","c\d","e\\" f")'
    # In version 0 a string ends at the next quote.
    source = StrippedText(r'jmjp[0]("a\" , "b c" )')
    assert source.stripped == r'jmjp[0]("a\","b c")'


@looped(("version", "major"), ("0", 0), ("0.3", 0), ("1", 1), ("1.0", 1), ("1.12", 1))
def test_versions_that_are_read(version: str, major: int) -> None:
    source = StrippedText(f"jmjp[{version}](")
    assert (source.version, source.major) == (version, major)


def test_heads_with_blanks_marks_and_newer_versions() -> None:
    assert StrippedText("jmjp[ 1 // one ]\n . // point\n 0 ](").version == "1.0"
    source = StrippedText.from_bytes(b"\xef\xbb\xbfjmjp[1.0](")
    assert source.stripped == "jmjp[1.0]("
    assert source.place(0).column == 1
    assert "reads 0 and 1.x" in refusal(b"jmjp[2.0](").message


def test_an_error_in_a_head_or_a_string_has_its_place() -> None:
    for data, place, said in (
        *((data, (1, 1), "the file is empty") for data in (b"", b" \n // nothing\n", b"\xef\xbb\xbf")),
        (b'\n {"type":"hello"}', (2, 2), "not a jmjp file"),
        (b"jmjp", (1, 1), "not a jmjp file"),
        *((data, (1, 6), "expected the version") for data in (b"jmjp[", b"jmjp[]", b"jmjp[" + b"1" * 29 + b"](")),
        (b"jmjp[\n x]", (2, 2), "expected the version"),
        (b"jmjp[ 2.0](", (1, 7), "version 2.0"),
        (b"jmjp[10](", (1, 6), "version 10"),
        (b"jmjp[1.0.0](", (1, 6), "'1.0.0' is no version"),
        (b"jmjp[01.0](", (1, 6), "'01.0' is no version"),
        (b"jmjp[.](", (1, 6), "'.' is no version"),
        (b'jmjp[1.0]\n(snt["a\\"', (2, 6), "a string is not closed"),
        (b'jmjp[0](snt["a"][ "\n//\n', (1, 19), "a string is not closed"),
        (b'jmjp[0](snt["a"]"\n//\n', (1, 17), "a quote closes no string: expected another"),
        (b'jmjp[1.0]\n(srm["a"]\n[snt["b]srm["c"]]\nsrm["d"])', (3, 6), "a string is not closed"),
        (b'jmjp[1.0]\n(srm["a"]\n[snt[b"]srm["c"]]\nsrm["d"])', (3, 7), "a quote closes no string"),
        (b'jmjp[1.0]\n(srm["a" // x\n],"b" // "\n)snt["c])', (3, 3), "a quote closes no string"),
        (b'jmjp[0](snt["a\\"b"])', (1, 13), "before the file ends; version 0 has no escaped quotes"),
    ):
        error = refusal(data)
        assert spot(error.place) == place, data
        assert said in error.message, data


@looped("mark", b"", b"\xef\xbb\xbf")
def test_bad_utf_8_is_reported_with_its_byte_offset_line_and_column(mark: bytes) -> None:
    good = mark + "jmjp[1.0]\n(東".encode()
    error = refusal(good + b"\xff)")
    assert spot(error.place) == (2, 3)
    assert f"byte offset {len(good)}" in error.message
    assert "0xff" in error.message


@given(st.data(), st.sampled_from(sorted(VERSIONS)))
def test_blanks_and_comments_put_in_anywhere_are_taken_out_and_every_place_is_found(
    data: st.DataObject, major: int
) -> None:
    stripped = whole(major)
    blank = st.sampled_from([" ", "\n", "\r\n", "\t", "\u3000", "// x\n", '//"\r\n', "///\n"])
    cuts = data.draw(st.sets(st.integers(0, len(stripped)), max_size=30))
    outside = [place for place in sorted(cuts) if stripped.count('"', 0, place) % 2 == 0]
    text, last, origins = "", 0, []
    for cut in [*outside, len(stripped)]:
        origins += range(len(text), len(text) + cut - last)
        text += stripped[last:cut] + data.draw(blank)
        last = cut
    source = StrippedText(text)
    assert source.stripped == stripped
    assert len(source.comments) == sum(text.count(comment) for comment in ("// x\n", '//"', "///"))
    assert [source.origin(offset) for offset in range(len(stripped))] == origins
    assert source.origin(len(stripped)) == origins[-1] + 1
    assert all(comment.offset == sum(origin < comment.origin for origin in origins) for comment in source.comments)


def test_places_have_line_column_and_the_line() -> None:
    source = StrippedText("jmjp[1.0]\n  ( mtp[,,,] // x\n ply")
    place = source.place(source.stripped.index("ply"))
    assert (place.line, place.column, place.text) == (3, 2, " ply")
