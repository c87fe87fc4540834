"""Convert the bytes of one format to the bytes of another, without files and without a terminal."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct, field
from msgspec.structs import replace

from mjconv.converters import formats, hub
from mjconv.converters.interface import Format, Reading, WriteOptions
from mjconv.ir.errors import LossError, MjconvError, PlayError
from mjconv.ir.losses import REAL_LOSSES, Loss, Report, Warn
from mjconv.ir.match import House, Match
from mjconv.referee.findings import Finding
from mjconv.settings import walls
from mjconv.source import Source, checked_bytes, source_of


class Conversion(Struct, frozen=True):
    """The result of a conversion: the bytes of the output, the losses, and the warnings about the input.

    `findings` are the referee's warnings, if the caller asked for a check. `impossible` counts the events that no
    table allows; they are written as the input states them, where the target can hold them. `source` is the id of
    the format of the input, and `extension` the usual one of a file of the target, such as ``.jmjp``.
    """

    data: bytes
    losses: list[Loss] = field(default_factory=list)
    warnings: list[Warn] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    impossible: int = 0
    source: str = ""
    extension: str = ""

    @property
    def real_losses(self) -> list[Loss]:
        """The losses that no note carries: dropped, assumed, approximated."""
        return real_losses(self.losses)


def convert(
    data: bytes | bytearray | memoryview,
    *,
    source: str | None = None,
    target: str,
    plain: bool = False,
    fill: bool = False,
    lossy: bool = False,
    strict: bool = False,
    check: bool = False,
    verify: bool = False,
    file: str | None = None,
    wall: bool = True,
    seat: int | str | None = None,
    answers: bool = False,
) -> Conversion:
    r"""Convert the bytes of a file from the format `source` to the format `target`.

    Compressed bytes are decompressed. Both formats are ids or flavours. Without `source`, the format comes from
    the file name `file`, else from the contents. No file of that name is read; errors show it.

    `plain` leaves the notes out. `fill` writes derived values where the source has none. `lossy` hides tiles that
    the target does not know, instead of refusing them. With `strict`, a loss that is dropped, assumed or
    approximated raises `LossError`. With `check`, the referee checks the input: its errors raise `RefereeError`,
    its warnings are in `findings`. With `verify`, the output is read again and compared with the input: a
    difference that no loss names raises `VerifyError`. Without `wall`, the walls of rounds are not worked out from
    the seed of a game. With `seat`, the output is the in-game stream that the player at this seat receives;
    with `answers` too, it has the answers of this player.

    Raises `InputError` if the input breaks the rules of its format, `UnsupportedError` if the target cannot hold
    the match, `UsageError` for an unknown format, and `TypeError` if `data` is a text or a path.

    >>> log = b'{"type":"start_game","names":["A","B","C","D"]}\n{"type":"end_game"}\n'
    >>> convert(log, source="mjai", target="mjai-batch").data
    b'[{"type":"start_game","names":["A","B","C","D"]},{"type":"end_game"}]\n'
    >>> out = convert(log, target="jmjp")
    >>> out.source, out.extension
    ('mjai', '.jmjp')
    """
    form, flavour = formats.find(target)
    if verify:
        # Imported here: most conversions are not verified.
        from mjconv import verification

        verification.check_verifiable(form, seat)
    with walls.using(wall):
        opened = [source_of(checked_bytes(data), source, file)]
    findings = checked(opened) if check else []
    options = WriteOptions(flavour, plain, fill, lossy, seat, answers=answers)
    conversion = transcribe(opened, form, options)
    if strict:
        refuse(conversion.losses, file)
    if verify:
        matches = (reading.match for reading in opened[0].readings(Report()))
        plain = not form.writes_notes(options)
        verification.verify(matches, form, conversion.data, conversion.losses, plain=plain)
    extension = form.extension_for(flavour)
    return replace(conversion, findings=findings, source=opened[0].form.id, extension=extension)


def checked(sources: Sequence[Source], house: House | None = None) -> list[Finding]:
    """Return the referee's warnings about the sources. Raises `RefereeError` if it finds errors."""
    # Imported here: most conversions need no referee.
    from mjconv.validation.check import Wanted, refuse_wrong

    return refuse_wrong(sources, Wanted(house=house) if house else Wanted())


def transcribe(sources: Sequence[Source], form: Format, options: WriteOptions) -> Conversion:
    """Write the matches of all sources, one after another, as one file.

    Losses and warnings count the matches of all sources. With several sources, a warning names its source.
    """
    report = Report()
    data = b"".join(transcribed(sources, form, options, report))
    return Conversion(data, report.losses, report.warnings, impossible=report.impossible)


def transcribed(sources: Sequence[Source], form: Format, options: WriteOptions, report: Report) -> Iterator[bytes]:
    """Write the matches of all sources as one file, piece by piece. Losses and warnings go to `report`."""
    report.played = form.writer_plays
    # The writer may be one match behind the readers.
    last: deque[tuple[int, Reading, Source]] = deque(maxlen=2)
    with placing(last, sources[0].name if len(sources) == 1 else None):
        yield from hub.write(form, _matches(sources, report, last), report, options)


@contextmanager
def placing(readings: Iterable[tuple[int, Reading, Source]], file: str | None) -> Iterator[None]:
    """Give an error its file, and its place in one of these readings, by the number of its match."""
    try:
        yield
    except MjconvError as error:
        for number, reading, source in readings:
            if isinstance(error, PlayError) and error.place is None and error.at and error.at[0] == number:
                error.place, error.file = reading.locate(*error.at[1:], ""), source.name
        error.file = error.file or file
        raise


def _matches(
    sources: Sequence[Source], report: Report, last: deque[tuple[int, Reading, Source]]
) -> Iterator[Match]:
    """Yield the matches of all sources in order. `last` gets each reading, and `report` what readers report."""
    number = 0
    for source in sources:
        before, own = number, Report(played=report.played)
        for reading in source.readings(own):
            last.append((number, reading, source))
            number += 1
            yield reading.match
        report.impossible += own.impossible
        report.losses += shifted(own.losses, before)
        for warning in own.warnings:
            match = None if warning.match is None else warning.match + before
            several = source.name and len(sources) > 1
            message = f"{warning.message} (in {source.name})" if several else warning.message
            report.warnings.append(replace(warning, match=match, message=message))


def shifted(losses: Iterable[Loss], matches: int) -> list[Loss]:
    """Return losses with their match numbers increased by `matches`.

    >>> shifted([Loss("dora", "dropped", match=0)], 2)[0].match
    2
    """
    return [loss if loss.match is None else replace(loss, match=loss.match + matches) for loss in losses]


def real_losses(losses: Iterable[Loss]) -> list[Loss]:
    """Return the losses that no note carries."""
    return [loss for loss in losses if loss.fate in REAL_LOSSES]


def refuse(losses: Iterable[Loss], file: str | None) -> None:
    """Raise `LossError` if one of the losses is dropped, assumed or approximated."""
    counts = Counter((loss.fate, loss.what) for loss in real_losses(losses))
    if counts:
        lost = ", ".join(f"{number} x {what} {fate}" for (fate, what), number in counts.items())
        raise LossError(f"the conversion would lose: {lost}", file=file)
