"""Threads and processes: threads return what one thread returns, and values go to other processes by pickle."""

import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.ir import limits

FILES = [CORPUS / name for name in ("sample/game.jmjp", "tenhou/hanchan.mjlog", "majsoul/client.json")]
TARGETS = ("mjai", "jmjp", "uzje", "tenhou", "tenhou-json", "majsoul", "majiang", "mjx")
THREADS = 8
T = TypeVar("T")
V = TypeVar("V")

pytestmark = pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")


@pytest.fixture(autouse=True)
def frequent_switches() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def in_threads(work: Callable[[T], V], values: list[T]) -> list[V]:
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, values))


def test_threads_convert_as_one_thread_does() -> None:
    def converted(job: tuple[bytes, str]) -> mjconv.Conversion:
        return mjconv.convert(job[0], target=job[1], lossy=True)

    jobs = [(file.read_bytes(), target) for file in FILES for target in TARGETS]
    assert in_threads(converted, jobs * 2) == [converted(job) for job in jobs] * 2


@looped("file", *FILES, ids=lambda file: file.parent.name)
def test_threads_may_use_one_match(file: str) -> None:
    alone, shared = mjconv.read(file), mjconv.read(file)
    # The other match is fresh: the threads are the first to play it.
    written = in_threads(lambda target: mjconv.write_bytes(shared, target, lossy=True), list(TARGETS))
    assert written == [mjconv.write_bytes(alone, target, lossy=True) for target in TARGETS]
    assert in_threads(mjconv.check, [shared] * THREADS) == [mjconv.check(alone)] * THREADS


def test_limits_of_a_block_are_of_its_thread() -> None:
    with limits.using(limits.Limits(rounds=1)):
        assert mjconv.validate(FILES[0])[0].code == "S003"
        assert in_threads(mjconv.validate, [FILES[0]]) == [[]]


def test_values_go_to_other_processes() -> None:
    [record] = mjconv.iter_records(FILES[1])
    wrong = mjconv.validate(CORPUS / "broken" / "discard-not-held.mjson")
    with warnings.catch_warnings(action="ignore"):
        conversion = mjconv.convert(FILES[1].read_bytes(), target="hk", plain=True)
    values = [record, conversion, wrong, mjconv.facts(record), mjconv.stats(record)]
    for value in (*values, next(mjconv.iter_members(FILES[0]))):
        assert pickle.loads(pickle.dumps(value)) == value
