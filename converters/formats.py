"""The one table of the notations.

To add a format: write the package ``converters/<id>/`` and add its line to `FORMATS`, at the end of this file. The
package has three modules, each loaded when first used:

- ``reader.py``: ``read(data: bytes, report: Report, flavour: str) -> Iterator[Match]``, and
  ``places(data: bytes, *, lenient: bool = False) -> Finder``, which tells where in the data an event stands
- ``writer.py``: ``write(matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes``
- ``detect.py``: ``recognise(head: bytes) -> bool``, told by the first `HEAD` bytes of a file

Nothing else names a format: neither the library, nor the command line, nor another format.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Final, Protocol, TypeAlias, cast

from mjconv.converters.bounds import bounded
from mjconv.converters.options import WriteOptions
from mjconv.ir.errors import Place, UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match

#: How many bytes from its beginning a file is recognised by.
HEAD: Final = 64 * 1024

#: The endings of packed files.
PACKED: Final = (".gz", ".zst", ".xz", ".bz2")

Recogniser: TypeAlias = Callable[[bytes], bool]
#: Takes match, round and event, counted from 0 in what was read, and gives where in the data that event stands.
#: An event that the round has not, such as -1, stands where the round does; what a note restored, where that does
#: which the note belongs to. A match or round that is not there has no place.
Finder: TypeAlias = Callable[[int, int, int], Place | None]


class Reader(Protocol):
    """Reads matches one by one; raises `InputError` where the input is not what the format allows.

    With a lenient report it goes on as well as it can: what cannot be read is a fault of the report and left out,
    a round of which nothing can be read is an empty `Round` in its place.
    """

    def __call__(self, data: bytes, report: Report, flavour: str = "") -> Iterator[Match]:
        """Read `data`, the whole file, decompressed."""


class Places(Protocol):
    """Reads the data once, to find many places in it: as they are counted after a lenient reading, or a strict."""

    def __call__(self, data: bytes, *, lenient: bool = False) -> Finder:
        """Read `data`, the whole file, decompressed; raises as the reader does."""


class Writer(Protocol):
    """Writes matches as one file; raises `UnsupportedError` where the format cannot hold one."""

    def __call__(self, matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
        """Write `matches`."""


@dataclass(frozen=True)
class Format:
    """One notation: its id, what it is, its file names, its flavours.

    `extensions` are those of its files, the usual one first, each with the flavour that a file of that name is
    written in (empty: the usual one). `shared` are those of them that other kinds of files have too. `flavours`
    are described in one line each. `aliases` are other names of the format itself. `keys` are keys of events as
    the format spells them somewhere behind where it says the event, before what ends it, `key_end`.
    `one_match_a_line` are the flavours that write each match as exactly one line. `score_table` is the module of
    the package that adds up the games of its files (see `mjconv.score.ScoreModule`), empty if there is none.
    """

    id: str
    description: str
    extensions: dict[str, str]
    flavours: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    keys: dict[str, str] = field(default_factory=dict)
    key_end: str = ""
    one_match_a_line: tuple[str, ...] = ()
    score_table: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All names that `find` knows it by."""
        return (self.id, *self.aliases, *self.flavours)

    @property
    def read(self) -> Reader:
        """The reader, loaded on first use, within the limits (`mjconv.ir.limits`)."""
        return bounded(cast(Reader, self._load("reader", "read")), lambda: self.places)

    @property
    def write(self) -> Writer:
        """The writer, loaded on first use."""
        return cast(Writer, self._load("writer", "write"))

    @property
    def places(self) -> Places:
        """Finds where events that were read stand in the data, loaded on first use."""
        return cast(Places, self._load("reader", "places"))

    def locate(self, data: bytes, match: int, round: int, event: int) -> Place | None:  # noqa: A002
        """Find where one event that was read stands in the data: see `Finder`."""
        return self.places(data)(match, round, event)

    @property
    def recognise(self) -> Recogniser:
        """Tells whether the first bytes of a file are of this format, loaded on first use."""
        return cast(Recogniser, self._load("detect", "recognise"))

    def load_score_table(self) -> object:
        """Load the module that adds up the games of its files."""
        return import_module(f"mjconv.converters.{self.id}.{self.score_table}")

    def extension_for(self, flavour: str) -> str:
        """Return the usual file extension of a flavour, or of the format if the flavour has none of its own."""
        own = [extension for extension, usual in self.extensions.items() if usual == flavour]
        return (own or list(self.extensions))[0]

    def _load(self, module: str, name: str) -> object:
        return getattr(import_module(f"mjconv.converters.{self.id}.{module}"), name)


def find(name: str) -> tuple[Format, str]:
    """Find a format by its id, an alias or a flavour: the format, and the flavour (or an empty string).

    Raises `UsageError` for an unknown name, listing the known ones.

    >>> form, flavour = find("jmjp-0")
    >>> form.id, flavour
    ('jmjp', 'jmjp-0')
    """
    wanted = name.strip().lower()
    for form in FORMATS:
        if wanted in form.names:
            return form, wanted if wanted in form.flavours else ""
    raise UsageError(f"unknown format {name!r}{_suggestion(wanted)}; known are {', '.join(known_names())}")


def known_names() -> list[str]:
    """List the ids and flavours of all formats, as `find` takes them.

    >>> "mjai" in known_names()
    True
    """
    return [name for form in FORMATS for name in (form.id, *form.flavours)]


def by_extension(path: str, *, reading: bool = False) -> list[tuple[Format, str]]:
    """List the formats that a file name tells, each with the flavour written under such a name.

    An ending such as ``.gz`` is looked through. Of a file that is there, for `reading`, an extension tells nothing
    that other kinds of files have too.

    >>> [(form.id, flavour) for form, flavour in by_extension("game.MJSON.gz")]
    [('mjai', '')]
    """
    stem, extension = os.path.splitext(path.lower())
    if extension in PACKED:
        extension = os.path.splitext(stem)[1]
    return [
        (form, form.extensions[extension])
        for form in FORMATS
        if extension in form.extensions and not (reading and extension in form.shared)
    ]


def recognise(head: bytes, among: Iterable[Format] | None = None) -> Format | None:
    r"""Tell the format by the first `HEAD` bytes of a file, decompressed; none if no format knows them.

    >>> recognise(b"\x00\x01") is None
    True
    """
    return next((form for form in (FORMATS if among is None else among) if form.recognise(head[:HEAD])), None)


def _suggestion(wanted: str) -> str:
    # Loaded here: a spelling mistake is rare, and every start of the command would pay for the import.
    from difflib import get_close_matches

    close = get_close_matches(wanted, [name for form in FORMATS for name in form.names])
    # Of names equally near an id is likelier meant than an alias.
    ids = [name for name in close if any(name == form.id for form in FORMATS)]
    return f", did you mean {(ids or close)[0]!r}?" if close else ""


#: The keys of mjai's messages that may be wrong by themselves.
_KEYS: Final = (
    "pai consumed tsumogiri deltas scores tehais hora_tehais hora_points oya honba kyotaku "
    "ura_markers uradora_markers"
)

#: All formats. An order matters only where two recognise the same bytes: the first is taken.
FORMATS: tuple[Format, ...] = (
    Format(
        "mjai",
        "JSON lines for mahjong programs, one message an event",
        extensions={".mjson": "", ".jsonl": "", ".json": "mjai-batch"},
        flavours={
            "mjai-riichienv": "as RiichiEnv reads it: kita for nukidora",
            "mjai-batch": "one JSON array of messages a match, a line each",
        },
        aliases=("mjson",),
        keys={key: f'"{key}"' for key in _KEYS.split()},
        key_end="}",
        one_match_a_line=("mjai-batch",),
    ),
    Format(
        "jmjp",
        "paifu text of the Japanese Mahjong Paifu standard, version 1.0",
        extensions={".jmjp": ""},
        flavours={"jmjp-0": "version 0 of the standard"},
        aliases=("jmjp-1",),
        keys={"deltas": "pfe[", "scores": "pfs["},
        key_end="frm[",
    ),
    Format(
        "uzje",
        "Ùzje replay notation, as the UJMJ engine reads it: the whole wall, and turns",
        extensions={".uzje": ""},
        flavours={
            "uzje-long": "every player and draw written out",
            "uzje-commands": "the engine's command strings for turns",
        },
        aliases=("ujmj",),
    ),
    Format(
        "hk",
        "scores by Hong Kong rules, one line a game",
        extensions={".hk": "", ".txt": ""},
        shared=(".txt",),
        score_table="tally",
    ),
)
