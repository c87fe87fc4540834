"""Readers may leave out the values of extras where nobody needs them: all else is the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import mjconv
from corpus_files import CORPUS
from logs import FOLDER
from mjconv.converters import flow, formats
from mjconv.converters.majsoul.extras import KEY
from mjconv.ir import limits
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

PLATFORMS = ("majsoul", "riichicity", "majiang", "mjx")
NUMBER = re.compile(rb"[0-9]+")
TENHOU = ("mjlog", "xml", "json")
SAMPLES = [path for name in (*PLATFORMS, "tenhou") for path in sorted((CORPUS / name).iterdir())]
if FOLDER:
    SAMPLES += [path for name in PLATFORMS for path in sorted((Path(FOLDER) / name).iterdir())]
    # Every eighth file is enough here.
    SAMPLES += [path for name in TENHOU for path in sorted((Path(FOLDER) / "tenhou" / name).iterdir())[::8]]


def form_of(path: Path) -> str:
    """Return the format of a sample, by its folder."""
    return "tenhou" if path.parent.name in TENHOU else path.parent.name


def read(path: Path, *, extras: bool, data: bytes | None = None) -> tuple[list[Match], Report]:
    report = Report(lenient=True, extras=extras)
    return flow.read_matches(formats.find(form_of(path))[0], data or path.read_bytes(), report), report


def without_values(match: Match) -> Match:
    """Return a match whose extras only state the formats that they have."""
    rounds = [structs.replace(one, extras=dict.fromkeys(one.extras)) for one in match.rounds]
    return structs.replace(match, rounds=rounds, extras=dict.fromkeys(match.extras))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_without_the_values_of_extras_all_else_is_the_same(path: Path) -> None:
    assert_same(path)


@given(st.sampled_from([path for path in SAMPLES if path.is_relative_to(CORPUS)]), st.data())
def test_wrong_numbers_are_found_without_extras_too(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes()
    found = data.draw(st.sampled_from(list(NUMBER.finditer(text))))
    other = data.draw(st.sampled_from([b"0", b"1", b"2", b"3", b"5", b"11", b"35", b"129", b"99999"]))
    assert_same(path, text[: found.start()] + other + text[found.end() :])


def assert_same(path: Path, data: bytes | None = None) -> None:
    full, report = read(path, extras=True, data=data)
    short, other = read(path, extras=False, data=data)
    assert list(map(without_values, short)) == list(map(without_values, full))
    assert (other.warnings, other.losses) == (report.warnings, report.losses)
    assert list(map(str, other.faults)) == list(map(str, report.faults))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_plain_conversion_names_the_extras_that_it_loses(path: Path) -> None:
    matches, _ = read(path, extras=True)
    losses = mjconv.convert(path.read_bytes(), source=form_of(path), target="mjai", plain=True).losses
    lost = {(loss.match, loss.round) for loss in losses if loss.what == "round.extras"}
    having = {
        (at, place) for at, match in enumerate(matches) for place, one in enumerate(match.rounds) if one.extras
    }
    assert lost == having
    assert {loss.match for loss in losses if loss.what == "match.extras"} == {
        at for at, match in enumerate(matches) if match.extras
    }


def test_the_extras_of_the_target_are_read_in_full() -> None:
    data = (CORPUS / "majsoul/client.json").read_bytes()
    plain = mjconv.convert(data, source="majsoul", target="majsoul", plain=True).data
    [match] = flow.read_matches(formats.find("majsoul")[0], plain, Report())
    assert match.rounds[0].extras[KEY]["records"]


def test_the_limit_of_nesting_holds_without_extras() -> None:
    deep = b'{"more":' * 12 + b"[1]" + b"}" * 12
    data = (CORPUS / "majsoul/four.json").read_bytes().replace(b'"data":{', b'"data":{"new":%b,' % deep)
    for nesting, refused in ((200, False), (17, True)):
        for plain in (True, False):
            with limits.using(limits.Limits(nesting=nesting)):
                if refused:
                    with pytest.raises(limits.LimitError, match="nested more than"):
                        mjconv.convert(data, source="majsoul", target="mjai", plain=plain)
                else:
                    assert mjconv.convert(data, source="majsoul", target="mjai", plain=plain).losses
