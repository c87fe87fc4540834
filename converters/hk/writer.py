"""Write HK scores: a line for each game, with notes for everything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import UNSET, structs

from mjconv.converters.hk import layout
from mjconv.converters.hk.grouping import MatchLines, group_lines, match_of
from mjconv.converters.hk.lines import BEGINNING, SEATS, Names, Result, State, declare, state_of
from mjconv.converters.hk.names import spell
from mjconv.converters.hk.notes import HkNote, write_note
from mjconv.converters.hk.reader import game_digest, match_digest
from mjconv.converters.hk.results import nearest, result_of, seats_of
from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared import notes
from mjconv.ir import derive, patch
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Round
from mjconv.ir.patch import Difference, Edit, Patch
from mjconv.rules import hongkong_faan as faan
from mjconv.rules.decomposition import decompositions as readings
from mjconv.rules.hongkong_wins import PlayedWrongError, winning_hand

#: The declaration of a file whose games were not scored by HK rules.
_FULL: Final = "R=full"
_BOM: Final = "\ufeff"
Whole = TypeVar("Whole", Match, Round)


def write(matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
    """Write matches as one file: their names, and a line a round.

    The faan of a round by other rules are counted from the winning hand. Notes, which are comments to other
    programs, carry all that a line does not hold, unless `options.plain`. Raises `UnsupportedError` for other than
    four players, `PlayError` if the events before a winning hand cannot be played.

    >>> from mjconv.ir.match import Name, Player, Text
    >>> players = [Player(Name(Text(name))) for name in "ABCD"]
    >>> match = Match(players, [Round([ev.Win(1, target=2, fan=3)])], rules=BEGINNING.rules())
    >>> print(write([match], Report(), WriteOptions(plain=True)).decode(), end="")
    A B C D
    - 3 d -
    """
    lines: list[str] = []
    state = BEGINNING
    every = list(matches)
    for number, match in enumerate(every):
        writer = _MatchWriter(match, number, state, report, plain=options.plain)
        if lines:
            lines.append("")
        lines += writer.lines(last=number == len(every) - 1)
        state = writer.state
    text = "".join(f"{line}\n" for line in lines)
    # A mark at the very beginning is not read as text.
    return f"{_BOM if text.startswith(_BOM) else ''}{text}".encode()


class _Line(NamedTuple):
    """A round, its number from 0, and its result; None if it has no line."""

    number: int
    round: Round
    result: Result | None


class _MatchWriter:
    """Writes one match: its lines first, then the notes, by the reading of those lines."""

    def __init__(self, match: Match, number: int, state: State, report: Report, *, plain: bool) -> None:
        if match.seats != SEATS:
            raise UnsupportedError(
                f"HK scores are of games of four players, and match {number + 1} has {match.seats} players"
            )
        self.match = match
        self.number = number
        self.entering = state
        self.state = state
        self.report = report
        self.plain = plain
        #: The state of a round without rules and date of its own.
        self.usual = state_of(match.rules, match.date)
        self.deals: list[ev.StartRound] | None = None
        #: The rounds and events whose faan are approximated: no other loss of `hora.fan` is reported for them.
        self.approximated: set[tuple[int, int | None]] = set()

    def lines(self, *, last: bool) -> list[str]:
        """Return the lines of the match; `last` if no other follows, which would take its last lines."""
        rounds = [
            _Line(index, game_round, self._result(game_round, index))
            for index, game_round in enumerate(self.match.rounds)
        ]
        written, places = self._lay_out(rounds, last=last)
        [lines] = group_lines(written, self.entering)
        self.state = lines.last_game.state if lines.last_game else lines.state
        reading = match_of(lines, len(self.match.rounds))
        own = iter(zip(lines.played, reading.rounds, strict=True))
        reading.rounds = []
        after: dict[int, list[HkNote]] = {lines.number - 1: self._match_notes(lines, reading)}
        for place, line in zip(places, rounds, strict=True):
            if line.result is None:
                after.setdefault(place, []).extend(self._left_out(line))
            else:
                game, read = next(own)
                after.setdefault(place, []).extend(self._round_notes(line, read, game.result))
        if self.plain:
            return written
        return [
            text
            for place, line in enumerate(written)
            for text in (line, *(write_note(note) for note in after.get(place, ())))
        ]

    # The lines.

    def _lay_out(self, rounds: Sequence[_Line], *, last: bool) -> tuple[list[str], list[int]]:
        """Return the lines without notes, and for each round the index of its line, or of the last before it."""
        kept = layout.match_extras(self.match)
        comments = layout.arrange_comments(self.match)
        first = self._state(rounds[0].round if rounds else None)
        written, state = self._before(kept.before, comments.above, self.entering, first, at_names=True)
        names = tuple("" if player.name is UNSET else player.name.shown for player in self.match.players)
        canonical = " ".join(spell(names or ("",) * SEATS))
        written.append(layout.line_of(kept.line, Names(names), canonical, comments.beside))
        places = []
        for line in rounds:
            if line.result is not None:
                extras = layout.round_extras(line.round)
                above = layout.comments_above(line.round)
                before, state = self._before(extras.before, above, state, self._state(line.round))
                written += before
                end = layout.end_comment(line.round)
                written.append(layout.line_of(extras.line, line.result, str(line.result), end))
            places.append(len(written) - 1)
        after, _ = layout.laid_out(layout.filled(kept.after, comments.below), state)
        if not last:
            # Other lines than comments right under the last game would belong to the next match.
            after = list(filter(layout.is_place, after))
        return written + after, places

    def _before(
        self, kept: Any, comments: Sequence[str], state: State, wanted: State, *, at_names: bool = False
    ) -> tuple[list[str], State]:
        """Return the lines before names or a game, in the layout that was kept, and the state after them."""
        lines = layout.filled(() if kept is UNSET else kept, comments)
        if kept is UNSET and state == wanted and not at_names:
            return lines, state
        if kept is not UNSET:
            lines, state = layout.laid_out(lines, state)
            if at_names and self.match.rounds:
                # A declaration after the names stays there.
                return lines, state
        declared = declare(state, wanted)
        played = at_names and bool(self.match.rounds) and not _has_hk_rules(self.match, self.match.rounds[0])
        if played and _FULL not in declared:
            declared.append(_FULL)
        reached = wanted._replace(date=max(filter(None, (state.date, wanted.date)), default=None))
        return lines + declared, reached

    def _state(self, game_round: Round | None) -> State:
        if game_round is None or game_round.rules is game_round.date is UNSET:
            return self.usual
        rules = self.match.rules if game_round.rules is UNSET else game_round.rules
        when = self.match.date if game_round.date is UNSET else game_round.date
        return state_of(rules, when)

    # The results.

    def _result(self, game_round: Round, index: int) -> Result | None:
        """Return the results of a round, or None if it has none."""
        wins = game_round.select(ev.Win)
        draws = game_round.select(ev.Ryukyoku)
        results: list[ev.Win | ev.Ryukyoku] = [*wins, *draws]
        for seat in (seat for event in results for seat in seats_of(event)):
            if not 0 <= seat < SEATS:
                raise UnsupportedError(f"{self._where(game_round)}: there is no player {seat} of {SEATS}")
        state = self._state(game_round)
        guarantors = state.responsibility == "half"
        if wins:
            win = nearest(wins)
            won = self._faan(game_round, index, win, state.max_faan)
            return result_of(win, won, guarantors=guarantors)
        return result_of(draws[0], 0, guarantors=guarantors) if draws else None

    def _faan(self, game_round: Round, index: int, win: ev.Win, most: int) -> int:
        """Return the winner's faan: as scored if that was by HK rules, else counted from the hand."""
        if _has_hk_rules(self.match, game_round) and win.fan is not UNSET:
            return min(win.fan, most)
        self.deals = self.deals or derive.starts(self.match)
        try:
            won = winning_hand(game_round, self.deals[index], win, self._own_seat())
        except PlayedWrongError as error:
            message = f"{self._where(game_round)}, message {error.event + 1}: {error}"
            raise PlayError(message, at=(self.number, index, error.event)) from None
        counted = None if won is None else faan.count(readings(won.concealed, won.melds), won.way, most)
        if counted is None:
            reason = "the winning hand is not shown" if won is None else "the winning hand is none by HK rules"
            self._approximate(game_round, index, win, f"0 faan: {reason}")
            return 0
        if faan.APPROXIMATED in counted.patterns:
            self._approximate(game_round, index, win, f"{counted.total} faan for a hand of {faan.APPROXIMATED}")
        return counted.total

    def _approximate(self, game_round: Round, index: int, win: ev.Win, detail: str) -> None:
        event = game_round.events.index(win)
        self.approximated.add((index, event))
        self.report.lose(
            "hora.fan",
            "approximated",
            match=self.number,
            round=index,
            event=event,
            label=game_round.label,
            detail=detail,
        )

    def _own_seat(self) -> int | None:
        seats = (event.id for event in self.match.opening if isinstance(event, ev.StartGame))
        return next((seat for seat in seats if seat is not UNSET), None)

    def _where(self, game_round: Round) -> str:
        return f"match {self.number + 1}, round {game_round.label}"

    # The notes.

    def _match_notes(self, lines: MatchLines, reading: Match) -> list[HkNote]:
        found, differences = patch.diff(reading, self.match)
        self._tell(differences, reading, self.match)
        if not found:
            return []
        self._check(found, reading, f"match {self.number + 1}")
        return [HkNote(match=notes.of(found, match_digest(lines.names, lines.first)))]

    def _round_notes(self, line: _Line, reading: Round, result: Result) -> list[HkNote]:
        if reading == line.round:
            return []
        found, differences = _diff(reading, line.round)
        differences = [
            one
            for one in differences
            if one.what != "hora.fan" or (line.number, one.event) not in self.approximated
        ]
        self._tell(differences, reading, line.round, line.number)
        self._check(found, reading, self._where(line.round))
        return [HkNote(round=notes.of(found, game_digest(result)))] if found else []

    def _left_out(self, line: _Line) -> list[HkNote]:
        self.report.lose(
            "match.rounds",
            "dropped" if self.plain else "carried",
            match=self.number,
            round=line.number,
            label=line.round.label,
            detail="it has no result",
        )
        found, _ = patch.diff(Round(), line.round)
        self._check(found, Round(), self._where(line.round))
        return [HkNote(left_out=notes.of(found, ""))]

    def _check(self, found: Patch, reading: Whole, where: str) -> None:
        """Raise `UnsupportedError` if the reader would refuse a note with this patch."""
        if not self.plain and found:
            try:
                patch.apply(found, reading, seats=SEATS)
            except patch.PatchError as error:
                raise UnsupportedError(f"{where}: no note can hold this: {error}") from None

    def _tell(
        self,
        differences: list[Difference],
        reading: Match | Round,
        source: Match | Round,
        index: int | None = None,
    ) -> None:
        """Report differences as losses; if only the layout is new, nothing is lost."""
        if layout.KEY not in source.extras and _without_layout(reading) == source.extras:
            differences = [one for one in differences if not one.what.endswith(".extras")]
        label = source.label if isinstance(source, Round) else None
        notes.tell(self.report, differences, carried=not self.plain, match=self.number, round=index, label=label)


def _has_hk_rules(match: Match, game_round: Round) -> bool:
    rules = match.rules if game_round.rules is UNSET else game_round.rules
    return rules is not UNSET and rules.base is not UNSET


def _without_layout(whole: Match | Round) -> dict[str, Any]:
    return {key: value for key, value in whole.extras.items() if key != layout.KEY}


def _diff(reading: Round, source: Round) -> tuple[Patch, list[Difference]]:
    """Compare a reading, which is only a result, with the source: it lacks the play before the source's result.

    Comparing the lists from their beginnings would take the result for one that the source does not have.
    """
    results = (place for place, event in enumerate(source.events) if isinstance(event, (ev.Win, ev.Ryukyoku)))
    played = next(results, 0)
    play, rest = source.events[:played], source.events[played:]
    if not play:
        return patch.diff(reading, source)
    found, differences = patch.diff(
        structs.replace(reading, annotations=()), structs.replace(source, events=rest, annotations=())
    )
    lacking = [Difference(ev.name_of(event), "lacks", place) for place, event in enumerate(play)]
    moved = [one if one.event is None else structs.replace(one, event=one.event + played) for one in differences]
    insert = Edit(0, 0, tuple(ev.to_message(event) for event in play))
    found = structs.replace(found, events=(insert, *found.events))
    # Annotations keep their events, so they are compared after all edits.
    ours = Round(annotations=patch.move(reading.annotations, found.events))
    more, others = patch.diff(ours, Round(annotations=source.annotations))
    found = structs.replace(found, set=found.set | more.set, unset=(*found.unset, *more.unset))
    return found, [*lacking, *moved, *others]
