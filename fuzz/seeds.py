"""Correct records to start from: the corpus, games of an engine and real logs, each in every format."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from typing import Any, Final

from mjconv.converters import formats, hub
from mjconv.converters.interface import HEAD, Format, WriteOptions
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

#: The environment variable that names the folder of real logs.
REAL_LOGS: Final = "MJCONV_REAL_LOGS"
#: The length limit of a record, in bytes. Longer records only take more time.
MOST_BYTES: Final = 40_000
#: The rounds of a record, the records of a match, and the number of real logs.
_ROUNDS: Final = 2
_RECORDS: Final = 3
_LOGS: Final = 24
#: The number of hands of Chinese Official that are played.
_HANDS: Final = 18
_ROOT: Final = Path(__file__).parents[1]
_DEALS: Final = ("triplets", "orphans", "river", "close", "waits", "winds", "fair")


@cache
def records(name: str) -> tuple[bytes, ...]:
    """Return correct records for the reader of a format, short ones first."""
    form, _ = formats.find(name)
    found = {data for data in _corpus(form) if len(data) <= MOST_BYTES}
    for matches in _games():
        for flavour in ("", *form.flavours):
            for plain in (False, True):
                found.update(_written(matches, form, WriteOptions(flavour, plain, lossy=True)))
    return tuple(sorted((data for data in found if len(data) <= MOST_BYTES), key=lambda data: (len(data), data)))


def _corpus(form: Format) -> Iterator[bytes]:
    for path in sorted((_ROOT / "corpus").rglob("*")):
        if path.suffix in form.files.extensions and path.is_file():
            data = path.read_bytes()
            if path.suffix not in form.files.shared or form.recognise(data[:HEAD]):
                yield data


def _written(matches: list[Match], form: Format, options: WriteOptions) -> Iterator[bytes]:
    try:
        yield hub.written(form, matches, Report(), options)
    except MjconvError:
        return


@cache
def _games() -> tuple[list[Match], ...]:
    """Return records of one or two rounds, read from all sources."""
    return tuple(
        record
        for form, data in (*_right_corpus(), *_hands(), *_played(), *_logs())
        for record in _cut(_read(form, data))
    )


def _right_corpus() -> Iterator[tuple[Format, bytes]]:
    for form in formats.FORMATS:
        for data in _corpus(form):
            yield form, data


def _read(form: Format, data: bytes) -> list[Match]:
    try:
        return hub.read_matches(form, data, Report())
    except MjconvError:
        return []


def _cut(matches: Iterable[Match]) -> Iterator[list[Match]]:
    """Cut matches into records of few rounds."""
    for match in islice(matches, _RECORDS):
        rounds = match.rounds
        for begin in range(0, min(len(rounds), _RECORDS * _ROUNDS), _ROUNDS):
            part = Match(
                players=match.players,
                rounds=rounds[begin : begin + _ROUNDS],
                opening=match.opening,
                closing=match.closing,
                rules=match.rules,
                annotations=tuple(one for one in match.annotations if one.index <= _ROUNDS),
                extras=match.extras,
                # Of a part of a match, the record would be another.
                original=match.original if len(rounds) <= _ROUNDS else None,
            )
            yield [part]


def _hands() -> Iterator[tuple[Format, bytes]]:
    """Play hands of Chinese Official as the tests do."""
    made = _of_tests("mcr_made")
    botzone, _ = formats.find("botzone")
    for seed in range(_HANDS):
        hand = made.hand(seed, oya=seed % 3, ready=seed % 4 if seed % 5 else None, flowers=seed % 7 == 1)
        yield botzone, hub.written(botzone, [made.match_of(hand)], Report(), WriteOptions())


def _of_tests(name: str) -> Any:
    """Import a module of the tests, which are not installed."""
    where = spec_from_file_location(name, _ROOT / "tests" / f"{name}.py")
    if where is None or where.loader is None:
        raise ImportError(name)
    if name not in sys.modules:
        sys.modules[name] = module_from_spec(where)
        where.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def _played() -> Iterator[tuple[Format, bytes]]:
    """Play rounds on the engine of the tests, if it is installed."""
    if find_spec("riichienv") is None:
        return
    engine = _of_tests("engine")
    mjai, _ = formats.find("mjai")
    for seed, deal in enumerate(_DEALS):
        yield mjai, engine.play(seed, length="round", deal=deal)
    yield mjai, engine.play(1, length="east", players=3)


def _logs() -> Iterator[tuple[Format, bytes]]:
    folder = os.environ.get(REAL_LOGS)
    if not folder:
        return
    mjai, _ = formats.find("mjai")
    paths = [path for path in sorted(Path(folder).rglob("*")) if path.suffix in mjai.files.extensions]
    for path in paths[:: -(-len(paths) // _LOGS) or 1]:
        yield mjai, path.read_bytes()
