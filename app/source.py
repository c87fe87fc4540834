"""Files as they are read: their bytes with the format they are in, and the format of an output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mjconv.converters import flow, formats
from mjconv.converters.interface import HEAD, Format, Reading
from mjconv.files import unpack
from mjconv.ir.errors import InputError, MjconvError, Place, UsageError
from mjconv.ir.losses import Report


@dataclass(frozen=True)
class Source:
    """A file's bytes, decompressed, with the format they are in; `name` is what errors call it."""

    data: bytes
    form: Format
    name: str | None = None

    def readings(self, report: Report) -> Iterator[Reading]:
        """Read the matches one by one.

        Raises `InputError`, with the name of the file, where the input is not what its format allows, and when
        there is no match in it.
        """
        matches = 0
        try:
            for reading in flow.read(self.form, self.data, report):
                matches += 1
                yield reading
        except MjconvError as error:
            error.file = error.file or self.name
            raise
        if not matches:
            place = Place(1, 1, "", self.name)
            raise InputError(f"no match in it, where a record in {self.form.id} was expected", place)


def source_of(data: bytes, source: str | None = None, name: str | None = None) -> Source:
    """Decompress data and tell its format: as `source` says, else by the name, else by the contents.

    Raises `UsageError` when `source` is unknown or nothing tells, `InputError` for empty data.
    """
    data = unpack(data, name)
    if not data.strip():
        raise InputError("is empty, where a record was expected", Place(1, 1, "", name))
    if source is not None:
        return Source(data, formats.find(source)[0], name)
    named = [form for form, _ in formats.by_extension(name or "", reading=True)]
    if len(named) == 1:
        return Source(data, named[0], name)
    form = formats.recognise(data[:HEAD], named or None)
    if form is None:
        known = ", ".join(formats.known_names())
        raise UsageError(
            f"cannot tell the format of {name or 'the input'} by its name or its contents; say which of {known}"
        )
    return Source(data, form, name)


def target_of(target: str | None, path: str) -> tuple[Format, str]:
    """Tell the format and flavour to write: as `target` says, else by the name of the output.

    Raises `UsageError` when `target` is unknown, or nothing tells.

    >>> form, flavour = target_of(None, "game.json")
    >>> form.id, flavour
    ('mjai', 'mjai-batch')
    """
    if target is not None:
        return formats.find(target)
    named = formats.by_extension(path)
    if len(named) == 1:
        return named[0]
    known = ", ".join(formats.known_names())
    raise UsageError(f"cannot tell the format to write by the name {path!r}; say which of {known}")
