"""Write jmjp, version 1.0 or 0."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
from mjconv.converters.jmjp.frames import FrameError, frame_fields
from mjconv.converters.jmjp.head import MOST_HONBA, rotated, write_info, write_text
from mjconv.converters.jmjp.notes import (
    BEFORE_ACTS,
    KEY,
    KeptText,
    annotations_of,
    are_flows,
    place_note,
    put_round_extras,
    slot_indices,
    slot_of,
    spelled_info,
    text_of,
)
from mjconv.converters.jmjp.round_reader import turned_in, with_turned
from mjconv.converters.jmjp.round_writer import PlannedFrame, plan_frame
from mjconv.converters.shared.dealers import dealers_hints, shift_of
from mjconv.converters.shared.dora import CUSTOMS, Custom, custom_of
from mjconv.converters.shared.extras import as_extras, read_part
from mjconv.converters.shared.json_values import CannotHoldError, refusing
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.illegal import PlayedWrongError
from mjconv.ir.match import USUAL_SEATS, Annotation, Match, Round
from mjconv.rules import succession

__all__ = ["place_note", "render"]

#: The version in the head of a file, by flavour.
_VERSIONS: Final = {"": "1.0", "jmjp-0": "0"}


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    """Write a match as plain text of version 1.0, or of version 0 in the flavour ``jmjp-0``.

    `before` is None for the first match: the head of the file is written before it. Raises `UnsupportedError` for
    a round that is not of four players or has other than riichi tiles, and `PlayError` if its events cannot be
    played.

    >>> game = Match(opening=[ev.StartGame()], closing=[ev.EndGame()])
    >>> print(b"".join(part.text for part in render(game, None, True, WriteOptions()).parts).decode())
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
    return _PaifuWriter(match, options).rendered(is_first=before is None)


class _PaifuWriter:
    """Writes one match: each part as text, and the reading of that text."""

    def __init__(self, match: Match, options: WriteOptions) -> None:
        self.match = match
        self.version = _VERSIONS[options.flavour]
        self.major = int(self.version[0])
        self.plain = options.plain
        self.asked = options.rounds
        #: A strict file of version 0 has no comments.
        self.comments = not (self.plain and self.major == 0)
        self.deals = succession.starts(match)
        self.shift = shift_of(self.deals, USUAL_SEATS)

    def rendered(self, *, is_first: bool) -> Rendered:
        before, after, info = write_info(rotated(self.match, self.shift), self.major)
        spelled: dict[str, str] = {}
        if KEY in self.match.extras:
            usual = [*before, *after]
            before, after = (spelled_info(self.match, part, self.major) for part in (before, after))
            spelled = {text: own for text, own in zip(usual, [*before, *after], strict=True) if own != text}
        comments = self._match_comments()
        reading = info if self.plain else rotated(info, -self.shift)
        reading.opening = [ev.StartGame()]
        reading.closing = [ev.EndGame()]
        reading.annotations = tuple(comments)
        reading.extras = as_extras(KEY, KeptText(spelled=spelled))
        parts = [self._head(before, after, comments, is_first=is_first)]
        last: Round | None = None
        for index, game_round in enumerate(self.match.rounds):
            if self.asked is not None and index not in self.asked:
                parts.append(Part(b""))
                continue
            part, own = self._round(game_round, index, last, _comment_lines(comments, index) if index else [])
            parts.append(part)
            reading.rounds.append(own)
            # Without notes the reader reads the next frame after this one as the plain text states it.
            last = own if self.plain else game_round
        closing = _comment_lines(comments, len(self.match.rounds)) if self.match.rounds else []
        parts.append(Part(_encoded([*closing, *after, ")"])))
        return Rendered(parts, lambda: reading, after=self.version)

    def _head(
        self, before: Sequence[str], after: Sequence[str], comments: Sequence[Annotation], *, is_first: bool
    ) -> Part:
        version = [f"jmjp[{self.version}]"] if is_first else []
        opening = _encoded([*version, "(", *_comment_lines(comments, 0)])
        part = Part(opening + _encoded(before), "".join(("(", *before, *after, ")")).encode, len(opening))
        if not self.plain:
            part.hints = dealers_hints(self.shift, self.deals, USUAL_SEATS)
            part.remarks = [Remark("match.seats")] if self.shift else ()
        return part

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

    def _round(self, game_round: Round, index: int, last: Round | None, lines: list[str]) -> tuple[Part, Round]:
        """Write a round after these lines. Returns its part, and the reading of it after the round `last`."""
        planned = self._plan(game_round, index)
        frame = planned.frame
        flows = read_part(game_round, KEY, KeptText).flows
        flows = flows if frame.flows and are_flows(flows, self.major) else ()
        dealer = int(self.deals[index].oya or 0)
        named = (frame.number - 1 + (0 if self.plain else self.shift)) % USUAL_SEATS
        reading, custom = self._read_back(planned, named if self.plain else dealer, game_round, last)
        put_round_extras(reading, frame, flows)
        comments = self._comments(game_round, planned)
        if comments:
            reading.annotations = annotations_of(comments, reading.events, len(planned.acts))
        layout = _Layout(planned, self.major, flows)
        part = Part(_encoded([*lines, layout.text(comments)]), layout.tokens)
        if not self.plain:
            by_dealer = {} if dealer == named else {"dealer": dealer}
            part.hints = by_dealer | ({} if custom == CUSTOMS[0] else {"dora": custom})
        return part, reading

    def _plan(self, game_round: Round, index: int) -> PlannedFrame:
        start = self.deals[index]
        per_seat = (start.tehais, start.scores, game_round.final_hands, game_round.scores_after)
        try:
            if any(len(values) != USUAL_SEATS for values in per_seat if values is not UNSET):
                raise CannotHoldError("jmjp records games of four players, and this round is not of four")
            if int(start.kyoku or 1) > USUAL_SEATS:
                raise CannotHoldError(f"jmjp writes rounds 1 to {USUAL_SEATS} of a wind")
            if int(start.honba or 0) > MOST_HONBA:
                raise CannotHoldError(f"jmjp writes a honba of at most {MOST_HONBA}")
            return plan_frame(game_round, start, self.major)
        except (CannotHoldError, PlayedWrongError, KeyError) as error:
            wordless = isinstance(error, KeyError)
            with refusing("jmjp", game_round, index=index):
                raise (CannotHoldError(f"jmjp has no word for {error.args[0]}") if wordless else error) from None

    def _comments(self, game_round: Round, planned: PlannedFrame) -> list[tuple[int, str]]:
        """Return the annotations of a round that are written as comments, each with its slot in the frame."""
        if not self.comments or not game_round.annotations:
            return []
        frame = planned.frame
        indices = slot_indices(game_round.events, len(planned.acts)) if frame.flows else []
        comments = [
            (slot_of(one.index, indices) if frame.flows else BEFORE_ACTS, text)
            for one in game_round.annotations
            if (text := text_of(one)) is not None
        ]
        return sorted(comments, key=lambda comment: comment[0])

    def _read_back(
        self, planned: PlannedFrame, dealer: int, game_round: Round, last: Round | None
    ) -> tuple[Round, Custom]:
        """Read a frame after the round `last`, by the custom of dora of the source."""
        frame = planned.frame
        try:
            bare = planned.reading(self.major, dealer, last).round
        except FrameError as error:
            raise UnsupportedError(f"round {game_round.label}: jmjp cannot hold this play: {error}") from None
        custom = CUSTOMS[0]
        if turned_in(frame) and not self.plain and game_round.select(ev.Kakan, ev.Daiminkan):
            custom = custom_of(game_round.events, lambda one: with_turned(bare, frame, one).events)
        return with_turned(bare, frame, custom), custom


class _Layout:
    """The lines of a frame. `flows` are earlier flows, as text."""

    def __init__(self, planned: PlannedFrame, major: int, flows: Sequence[str]) -> None:
        frame = planned.frame
        label, kyoutak, pfs, pfe = [frame.spelled.get(text, text) for text in frame_fields(frame)]
        dice = "" if frame.dice is None else "-".join(map(str, frame.dice))
        comment = "" if frame.comment is None else write_text(frame.comment, major)
        self.head = f"frm[{label},{kyoutak},{dice},{pfs},{''.join(frame.dora or ())},"
        self.start = list(flows)
        self.acts = planned.acts
        self.end: list[str] = []
        self.foot = f",{pfe},{comment}]"
        for flow in frame.flows:
            self.start += [f"({hand})" for hand in flow.start]
            self.end += [f"({hand})" for hand in flow.end]

    def tokens(self) -> bytes:
        """Return the frame without line breaks and comments."""
        acts = "".join(self.acts).replace("\n", "")
        return "".join((self.head, *self.start, acts, *self.end, self.foot)).encode()

    def text(self, comments: Sequence[tuple[int, str]]) -> str:
        """Return the frame with comments, which are in the order of their slots."""
        acts, count = self.acts, len(self.acts)
        before, after, last = (
            [f"//{text}" for at, text in comments if at == slot] for slot in (BEFORE_ACTS, count, count + 1)
        )
        if comments:
            acts = list(acts)
            for slot, text in reversed(comments):
                if BEFORE_ACTS < slot < count:
                    acts[slot] = f"\n//{text}\n{acts[slot].lstrip()}"
        begin = "\n".join([self.head, *before, *self.start])
        return begin + "\n".join(["".join(acts), *after, *self.end, *last, self.foot])


# Layout.


def _encoded(lines: Sequence[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def _comment_lines(annotations: Sequence[Annotation], index: int) -> list[str]:
    return [f"//{one.value}" for one in annotations if one.index == index]
