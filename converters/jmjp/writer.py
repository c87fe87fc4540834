"""Write jmjp, version 1.0 or 0, with notes for what it has no place for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from msgspec import UNSET, structs

from mjconv.converters.interface import WriteOptions
from mjconv.converters.jmjp.comments import (
    BEFORE_ACTS,
    MatchExtras,
    RoundExtras,
    are_flows,
    match_extras,
    put,
    round_extras,
)
from mjconv.converters.jmjp.dora import CUSTOMS, Custom, with_dora
from mjconv.converters.jmjp.frames import FrameLines, frame_lines
from mjconv.converters.jmjp.heads import DORA, FrameError, deal, known
from mjconv.converters.jmjp.info import MOST_HONBA, write_info
from mjconv.converters.jmjp.notes import JmjpNote, MatchNote, RoundNote, write_note
from mjconv.converters.jmjp.plan import PlanError, Planned, plan_frame
from mjconv.converters.jmjp.play import read_frame
from mjconv.converters.jmjp.points import STEP
from mjconv.converters.jmjp.reader import rotated
from mjconv.converters.jmjp.syntax import Frame
from mjconv.converters.shared import notes
from mjconv.ir import derive, patch
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
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
        extras = match_extras(self.match) if self.comments else MatchExtras()
        if not self.match.rounds:
            extras = MatchExtras((*extras.head, *extras.tail))
        put(reading, extras)
        lines = ["(", *(f"//{text}" for text in extras.head)]
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
            lines += own
            # Without notes the next frame is read after this one as plain text tells it.
            last = reading_of_it if self.plain else game_round
        return [*lines, *(f"//{text}" for text in extras.tail if self.match.rounds), *after, ")"]

    def _round_lines(self, game_round: Round, index: int, last: Round | None) -> tuple[list[str], Round]:
        """Give the lines of a round, and what they are read back as without their note."""
        planned = self._plan(game_round, index)
        frame = planned.frame
        extras = self._extras(game_round, frame)
        dealer = int(self.deals[index].oya or 0)
        named = (frame.number - 1 + (0 if self.plain else self.shift)) % _SEATS
        reading, found, differences, custom = self._read_back(
            planned, named if self.plain else dealer, game_round, last, extras
        )
        if not self.plain:
            differences += [patch.Difference("round.dealer", "differs")] * (dealer != named)
            differences += [patch.Difference("round.dora", "differs")] * (custom != CUSTOMS[0])
        anchors = [anchor for anchor, _ in extras.comments]
        layout = frame_lines(frame, self.major, extras.flows, anchors)
        if differences:
            notes.tell(
                self.report,
                differences,
                carried=not self.plain,
                match=self.number,
                round=index,
                label=game_round.label,
            )
        lines = _with_comments(layout, extras.comments)
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

    def _plan(self, game_round: Round, index: int) -> Planned:
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
            if error.untold:
                raise UnsupportedError(f"{where()}{event}: {error}") from None
            raise PlayError(f"{where()}{event}: {error}", at=(self.number, index, error.event or 0)) from None
        except KeyError as error:
            raise UnsupportedError(f"{where()}: jmjp has no word for {error.args[0]}") from None

    def _where(self, game_round: Round) -> str:
        return f"match {self.number + 1}, round {game_round.label}"

    def _own_seat(self) -> int | None:
        seats = (event.id for event in self.match.opening if isinstance(event, ev.StartGame))
        return next((seat for seat in seats if seat is not UNSET), None)

    def _extras(self, game_round: Round, frame: Frame) -> RoundExtras:
        """Give the comments and earlier flows of a round, as far as this file can hold them."""
        extras = round_extras(game_round)
        last = len(frame.flows[-1].acts) if frame.flows else BEFORE_ACTS
        comments = [(max(BEFORE_ACTS, min(at, last)), text) for at, text in extras.comments]
        comments.sort(key=lambda comment: comment[0])
        flows = extras.flows if frame.flows and are_flows(extras.flows, self.major) else ()
        return RoundExtras(tuple(comments) if self.comments else (), flows)

    def _read_back(
        self, planned: Planned, dealer: int, game_round: Round, last: Round | None, extras: RoundExtras
    ) -> tuple[Round, patch.Patch, list[patch.Difference], Custom]:
        """Give the frame as a reader will read it, turning dora as is nearest to the source; compare with it."""
        customs: Sequence[Custom] = CUSTOMS[:1]
        if not self.plain and len(_dora_of(planned.frame)) > 1 and game_round.select(ev.Kakan, ev.Daiminkan):
            customs = CUSTOMS
        best: tuple[Round, patch.Patch, list[patch.Difference], Custom] | None = None
        for custom in customs:
            reading = _as_planned(planned, dealer, game_round, last, custom)
            try:
                reading = reading or read_frame(planned.frame, self.major, dealer, last, custom).round
            except FrameError as error:
                where = self._where(game_round)
                raise UnsupportedError(f"{where}: jmjp cannot tell this play: {error}") from None
            put(reading, extras)
            found, differences = patch.diff(reading, game_round)
            if best is None or len(differences) < len(best[2]):
                best = reading, found, differences, custom
            if not differences:
                break
        assert best is not None
        return best


def _as_planned(
    planned: Planned, dealer: int, game_round: Round, last: Round | None, custom: Custom
) -> Round | None:
    """Give what a frame is read as, if its acts are known and its deal is read as the round's own; else None."""
    frame, events = planned
    start = game_round.events[0] if game_round.events else None
    if events is None or not isinstance(start, ev.StartRound) or start.tehais is UNSET:
        return None
    read, assumed = deal(frame, dealer, last)
    if structs.replace(read, tehais=start.tehais) != start or set(map(len, start.tehais)) != {13}:
        return None
    return Round(
        with_dora(events, _dora_of(frame)[1:], custom),
        dice=frame.dice or UNSET,
        comment=frame.comment or UNSET,
        assumed=assumed,
    )


def _dora_of(frame: Frame) -> tuple[Tile, ...]:
    return known((frame.dora or ())[DORA])


def _with_comments(layout: FrameLines, comments: Sequence[tuple[int, str]]) -> list[str]:
    if not comments:
        return [layout.head, *layout.start, *layout.acts, *layout.end, layout.foot]
    said: dict[int, list[str]] = {}
    for at, text in comments:
        said.setdefault(at, []).append(f"//{text}")
    before = said.pop(BEFORE_ACTS, [])
    acts = []
    for begin, line in zip(layout.begins, layout.acts, strict=True):
        acts += [*said.pop(begin, []), line]
    after = [text for texts in said.values() for text in texts]
    return [layout.head, *before, *layout.start, *acts, *after, *layout.end, layout.foot]
