"""The kit finds the fault of each format that is broken on purpose, and names the sample."""

import re
from collections.abc import Callable

import pytest

from conformance.broken import BREAKAGES, MAJIANG, MJAI, WAYS, Breakage, keeps_originals, wrapped
from conformance.marks import marks_of
from corpus_files import CORPUS
from mjconv.converters import formats
from mjconv.converters.interface import Format
from mjconv.testing.checks import check_format
from mjconv.testing.places import ANY


def broken(breakage: Breakage) -> str:
    form, _ = formats.find(breakage.form)
    path = CORPUS / breakage.sample
    marks = marks_of(form, path.read_bytes()) if breakage.marks else ANY
    views = {path: CORPUS / breakage.view} if breakage.view else {}
    with pytest.raises(AssertionError) as raised:
        check_format(WAYS[breakage.way](form), [path], marks, views)
    return str(raised.value)


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.name.replace(" ", "-"))
def test_what_is_broken_is_found(breakage: Breakage) -> None:
    found = broken(breakage)
    assert re.search(breakage.finds, found, re.DOTALL), found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "form", "sample"), [(wrapped, "majiang", MAJIANG), (keeps_originals, "mjai", MJAI)]
)
def test_a_right_format_passes(make: Callable[[Format], Format], form: str, sample: str) -> None:
    """The formats themselves are tested on all samples: here is what the broken ones are made of."""
    right, _ = formats.find(form)
    path = CORPUS / sample
    check_format(make(right), [path], marks_of(right, path.read_bytes()))
