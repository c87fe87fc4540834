"""What a match loses in a text, and the notes that carry the losses, for all formats.

A writer's plain text is read back as a `Match`. What differs from the source is a patch (see `mjconv.ir.patch`):
the differences are the losses, and the patch travels in a note (`mjconv.converters.shared.note_json`), where other
programs skip it.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.interface import Format, Part, Remark, Rendered, WriteOptions
from mjconv.converters.shared import jsontext, originals
from mjconv.converters.shared.note_json import (
    READERS,
    VERSION,
    Carried,
    Note,
    digest,
    dumps,
    field_digests,
    round_digest,
)
from mjconv.ir import limits
from mjconv.ir.errors import MjconvError, UnsupportedError
from mjconv.ir.losses import ORIGINAL, Fate, InRecord, Loss, Report
from mjconv.ir.match import Match, Round
from mjconv.ir.patch import Difference, PatchError, Side, apply, diff
from mjconv.rules.rulesets import without_shown_game

#: A difference's side to the fate it is reported with: where a note carries it, and where none does.
_CARRIED: Final[dict[Side, Fate]] = {"lacks": "carried", "differs": "carried", "adds": "assumed"}
_NOT_CARRIED: Final[dict[Side, Fate]] = {"lacks": "dropped", "differs": "approximated", "adds": "assumed"}


def carry(
    source: Match,
    rendered: Rendered,
    reading: Match,
    form: Format,
    options: WriteOptions,
    report: Report,
    number: int,
    *,
    scale: int = 1,
    changed: bool = False,
) -> list[bytes]:
    """Report the losses of a match that was rendered, and return the text of its parts with notes in it.

    `source` is the match as it was read, `reading` the match that the plain text is read as. `number` is its
    index. `scale` is the number that its points were multiplied by, and `changed` is true if the match that was
    rendered is another one than `source` (`mjconv.converters.shared.prepare`).
    """
    if form.reads:
        _report_assumed(source, reading, report, number)
    # The game that a record shows is no loss where it is not stated.
    reading, source = without_shown_game(reading, source), without_shown_game(source, source)
    carrier = _Carrier(form, report, number, carries=form.writes_notes(options))
    if scale != 1 and form.holds.points is not None:
        fate: Fate = "carried" if carrier.carries else "approximated"
        report.lose(form.holds.points.loss, fate, match=number, detail=f"written times {scale}")
    if len(rendered.parts) != len(source.rounds) + 2:
        owed = f"{len(source.rounds) + 2} parts: a head, one for each round, and a tail"
        raise ValueError(f"the writer of {form.id} returns {len(rendered.parts)} parts, and owes {owed}")
    head, *parts, _ = rendered.parts
    notes = [carrier.match_note(source, reading, head)]
    for index, (part, game_round) in enumerate(zip(parts, source.rounds, strict=True)):
        back = reading.rounds[index] if index < len(reading.rounds) else Round()
        notes.append(carrier.round_note(game_round, back, index, part))
    if any(notes):
        notes[0] = structs.replace(
            notes[0] or Note(VERSION, digest=digest(head.words()), match=Carried()),
            lossy=options.lossy and changed,
            fill=options.fill,
            scale=scale,
            flavour=options.flavour,
            rounds=tuple(map(round_digest, reading.rounds)),
            readers=READERS,
        )
    return _placed(rendered.parts, [*notes, None], form)


class _Carrier:
    """Reports what one match loses, and makes the notes that carry it, where the text has notes (`carries`)."""

    def __init__(self, form: Format, report: Report, number: int, *, carries: bool) -> None:
        self.form = form
        self.report = report
        self.number = number
        self.carries = carries
        self.fates = _CARRIED if carries else _NOT_CARRIED

    def match_note(self, source: Match, reading: Match, part: Part) -> Note | None:
        """Report what a match loses around its rounds, and return the note that carries it."""
        patch, differences = diff(reading, source, restores=self.carries)
        self._lose(without_layout(differences, source, reading, self.form), _remarks(part, "match"))
        original = self._original(source)
        if not self.carries or not (patch or part.hints or original):
            return None
        carried = Carried(
            patch.set, patch.unset, opening=patch.opening, closing=patch.closing, hints=dict(part.hints)
        )
        fields = field_digests(patch, reading)
        return Note(VERSION, digest=digest(part.words()), match=carried, original=original, fields=fields)

    def round_note(self, source: Round, reading: Round, index: int, part: Part) -> Note | None:
        """Report what a round loses, and return the note that carries it."""
        # A round without text is in its note alone.
        left_out = not (part.text or reading.events)
        patch, differences = diff(reading, source, restores=self.carries)
        if not (patch or differences or left_out or part.hints or part.remarks):
            return None
        label = source.label
        dropped: list[Remark] = []
        # A note may have other values too, and a reader refuses one that is too long.
        if "answers" in patch.set and len(jsontext.dumps(patch.set["answers"])) > limits.current().note_bytes // 2:
            del patch.set["answers"]
            dropped.append(Remark("round.answers", fate="dropped", detail="they are too long for a note"))
        if left_out:
            self._lose((), [*(part.remarks or (Remark("match.rounds"),)), *dropped], index, label)
        else:
            stated = without_layout(differences, source, reading, self.form)
            self._lose(stated, [*_remarks(part, "round"), *dropped], index, label)
        if not self.carries or not (patch or part.hints or left_out):
            return None
        carried = Carried(patch.set, patch.unset, patch.events, hints=dict(part.hints))
        if part.note_seats is not None or (self.form.holds.tiles == "all" and not reading.is_played):
            self._check_readable(carried, reading, label, part.note_seats)
        return Note(VERSION, "" if label == "?" else label, digest(part.words()), round=carried)

    def _lose(
        self,
        differences: Sequence[Difference],
        remarks: Sequence[Remark],
        index: int | None = None,
        label: str | None = None,
    ) -> None:
        """Report differences, each with the fate and the detail that a remark has for it."""
        by_name = {(remark.what, remark.event): remark for remark in remarks} if remarks else {}
        losses = self.report.losses
        for one in differences:
            remark = by_name.pop((one.what, one.event), None) if by_name else None
            fate = self.fates[one.side] if remark is None else self._fate(remark)
            detail = None if remark is None else remark.detail
            losses.append(Loss(one.what, fate, self.number, index, one.event, one.part or label, detail))
        for remark in by_name.values():
            losses.append(
                Loss(remark.what, self._fate(remark), self.number, index, remark.event, label, remark.detail)
            )

    def _fate(self, remark: Remark) -> Fate:
        return "dropped" if remark.fate == "carried" and not self.carries else remark.fate

    def _original(self, source: Match) -> originals.PackedOriginal | None:
        """Report the original of a match, which no plain text holds, and return it for a note."""
        if source.original is None:
            return None
        packed = originals.pack(source.original) if self.carries else None
        long = "it is too long for a note" if self.carries and packed is None else None
        fate: Fate = "carried" if packed is not None else "dropped"
        self.report.lose(ORIGINAL, fate, match=self.number, detail=long)
        return packed

    def _check_readable(self, carried: Carried, reading: Round, label: str, seats: int | None) -> None:
        """Raise `UnsupportedError` where play that only the note holds could not be read from it."""
        try:
            apply(carried, reading, seats=max(self.form.holds.seats) if seats is None else seats)
        except PatchError as error:
            where = f"match {self.number + 1}, round {label}"
            raise UnsupportedError(f"{where}: no note can hold this: {error}") from None


def _remarks(part: Part, whole: str) -> Sequence[Remark]:
    """Return the remarks of a part, or one for each hint: the text does not state what a hint states."""
    return [Remark(f"{whole}.{hint}") for hint in part.hints] if part.remarks is None else part.remarks


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


def read_back(form: Format, rendered: Rendered, source: Match) -> Match:
    """Return the match that the plain text of a match is read as. Raises `UnsupportedError` as `reads_as` does.

    Without `reads_as`, the format's own reader reads the text: its errors are mistakes of the format. If no round
    of `source` has a wall, no walls are worked out from the seed of the game.
    """
    if rendered.reads_as is not None:
        return rendered.reads_as()
    text = b"".join(part.text for part in rendered.parts)
    walls = any(game_round.wall is not UNSET for game_round in source.rounds)
    try:
        [reading] = form.read(text, Report(walls=walls, compares=False))
    except (MjconvError, ValueError) as error:
        raise AssertionError(f"{form.id} does not read the text that it wrote: {error}") from error
    return reading.match


def _report_assumed(source: Match, reading: Match, report: Report, number: int) -> None:
    """Report the keys of deals that the source's reader assumed, where the target states them.

    >>> from mjconv.ir.events import StartRound
    >>> guessed = Match(rounds=[Round([StartRound(kyotaku=1)], assumed=("kyotaku",))])
    >>> report = Report()
    >>> _report_assumed(guessed, Match(rounds=[Round([StartRound(kyotaku=1)])]), report, 0)
    >>> [loss.what for loss in report.losses]
    ['start_kyoku.kyotaku']
    """
    for index, (game_round, back) in enumerate(zip(source.rounds, reading.rounds, strict=False)):
        for key in game_round.assumed if back.start is not None else ():
            if getattr(back.start, key, UNSET) is not UNSET and key not in back.assumed:
                where = InRecord(match=number, round=index, event=0, label=game_round.label)
                report.lose(f"start_kyoku.{key}", "assumed", detail="the source does not state it", **where)


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
