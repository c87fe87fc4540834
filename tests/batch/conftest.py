"""The option `--kills` of the tests: how often runs are interrupted."""

import pytest

#: The usual number of kills of each kind.
USUAL = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, help="how often runs are cut off, in each way")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kill" in metafunc.fixturenames:
        asked = metafunc.config.getoption("--kills")
        kills = range(USUAL if asked is None else asked)
        # The quick tests run the first kill of each kind, unless a number is asked for.
        slow = [pytest.mark.slow] if asked is None else []
        metafunc.parametrize("kill", [pytest.param(kill, marks=slow if kill else []) for kill in kills])
