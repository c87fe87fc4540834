"""The order of messages: which message may follow, and whose it may be, by the table of `order_table`.

After a message out of order, the check continues from the moment that fits the next message. Tiles and hands are
not checked here.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import UNSET, structs

from mjconv.ir import events as ev
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Match
from mjconv.ir.table import DEALT
from mjconv.ir.tiles import HIDDEN
from mjconv.referee.order_table import BETWEEN, GAME_OVER, NOTHING, PLAY, OrderTable, cannot_come, in_words
from mjconv.rules.succession import starts

_RESULTS: Final = frozenset({ev.Win, ev.Ryukyoku, ev.EndRound})
#: What play waits for before the first round and after the last, with the messages that may come and what it waits
#: for after each.
AROUND: Final[dict[str, dict[type, str]]] = {
    NOTHING: {ev.StartGame: BETWEEN},
    BETWEEN: {ev.StartRound: DEALT, ev.EndGame: GAME_OVER},
    GAME_OVER: {},
}


class Misplaced(NamedTuple):
    """One event out of order: the code, a sentence with gaps for players, and what fills the gaps.

    `round` and `event` are indices from 0. Without a round, the event is one of the match's `opening` or
    `closing`, as `where` states.
    """

    code: str
    sentence: str
    about: tuple[Any, ...] = ()
    round: int | None = None
    event: int | None = None
    actor: int | None = None
    where: str | None = None


def misplaced(match: Match) -> Iterator[Misplaced]:
    """Yield all events of a match that are out of order.

    A round known only by its result has no order.

    >>> from mjconv.ir.match import Round
    >>> play = [ev.StartRound(oya=0, tehais=(("1m",) * 13,) * 4), ev.Draw(0, "9p"), ev.Draw(1, "9p")]
    >>> found = misplaced(Match(rounds=[Round(play)], opening=[ev.StartGame()], closing=[ev.EndGame()]))
    >>> [(each.code, each.round, each.event) for each in found]
    [('O001', 0, 2), ('O009', 0, 2)]
    """
    if match.rounds and not any(type(event) is ev.StartGame for event in match.opening):
        yield Misplaced("O012", "the record does not begin with start_game")
    yield from _around(match.opening, "opening", NOTHING)
    # Kept, because the match counts its seats anew each time.
    usual = match.seats
    for number, (game_round, deal) in enumerate(zip(match.rounds, starts(match), strict=True)):
        events = game_round.events
        if events and type(start := events[0]) is ev.StartRound:
            hands = [[HIDDEN]] * usual if start.tehais is UNSET else start.tehais or [[]] * usual
            yield from _misplaced_in_round(events, number, OrderTable(hands, min(deal.oya or 0, len(hands) - 1)))
        else:
            yield from _without_deal(events, number)
    yield from _around(match.closing, "closing", BETWEEN)
    if match.rounds and not any(type(event) is ev.EndGame for event in match.closing):
        yield Misplaced("O011", "the record ends without end_game")


def _misplaced_in_round(events: Sequence[Any], number: int, table: OrderTable) -> Iterator[Misplaced]:
    absent = set()
    following = 1
    while following < len(events):
        index = following
        following += 1
        try:
            following = table.advance(events, index)
        except IllegalPlayError as error:
            event = events[index]
            actor = _actor(event)
            if actor is not None and actor >= table.seats:
                if actor in absent:
                    continue
                absent.add(actor)
            reason = table.reason(event, error)
            yield Misplaced(reason.code, reason.sentence, reason.about, number, index, actor)
            if reason.code == "O007":
                return
            table = _recovered(table, event, events[following] if following < len(events) else None)
    last = len(events) - 1
    if table.phase in PLAY:
        yield Misplaced("O009", "the round breaks off without a result", (), number, last)
    elif table.phase is not BETWEEN:
        yield Misplaced("O010", "the round is not closed by end_kyoku, or in jmjp by ,,]", (), number, last)


def _recovered(table: OrderTable, event: Any, following: Any) -> OrderTable:
    """Return the table after a message out of order: by the reading of it that the next message fits.

    The message is as the record states it, or another player's, or none.
    """
    others = [] if type(event) is ev.Win else table.players(event)
    if not others and type(event) in (ev.Draw, ev.Chi):
        others = [(table.turn + 1) % table.seats]
    elif not others and type(event) in (ev.Pon, ev.Daiminkan):
        others = [*range(table.seats)]
    first = table.copy()
    readings = [first if first.play_anyway(event) else table]
    for player in others:
        reading = table.copy()
        reading.play_anyway(structs.replace(event, actor=player))
        readings.append(reading)
    if following is not None:
        return next((each for each in [*readings, table] if each.allows(following)), readings[0])
    return readings[0]


def _without_deal(events: Sequence[Any], number: int) -> Sequence[Misplaced]:
    """Check a round without a deal: it may be a result, which has no order."""
    for index, event in enumerate(events):
        if type(event) not in _RESULTS:
            doing, about = in_words(event)
            sentence = f"{doing}, but the round does not begin with a deal"
            return (Misplaced("O001", sentence, about, number, index, _actor(event)),)
    return ()


def _actor(event: Any) -> int | None:
    actor = getattr(event, "actor", UNSET)
    return None if actor is UNSET else int(actor)


def _around(events: Sequence[Any], where: str, waits: str) -> Iterator[Misplaced]:
    """Check the events before the first round, or after the last."""
    for index, event in enumerate(events):
        kind = type(event)
        if kind in ev.CONVERSATION:
            continue
        if kind in AROUND[waits]:
            waits = AROUND[waits][kind]
            continue
        reason = cannot_come(event, waits)
        yield Misplaced(reason.code, reason.sentence, reason.about, None, index, _actor(event), where)
