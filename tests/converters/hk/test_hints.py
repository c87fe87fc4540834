"""Errors about lines that people write in another way show the right line."""

import pytest

import mjconv
from mjconv import InputError


def test_a_line_with_unusual_signs_is_shown_as_it_is_written() -> None:
    for line, right in (
        ("b=2", "B=2"),
        ("B: 2", "B=2"),
        ("m = 8", "M=8"),
        ("r HALF", "R=half"),
        ("2024/01/05", "2024-01-05"),
        ("2024.1.5", "2024-01-05"),
        ("2024年1月5日", "2024-01-05"),
        ("3,-,d,-", "3 - d -"),
        ("3; -; d; -", "3 - d -"),
        ("3 – — d", "3 - - d"),
        ("３ - - d", "3 - - d"),
    ):
        text = f"A B C D\n{line}\n- - - -\n"
        with pytest.raises(InputError, match="this is no line of scores; write ") as raised:
            mjconv.read(text.encode(), format="hk")
        assert raised.value.message.endswith(f"write {right}"), line
        assert raised.value.place is not None, line
        assert raised.value.place.line == 2, line
        assert mjconv.read(text.replace(line, right).encode(), format="hk"), line


def test_other_errors_show_the_right_spelling() -> None:
    for line, message in (
        ("3 0 0 d", "two players win, and at most one can; write - for all others"),
        ("05.01.2024", "'05.01.2024' is no date of scores: write the year first, as in 2024-01-31"),
        ("2024/13/45", "'2024/13/45' is no date, no declaration (B= M= R= S=), no names and no results"),
        ("3 - x d", "'x' is no result: digits, - d D S or f"),
    ):
        with pytest.raises(InputError) as raised:
            mjconv.read(f"A B C D\n{line}\n".encode(), format="hk")
        assert raised.value.message == message, line
