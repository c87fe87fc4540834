"""Notes and losses, for all formats.

A writer's plain text is read back as a `Match`. What differs from the source is a patch (see `mjconv.ir.patch`):
the differences are the losses, and the patch travels in a note, where other programs skip it. A note is one JSON
object on one line:

``{"v":4,"label":"E3-0","digest":"8ca2f93b87ec","round":{"set":{},"unset":[],"events":[],"hints":{}}}``

``round`` is the patch of the round beside the note; ``match`` instead is the patch of the fields around the
rounds. ``hints`` are values that a reader must know before it reads. Beside ``match``, ``original`` may hold the
record that the match was read from (`mjconv.converters.shared.originals`). ``digest`` is the digest of the text to
which the note belongs: where a round was edited, the digest differs, and the reader ignores its note with a
warning. A match with any note has one of its own, which states the options of the conversion. ``fields`` in it has
a digest for each field that the note changes and the text shows. Where the field was edited, the text counts for
this field, and the note for the others.
"""

from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import msgspec
from msgspec import UNSET, structs

try:
    # `hashlib` also loads OpenSSL, which takes longer than all digests of a file.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

from mjconv.converters.interface import Format, Part, Remark, Rendered
from mjconv.converters.shared import jsontext, originals
from mjconv.ir import limits
from mjconv.ir.answers import together
from mjconv.ir.errors import MjconvError, UnsupportedError
from mjconv.ir.losses import ORIGINAL, Fate, Loss, Report
from mjconv.ir.match import Frozen, Match, Round
from mjconv.ir.patch import Difference, Patch, PatchError, Side, apply, diff
from mjconv.rules.rulesets import without_shown_game

#: The word that marks a note in every format.
MARK: Final = "mjconv"
#: The version of the notes that this package writes and reads.
VERSION: Final = 4
#: The versions before it that are still read.
_UPGRADED: Final = (2, 3)
#: The number of the readers. It is raised with each change by which a reader reads a valid text otherwise. Where a
#: note has another number, the digests of its rounds are compared with the reading.
READERS: Final = 1
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
    digests of `shown_fields`, None in notes of version 2. `flavour` is the flavour of the text, if it is not the
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
    original: originals.PackedOriginal | None = None
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


class NoteError(ValueError):
    """A text that is no note: what is wrong with it, and at which character."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


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


def shown_fields(patch: Patch, match: Match) -> dict[str, str]:
    """Return a digest for each field that a patch changes, and that the reading of a text states.

    Each value of a player and each part of the extras has a digest of its own. Annotations have none: comments of
    the text always count.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> match = Match([Player(Name(Text("A")))], place=Text("home"))
    >>> list(shown_fields(Patch(set={"players": []}, unset=("place", "date")), match))
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
    return convert(value)


def from_value(value: Any) -> list[Note]:
    """Read a note, or an array of notes, that is a value in a larger JSON text. Raises as `loads` does.

    >>> [note] = from_value({"v": 4, "digest": "00", "round": {"unset": ["dice"]}})
    >>> note.digest
    '00'
    """
    if len(jsontext.dumps(value)) > limits.current().note_bytes:
        raise NoteError(limits.refusal("note_bytes"))
    return convert(value)


def convert(value: Any) -> list[Note]:
    """Check that a JSON value is a note, or an array of notes. Raises `NoteError`.

    Of a note of another version only the version and the label are kept: its other keys may be any.

    >>> [note.v for note in convert({"round": {"digest": "00"}})]
    [1]
    """
    return [_convert(each) for each in (value if isinstance(value, list) else [value])]


def _convert(value: Any) -> Note:
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


# Losses.

#: A difference's side to the fate it is reported with: where a note carries it, and where none does.
_CARRIED: Final[dict[Side, Fate]] = {"lacks": "carried", "differs": "carried", "adds": "assumed"}
_NOT_CARRIED: Final[dict[Side, Fate]] = {"lacks": "dropped", "differs": "approximated", "adds": "assumed"}


class _Losses:
    """Reports what one match loses."""

    def __init__(self, report: Report, number: int, *, carried: bool) -> None:
        self.report = report
        self.number = number
        self.fates = _CARRIED if carried else _NOT_CARRIED
        self.carried = carried

    def add(
        self,
        differences: Sequence[Difference],
        remarks: Sequence[Remark] = (),
        round: int | None = None,  # noqa: A002 - the field's word
        label: str | None = None,
    ) -> None:
        """Report differences, each with the fate and the detail that a remark has for it."""
        by_name = {(remark.what, remark.event): remark for remark in remarks} if remarks else {}
        losses = self.report.losses
        for one in differences:
            remark = by_name.pop((one.what, one.event), None) if by_name else None
            fate = self.fates[one.side] if remark is None else self._fate(remark)
            detail = None if remark is None else remark.detail
            losses.append(Loss(one.what, fate, self.number, round, one.event, one.part or label, detail))
        for remark in by_name.values():
            losses.append(
                Loss(remark.what, self._fate(remark), self.number, round, remark.event, label, remark.detail)
            )

    def original(self, source: Match) -> originals.PackedOriginal | None:
        """Report the original of a match, which no plain text holds, and return it for a note."""
        if source.original is None:
            return None
        packed = originals.pack(source.original) if self.carried else None
        long = "it is too long for a note" if self.carried and packed is None else None
        fate: Fate = "carried" if packed is not None else "dropped"
        self.report.lose(ORIGINAL, fate, match=self.number, detail=long)
        return packed

    def _fate(self, remark: Remark) -> Fate:
        return "dropped" if remark.fate == "carried" and not self.carried else remark.fate


def carry(
    source: Match,
    rendered: Rendered,
    reading: Match,
    form: Format,
    report: Report,
    number: int,
    *,
    plain: bool = False,
    lossy: bool = False,
    fill: bool = False,
    scale: int = 1,
    flavour: str = "",
) -> list[bytes]:
    """Report the losses of a match that was rendered, and return the text of its parts with notes in it.

    `source` is the match as it was read, `reading` the match that the plain text is read as. `lossy` and `scale`
    describe the preparation of the match before it was rendered. `plain` leaves the notes out.
    """
    # The game that a record shows is no loss where it is not stated.
    reading, source = without_shown_game(reading, source), without_shown_game(source, source)
    carried = form.notes is not None and not plain
    losses = _Losses(report, number, carried=carried)
    if scale != 1 and form.holds.points is not None:
        fate: Fate = "carried" if carried else "approximated"
        report.lose(form.holds.points.loss, fate, match=number, detail=f"written times {scale}")
    head, *parts, _ = rendered.parts
    notes = [_head_note(source, reading, head, form, losses)]
    for index, (part, game_round) in enumerate(zip(parts, source.rounds, strict=True)):
        back = reading.rounds[index] if index < len(reading.rounds) else Round()
        notes.append(_round_note(game_round, back, index, part, form, losses))
    if any(notes):
        notes[0] = structs.replace(
            notes[0] or Note(VERSION, digest=digest(head.words()), match=_NOTHING),
            lossy=lossy,
            fill=fill,
            scale=scale,
            flavour=flavour,
            rounds=tuple(map(round_digest, reading.rounds)),
            readers=READERS,
        )
    notes.append(None)
    return _placed(rendered.parts, notes, form)


def _placed(parts: Sequence[Part], notes: Sequence[Note | None], form: Format) -> list[bytes]:
    """Return the texts of parts with their notes.

    The note of a head without text goes into the first part with text, unless the head's `offset` is 0. The note
    of a part with `in_tail` goes into the next part without it.
    """
    if all(note is None for note in notes):
        return [part.text for part in parts]
    place_note = form.place_note
    texts: list[bytes] = []
    waiting: list[Note] = []
    for place, (part, note) in enumerate(zip(parts, notes, strict=True)):
        own = [*waiting, note] if note is not None else waiting
        if own and not part.in_tail and (place or part.text or part.offset == 0):
            written = [dumps(each) for each in own]
            one = written[0] if len(written) == 1 else b"[" + b",".join(written) + b"]"
            texts.append(place_note(part, one))
            waiting = []
        else:
            texts.append(part.text)
            waiting = own
    return texts


def _head_note(source: Match, reading: Match, part: Part, form: Format, losses: _Losses) -> Note | None:
    patch, differences = diff(reading, source, restores=losses.carried)
    losses.add(without_layout(differences, source, reading, form), _remarks(part, "match"))
    original = losses.original(source)
    if not losses.carried or not (patch or part.hints or original):
        return None
    carried = Carried(patch.set, patch.unset, opening=patch.opening, closing=patch.closing, hints=dict(part.hints))
    fields = shown_fields(patch, reading)
    return Note(VERSION, digest=digest(part.words()), match=carried, original=original, fields=fields)


def _round_note(
    source: Round, reading: Round, index: int, part: Part, form: Format, losses: _Losses
) -> Note | None:
    left_out = not (part.text or reading.events)
    patch, differences = diff(reading, source, restores=losses.carried)
    if not (patch or differences or left_out or part.hints or part.remarks):
        return None
    label = source.label
    dropped: list[Remark] = []
    # A note may have other values too, and a reader refuses one that is too long.
    if "answers" in patch.set and len(jsontext.dumps(patch.set["answers"])) > limits.current().note_bytes // 2:
        del patch.set["answers"]
        dropped.append(Remark("round.answers", fate="dropped", detail="they are too long for a note"))
    if left_out:
        losses.add((), [*(part.remarks or (Remark("match.rounds"),)), *dropped], index, label)
    else:
        shown = without_layout(differences, source, reading, form)
        losses.add(shown, [*_remarks(part, "round"), *dropped], index, label)
    if not losses.carried or not (patch or part.hints or left_out):
        return None
    carried = Carried(patch.set, patch.unset, patch.events, hints=dict(part.hints))
    if form.holds.tiles == "all" and not reading.is_played:
        _check_readable(carried, reading, f"match {losses.number + 1}, round {label}", max(form.holds.seats))
    named = "" if label == "?" else label
    return Note(VERSION, named, digest(part.words()), round=carried)


def _check_readable(carried: Carried, reading: Round, where: str, seats: int) -> None:
    """Raise `UnsupportedError` where play that only the note holds could not be read from it."""
    try:
        apply(carried, reading, seats=seats)
    except PatchError as error:
        raise UnsupportedError(f"{where}: no note can hold this: {error}") from None


def _remarks(part: Part, whole: str) -> Sequence[Remark]:
    """Return the remarks of a part, or one for each hint: the text does not state what a hint states."""
    return [Remark(f"{whole}.{hint}") for hint in part.hints] if part.remarks is None else part.remarks


def place_in_object(part: Part, note: bytes) -> bytes:
    """Return the text of a part with a note in its JSON object, behind the value that ends at `Part.offset`."""
    return b"%b,%b:%b%b" % (part.text[: part.offset], jsontext.dumps(MARK), note, part.text[part.offset :])


def read_back(form: Format, rendered: Rendered, source: Match | None = None) -> Match:
    """Return the match that the plain text of a match is read as. Raises `UnsupportedError` as `reads_as` does.

    Without `reads_as`, the format's own reader reads the text: its errors are mistakes of the format. If no round
    of `source` has a wall, no walls are worked out from the seed of the game.
    """
    if rendered.reads_as is not None:
        return rendered.reads_as()
    text = b"".join(part.text for part in rendered.parts)
    walls = source is None or any(game_round.wall is not UNSET for game_round in source.rounds)
    try:
        [reading] = form.read(text, Report(walls=walls, compares=False))
    except (MjconvError, ValueError) as error:
        raise AssertionError(f"{form.id} does not read the text that it wrote: {error}") from error
    return reading.match


def report_assumed(source: Match, reading: Match, report: Report, number: int) -> None:
    """Report the keys of deals that the source's reader assumed, where the target states them.

    >>> from mjconv.ir.events import StartRound
    >>> guessed = Match(rounds=[Round([StartRound(kyotaku=1)], assumed=("kyotaku",))])
    >>> report = Report()
    >>> report_assumed(guessed, Match(rounds=[Round([StartRound(kyotaku=1)])]), report, 0)
    >>> [loss.what for loss in report.losses]
    ['start_kyoku.kyotaku']
    """
    for index, (game_round, back) in enumerate(zip(source.rounds, reading.rounds, strict=False)):
        if not game_round.assumed:
            continue
        start = back.start
        for key in game_round.assumed if start is not None else ():
            if getattr(start, key, UNSET) is not UNSET and key not in back.assumed:
                report.lose(
                    f"start_kyoku.{key}",
                    "assumed",
                    match=number,
                    round=index,
                    event=0,
                    label=game_round.label,
                    detail="the source does not state it",
                )


def without_layout(
    differences: list[Difference], source: Match | Round, reading: Match | Round, form: Format
) -> list[Difference]:
    """Leave out the differences that lose nothing the source states.

    These are extras where only the target's own layout is new, and keys of a deal that the source's reader
    assumed.
    """
    if isinstance(source, Round) and source.assumed:
        unstated = {f"start_kyoku.{key}" for key in source.assumed}
        differences = [one for one in differences if one.side != "lacks" or one.what not in unstated]
    if form.id in reading.extras and form.id not in source.extras:
        rest = {key: value for key, value in reading.extras.items() if key != form.id}
        if rest == source.extras:
            return [one for one in differences if not one.what.endswith(".extras")]
    return differences
