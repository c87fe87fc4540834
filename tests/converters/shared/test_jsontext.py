"""JSON: numbers keep their values, msgspec agrees with orjson, places, and values that are stated twice."""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import mjconv
from corpus_files import CORPUS
from handmade import GAME
from logs import lines
from looped import looped
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.json_file import objects
from mjconv.converters.shared.json_places import JsonPlaces
from mjconv.ir import limits
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from strategies import any_text

EXACT = [
    *("1.00000000000000000001", "1e-400", "-1.5e-330"),
    *("0.1234567890123456789", "9007199254740993.5", "123456789.123456789"),
]


@looped("number", *EXACT)
def test_a_number_that_no_float_has_is_kept_as_written(number: str) -> None:
    text = f'{{"a":[{number},1]}}'.encode()
    assert jsontext.loads(text)["a"][0] == Decimal(number)
    assert jsontext.dumps(jsontext.loads(text)) == text


@looped("number", *["1.5", "-0.0", "0.1", "1e22", "2.5e-5", "1.0", "5e-324", "1.7976931348623157e308"])
def test_a_number_that_a_float_has_is_a_float(number: str) -> None:
    assert type(jsontext.loads(number.encode())) is float


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**40), max_value=10**40))
def test_no_number_changes_its_value(number: Decimal) -> None:
    text = format(number, "f" if abs(number.adjusted()) < 200 else "e")
    value = jsontext.loads(text.encode())
    assert Decimal(value if isinstance(value, (int, Decimal)) else repr(value)) == number
    assert Decimal(jsontext.dumps(value).decode()) == number


SINGLE = st.none() | st.booleans() | st.integers() | any_text() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SINGLE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.recursive(
        SINGLE | st.sampled_from(EXACT).map(Decimal),
        lambda inner: st.lists(inner) | st.dictionaries(any_text(), inner),
        max_leaves=12,
    )
)
def test_what_is_written_is_read_again(value: object) -> None:
    assert jsontext.loads(jsontext.dumps(value)) == value


@looped("number", "1e-99999", "1e-99999999999999999999", "0." + "1" * 400, "1e400")
def test_a_number_without_bounds_is_refused(number: str) -> None:
    with pytest.raises(ValueError, match=r"digits|closer to zero"):
        jsontext.loads(number.encode())


def test_the_number_of_an_unknown_key_comes_back_from_every_format() -> None:
    for number in EXACT:
        for over in ("mjai", "jmjp", "uzje"):
            log = b"".join(
                line.replace(b'"type":"tsumo",', b'"type":"tsumo","meta":{"odds":[%b]},' % number.encode())
                for line in SAMPLE.splitlines(keepends=True)
            )
            standard = mjconv.convert(log, source="mjai", target="mjai").data
            assert standard.count(f'{{"odds":[{number}]}}'.encode()) == log.count(b"odds") > 0
            out = mjconv.convert(log, source="mjai", target=over)
            assert mjconv.convert(out.data, source=over, target="mjai").data == standard


SAMPLE = mjconv.convert(lines(GAME), source="mjai", target="mjai").data


@looped("over", "jmjp", "uzje", "hk")
def test_a_note_with_a_key_twice_is_refused(over: str) -> None:
    log = SAMPLE.replace(b'"type":"tsumo",', b'"type":"tsumo","meta":[1],')
    noted = mjconv.convert(log, source="mjai", target=over).data
    assert b'"round":{' in noted
    with pytest.raises(InputError, match="the note has the key 'v' twice"):
        mjconv.convert(noted.replace(b'"v":4,', b'"v":1,"v":4,', 1), source=over, target="mjai")


@given(st.lists(st.text("0123456789abcdefE.-", max_size=40), max_size=4))
@example(["3e5", "12345678901234567890", "-1e9", "a0123456789012345678"])
def test_digits_in_a_string_are_no_number(texts: list[str]) -> None:
    data = jsontext.dumps({text: text for text in texts})
    assert jsontext.loads(data) == jsontext.loads_unique(data) == json.loads(data)


@given(st.lists(st.sampled_from([*"[]{}", '"', "\\", "\n", "a"]), max_size=12).map("".join), st.integers(1, 9))
def test_the_depth_is_that_of_the_values_and_not_of_texts(text: str, depth: int) -> None:
    value: object = [text] * 9
    for level in range(depth - 1):
        value = [value, text] if level % 2 else {text: value}
    data = jsontext.dumps(value)
    with limits.using(limits.Limits(nesting=depth)):
        assert jsontext.loads(data) == value
    with limits.using(limits.Limits(nesting=depth - 1)), pytest.raises(ValueError, match="nested more than"):
        jsontext.loads(data)


@given(st.lists(st.sampled_from(["", " ", "\n", "{}", '{"a":1}', "{", "[]", "7", "}"]), max_size=6))
@example(["{", "}"])
@example(["{}", "{", "7"])
def test_a_file_is_one_text_or_a_text_a_line(lines: list[str]) -> None:
    stated = [line for line in lines if line.strip()]
    report = Report(lenient=True)
    found = [each.value for each in objects("\n".join(lines).encode(), report)]
    try:
        whole = json.loads("\n".join(lines))
        assert found == (whole if isinstance(whole, list) else [whole])
        assert not report.faults
    except json.JSONDecodeError:
        begins = stated[:1] in (["{}"], ['{"a":1}'])
        assert found == [json.loads(line) for line in stated if begins and line not in ("{", "}")]
        assert len(report.faults) == (len(stated) - len(found) if begins else 1)


def test_the_limit_of_digits_holds_wherever_the_number_is() -> None:
    for digits in (299, 300, 301, 600):
        for before in (0, 1, 149, 150, 151, 299):
            data = b'["%b",%b]' % (b"a" * before, b"7" * digits)
            if digits <= 300:
                assert jsontext.loads_unique(data)[1] == int(b"7" * digits)
            else:
                with pytest.raises(ValueError, match="more than 300 digits"):
                    jsontext.loads_unique(data)


@given(st.lists(any_text() | st.floats(allow_nan=False, allow_infinity=False) | st.integers()))
def test_values_are_written_each_as_alone(values: list[object]) -> None:
    assert jsontext.dumps_each(values) == [jsontext.dumps(value) for value in values]


#: Pieces of JSON, and of texts that are nearly JSON.
SIGNS = [
    *'{}[],:" \n0123456789-+.eE\\\x00\x1f\x7f',
    *("true", "null", "NaN", '"a"', '"\\ud800"', "1e5", "1e999", "é"),
]
PIECES = st.lists(st.sampled_from([*SIGNS, "\ufeff", "[" * 300, "]" * 300, "//"]), max_size=12).map("".join)


def of_orjson(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        # mjconv names its own limit, and the mistake.
        if word := re.match("NaN|Infinity", error.doc[error.pos :]):
            return f"{word[0]} is not JSON", error.pos
        if "UTF-8" in error.msg:
            return "the text is not UTF-8", error.pos
        return limits.refusal("digits") if "infinity" in error.msg else error.msg, error.pos


def of_mjconv(data: bytes) -> Any:
    try:
        return jsontext.loads(data)
    except json.JSONDecodeError as error:
        return error.msg, error.pos


@given(PIECES)
@example('"\x00"')
@example("-0")
@example("01")
@example("1.")
@example("")
@example("[NaN]")
@example("-Infinity")
@example('{"a":1,"a":2}')
def test_any_text_is_read_alike(text: str) -> None:
    assert repr(of_mjconv(text.encode())) == repr(of_orjson(text.encode()))


@given(st.binary(max_size=8).map(lambda data: b'"' + data + b'"'))
def test_bytes_that_are_no_text_are_refused_alike(data: bytes) -> None:
    assert repr(of_mjconv(data)) == repr(of_orjson(data))


@given(VALUES)
def test_any_value_is_written_alike(value: Any) -> None:
    try:
        expected = orjson.dumps(value)
    except TypeError:
        expected = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    assert jsontext.dumps(value) == expected


@looped("number", 1e16, 1.5e-7, -1e300, 123456789012345680.0)
def test_exponents_are_written_as_orjson_writes_them(number: float) -> None:
    assert jsontext.dumps({"number": number}) == orjson.dumps({"number": number})


# Places in a JSON text: each object and array on the way to a value is searched once.
PLACED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text(max_size=2), inner, max_size=3),
    max_leaves=12,
)


def paths(value: Any) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths to a value and to all values in it, and some paths that lead nowhere."""
    yield ()
    yield ("nowhere",)
    yield (99, "nowhere")
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ((step, *path) for path in paths(inner))


@given(PLACED, st.sampled_from([None, 1]), st.booleans(), st.text(" \n\t", max_size=3))
def test_each_place_is_that_of_its_value(value: Any, indent: int | None, ascii_only: bool, before: str) -> None:
    text = before + json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    every = JsonPlaces(text)
    for path in paths(value):
        offset = JsonPlaces(text).offset(path)
        assert every.offset(path) == offset
        inner = value
        for step in path:
            inside = isinstance(inner, dict) and step in inner
            if not inside and not (isinstance(inner, list) and isinstance(step, int) and step < len(inner)):
                break
            inner = inner[step]
        found, _ = json.JSONDecoder().raw_decode(text, offset)
        assert found == inner


@pytest.mark.parametrize("asked", range(4))
@pytest.mark.parametrize(
    ("text", "path", "rest"),
    [
        # Of a key that is there twice, the last value is read.
        ('{"a":1,"b":2,"a":3}', ("a",), "3}"),
        ('{"\\u0061":[0, {"b" : 7}]}', ("a", 1, "b"), "7}]}"),
        ("[" * 5000 + "1" + "]" * 5000, (0,) * 4999, "[1" + "]" * 5000),
        ("[" + "9" * 5000 + ",1]", (1,), "1]"),
        # No JSON: the place of the innermost value on the way that is there.
        ('{"a":[1,}', ("a", 0), "1,}"),
        ('{"a":x,"b":1}', ("b",), "1}"),
        ('{"a":[x,{"c":y}],"b":1}', ("b",), "1}"),
        ('{"a":[1,[x]', ("a", 1, 0), "x]"),
        ('{"a":,"b":1}', ("b",), '{"a":,"b":1}'),
        # The value is missing: the place where it is missing.
        ('{"a":', ("a",), ""),
        ("", ("a",), ""),
    ],
)
def test_odd_texts_have_places_too(text: str, path: tuple[str | int, ...], rest: str, asked: int) -> None:
    places = JsonPlaces(text)
    for _ in range(asked):
        places.offset(path)
    assert text[places.offset(path) :] == rest


# A value that a record states twice: an edit of one of the two is found, at its place.


# A file of the corpus, the value that is edited, its new text, and a part of the finding.
@looped(
    ("name", "value", "edited", "finding"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]*hai=")17', r"\g<1>1", "hai and m of AGARI"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]* m=")3072,', r"\1", "hai and m of AGARI"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]*doraHai=")126', r"\g<1>1", "'1,105,11', but by the round it is '126,"),
    ("tenhou/hanchan.mjlog", '(<AGARI ba=")0', r"\g<1>3", "ba of AGARI is '3,0'"),
    ("tenhou/hanchan.mjlog", '(<AGARI [^>]*ten="50,8000),1', r"\1,2", "ten of AGARI is '50,8000,2'"),
    ("tenhou/hanchan.mjlog", '(<RYUUKYOKU ba="0,)0', r"\g<1>4", "ba of RYUUKYOKU is '0,4'"),
    ("tenhou/hanchan.mjlog", '(<RYUUKYOKU [^>]*hai0=")12', r"\g<1>0", "hai0 of RYUUKYOKU"),
    ("mjx/hanchan.json", r'("wins":\[{"who":2,[^[]*{"closedTiles":\[)19', r"\g<1>0", "player 2 differs"),
    ("mjx/hanchan.json", r'("opens":\[39538),3072\]},"winTile"', r'\1]},"winTile"', "player 2 differs"),
    ("mjx/hanchan.json", r'("currHand":{"closedTiles":\[)\d+,', r"\g<1>", "the hand of player 1 differs"),
    ("mjx/hanchan.json", r'("tenpais":\[{"hand":{"closedTiles":\[)12', r"\g<1>0", "the hand of player 0 differs"),
    ("mjx/hanchan.json", r'("finalScore":{"round":1,"tens":\[33000,21)0', r"\g<1>1", "tens of finalScore"),
    ("mjx/hanchan.json", r'("finalScore":{"round":)1', r"\g<1>2", "round of finalScore is 2"),
    ("mjx/hanchan.json", r'("doraIndicators":\[\d+)', r"\1,0", "doraIndicators differ from the events"),
    ("mjx/hanchan.json", r'("drawHistory":\[[\d,]+)', r"\1,0", "drawHistory has more tiles"),
    ("majiang/endings.json", r'("hule":{"l":2,"shoupai":"m)46', r"\g<1>45", "the hand is 'm45p11"),
    ("majiang/endings.json", r'("damanguan":)1', r"\g<1>2", "damanguan is 2, but hupai has 1 yakuman"),
    ("majiang/game.json", r'("pingju":[^]]*m888p3,z)222', r"\g<1>333", "the hand is 'm888p3,z333-"),
    ("majiang/game.json", r'("point":\["-3)5', r"\g<1>6", "the final points add up to -1"),
    ("majiang/game.json", r'("rank":\[)4,1', r"\g<1>1,4", "the ranks are [1, 4, 2, 3]"),
)
def test_the_second_statement_of_a_value_is_compared(name: str, value: str, edited: str, finding: str) -> None:
    text = (CORPUS / name).read_text()
    wrong, count = re.subn(value, edited, text, count=1)
    assert count == 1
    before = {found.message for found in mjconv.validate(text.encode(), file=name)}
    after = [each for each in mjconv.validate(wrong.encode(), file=name) if each.message not in before]
    [found] = [each for each in after if finding in each.message]
    assert (found.code, found.severity) == ("S010", "warning")
    place = re.search(value, text)
    assert found.place is not None
    assert place is not None
    assert found.place.line == text.count("\n", 0, place.end()) + 1
    assert abs(found.place.column - (place.end() - text.rfind("\n", 0, place.end()))) < 80
