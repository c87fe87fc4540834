"""The notes that every format holds: one JSON object on one line, for a round, or for a match around its rounds.

``{"v":4,"label":"E3-0","digest":"8ca2f93b87ec","round":{"set":{},"unset":[],"events":[],"hints":{}}}``

``round`` is the patch of the round beside the note (`mjconv.ir.patch`); ``match`` instead is the patch of the
fields around the rounds. ``hints`` are values that a reader must know before it reads. Beside ``match``,
``original`` may hold the record that the match was read from (`mjconv.converters.shared.originals`). ``digest`` is
the digest of the text to which the note belongs: where a round was edited, the digest differs, and the reader
ignores its note with a warning. A match with any note has one of its own, which states the options of the
conversion. ``fields`` in it has a digest for each field that the note changes and the text shows. Where the field
was edited, the text counts for this field, and the note for the others.
"""

from typing import Any, Final
from zlib import crc32

import msgspec
from msgspec import UNSET, structs

try:
    # `hashlib` also loads OpenSSL, which takes longer than all digests of a file.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

from mjconv.converters.interface import Part
from mjconv.converters.shared import jsontext
from mjconv.converters.shared.originals import PackedOriginal
from mjconv.ir import limits
from mjconv.ir.answers import together
from mjconv.ir.errors import AtOffsetError
from mjconv.ir.match import Frozen, Match, Round
from mjconv.ir.patch import Patch

#: The word that marks a note in every format.
MARK: Final = "mjconv"
#: The version of the notes that this package writes and reads.
VERSION: Final = 4
#: The versions before it that are still read.
_UPGRADED: Final = (2, 3)
#: The number of the readers. It is raised with each change by which a reader reads a valid text otherwise. Where a
#: note has another number, the digests of its rounds are compared with the reading.
READERS: Final = 3
_VALUES: Final = msgspec.json.Encoder(enc_hook=dict)
#: The length of the digest of a round.
_SHORT: Final = 6
#: A note without a version is of the first.
_FIRST_VERSION: Final = 1


class Carried(Patch, frozen=True):
    """A patch, and the hints that a reader needs before it reads the part that the patch is applied to."""

    hints: dict[str, Any] = msgspec.field(default_factory=dict)


class Note(Frozen, frozen=True):
    """One note: the patch of a round or of the match around its rounds, and the digest of the text it belongs to.

    `label` is the name of the round. Only the note of a match has the other values, but older notes of rounds
    also have `lossy`, `fill` and `scale`. `lossy` is true if tiles were hidden because the format does not know
    them, `fill` if derived values were written. `scale` is the number that points were multiplied by because the
    format cannot hold them as they are. `original` is the record that the match was read from. `fields` are the
    digests of `field_digests`, None in notes of version 2. `flavour` is the flavour of the text, if it is not the
    usual one. `rounds` has the `round_digest` of each round as the text was read when the note was made, by
    `readers` of this number. `mixed` is true of notes that `_upgraded` made: they have answers among their events.
    """

    v: int = _FIRST_VERSION
    label: str = ""
    digest: str = ""
    lossy: bool = False
    fill: bool = False
    scale: int = 1
    match: Carried | None = None
    round: Carried | None = None
    original: PackedOriginal | None = None
    fields: dict[str, str] | None = msgspec.field(default_factory=dict)
    flavour: str = ""
    rounds: tuple[str, ...] = ()
    readers: int = 0
    mixed: bool = False

    @property
    def carried(self) -> Carried:
        """The patch, of the match or of the round."""
        # A patch with hints alone is false.
        patch = self.round if self.match is None else self.match
        return _NOTHING if patch is None else patch


_NOTHING: Final = Carried()


class NoteError(AtOffsetError):
    """A text that is no note: what is wrong with it, and at which character."""


def digest(tokens: bytes) -> str:
    """Return a short digest of tokens. It detects an edit; it does not withstand forgery.

    >>> digest(b"(e,5m,tg)") == digest(b"(e,5m,tg)") != digest(b"(e,5m,9p)")
    True
    """
    return blake2b(tokens, digest_size=6).hexdigest()


def round_digest(game_round: Round) -> str:
    """Return a short digest of the messages and the results of a round that was read, without assumed values.

    >>> from mjconv.ir.events import StartRound
    >>> stated, assumed = Round([StartRound()]), Round([StartRound(kyotaku=1)], assumed=("kyotaku",))
    >>> round_digest(stated) == round_digest(assumed) != round_digest(Round())
    True
    """
    events = together(game_round)
    if game_round.assumed:
        unknown = dict.fromkeys(game_round.assumed, UNSET)
        events = [structs.replace(one, **unknown) if one is game_round.start else one for one in events]
    values = (events, game_round.dice or (), game_round.scores_after or (), game_round.blocked)
    # All rounds of a file are compared: this is a fifth of the time of `digest`.
    return f"{crc32(_VALUES.encode(values)):08x}"[:_SHORT]


def field_digests(patch: Patch, match: Match) -> dict[str, str]:
    """Return a digest for each field that a patch changes, and that the reading of a text states.

    Each value of a player and each part of the extras has a digest of its own. Annotations have none: comments of
    the text always count.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> match = Match([Player(Name(Text("A")))], place=Text("home"))
    >>> list(field_digests(Patch(set={"players": []}, unset=("place", "date")), match))
    ['place', 'players.0.name']
    """
    values: dict[str, Any] = {}
    lists = [name for name in ("opening", "closing") if getattr(patch, name)]
    # In an order: the same match has the same note in each run.
    for name in sorted({*patch.set, *patch.unset, *lists} - {"annotations"}):
        value = getattr(match, name, UNSET)
        if name == "players":
            values |= {
                f"players.{seat}.{key}": one
                for seat, player in enumerate(match.players)
                for key, one in structs.asdict(player).items()
            }
        elif name == "extras":
            values |= {f"extras.{key}": one for key, one in match.extras.items()}
        else:
            values[name] = value
    return {
        name: digest(_VALUES.encode(value))
        for name, value in values.items()
        if value is not UNSET and value not in ([], ())
    }


def dumps(note: Note) -> bytes:
    """Write a note as JSON on one line, without the fields that have their default."""
    return jsontext.dumps(note)


def loads(text: bytes) -> list[Note]:
    """Read a note, or an array of notes. Raises `NoteError` where the text is none, or is beyond a limit.

    >>> [note] = loads(b'{"v":4,"digest":"00","round":{"unset":["dice"]}}')
    >>> note.round.unset
    ('dice',)
    """
    if len(text) > limits.current().note_bytes:
        raise NoteError(limits.refusal("note_bytes"))
    try:
        value = jsontext.loads_unique(text)
    except jsontext.RepeatedKeyError as error:
        raise NoteError(f"the note has the key {error.key!r} twice") from None
    except (ValueError, RecursionError) as error:
        offset = getattr(error, "pos", None)
        if isinstance(offset, int):
            raise NoteError(f"the note is no JSON: {getattr(error, 'msg', error)}", offset) from None
        raise NoteError(f"the note is no JSON that can be read: {error}") from None
    return _notes_of(value)


def from_value(value: Any) -> list[Note]:
    """Read a note, or an array of notes, that is a value in a larger JSON text. Raises as `loads` does.

    >>> [note] = from_value({"v": 4, "digest": "00", "round": {"unset": ["dice"]}})
    >>> note.digest
    '00'
    """
    if len(jsontext.dumps(value)) > limits.current().note_bytes:
        raise NoteError(limits.refusal("note_bytes"))
    return _notes_of(value)


def _notes_of(value: Any) -> list[Note]:
    return [_note_of(each) for each in (value if isinstance(value, list) else [value])]


def _note_of(value: Any) -> Note:
    """Return the note that a JSON value is. Raises `NoteError`.

    Of a note of another version only the version and the label are kept: its other keys may be any.

    >>> _note_of({"round": {"digest": "00"}}).v
    1
    """
    if isinstance(value, dict):
        value = _upgraded(value)
    if isinstance(value, dict) and value.get("v") != VERSION:
        version = value.get("v", _FIRST_VERSION)
        if isinstance(version, int) and not isinstance(version, bool):
            label = value.get("label")
            whole = _NOTHING if "match" in value else None
            return Note(v=version, label=label if isinstance(label, str) else "", match=whole)
    try:
        note = msgspec.convert(value, Note)
    except msgspec.ValidationError as error:
        raise NoteError(f"the note is not well-formed: {error}") from None
    if (note.match is None) == (note.round is None):
        raise NoteError("the note is not well-formed: it has either a `match` or a `round`")
    if note.original is not None and note.match is None:
        raise NoteError("the note is not well-formed: only the note of a match has an `original`")
    return note


def _upgraded(value: dict[str, Any]) -> dict[str, Any]:
    """Return a note of an earlier version as one of this version.

    Its keys mean the same, but the answers of players are among the events (`Note.mixed`). A note of version 2
    also lacks the digests of fields: then it fits if the whole text around the rounds is the same.

    >>> _upgraded({"v": 2, "digest": "00", "round": {}})
    {'v': 4, 'digest': '00', 'round': {}, 'mixed': True, 'fields': None}
    >>> _upgraded({"v": 3, "round": {}})
    {'v': 4, 'round': {}, 'mixed': True}
    """
    if value.get("v") not in _UPGRADED:
        return value
    return {**value, "v": VERSION, "mixed": True} | ({"fields": None} if value["v"] == _UPGRADED[0] else {})


def place_in_object(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note in its JSON object, behind the value that ends at `Part.offset`."""
    return b"%b,%b:%b%b" % (part.text[: part.offset], jsontext.dumps(MARK), note, part.text[part.offset :])
