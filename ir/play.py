"""The play of a round: each round is played once, and all who need the play share it.

The play stays beside its round. It is no part of the round: equality, `repr`, pickles and copies leave it out. A
round whose events or deal changed is played again.
"""

from collections.abc import Sequence
from itertools import compress, count
from operator import ne
from typing import Any, Final, Self

from msgspec import UNSET, structs

from mjconv.ir.events import MOVES, RESULTS, Discard, Draw, Event, StartRound
from mjconv.ir.illegal import IllegalPlayError
from mjconv.ir.match import Round
from mjconv.ir.table import RULES, Table
from mjconv.ir.tiles import HIDDEN
from mjconv.ir.turns import play_turns

#: The keys of events that the table knows.
_PLAYED_KEYS: Final = ("actor", "target", "pai", "consumed", "tsumogiri")
_KEY: Final = "play"


class Play:
    """The play of one round, event by event. Raises `IllegalPlayError` if the table refuses the deal.

    `table` is the table before the first result, or after the last event where no result was played. `end` is the
    table after all events. Whoever changes a table takes a copy. A reader that played the first events itself, all
    of them possible, gives its `table` and these `events`. `impossible` has the index of each event that a strict
    table refuses, and the reason. Such an event is played all the same (`Table.play_anyway`).

    >>> play = Play(StartRound(tehais=(("1m",), ("2m",), ("3m",), ("4m",))))
    >>> play.follow([Draw(0, "9p"), Discard(0, "9p", tsumogiri=True)]).rivers[0]
    ['9p']
    >>> play.impossible
    []
    """

    __slots__ = ("deal", "end", "events", "impossible", "table")

    def __init__(self, deal: StartRound, table: Table | None = None, events: Sequence[Event] = ()) -> None:
        self.deal = deal
        self.table = self.end = Table.dealt(deal) if table is None else table
        self.events = list(events)
        self.impossible: list[tuple[int, IllegalPlayError]] = []

    def follow(self, events: Sequence[Event]) -> Table:
        """Play the events that were added since the last call. Return `table`.

        `events` are all events of the round so far.
        """
        table, index, count = self.end, len(self.events), len(events)
        self.events += events[index:]
        while index < count:
            event = events[index]
            kind = type(event)
            if kind is Draw:
                after = play_turns(table, events, index)
                if after > index:
                    index = after
                    continue
            elif kind in RESULTS and table is self.table:
                self.end = table = table.copy()
            try:
                RULES[kind](table, event)
            except IllegalPlayError as error:
                self.impossible.append((index, error))
                table.play_anyway(event)
            index += 1
        return self.table

    def fitted(self, events: Sequence[Event], deal: StartRound) -> Self | None:
        """Return the play of a round with this deal, whose first events play like those of this play.

        Where only results differ, the play before the first result is shared. Returns None if others differ.
        """
        if self.deal is not deal and _hands(self.deal) != _hands(deal):
            return None
        mine = self.events
        if mine == events[: len(mine)]:
            return self
        changed = compress(count(), map(ne, mine, events))
        same = next((index for index in changed if not play_alike(mine[index], events[index])), len(events))
        if same >= len(mine):
            return self
        first = next((index for index, event in enumerate(mine) if type(event) in RESULTS), len(mine))
        if same < first or not events[first:] or type(events[first]) not in RESULTS:
            return None
        shared = type(self)(deal, self.table, mine[:first])
        shared.impossible = [one for one in self.impossible if one[0] < first]
        return shared


def with_tsumogiri(events: Sequence[Any], index: int) -> Event:
    """Return a discard with `tsumogiri`: whether it is the tile just drawn. After a hidden draw it stays as it is.

    >>> with_tsumogiri([Draw(0, "9p"), Discard(0, "1m"), Draw(1, "E"), Discard(1, "E")], 3)
    Discard(actor=1, pai='E', tsumogiri=True)
    """
    discard: Discard = events[index]
    before = map(events.__getitem__, range(index - 1, -1, -1))
    last = next((event for event in before if type(event) in MOVES and event.actor == discard.actor), None)
    drawn = last.pai if type(last) is Draw else None
    return discard if drawn == HIDDEN else structs.replace(discard, tsumogiri=drawn == discard.pai)


def play_of(game_round: Round, deal: StartRound | None = None) -> Play:
    """Return the play of a round. The first caller plays it.

    `deal` is the deal with derived values; without it, the round's own. Raises `IllegalPlayError` if the table
    refuses the deal.

    >>> game_round = Round([StartRound(), Draw(0, "9p"), Draw(1, "9p")])
    >>> [(index, str(error)) for index, error in play_of(game_round).impossible]
    [(2, 'player 1 draws, where the table waits for a discard')]
    >>> play_of(game_round) is play_of(game_round)
    True
    """
    deal = deal or game_round.start or StartRound()
    known: Play | None = game_round.__dict__.get(_KEY)
    play = (known and known.fitted(game_round.events, deal)) or Play(deal)
    keep_play(game_round, play)
    play.follow(game_round.events)
    return play


def refusals(game_round: Round, deal: StartRound | None = None) -> list[tuple[int, IllegalPlayError]]:
    """Return the index and the reason of each event that the table refuses, or of the deal alone.

    `deal` is as `play_of` has it.

    >>> [(index, str(error)) for index, error in refusals(Round([StartRound(oya=4, scores=(0,) * 4)]))]
    [(0, 'the dealer is player 4, and there are 4 players')]
    """
    try:
        return play_of(game_round, deal).impossible
    except IllegalPlayError as error:
        return [(next(place for place, event in enumerate(game_round.events) if type(event) is StartRound), error)]


def keep_play(game_round: Round, play: Play | None) -> Round:
    """Return a round with the play of its reader beside it: the play of all events, or of the first ones."""
    if play is not None:
        game_round.__dict__[_KEY] = play
    return game_round


def share_play(game_round: Round, other: Round) -> None:
    """Keep the play of a round beside another one too, which was made from it."""
    keep_play(other, game_round.__dict__.get(_KEY))


def _hands(deal: StartRound) -> tuple[object, ...]:
    """Return the values of a deal that the table knows. The order of the tiles in a hand changes no play."""
    return [sorted(hand) for hand in deal.tehais or ()], deal.oya or 0, UNSET if deal.tehais else deal.scores


def play_alike(event: Event, other: Event) -> bool:
    """Return whether the table plays two events alike: they may differ in points, and in data beside the play.

    >>> play_alike(Draw(0, "9p"), Draw(0, "9p")), play_alike(Draw(0, "9p"), Draw(1, "9p"))
    (True, False)
    """
    return event is other or (
        type(event) is type(other)
        and all(getattr(event, key, None) == getattr(other, key, None) for key in _PLAYED_KEYS)
    )
