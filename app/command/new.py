"""The action of `mjconv new`: a file that is ready to type into."""

import datetime
import errno
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Final

from mjconv.command.typed import typed_source
from mjconv.converters import formats
from mjconv.converters.shared.sheet import Sheet
from mjconv.files.writing import check_writable, packed_for, write_bytes
from mjconv.ir.errors import UsageError, visible
from mjconv.options import Options

#: The Unicode categories of control characters, line ends, and bytes that are no text.
_CONTROLS: Final = frozenset({"Cc", "Zl", "Zp", "Cs"})
_SEATS: Final = ("east of the first round", "south", "west", "north")


class NewOptions(Options, frozen=True, kw_only=True):
    """The options of `mjconv new`. `players` are four names with commas between them; `like` is an older file."""

    file: str
    players: str | None = None
    date: str | None = None
    tournament: str | None = None
    place: str | None = None
    rules: str | None = None
    like: str | None = None


def make_file(options: NewOptions) -> None:
    """Write a new file; in a terminal, ask for names that are not given. Raises `MjconvError` and `OSError`."""
    path = options.file
    forms = [one for one in formats.FORMATS if "sheet" in one.code.typed and formats.has_extension(path, one)]
    if not forms:
        raise UsageError(f"{path} is no name of a file to type: new makes files in .jmjp, .uzje, .hk and .club")
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "Exists already, and new overwrites nothing", path)
    check_writable(path)
    like = None if options.like is None else typed_source(options.like)
    form = like.form if like is not None and like.form in forms else forms[0]
    if like is not None and like.form is not form:
        reason = f"{options.like} is {like.form.called}, and {path} is {form.called}: --like takes the same"
        raise UsageError(reason)
    players: Sequence[str] = ()
    if options.players is not None:
        players = [name.strip() for name in options.players.split(",")]
    elif like is None and all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        players = _asked(of_match="tsumo" in form.shows)
    sheet = Sheet(
        players=players,
        date=_date(options.date),
        tournament=options.tournament,
        place=options.place,
        rules=options.rules,
    )
    for text in (*players, options.tournament or "", options.place or ""):
        if any(unicodedata.category(char) in _CONTROLS for char in text):
            raise UsageError(f"'{visible(text)}' has a line break or another control character: leave it out")
    new_file = form.for_typed("sheet", "new_file")
    assert new_file is not None, "the format has sheets"
    write_bytes(path, packed_for(path, new_file(sheet, None if like is None else like.data)))


def _asked(*, of_match: bool) -> list[str]:
    """Ask for the names of the players, by the seats of a match; four empty answers leave them out."""
    names = []
    for number, seat in enumerate(_SEATS, 1):
        text = f"Player, {seat} (family name, then given name): " if of_match else f"Player {number}: "
        print(text, end="", file=sys.stderr, flush=True)
        names.append(sys.stdin.readline().strip())
    return names if any(names) else []


def _date(text: str | None) -> datetime.date | None:
    try:
        return None if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--date takes a date such as 2024-04-06, not {text!r}") from None
