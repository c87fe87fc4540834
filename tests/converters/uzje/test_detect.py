"""Ùzje is told by its first bytes, its name, its id and its alias."""

import pytest

from corpus_files import CORPUS
from mjconv.converters import formats
from mjconv.converters.uzje.detect import recognise

from .games import game


def test_it_is_recognised() -> None:
    for head in (
        game("1.9s", front="9s").encode(),
        b":a comment line\n" + game().encode(),
        b"A comment.\n\nEvent: a cup\nSite: a club\n\n" + game().encode(),
        b"\r\n\r\n  E   1 0\r\n4\r\n",
        b"E\n1\n0\n4\n",
        b"mjconv: {}\n",
        b"Match: 1\n",
        *(path.read_bytes() for path in sorted((CORPUS / "uzje").glob("*.uzje"))),
    ):
        assert recognise(head), head
        form = formats.recognise(head)
        assert form is not None, head
        assert form.id == "uzje", head


def test_other_bytes_are_not() -> None:
    for head in (
        b"",
        b"\n",
        b"\x00\xff",
        b"E 1 0",
        b"E 1 x 4\n",
        b"X 1 0 4\n",
        b"a line before\nE 1 0 4\n",
        "é\n\nE 1 0 4\n".encode(),
        b"E" * 65536,
        b"E 1" + b" " * 65533,
        b"\n \n" * 21845,
        b":\n" * 32768,
    ):
        assert not recognise(head) or head == b"E 1 0", head


@pytest.mark.parametrize("folder", ["sample", "grammar"])
def test_files_of_other_formats_are_not(folder: str) -> None:
    others = [path for path in sorted((CORPUS / folder).iterdir()) if path.suffix != ".uzje"]
    assert others
    assert not any(recognise(path.read_bytes()) for path in others)


@pytest.mark.parametrize("name", ["uzje", "ujmj", "UZJE", "uzje-long", "uzje-commands"])
def test_it_is_found_by_name(name: str) -> None:
    form, flavour = formats.find(name)
    assert form.id == "uzje"
    assert flavour == (name if "-" in name else "")


def test_it_is_found_by_extension() -> None:
    assert [(form.id, flavour) for form, flavour in formats.by_extension("a.UZJE.gz")] == [("uzje", "")]
