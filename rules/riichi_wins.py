"""Wins of riichi rounds: from a table and the events of the round to yaku, han, fu, points and who pays them."""

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import UNSET, Struct, UnsetType, structs

from mjconv.ir import events as ev
from mjconv.ir.match import House, Meld
from mjconv.ir.table import Table
from mjconv.ir.tiles import COPIES, HIDDEN, WINDS, Tile
from mjconv.rules.circumstances import DRAWS, Circumstances, History, history, left_to_draw
from mjconv.rules.hands import countable, waits
from mjconv.rules.payments import HONBA, Deltas, Liability, Stakes, liability, win_deltas
from mjconv.rules.riichi_values import HandValue, hand_value, with_less_fu
from mjconv.rules.scores import accepted_riichi

#: The most han of unseen dora that are tried. No hand has more.
_MOST_UNSEEN: Final = 40

#: One win is valued several times, for its yaku and for its points.
_hand_value = lru_cache(64)(hand_value)


class WonHand(Struct, frozen=True):
    """A winning hand: the concealed tiles with the winning `tile`, the melds, and the circumstances.

    `unseen` is the most han of dora that the record does not show.
    """

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    tile: Tile
    circumstances: Circumstances
    history: History
    unseen: int

    def value(self, house: House, unseen: int = 0) -> HandValue | None:
        """Return the value by the rules of a house, with so many han of dora that the record does not show."""
        win = structs.replace(self.circumstances, unseen=unseen) if unseen else self.circumstances
        return _hand_value(self.tiles, self.melds, self.tile, win, house)

    def readings(self, house: House, unseen: int = 0) -> list[HandValue]:
        """Return the values that the hand may have in a house, the usual one first.

        Some houses count a pair of the wind of seat and round as 2 fu. Others count it as 4 fu.
        """
        value = self.value(house, unseen)
        if value is None:
            return []
        two = value.fu_less != value.fu and not value.yakuman
        return [value, *([with_less_fu(value, self.circumstances, house)] if two else [])]

    def liability(self, value: HandValue) -> list[Liability]:
        """Return who is liable for each yakuman of a value of this hand."""
        return liability(value, self.melds, self.history.kan_giver)

    @property
    def waits(self) -> frozenset[Tile]:
        """The tiles that the hand waited for."""
        held = list(self.tiles)
        held.remove(self.tile)
        return waits(held, self.melds, fifth=True)


class Settlement(Struct, frozen=True):
    """The result of a win: the value of the hand, its points, and the points that each seat gains or pays.

    `points` are those of the hand, without honba and riichi sticks. `deltas` include both. `liable` is the seat
    that pays for a yakuman (pao), where there is one.
    """

    value: HandValue
    points: int
    deltas: Deltas
    liable: int | None = None


def settle(
    table: Table,
    deal: ev.StartRound,
    events: Sequence[ev.Event],
    index: int,
    *,
    house: House | None = None,
    rules: House | UnsetType = UNSET,
) -> Settlement | None:
    """Return the value of a win and the points of each seat, or None where the record does not show the hand.

    `events` are those of the round; `events[index]` is the win. `table` has played all events before the win. The
    ura indicators and the liable seat are the stated ones. `deal` is the deal with the values that
    `succession.starts` completes: winds, honba and sticks; honba and sticks that are not known count 0. `rules`
    are those that the record states. A hand without a yaku has an empty `value.yaku` and 0 points.

    >>> hands = ("2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s 6s 7s".split(), *[["?"] * 13] * 3)
    >>> deal = ev.StartRound("E", dora_marker="1m", honba=1, kyotaku=1, oya=3, tehais=hands)
    >>> play = [ev.Draw(3, "N"), ev.Discard(3, "N"), ev.Draw(0, "E"), ev.Riichi(0), ev.Discard(0, "E")]
    >>> play += [ev.RiichiAccepted(0), ev.Draw(1, "8s"), ev.Discard(1, "8s")]
    >>> table = Table.dealt(deal)
    >>> for event in play:
    ...     table.apply(event)
    >>> found = settle(table, deal, [deal, *play, ev.Win(0, target=1, ura_markers=("F",))], 9)
    >>> found.value.yaku
    (('ippatsu', 1), ('double_riichi', 2), ('pinfu', 1), ('tanyao', 1), ('dora', 1))
    >>> found.value.han, found.value.fu, found.points, found.deltas
    (6, 30, 12000, (14300, -12300, 0, 0))
    """
    win = events[index]
    seats = table.seats
    if not isinstance(win, ev.Win) or seats not in DRAWS:
        return None
    hand = won_hand(table, deal, events[:index], win, left=left_to_draw(table))
    value = None if hand is None else hand.value(house or House())
    if hand is None or value is None:
        return None
    if not value.yaku:
        return Settlement(value, 0, (0,) * seats)
    return next(settlements(win, hand, value, stakes_of(deal, events, win, seats, rules)))


def settlements(win: ev.Win, hand: WonHand, value: HandValue, stakes: Sequence[Stakes]) -> Iterator[Settlement]:
    """Yield the results that a win with this value may have, the most usual first."""
    by_calls = hand.liability(value)
    for terms in stakes:
        liable, part = _liable(win, value, by_calls, terms.seats)
        points = value.payment.total(terms.seats - 1, dealer_wins=win.actor == terms.oya)
        for deltas in win_deltas(terms, value, liable, part):
            yield Settlement(value, points, deltas, liable)
        if by_calls and not by_calls[0].everywhere and not _states_liable(win, terms.seats):
            for deltas in win_deltas(terms, value):
                yield Settlement(value, points, deltas)


def agreement(win: ev.Win, found: Settlement) -> list[bool]:
    """Return whether each stated value of a win is that of a result: the payments, the points, the fu, the han."""
    stated = win.deltas, win.hora_points, win.fu, win.fan
    values = found.deltas, found.points, found.value.fu, found.value.han
    return [known in (UNSET, value) for known, value in zip(stated, values, strict=True)]


def won_hand(
    table: Table,
    deal: ev.StartRound,
    before: Sequence[ev.Event],
    win: ev.Win,
    *,
    left: int | None,
    ignored: Container[int] = (),
) -> WonHand | None:
    """Return the winning hand and its circumstances, or None where the record does not show them.

    `table` is that of the win, `before` are the events of the round before it. `left` is the number of tiles that
    can still be drawn, None where it is not known. `ignored` are indices of events that are out of order.
    """
    seat, seats = win.actor, table.seats
    if seats not in DRAWS or not 0 <= seat < seats or HIDDEN in table.hands[seat]:
        return None
    past = history(deal, before, seat, ignored)
    tsumo = win.giver == seat
    drawn = past.last.pai if isinstance(past.last, ev.Draw) else None
    tile = drawn if tsumo else table.last_tile
    tiles = (*table.hands[seat], *(() if tsumo else (table.last_tile,)))
    melds = tuple(table.melds[seat])
    if tile is None or tile not in tiles or not countable(tiles, melds) or UNSET in (deal.oya, deal.bakaze):
        return None
    ura = () if win.ura_markers is UNSET else win.ura_markers
    unseen_ura = past.riichi * max(0, len(past.dora) - sum(mark != HIDDEN for mark in ura))
    circumstances = Circumstances(
        tsumo=tsumo,
        seats=seats,
        seat_wind=WINDS[(seat - int(deal.oya or 0)) % seats],
        round_wind=str(deal.bakaze),
        riichi=past.riichi,
        double_riichi=past.double_riichi,
        ippatsu=past.ippatsu,
        rinshan=tsumo and past.after_kan,
        chankan=not tsumo and isinstance(past.last, ev.Kakan),
        last_tile=left is not None and left <= 0,
        first_turn=not past.calls and not past.discarded,
        dora=tuple(mark for mark in past.dora if mark != HIDDEN),
        ura=tuple(mark for mark in ura if mark != HIDDEN),
    )
    unseen = COPIES * (past.dora.count(HIDDEN) + unseen_ura)
    return WonHand(tiles, melds, tile, circumstances, past, min(unseen, _MOST_UNSEEN))


def takes_sticks(events: Sequence[ev.Event], win: ev.Win, seats: int) -> bool:
    """Return whether a win takes honba and riichi sticks: of several wins on one tile the first in turn does."""
    winners = [win.actor, *[one.actor for one in ev.select(events, ev.Win)]]
    return win.actor == min(winners, key=lambda seat: (seat - win.giver) % seats)


def stakes_of(
    deal: ev.StartRound, events: Sequence[ev.Event], win: ev.Win, seats: int, rules: House | UnsetType = UNSET
) -> list[Stakes]:
    """Return the terms that a win of a round may have, the usual ones first.

    The rules state the points of a honba, or they are the usual ones. In some houses each of several winners on
    one discard gets the honba.
    """
    first = takes_sticks(events, win, seats)
    sticks = int(deal.kyotaku or 0) + sum(accepted_riichi(events, seats))
    honba, each = int(deal.honba or 0), points_of_honba(rules)
    usual = Stakes(seats, win.actor, win.giver, int(deal.oya or 0), honba * first, sticks * first, each)
    return [usual] if first else [usual, usual._replace(honba=honba)]


def points_of_honba(rules: House | UnsetType) -> int:
    """Return the points of one honba that the rules state, or else the usual ones."""
    return HONBA if rules is UNSET or rules.honba is UNSET else rules.honba


def _liable(win: ev.Win, value: HandValue, by_calls: Sequence[Liability], seats: int) -> tuple[int | None, int]:
    """Return who is liable and for how many yakuman: the seat that the win states, else the one of the calls."""
    part = by_calls[0].yakuman if by_calls else 0
    if _states_liable(win, seats):
        return int(win.liable or 0), part or value.yakuman
    return (by_calls[0].seat if by_calls else None), part


def _states_liable(win: ev.Win, seats: int) -> bool:
    return win.liable is not UNSET and 0 <= win.liable < seats
