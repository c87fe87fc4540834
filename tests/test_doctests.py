"""Every example in a docstring of the package runs, and prints what it shows."""

import doctest
import importlib
import pkgutil

import pytest

#: The packages are in folders of their own in the sources.
PACKAGES = ("mjconv", "mjconv.ir", "mjconv.rules", "mjconv.referee", "mjconv.converters", "mjconv.schemas")
#: The first acts when imported. The others need packages that the tests do without.
NOT_LOADED = {"mjconv.__main__", "mjconv.fleet.engine_dask", "mjconv.fleet.engine_ray"}


def _modules(package: str) -> set[str]:
    path = importlib.import_module(package).__path__
    return {package, *(module.name for module in pkgutil.walk_packages(path, f"{package}."))}


MODULES = sorted(set().union(*map(_modules, PACKAGES)) - NOT_LOADED)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("examples"))
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_all_parts_are_found() -> None:
    assert {"mjconv.ir.table", "mjconv.converters.jmjp.reader", "mjconv.schemas"} <= set(MODULES)
