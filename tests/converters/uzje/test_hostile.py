"""Long files with a mistake end soon, in a short error."""

import pytest

from mjconv.ir.errors import InputError
from trips import read


@pytest.mark.parametrize(
    "data",
    [
        *(b"E 1 0 4\n" + more * 100_000 for more in (b"1t ", b"1.", b"(")),
        *(b"E 1 0 4 " * 20_000, b"E 1 0 4\n1." + b"c" * 100_000, b"E 1 0 4\n\n" * 3_000),
        *(b"A:\n" * 50_000 + b"\n", b":\n" * 50_000 + b"E 1 0 4\n", b"\n \n" * 50_000),
        *(b'mjconv: {"round":' + b"[" * 100_000, b"mjconv: " + b'{"a":' * 50_000),
    ],
)
def test_long_files_end_soon(data: bytes) -> None:
    try:
        read(data, "uzje")
    except InputError as error:
        assert len(str(error)) < 5_000  # noqa: PT017 - either outcome is right
