"""Settings of generated cases, what each test costs, and storage in memory, which all tests share.

``pytest --hypothesis-profile thorough`` tries all cases; the quick tests try a sixth.

``pytest --costs`` lists the tests that take long. A test is slow if a line of `slow.txt` names it, its function,
its file or its folder, and no line of `quick.txt` does. A test over a real log is slow too.
"""

import gc
import importlib
import os
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from logs import FOLDER, Log
from looped import times_of, values_of

# Compiled modules are kept: else each worker and each process that a test starts would compile them again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The tests expect English, whatever the language of the machine.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ["MJCONV_CONFIG"] = ""

#: The number of a worker, and 0 if there is one process.
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])

_QUICK_EXAMPLES = 10
for name, examples in (("quick", _QUICK_EXAMPLES), ("thorough", 60)):
    # Without a deadline, because a slow machine must not make a right answer a wrong one.
    settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("quick")

#: Seconds of processor time. A quick test above the first is listed, one above the second fails the run. Records
#: of others are larger than games that are played.
LISTED, REFUSED = 0.1, 10.0 if FOLDER else 0.5

_SLOW, _QUICK = (
    frozenset((Path(__file__).parent / name).read_text("utf-8").splitlines()) for name in ("slow.txt", "quick.txt")
)

#: The files whose slow tests take the longest. Workers begin with them: none waits for one of these at the end.
#: The first two start other processes and wait for them. They leave the cores to the files that compute.
_LONGEST = (
    "tests/installation/test_installed.py",
    "tests/browser/test_browser_looks.py",
    "tests/conformance/test_formats.py",
    "tests/fleet/test_engines.py",
    "tests/browser/test_browser_going_about.py",
    "tests/conformance/test_broken_formats.py",
    "tests/fleet/test_partitions_of_fleets.py",
    "tests/test_verified.py",
    "tests/referee/test_mutations.py",
    "tests/test_round_trip.py",
    "tests/benchmarks/test_benchmark_games.py",
    "tests/benchmarks/test_benchmarks.py",
    "tests/test_random_games.py",
    "tests/test_docs.py",
)

#: Packages that take long to import.
_LARGE = (
    "jsonschema", "lark", "mahjong", "polars", "pyarrow.parquet", "pygls.lsp.server", "riichienv", "textual.app",
)  # fmt: skip

# Nothing of what collecting makes is garbage.
gc.disable()

_costs: defaultdict[str, float] = defaultdict(float)
_spent = 0.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--costs",
        action="store_true",
        help=f"list the tests above {LISTED} s of processor time; fail if one takes more than {REFUSED} s",
    )


def _names(test: str) -> Iterator[str]:
    """Return the names that a line may have for a test: of its case, function, class, file and folders."""
    yield test
    name = test.partition("[")[0]
    while name:
        yield name
        name = name.rpartition("::" if "::" in name else "/")[0]


def _plays_a_real_log(item: pytest.Item) -> bool:
    """Return whether a test has a case over a real log, which is longer than most games of the engine."""
    if FOLDER is None:
        return False
    params = getattr(getattr(item, "callspec", None), "params", {})
    return any(
        isinstance(value, Log) or (isinstance(value, Path) and value.is_relative_to(FOLDER))
        for value in (*params.values(), *values_of(getattr(item, "obj", None)))
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import a file whose tests are all slow for the quick tests."""
    name = collection_path.relative_to(config.rootpath).as_posix()
    slow = name in _SLOW and not any(test.startswith(name) for test in _QUICK)
    return True if slow and config.option.markexpr.startswith("not slow") else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let workers begin at both ends of a folder. In a new clone, each then compiles half of the modules."""
    report = yield
    if _WORKER % 2 and isinstance(collector, pytest.Directory):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests. ``--costs`` raises `pytest.UsageError` for a line that names none of all tests."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        # All workers must have one order.
        places = {name: place for place, name in enumerate(_LONGEST)}
        files = (item.nodeid.partition("::")[0] for item in items)
        order = {name: (places.get(name, len(places)), name) for name in files}
        items.sort(key=lambda item: order[item.nodeid.partition("::")[0]])
    found = {name for name in {*_SLOW, *_LONGEST} if "::" not in name and (config.rootpath / name).exists()}
    for item in items:
        names = set(_names(item.nodeid))
        found |= names
        if _plays_a_real_log(item) or (names & _SLOW and not names & _QUICK):
            item.add_marker("slow")
    unknown = sorted((_SLOW | _QUICK | {*_LONGEST}) - found)
    # The thorough profile has all cases.
    thorough = settings().max_examples > _QUICK_EXAMPLES and config.args == config.getini("testpaths")
    if unknown and config.getoption("costs") and thorough and not FOLDER:
        raise pytest.UsageError(
            "slow.txt, quick.txt or conftest.py names tests or files that do not exist: " + ", ".join(unknown)
        )


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take the modules and the tests, which stay to the end, out of every later search for garbage."""
    if session.config.getoption("costs"):
        # No test is charged with the packages that the first one would import for many.
        for name in _LARGE:
            with suppress(ImportError):
                importlib.import_module(name)
    gc.freeze()
    gc.enable()
    # Tests keep what they read: searches after each 700 new objects find little, and take a tenth of the time.
    gc.set_threshold(50_000, 20, 20)


def _processor_time() -> float:
    """Return the seconds that this process and its ended children have taken."""
    return time.process_time() + sum(os.times()[2:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    global _spent
    _spent = _processor_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    global _spent
    report = yield
    now = _processor_time()
    # What the test would cost with the quick profile.
    times = settings().max_examples / _QUICK_EXAMPLES if item.get_closest_marker("hypothesis") else 1
    report.user_properties.append(("cost", (now - _spent) / times / times_of(getattr(item, "obj", None))))
    _spent = now
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name == "cost" and isinstance(value, float):
            _costs[report.nodeid] += value


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if terminalreporter.config.getoption("costs"):
        for test, cost in sorted(_costs.items(), key=itemgetter(1), reverse=True):
            if cost > LISTED and not _QUICK.intersection(_names(test)):
                terminalreporter.write_line(f"{cost:6.2f} s {test}")
        terminalreporter.write_line(f"{sum(_costs.values()):6.1f} s all")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("costs") and any(
        cost > REFUSED and not _QUICK.intersection(_names(test)) for test, cost in _costs.items()
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the file system of `memory://`, empty."""
    fsspec = pytest.importorskip("fsspec", reason="mjconv[remote] is not installed: addresses are not tested")
    monkeypatch.setattr("mjconv.files.remote.PAUSE", 0.0)
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()
