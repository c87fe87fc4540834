"""The option `--kills` of the tests: how often runs are interrupted."""

from __future__ import annotations

import pytest

#: The usual number of kills of each kind.
USUAL = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=USUAL, help="how often runs are cut off, in each way")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kill" in metafunc.fixturenames:
        metafunc.parametrize("kill", range(metafunc.config.getoption("--kills", USUAL)))
