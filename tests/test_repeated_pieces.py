"""Time grows linearly with the length of a record: pieces of records are repeated, in every reader."""

import gc
import random
import re
from collections.abc import Iterator
from functools import cache
from time import process_time
from typing import Final

import pytest

from corpus_files import CORPUS, SAMPLE
from mjconv.converters import formats, hub
from mjconv.converters.interface import WriteOptions
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from trips import read

#: The bytes of the repeated pieces, short and long.
SHORT: Final = 25_000
LONG: Final = 100_000
#: Linear time is four times as long. Less than `NO_TIME` seconds of processor time are not compared.
TIMES: Final = 6
NO_TIME: Final = 0.08
#: The shortest of so many measurements counts: other processes only make a measurement longer.
ATTEMPTS: Final = 8
#: The generated pieces of each reader.
PIECES: Final = 40

TOKEN: Final = re.compile(rb"[A-Za-z0-9%]+|\s+|[^A-Za-z0-9\s]")
READERS: Final = [name for form in formats.FORMATS if form.reads for name in (form.id, *form.flavours)]
#: For readers, texts of samples before which a piece is repeated, and that piece.
KNOWN: Final = {
    "tenhou": [
        *(("<T", piece) for piece in ("<!--", "<!-- -->", "-->")),
        *(("</mjl", piece) for piece in (" ", "</T1>")),
        (' ver="', " x"),
    ],
    "tenhou-json": [('"log"', '"a":1,'), ("[[[", "["), ('{"title"', '{"log":[]}\n'), ('{"v":4', "{},")],
    "tenhou-url": [
        *(("%7D\n", piece) for piece in (" ", "&ts=1", "%")),
        (")%22%5D", ")%22,%22x"),
        ("%5B%5B%5B", "%41"),
    ],
    "jmjp": [("(n,", "(n,7m,7m)//"), ("\n", "//"), ("frm[", "//@mjconv \n"), ("frm[", "(")],
    "uzje": [("\n", " "), ("\n", "("), ("\n", "mjconv: ")],
    "hk": [("\n", " "), ("\n", "#"), ("\n", "#@mjconv ")],
}


@cache
def sample(name: str) -> bytes:
    """Return a record of a format or flavour, with notes if it has a place for them."""
    form, flavour = formats.find(name)
    folder = CORPUS / ("sample" if name == "jmjp" else form.id)
    if not form.writes or name == "hk" or not form.holds.has("riichi"):
        return min(folder.glob(f"*{next(iter(form.files.extensions))}")).read_bytes()
    game = read(SAMPLE.read_bytes(), "mjai").matches
    return hub.written(form, game, Report(), WriteOptions(flavour))


def generated(name: str) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of a sample of different forms, from one to nine tokens, each with its offset."""
    data = sample(name)
    tokens = [token.span() for token in TOKEN.finditer(data)]
    found: dict[bytes, tuple[int, bytes]] = {}
    for width in (1, 2, 3, 5, 9):
        for first, last in zip(tokens, tokens[width - 1 :], strict=False):
            piece = data[first[0] : last[1]]
            found.setdefault(re.sub(rb"[0-9]+", b"0", re.sub(rb"[a-z]+", b"a", piece)), (first[0], piece))
    yield from random.Random(7).sample(list(found.values()), min(PIECES, len(found)))


def seconds(name: str, data: bytes) -> float:
    """Return the processor time of reading a file leniently, with the place of every event."""
    form = formats.find(name)[0]
    gc.disable()
    begin = process_time()
    try:
        for reading in form.read(data, Report(lenient=True)):
            for index, game_round in enumerate(reading.match.rounds):
                for event in range(len(game_round.events)):
                    reading.locate(index, event, "pai")
    except MjconvError:
        pass
    finally:
        gc.enable()
    return process_time() - begin


def grows_linearly(name: str, at: int, piece: bytes) -> bool:
    """Return whether reading a sample with a repeated piece takes time that grows with its length."""

    def repeated(size: int) -> bytes:
        data = sample(name)
        return data[:at] + piece * (size // len(piece)) + data[at:]

    short = long = float("inf")
    for _ in range(ATTEMPTS):
        long = min(long, seconds(name, repeated(LONG)))
        if long <= NO_TIME:
            return True
        short = min(short, seconds(name, repeated(SHORT)))
        if long <= TIMES * short:
            return True
    return False


@pytest.mark.parametrize(
    ("name", "before", "piece"), [(name, *one) for name, pieces in KNOWN.items() for one in pieces]
)
def test_a_piece_that_was_slow_is_read_in_linear_time(name: str, before: str, piece: str) -> None:
    assert grows_linearly(name, sample(name).index(before.encode()), piece.encode())


@pytest.mark.parametrize("name", READERS)
def test_each_repeated_piece_of_a_record_is_read_in_linear_time(name: str) -> None:
    assert [piece for at, piece in generated(name) if not grows_linearly(name, at, piece)] == []
