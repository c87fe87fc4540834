"""Write Ùzje: the short form, the long one, or the engine's commands, with notes for everything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.interface import Part, Remark, Rendered, WriteOptions
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
from mjconv.converters.uzje.game_errors import PlanError, SpellingError, UndecidedError
from mjconv.converters.uzje.layout import lay_out, lines_of
from mjconv.converters.uzje.notes import (
    MatchHints,
    RoundHints,
    game_tokens,
    hints_of,
    match_tokens,
    place_note,
)
from mjconv.converters.uzje.plan import Plan, plan_game
from mjconv.converters.uzje.syntax import HEADER
from mjconv.ir import derive, patch
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.events import MOST_SEATS
from mjconv.ir.match import Match, Round
from mjconv.ir.stream import indices_of_host, play_all_or_host, recorded_seat
from mjconv.ir.tiles import RED_FIVES

__all__ = ["place_note", "render"]

_REDS: Final = frozenset(RED_FIVES)


def render(match: Match, before: object, last: bool, options: WriteOptions) -> Rendered:  # noqa: ARG001
    r"""Write a match, games as turns or, in the flavour ``uzje-commands``, as commands.

    Raises `UnsupportedError` for hidden tiles and for other than 3, 4 or 6 players, `PlayError` if the events
    cannot be played.

    >>> head, tail = render(Match(), None, True, WriteOptions()).parts
    >>> head.text
    b'Match:\n'
    """
    return _MatchWriter(match, options, begins_file=before is None).rendered()


class _Written(NamedTuple):
    """A round as text: its part, its reading, the header of its game, and the paragraphs after it, sorted."""

    part: Part
    reading: Round
    header: Sequence[str]
    after: Paragraphs


class _MatchWriter:
    """Writes one match: each part as text, and the reading of that text."""

    def __init__(self, match: Match, options: WriteOptions, *, begins_file: bool) -> None:
        self.match = match
        self.seats = match.seats
        self.begins_file = begins_file
        self.noted = not options.plain
        self.style = options.flavour
        self.deals = derive.starts(match)
        self.own_seat = recorded_seat(match.opening)

    def rendered(self) -> Rendered:
        """Return the parts of the match, and its reading."""
        match = self.match
        paragraphs = write_head(match, match_extras(match))
        entries = sort_paragraphs(paragraphs, head=True)
        if not (self.begins_file and match.rounds) and not any(map(begins_match, paragraphs[:1])):
            paragraphs.insert(0, f"{MATCH}:")
        # The paragraph that begins the file has no blank line before it.
        text = self._text(paragraphs, first=self.begins_file)
        rounds: list[_Written] = []
        for index, game_round in enumerate(match.rounds):
            rounds.append(self._round(game_round, index, first=not (text or rounds) and self.begins_file))
        end = rounds[-1].after if rounds else Paragraphs((), ())
        reading = Match(
            rounds=[written.reading for written in rounds],
            opening=[ev.StartGame()],
            closing=[ev.EndGame()],
            annotations=match_annotations(entries, end, len(rounds)),
        )
        put(reading, MatchExtras(entries.entries))
        header = rounds[0].header if rounds else ()
        hints = MatchHints(layout=_is_layout_of_note(reading, match)) if self.noted else MatchHints()
        head = Part(
            text, partial(match_tokens, header), len(text), hints_of(hints), list(_of_extras(reading, match))
        )
        return Rendered([head, *(written.part for written in rounds), Part(b"")], reading, after=True)

    def _text(self, paragraphs: Sequence[str], *, first: bool) -> bytes:
        """Return paragraphs as text, each after a blank line, but not the `first` of the file."""
        return "".join([f"\n{text}\n" for text in paragraphs])[int(first) :].encode("ascii")

    def _round(self, game_round: Round, index: int, *, first: bool) -> _Written:
        plan = self._plan(game_round, index)
        game = plan.game
        reading = plan.reading.round
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
        put(reading, RoundExtras(header_places(comments), end, after.entries))
        text = self._text(["\n".join(lines_of(layout, comments))], first=first)
        part = Part(
            text + self._text(texts, first=False),
            partial(game_tokens, layout.words[: layout.first_turn], layout.unnumbered),
            len(text),
            remarks=list(_of_extras(reading, game_round)),
        )
        if self.noted:
            part.hints = hints_of(_hints(plan, layout=_is_layout_of_note(reading, game_round)))
            part.remarks = [*part.remarks, *_of_hints(game_round, plan)]
            if game.beyond_riichi:
                self._check_note(reading, game_round)
        return _Written(part, reading, layout.words[:HEADER], after)

    def _check_note(self, reading: Round, game_round: Round) -> None:
        """Raise `UnsupportedError` if the reader would refuse the note of a game beyond riichi."""
        try:
            patch.apply(patch.diff(reading, game_round)[0], reading, seats=MOST_SEATS)
        except patch.PatchError as error:
            raise UnsupportedError(f"round {game_round.label}: no note can hold this: {error}") from None

    def _plan(self, game_round: Round, index: int) -> Plan:
        """Plan the game of a round; of an in-game stream without the host's echoes, if it has any."""
        whole = game_round.events

        def planned(events: Sequence[ev.Event]) -> Plan:
            plan = self._planned(game_round, events, index)
            if events is whole:
                return plan
            at = indices_of_host(whole, self.own_seat)
            return plan._replace(
                begins=[at[event] for event in plan.begins],
                reds=[at[event] for event in plan.reds],
                red_uses=[(turn, what, at[event]) for turn, what, event in plan.red_uses],
            )

        return play_all_or_host(planned, PlayError, whole, self.own_seat)

    def _planned(self, game_round: Round, events: Sequence[ev.Event], index: int) -> Plan:
        def where(error: PlanError | SpellingError) -> str:
            return f"round {game_round.label}, message {error.event + 1}"

        try:
            return plan_game(game_round, events, self.deals[index], self.seats, noted=self.noted)
        except SpellingError as error:
            raise UnsupportedError(f"{where(error)}: {error}") from None
        except UndecidedError as error:
            raise UnsupportedError(f"{where(error)}: without a note {error}") from None
        except PlanError as error:
            raise PlayError(f"{where(error)}: {error}", at=(0, index, error.event)) from None


def _hints(plan: Plan, *, layout: bool) -> RoundHints:
    used = plan.reading.choices
    return RoundHints(
        plan.dealer if plan.dealer != plan.game.dealer else UNSET,
        used.red,
        tuple(sorted(used.drawn)),
        tuple(sorted(used.kong)),
        tuple(sorted(used.aside)),
        tuple(sorted(used.use_red)),
        layout,
    )


def _of_hints(game_round: Round, plan: Plan) -> Iterator[Remark]:
    """Yield remarks on the values that the hints of a note restore."""
    used = plan.reading.choices
    start = game_round.start
    if used.red:
        if start is not None and any(not _REDS.isdisjoint(hand) for hand in start.tehais or ()):
            yield Remark("start_kyoku.tehais", game_round.events.index(start))
        for place in plan.reds:
            yield Remark("tsumo.pai", place)
        if not _REDS.isdisjoint(game_round.wall or ()):
            yield Remark("round.wall")
    for turn, what, event in plan.red_uses if used.use_red else ():
        if turn in used.use_red:
            yield Remark(what, event)
    for turn in sorted(used.drawn):
        yield Remark("dahai.tsumogiri", plan.begins[turn])
    for turn in sorted(used.kong | used.aside):
        yield Remark("ankan" if turn in used.kong else "nukidora", plan.begins[turn])
    if plan.dealer != plan.game.dealer:
        # Of a derived dealer the hub finds another loss under this name, at the event.
        stated = start is not None and start.oya is not UNSET
        yield Remark("start_kyoku.oya", 0 if stated else None)


def _is_layout_of_note(reading: Match | Round, source: Match | Round) -> bool:
    """Return whether the text does not show all of Ùzje's part of the extras: only a note has it."""
    return KEY in source.extras and _lacks(reading, source, KEY)


def _of_extras(reading: Match | Round, source: Match | Round) -> Iterator[Remark]:
    """Yield a remark if the text lacks some of the extras: its own layout is no reason to call them different."""
    if any(_lacks(reading, source, key) for key in source.extras):
        yield Remark(f"{type(source).__name__.lower()}.extras")


def _lacks(reading: Match | Round, source: Match | Round, key: str) -> bool:
    return key not in reading.extras or reading.extras[key] != source.extras[key]
