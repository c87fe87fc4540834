"""Findings list points in the order and the unit of the file, and show the right ones at their place."""

from __future__ import annotations

import pytest

import mjconv
from corpus_files import CORPUS

#: A file, a value, another one, and the message about it. Its place is that of the value.
CASES = [
    ("grammar/calls-0.jmjp", ",pfe[17.3", ",pfe[18.3", "the deltas (-6.7, 0.0, 7.7, 0.0) add up to 1.0"),
    (
        "grammar/calls-0.jmjp",
        "pme[-34.7",
        "pme[-33.7",
        "are (-33.7, -19.0, 49.7, 4.0), and should be (-34.7, -19.0,",
    ),
    (
        "tenhou/hanchan.mjlog",
        'ten="250,250,330,170"',
        'ten="250,250,330,180"',
        "(250, 250, 330, 180), and should be",
    ),
    ("majiang/endings.json", '"defen":[25000', '"defen":[24000', "the match begins with the scores (24000,"),
]


@pytest.mark.parametrize(("name", "value", "other", "message"), CASES)
def test_points_are_spelled_as_in_the_file(name: str, value: str, other: str, message: str) -> None:
    text = (CORPUS / name).read_text()
    assert value in text
    found = mjconv.validate(text.replace(value, other, 1).encode(), file=name)
    [place] = [each.place for each in found if message in each.message]
    assert place is not None
    assert place.line == text.count("\n", 0, text.index(value)) + 1
