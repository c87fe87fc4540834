"""Fill a typed jmjp file: insert what follows from what is typed.

Tokens are inserted into the text at places that the reader knows. What is typed stays as it is. A round is filled
when its frame is closed: ``,,]`` after its last act says that it is over.
"""

import codecs
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.converters.jmjp.frames import Frame, MatchSyntax, final_hands, write_hand
from mjconv.converters.jmjp.indicators import IndicatorError, Indicators, indicators_in
from mjconv.converters.jmjp.next_round import deal_after, decides, is_stated, playable_rounds
from mjconv.converters.jmjp.notes import note_in
from mjconv.converters.jmjp.parser import parse
from mjconv.converters.jmjp.reader import read
from mjconv.converters.jmjp.spelling import write_points
from mjconv.converters.jmjp.text import StrippedText
from mjconv.converters.shared.completed import CompleteRound
from mjconv.converters.shared.note_json import digest, loads
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import USUAL_SEATS, Match, Round
from mjconv.ir.play import play_of
from mjconv.ir.seats import turned
from mjconv.rules.scores import points_at_start, scores_after, sticks_left, with_last_sticks, with_uma

#: The wind after the last round of a usual game.
_AFTER_SOUTH: Final = "W"


class Insertion(NamedTuple):
    """A text to insert before an offset of the stripped text; with `own_line` on lines of its own."""

    offset: int
    text: str
    own_line: bool = False


def filled(data: bytes, report: Report) -> bytes:
    """Return a typed jmjp file with what follows from it. Raises `InputError` as the reader does.

    Fills names of rounds, riichi sticks, points before and after rounds, dora of indicators in a comment, hands at
    the end, and the points of the match. What does not follow for sure stays empty; a name that does not is an
    error. A round that has a note stays as it is. `report` gets warnings about rounds whose points after them do
    not follow from those before.
    """
    while True:
        source = StrippedText.from_bytes(data)
        mark = report.mark()
        insertions = _Filling(source, data, report).insertions()
        if not insertions:
            return data
        # What was inserted decides more values: dora decide points.
        report.reset(mark)
        data = codecs.BOM_UTF8 * data.startswith(codecs.BOM_UTF8) + _inserted(source, insertions)


def _inserted(source: StrippedText, insertions: Sequence[Insertion]) -> bytes:
    text = source.text
    line_end = "\r\n" if "\r\n" in text else "\n"
    for offset, new, own_line in sorted(insertions, reverse=True):
        origin = source.origin(offset)
        if own_line:
            begin = "" if text[:origin].rstrip(" \t").endswith("\n") else "\n"
            new = f"{begin}{new}\n".replace("\n", line_end)
        text = text[:origin] + new + text[origin:]
    return text.encode()


class _Filling:
    """Finds what can be inserted into one text."""

    def __init__(self, source: StrippedText, data: bytes, report: Report) -> None:
        self.source = source
        self.text = source.stripped
        self.data = data
        self.report = report

    def insertions(self) -> list[Insertion]:
        if self.text.endswith("]") and self.text.count("[") == 1:
            return []
        matches = [reading.match for reading in read(self.data, Report())]
        file = parse(self.source)
        noted = self._noted([frame for syntax in file.matches for frame in syntax.frames])
        return [
            each
            for group in map(self._of_match, file.matches, matches)
            for each in group
            if not any(frame.begin <= each.offset < frame.end for frame in noted)
        ]

    def _noted(self, frames: Sequence[Frame]) -> list[Frame]:
        """Return the frames that have a note. In another text, the note would no longer fit."""
        notes = filter(None, (note_in(comment.text) for comment in self.source.comments))
        digests = {note.digest for text, _ in notes for note in loads(text.encode())}
        return [one for one in frames if digest(self.text[one.begin : one.end].encode()) in digests]

    def _of_match(self, syntax: MatchSyntax, match: Match) -> Iterator[Insertion]:
        rounds = playable_rounds(match)
        stated = points_at_start(match)
        points: tuple[int, ...] | None = None if stated is UNSET else (stated,) * USUAL_SEATS
        before: Round | None = None
        sticks: int | None = 0
        for frame, game_round, played in zip(syntax.frames, match.rounds, rounds, strict=False):
            start = game_round.start or ev.StartRound()
            if start.scores is not UNSET:
                points = start.scores
            yield from self._head(frame, played.deal, points, sticks)
            if frame.flows and frame.closed:
                if not frame.flows[-1].end and decides(game_round, played):
                    yield self._hands(frame, game_round)
                unknown = played.points_unknown(sum(named.unturned for named in self._indicators(frame)))
                after = _points_after(game_round, played, points, unknown)
                flow = frame.flows[-1]
                if after is not None and frame.pfe is None:
                    yield Insertion(flow.offset("end", len(flow.end)) + 1, f"pfe[{_spelled(after, played.deal)}]")
                elif frame.pfe is None and points is not None:
                    reason = unknown or "jmjp writes hundreds"
                    line = self.source.place(frame.begin).line
                    self.report.warn(f"the points after this round do not follow: {reason}", line=line)
                points = after
            else:
                points = game_round.scores_after or None
            before = Round(played.events, scores_after=game_round.scores_after) if frame.closed else None
            sticks = None if before is None else sticks_left(before, played.deal)
        closed = syntax.stop is None and self.text[syntax.end - 1 : syntax.end] == ")"
        if closed and before is not None and points is not None and match.final_scores is UNSET:
            yield from self._final(syntax, match, structs.replace(deal_after(match.rounds[-1])[0], scores=points))

    def _head(
        self, frame: Frame, deal: ev.StartRound, points: tuple[int, ...] | None, sticks: int | None
    ) -> Iterator[Insertion]:
        """Yield what is missing in the head of a frame."""
        if not frame.named:
            yield Insertion(frame.begin + len("frm["), f"{deal.bakaze}{deal.kyoku}-{deal.honba}")
        kyoutak = self.text.index(",", frame.begin) + 1
        dice = self.text.index(",", kyoutak) + 1
        pfs = self.text.index(",", dice) + 1
        dora = (pfs if frame.pfs is None else self.text.index("]", pfs) + 1) + 1
        if frame.kyoutak is None and sticks is not None:
            yield Insertion(kyoutak, f"{sticks}.0")
        if frame.pfs is None and points is not None and frame.flows:
            yield Insertion(pfs, f"pfs[{_spelled(points, deal)}]")
        if frame.dora is None:
            # A second comment that names others gets a warning.
            yield from (Insertion(dora, "".join(named.dora)) for named in islice(self._indicators(frame), 1))

    def _indicators(self, frame: Frame) -> Iterator[Indicators]:
        """Yield the indicators in the comments of a frame."""
        comments = (one.text for one in self.source.comments if frame.begin < one.offset <= frame.end)
        with suppress(IndicatorError):
            # The reader warns of indicators that are no tiles.
            yield from filter(None, map(indicators_in, comments))

    def _hands(self, frame: Frame, game_round: Round) -> Insertion:
        table = play_of(game_round).end
        dealer = table.oya
        hands = final_hands(table)
        players = [(dealer + seat) % USUAL_SEATS for seat in range(USUAL_SEATS)]
        lines = [f"({write_hand(player, hands[player], dealer, self.source.major)})" for player in players]
        return Insertion(frame.flows[-1].end_at, "\n".join(lines), own_line=True)

    def _final(self, syntax: MatchSyntax, match: Match, state: ev.StartRound) -> Iterator[Insertion]:
        """Yield the points of a match that ended after its last round of south: others may end elsewhere."""
        *_, scores = with_last_sticks(state)
        if state.bakaze != _AFTER_SOUTH or len(set(state.scores or ())) < USUAL_SEATS:
            return
        final = next(with_uma(match, scores), None)
        if final is not None and None not in map(write_points, final):
            first = syntax.frames[0]
            shift = int(match.rounds[0].start.oya or 0) - first.number + 1 if match.rounds[0].start else 0
            by_id = map(write_points, turned(final, shift))
            yield Insertion(syntax.end - 1, f"pme[{','.join(map(str, by_id))}]", own_line=True)


def _spelled(points: Sequence[int], deal: ev.StartRound) -> str:
    """Spell points by player in the order of the seats."""
    return ",".join(str(write_points(number)) for number in turned(tuple(points), deal.oya or 0))


def _points_after(
    game_round: Round, played: CompleteRound, points: tuple[int, ...] | None, unknown: str
) -> tuple[int, ...] | None:
    """Return the points after a round, if they are typed or follow for sure; None if not."""
    if game_round.scores_after is not UNSET:
        return game_round.scores_after
    if points is None or not (is_stated(game_round) or not unknown):
        return None
    after = scores_after(Round(played.events), points)
    return None if after is None or None in map(write_points, after) else after
