"""Finds the order of the turns of a round, which tenhou.net/6 JSON does not state.

The record has two lists for each player: the tiles that the player takes (draws and calls), and those that the
player plays (discards and kans). The dealer begins. After a discard, either a player calls that tile as their next
take, or the next player draws. Where several are possible, each is tried. The order of the round is the one that
uses every take and every play.

There is at most one. Say that two orders agree up to a discard of a player S, and that then J takes in one order,
and D in the other. The next take of J is from S, and so is that of D (a draw is from the player before). So in the
first order, D takes nothing before S discards again, nor does J in the second. Before that, S takes something,
from the same player in both orders: neither from J nor from D, so from the fourth player. That player takes
something before: from J in the first order, from D in the second. But a take states its giver.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from mjconv.converters.tenhou.json_calls import JsonCall, in_order
from mjconv.ir import events as ev
from mjconv.ir.tiles import HIDDEN, TILES, Tile

#: The most turns that are tried, for each take of the round. A record of a game needs one or two.
_TRIES: Final = 100
_MOST_SEATS: Final = 4


class Thrown(NamedTuple):
    """A discard, and whether it declares riichi. `discard` is None for the tile just drawn."""

    discard: ev.Discard | None
    riichi: bool = False


#: What a player takes: a tile of the wall, or the discard of another player.
Take: TypeAlias = ev.Draw | JsonCall
#: What a player plays: a discard, or a kan or a north.
Play: TypeAlias = Thrown | JsonCall

#: The events of the discard of the tile just drawn, by seat and tile: events never change.
_AT_ONCE: Final = [{tile: ev.Discard(seat, tile, True) for tile in TILES} for seat in range(_MOST_SEATS)]
_ACCEPTED: Final = [ev.RiichiAccepted(seat) for seat in range(_MOST_SEATS)]
_RIICHI: Final = [ev.Riichi(seat) for seat in range(_MOST_SEATS)]
_CALLS: Final[dict[str, Any]] = {"chi": ev.Chi, "pon": ev.Pon, "daiminkan": ev.Daiminkan}


class OrderError(ValueError):
    """The lists have no order.

    `seat` is the player whose list does not fit, `takes` says which of the two lists it is, and `at` is the index
    in that list. `seat` is None if no list is at fault by itself.
    """

    def __init__(self, message: str, seat: int | None = None, takes: bool = True, at: int = 0) -> None:
        super().__init__(message)
        self.seat = seat
        self.takes = takes
        self.at = at


class RoundOrder(NamedTuple):
    """The events of a round in order, from the first draw to before the result.

    `declared` is the player whose riichi discard is the last event, or None.
    """

    events: list[ev.Event]
    declared: int | None


def find_order(takes: Sequence[Sequence[Take]], plays: Sequence[Sequence[Play]], dealer: int) -> RoundOrder:
    """Return the order of a round: the one that uses all takes and all plays, which are lists for each player.

    Raises `OrderError` if there is none.

    >>> find_order([[ev.Draw(0, "E")], [], [], []], [[], [], [], []], 0).events
    [Draw(actor=0, pai='E')]
    """
    return _Search(takes, plays).run(dealer)


class _Branch(NamedTuple):
    """A turn that is still to be tried: who takes, and the state before it."""

    seat: int
    taken: list[int]
    played: list[int]
    events: int
    declared: int | None


class _Search:
    """Tries the orders of a round, turn by turn."""

    def __init__(self, takes: Sequence[Sequence[Take]], plays: Sequence[Sequence[Play]]) -> None:
        self.takes = takes
        self.plays = plays
        self.seats = len(takes)
        #: The number of takes and plays that are used so far, by seat.
        self.taken = [0] * self.seats
        self.played = [0] * self.seats
        self.events: list[ev.Event] = []
        self.branches: list[_Branch] = []
        self.found: RoundOrder | None = None
        self.left = _TRIES * (1 + sum(map(len, takes)))
        #: Why the longest order ended where it did, and how many takes and plays it used.
        self.error: OrderError | None = None
        self.reached = -1

    def run(self, dealer: int) -> RoundOrder:
        """Return the order that uses everything. Raises `OrderError` if there is none."""
        self.branches.append(_Branch(dealer, self.taken, self.played, 0, None))
        while self.branches:
            seat, self.taken, self.played, length, declared = self.branches.pop()
            del self.events[length:]
            self._follow(seat, declared)
            if self.found is not None:
                return self.found
        raise self.error or OrderError("the round has no turns")

    def _follow(self, seat: int, declared: int | None) -> None:
        """Play on from a seat's take, by the first possibility each time. Others become branches.

        `declared` is the player whose riichi discard is the last event.
        """
        events = self.events
        #: The next take of each player; None if all are used.
        upcoming = [self._next_take(player) for player in range(self.seats)]
        drawn: Any
        while True:
            self.left -= 1
            if self.left < 0:
                raise OrderError("the turns of this round can be read in too many orders")
            take = upcoming[seat]
            if take is None:
                # Only the dealer's first take, or that after a kan, can be missing.
                return self._end(seat, None)
            self.taken[seat] += 1
            upcoming[seat] = self._next_take(seat)
            if declared is not None:
                events.append(_ACCEPTED[declared])
                declared = None
            if isinstance(take, ev.Draw):
                drawn = take.pai
                events.append(take)
            else:
                drawn = None
                events.append(_CALLS[take.kind](seat, take.target(seat), take.called, take.own))
            if isinstance(take, JsonCall) and take.kind == "daiminkan":
                self._skip_filler(seat)
            else:
                at = self.played[seat]
                if at == len(self.plays[seat]):
                    return self._end(seat, None)
                play = self.plays[seat][at]
                self.played[seat] = at + 1
                if isinstance(play, Thrown):
                    discard = play.discard
                    if discard is None:
                        if drawn is None:
                            return self._fail("no tile was drawn that could be discarded", seat, at, takes=False)
                        discard = _AT_ONCE[seat][drawn]
                    if play.riichi:
                        events.append(_RIICHI[seat])
                        declared = seat
                    events.append(discard)
                    following = _following(upcoming, seat, discard.pai)
                    if not following:
                        return self._end(seat, declared)
                    for player in following[1:]:
                        state = (self.taken.copy(), self.played.copy(), len(events), declared)
                        self.branches.append(_Branch(player, *state))
                    seat = following[0]
                    continue
                if drawn is None:
                    return self._fail("a kan follows a draw, not a call", seat, at, takes=False)
                events.append(_own_call(seat, play))
            if isinstance(upcoming[seat], JsonCall):
                return self._fail("a call, where the tile that replaces a kan is drawn", seat, self.taken[seat])

    def _next_take(self, seat: int) -> Take | None:
        at = self.taken[seat]
        return self.takes[seat][at] if at < len(self.takes[seat]) else None

    def _skip_filler(self, seat: int) -> None:
        """Skip the zero that fills the place of a discard after a daiminkan; the end of a list lacks it."""
        at = self.played[seat]
        if at < len(self.plays[seat]):
            play = self.plays[seat][at]
            if isinstance(play, Thrown) and play.discard is not None and play.discard.pai == HIDDEN:
                self.played[seat] = at + 1

    def _end(self, last: int, declared: int | None) -> None:
        """End this order after a turn of the player `last`: it is found if it uses everything."""
        after = f"the last turn of player {last}" if self.events else "the deal"
        for seat in ((last + step) % self.seats for step in range(1, self.seats + 1)):
            for used, every, takes in ((self.taken, self.takes, True), (self.played, self.plays, False)):
                if used[seat] < len(every[seat]):
                    self._fail(f"no order of the turns comes to this after {after}", seat, used[seat], takes=takes)
                    return
        self.found = RoundOrder(self.events, declared)

    def _fail(self, message: str, seat: int, at: int, *, takes: bool = True) -> None:
        """Note why this order fails, if it came further than the orders before."""
        reached = sum(self.taken) + sum(self.played)
        if reached > self.reached:
            self.reached = reached
            self.error = OrderError(message, seat, takes, at)


def _following(upcoming: Sequence[Take | None], seat: int, tile: Tile) -> list[int]:
    """Return the players who may take after a discard: the next player by a draw, then those who call the tile.

    `upcoming` is the next take of each player.
    """
    callers = [
        player
        for player, take in enumerate(upcoming)
        if type(take) is JsonCall and take.called == tile and player != seat and take.target(player) == seat
    ]
    following = (seat + 1) % len(upcoming)
    return [following, *callers] if type(upcoming[following]) is ev.Draw else callers


def _own_call(seat: int, call: JsonCall) -> ev.Event:
    """Return the event of a kan of the player's own tiles, or of a north."""
    if call.kind == "ankan":
        return ev.Ankan(seat, (call.own[0], call.own[1], call.own[2], call.own[3]))
    if call.kind == "nukidora":
        return ev.Nukidora(seat, call.own[0])
    return ev.Kakan(seat, call.added, in_order((*call.own, call.called)))
