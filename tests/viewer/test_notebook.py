"""A notebook shows a match as a table of rounds, and its view as the page in a sandboxed frame."""

import html
import re
from typing import Any

import pytest

import mjconv
from corpus_files import CORPUS
from notebooks import executed

GAME = CORPUS / "sample" / "game.mjson"
CELLS = ("import mjconv", f"match = mjconv.read({str(GAME)!r})\nmatch", "mjconv.view(match, round='E2-0', step=5)")


@pytest.fixture(scope="module")
def outputs() -> list[Any]:
    """Run the cells in a kernel, and return the output of each."""
    return [cell.outputs for cell in executed(*CELLS).cells]


def test_a_match_is_a_table_of_its_rounds(outputs: list[Any]) -> None:
    [shown] = outputs[1]
    assert shown.data["text/html"] == mjconv.read(GAME)._repr_html_()
    assert shown.data["text/plain"].startswith("<Match: ")


def test_a_view_is_the_page_in_a_sandboxed_frame(outputs: list[Any]) -> None:
    [shown] = outputs[2]
    [(sandbox, page)] = re.findall(r'sandbox="([^"]*)" srcdoc="([^"]*)"', shown.data["text/html"])
    assert sandbox == "allow-scripts allow-downloads"
    assert html.unescape(page) == mjconv.view(mjconv.read(GAME), round="E2-0", step=5).html
