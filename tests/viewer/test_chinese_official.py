"""Hands of Chinese Official in the viewer: names of fan, flowers, and claims that were overridden."""

from __future__ import annotations

import pytest

import mjconv
from corpus_files import CORPUS
from mjconv.ir.mcr_fan import FAN
from mjconv.viewer.text import text_lines
from mjconv.viewer.words import texts


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("botzone/hands.botzone", "# East: also claimed chi 5p"),
        (
            "botzone/hands.botzone",
            "Pure Straight 16, Concealed Hand 2, One Voided Suit 1, No Honors 1, Single Wait 1",
        ),
        ("botzone/flowers.txt", "North sets flower 2 aside."),
        (
            "pmn/drawn.pmn",
            "Pure Straight 16, Fully Concealed Hand 4, One Voided Suit 1, No Honors 1, Single Wait 1",
        ),
    ],
)
def test_the_text_shows(file: str, line: str) -> None:
    match = next(mjconv.iter_matches(CORPUS / file))
    assert line in "\n".join(text_lines([match]))


def test_each_fan_has_names() -> None:
    names = {name: (fan.english, fan.japanese, fan.traditional) for name, fan in FAN.items()}
    assert names == {name: texts()[f"yaku.{name}"] for name in FAN}
