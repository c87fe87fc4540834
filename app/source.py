"""The source of a conversion: the bytes of a file and their format; and the format of an output."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from msgspec import Struct, field

from mjconv import encoding
from mjconv.converters import formats, hub
from mjconv.converters.interface import HEAD, Format, Reading
from mjconv.files.address import redacted
from mjconv.files.reading import ONLY_SCORED, SPREADSHEETS, one_file, unpack
from mjconv.ir.errors import InputError, MjconvError, Place, UsageError
from mjconv.ir.losses import Report, Warn
from mjconv.ir.match import Match
from mjconv.ir.suggestion import did_you_mean
from mjconv.settings import Anonymity, anonymity, walls

if TYPE_CHECKING:
    from mjconv.archive.where import Filter

FileName: TypeAlias = str | os.PathLike[str]

#: The beginning of a page of HTML.
_WEB_PAGE: Final = re.compile(rb"(?i)(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html[\s>])")


def names_in(source: FileName | Iterable[FileName]) -> list[str]:
    """Return one name, or several, as a list of texts. Raises `TypeError` for the bytes of a file."""
    if isinstance(source, bytes | bytearray | memoryview):
        raise TypeError("expected names of files, not the bytes of one: mjconv.read_all reads bytes")
    several = [source] if isinstance(source, str | os.PathLike) else source
    return [os.fspath(name) for name in several]


class Source(Struct, frozen=True):
    """The bytes of a file, decompressed, and their format. `name` is the name of the file in errors.

    `walls` says whether the reader works walls out from the seeds of games. `where` keeps some matches only.
    With `anonymity`, the matches are made anonymous after that.
    """

    data: bytes
    form: Format
    name: str | None = None
    walls: bool = field(default_factory=walls.current)
    where: Filter | None = None
    anonymity: Anonymity | None = field(default_factory=anonymity.current)

    def readings(self, report: Report) -> Iterator[Reading]:
        """Read the matches one by one.

        If not `report.played`, counts the impossible events, and warns of the first. Raises `InputError`, with the
        name of the file, if the input breaks the rules of its format or has no match.
        """
        matches, warned = 0, len(report.warnings)
        report.walls = self.walls
        report.quotes = self.anonymity is None
        pseudonyms = None
        if self.anonymity is not None:
            # Imported here: few runs are anonymous.
            from mjconv.pseudonyms import Pseudonyms

            pseudonyms = Pseudonyms(self.anonymity)
        try:
            for reading in hub.read(self.form, self.data, report):
                matches += 1
                if self.where is not None and not self.where.keeps(reading.match, self.form, self.name):
                    continue
                if pseudonyms is not None:
                    reading = reading._replace(match=pseudonyms.match(reading.match))
                if not (report.played or self.form.reader_plays):
                    # Imported here: most conversions play the events in their writer.
                    from mjconv.converters.shared.impossible import note_impossible

                    note_impossible(reading.match, matches - 1, report, reading.locate)
                yield reading
        except MjconvError as error:
            error.file = error.file or self.name
            if type(error) is InputError:
                self.explain(error)
            raise
        report.warn_of_impossible()
        if not matches:
            none = f"there is no match in it; expected a record in {self.form.id}"
            message = "no game is typed yet" if "sheet" in self.form.code.typed else none
            # A warning names the reason, such as a slip in the header of the only game.
            odd = next(iter(report.warnings[warned:]), Warn(message))
            raise InputError(odd.message, Place(odd.line or 1, odd.column or 1, "", self.name))

    def explain(self, error: InputError) -> None:
        """Name the format of the contents, if it is another one. Raise another error if the text is not UTF-8."""
        # Imported here: only an error needs it.
        from mjconv.encoding_guess import refuse_other

        refuse_other(self.data, self.name)
        unknown = "not JSON" in error.message or "a message" in error.message
        found = formats.recognise(self.data)
        if found is None and unknown and self._is_json():
            error.message = "this is JSON, but no record of a format that mjconv knows; mjconv formats lists them"
        elif found is not None and not self.form.recognise(self.data[:HEAD]):
            error.message += f"; the contents are in {found.id}: --from {found.id} reads them"
        if "not UTF-8" in error.message:
            error.message += f"; {encoding.HINT}"

    def _is_json(self) -> bool:
        """Return whether the whole file is one JSON value."""
        try:
            msgspec.json.decode(self.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return True


class Record(Struct, frozen=True, repr_omit_defaults=True):
    """A match, the name of its file, and its number in that file.

    `source` is the path of the file, or of the member of an archive: ``logs.zip/day/1.mjson``. Bytes of the path
    that are not UTF-8 are written as escapes. `index` is the number of the match in the file, from 0. `format`
    is the id of its format, if it is known.

    >>> Record("game.mjson", 0, Match())
    Record(source='game.mjson', index=0, match=<Match: 4 players, 0 rounds, 0 events>)
    """

    source: str
    index: int
    match: Match
    format: str | None = None


def source_of(
    data: bytes, source: str | None = None, name: str | None = None, where: Filter | None = None
) -> Source:
    """Decompress data and find its format: `source`, else by the file name, else by the contents.

    A text in the encoding in force becomes UTF-8. Raises `UsageError` if the format is unknown, and `InputError`
    for empty data or another encoding. `where` keeps some of the matches.
    """
    data = encoding.as_utf8(unpack(data, name), name)
    if not data.strip():
        raise InputError("the file is empty; expected a record", Place(1, 1, "", name))
    if _WEB_PAGE.match(data) is not None and formats.recognise(data[:HEAD]) is None:
        reason = "is a web page and no record, probably of a failed download"
        raise InputError(f"{reason}; docs/get-records.md explains how to get records", file=name)
    if source is not None:
        return Source(data, formats.find(source)[0], name, where=where)
    form = formats.of_file(name or "", data[:HEAD])
    if form is None:
        from mjconv.encoding_guess import refuse_other

        refuse_other(data, name)
        # An archive in the bytes that a caller passed, or in data that is compressed twice.
        one_file(data, name or "")
        if (name or "").lower().endswith(SPREADSHEETS):
            raise UsageError(f"{name} {ONLY_SCORED}")
        known, meant, file = ", ".join(formats.names_for(name or "")), _meant(name or ""), name or "the input"
        reason = f"the format of {file} is not clear from its name or its contents"
        raise UsageError(f"{reason}; --from names it, one of {known}{meant}")
    return Source(data, form, name, where=where)


def checked_bytes(data: object) -> bytes:
    """Return the bytes of a file that a caller passed. Raises `TypeError` for anything else, such as a text.

    >>> checked_bytes("A B C D")
    Traceback (most recent call last):
    TypeError: the data must be the bytes of a file, not str; for a text, pass text.encode()
    """
    if isinstance(data, bytes):
        return data
    if isinstance(data, bytearray | memoryview):
        return bytes(data)
    of_text, of_file = "for a text, pass text.encode()", "for a file, pass Path(name).read_bytes()"
    hint = of_text if isinstance(data, str) else of_file
    raise TypeError(f"the data must be the bytes of a file, not {type(data).__name__}; {hint}")


def target_of(target: str | None, path: str, others: Collection[str] = ()) -> tuple[Format, str]:
    """Return the format and flavour to write: `target`, else by the name of the output.

    Raises `UsageError` if the format is unknown. The error may propose one of `others`, the targets of other
    commands.

    >>> form, flavour = target_of("mjai-batch", "game.json")
    >>> form.id, flavour
    ('mjai', 'mjai-batch')
    """
    if target is not None:
        return formats.find(target, others)
    named = formats.by_extension(path)
    if len(named) == 1:
        return named[0]
    known, meant = ", ".join(formats.names_for(path)), _meant(path)
    reason = f"the format to write is not clear from the name {redacted(path)!r}"
    raise UsageError(f"{reason}; --to names it, one of {known}{meant}")


def _meant(path: str) -> str:
    """Return the end of a message that names the extension that a misspelt one probably means."""
    extension, known = os.path.splitext(path)[1].lower(), formats.known_extensions()
    return did_you_mean(extension, known) if extension and extension not in known else ""
