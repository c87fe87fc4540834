"""How often runs are killed, and the archives that they are killed over."""

from __future__ import annotations

import pytest

#: So many kills of each kind in every run of the tests.
USUAL = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=USUAL, help="how often runs are cut off, in each way")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kill" in metafunc.fixturenames:
        metafunc.parametrize("kill", range(metafunc.config.getoption("--kills", USUAL)))
