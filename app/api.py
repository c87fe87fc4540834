"""The library: read matches from files and archives, and write matches to files."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from mjconv.conversion import refuse
from mjconv.converters import formats, hub
from mjconv.converters.interface import Reading, WriteOptions
from mjconv.converters.shared.impossible import note_impossible
from mjconv.files.address import redacted
from mjconv.files.members import Member, SpecialFile
from mjconv.files.reading import read_bytes
from mjconv.files.walk import members
from mjconv.files.writing import Sink, Staging, check_writable, packed_pieces
from mjconv.ir.errors import InputError, MjconvError, UsageError, visible
from mjconv.ir.losses import Loss, Report
from mjconv.ir.match import Match
from mjconv.ir.suggestion import check_word
from mjconv.settings import walls
from mjconv.source import FileName, Record, Source, checked_bytes, names_in, source_of, target_of

if TYPE_CHECKING:
    from mjconv.archive.facts import Facts
    from mjconv.archive.where import Where

#: The bytes of a file.
FileBytes: TypeAlias = bytes | bytearray | memoryview
#: The treatment of a member that cannot be read: raise the error, skip the member, or call this with the error.
OnError: TypeAlias = Literal["raise", "skip"] | Callable[[MjconvError | OSError], object]


#: A function that is called with a number of bytes that were read.
Progress: TypeAlias = Callable[[int], object]
Made = TypeVar("Made")


class MjconvWarning(UserWarning):
    """A warning about a file, or a guess of its reader. It does not stop the reading."""


def read(
    path: FileName | FileBytes,
    *,
    format: str | None = None,  # noqa: A002 - the field's word
    wall: bool = True,
) -> Match:
    r"""Read a file of exactly one match.

    `path` is the path of the file, or the bytes of the file. The format is `format` (an id or flavour), else it
    comes from the file name, else from the contents. A compressed file is decompressed. Warnings are Python
    warnings, `MjconvWarning`. Raises `OSError`; `InputError` with the place of the error, also if there is more
    than one match; and `UsageError` for an unknown format. Without `wall`, the reader does not work the wall of
    each round out from the seed of a game.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "game.mjson")
    >>> _ = log.write_text('{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n')
    >>> len(read(log).players)
    4
    >>> read(log.read_bytes(), format="mjai") == read(log)
    True
    """
    source = _open(path, format, wall=wall)
    matches: list[Match] = list(map(attrgetter("match"), _warned(source)))
    if len(matches) != 1:
        raise InputError(f"the file holds {len(matches)} matches; expected one", file=source.name)
    return matches[0]


def read_all(
    path: FileName | FileBytes,
    *,
    format: str | None = None,  # noqa: A002
    wall: bool = True,
) -> list[Match]:
    r"""Read all matches of a file, or of the bytes of a file. Everything else is as in `read`.

    >>> import pathlib, tempfile
    >>> log = pathlib.Path(tempfile.mkdtemp(), "day.mjson")
    >>> game = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> _ = log.write_text(game * 3)
    >>> len(read_all(log))
    3
    """
    # `map` adds no frame of Python, so a warning names the line of the caller.
    return list(map(attrgetter("match"), _warned(_open(path, format, wall=wall))))


def iter_matches(
    source: FileName | Iterable[FileName],
    *,
    format: str | None = None,  # noqa: A002
    errors: OnError = "raise",
    shard: tuple[int, int] = (0, 1),
    wall: bool = True,
    where: str | None = None,
    progress: Progress = lambda _: None,
) -> Generator[Match, None, None]:
    r"""Read the matches of files, folders, and zip or tar archives one by one. Compressed files are decompressed.

    `source` is a name, a pattern such as ``logs/*.zip``, or several of them. Folders are read with their
    subfolders, in the order of names; archives in their own order. One member is in memory at a time. In a folder
    or archive, a file is read if its name has an extension of a format, or a format recognises its contents. Other
    files are skipped.

    Raises the errors of `read` at the member with the error. If `errors` is ``"skip"``, such a member is skipped
    with a `MjconvWarning`. If `errors` is a function, it is called with the error, and may raise it. Matches
    before the error are yielded in any case; so is a match with mistakes after which its reader knows what
    follows (M-League), whose unknown tiles are ``?``.

    `progress` is called after each file with the number of bytes that it takes in its source, so that a bar can
    add them up. Files that are skipped count too. An error that it raises ends the reading.

    The iterator is a generator: its method ``close``, or `contextlib.closing`, closes the archive that is being
    read. A loop that reads to the end needs neither.

    With `shard` ``(i, n)``, every n-th member is read, beginning with member i, counted from 0. So n readers with
    i from 0 to n-1 read each match once. In a file that `source` names itself, every n-th match is read. Raises
    `UsageError` if i is not from 0 to n-1.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> game = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> _ = (folder / "1.mjson").write_text(game), (folder / "2.mjson").write_text(game * 2)
    >>> sum(1 for match in iter_matches(folder))
    3
    >>> [sum(1 for match in iter_matches(folder, shard=(worker, 2))) for worker in range(2)]
    [1, 2]
    """
    return iter_readings(
        lambda one, _: one.match, source, format, errors, shard, where, wall=wall, progress=progress
    )


def iter_records(
    source: FileName | Iterable[FileName],
    *,
    format: str | None = None,  # noqa: A002
    errors: OnError = "raise",
    shard: tuple[int, int] = (0, 1),
    wall: bool = True,
    where: str | None = None,
    progress: Progress = lambda _: None,
) -> Generator[Record, None, None]:
    r"""Read matches as `iter_matches` does, each with the name of its file and its number in that file.

    Raises as `iter_matches` does. `to_arrow` takes the records and fills its column ``source``.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> game = '{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> _ = (folder / "1.mjson").write_text(game), (folder / "2.mjson").write_text(game * 2)
    >>> [(pathlib.Path(record.source).name, record.index) for record in iter_records(folder)]
    [('1.mjson', 0), ('2.mjson', 0), ('2.mjson', 1)]
    """
    return iter_readings(lambda one, _: one, source, format, errors, shard, where, wall=wall, progress=progress)


def iter_readings(
    made: Callable[[Record, Reading], Made],
    source: FileName | Iterable[FileName],
    form: str | None = None,
    errors: OnError = "raise",
    shard: tuple[int, int] = (0, 1),
    where: str | None = None,
    *,
    wall: bool = True,
    progress: Progress = lambda _: None,
) -> Generator[Made, None, None]:
    """Read matches as `iter_records` does, and yield the value that `made` returns for each.

    `made` is called with the record and the reading, whose places are valid until the next match is read.
    """
    turn, turns = shard
    if not 0 <= turn < turns:
        raise UsageError(f"there is no shard {turn} of {turns}: shards count from 0")
    if form is not None:
        formats.find(form)
    check_on_error(errors)
    # Imported here: most programs need no parser of expressions.
    from mjconv.archive.where import Where

    files, kept = _files(names_in(source), progress), Where.of(where)

    def readings() -> Generator[Made, None, None]:
        count = 0
        for member in files:
            mine = member.alone or count % turns == turn
            count += not member.alone
            if not mine:
                continue
            try:
                data = member.read()
                if not member.is_record(data, form):
                    continue
                opened = _source_of(data, form, member.name, wall=wall, where=kept)
                for index, reading in enumerate(_warned(opened, errors)):
                    if not member.alone or count % turns == turn:
                        yield made(Record(member.name, index, reading.match, opened.form.id), reading)
                    count += member.alone
            except (MjconvError, OSError) as error:
                treat(error, errors, stacklevel=3)

    return readings()


def record_sources(
    names: list[str],
    form: str | None,
    failed: Callable[[MjconvError | OSError], object],
    *,
    wall: bool = True,
    where: Where | None = None,
) -> Iterator[Source]:
    """Yield the sources of all records in files, folders and archives. `failed` is called with each error."""
    for member in _files(names):
        try:
            data = member.read()
            if not member.is_record(data, form):
                continue
            source = _source_of(data, form, member.name, wall=wall, where=where)
        except (MjconvError, OSError) as error:
            failed(error)
        else:
            yield source


def check_on_error(errors: OnError) -> None:
    """Raise `UsageError` if `errors` is neither a function nor one of its words."""
    if not callable(errors):
        check_word("errors", errors, ("raise", "skip"))


def treat(error: MjconvError | OSError, errors: OnError, *, stacklevel: int = 2) -> None:
    """Raise the error, issue a warning about it, or call `errors` with it. `stacklevel` is that of the warning."""
    if errors == "raise":
        raise error
    if errors != "skip":
        errors(error)
        return
    message = str(error).partition("\n")[0]
    warnings.warn(visible(f"skipped: {message}"), MjconvWarning, stacklevel=stacklevel)


def iter_members(
    source: FileName | Iterable[FileName], *, shard: tuple[int, int] = (0, 1), errors: OnError | None = None
) -> Generator[Member, None, None]:
    r"""List the files that `iter_matches` examines, without reading them.

    `Member.read` returns the decompressed bytes, for `convert`. It raises `OSError` and `InputError`. A member can
    be pickled, so that another process can read it. Files that are no records are listed too. With `errors`, each
    file is read once before it is listed, and its error is treated as `iter_matches` does.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "game.jmjp").write_text("jmjp[1.0]")
    >>> [member.read() for member in iter_members(folder)]
    [b'jmjp[1.0]']
    """
    turn, turns = shard
    if not 0 <= turn < turns:
        raise UsageError(f"there is no shard {turn} of {turns}: shards count from 0")
    if errors is not None:
        check_on_error(errors)
    mine = (member for number, member in enumerate(_files(names_in(source))) if number % turns == turn)
    return (member for member in mine if errors is None or _is_readable(member, errors))


def _is_readable(member: Member, errors: OnError) -> bool:
    try:
        member.read()
    except (MjconvError, OSError) as error:
        treat(error, errors, stacklevel=4)
        return False
    return True


def _files(names: list[str], progress: Progress = lambda _: None) -> Iterator[Member]:
    for member in members(names):
        if not isinstance(member.piece, SpecialFile):
            yield member
        progress(member.weight)


def facts(match: Match | Record) -> Facts:
    """Return the facts of a match, such as its platform, date, names and places: those that its record states.

    A field of `Facts` that the record does not state is `msgspec.UNSET`. A `Record` also states its format and the
    name of its file, which may hold the identifier and the date. Raises `UsageError` for another value, such as
    the path of a file.

    >>> facts(Record("2024010112gm-00a9-0000-0a1b2c3d.mjlog", 0, Match())).date
    datetime.date(2024, 1, 1)
    """
    # Imported here: most programs need no facts.
    from mjconv.archive.facts import facts_of

    if isinstance(match, Match):
        return facts_of(match)
    if not isinstance(match, Record):
        raise UsageError(f"facts takes a match or a record, not {type(match).__name__}: mjconv.read reads a file")
    return facts_of(match.match, None if match.format is None else formats.find(match.format)[0], match.source)


def write(
    match: Match | Iterable[Match],
    path: FileName | Sink,
    *,
    format: str | None = None,  # noqa: A002
    plain: bool = False,
    fill: bool = False,
    lossy: bool = False,
    strict: bool = False,
    seat: int | str | None = None,
    answers: bool = False,
) -> list[Loss]:
    r"""Write one match, or several, as one file, and return the losses.

    `path` is the path of the file, or a binary file object, which stays open. The format is `format` (an id or
    flavour), else it comes from the file name; for a file object, `format` is needed. If the name ends in
    ``.gz``, the file is compressed. The file is written completely or not at all; a file object gets the bytes
    when all of them are made. `plain` leaves the notes out. `fill` writes derived values where the source has
    none. `lossy` hides tiles that the format does not know, instead of refusing them. With `strict`, a loss that
    is dropped, assumed or approximated raises `LossError`, and nothing is written. With `seat` (a number from 0,
    a first wind, or the name of a player), the in-game stream that this seat receives is written; with `answers`
    too, it has the answers of this player. A note carries `Match.original` only if that record still reads as
    the match. Raises `OSError`, `UnsupportedError` if the format cannot hold a match, and `UsageError` for an
    unknown format.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "game.mjson")
    >>> from mjconv.ir.events import EndGame, StartGame
    >>> write(Match(opening=[StartGame(id=0)], closing=[EndGame()]), path)
    []
    >>> path.read_text()
    '{"type":"start_game","id":0}\n{"type":"end_game"}\n'
    """
    options = WriteOptions("", plain, fill, lossy, seat, checked=True, answers=answers)
    return _write(match, path, format, options, strict=strict)


def write_bytes(
    match: Match | Iterable[Match],
    format: str,  # noqa: A002
    *,
    plain: bool = False,
    fill: bool = False,
    lossy: bool = False,
    strict: bool = False,
    seat: int | str | None = None,
    answers: bool = False,
) -> bytes:
    r"""Return the bytes of a file with one match, or several, in the format `format` (an id or flavour).

    Everything else is as in `write`. Losses are not returned: `strict` refuses them, and `write` returns them.

    >>> from mjconv.ir.events import EndGame, StartGame
    >>> write_bytes(Match(opening=[StartGame(id=0)], closing=[EndGame()]), "mjai")
    b'{"type":"start_game","id":0}\n{"type":"end_game"}\n'
    """
    data = io.BytesIO()
    options = WriteOptions("", plain, fill, lossy, seat, checked=True, answers=answers)
    _write(match, data, format, options, strict=strict)
    return data.getvalue()


def _write(
    match: Match | Iterable[Match],
    path: FileName | Sink,
    target: str | None,
    options: WriteOptions,
    *,
    strict: bool,
) -> list[Loss]:
    """Write matches, as `write` does. A warning names the line that called its caller."""
    output: str | Sink = path if isinstance(path, Sink) else os.fspath(path)
    name = output if isinstance(output, str) else None
    if name is None and target is None:
        raise UsageError(f"a file object needs a format: name one of {', '.join(formats.known_names())}")
    form, flavour = target_of(target, name or "")
    if name is not None:
        check_writable(name)
    report = Report()
    matches = [match] if isinstance(match, Match) else match
    with Staging() as stage:
        if not form.writer_plays:
            matches = _noted(matches, report)
        pieces = hub.write(form, matches, report, replace(options, flavour=flavour))
        stage.write(output, packed_pieces(name or "", pieces))
        if strict:
            refuse(report.losses, None)
    report.warn_of_impossible()
    for warning in report.warnings:
        warnings.warn(visible(f"{redacted(name or '<output>')}: {warning}"), MjconvWarning, stacklevel=3)
    return report.losses


def _noted(matches: Iterable[Match], report: Report) -> Iterator[Match]:
    for number, match in enumerate(matches):
        note_impossible(match, number, report)
        yield match


def _open(path: FileName | FileBytes, form: str | None, *, wall: bool) -> Source:
    if not isinstance(path, str | os.PathLike):
        return _source_of(checked_bytes(path), form, wall=wall)
    name = os.fspath(path)
    return _source_of(read_bytes(name), form, redacted(name), wall=wall)


def _source_of(
    data: bytes, form: str | None, name: str | None = None, *, wall: bool, where: Where | None = None
) -> Source:
    with walls.using(wall):
        return source_of(data, form, name, where)


def _warned(source: Source, errors: OnError = "raise") -> Iterator[Reading]:
    """Read the matches of a source. The warnings and guesses of its reader become Python warnings.

    If `errors` is a function, it is called with the errors after which the reader knows what follows.
    """
    report = Report(mends=not isinstance(errors, str))
    issued = 0
    for reading in source.readings(report):
        issued = _warn(source, report, issued)
        if not isinstance(errors, str):
            for fault in report.faults:
                fault.error.file = fault.error.file or source.name
                errors(fault.error)
            report.faults.clear()
        yield reading
    _warn(source, report, issued)
    for (fate, what), count in report.summary().items():
        warnings.warn(visible(f"{source.name or '<input>'}: {what} {fate} ({count})"), MjconvWarning, stacklevel=3)


def _warn(source: Source, report: Report, issued: int) -> int:
    """Issue the warnings of a report from this index on, and return how many it has."""
    for warning in report.warnings[issued:]:
        warnings.warn(visible(f"{source.name or '<input>'}: {warning}"), MjconvWarning, stacklevel=4)
    return len(report.warnings)
