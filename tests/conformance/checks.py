"""What every format must do, checked on samples of it: one function for each promise, and one for all of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from conformance.notes import check_notes, check_shows
from conformance.originals import check_kept, check_originals, check_originals_alone
from conformance.places import ANY, Marks, check_places
from conformance.samples import Sample, from_files
from conformance.written import (
    check_all_claims,
    check_claims,
    check_corpus,
    check_text,
    check_trips,
    check_written,
    difference,
    read,
)
from mjconv.converters import flow, formats
from mjconv.converters.interface import HEAD, Format
from mjconv.ir.errors import MjconvError
from mjconv.ir.losses import Report

#: How many hostile inputs are made of one sample.
_HOSTILE = 60
#: How many bytes of a hostile input the message of a failure shows.
_SHOWN = 1000


def check_format(form: Format, samples: Sequence[Path], marks: Marks = ANY) -> None:
    """Check everything on every sample, which is a file with a right record.

    `marks` are what the text of each kind of event begins with. Raises `AssertionError` at the first promise that
    is broken, with the name of the promise and of the sample.
    """
    files = from_files(samples)
    assert files, "there is no sample"
    for sample in files:
        _promise(f"check_places, {sample.name}", check_places, form, sample, marks)
    _promise("each flavour is written", check_written, form, files)
    _promise("originals are kept", check_kept, form, files)
    for sample in files:
        for check in EACH:
            _promise(f"{check.__name__}, {sample.name}", check, form, sample)
    for whole in (check_all_claims, check_corpus):
        _promise(whole.__name__, whole, form)


def _promise(name: str, check: Callable[..., None], *given: object) -> None:
    """Run a check. Whatever it raises breaks the promise of this name."""
    try:
        check(*given)
    except Exception as error:
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        raise AssertionError(f"{name}: {type(error).__name__}: {error}{notes}") from error


def check_recognised(form: Format, sample: Sample) -> None:
    """Check that this format recognises the sample, and that no other does."""
    others = {other.id: other for other in (*formats.all_formats(), form)}
    found = [other.id for other in others.values() if other.recognise(sample.data[:HEAD])]
    assert found == [form.id], f"the sample is recognised by {', '.join(found) or 'no format'}"
    assert not form.recognise(b""), "an empty file is recognised"


def check_lenient(form: Format, sample: Sample) -> None:
    """Check that a lenient reading of a right record is that of a strict one, without a fault."""
    report = Report(lenient=True)
    lenient = flow.read_matches(form, sample.data, report)
    strict = read(form, sample.data)
    assert len(strict) == len(lenient), f"{len(strict)} matches, and {len(lenient)} leniently"
    for one, other in zip(strict, lenient, strict=True):
        assert one == other, f"a lenient reading is another: {difference(one, other)}"
    assert report.faults == [], f"a lenient reading has a fault: {report.faults[0].error}"


def check_hostile(form: Format, sample: Sample) -> None:
    """Check that changed bytes make an error of mjconv or a reading, and nothing else."""
    for change, text in _hostile(sample.data):
        try:
            _check_hostile_input(form, text)
        except Exception as error:
            error.add_note(f"the sample {change}: {text[:_SHOWN]!r}{'...' if len(text) > _SHOWN else ''}")
            raise


def _check_hostile_input(form: Format, text: bytes) -> None:
    for lenient in (False, True):
        try:
            for match, locate in flow.read(form, text, Report(lenient=lenient)):
                locate(len(match.rounds) - 1, 0, "")
        except MjconvError as error:
            if lenient:
                raise AssertionError(f"a lenient reading raises {error}") from error


def _hostile(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the data cut, doubled, and with bytes changed, the same each time; before each, how it was changed."""
    rng = random.Random(len(data))
    yield "made empty", b""
    yield "doubled", data + data
    for _ in range(_HOSTILE):
        at = rng.randrange(len(data) or 1)
        yield f"cut after byte {at}", data[:at]
        byte = rng.randrange(256)
        yield f"with byte {at} changed to {byte:#04x}", data[:at] + bytes([byte]) + data[at + 1 :]
        end = at + rng.randrange(1, 40)
        yield f"without its bytes {at} to {end - 1}", data[:at] + data[end:]


#: The checks of one sample, but for the places, which take the marks of the format.
EACH: tuple[Callable[[Format, Sample], None], ...] = (
    check_recognised,
    check_text,
    check_trips,
    check_lenient,
    check_claims,
    check_notes,
    check_shows,
    check_originals,
    check_originals_alone,
    check_hostile,
)
