"""Every sample, converted to every format with and without notes, reads as its source but for the losses named."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from logs import logs
from mjconv.converters import flow, formats
from mjconv.converters.interface import Format, WriteOptions
from mjconv.files import unpack
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.verification import verify

CORPUS = Path(__file__).parents[1] / "corpus"
#: Folders of inputs that readers refuse.
REFUSED = {"broken", "crashes"}
TARGETS = [form for form in formats.FORMATS if form.reads and form.writes]


def samples() -> list[tuple[Format, bytes]]:
    files = [
        (form, unpack(path.read_bytes()))
        for path in sorted(CORPUS.rglob("*"))
        if path.is_file() and REFUSED.isdisjoint(path.parts)
        for form, _ in formats.by_extension(path.name, reading=True)[:1]
    ]
    return files + [(formats.find("mjai")[0], log.data) for log in (*logs(4)[:2], *logs(3)[:1])]


def matches_of(form: Format, data: bytes) -> list[Match]:
    return flow.read_matches(form, data, Report())


@pytest.mark.parametrize("target", TARGETS, ids=lambda form: form.id)
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
def test_each_sample_alone(target: Format, plain: bool) -> None:
    verified = 0
    for (form, data), (lossy, fill) in product(samples(), [(False, False), (True, False), (False, True)]):
        report = Report()
        try:
            options = WriteOptions(plain=plain, fill=fill, lossy=lossy)
            out = flow.written(target, matches_of(form, data), report, options)
        except (InputError, PlayError, UnsupportedError):
            continue
        verified += verify(matches_of(form, data), target, out, report.losses, plain=plain).matches
    assert verified > 20


@pytest.mark.parametrize("target", TARGETS, ids=lambda form: form.id)
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
def test_several_samples_in_one_file(target: Format, plain: bool) -> None:
    def read() -> list[Match]:
        games = [match for form, data in samples() for match in matches_of(form, data)]
        return [match for match in games if match.seats in target.seats and match.seats == 4]

    options = WriteOptions(flavour_of_several(target), plain=plain, lossy=True)
    kept = []
    for index, match in enumerate(read()):
        try:
            flow.written(target, [match], Report(), options)
        except (PlayError, UnsupportedError):
            continue
        kept.append(index)
    report = Report()
    every = read()
    out = flow.written(target, [every[index] for index in kept], report, options)
    every = read()
    done = verify((every[index] for index in kept), target, out, report.losses, plain=plain)
    assert done.matches == len(kept) > 10


def flavour_of_several(target: Format) -> str:
    """Return the first flavour of a format whose files hold several matches."""
    game = formats.find("mjai")[0], logs(4)[0].data
    for flavour in ("", *target.flavours):
        try:
            flow.written(target, matches_of(*game) * 2, Report(), WriteOptions(flavour))
        except UnsupportedError:
            continue
        return flavour
    raise AssertionError(f"no flavour of {target.id} holds several matches")
