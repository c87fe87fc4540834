"""Write Ùzje: the short form, the long one, or the engine's commands, with notes for everything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from msgspec import UNSET, structs

from mjconv.converters.interface import WriteOptions
from mjconv.converters.shared import notes
from mjconv.converters.uzje.comments import (
    KEY,
    MATCH,
    MatchExtras,
    Paragraphs,
    RoundExtras,
    begins_match,
    end_comments,
    header_places,
    match_annotations,
    match_extras,
    put,
    round_annotations,
    round_extras,
    sort_paragraphs,
    write_head,
    write_round,
)
from mjconv.converters.uzje.layout import lay_out, lines_of
from mjconv.converters.uzje.notes import RoundNote, UzjeNote, game_digest, match_digest, write_note
from mjconv.converters.uzje.plan import Plan, PlanError, SpellingError, UndecidedError, plan_game
from mjconv.ir import derive, patch
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Record, Round
from mjconv.ir.stream import places_of, play_heard
from mjconv.ir.tiles import RED_FIVES

Whole = TypeVar("Whole", Round, Match)

_HEADER: Final = 4
_REDS: Final = frozenset(RED_FIVES)


def write(matches: Iterable[Match], report: Report, options: WriteOptions) -> bytes:
    r"""Write matches into one file, games as turns or, in the flavour ``uzje-commands``, as commands.

    Notes, which are data paragraphs, carry all that the notation cannot express, unless `options.plain`.
    Raises `UnsupportedError` for hidden tiles and for other than 3, 4 or 6 players, `PlayError` if the events
    cannot be played.

    >>> write([Match(opening=[ev.StartGame()], closing=[ev.EndGame()])], Report(), WriteOptions())
    b'Match:\n'
    """
    paragraphs: list[str] = []
    for number, match in enumerate(matches):
        paragraphs += _MatchWriter(match, number, report, options).paragraphs()
    if not paragraphs:
        raise UnsupportedError("an Ùzje file holds at least one match, and there is none to write")
    return ("\n\n".join(paragraphs) + "\n").encode("ascii")


class _MatchWriter:
    """Writes one match: each part as text, and the reading of that text."""

    def __init__(self, match: Match, number: int, report: Report, options: WriteOptions) -> None:
        self.match = match
        self.seats = match.seats
        self.number = number
        self.report = report
        self.plain = options.plain
        self.style = options.flavour
        self.deals = derive.starts(match)
        self.own_seat = next(
            (e.id for e in match.opening if isinstance(e, ev.StartGame) and e.id is not UNSET), None
        )

    def paragraphs(self) -> list[str]:
        """Return the paragraphs of the match."""
        paragraphs = write_head(self.match, match_extras(self.match))
        head = sort_paragraphs(paragraphs, head=True)
        if (self.number or not self.match.rounds) and not any(map(begins_match, paragraphs[:1])):
            paragraphs.insert(0, f"{MATCH}:")
        games: list[str] = []
        header: Sequence[str] = ()
        end = Paragraphs((), ())
        for index, game_round in enumerate(self.match.rounds):
            words, own, end = self._round(game_round, index)
            games += own
            header = header or words[:_HEADER]
        annotations = match_annotations(head, end, len(self.match.rounds))
        reading = Match(opening=[ev.StartGame()], closing=[ev.EndGame()], annotations=annotations)
        found, differences = patch.diff(reading, _without(self.match, MatchExtras(head.entries)))
        notes.tell(self.report, differences, carried=not self.plain, match=self.number)
        if found and not self.plain:
            note = notes.of(found, match_digest(header))
            paragraphs.append(write_note(UzjeNote(match=note)))
        return [*paragraphs, *games]

    def _round(self, game_round: Round, index: int) -> tuple[Sequence[str], list[str], Paragraphs]:
        """Return the words of a round's game, its paragraphs, and the paragraphs after game and note, sorted."""
        plan = self._plan(game_round, index)
        game = plan.game
        reading, used = plan.reading.round, plan.reading.choices
        shifted = plan.dealer != game.dealer
        extras = round_extras(game_round)
        last = index == len(self.match.rounds) - 1
        comments, texts = write_round(
            game_round, plan.begins, len(game.tiles), extras, end_comments(self.match) if last else None
        )
        after = sort_paragraphs(texts, last=last)
        if comments or after.comments:
            events = len(reading.events)
            reading.annotations = round_annotations(comments, plan.reading.first_event, events, after)
        end = extras.end if game.turns else ""
        layout = lay_out(game, self.style, end, plan.plain)
        source = _without(game_round, RoundExtras(header_places(comments), end, after.entries))
        found, differences = patch.diff(reading, source)
        self._tell(plan, differences, index)
        paragraphs = ["\n".join(lines_of(layout, comments))]
        if not self.plain and (found or shifted or any(used)):
            self._check(found, reading, plan, index)
            note = RoundNote(
                found.set,
                found.unset,
                found.events,
                digest=game_digest(layout.words[: layout.first_turn], layout.unnumbered),
                dealer=plan.dealer if shifted else UNSET,
                red=used.red,
                drawn=tuple(sorted(used.drawn)),
                kong=tuple(sorted(used.kong)),
                aside=tuple(sorted(used.aside)),
            )
            paragraphs.append(write_note(UzjeNote(round=note)))
        return layout.words, [*paragraphs, *texts], after

    def _check(self, found: patch.Patch, reading: Round, plan: Plan, index: int) -> None:
        """Raise `UnsupportedError` if the reader would refuse the note of a game beyond riichi."""
        if plan.game.beyond_riichi:
            try:
                patch.apply(found, reading, seats=MOST_SEATS)
            except patch.PatchError as error:
                raise UnsupportedError(f"{self._where(index)}: no note can hold this: {error}") from None

    def _plan(self, game_round: Round, index: int) -> Plan:
        """Plan the game of a round; of an in-game stream without the host's echoes, if it has any."""
        whole = game_round.events

        def planned(events: Sequence[ev.Event]) -> Plan:
            plan = self._planned(game_round, events, index)
            if events is whole:
                return plan
            at = places_of(events, whole)
            return plan._replace(begins=[at[event] for event in plan.begins], reds=[at[e] for e in plan.reds])

        return play_heard(planned, PlayError, whole, self.own_seat)

    def _planned(self, game_round: Round, events: Sequence[ev.Event], index: int) -> Plan:
        def where(error: PlanError | SpellingError) -> str:
            return f"{self._where(index)}, message {error.event + 1}"

        try:
            return plan_game(game_round, events, self.deals[index], self.seats, noted=not self.plain)
        except SpellingError as error:
            raise UnsupportedError(f"{where(error)}: {error}") from None
        except UndecidedError as error:
            raise UnsupportedError(f"{where(error)}: without a note {error}") from None
        except PlanError as error:
            raise PlayError(f"{where(error)}: {error}", at=(self.number, index, error.event)) from None

    def _where(self, index: int) -> str:
        return f"match {self.number + 1}, round {self.match.rounds[index].label}"

    def _tell(self, plan: Plan, differences: list[patch.Difference], index: int) -> None:
        """Report the differences between the words of the game and the source."""
        game_round = self.match.rounds[index]
        found = list(differences)
        if not self.plain:
            found += _chosen(game_round, plan)
            if plan.dealer != plan.game.dealer:
                found.append(patch.Difference("start_kyoku.oya", "differs", 0))
        notes.tell(
            self.report,
            found,
            carried=not self.plain,
            match=self.number,
            round=index,
            label=game_round.label,
        )


def _chosen(game_round: Round, plan: Plan) -> Iterator[patch.Difference]:
    """Yield the differences that the choices of a note restore."""
    used = plan.reading.choices
    if used.red:
        start = game_round.start
        if start is not None and any(not _REDS.isdisjoint(hand) for hand in start.tehais or ()):
            yield patch.Difference("start_kyoku.tehais", "differs", game_round.events.index(start))
        for place in plan.reds:
            yield patch.Difference("tsumo.pai", "differs", place)
        if not _REDS.isdisjoint(game_round.wall or ()):
            yield patch.Difference("round.wall", "differs")
    for turn in sorted(used.drawn):
        yield patch.Difference("dahai.tsumogiri", "differs", plan.begins[turn])
    for turn in sorted(used.kong | used.aside):
        yield patch.Difference("ankan" if turn in used.kong else "nukidora", "differs", plan.begins[turn])


def _without(source: Whole, extras: Record) -> Whole:
    """Return the source without its extras for Ùzje, if the text shows all of them."""
    if KEY not in source.extras:
        return source
    shown = type(source)()
    put(shown, extras)
    if KEY not in shown.extras or shown.extras[KEY] != source.extras[KEY]:
        return source
    return structs.replace(source, extras={key: value for key, value in source.extras.items() if key != KEY})
