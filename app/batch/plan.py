"""The plan of a run: its options in a form that workers receive and the journal stores."""

from __future__ import annotations

import os
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import fields

from mjconv.batch.shapes import FOLDER, LINES, PARQUET, SHAPES, TARGETS, is_one_table
from mjconv.converters import formats
from mjconv.converters.formats import FORMATS
from mjconv.converters.interface import Format, WriteOptions
from mjconv.ir.errors import UsageError
from mjconv.ir.limits import Limits


class Plan(Struct, frozen=True, kw_only=True):
    """The inputs, the output and the options of a run: everything that the bytes of the output depend on.

    `shape` is ``folder``, ``zip``, ``tar``, ``tar.gz``, ``tar.zst``, ``parquet``, or ``lines``. For ``lines``,
    `shards` is the number of files. With `check`, the referee checks each member first, by the rules of `house`.
        With `verify`, each output is read again and compared with its member.
    `keep_bad` is a folder for copies of members that cannot be converted. `kanachan` are settings of the rows of
    Kanachan, as `train.kanachan.settings_of` reads them. `encoding` is that of the members; None
    is UTF-8.
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
    verify: bool = False
    shards: int = 0
    keep_bad: str | None = None
    kanachan: str = ""
    limits: Limits = Limits()
    encoding: str | None = None
    walls: bool = True

    def write_format(self) -> tuple[Format, WriteOptions]:
        """Return the format to write and the options for its writer."""
        form, flavour = formats.find(self.target)
        if self.shape == LINES and flavour not in form.one_match_a_line:
            flavour = form.one_match_a_line[0]
        return form, WriteOptions(flavour, self.plain, self.fill, self.lossy)

    def extension(self) -> str:
        """Return the extension of the files to write, the usual one of the format and flavour."""
        if self.target in TARGETS:
            return TARGETS[self.target].extension
        form, flavour = formats.find(self.target)
        return form.extension_for(flavour)

    def changed_fields(self, other: Plan) -> Iterator[str]:
        """Return the names of the fields in which another plan differs."""
        return (field.name for field in fields(self) if getattr(self, field.name) != getattr(other, field.name))


def shape_of(output: str, shards: int, target: str) -> str:
    """Return the shape of the output, from its name and from the number of shards (0: no shards).

    Raises `UsageError` if the target or the output does not allow shards, or if only one of them is Parquet.

    >>> shape_of("out.tar.zst", 0, "jmjp"), shape_of("out", 0, "jmjp"), shape_of("out", 8, "mjai")
    ('tar.zst', 'folder', 'lines')
    """
    name = os.path.basename(output).lower()
    if is_one_table(target) != name.endswith(f".{PARQUET}"):
        wanted = target if is_one_table(target) else PARQUET
        raise UsageError(f"columns need --to {wanted} and also an output whose name ends in .{PARQUET}")
    shape = PARQUET if is_one_table(target) else None
    shape = shape or next((shape for ending, shape in SHAPES.items() if name.endswith(ending)), FOLDER)
    if not shards:
        return shape
    if target in TARGETS or not formats.find(target)[0].one_match_a_line:
        able = " or ".join(line_formats())
        raise UsageError(f"--shards needs a format with one game per line: --to {able}, not {target}")
    if shape != FOLDER:
        raise UsageError(f"--shards writes files into a folder, but {output!r} is the name of an archive")
    return LINES


def line_formats() -> list[str]:
    """Return the ids of the formats of this package that can write each match as one line."""
    # The help of the command calls this at each start. To look for formats of other packages takes too long there.
    return [form.id for form in FORMATS if form.one_match_a_line]
