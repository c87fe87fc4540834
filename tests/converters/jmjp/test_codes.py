import pytest

from mjconv.converters.jmjp.spelling import CODES


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_field_and_a_meaning_in_a_script(code: str) -> None:
    assert CODES[code].fields
    assert CODES[code].native or CODES[code].roman
