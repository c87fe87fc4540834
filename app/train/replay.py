"""Replays matches on the engine's table, round by round; lists the rounds that the engine does not allow."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from mjconv.converters.interface import Reading
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError, UnsupportedError
from mjconv.ir.match import Round
from mjconv.ir.tiles import HIDDEN, RIICHI_TILES
from mjconv.rules.succession import fill
from mjconv.train.answers import EngineAnswer, EngineRefusalError, answers_of
from mjconv.train.engine import MODES, EngineTable

_KNOWN: Final = frozenset((*RIICHI_TILES, HIDDEN))
#: The keys of a deal that the engine needs.
_DEAL: Final = ("bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "scores", "tehais")


class Replayed(NamedTuple):
    """The answers of one round, its error, and the answers that the engine does not offer.

    `round` is the number of the round in its match, from 0. `events` are its events. `errors` has one error if
    the engine does not allow the round, which then has no answers. `unasked` has an error for each win on the
    tile of a kan that the engine does not offer.
    """

    round: int
    events: list[ev.Event]
    answers: list[EngineAnswer]
    errors: list[PlayError]
    unasked: list[PlayError]


def replayed(reading: Reading, rule: Any = None) -> Iterator[Replayed]:
    """Yield the played rounds of a match with the answers of their players.

    Values that the record does not state are derived, if possible. Raises `UnsupportedError` if the engine has no
    table for so many players. `rule` are the engine's rules, None for Tenhou's.
    """
    match = reading.match
    if match.seats not in MODES:
        raise UnsupportedError(f"the engine plays games of three or four players, and this game has {match.seats}")
    replay = _EngineReplay(reading, rule)
    for index, game_round in enumerate(replay.match.rounds):
        if game_round.is_played:
            yield replay.round(index, game_round)


class _EngineReplay:
    def __init__(self, reading: Reading, rule: Any) -> None:
        self.reading = reading
        self.match = fill(reading.match)
        self.seats = reading.match.seats
        self.table = EngineTable(self.seats, rule)

    def round(self, index: int, game_round: Round) -> Replayed:
        events = game_round.events
        known = [seat for seat in range(self.seats) if not _hides(events, seat)]
        try:
            _check(events, self.seats)
            answers, unasked = answers_of(self.table, events, known)
        except EngineRefusalError as error:
            finding = self._findings.get(index, "the referee finds no error in the round")
            reason = f"the engine does not allow this: {error.reason}; {finding}"
            return Replayed(index, events, [], [self._error(index, events, error.event, reason)], [])
        reason = "the engine does not offer this win on the tile of a kan: the decision is left out"
        return Replayed(index, events, answers, [], [self._error(index, events, win, reason) for win in unasked])

    def _error(self, index: int, events: list[ev.Event], event: int, reason: str) -> PlayError:
        label, position = self.match.rounds[index].label, event if events else 0
        place = self.reading.locate(index, position, "")
        return PlayError(f"round {label}, event {position}: {reason}", place, at=(0, index, position))

    @cached_property
    def _findings(self) -> dict[int, str]:
        """The first error that the referee finds in each round, in words."""
        # Imported here: most records have no such round.
        from mjconv.referee.referee import check

        faults: dict[int, str] = {}
        for finding in check(self.reading.match):
            if finding.severity == "error" and finding.round is not None:
                faults.setdefault(finding.round, f"the referee finds {finding.code}: {finding.message}")
        return faults


def _hides(events: list[ev.Event], seat: int) -> bool:
    """Return whether a round hides tiles of the player at `seat`."""
    for event in events:
        if type(event) is ev.Draw:
            if event.actor == seat and event.pai == HIDDEN:
                return True
        elif type(event) is ev.StartRound and event.tehais and HIDDEN in event.tehais[seat]:
            return True
    return False


def _check(events: Sequence[ev.Event], seats: int) -> None:
    """Raise `EngineRefusalError` for a round that the engine would misread: it reads unknown tiles as 1m."""
    start = events[0] if events else None
    if type(start) is not ev.StartRound:
        raise EngineRefusalError(0, "the round does not begin with its deal")
    missing = [key for key in _DEAL if getattr(start, key) in (UNSET, HIDDEN)]
    if missing:
        raise EngineRefusalError(0, f"the record does not state {' and '.join(missing)} of the deal")
    for index, event in enumerate(events):
        if not _KNOWN.issuperset(_tiles(event)):
            raise EngineRefusalError(index, "the engine knows riichi tiles only")
        if (getattr(event, "actor", 0) or 0) >= seats:
            raise EngineRefusalError(index, f"a game of {seats} has no such player")


def _tiles(event: ev.Event) -> Iterable[str]:
    """Return the tiles that an event brings into play."""
    if type(event) is ev.Draw:
        return (event.pai,)
    if type(event) is ev.StartRound:
        return [*chain.from_iterable(event.tehais or ()), str(event.dora_marker)]
    if type(event) is ev.Dora:
        return (event.dora_marker,)
    return ()
