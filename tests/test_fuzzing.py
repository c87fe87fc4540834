"""Broken records, some for each reader: matches come of them, or an error in words, and nothing else.

The same as ``python -m fuzz`` does for hours, with `hypothesis` to throw the dice.
"""

import gzip
import re
import zlib
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_files import CORPUS, each
from fuzz import worker
from fuzz.__main__ import main
from fuzz.archives import ArchiveTrial, archives, broken_archive
from fuzz.breaking import BREAKAGES, MOST_BYTES, broken
from fuzz.edits import _visible, tried
from fuzz.minimise import minimise
from fuzz.packed import break_packing
from fuzz.patterns import patterns, slow_on, uses, ways_of
from fuzz.plays import broken_play
from fuzz.run import Campaign
from fuzz.seeds import records
from fuzz.subjects import subject
from fuzz.trial import Outcome, PromiseError, Trial
from fuzz.worker import Crash, Examiner, Progress, harm_of, input_of
from looped import looped
from mjconv.converters import formats
from mjconv.converters.interface import Code, Files, Format
from mjconv.ir.errors import InputError
from trips import known

READERS = [form.id for form in formats.FORMATS]


@pytest.mark.parametrize("reader", READERS)
@given(rng=st.randoms(), target=st.sampled_from(formats.known_names()))
def test_a_broken_record_is_read_or_refused_in_words(reader: str, rng: Random, target: str) -> None:
    form, _ = formats.find(reader)
    Trial(form, broken(records(reader), rng), (target,)).run()


@given(rng=st.randoms())
def test_a_play_that_cannot_happen_is_written_or_refused_in_words(rng: Random) -> None:
    subject("plays").trial(broken_play(rng), ()).run()


@pytest.mark.filterwarnings("ignore")
@given(rng=st.randoms())
def test_a_broken_archive_is_read_or_refused_in_words(rng: Random) -> None:
    subject("archives").trial(broken_archive(rng), ()).run()


@pytest.mark.filterwarnings("ignore")
def test_most_archives_to_break_are_read() -> None:
    # mjconv reads no archive inside an archive.
    assert [ArchiveTrial(data).run().whole for data in archives()].count(False) == 2


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_right_record_is_read_and_written_everywhere(reader: str) -> None:
    form, _ = formats.find(reader)
    some = records(reader)[:: max(1, len(records(reader)) // 25)]
    names = formats.known_names()
    # Records that follow each other are alike: they are written in the formats in turn.
    outcomes = [Trial(form, data, tuple(names[turn % 2 :: 2])).run() for turn, data in enumerate(some)]
    assert sum(outcome.whole for outcome in outcomes) > len(outcomes) // 3


# A format that is only read has no records but its samples.
@pytest.mark.parametrize("reader", [form.id for form in formats.FORMATS if form.writes])
def test_there_are_records_of_all_sizes(reader: str) -> None:
    sizes = [len(data) for data in records(reader)]
    # With notes and without them, a record is two; mjx has no notes.
    assert len(sizes) > (40 if formats.find(reader)[0].notes else 25)
    assert sizes == sorted(sizes)
    assert sizes[-1] > 3_000


class TestBreaking:
    @pytest.mark.parametrize("reader", READERS)
    def test_an_input_is_made_by_its_number_alone(self, reader: str) -> None:
        first, second = (input_of(reader, 3, number)[0] for number in (17, 18))
        assert (input_of(reader, 3, 17)[0], input_of(reader, 3, 18)[0]) == (first, second)
        assert first != second

    def test_other_dice_other_inputs(self) -> None:
        assert input_of("mjai", 1, 1)[0] != input_of("mjai", 2, 1)[0]

    @settings(max_examples=4 * settings().max_examples)
    @given(rng=st.randoms())
    def test_none_is_longer_than_the_longest(self, rng: Random) -> None:
        assert len(broken(records("jmjp"), rng)) <= MOST_BYTES

    def test_each_way_breaks_and_takes_nothing(self) -> None:
        both = [path.read_bytes() for path in (CORPUS / "sample").iterdir()]
        for breakage in dict.fromkeys(BREAKAGES):
            assert any(breakage(data, both, Random(seed)) != data for data in both for seed in range(20))
            for seed in range(20):
                breakage(b"", [b""], Random(seed))

    def test_packed_data_is_broken_and_whole(self) -> None:
        whole = 0
        for seed in range(50):
            with suppress(OSError, EOFError, ValueError, zlib.error):
                whole += gzip.decompress(break_packing(b"A B C D\n" * 20, Random(seed))).startswith(b"A B C D")
        assert 0 < whole < 50


class Wrong:
    def __init__(self, harm: str) -> None:
        self.harm, self.id, self.reads = harm, "hk", True

    def read(self, data: bytes, report: Any) -> Any:
        if self.harm == "crash":
            raise KeyError(data)
        if self.harm == ("lenient" if report.lenient else "no fault"):
            raise InputError("bad")
        return iter(())


class TestTrial:
    @looped(
        ("harm", "error", "said"),
        ("crash", KeyError, "A B"),
        ("no fault", PromiseError, "a lenient one has no fault"),
        ("lenient", PromiseError, "a lenient reading raised"),
    )
    def test_a_broken_promise_is_reported(self, harm: str, error: type[Exception], said: str) -> None:
        form: Any = Wrong(harm)
        with pytest.raises(error, match=said):
            Trial(form, b"A B C D\n", ()).run()

    def test_text_that_would_reach_a_terminal_is_reported(self) -> None:
        class Shouting(Wrong):
            def read(self, data: bytes, report: Any) -> Any:
                del data, report
                error = InputError("x")
                error.__class__ = type("Loud", (InputError,), {"__str__": lambda _: "\x1b[2J"})
                raise error

        form: Any = Shouting("")
        with pytest.raises(PromiseError, match="would reach a terminal"):
            Trial(form, b"A B C D\n", ()).run()

    def test_harm_is_named_by_where_it_came_from(self) -> None:
        def trial() -> Outcome:
            raise ValueError("x")

        found = known(harm_of(trial, b"data", Progress()))
        assert found.mark.startswith("ValueError")
        assert "ValueError: x" in found.details

    def test_work_that_takes_too_long_is_reported(self) -> None:
        found = known(harm_of(lambda: Outcome(True, "read", 1.5), b"data", Progress()))
        assert found.details == "read takes 1.5 s"

    def test_progress_keeps_the_slowest(self) -> None:
        progress = Progress()
        for seconds in (0.1, 0.3, 0.2):
            assert harm_of(lambda seconds=seconds: Outcome(True, "read", seconds), b"x" * 7, progress) is None  # type: ignore[misc]
        assert (progress.whole, progress.slowest.seconds, progress.slowest_bytes) == (3, 0.3, 7)
        assert progress.memory > 10**6


class TestCampaign:
    def test_formats_of_other_packages_are_readers_too(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        outside = Format("outside", "a format", files=Files({".outside": ""}), code=Code(module="outside"))
        monkeypatch.setattr(formats, "_added", lambda: (outside,))
        with pytest.raises(SystemExit):
            main(["nothing"])
        assert "outside, archives, plays, bombs, edits, patterns" in capsys.readouterr().err

    def test_it_tries_and_counts(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        # So short that no input of this seed is large: a busy machine takes too long for those.
        assert main(["hk", "--minutes", "0.02", "--seed", "5", "--keep", str(tmp_path)]) == 0
        said = capsys.readouterr().out
        assert said.startswith("hk: ")
        assert said.endswith("; 0 crashes\n")
        assert list(tmp_path.iterdir()) == []

    def test_the_shortest_crash_is_kept_once(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        campaign = Campaign("hk", 0, tmp_path / "crashes")
        for data in (b"long one", b"short", b"longer again"):
            campaign._keep(Crash("a mistake", "how it went", data))
        [path] = (tmp_path / "crashes").iterdir()
        assert (path.suffix, path.read_bytes()) == (".hk", b"short")
        assert capsys.readouterr().out.count("a mistake") == 1

    def test_of_each_mistake_one_input_is_reported_and_made_shorter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def harm(trial: Any, data: bytes, progress: Progress) -> Crash | None:
            del trial, progress
            return Crash("bad", "details", data) if b"bad" in data else None

        monkeypatch.setattr(worker, "harm_of", harm)
        ours, theirs = Pipe(duplex=False)
        examiner = Examiner("hk", theirs)
        for data in (b"good", b"one bad one", b"another bad one"):
            examiner.test(data, Random(0), "input")
        reported = []
        while ours.poll():
            reported.append(ours.recv())
        assert [crash.data for crash in reported if isinstance(crash, Crash)] == [b"one bad one", b"bad"]
        assert examiner.progress.tried == 3


class TestMinimising:
    def test_lines_go_then_bytes(self) -> None:
        data = b"".join(b"line %d\n" % number for number in range(200)) + b"<harm>" + b"x" * 100
        assert minimise(data, lambda part: b"harm" in part, 20) == b"harm"

    def test_what_is_needed_in_two_places_stays(self) -> None:
        assert minimise(b"a\n.\n.\nb\n", lambda part: b"a" in part and b"b" in part, 20) == b"ab"

    def test_it_ends_in_time(self) -> None:
        assert minimise(b"x" * 1000, lambda _: True, 0) == b"x" * 1000


class TestPatterns:
    def test_all_modules_are_looked_through(self) -> None:
        names = ("uzje.paragraphs._BLOCK", "hk.lines.FORMS[3][0]")
        found = patterns()
        assert {"jmjp 1: match_tp", *(f"mjconv.converters.{name}" for name in names)} <= set(found)
        called = [found[where].pattern for where in found if where.startswith("mjconv.converters.pmn.reader:")]
        assert called.count(r"\\(.)") == 2

    def test_each_is_tried_as_it_is_used(self) -> None:
        ways = {"uzje.paragraphs._LATER_GAME": "search", "uzje.paragraphs._BAD_TAG": "match"}
        used, ways["hk.lines.FORMS[3][0]"], ways["pmn.reader:1.sub"] = uses(), "fullmatch", "sub"
        for name, way in ways.items():
            assert ways_of(f"mjconv.converters.{name}", used) == {way}
        assert ways_of("jmjp 1: match_tp", used) == {"match"}

    @pytest.fixture(autouse=True)
    def _short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Try shorter strings, for shorter times: these patterns take seconds on the usual ones."""
        for name, value in (("_SHORT", 1500), ("_LONG", 6000), ("_NO_TIME", 0.002)):
            monkeypatch.setattr(f"fuzz.patterns.{name}", value)

    @pytest.mark.slow
    def test_that_a_pattern_is_linear_where_it_is_used(self) -> None:
        assert slow_on(re.compile(r"\s+\Z"), {"match"}) is None
        assert slow_on(re.compile(r"\s+\Z"), {"search"}) is not None

    @pytest.mark.slow
    @pytest.mark.parametrize("slow", [r"\s+$", r"a*b", rb"[0-9]+x"])
    def test_a_slow_one_is_found(self, slow: str) -> None:
        assert slow_on(re.compile(slow)) is not None


def test_the_numbers_of_turns_are_no_values() -> None:
    assert [value[0] for value in _visible("1.bs 2.9t 3.?,E 4.N")] == ["bs", "9", "t", "E", "N"]


@pytest.mark.parametrize("reader", READERS)
def test_an_edit_of_a_visible_value_is_not_lost(reader: str) -> None:
    lost = [edit for result, _, edit in tried(reader, seed=0, texts=4, most=12) if result == "silent"]
    assert [f"{edit.old} -> {edit.new} in {edit.around}" for edit in lost] == []


# Everything that ever did harm, once more: a file each, kept as it was found or as short as it could be made.


CRASHES = sorted((CORPUS / "crashes").iterdir())

#: The crashes that take long.
LONG = {"games-without-play.uzje.gz", "many-doubts.uzje.gz", "many-faults.mjson.gz"}


@each([path for path in CRASHES if path.name not in LONG])
def test_what_did_harm_does_none_any_more(path: Path) -> None:
    harmless(path)


@pytest.mark.slow
@each([path for path in CRASHES if path.name in LONG])
def test_what_took_long_does_no_harm_any_more(path: Path) -> None:
    harmless(path)


def harmless(path: Path) -> None:
    [(form, _)] = formats.by_extension(path.name)
    Trial(form, path.read_bytes(), tuple(formats.known_names())).run()


def test_there_is_one_of_each_notation_that_was_broken() -> None:
    assert {path.name.partition(".")[2].removesuffix(".gz") for path in CRASHES} >= {"mjson", "jmjp", "uzje"}
