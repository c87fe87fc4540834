"""What a format is: what it declares, what its reader yields, what its writer returns.

A format is one `Format` value in the table of `mjconv.converters.formats`, or in the table of another package. The
formats of this package declare theirs in a file ``format.json`` beside their modules. A reader yields a
`Reading` for each match, a writer returns a `Rendered` for each match. Everything around them is done by
`mjconv.converters.hub`: limits, preparation, losses, and notes.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, Protocol, Self, TypeAlias, cast

from msgspec import Struct, field

from mjconv.ir.catalogue import catalogue
from mjconv.ir.errors import InputError, Place
from mjconv.ir.losses import Fate, Report
from mjconv.ir.match import House, Match
from mjconv.ir.spelling import PLAIN, Spelling

#: The number of bytes from the beginning of a file by which a format recognises it.
HEAD: Final = 64 * 1024

#: Takes the index of a round, or None for the match; the index of an event, or -1 for the round itself; and the
#: key of an event (``deltas``), or an empty string. Returns the place. For an index that is no event of the round,
#: returns the place of the round. A reading of the hub returns None if the match has no such round; it asks the
#: format for the others alone. A key ``answers.3`` is the answer of index 3 of the round, which follows the event:
#: in a text that shows no answers, its place is the event's.
Locate: TypeAlias = Callable[[int | None, int, str], Place | None]
Recogniser: TypeAlias = Callable[[bytes], bool]

#: The keys that a kind of event shows in the plain text of a format; None for all keys.
Keys: TypeAlias = frozenset[str] | None

#: What may come before the text of a file: a byte order mark, and blanks.
_BEFORE: Final = rb"(?:\xef\xbb\xbf)?\s{0,4096}"


def has_marks(marks: Sequence[str], head: bytes) -> bool:
    """Return whether the first bytes of a file have the marks of a format (`Files.marks`).

    >>> has_marks(("[{[]", '"publicObservation":'), b'{"publicObservation":{}}')
    True
    """
    # Python keeps the compiled patterns.
    first, *others = (mark.encode() for mark in marks)
    return bool(re.match(_BEFORE + first, head)) and all(re.search(mark, head) for mark in others)


class Reading(NamedTuple):
    """One match that was read, and where its events are in the data.

    `locate` is computed lazily, and is valid as long as the reading is kept.
    """

    match: Match
    locate: Locate


class Remark(Struct, frozen=True, gc=False):
    """Describe a loss that a writer knows of: its name, its event, its fate, and a detail in words.

    If the hub finds a loss with the same name and event, the loss gets the fate and the detail of the remark.
    Otherwise the hub reports the remark as a loss of its own: the loss of a value that a hint restores.
    """

    what: str
    event: int | None = None
    fate: Fate = "carried"
    detail: str | None = None


class Part(Struct):
    """One part of the plain text of a match: its head, a round, or its tail.

    The digest in a note of this part is the digest of its `words`: of the bytes that `tokens` returns, or of
    `text` if `tokens` is None. `outside` returns what the lines outside the part state about it, such as the date
    in force. A note must contradict neither. `Format.place_note` puts the note at `offset` in `text`; None is the
    end of the text. A head without text takes a note only if its `offset` is 0. If `in_tail` is true, the note is
    put into the next part whose `in_tail` is false. `hints` are values that the reader must know before it reads
    the part, such as the dealer or the places of red fives: the note carries them. `remarks` are the losses that
    they restore; if it is None, there is one for each hint. A round without text is left out of the file.
    `note_seats` is the number of players whose events the reader takes from a note of this part, 0 for those of
    mjai: then the note is checked before it is written. If it is None, only a note with a whole round is checked.
    """

    text: bytes
    tokens: Callable[[], bytes] | None = None
    offset: int | None = None
    hints: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[Remark] | None = None
    in_tail: bool = False
    outside: Callable[[], bytes] | None = None
    note_seats: int | None = None

    def words(self) -> bytes:
        """Return the words of the part, without its layout and its comments."""
        return self.text if self.tokens is None else self.tokens()

    def compared(self) -> tuple[bytes, bytes]:
        """Return what the check of notes compares: the words, and what the lines outside state about the part."""
        return self.words(), b"" if self.outside is None else self.outside()


class Rendered(NamedTuple):
    """A match as plain text: the head, one part for each round, and the tail.

    `parts` has the head, exactly one part for each round, and the tail, even if head or tail are empty. `reads_as`
    returns the match that the reader makes of this text and its hints, with a round for each part. It raises
    `UnsupportedError` if the reader refuses the text. The hub calls it at most once, and only to find the losses.
    If it is None, the hub reads the text. `after` is any value that the writer needs to write the next match of
    the file.
    """

    parts: Sequence[Part]
    reads_as: Callable[[], Match] | None = None
    after: object = None


#: The error about `answers` without `seat`.
ANSWERS_NEED_SEAT: Final = "--answers needs --seat: it keeps the answers of one player in their stream"
#: The value of `seat` that means all seats: the streams of a match are written one after another.
EVERY_SEAT: Final = "all"


class WriteOptions(Struct, frozen=True):
    """How to write.

    `flavour` is the format's variant (``jmjp-0``), empty for the usual one. `plain` leaves out the notes. `fill`
    writes derived values that the source does not state. `lossy` hides tiles that the target cannot express;
    without it, a match with such tiles is refused. With `seat`, the stream that the player at this seat receives
    is written, without notes; it is a number from 0, a first wind, or the name of the player. With `answers`,
    the stream has the answers of this player. With `checked`, the note of a match carries its original only if
    that still reads as the match: for callers that may have changed the match. `rounds` are the indices of the
    rounds whose words the check of notes compares, None if no notes are checked. A writer may leave the parts of
    other rounds empty, and the texts of parts that have `Part.tokens`.
    """

    flavour: str = ""
    plain: bool = False
    fill: bool = False
    lossy: bool = False
    seat: int | str | None = None
    checked: bool = False
    answers: bool = False
    rounds: Collection[int] | None = None


class Reader(Protocol):
    """Reads the matches of a file one by one.

    Raises `InputError` with its place if the format does not allow the input. With a lenient report it continues:
    it reports each error as a fault and leaves out the input that it cannot read. If nothing of a round can be
    read, it puts an empty `Round` in its place.
    """

    def __call__(self, data: bytes, report: Report) -> Iterator[Reading]:
        """Read `data`, the whole file, decompressed."""


class Writer(Protocol):
    """Writes one match as plain text.

    `before` is the `Rendered.after` of the match before it in the file, None for the first match. If `last`, no
    match follows. Raises `UnsupportedError` if the format cannot hold the match, and `PlayError` if its events
    cannot be played.
    """

    def __call__(self, match: Match, before: Any, last: bool, options: WriteOptions) -> Rendered:
        """Write `match`, which `mjconv.converters.shared.prepare` made ready for the format."""


#: Returns the text of a part with a note in it, which is JSON on one line.
PlaceNote: TypeAlias = Callable[[Part, bytes], bytes]


class PointUnit(NamedTuple):
    """The smallest unit of points that a format writes, and the name of the loss where points are scaled."""

    step: int
    loss: str


class Files(Struct, frozen=True, forbid_unknown_fields=True):
    """The files of a format.

    `extensions` maps their extensions, the usual one first, to the flavour that is written under that extension
    (empty: the usual one). `of_flavours` maps a flavour that the extension does not choose to the extension of its
    files: a flavour that is asked for by name is written under it. `shared` lists the extensions that other kinds
    of files have too.

    `marks` are regular expressions, as `str`, by which the format is recognised, so that it needs no module
    `detect`: the first matches at the beginning, after a byte order mark and blanks, and each other anywhere in
    the first `HEAD` bytes. `empty` are the bytes of a file without a match, None where there is no such file.
    `one_match_a_line` are the flavours that write each match as exactly one line. `one_match_a_file` are those
    whose files hold one match (an empty string: the usual one).
    """

    extensions: Mapping[str, str]
    of_flavours: Mapping[str, str] = field(default_factory=dict)
    shared: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    empty: bytes | None = None
    one_match_a_line: tuple[str, ...] = ()
    one_match_a_file: tuple[str, ...] = ()


class Code(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the code of a format is.

    `package` is the package with the modules `reader` (`read`), `writer` (`render`, `place_note`) and `detect`
    (`recognise`); each is imported when it is first used. If it is empty, it is ``mjconv.converters.<id>``.
    `module` is one module that holds all of them instead.

    `typed` are the modules of the package for texts that people type: `tidy` has `tidied`, `tokens` and perhaps
    `rearranged`; `fill` has `filled`; `sheet` has `new_file`; `editing` has what editors ask for. `score_table` is
    the module with the games of score tables (`games_in`) and with `spell`, empty where there is none.

    `spelling` is the module with `SPELLING`: how messages about the format's files spell players and tiles. If it
    is empty, they are spelled as in the hub. If the format has several syntaxes, the module also has
    `spelling_of`: it takes the first `HEAD` bytes of a file, decompressed, and returns the spelling of its syntax.
    """

    package: str = ""
    module: str = ""
    typed: tuple[str, ...] = ()
    spelling: str = ""
    score_table: str = ""


class Holds(Struct, frozen=True, forbid_unknown_fields=True):
    """The matches that a format holds.

    `seats` are the numbers of players, `tiles` the set of tiles. `games` are the traditions of play; empty for
    all. A match that states another one is refused. `house` are the house rules of its matches that do not state
    them (`Match.house`). `points` is None where the format needs no points. `in_game` is true if it holds the
    stream that one player of a game receives (`WriteOptions.seat`).
    """

    seats: tuple[int, ...] = (4,)
    tiles: Literal["riichi", "all"] = "riichi"
    games: tuple[str, ...] = ()
    house: House = House()
    points: PointUnit | None = None
    in_game: bool = False

    def has(self, game: str) -> bool:
        """Return whether matches of a game are among them.

        >>> Holds().has("mcr"), Holds(games=("riichi",)).has("mcr")
        (True, False)
        """
        return not self.games or game in self.games


class Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """The notes in the texts of a format: which flavours have none.

    `plain_fives` are keys with tiles. The text shows these tiles, but it does not show which fives are red. A note
    that changes only the colour of fives is not checked.
    """

    without: tuple[str, ...] = ()
    plain_fives: frozenset[str] = frozenset()


class Platform(Struct, frozen=True, forbid_unknown_fields=True):
    """The platform whose games alone the records of a format are.

    `id` is empty for any. `open_room` is the room of a record that states no other room. `dated_id` is a pattern
    of identifiers of the platform. Its group ``id`` is the identifier, and ``moment`` is its date and hour as ten
    digits.
    """

    id: str = ""
    open_room: str = ""
    dated_id: str = ""


class Format(Struct, frozen=True, forbid_unknown_fields=True):
    """One notation: its id, its description, its files, what it can hold, and where its code is.

    `flavours` maps each flavour to a description of one line. `name` is its name in a sentence, if that is not the
    id. `aliases` are other names that it is found by. `owner` is the person, project or site whose notation it is.

    A format that is only written has no reader (`reads` is false), and a format that is only read has no writer
    (`writes` is false). `reader_plays` and `writer_plays` are true if the reader or the writer refuses play that
    no table allows. If neither does, the hub plays the events, and warns of the first impossible one.

    `notes` is None if its text has no place for notes. `original` is ``kept`` if its usual flavour keeps the
    record itself: its reader sets `Match.original`, with the id of the format as flavour, unless a note restores
    an original. It is ``only`` if the format also writes nothing else than unchanged originals: it needs no
    `render`.

    `shows` maps the kinds of events that the plain text states to their keys in the text; ``round`` and ``match``
    map to fields of a round and of a match. A note that changes any of them is checked against the text.
    ``extras`` are the format's own part of the extras. If it shows a part of ``players``, ``rules`` or
    ``annotations``, these map to the fields of players and rules, and the kinds of annotations, in the text.
    """

    id: str
    description: str
    files: Files
    code: Code = Code()
    name: str = ""
    flavours: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    owner: str = ""
    platform: Platform = Platform()
    holds: Holds = Holds()
    reads: bool = True
    writes: bool = True
    reader_plays: bool = False
    writer_plays: bool = False
    notes: Notes | None = Notes()
    original: Literal["", "kept", "only"] = ""
    shows: Mapping[str, Keys] = field(default_factory=dict)

    @classmethod
    def declared(cls, package: str) -> Self:
        """Return the format that the file ``format.json`` of a package declares."""
        return catalogue(package, "format.json", cls)

    @property
    def names(self) -> tuple[str, ...]:
        """All names that the table of formats finds it by."""
        return (self.id, *self.aliases, *self.flavours)

    @property
    def called(self) -> str:
        """The name of the format in a sentence."""
        return self.name or self.id

    @property
    def read(self) -> Reader:
        """The reader itself, without limits; `mjconv.converters.hub.read` reads within them."""
        return cast(Reader, self._load("reader", "read"))

    @property
    def render(self) -> Writer:
        """The writer of one match as plain text; `mjconv.converters.hub.write` writes whole files."""
        return cast(Writer, self._load("writer", "render"))

    @property
    def place_note(self) -> PlaceNote:
        """The function that puts a note into the text of a part."""
        return cast(PlaceNote, self._load("writer", "place_note"))

    @property
    def recognise(self) -> Recogniser:
        """The function that recognises the format by the first `HEAD` bytes of a file."""
        if self.files.marks:
            return partial(has_marks, self.files.marks)
        return cast(Recogniser, self._load("detect", "recognise"))

    @property
    def spelling(self) -> Spelling:
        """How messages about a usual file of this format spell players and tiles."""
        return cast(Spelling, self._load(self.code.spelling, "SPELLING")) if self.code.spelling else PLAIN

    def spelling_of(self, head: bytes) -> Spelling:
        """Return how messages about a file that begins with `head`, decompressed, spell players and tiles."""
        if not self.code.spelling:
            return PLAIN
        choose = cast("Callable[[bytes], Spelling] | None", self._load(self.code.spelling, "spelling_of", None))
        return self.spelling if choose is None else choose(head[:HEAD])

    def tidied(self, data: bytes) -> bytes:
        """Return a text of the format in its usual layout. Raises `InputError` if it is no text of the format."""
        laid = cast("Callable[[bytes], bytes]", self._load("tidy", "tidied"))(data)
        tokens = cast("Callable[[bytes], object]", self._load("tidy", "tokens"))
        if tokens(laid) != tokens(data):
            message = "mjconv cannot lay this out without changing it: please report it as a fault of mjconv"
            raise InputError(message)
        return laid

    def for_typed(self, module: str, name: str) -> Callable[..., Any] | None:
        """Return a function of a module for texts that people type; None if the format does not have it."""
        function = self._load(module, name, None) if module in self.code.typed else None
        return cast("Callable[..., Any] | None", function)

    def load_score_table(self) -> object:
        """Import the module that adds up the scores of the format's matches."""
        return import_module(f"mjconv.converters.{self.id}.{self.code.score_table}")

    def writes_notes(self, options: WriteOptions) -> bool:
        """Return whether notes are written. The notes of a stream would show the hidden tiles."""
        wanted = not options.plain and options.seat is None
        return wanted and self.notes is not None and options.flavour not in self.notes.without

    def extension_for(self, flavour: str) -> str:
        """Return the usual file extension of a flavour, or of the format if the flavour has none of its own."""
        return (self.own_extensions(flavour) or list(self.files.extensions))[0]

    def own_extensions(self, flavour: str) -> list[str]:
        """Return the extensions of the files of a flavour; none if its files have the extensions of the format."""
        own = [extension for extension, usual in self.files.extensions.items() if usual == flavour]
        return own or [extension for name, extension in self.files.of_flavours.items() if name == flavour]

    def _load(self, module: str, name: str, *missing: object) -> object:
        package = self.code.package or f"mjconv.converters.{self.id}"
        return getattr(import_module(self.code.module or f"{package}.{module}"), name, *missing)
