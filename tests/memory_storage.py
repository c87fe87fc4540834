"""The fixture of storage at `memory://`, for the tests of addresses and of fleets."""

from collections.abc import Iterator
from typing import Any

import pytest

from mjconv.files import remote as errors


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return the file system of `memory://`, empty."""
    fsspec = pytest.importorskip("fsspec", reason="mjconv[remote] is not installed: addresses are not tested")
    monkeypatch.setattr(errors, "PAUSE", 0.0)
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()
