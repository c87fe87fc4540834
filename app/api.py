"""Matches from files, and matches to files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias

from mjconv.conversion import refuse
from mjconv.converters import flow, formats
from mjconv.converters.interface import WriteOptions
from mjconv.files import check_writable, packed_pieces, read_bytes, staging
from mjconv.ir.errors import InputError, MjconvError, UsageError, visible
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match
from mjconv.source import Source, source_of, target_of
from mjconv.sources.members import Member, SpecialFile
from mjconv.sources.walk import members

FileName: TypeAlias = str | os.PathLike[str]
#: What to do about a member that cannot be read: raise the error, pass the member over, or call this with it.
OnError: TypeAlias = Literal["raise", "skip"] | Callable[[MjconvError | OSError], object]


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


def iter_matches(
    source: FileName | Iterable[FileName],
    *,
    format: str | None = None,  # noqa: A002
    errors: OnError = "raise",
    shard: tuple[int, int] = (0, 1),
) -> Iterator[Match]:
    r"""Read the matches of files, folders, and zip or tar archives, packed or not, one by one.

    `source` is a name, a pattern such as ``logs/*.zip``, or several of them. Folders come with all folders in
    them, in order of names, archives in their own order; one member is in memory at a time. In a folder or archive
    a file counts when its name has an extension of a format, or a format knows its contents; others are passed
    over.

    Raises as `read` does, at the member where it happens. With `errors` as ``"skip"`` such a member is passed
    over, with a `MjconvWarning`; a callable is called with the error instead, and raises it or does not. Matches
    that came before the error stay.

    With `shard` ``(i, n)`` every n-th member is read, from the i-th on, counted from 0: n such readers have each
    match once between them. Of a file that was named by itself it is every n-th match. Raises `UsageError`
    for a shard that is none.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> game = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> _ = (folder / "1.mjson").write_text(game), (folder / "2.mjson").write_text(game * 2)
    >>> sum(1 for match in iter_matches(folder))
    3
    >>> [sum(1 for match in iter_matches(folder, shard=(worker, 2))) for worker in range(2)]
    [1, 2]
    """
    turn, turns = shard
    if not 0 <= turn < turns:
        raise UsageError(f"shard {shard} is none of {turns}: they count from 0")
    if format is not None:
        formats.find(format)
    return _shared(_names(source), format, errors, turn, turns)


def _shared(names: list[str], form: str | None, errors: OnError, turn: int, turns: int) -> Iterator[Match]:
    count = 0
    for member in _files(names):
        mine = member.alone or count % turns == turn
        count += not member.alone
        if not mine:
            continue
        try:
            data = member.read()
            if not member.is_record(data, form):
                continue
            for match in _warned(source_of(data, form, member.name)):
                if not member.alone:
                    yield match
                    continue
                if count % turns == turn:
                    yield match
                count += 1
        except (MjconvError, OSError) as error:
            if errors == "raise":
                raise
            if errors != "skip":
                errors(error)
                continue
            message = str(error).partition("\n")[0]
            warnings.warn(visible(f"passed over: {message}"), MjconvWarning, stacklevel=2)


def iter_members(source: FileName | Iterable[FileName], *, shard: tuple[int, int] = (0, 1)) -> Iterator[Member]:
    r"""List the files that `iter_matches` looks into, each with its name, and not yet read.

    `Member.read` gives the bytes, decompressed, for `convert`; it raises `OSError` and `InputError`. A member can
    be pickled: another process reads it. What is no record is listed too.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "game.jmjp").write_text("jmjp[1.0]")
    >>> [member.read() for member in iter_members(folder)]
    [b'jmjp[1.0]']
    """
    turn, turns = shard
    if not 0 <= turn < turns:
        raise UsageError(f"shard {shard} is none of {turns}: they count from 0")
    return (member for number, member in enumerate(_files(_names(source))) if number % turns == turn)


def _files(names: list[str]) -> Iterator[Member]:
    return (member for member in members(names) if not isinstance(member.piece, SpecialFile))


def _names(source: FileName | Iterable[FileName]) -> list[str]:
    several = [source] if isinstance(source, str | os.PathLike) else source
    return [os.fspath(name) for name in several]


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
    with staging() as stage:
        pieces = flow.write(form, matches, report, WriteOptions(flavour, plain, fill, lossy))
        stage.write(name, packed_pieces(name, pieces))
        if strict:
            refuse(report.losses, None)
        stage.commit()
    return report.losses


def _open(path: FileName, form: str | None) -> Source:
    name = os.fspath(path)
    return source_of(read_bytes(name), form, name)


def _warned(source: Source) -> Iterator[Match]:
    """Read a source's matches, and say as Python warnings what its reader notes: oddities, and what it assumed."""
    report = Report()
    said = 0
    for reading in source.readings(report):
        said = _say(source, report, said)
        yield reading.match
    _say(source, report, said)
    for (fate, what), number in report.summary().items():
        warnings.warn(visible(f"{source.name}: {what} {fate} ({number})"), MjconvWarning, stacklevel=3)


def _say(source: Source, report: Report, said: int) -> int:
    for warning in report.warnings[said:]:
        warnings.warn(visible(f"{source.name}: {warning}"), MjconvWarning, stacklevel=4)
    return len(report.warnings)
