"""The choices of a player of riichi: the messages by which the rules of the game let a seat answer.

`docs/mjai.md` has the kinds of answers to each message. The choices are those that the tiles, the melds and the
rules of the house allow.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from msgspec import UNSET, Struct

from mjconv.ir import events as ev
from mjconv.ir.answers import ACTION_KEYS
from mjconv.ir.match import House, Meld
from mjconv.ir.melds import could_take
from mjconv.ir.table import CALLED, DECLARED, DISCARDED, DRAWN, KAN, Table
from mjconv.ir.tiles import NORTH, RIICHI_TILES, SUITS, TILE_KINDS, Tile, plain
from mjconv.rules.circumstances import left_to_draw
from mjconv.rules.decomposition import ORPHANS
from mjconv.rules.hands import is_complete, may_have_nine_kinds, ready_discards, waits
from mjconv.rules.riichi_wins import won_hand
from mjconv.rules.scores import RIICHI_STICK

#: The answer of a player who does nothing.
PASS: Final = ev.Pass()
#: The kinds of melds of a closed hand.
CLOSED: Final = frozenset({"ankan", "nukidora"})
MOST_KANS: Final = 4

#: The spellings of each kind of tile.
_SPELLINGS: Final = {kind: tuple(tile for tile in RIICHI_TILES if plain(tile) == kind) for kind in TILE_KINDS}
#: The pairs of tiles that make a run with a tile of each kind.
_PARTNERS: Final = {
    kind: [
        (low, high)
        for first in range(-2, 1)
        for ranks in [[int(kind[0]) + first + step for step in range(3) if first + step]]
        if all(0 < rank < 10 for rank in ranks)
        for low in _SPELLINGS[f"{ranks[0]}{kind[1]}"]
        for high in _SPELLINGS[f"{ranks[1]}{kind[1]}"]
    ]
    for kind in TILE_KINDS
    if kind[-1] in SUITS
}

_discard = lru_cache(1 << 10)(ev.Discard)


class Moment(Struct, frozen=True, gc=False):
    """A moment of a round of riichi: the table, the deal, the events so far, and the rules of the house.

    `table` has played `events`, which begin with `deal`. `deal` has the derived values.
    """

    table: Table
    deal: ev.StartRound
    events: Sequence[ev.Event]
    house: House = House()


def choices(now: Moment, seat: int) -> tuple[ev.Event, ...]:
    """Return the messages by which a seat may answer the last event, `none` among them if it may pass.

    A player who has nothing to decide may only pass. All tiles of the seat must be known riichi tiles.

    >>> deal = ev.StartRound("E", oya=3, scores=(25000,) * 4)
    >>> table = Table([["4p", "5p", "5pr", "E"], ["?"], ["?"], ["?"]], 3)
    >>> table.apply(ev.Draw(3, "5p"))
    >>> table.apply(ev.Discard(3, "5p", tsumogiri=True))
    >>> for choice in choices(Moment(table, deal, [deal, ev.Draw(3, "5p"), ev.Discard(3, "5p")]), 0):
    ...     print(choice)
    Pon(actor=0, target=3, pai='5p', consumed=('5p', '5pr'))
    Pass()
    """
    table = now.table
    phase = table.phase
    if table.turn == seat:
        if phase is DRAWN:
            return (*_discards(now, seat), *_acts(now, seat))
        if phase is DECLARED or phase is CALLED:
            return tuple(_discards(now, seat))
    elif phase is DISCARDED or (phase is KAN and table.last_actor == table.turn):
        return (*_claims(now, seat), PASS)
    return (PASS,)


def matching(offered: Sequence[ev.Event], message: Any) -> ev.Event | None:
    """Return the choice that a message means; None if it is none of them.

    A key that the message or the choice leaves out may have any value. The order of `consumed` does not count. Of
    discards of one tile, the one with the stated `tsumogiri` is returned, or else the first.

    >>> offered = (ev.Discard(1, "9p", tsumogiri=False), ev.Discard(1, "9p", tsumogiri=True), ev.Win(1, 2, "E"))
    >>> matching(offered, ev.Discard(1, "9p", tsumogiri=True)), matching(offered, ev.Win(1))
    (Discard(actor=1, pai='9p', tsumogiri=True), Win(actor=1, target=2, pai='E'))
    """
    if message in offered:
        return offered[offered.index(message)]
    alike = [choice for choice in offered if _means(message, choice)]
    stated = getattr(message, "tsumogiri", UNSET)
    exact = (choice for choice in alike if getattr(choice, "tsumogiri", UNSET) == stated)
    return next(exact, alike[0] if alike else None)


def _means(message: Any, choice: Any) -> bool:
    if type(message) is not type(choice):
        return False
    for key in ACTION_KEYS:
        stated, value = getattr(message, key, UNSET), getattr(choice, key, UNSET)
        if key == "consumed" and isinstance(stated, tuple) and value:
            stated, value = sorted(stated), sorted(value)
        if stated != value and UNSET not in (stated, value):
            return False
    return True


def _left(now: Moment) -> int:
    left = left_to_draw(now.table)
    return 1 if left is None else left


# The player's own turn.


def _discards(now: Moment, seat: int) -> Iterator[ev.Event]:
    table = now.table
    hand, drawn = table.hands[seat], table.drawn
    allowed = list(dict.fromkeys(hand))
    if table.phase is DECLARED:
        allowed = [*ready_discards(hand, table.melds[seat], fifth=bool(now.house.fifth_wait))]
    elif table.riichi[seat]:
        allowed = []
    elif table.phase is CALLED and not now.house.swap_calling:
        call = table.melds[seat][-1]
        allowed = [tile for tile in allowed if not could_take(str(call.called), call.own, tile)]
    for tile in allowed:
        if tile != drawn or hand.count(tile) > 1:
            yield _discard(seat, tile, tsumogiri=False)
    if drawn is not None and (drawn in allowed or (table.riichi[seat] and table.phase is DRAWN)):
        yield _discard(seat, drawn, tsumogiri=True)


def _acts(now: Moment, seat: int) -> Iterator[ev.Event]:
    """Yield what a player who drew may do beside a discard."""
    table = now.table
    hand, melds, drawn = table.hands[seat], table.melds[seat], table.drawn
    left = _left(now)
    if _may_declare_riichi(now, seat, left):
        yield ev.Riichi(seat)
    if left > 0:
        if table.kans < MOST_KANS:
            yield from _kans(now, seat)
        if table.seats == 3 and (drawn if table.riichi[seat] else NORTH) == NORTH in hand:
            yield ev.Nukidora(seat, NORTH)
    if is_complete(hand, melds) and _has_yaku(now, win := ev.Win(seat, seat, str(drawn))):
        yield win
    if is_first_turn(table, now.events, seat) and may_have_nine_kinds(hand):
        yield ev.Ryukyoku("kyushukyuhai", actor=seat)


def _may_declare_riichi(now: Moment, seat: int, left: int) -> bool:
    table, house, scores = now.table, now.house, now.deal.scores
    melds = table.melds[seat]
    if table.riichi[seat] or not all(meld.kind in CLOSED for meld in melds):
        return False
    if left < table.seats and not house.late_riichi:
        return False
    if scores is not UNSET and scores[seat] < RIICHI_STICK and not house.riichi_in_debt:
        return False
    return any(ready_discards(table.hands[seat], melds, fifth=bool(house.fifth_wait)))


def _kans(now: Moment, seat: int) -> Iterator[ev.Event]:
    table = now.table
    hand, drawn = table.hands[seat], table.drawn
    kinds = [plain(tile) for tile in hand]
    for kind in dict.fromkeys(kinds):
        if kinds.count(kind) == 4:
            four = tuple([tile for tile in hand if plain(tile) == kind])
            if not table.riichi[seat] or (drawn in four and keeps_waits(hand, table.melds[seat], drawn, four)):
                yield ev.Ankan(seat, four)
    for meld in () if table.riichi[seat] else table.melds[seat]:
        if meld.kind == "pon" and plain(str(meld.called)) in kinds:
            added = next(tile for tile in hand if plain(tile) == plain(str(meld.called)))
            yield ev.Kakan(seat, added, (*meld.own, str(meld.called)))


def keeps_waits(hand: Sequence[Tile], melds: Sequence[Meld], drawn: Tile, four: tuple[Tile, ...]) -> bool:
    """Return whether a concealed kan leaves the waits as they were before the draw.

    >>> hand = "1m 1m 1m 1m 2p 2p 2p 3p 4p 5p 6p 7p 8p E".split()
    >>> keeps_waits(hand, (), "1m", ("1m",) * 4)
    True
    """
    before, after = list(hand), list(hand)
    before.remove(drawn)
    for tile in four:
        after.remove(tile)
    return waits(before, melds) == waits(after, [*melds, Meld("ankan", four)])


def is_first_turn(table: Table, events: Sequence[ev.Event], seat: int) -> bool:
    """Return whether a seat has not discarded yet, and nobody has called, made a kan or set a tile aside."""
    return not table.rivers[seat] and ev.MELDS.isdisjoint(map(type, events))


# The tiles of others.


def _claims(now: Moment, seat: int) -> Iterator[ev.Event]:
    table = now.table
    if now.table.phase is DISCARDED and not table.riichi[seat] and _left(now) > 0:
        yield from _calls(now, seat)
    win = ev.Win(seat, table.last_actor, table.last_tile)
    if type(now.events[-1]) is not ev.RiichiAccepted and _may_win(now, seat, win):
        yield win


def _may_win(now: Moment, seat: int, win: ev.Win) -> bool:
    table = now.table
    tile = plain(table.last_tile)
    waited = waits(table.hands[seat], table.melds[seat], fifth=True)
    if tile not in waited or any(plain(shown) in waited for shown in table.rivers[seat]):
        return False
    last = next(event for event in reversed(now.events) if type(event) is not ev.Dora)
    if type(last) is ev.Ankan and not ORPHANS.issuperset(table.hands[seat]):
        return False
    return _has_yaku(now, win)


def _has_yaku(now: Moment, win: ev.Win) -> bool:
    """Return whether a complete hand may win: it has a yaku, and the player has not passed a tile to win on."""
    hand = won_hand(now.table, now.deal, now.events, win, left=left_to_draw(now.table))
    if hand is None:
        return False
    if win.target != win.actor and any(plain(tile) in hand.waits for tile in hand.history.passed):
        return False
    value = hand.value(now.house)
    return value is not None and bool(value.yaku)


def _calls(now: Moment, seat: int) -> Iterator[ev.Event]:
    table = now.table
    hand, target, tile = table.hands[seat], table.last_actor, table.last_tile
    kind = plain(tile)
    if table.seats == 4 and seat == (target + 1) % table.seats:
        for pair in _PARTNERS.get(kind, ()):
            if pair[0] in hand and pair[1] in hand and _may_discard_after(now, hand, tile, pair):
                yield ev.Chi(seat, target, tile, pair)
    alike = [own for own in _SPELLINGS.get(kind, ()) for _ in range(hand.count(own))]
    for pair in dict.fromkeys(combinations(alike, 2)):
        if _may_discard_after(now, hand, tile, pair):
            yield ev.Pon(seat, target, tile, pair)
    if len(alike) == 3 and table.kans < MOST_KANS:
        yield ev.Daiminkan(seat, target, tile, tuple(alike))


def _may_discard_after(now: Moment, hand: Sequence[Tile], tile: Tile, consumed: tuple[Tile, ...]) -> bool:
    """Return whether a call leaves a tile that may be discarded."""
    left = list(hand)
    for own in consumed:
        left.remove(own)
    return bool(now.house.swap_calling and left) or not all(could_take(tile, consumed, own) for own in left)
