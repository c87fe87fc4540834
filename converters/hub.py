"""The hub: reads the bytes of a file as matches, and writes matches as the bytes of a file.

``bytes -> read -> Reading -> prepare -> render -> Rendered -> carry -> bytes``
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from mjconv.converters.interface import EVERY_SEAT, Format, Reading, WriteOptions
from mjconv.converters.shared.bounds import bounded
from mjconv.ir.errors import MjconvError, PlayError, UnsupportedError
from mjconv.ir.losses import ORIGINAL, Report
from mjconv.ir.match import Match

Item = TypeVar("Item")

#: An error of a writer about a part of its match begins with one of these words.
_INSIDE: Final = ("round ", "opening", "closing")


def read(form: Format, data: bytes, report: Report) -> Iterator[Reading]:
    r"""Read the matches of a file one by one, within the limits. Raises as `Reader` does, and `LimitError`.

    >>> from mjconv.converters.formats import find
    >>> [reading] = read(find("hk")[0], b"A B C D\n- 2 d -\n", Report())
    >>> len(reading.match.rounds)
    1
    """
    if not form.reads:
        raise UnsupportedError(f"{form.called} is written only: there is no reader of it")
    return bounded(form, data, report)


def read_matches(form: Format, data: bytes, report: Report) -> list[Match]:
    r"""Read all matches of a file, as `read` does, without their places.

    >>> from mjconv.converters.formats import find
    >>> len(read_matches(find("hk")[0], b"A B C D\n- 2 d -\n", Report()))
    1
    """
    return [reading.match for reading in read(form, data, report)]


def write(form: Format, matches: Iterable[Match], report: Report, options: WriteOptions) -> Iterator[bytes]:
    r"""Write matches as one file, part by part, and report what each of them loses.

    One match and the next one are in memory. Raises `UnsupportedError` where the format cannot hold a match, or no
    match at all, and `PlayError` where events cannot be played.

    >>> from mjconv.converters.formats import find
    >>> from mjconv.ir.events import EndGame, StartGame
    >>> game = Match(opening=[StartGame()], closing=[EndGame()])
    >>> b"".join(write(find("mjai")[0], [game], Report(), WriteOptions()))
    b'{"type":"start_game"}\n{"type":"end_game"}\n'
    """
    if not (form.writes or form.original == "only"):
        raise UnsupportedError(f"{form.called} is read only: there is no writer of it")
    before: object = None
    number = -1
    for number, ((match, seat), last) in enumerate(_with_last(_seated(matches, options.seat))):
        own = replace(options, seat=seat)
        if own.flavour in form.files.one_match_a_file and not (number == 0 and last):
            kind = own.flavour or form.called
            message = f"a file of {kind} holds one match: `mjconv split` writes each match to its own file"
            raise UnsupportedError(message)
        match, unchanged = _with_original(form, match, report, own, number)
        if unchanged is None:
            parts, before = _written_anew(form, match, before, last, own, report, number)
            yield from parts
        else:
            yield unchanged
            before = None
    if number < 0:
        if form.files.empty is None:
            raise UnsupportedError(f"a file of {form.called} holds at least one match, and there is none to write")
        yield form.files.empty


def _written_anew(
    form: Format, match: Match, before: object, last: bool, options: WriteOptions, report: Report, number: int
) -> tuple[list[bytes], object]:
    """Return the text of a match with its notes, and `Rendered.after`. Reports the losses."""
    # Imported here: a start of the command that writes nothing needs no notes and no points.
    from mjconv.converters.shared.carry import carry, read_back
    from mjconv.converters.shared.prepare import prepare

    prepared = prepare(match, form, options, number, report)
    try:
        rendered = form.render(prepared.match, before, last, options)
        reading = read_back(form, rendered, match)
    except MjconvError as error:
        _name_match(error, number)
        if isinstance(error, UnsupportedError) and not options.lossy:
            hidden = prepare(match, form, replace(options, lossy=True), number).match
            if hidden is not match and _is_held(form, hidden, before, last, options):
                error.message += f"; --lossy hides the tiles that {form.called} lacks"
        raise
    changed = prepared.match is not match
    parts = carry(match, rendered, reading, form, options, report, number, scale=prepared.scale, changed=changed)
    return parts, rendered.after


def _seated(matches: Iterable[Match], wanted: int | str | None) -> Iterator[tuple[Match, int | str | None]]:
    """Yield each match with the seat whose stream is written; for all seats, once for each."""
    for match in matches:
        seats: Iterable[int | str | None] = range(match.seats) if wanted == EVERY_SEAT else (wanted,)
        for seat in seats:
            yield match, seat


def _is_held(form: Format, match: Match, before: object, last: bool, options: WriteOptions) -> bool:
    """Return whether a format can hold a match."""
    try:
        form.render(match, before, last, options)
    except MjconvError:
        return False
    return True


def _with_original(
    form: Format, match: Match, report: Report, options: WriteOptions, number: int
) -> tuple[Match, bytes | None]:
    """Return the match, with the original that a note may carry; and the original's bytes if they are the output.

    An original that is neither carried nor written is one loss. Raises `UnsupportedError` where the format writes
    unchanged originals only, and this match has none.
    """
    original = match.original
    if original is None and form.original != "only":
        return match, None
    from mjconv.converters.formats import by_id
    from mjconv.converters.shared import originals

    reason = None
    if original is not None and options.seat is not None:
        reason = "it shows all hands"
    elif original is not None and original.flavour == form.id and not options.flavour:
        if options.plain or options.lossy or options.fill:
            reason = "the record is written anew"
        elif originals.is_unchanged(form, match):
            several = "" not in form.files.one_match_a_file
            return match, original.data + b"\n" if several else original.data
        else:
            reason = "the record was changed"
    elif original is not None and options.checked:
        own = by_id(original.flavour)
        if own is not None and not originals.is_unchanged(own, match):
            reason = "the match was changed since it was read"
    if form.original == "only":
        raise UnsupportedError(
            f"{form.called} is written only as the unchanged record that a match was read from: "
            f"{reason or f'match {number + 1} has no such record'}"
        )
    if reason is None:
        return match, None
    report.lose(ORIGINAL, "dropped", match=number, detail=reason)
    return originals.without(match), None


def written(form: Format, matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
    """Return the bytes that `write` yields."""
    return b"".join(write(form, matches, report, options))


def _name_match(error: MjconvError, number: int) -> None:
    """Put the number of the match into an error of its writer, which does not know it."""
    joint = ", " if error.message.startswith(_INSIDE) else ": "
    error.message = f"match {number + 1}{joint}{error.message}"
    if isinstance(error, PlayError) and error.at is not None:
        error.at = (number, *error.at[1:])


def _with_last(matches: Iterable[Item]) -> Iterator[tuple[Item, bool]]:
    """Yield each item, and whether it is the last one.

    An error in getting the next item is raised after the item before it was yielded.
    """
    items = iter(matches)
    held: Any = next(items, None)
    while held is not None:
        following = None
        try:
            following = next(items, None)
        except Exception:
            yield held, False
            raise
        yield held, following is None
        held = following
