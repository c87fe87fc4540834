"""Whatever the bytes, reading ends in matches or in an error with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_files import CORPUS
from mjconv.ir.errors import InputError
from mjconv.ir.match import Match
from trips import read, write

TEXTS = [path.read_text("ascii") for path in sorted((CORPUS / "uzje").glob("*.uzje"))]
WORDS = [
    *"ESWNHVCFPZhr?",
    "1.5m",
    "2.SP,5m",
    "3.?,KN,E",
    "Ed1m",
    "S-",
    "(a)",
    "[",
    ":",
    "\n\n",
    "\n",
    "Match:",
    "5m",
]


@st.composite
def edited(draw: st.DrawFn) -> bytes:
    words = draw(st.sampled_from(TEXTS)).replace("\n", " \n ").split(" ")
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(words) - 1))
        kept = draw(st.integers(0, 1))
        words[place : place + draw(st.integers(0, 2))] = [draw(st.sampled_from(WORDS))] * kept
    return " ".join(words).encode()


def outcome(data: bytes) -> tuple[list[Match], InputError | None]:
    try:
        return read(data, "uzje").matches, None
    except InputError as error:
        return [], error


@given(data=edited())
def test_an_edited_file_is_read_or_refused_with_its_place(data: bytes) -> None:
    matches, error = outcome(data)
    assert error is None or error.place is not None
    for flavour in ("uzje", "uzje-long", "uzje-commands"):
        if matches:
            assert read(write(matches, flavour).data, "uzje").matches == matches


@given(data=st.binary(max_size=60) | st.text(alphabet="E 104\n:.5m(K?,S{}\t-", max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    _, error = outcome(data)
    assert error is None or error.message


@pytest.mark.parametrize(
    "data",
    [
        b"E 1 0 4 " * 20_000,
        b"E 1 0 4\n" + b"1t " * 100_000,
        b"E 1 0 4\n" + b"1." * 100_000,
        b"E 1 0 4\n" + b"(" * 100_000,
        b"E 1 0 4\n1." + b"c" * 100_000,
        b"A:\n" * 50_000 + b"\n",
        b":\n" * 50_000 + b"E 1 0 4\n",
        b"\n \n" * 50_000,
        b'mjconv: {"round":' + b"[" * 100_000,
        b"mjconv: " + b'{"a":' * 50_000,
        b"E 1 0 4\n\n" * 3_000,
    ],
)
def test_long_files_end_soon(data: bytes) -> None:
    _, error = outcome(data)
    assert error is None or len(str(error)) < 5_000
