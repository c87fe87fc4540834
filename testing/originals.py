"""Check that originals come back byte for byte, and that no copy hides a broken renderer."""

from collections.abc import Sequence

from msgspec import structs

from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, WriteOptions
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.losses import ORIGINAL, Report
from mjconv.ir.match import Match, Original, Player
from mjconv.testing.samples import HANDMADE, Sample, without_original
from mjconv.testing.written import can_render, difference, first_byte, read


def check_originals(form: Format, sample: Sample) -> None:
    """Check the original of each match of a sample, if its reader keeps one.

    An unchanged match is written as its original, also after a way through the notes of each other format. A
    changed match is not, and one without notes is rendered: that is a named loss.
    """
    for match in read(form, sample.data):
        original = match.original
        if original is None:
            continue
        assert form.original, "the reader sets an original, and the format does not declare it"
        assert original.flavour == form.id, f"the original has the flavour {original.flavour}"
        [again] = read(form, original.data)
        assert again == match, f"the original reads as another match: {difference(again, match)}"
        kept = again.original.data if again.original else b""
        assert kept == original.data, f"the original is kept otherwise: {first_byte(kept, original.data)}"
        _check_written(form, match, original, "its own way back")
        for other in formats.all_formats():
            if can_render(other) and other.reads and other.notes and other.id != form.id:
                _check_way(form, match, original, other)
        _check_changed(form, match)


def check_kept(form: Format, samples: Sequence[Sample]) -> None:
    """Check that the reader of a format that declares to keep originals keeps that of a sample at least."""
    kept = [match.original for sample in samples for match in read(form, sample.data)]
    assert any(kept) or not form.original, "the format declares to keep originals, and no sample has one"


def _check_written(form: Format, match: Match, original: Original, way: str) -> None:
    text = hub.written(form, [match], Report(), WriteOptions())
    expected = original.data.removesuffix(b"\n")
    assert text.removesuffix(b"\n") == expected, f"{way} gives other bytes: {first_byte(text, expected)}"


def _check_way(form: Format, match: Match, original: Original, other: Format) -> None:
    """Check that an original comes back from the notes of another format, if that holds the match."""
    try:
        text = hub.written(other, [match], Report(), WriteOptions())
    except UnsupportedError:
        return
    [back] = read(other, text)
    assert back.original == original, f"the notes of {other.id} lose the original"
    _check_written(form, back, original, f"the way through {other.id}")


def _check_changed(form: Format, match: Match) -> None:
    """Check that a changed match is not written as its original, and that without notes none is."""
    renamed = [Player(), *match.players[1:]] if match.players else [Player()] * match.seats
    changed = structs.replace(match, players=renamed, rounds=match.rounds[:1])
    for tried, options in ((changed, WriteOptions()), (match, WriteOptions(plain=True))):
        report = Report()
        try:
            hub.written(form, [tried], report, options)
        except UnsupportedError:
            continue
        assert form.original != "only", "the format declares that it writes originals alone, and writes this"
        named = {(loss.what, loss.fate) for loss in report.losses}
        assert (ORIGINAL, "dropped") in named, f"an original is lost without a loss, in {options}"


def check_originals_alone(form: Format, sample: Sample) -> None:
    """Check that a format of originals alone refuses other matches, also its own without their originals."""
    if form.original != "only":
        return
    for match in (*map(without_original, read(form, sample.data)), *HANDMADE.values()):
        try:
            hub.written(form, [match], Report(), WriteOptions())
        except UnsupportedError as error:
            if form.called in error.message:
                continue
            raise AssertionError(f"the refusal does not name {form.called}: {error}") from error
        raise AssertionError("the format declares that it writes originals alone, and writes another match")
