"""How often runs are killed, and the archives that they are killed over."""

from __future__ import annotations

import pytest

#: How often runs are cut off in each way, where no number is asked for. The quick tests do it once.
USUAL = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, help="how often runs are cut off, in each way")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kill" in metafunc.fixturenames:
        asked = metafunc.config.getoption("--kills")
        kills = range(USUAL if asked is None else asked)
        slow = [pytest.mark.slow] if asked is None else []
        metafunc.parametrize("kill", [pytest.param(kill, marks=slow if kill else []) for kill in kills])
