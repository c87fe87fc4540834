"""The log of findings: each with its code, its message, its place in the record, and its picture."""

from bisect import bisect_left
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from mjconv.ir import events as ev
from mjconv.ir.errors import shortened
from mjconv.ir.illegal import fill_gaps
from mjconv.ir.limits import current
from mjconv.ir.match import Match
from mjconv.ir.spelling import PLAIN, Seating, Spelling
from mjconv.referee.codes import CODES
from mjconv.referee.findings import Finding

#: The labels of the events before the first round and after the last, as losses name them.
OPENING: Final = "opening"
CLOSING: Final = "closing"


class FindingLog:
    """The findings of one match. `number` is the index of the match in its file.

    The messages spell players and tiles by `spelling`. The log keeps no more findings than the limit `faults`
    allows.
    """

    def __init__(self, match: Match, number: int, spelling: Spelling = PLAIN) -> None:
        self.match: Final = match
        self.number: Final = number
        self.spelling: Final = spelling
        #: Pictures of the table, by round and event.
        self.pictures: Final[dict[tuple[int | None, int | None], str]] = {}
        self._most: Final = current().faults
        #: The codes of notes that the log holds once for a match.
        self._noted: Final[set[str]] = set()
        self._entries: list[tuple[tuple[int, int], Finding]] = []
        self._discards: dict[int, dict[int, list[int]]] = {}
        # Kept, because the match counts its seats anew each time.
        self.seats: Final = match.seats

    @property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the record."""
        ordered = [finding for _, finding in sorted(self._entries, key=lambda entry: entry[0])]
        if not self.pictures:
            return ordered
        return [replace(finding, picture=self.pictures.get((finding.round, finding.event))) for finding in ordered]

    def add_of_answer(self, finding: Finding, answer: int) -> None:
        """Add a finding of another log about an answer, by its index, of a round of this match."""
        if len(self._entries) < self._most:
            number = finding.round or 0
            event = self._answered(number, answer)
            message = f"an answer that the host does not repeat: {finding.message}"
            self._entries.append(((number, event), replace(finding, event=event, message=message, answer=answer)))

    def _answered(self, number: int, answer: int) -> int:
        """Return the index of the event before an answer of a round."""
        return max(0, self.match.rounds[number].answers[answer].index - 1)

    def add(
        self,
        code: str,
        sentence: str,
        *about: Any,
        round: int | None = None,  # noqa: A002 - the field's word
        event: int | None = None,
        actor: int | None = None,
        label: str | None = None,
        answer: int | None = None,
        key: str | None = None,
    ) -> None:
        """Add a finding: its code, a sentence with gaps and their values, its place, and the seat it is about.

        `answer` is the index of the answer in its round that the finding is about, `key` the key of its event.
        """
        if len(self._entries) >= self._most or code in self._noted:
            return
        if CODES[code].severity == "note":
            self._noted.add(code)
        if answer is not None and round is not None:
            event = self._answered(round, answer)
        if label is None:
            label = CLOSING if round is None else self.match.rounds[round].label
        seating = self.seating(round)
        spelling = self.spelling
        message = fill_gaps(
            sentence,
            about,
            lambda seat: spelling.player(seat, seating),
            spelling.tile,
            lambda points: spelling.points(points, seating),
        )
        where = (self.number, round, event, label, actor, self._turn(round, event, actor))
        finding = Finding(code, CODES[code].severity, shortened(message), *where, answer=answer, key=key)
        number = round if round is not None else -1 if label == OPENING else len(self.match.rounds)
        self._entries.append(((number, -1 if event is None else event), finding))

    def _turn(self, number: int | None, event: int | None, actor: int | None) -> int | None:
        """Return the number of a player's turn: one more than the tiles that the player discarded before."""
        if number is None or event is None or actor is None:
            return None
        discards = self._discards.get(number)
        if discards is None:
            discards = self._discards[number] = {}
            for index, played in enumerate(self.match.rounds[number].events):
                if type(played) is ev.Discard:
                    discards.setdefault(played.actor, []).append(index)
        return 1 + bisect_left(discards.get(actor, []), event)

    def seating(self, number: int | None) -> Seating:
        """Return the seating of a round, or of the match for None."""
        names = tuple(self.match.names)
        if number is None:
            return Seating(None, self.seats, names)
        start = self.match.rounds[number].start
        if start is None:
            return Seating(0, self.seats, names)
        seats = self.seats if start.tehais is UNSET else len(start.tehais)
        dealer = (start.kyoku or 1) - 1 if start.oya is UNSET else start.oya
        return Seating(dealer, seats, names)
