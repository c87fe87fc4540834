"""Storage in memory, emptied before each test, and workers that start no process."""

from collections.abc import Iterator

import pytest

from batch.archives import working_here
from memory_storage import memory

__all__ = ["memory"]


@pytest.fixture
def workers_here() -> Iterator[None]:
    with working_here():
        yield
