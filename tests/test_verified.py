"""Every sample, converted to every format with and without notes, reads as its source but for the losses named."""

from contextlib import suppress
from functools import cache

import pytest

from corpus_files import CORPUS
from logs import logs
from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.files.reading import unpack
from mjconv.ir.errors import InputError, PlayError, UnsupportedError
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match
from mjconv.verification import verify
from trips import bare

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


@cache
def sources(original: bool) -> list[tuple[Format, list[Match], list[Match]]]:
    """Return the matches of each sample twice: to write, and to compare with, as no writer may change them."""

    def matches_of(form: Format, data: bytes) -> list[Match]:
        matches = hub.read_matches(form, data, Report())
        return matches if original else bare(matches)

    return [(form, matches_of(form, data), matches_of(form, data)) for form, data in samples()]


@pytest.mark.parametrize("target", TARGETS, ids=lambda form: form.id)
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
@pytest.mark.parametrize("original", [True, False], ids=["originals", "no originals"])
def test_each_sample_alone(target: Format, plain: bool, original: bool) -> None:
    verified = 0
    for form, source, same in sources(original):
        if not (original or form.original):
            # The matches of other formats are the same without originals.
            continue
        done: list[tuple[bytes, list[Loss]]] = []
        for lossy, fill in ((False, False), (True, False), (False, True)):
            report = Report()
            try:
                out = hub.written(target, source, report, WriteOptions(plain=plain, fill=fill, lossy=lossy))
            except (InputError, PlayError, UnsupportedError):
                continue
            # Most options change nothing.
            if (out, report.losses) not in done:
                assert verify(same, target, out, report.losses, plain=plain).matches == len(same)
                done.append((out, report.losses))
            verified += len(same)
    # All formats that keep originals are of riichi.
    assert verified >= (21 if original else 6 * target.holds.has("riichi"))


@pytest.mark.parametrize(
    ("target", "flavour", "other"),
    [(*each, place % 2 == 1) for place, each in enumerate(SEVERAL)],
    ids=[form.id for form, _ in SEVERAL],
)
@pytest.mark.parametrize("plain", [False, True], ids=["notes", "plain"])
def test_several_samples_in_one_file(target: Format, flavour: str, other: bool, plain: bool) -> None:
    """Formats in turn keep originals with notes, or without them. Each sample alone tries both in every format."""
    original = plain == other
    options = WriteOptions(flavour, plain=plain, lossy=True)
    kept: list[Match] = []
    wanted: list[Match] = []
    pairs = [pair for _, source, again in sources(original) for pair in zip(source, again, strict=True)]
    for match, same in pairs:
        if match.seats == 4 and 4 in target.holds.seats:
            with suppress(PlayError, UnsupportedError):
                # A match that continues the one before it needs a file of its own.
                hub.written(target, [*kept[-1:], match], Report(), options)
                kept.append(match)
                wanted.append(same)
    report = Report()
    out = hub.written(target, kept, report, options)
    assert verify(wanted, target, out, report.losses, plain=plain).matches == len(kept) > 10
