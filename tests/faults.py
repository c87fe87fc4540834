"""A fault of lenient reading: its message, its place in the file, and its place in the record."""

from mjconv.ir.errors import MjconvError, Place
from mjconv.ir.losses import Fault


def described(error: MjconvError) -> tuple[str, Place | None]:
    return error.message, error.place


def spot(fault: Fault) -> tuple[int, int]:
    assert fault.error.place is not None
    return fault.error.place.line, fault.error.place.column


def where(fault: Fault) -> tuple[int | None, int | None, int | None]:
    return fault.match, fault.round, fault.event
