"""Every sample, converted to every format with and without notes, reads as its source but for the losses named."""

from itertools import product
from pathlib import Path

import pytest

from logs import logs
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.files.reading import unpack
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.verification import verify
from trips import bare

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parents[1] / "corpus"
#: Folders of inputs that readers refuse.
REFUSED = {"broken", "crashes"}
TARGETS = [form for form in formats.FORMATS if form.reads and form.writes]
#: The formats whose files hold several matches, each with the first flavour of such files.
SEVERAL = [
    (form, flavours[0])
    for form in TARGETS
    if (flavours := [each for each in ("", *form.flavours) if each not in form.files.one_match_a_file])
]


def samples() -> list[tuple[Format, bytes]]:
    files = [
        (form, unpack(path.read_bytes()))
        for path in sorted(CORPUS.rglob("*"))
        if path.is_file() and REFUSED.isdisjoint(path.parts)
        if (form := formats.of_file(path.name, unpack(path.read_bytes()))) is not None
    ]
    return files + [(formats.find("mjai")[0], log.data) for log in (*logs(4)[:2], *logs(3)[:1])]


def matches_of(form: Format, data: bytes, *, original: bool = True) -> list[Match]:
    matches = hub.read_matches(form, data, Report())
    return matches if original else bare(matches)


with_and_without_originals = pytest.mark.parametrize("original", [True, False], ids=["originals", "no originals"])


@pytest.mark.parametrize("target", TARGETS, ids=lambda form: form.id)
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
@with_and_without_originals
def test_each_sample_alone(target: Format, plain: bool, original: bool) -> None:
    verified = 0
    for (form, data), (lossy, fill) in product(samples(), [(False, False), (True, False), (False, True)]):
        if not (original or form.original):
            # The matches of other formats are the same without originals.
            continue
        report = Report()
        try:
            options = WriteOptions(plain=plain, fill=fill, lossy=lossy)
            out = hub.written(target, matches_of(form, data, original=original), report, options)
        except (InputError, PlayError, UnsupportedError):
            continue
        verified += verify(
            matches_of(form, data, original=original), target, out, report.losses, plain=plain
        ).matches
    # All formats that keep originals are of riichi.
    assert verified >= (21 if original else 6 * target.holds.has("riichi"))


@pytest.mark.parametrize(("target", "flavour"), SEVERAL, ids=[form.id for form, _ in SEVERAL])
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
@with_and_without_originals
def test_several_samples_in_one_file(target: Format, flavour: str, plain: bool, original: bool) -> None:
    def read() -> list[Match]:
        games = [match for form, data in samples() for match in matches_of(form, data, original=original)]
        return [match for match in games if match.seats in target.holds.seats and match.seats == 4]

    options = WriteOptions(flavour, plain=plain, lossy=True)
    kept = []
    for index, match in enumerate(read()):
        try:
            hub.written(target, [match], Report(), options)
        except (PlayError, UnsupportedError):
            continue
        kept.append(index)
    report = Report()
    every = read()
    out = hub.written(target, [every[index] for index in kept], report, options)
    every = read()
    done = verify((every[index] for index in kept), target, out, report.losses, plain=plain)
    assert done.matches == len(kept) > 10
