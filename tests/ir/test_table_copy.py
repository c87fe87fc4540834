"""A copy of a table shares no list with it."""

import copy

import pytest

from mjconv.ir import events as ev
from mjconv.ir.table import IllegalPlayError, Table


def played() -> Table:
    table = Table([["1m", "2m", "5m", "5m"], ["3m", "4m"], ["5p", "6p"], ["E", "E"]], oya=0)
    for event in (
        ev.Draw(0, "9p"),
        ev.Riichi(0),
        ev.Discard(0, "9p", tsumogiri=True),
        ev.RiichiAccepted(0),
        ev.Draw(1, "E"),
        ev.Discard(1, "E", tsumogiri=True),
        ev.Pon(3, 1, "E", ("E", "E")),
    ):
        table.apply(event)
    return table


def state(table: Table) -> dict[str, object]:
    return {name: copy.deepcopy(getattr(table, name)) for name in Table.__slots__}


def test_it_has_the_same_state() -> None:
    table = played()
    table.winners.append(2)
    assert state(table.copy()) == state(table)


@pytest.mark.parametrize("name", ["hands", "melds", "rivers"])
@pytest.mark.parametrize("seat", range(4))
def test_a_change_of_a_list_of_a_seat_stays_where_it_is(name: str, seat: int) -> None:
    table = played()
    before = state(table)
    other = table.copy()
    getattr(other, name)[seat].append("1s")
    assert state(table) == before
    again = table.copy()
    getattr(table, name)[seat].clear()
    assert state(again) == before


@pytest.mark.parametrize("name", ["hands", "impossible", "melds", "riichi", "rivers", "winners"])
def test_a_change_of_a_list_stays_where_it_is(name: str) -> None:
    table = played()
    before = state(table)
    getattr(table.copy(), name).append(1)
    assert state(table) == before


def test_every_list_of_a_table_is_among_them() -> None:
    lists = {name for name in Table.__slots__ if isinstance(getattr(played(), name), list)}
    assert lists == {"hands", "impossible", "melds", "riichi", "rivers", "winners"}


def test_play_goes_on_in_each_by_itself() -> None:
    table = played()
    before = state(table)
    first, second = table.copy(), table.copy()
    table.hands[3] += ["1s", "2s"]
    third = table.copy()
    with pytest.raises(IllegalPlayError):
        first.apply(ev.Discard(3, "1s", tsumogiri=False))
    third.apply(ev.Discard(3, "1s", tsumogiri=False))
    third.apply(ev.Win(0, 3))
    assert (third.rivers[3], third.winners) == (["1s"], [0])
    assert state(first) == state(second) == before
    assert table.hands[3] == ["1s", "2s"]
