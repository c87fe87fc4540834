"""What every format must do, checked on samples of it: one function for each promise, and one for all of them."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import mjconv
from mjconv.converters import formats, hub
from mjconv.converters.formats import FORMATS
from mjconv.converters.interface import HEAD, Format, WriteOptions
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mjconv.testing.damage import check_after_faults, check_broken_off, check_faults, check_numbers
from mjconv.testing.json_types import Path as JsonPath
from mjconv.testing.json_types import retyped
from mjconv.testing.notes import check_notes, check_shows
from mjconv.testing.originals import check_kept, check_originals, check_originals_alone
from mjconv.testing.places import ANY, Marks, check_places
from mjconv.testing.samples import Sample, from_files, samples_of, without_original
from mjconv.testing.written import (
    can_render,
    check_all_claims,
    check_claims,
    check_corpus,
    check_text,
    check_trips,
    check_written,
    difference,
    read,
    ways,
    write,
)
from mjconv.verification import verify

#: How many hostile inputs are made of one sample.
_HOSTILE = 20
#: How many bytes of a hostile input the message of a failure shows.
_SHOWN = 1000
#: Texts that are a record of no format.
_TEXTS = {
    "an empty file": b"",
    "an empty object": b"{}",
    "an object": b'{"name":"a","title":"b","version":1,"data":[{"id":1}]}',
    "an empty list": b"[]\n",
    "a list": b'[{"id":1,"name":"a"},[1,2]]',
    "lines of JSON": b'{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n',
    "a table": b"a\tb\tc\td\n1\t2\t3\t4\n",
    "a list of commas": b"a,b,c,d\n1,2,3,4\n",
    "prose": b"This is a letter.\n\nIt has 2 paragraphs (and a bracket).\n",
    "a web page": b"<!DOCTYPE html>\n<html><head><title>a</title></head></html>\n",
    "XML": b'<?xml version="1.0"?>\n<a><b c="1"/></a>\n',
}


def check_format(
    form: Format, samples: Sequence[Path], marks: Marks = ANY, views: Mapping[Path, Path] | None = None
) -> None:
    """Check everything on every sample, which is a file with a right record.

    `marks` are what the text of each kind of event begins with. `views` maps samples to files of another format
    with the same game. Raises `AssertionError` at the first promise that is broken, with the name of the promise
    and of the sample.
    """
    files = from_files(samples)
    assert files, "there is no sample"
    for sample in files:
        _promise(f"check_places, {sample.name}", check_places, form, sample, marks)
        for damage in DAMAGED:
            _promise(f"{damage.__name__}, {sample.name}", damage, form, sample)
    _promise("each flavour is written", check_written, form, files)
    _promise("originals are kept", check_kept, form, files)
    for path, view in (views or {}).items():
        [sample] = from_files([path])
        _promise(f"check_view, {path.name}", check_view, form, sample, view)
    for sample in files:
        for check in EACH:
            _promise(f"{check.__name__}, {sample.name}", check, form, sample)
    for whole in (check_recogniser, check_all_claims, check_corpus):
        _promise(whole.__name__, whole, form)
    # They take the longest.
    for sample in files:
        for check in (check_hostile, check_types):
            _promise(f"{check.__name__}, {sample.name}", check, form, sample)


def _promise(name: str, check: Callable[..., None], *given: object) -> None:
    """Run a check. Whatever it raises breaks the promise of this name."""
    try:
        check(*given)
    except Exception as error:
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        raise AssertionError(f"{name}: {type(error).__name__}: {error}{notes}") from error


def check_recognised(form: Format, sample: Sample) -> None:
    """Check that this format alone recognises the sample, and recognises no common text."""
    others = {other.id: other for other in (*formats.all_formats(), form)}
    found = [other.id for other in others.values() if other.recognise(sample.data[:HEAD])]
    assert found == [form.id], f"the sample is recognised by {', '.join(found) or 'no format'}"
    for name, text in _TEXTS.items():
        assert not form.recognise(text), f"{name} is recognised"


def check_recogniser(form: Format) -> None:
    """Check that a format recognises no sample of another format."""
    for other in FORMATS:
        for sample in samples_of(other) if other.id != form.id else ():
            assert not form.recognise(sample.data[:HEAD]), f"{sample.name} is recognised"


def check_lenient(form: Format, sample: Sample) -> None:
    """Check that a lenient reading of a right record is that of a strict one, without a fault."""
    report = Report(lenient=True)
    lenient = hub.read_matches(form, sample.data, report)
    strict = read(form, sample.data)
    assert len(strict) == len(lenient), f"{len(strict)} matches, and {len(lenient)} leniently"
    for one, other in zip(strict, lenient, strict=True):
        assert one == other, f"a lenient reading is another: {difference(one, other)}"
    assert report.faults == [], f"a lenient reading has a fault: {report.faults[0].error}"


def check_referee(form: Format, sample: Sample) -> None:
    """Check that the referee finds no error in a right record, nor in what is written of it."""
    for match in map(without_original, read(form, sample.data)):
        _check_right(match, "the sample")
        for options in ways(form) if can_render(form) and form.reads else ():
            for back in read(form, write(form, [match], options) or b""):
                # An equal match is as right as the sample.
                if back != match:
                    _check_right(back, f"the text with {options}")


def _check_right(match: Match, name: str) -> None:
    for found in mjconv.check(match):
        where = f"round {found.label}, event {found.event}"
        assert found.severity != "error", f"the referee finds {found.code} in {name}: {where}: {found.message}"


def check_view(form: Format, sample: Sample, view: Path) -> None:
    """Check that a sample reads as the same game in a file of another format, but for what this format loses.

    A mistake that the reader and the writer share is found only so.
    """
    data = view.read_bytes()
    other = formats.of_file(view.name, data[:HEAD])
    assert other is not None, f"no format recognises {view.name}"
    matches = [without_original(match) for match in read(other, data)]
    report = Report()
    hub.written(form, matches, report, WriteOptions(plain=True))
    verify(matches, form, sample.data, report.losses, plain=True, name=sample.name)


def check_types(form: Format, sample: Sample, tried: set[JsonPath] | None = None) -> None:
    """Check that JSON with a value of another type at any kind of place makes an error of mjconv or a reading.

    `tried` has the kinds of places of other samples of the format, which are left out.
    """
    for new, path, text in retyped(sample.data, tried):
        try:
            check_faults(form, text)
        except Exception as error:
            error.add_note(f"the sample with {new!r} at {path}")
            raise


def check_hostile(form: Format, sample: Sample) -> None:
    """Check that changed bytes make an error of mjconv or a reading, and nothing else."""
    for change, text in _hostile(sample.data):
        try:
            check_faults(form, text)
        except Exception as error:
            error.add_note(f"the sample {change}: {text[:_SHOWN]!r}{'...' if len(text) > _SHOWN else ''}")
            raise


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


#: The checks of one sample with one damage.
DAMAGED: tuple[Callable[[Format, Sample], None], ...] = (check_broken_off, check_numbers, check_after_faults)
#: The checks of one sample as it is, but for the places, which take the marks of the format.
EACH: tuple[Callable[[Format, Sample], None], ...] = (
    check_recognised,
    check_referee,
    check_text,
    check_trips,
    check_lenient,
    check_claims,
    check_notes,
    check_shows,
    check_originals,
    check_originals_alone,
)
