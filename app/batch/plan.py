"""What a run is asked to do, in a form that workers get and a journal keeps."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import fields

from mjconv.converters import formats
from mjconv.converters.interface import Format, WriteOptions
from mjconv.ir.errors import UsageError
from mjconv.ir.limits import Limits

#: The endings of outputs that are archives, and the shape that each asks for; any other output is a folder.
SHAPES: Final = {".zip": "zip", ".tar": "tar", ".tar.gz": "tar.gz", ".tgz": "tar.gz", ".tar.zst": "tar.zst"}
FOLDER: Final = "folder"
LINES: Final = "lines"
#: Asked for as a format is, and no notation: columns of all events in one file.
PARQUET: Final = "parquet"
#: The format whose games are one line each, and the flavour that writes them so.
_LINE_FORMAT: Final = "mjai"
_LINE_FLAVOUR: Final = "mjai-batch"


class Plan(Struct, frozen=True, kw_only=True):
    """What is read, what is written, and how: all that the bytes of the output depend on.

    `shape` is ``folder``, ``zip``, ``tar``, ``tar.gz``, ``tar.zst``, ``parquet``, or ``lines`` (then `shards` says
    how many files the games are dealt to). `check` has the referee look first, by the rules of `house`. `keep_bad`
    is a folder for copies of what could not be converted.
    """

    inputs: tuple[str, ...]
    output: str
    target: str
    shape: str = FOLDER
    source: str | None = None
    plain: bool = False
    fill: bool = False
    lossy: bool = False
    strict: bool = False
    check: bool = False
    house: str | None = None
    shards: int = 0
    keep_bad: str | None = None
    limits: Limits = Limits()

    def written(self) -> tuple[Format, WriteOptions]:
        """Give the format to write, and how."""
        form, flavour = formats.find(self.target)
        if self.shape == LINES:
            flavour = _LINE_FLAVOUR
        return form, WriteOptions(flavour, self.plain, self.fill, self.lossy)

    def ending(self) -> str:
        """Give the ending of the files that are written, the usual one of the format."""
        if self.shape == PARQUET:
            return f".{PARQUET}"
        form, flavour = formats.find(self.target)
        fitting = [ending for ending, usual in form.extensions.items() if usual == flavour]
        return (fitting or list(form.extensions))[0]

    def differences(self, other: Plan) -> Iterator[str]:
        """Name what another plan says otherwise."""
        return (field.name for field in fields(self) if getattr(self, field.name) != getattr(other, field.name))


def shape_of(output: str, shards: int, target: str) -> str:
    """Tell what is to be written by the name of the output, and whether shards are asked for.

    Raises `UsageError` where shards cannot be.

    >>> shape_of("out.tar.zst", 0, "jmjp"), shape_of("out", 0, "jmjp"), shape_of("out", 8, "mjai")
    ('tar.zst', 'folder', 'lines')
    """
    name = os.path.basename(output).lower()
    if (target == PARQUET) != name.endswith(f".{PARQUET}"):
        raise UsageError(f"columns are one file: --to {PARQUET} and an output whose name ends in .{PARQUET}")
    if target == PARQUET:
        if shards:
            raise UsageError(f"shards hold a game a line: --to {_LINE_FORMAT}, not --to {PARQUET}")
        return PARQUET
    found = next((shape for ending, shape in SHAPES.items() if name.endswith(ending)), FOLDER)
    if not shards:
        return found
    if formats.find(target)[0].id != _LINE_FORMAT:
        raise UsageError(f"shards hold a game a line, which {target} has no way to write: {_LINE_FORMAT} does")
    if shards < 0:
        raise UsageError(f"{shards} shards cannot be written")
    if found != FOLDER:
        raise UsageError(f"shards are files in a folder, and {output!r} is the name of an archive")
    return LINES
