"""Workers that start no process."""

from collections.abc import Iterator

import pytest

from batch.archives import working_here


@pytest.fixture
def workers_here() -> Iterator[None]:
    with working_here():
        yield
