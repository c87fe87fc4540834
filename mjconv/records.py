"""Matches from files, and matches to files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from mjconv.archive import Member, members
from mjconv.conversion import Source, refuse, source_of, target_of
from mjconv.converters import formats
from mjconv.converters.options import WriteOptions
from mjconv.files import check_writable, packed_for, read_bytes, write_bytes
from mjconv.ir.errors import InputError, visible
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match

FileName: TypeAlias = str | os.PathLike[str]


class MjconvWarning(UserWarning):
    """Something odd in a file, or something that its reader assumed, that did not stop the reading."""


def read(path: FileName, *, format: str | None = None) -> Match:  # noqa: A002 - the field's word
    r"""Read a file of exactly one match.

    The format is `format` (an id or flavour), else what the name says, else what the contents say; gzip is seen
    through. Oddities are Python warnings, `MjconvWarning`. Raises `OSError`, `InputError` with the place of what
    is wrong (also when there is more than one match), and `UsageError` for an unknown format.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "game.mjson")
    >>> _ = log.write_text('{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n')
    >>> len(read(log).players)
    4
    """
    source = _open(path, format)
    matches = list(_warned(source))
    if len(matches) != 1:
        raise InputError(f"holds {len(matches)} matches, where one was expected", file=source.name)
    return matches[0]


def read_all(path: FileName, *, format: str | None = None) -> list[Match]:  # noqa: A002
    r"""Read all matches of a file; as `read` in all else.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "day.mjson")
    >>> game = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> _ = log.write_text(game * 3)
    >>> len(read_all(log))
    3
    """
    return list(_warned(_open(path, format)))


def iter_matches(source: FileName, *, format: str | None = None) -> Iterator[Match]:  # noqa: A002
    r"""Read the matches of a file, of a folder and all folders in it, or of a zip archive, one by one.

    Files come in order of their names, one in memory at a time. In a folder or archive a file counts when its
    name has an extension of a format, or a format knows its contents; others are passed over. Raises as `read`
    does, at the file where it happens.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> game = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> _ = (folder / "1.mjson").write_text(game), (folder / "2.mjson").write_text(game * 2)
    >>> sum(1 for match in iter_matches(folder))
    3
    """
    for member in members(os.fspath(source)):
        data = member.read()
        if member.alone or _counts(member, data, format):
            yield from _warned(source_of(data, format, member.name))


def write(
    match: Match | Iterable[Match],
    path: FileName,
    *,
    format: str | None = None,  # noqa: A002
    plain: bool = False,
    fill: bool = False,
    lossy: bool = False,
    strict: bool = False,
) -> list[Loss]:
    r"""Write one match, or several, as one file, and tell what the format could not say.

    The format is `format` (an id or flavour), else what the name says; a name ending in ``.gz`` is gzipped. The
    file is all there, or as it was before. `plain` leaves the notes out, `fill` writes derived values where the
    source was silent, `lossy` hides tiles that the format does not know instead of refusing them. With `strict`,
    anything dropped, assumed or approximated raises `LossError`, and nothing is written. Raises `OSError`,
    `UnsupportedError` where the format cannot hold a match, `UsageError`.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "game.mjson")
    >>> from mjconv.ir.events import EndGame, StartGame
    >>> write(Match(opening=[StartGame(id=0)], closing=[EndGame()]), path)
    []
    >>> path.read_text()
    '{"type":"start_game","id":0}\n{"type":"end_game"}\n'
    """
    name = os.fspath(path)
    form, flavour = target_of(format, name)
    check_writable(name)
    report = Report()
    matches = [match] if isinstance(match, Match) else match
    data = form.write(matches, report, WriteOptions(flavour, plain, fill, lossy))
    if strict:
        refuse(report.losses, None)
    write_bytes(name, packed_for(name, data))
    return report.losses


def _open(path: FileName, form: str | None) -> Source:
    name = os.fspath(path)
    return source_of(read_bytes(name), form, name)


def _counts(member: Member, data: bytes, form: str | None) -> bool:
    """Tell whether a file that lies in a folder or archive is a record, of the format asked for."""
    wanted = None if form is None else formats.find(form)[0]
    named = [known for known, _ in formats.by_extension(member.name, reading=True)]
    if named:
        return wanted is None or wanted in named
    return formats.recognise(data[: formats.HEAD], None if wanted is None else [wanted]) is not None


def _warned(source: Source) -> Iterator[Match]:
    """Read a source's matches, and say as Python warnings what its reader notes: oddities, and what it assumed."""
    report = Report()
    said = 0
    for match in source.matches(report):
        said = _say(source, report, said)
        yield match
    _say(source, report, said)
    for (fate, what), number in report.summary().items():
        warnings.warn(visible(f"{source.name}: {what} {fate} ({number})"), MjconvWarning, stacklevel=3)


def _say(source: Source, report: Report, said: int) -> int:
    for warning in report.warnings[said:]:
        warnings.warn(visible(f"{source.name}: {warning}"), MjconvWarning, stacklevel=4)
    return len(report.warnings)
