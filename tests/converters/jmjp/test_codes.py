from __future__ import annotations

import pytest

from mjconv.converters.jmjp.spelling import CODES, display
from mjconv.ir.match import Text


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_meaning_to_show_in_either_script(code: str) -> None:
    for roman in (False, True):
        assert display(Text(code=code), roman=roman) in (CODES[code].native, CODES[code].roman)
    assert display(Text(code=code)) == (CODES[code].native or CODES[code].roman)


def test_a_text_shows_the_script_that_was_asked_for_or_the_one_it_has() -> None:
    both, roman = Text("石橋", "Ishibashi"), Text(roman="Ishibashi")
    assert (display(both), display(both, roman=True)) == ("石橋", "Ishibashi")
    assert (display(roman), display(Text("石橋"), roman=True)) == ("Ishibashi", "石橋")


def test_a_code_that_is_not_known_shows_itself_and_an_empty_text_nothing() -> None:
    assert (display(Text(code="jpml")), display(Text())) == ("jpml", "")
