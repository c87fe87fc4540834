"""Every format in the table keeps the contract, on its samples in the corpus."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.marks import marks_of
from corpus_files import CORPUS
from engine import Deal, play
from looped import looped
from mjconv.converters import formats
from mjconv.converters.formats import FORMATS
from mjconv.converters.interface import Format
from mjconv.testing import checks
from mjconv.testing.json_types import Path
from mjconv.testing.originals import check_kept
from mjconv.testing.places import check_places
from mjconv.testing.samples import Sample, from_files, samples_of
from mjconv.testing.written import check_all_claims, check_corpus, check_written
from trips import read, write

EVERY = [(form, sample) for form in FORMATS for sample in samples_of(form)]
each_format = looped("form", *FORMATS, ids=lambda form: form.id)
NAMES = [sample.name for _, sample in EVERY]
each_sample = looped(("form", "sample"), *EVERY, ids=NAMES)
#: Formats and flavours of records of play.
PLAYED = [
    *("mjai", "mjai-batch", "jmjp", "jmjp-0", "uzje", "uzje-long", "tenhou", "tenhou-json", "majsoul"),
    "majiang",
]


@each_format
def test_each_format_has_samples(form: Format) -> None:
    assert samples_of(form)


@each_format
def test_each_recogniser_claims_its_own_format_only(form: Format) -> None:
    checks.check_recogniser(form)


@each_format
def test_each_flavour_is_written(form: Format) -> None:
    check_written(form, samples_of(form))


@each_format
def test_originals_are_kept_where_they_are_declared(form: Format) -> None:
    check_kept(form, samples_of(form))


@each_format
def test_the_corpus_is_written_or_refused_with_a_reason(form: Format) -> None:
    check_corpus(form)


@each_format
def test_a_writer_states_what_is_read_of_the_corpus(form: Format) -> None:
    check_all_claims(form)


@looped(("form", "sample"), *EVERY, ids=NAMES, every=2)
@looped("check", *checks.EACH)
def test_each_sample_keeps(check: Callable[[Format, Sample], None], form: Format, sample: Sample) -> None:
    check(form, sample)


@pytest.mark.slow
@each_sample
def test_each_sample_that_is_damaged_is_read_or_refused(form: Format, sample: Sample) -> None:
    for check in (*checks.DAMAGED, checks.check_hostile):
        check(form, sample)


@pytest.mark.slow
@each_format
def test_values_of_other_types_are_read_or_refused(form: Format) -> None:
    """Each kind of place is tried in the shortest sample that has it."""
    tried: set[Path] = set()
    for sample in sorted(samples_of(form), key=lambda sample: len(sample.data)):
        checks.check_types(form, sample, tried)


@each_sample
def test_each_event_has_its_place(form: Format, sample: Sample) -> None:
    check_places(form, sample, marks_of(form, sample.data))


@pytest.mark.parametrize("target", PLAYED)
@given(seed=st.integers(0, 10**6), deal=st.sampled_from(["fair", "triplets", "close", "waits"]))
@settings(max_examples=min(20, settings().max_examples))
def test_each_event_of_a_round_has_its_place(target: str, seed: int, deal: Deal) -> None:
    form, _ = formats.find(target)
    data = write(read(play(seed, length="round", deal=deal), "mjai").matches, target, plain=True).data
    check_places(form, Sample(f"seed {seed}", data), marks_of(form, data))


# Samples, and files of another format with the same games.
@looped(
    ("name", "sample", "view"),
    ("mjai", "sample/game.mjson", "sample/game.jmjp"),
    ("jmjp", "sample/game.jmjp", "sample/game.mjson"),
    ("uzje", "uzje/riichi.uzje", "sample/game.mjson"),
)
def test_the_same_game_reads_alike_in_two_formats(name: str, sample: str, view: str) -> None:
    form, _ = formats.find(name)
    [given_sample] = from_files([CORPUS / sample])
    checks.check_view(form, given_sample, CORPUS / view)
