"""A notebook shows a match as a table of rounds."""

from typing import Any

import pytest

import mjconv
from corpus_files import SAMPLE
from notebooks import executed


@pytest.fixture(scope="module")
def outputs() -> list[Any]:
    """Run the cells in a kernel, and return the output of each."""
    return [cell.outputs for cell in executed("import mjconv", f"mjconv.read({str(SAMPLE)!r})").cells]


def test_a_match_is_a_table_of_its_rounds(outputs: list[Any]) -> None:
    [shown] = outputs[1]
    assert shown.data["text/html"] == mjconv.read(SAMPLE)._repr_html_()
    assert shown.data["text/plain"].startswith("<Match: ")
