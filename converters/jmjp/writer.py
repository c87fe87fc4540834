"""Write jmjp, version 1.0 or 0, with notes for what it has no place for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from msgspec import UNSET

from mjconv.converters.interface import WriteOptions
from mjconv.converters.jmjp.comments import (
    BEFORE_ACTS,
    annotations_of,
    are_flows,
    flows_of,
    put_flows,
    slot_indices,
    slot_of,
    text_of,
)
from mjconv.converters.jmjp.flow_plan import PlanError
from mjconv.converters.jmjp.frame_reading import read_play, with_turned
from mjconv.converters.jmjp.frames import DORA_FIELDS, FrameError, FrameLines, frame_lines, known
from mjconv.converters.jmjp.info import MOST_HONBA, write_info
from mjconv.converters.jmjp.notes import JmjpNote, MatchNote, RoundNote, write_note
from mjconv.converters.jmjp.plan import PlannedFrame, plan_frame
from mjconv.converters.jmjp.reader import rotated
from mjconv.converters.jmjp.spelling import STEP
from mjconv.converters.jmjp.syntax import Frame
from mjconv.converters.shared import notes
from mjconv.converters.shared.dora import CUSTOMS, Custom
from mjconv.ir import derive, patch
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Round
from mjconv.ir.riichi_only import as_riichi
from mjconv.ir.tiles import Tile
from mjconv.rules.hongkong_points import with_points

#: What is written in the head of a file, by flavour.
_VERSIONS: Final = {"": "1.0", "jmjp-0": "0"}
_SEATS: Final = 4


def write(matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
    """Write matches into one file of version 1.0, or of version 0 in the flavour ``jmjp-0``.

    What the notation has no place for goes into notes, comments that others skip, unless `options.plain`. Raises
    `UnsupportedError` for other than four players or riichi tiles, `PlayError` where the events cannot be played.

    >>> print(write([Match(opening=[ev.StartGame()], closing=[ev.EndGame()])], Report(), WriteOptions()).decode())
    jmjp[1.0]
    (
    mtp[,,,]
    ply[0,,,,]
    ply[1,,,,]
    ply[2,,,,]
    ply[3,,,,]
    )
    <BLANKLINE>
    """
    version = _VERSIONS[options.flavour]
    lines = [f"jmjp[{version}]"]
    for number, match in enumerate(matches):
        lines += _MatchWriter(match, number, int(version[0]), report, options).lines()
    if len(lines) == 1:
        raise UnsupportedError("a jmjp file holds at least one match, and there is none to write")
    return ("\n".join(lines) + "\n").encode()


class _MatchWriter:
    """Writes one match: each part as text, and beside it what that text is read back as."""

    def __init__(self, match: Match, number: int, major: int, report: Report, options: WriteOptions) -> None:
        if match.seats != _SEATS:
            raise UnsupportedError(
                f"jmjp records games of four players, and match {number + 1} has {match.seats} players"
            )
        self.match = match
        self.number = number
        self.major = major
        self.report = report
        self.plain = options.plain
        #: A strict file of version 0 has no comments.
        self.comments = not (self.plain and major == 0)
        self.scored, self.scale = with_points(as_riichi(match) if options.lossy else match, STEP)
        notes.tell_scale(report, "round.scores_after", self.scale, carried=not self.plain, match=number)
        self.deals = derive.starts(self.scored)
        self.shift = self._shift()

    def _shift(self) -> int:
        """Find the hub's seat of the player who deals in E1."""
        first = self.deals[0] if self.deals else None
        return (int(first.oya or 0) - int(first.kyoku or 1) + 1) % _SEATS if first else 0

    def lines(self) -> list[str]:
        before, after, info = write_info(rotated(self.match, self.shift), self.major)
        reading = info if self.plain else rotated(info, -self.shift)
        reading.opening = [ev.StartGame()]
        reading.closing = [ev.EndGame()]
        comments = self._match_comments()
        reading.annotations = tuple(comments)
        lines = ["(", *_comment_lines(comments, 0)]
        found, differences = patch.diff(reading, self.match)
        if self.shift and not self.plain:
            differences.append(patch.Difference("match.seats", "differs"))
        notes.tell(self.report, differences, carried=not self.plain, match=self.number)
        if (found or self.shift) and not self.plain:
            digest = notes.digest("".join(("(", *before, *after, ")")).encode())
            note = MatchNote(
                found.set,
                found.unset,
                found.events,
                found.opening,
                found.closing,
                digest,
                scale=self.scale,
                shift=self.shift,
            )
            lines.append(write_note(JmjpNote(match=note)))
        lines += before
        last: Round | None = None
        for index, game_round in enumerate(self.match.rounds):
            own, reading_of_it = self._round_lines(game_round, index, last)
            if index:
                lines += _comment_lines(comments, index)
            lines += own
            # Without notes the next frame is read after this one as plain text tells it.
            last = reading_of_it if self.plain else game_round
        if self.match.rounds:
            lines += _comment_lines(comments, len(self.match.rounds))
        return [*lines, *after, ")"]

    def _match_comments(self) -> list[Annotation]:
        """Return the annotations around the rounds that are written as comments, as they will be read."""
        if not self.comments:
            return []
        end = len(self.match.rounds)
        comments = [
            Annotation(max(0, min(one.index, end)), "comment", value=text)
            for one in self.match.annotations
            if (text := text_of(one)) is not None
        ]
        return sorted(comments, key=lambda one: one.index)

    def _round_lines(self, game_round: Round, index: int, last: Round | None) -> tuple[list[str], Round]:
        """Give the lines of a round, and what they are read back as without their note."""
        planned = self._plan(game_round, index)
        frame = planned.frame
        flows = flows_of(game_round)
        flows = flows if frame.flows and are_flows(flows, self.major) else ()
        dealer = int(self.deals[index].oya or 0)
        named = (frame.number - 1 + (0 if self.plain else self.shift)) % _SEATS
        reading, found, differences, custom = self._read_back(
            planned, named if self.plain else dealer, game_round, last, flows
        )
        comments = self._comments(game_round, frame, reading, found)
        if game_round.annotations:
            reading.annotations = annotations_of(comments, reading.events, _acts(frame))
            found, differences = patch.diff(reading, game_round)
        if not self.plain:
            differences += [patch.Difference("round.dealer", "differs")] * (dealer != named)
            differences += [patch.Difference("round.dora", "differs")] * (custom != CUSTOMS[0])
        layout = frame_lines(frame, self.major, flows, [slot for slot, _ in comments])
        if differences:
            notes.tell(
                self.report,
                differences,
                carried=not self.plain,
                match=self.number,
                round=index,
                label=game_round.label,
            )
        lines = _with_comments(layout, comments, _acts(frame))
        if not self.plain and (found or dealer != named or custom != CUSTOMS[0]):
            note = RoundNote(
                found.set,
                found.unset,
                found.events,
                digest=notes.digest(layout.text().encode()),
                frame=f"{frame.wind}{frame.number}-{frame.honba}",
                dealer=UNSET if dealer == named else dealer,
                dora=UNSET if custom == CUSTOMS[0] else custom,
            )
            lines.append(write_note(JmjpNote(round=note)))
        return lines, reading

    def _plan(self, game_round: Round, index: int) -> PlannedFrame:
        start = self.deals[index]
        where = partial(self._where, game_round)
        per_seat = (start.tehais, start.scores, game_round.final_hands, game_round.scores_after)
        if any(len(values) != _SEATS for values in per_seat if values is not UNSET):
            raise UnsupportedError(f"{where()}: jmjp records games of four players, and this round is not of four")
        if int(start.kyoku or 1) > _SEATS:
            raise UnsupportedError(f"{where()}: jmjp writes rounds 1 to {_SEATS} of a wind")
        if int(start.honba or 0) > MOST_HONBA:
            raise UnsupportedError(f"{where()}: jmjp writes a honba of at most {MOST_HONBA}")
        try:
            return plan_frame(self.scored.rounds[index], start, self.major, self._own_seat())
        except PlanError as error:
            event = "" if error.event is None else f", message {error.event + 1}"
            if error.wordless:
                raise UnsupportedError(f"{where()}{event}: {error}") from None
            raise PlayError(f"{where()}{event}: {error}", at=(self.number, index, error.event or 0)) from None
        except KeyError as error:
            raise UnsupportedError(f"{where()}: jmjp has no word for {error.args[0]}") from None

    def _where(self, game_round: Round) -> str:
        return f"match {self.number + 1}, round {game_round.label}"

    def _own_seat(self) -> int | None:
        seats = (event.id for event in self.match.opening if isinstance(event, ev.StartGame))
        return next((seat for seat in seats if seat is not UNSET), None)

    def _comments(
        self, game_round: Round, frame: Frame, reading: Round, found: patch.Patch
    ) -> list[tuple[int, str]]:
        """Return the annotations of a round that are written as comments, each with its slot in the frame."""
        if not self.comments or not game_round.annotations:
            return []
        # The source's events count, and the note turns the events of the reading into these.
        indices = [patch.destination(found.events, index) for index in slot_indices(reading.events, _acts(frame))]
        comments = [
            (slot_of(one.index, indices) if frame.flows else BEFORE_ACTS, text)
            for one in game_round.annotations
            if (text := text_of(one)) is not None
        ]
        return sorted(comments, key=lambda comment: comment[0])

    def _read_back(
        self, planned: PlannedFrame, dealer: int, game_round: Round, last: Round | None, flows: Sequence[str]
    ) -> tuple[Round, patch.Patch, list[patch.Difference], Custom]:
        """Compare the reading of a frame with the source. The custom of dora is the one nearest to the source."""
        frame = planned.frame
        try:
            known_to_plan = planned.reading(last) if dealer == planned.dealer else None
            bare = (known_to_plan or read_play(frame, self.major, dealer, last)).round
        except FrameError as error:
            where = self._where(game_round)
            raise UnsupportedError(f"{where}: jmjp cannot tell this play: {error}") from None
        customs: Sequence[Custom] = CUSTOMS[:1]
        if not self.plain and len(_dora_of(frame)) > 1 and game_round.select(ev.Kakan, ev.Daiminkan):
            customs = CUSTOMS
        best: tuple[Round, patch.Patch, list[patch.Difference], Custom] | None = None
        for custom in customs:
            reading = with_turned(bare, frame, custom)
            put_flows(reading, flows)
            found, differences = patch.diff(reading, game_round)
            if best is None or len(differences) < len(best[2]):
                best = reading, found, differences, custom
            if not differences:
                break
        assert best is not None
        return best


def _dora_of(frame: Frame) -> tuple[Tile, ...]:
    return known((frame.dora or ())[DORA_FIELDS])


def _acts(frame: Frame) -> int:
    return len(frame.flows[-1].acts) if frame.flows else 0


def _comment_lines(annotations: Sequence[Annotation], index: int) -> list[str]:
    return [f"//{one.value}" for one in annotations if one.index == index]


def _with_comments(layout: FrameLines, comments: Sequence[tuple[int, str]], acts: int) -> list[str]:
    """Return the lines of a frame with comments, which are in the order of their slots."""
    if not comments:
        return [layout.head, *layout.start, *layout.acts, *layout.end, layout.foot]
    by_slot: dict[int, list[str]] = {}
    for slot, text in comments:
        by_slot.setdefault(slot, []).append(f"//{text}")
    lines = [layout.head, *by_slot.pop(BEFORE_ACTS, []), *layout.start]
    for begin, line in zip(layout.begins, layout.acts, strict=True):
        lines += [*by_slot.pop(begin, []), line]
    lines += [*by_slot.pop(acts, []), *layout.end]
    return [*lines, *by_slot.pop(acts + 1, []), layout.foot]
