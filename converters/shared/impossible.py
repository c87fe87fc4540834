"""Impossible play: events that no table allows, counted where neither the reader nor the writer plays them."""

from __future__ import annotations

from mjconv.converters.interface import Locate
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.losses import Report, Warn
from mjconv.ir.match import Match, Round
from mjconv.ir.stream import indices_of_host, recorded_seat
from mjconv.ir.table import RULES, Table


def note_impossible(match: Match, number: int, report: Report, locate: Locate | None = None) -> None:
    """Count the impossible events of match `number` in the report, which keeps a warning about the first one.

    `locate` is the function of the match's `Reading`.

    >>> from mjconv.ir.events import Discard, StartRound
    >>> deal = StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, (("2m",) * 13,) * 4)
    >>> report = Report()
    >>> note_impossible(Match(rounds=[Round([deal, Discard(0, "9p", tsumogiri=False)])]), 0, report)
    >>> report.impossible, report.first_impossible.message
    (1, "impossible play: player 0 discards, where the table waits for the dealer's first draw")
    """
    seat = recorded_seat(match.opening)
    for index, game_round in enumerate(match.rounds):
        if _is_possible(game_round):
            continue
        refusals = _refusals(game_round, seat)
        report.impossible += len(refusals)
        if report.first_impossible is None and refusals:
            event, refusal = refusals[0]
            place = None if locate is None else locate(index, event, "")
            line, column = (None, None) if place is None else (place.line, place.column)
            message = f"impossible play: {refusal}"
            report.first_impossible = Warn(message, number, index, game_round.label, line, column, event)


def _is_possible(game_round: Round) -> bool:
    start = game_round.start
    if start is None:
        return True
    try:
        table = Table.dealt(start)
        for event in game_round.events:
            RULES[type(event)](table, event)
    except IllegalPlayError:
        return False
    return True


def _refusals(game_round: Round, seat: int | None) -> list[tuple[int, IllegalPlayError]]:
    """Return the index and the reason of each impossible event; `seat` is the recording seat of a stream."""
    assert game_round.start is not None
    try:
        table = Table.dealt(game_round.start, strict=False)
    except IllegalPlayError as error:
        return [(game_round.events.index(game_round.start), error)]
    refusals: list[tuple[int, IllegalPlayError]] = []
    for index in indices_of_host(game_round.events, seat):
        table.apply(game_round.events[index])
        if len(table.impossible) > len(refusals):
            refusals.append((index, table.impossible[-1].error))
    return refusals
