"""Impossible play: events that no table allows, counted where neither the reader nor the writer plays them."""

from mjconv.converters.interface import Locate
from mjconv.ir.losses import Report, Warn
from mjconv.ir.match import Match
from mjconv.ir.play import refusals


def note_impossible(match: Match, number: int, report: Report, locate: Locate | None = None) -> None:
    """Count the impossible events of match `number` in the report, which keeps a warning about the first one.

    `locate` is the function of the match's `Reading`.

    >>> from mjconv.ir.events import Discard, StartRound
    >>> from mjconv.ir.match import Round
    >>> deal = StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, (("2m",) * 13,) * 4)
    >>> report = Report()
    >>> note_impossible(Match(rounds=[Round([deal, Discard(0, "9p", tsumogiri=False)])]), 0, report)
    >>> report.impossible, report.first_impossible.message
    (1, "impossible play: player 0 discards, where the table waits for the dealer's first draw")
    """
    for index, game_round in enumerate(match.rounds):
        found = refusals(game_round) if game_round.start is not None else []
        report.impossible += len(found)
        if report.first_impossible is None and found:
            event, refusal = found[0]
            place = None if locate is None else locate(index, event, "")
            line, column = (None, None) if place is None else (place.line, place.column)
            message = f"impossible play: {refusal}"
            report.first_impossible = Warn(message, number, index, game_round.label, line, column, event)
