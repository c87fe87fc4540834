"""Every format in the table keeps the contract, on its samples in the corpus."""

from __future__ import annotations

import pytest

from conformance import checks
from corpus_files import CORPUS
from mjconv.converters import flow, formats
from mjconv.converters.formats import FORMATS
from mjconv.converters.interface import HEAD, Format
from mjconv.ir.losses import Report

#: Samples of more bytes are left to other tests: the checks here read each sample some hundred times.
_MOST_BYTES = 12_000


def samples(form: Format) -> list[bytes]:
    """Return the right records of a format in the corpus."""
    paths = [path for path in sorted(CORPUS.rglob("*")) if path.suffix in form.extensions and path.is_file()]
    right = [path for path in paths if not {"broken", "crashes"} & set(path.parts)]
    own = [(path.read_bytes(), formats.of_file(path.name, path.read_bytes()[:HEAD])) for path in right]
    small = [data for data, found in own if found is form and len(data) <= _MOST_BYTES]
    # A file of comments alone is no record.
    return [data for data in small if flow.read_matches(form, data, Report(lenient=True))]


EVERY = [(form, data) for form in FORMATS for data in samples(form)]
each_sample = pytest.mark.parametrize(
    ("form", "data"), EVERY, ids=[f"{form.id}-{number}" for number, (form, _) in enumerate(EVERY)]
)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.id)
def test_each_format_has_samples(form: Format) -> None:
    assert samples(form)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.id)
def test_a_match_of_another_format_comes_back(form: Format) -> None:
    checks.check_foreign(form)


@each_sample
def test_one_format_recognises_a_sample(form: Format, data: bytes) -> None:
    checks.check_recognised(form, data)


@each_sample
def test_text_to_match_to_text(form: Format, data: bytes) -> None:
    checks.check_text(form, data)


@each_sample
def test_trips_through_all_other_formats(form: Format, data: bytes) -> None:
    checks.check_trips(form, data)


@each_sample
def test_lenient_reading_equals_strict_reading(form: Format, data: bytes) -> None:
    checks.check_lenient(form, data)


@each_sample
def test_claims_equal_truth(form: Format, data: bytes) -> None:
    checks.check_claims(form, data)


@each_sample
def test_each_event_has_a_place(form: Format, data: bytes) -> None:
    checks.check_places(form, data)


@each_sample
def test_notes_do_not_contradict_the_text(form: Format, data: bytes) -> None:
    checks.check_notes(form, data)


@each_sample
def test_what_the_text_shows_is_declared(form: Format, data: bytes) -> None:
    checks.check_shows(form, data)


@pytest.mark.slow
@each_sample
def test_hostile_input_is_an_error_or_a_reading(form: Format, data: bytes) -> None:
    checks.check_hostile(form, data)
