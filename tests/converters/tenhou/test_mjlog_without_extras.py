"""Mjlog read for a target that cannot hold its extras: the extras state only whether there are values."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from corpus_files import CORPUS
from mjconv.converters import flow, formats
from mjconv.converters.tenhou.extras import KEY
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

FORM = formats.find("tenhou")[0]
HANCHAN = (CORPUS / "tenhou" / "hanchan.mjlog").read_text(encoding="utf-8").rstrip()
HEAD, *ROUNDS = re.split("(?=<INIT)", HANCHAN.removesuffix("</mjloggm>"))
ELEMENT = re.compile("<[^<]*>")


def read(text: str, *, extras: bool, walls: bool = True) -> tuple[list[Match], Report]:
    report = Report(lenient=True, extras=extras, walls=walls)
    return flow.read_matches(FORM, text.encode(), report), report


def stated(matches: list[Match]) -> list[Match]:
    """Return matches whose extras state only the formats that they have."""
    return [
        structs.replace(
            match,
            extras=dict.fromkeys(match.extras),
            rounds=[structs.replace(one, extras=dict.fromkeys(one.extras)) for one in match.rounds],
        )
        for match in matches
    ]


def assert_same(text: str) -> list[Match]:
    """Check that only the values of extras depend on `extras`. Return the matches with short extras."""
    for walls in (False, True):
        full, report = read(text, extras=True, walls=walls)
        short, other = read(text, extras=False, walls=walls)
        assert stated(short) == stated(full)
        assert other.warnings == report.warnings
        assert list(map(str, other.faults)) == list(map(str, report.faults))
    return short


def test_the_extras_of_a_round_have_no_values() -> None:
    [match] = assert_same(HANCHAN)
    assert all(one.extras in ({}, {KEY: {}}) for one in match.rounds)
    assert any(one.extras for one in match.rounds)


def test_a_round_without_values_has_no_extras() -> None:
    # The deal, a draw and its discard at once: a seed determines the tiles, so no copy is stated.
    begin = next(re.match("<INIT[^<]*><([T-W])([0-9]+)/>", one) for one in ROUNDS)
    assert begin is not None
    thrown = f"<{'DEFG'['TUVW'.index(begin[1])]}{begin[2]}/>"
    [match] = assert_same(f"{HEAD}{begin[0]}{thrown}</mjloggm>")
    assert match.rounds[0].extras == {}
    assert match.rounds[0].select(ev.Discard)[0].tsumogiri is True


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("<AGARI ", '<AGARI new="1" '),
        lambda text: text.replace("<N ", '<N new="1" '),
        lambda text: text.replace("<INIT ", '<INIT new="1" '),
        lambda text: re.sub("<REACH ([^<]*)/>", r'<REACH \1 new="1"/>', text),
        lambda text: re.sub("<([D-G])([0-9]+)/>", r"<\1\2 />", text),
        lambda text: re.sub("<([T-W])([0-9]+)/>", r'<\1\2 new="1"/>', text),
        lambda text: re.sub('yaku="[^"]*"', 'yaku="1"', text, count=1),
        lambda text: text.replace("mt19937ar", "unknown"),
        lambda text: re.sub('SHUFFLE seed="[^"]*"', 'SHUFFLE seed=""', text),
        lambda text: re.sub('<AGARI ba="([0-9]*),', r'<AGARI ba="9\1,', text),
        lambda text: text.replace('step="1"', 'step="3"'),
    ],
)
def test_warnings_and_faults_are_the_same(edit: Callable[[str], str]) -> None:
    assert edit(HANCHAN) != HANCHAN
    assert_same(edit(HANCHAN))


@given(st.data())
def test_elements_in_any_order_are_read_alike(data: st.DataObject) -> None:
    elements = ELEMENT.findall(data.draw(st.sampled_from(ROUNDS)))
    places = st.integers(1, len(elements) - 1)
    for _ in range(data.draw(st.integers(1, 3))):
        at, to = data.draw(places), data.draw(places)
        elements[at], elements[to] = elements[to], elements[data.draw(st.sampled_from([at, to]))]
    assert_same(f"{HEAD}{''.join(elements)}</mjloggm>")
