"""The turns of a round of tenhou.net/6 JSON: the calls, and the order of all turns, which a record does not state.

A call is a string of numbers of tiles with a letter. The letter precedes the called tile, and its position names
the player who discarded that tile: first the left, then the opposite, last the right player.

The record has two lists for each player: the tiles that the player takes (draws and calls), and those that the
player plays (discards and kans). The dealer begins. After a discard, either a player calls that tile as their next
take, or the next player draws. Where several are possible, each is tried. The order of the round is the one that
uses every take and every play.

There is at most one. Say that two orders agree up to a discard of a player S, and that then J takes in one order,
and D in the other. The next takes of J and D are both from S (a draw is from the player before). So in the
first order, D takes nothing before S discards again, nor does J in the second. Before that, S takes something,
from the same player in both orders: neither from J nor from D, so from the fourth player. That player takes
something before: from J in the first order, from D in the second. But a take states its giver.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET

from mjconv.converters.tenhou.vocabulary import LISTED, NUMBER_OF, TILE_OF
from mjconv.ir import events as ev
from mjconv.ir.catalogue import catalogue
from mjconv.ir.match import Meld, MeldKind
from mjconv.ir.tiles import HIDDEN, TILES, sorted_tiles

#: The tile of each pair of digits in a call.
_TILE_OF_DIGITS: Final = {f"{number:02}": tile for number, tile in TILE_OF.items()}

#: The kind of call that a letter begins.
_KINDS: Final = catalogue(__name__, "calls.json", dict[str, MeldKind])
_LETTERS: Final = {kind: letter for letter, kind in _KINDS.items()}
#: The number of tiles of each kind of call.
_TILES: Final[dict[MeldKind, int]] = {"chi": 3, "pon": 3, "daiminkan": 4, "kakan": 4, "ankan": 4, "nukidora": 1}
#: For each kind of call, the steps from the caller to the player on the left, opposite and on the right, by the
#: number of tiles before the letter.
_STEPS: Final = catalogue(__name__, "steps.json", dict[MeldKind, dict[int, int]])
_BEFORE: Final = {kind: {step: before for before, step in steps.items()} for kind, steps in _STEPS.items()}
#: The characters of the longest call.
_LONGEST: Final = 9
_FORM: Final = re.compile(r"((?:[0-9]{2}){0,3})([cpmkaf])((?:[0-9]{2}){1,4})")


def read_call(text: str, seat: int) -> Meld | None:
    """Read the string of a call of a player, or return None where it is none.

    >>> read_call("c275226", 0)
    Meld(kind='chi', own=('5pr', '6p'), called='7p', target=3)
    >>> read_call("3737k3737", 0).added, read_call("151515a51", 0).own
    ('7s', ('5m', '5m', '5m', '5mr'))
    """
    # The length is checked here: the cache keeps its keys.
    return _read_call(text, seat) if len(text) <= _LONGEST else None


@lru_cache(4096)
def _read_call(text: str, seat: int) -> Meld | None:
    form = _FORM.fullmatch(text)
    if form is None:
        return None
    before, letter, after = form.groups()
    kind = _KINDS[letter]
    digits = before + after
    position = len(before) // 2
    if len(digits) != 2 * _TILES[kind]:
        return None
    pairs = [digits[index : index + 2] for index in range(0, len(digits), 2)]
    if kind == "ankan":
        position = 3  # another position names nobody
    if position not in _STEPS[kind] or not _TILE_OF_DIGITS.keys() >= set(pairs):
        return None
    tiles = [_TILE_OF_DIGITS[pair] for pair in pairs]
    added = tiles.pop(position) if kind == "kakan" else UNSET
    if kind in ("ankan", "nukidora"):
        return Meld(kind, tuple(sorted_tiles(tiles)))
    called, target = tiles.pop(position), (seat + _STEPS[kind][position]) % LISTED
    return Meld(kind, tuple(sorted_tiles(tiles)), called, target, added)


@lru_cache(4096)
def write_call(call: Meld, seat: int) -> str:
    """Write a call of a player as Tenhou does: the own tiles in order, a red five last.

    >>> write_call(Meld("pon", ("5p", "5pr"), "5p", 2), 0)
    '25p2552'
    >>> write_call(Meld("kakan", ("5m", "5m"), "5m", 3, "5mr"), 0)
    'k51151515'
    """
    tiles = sorted_tiles(call.own)
    position = _BEFORE[call.kind][0 if call.target is UNSET else (call.target - seat) % LISTED]
    if call.called:
        tiles.insert(position, call.called)
    if call.added:
        tiles.insert(position, call.added)
    digits = [f"{NUMBER_OF[tile]:02}" for tile in tiles]
    return "".join((*digits[:position], _LETTERS[call.kind], *digits[position:]))


# The order of the turns.

#: The most turns that are tried, for each take of the round. A record of a game needs one or two.
_TRIES: Final = 100


class Thrown(NamedTuple):
    """A discard, and whether it declares riichi. `discard` is None for the tile just drawn."""

    discard: ev.Discard | None
    riichi: bool = False


#: What a player takes: a tile of the wall, or the discard of another player.
Take: TypeAlias = ev.Draw | ev.Chi | ev.Pon | ev.Daiminkan
#: What a player plays: a discard, or a kan or a north.
Play: TypeAlias = Thrown | ev.Kakan | ev.Ankan | ev.Nukidora

#: The events of the discard of the tile just drawn, by seat and tile: events never change.
_AT_ONCE: Final = [{tile: ev.Discard(seat, tile, True) for tile in TILES} for seat in range(LISTED)]
_ACCEPTED: Final = [ev.RiichiAccepted(seat) for seat in range(LISTED)]
_RIICHI: Final = [ev.Riichi(seat) for seat in range(LISTED)]


class OrderError(ValueError):
    """The lists have no order.

    `seat` is the player whose list does not fit, `takes` says which of the two lists it is, and `index` is the
    place in that list. `seat` is None if no list is at fault by itself.
    """

    def __init__(self, message: str, seat: int | None = None, takes: bool = True, index: int = 0) -> None:
        super().__init__(message)
        self.seat = seat
        self.takes = takes
        self.index = index


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


class _Search:
    """Tries the orders of a round, turn by turn."""

    def __init__(self, takes: Sequence[Sequence[Take]], plays: Sequence[Sequence[Play]]) -> None:
        self.takes = takes
        #: The takes of each player, then None: the next one after all of them.
        self.nexts: list[list[Any]] = [[*each, None] for each in takes]
        self.plays = plays
        self.seats = len(takes)
        #: The number of takes and plays that are used so far, by seat.
        self.taken = [0] * self.seats
        self.played = [0] * self.seats
        self.events: list[ev.Event] = []
        #: The turns that are still to be tried: who takes, and before it, the takes and plays that are used, the
        #: number of events, and the player whose riichi discard is the last of them.
        self.branches: list[tuple[int, list[int], list[int], int, int | None]] = []
        self.order: RoundOrder | None = None
        self.left = _TRIES * (1 + sum(map(len, takes)))
        #: Why the longest order ended where it did, and how many takes and plays it used.
        self.error: OrderError | None = None
        self.reached = -1

    def run(self, dealer: int) -> RoundOrder:
        """Return the order that uses everything. Raises `OrderError` if there is none."""
        self.branches.append((dealer, self.taken, self.played, 0, None))
        while self.branches:
            seat, self.taken, self.played, length, declared = self.branches.pop()
            del self.events[length:]
            used = sum(self.taken)
            self._follow(seat, declared)
            self.left -= 1 + sum(self.taken) - used
            if self.left < 0:
                raise OrderError("the turns of this round can be read in too many orders")
            if self.order is not None:
                return self.order
        raise self.error or OrderError("the round has no turns")

    def _follow(self, seat: int, declared: int | None) -> None:
        """Play on from a seat's take, by the first possibility each time. Others become branches.

        `declared` is the player whose riichi discard is the last event.
        """
        events, taken, played, nexts = self.events, self.taken, self.played, self.nexts
        plays, calls, next_seats = self.plays, ev.CALL_KINDS, (*range(1, self.seats), 0)
        #: The next take of each player; None if all are used.
        upcoming = [takes[number] for takes, number in zip(nexts, taken, strict=True)]
        #: The players whose next take is a call: few are at a time.
        calling = {player for player, take in enumerate(upcoming) if type(take) in calls}
        drawn: Any
        while True:
            take = upcoming[seat]
            if take is None:
                # Only the dealer's first take, or that after a kan, can be missing.
                return self._end(seat, None)
            taken[seat] = number = taken[seat] + 1
            upcoming[seat] = following = nexts[seat][number]
            if declared is not None:
                events.append(_ACCEPTED[declared])
                declared = None
            drawn = take.pai if type(take) is ev.Draw else None
            if drawn is None:
                calling.remove(seat)
            if type(following) in calls:
                calling.add(seat)
            events.append(take)
            if type(take) is ev.Daiminkan:
                self._skip_filler(seat)
            else:
                index = played[seat]
                if index == len(plays[seat]):
                    return self._end(seat, None)
                play = plays[seat][index]
                played[seat] = index + 1
                if isinstance(play, Thrown):
                    discard, riichi = play
                    if discard is None:
                        if drawn is None:
                            message = "no tile was drawn that could be discarded"
                            return self._fail(message, seat, index, takes=False)
                        discard = _AT_ONCE[seat][drawn]
                    if riichi:
                        events.append(_RIICHI[seat])
                        declared = seat
                    events.append(discard)
                    # The next player by a draw, then callers of the tile.
                    after = next_seats[seat]
                    taker = after if type(upcoming[after]) is ev.Draw else None
                    for one in sorted(calling) if calling else ():
                        if upcoming[one].target != seat or upcoming[one].pai != discard.pai:
                            continue
                        if taker is None:
                            taker = one
                        else:
                            self.branches.append((one, taken.copy(), played.copy(), len(events), declared))
                    if taker is None:
                        return self._end(seat, declared)
                    seat = taker
                    continue
                if drawn is None:
                    return self._fail("a kan follows a draw, not a call", seat, index, takes=False)
                events.append(play)
            if seat in calling:
                return self._fail("a call, where the tile that replaces a kan is drawn", seat, taken[seat])

    def _skip_filler(self, seat: int) -> None:
        """Skip the zero that fills the place of a discard after a daiminkan; the end of a list lacks it."""
        index = self.played[seat]
        if index < len(self.plays[seat]):
            play = self.plays[seat][index]
            if isinstance(play, Thrown) and play.discard is not None and play.discard.pai == HIDDEN:
                self.played[seat] = index + 1

    def _end(self, last: int, declared: int | None) -> None:
        """End this order after a turn of the player `last`: it is found if it uses everything."""
        after = f"the last turn of player {last}" if self.events else "the deal"
        for seat in ((last + step) % self.seats for step in range(1, self.seats + 1)):
            for used, every, takes in ((self.taken, self.takes, True), (self.played, self.plays, False)):
                if used[seat] < len(every[seat]):
                    self._fail(f"no order of the turns comes to this after {after}", seat, used[seat], takes=takes)
                    return
        self.order = RoundOrder(self.events, declared)

    def _fail(self, message: str, seat: int, index: int, *, takes: bool = True) -> None:
        """Note why this order fails, if it came further than the orders before."""
        reached = sum(self.taken) + sum(self.played)
        if reached > self.reached:
            self.reached = reached
            self.error = OrderError(message, seat, takes, index)
