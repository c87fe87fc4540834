"""Every example in a docstring of the package runs, and prints what it shows."""

import doctest
import importlib.util
import linecache
import pkgutil
from pathlib import Path

import pytest

from looped import looped

#: The packages are in folders of their own in the sources.
PARTS = ("ir", "rules", "referee", "converters", "schemas", "testing")
PACKAGES = ("mjconv", *(f"mjconv.{part}" for part in PARTS))
#: The first acts when imported. The others need packages that the tests do without.
NOT_LOADED = {"mjconv.__main__", "mjconv.fleet.engine_dask", "mjconv.fleet.engine_ray", "mjconv.torch"}


def _modules(package: str) -> set[str]:
    path = importlib.import_module(package).__path__
    return {package, *(module.name for module in pkgutil.walk_packages(path, f"{package}."))}


def _has_examples(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    return spec is not None and ">>> " in Path(spec.origin or "").read_text("utf-8")


MODULES = sorted(filter(_has_examples, set().union(*map(_modules, PACKAGES)) - NOT_LOADED))


@looped("name", *MODULES)
def test_examples(name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("examples"))
    # Python checks each file in this cache at each example.
    linecache.clearcache()
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_all_parts_are_found() -> None:
    assert {"mjconv.ir.table", "mjconv.converters.jmjp.reader", "mjconv.schemas"} <= set(MODULES)
