"""The settlement of a win: its value, its points and who pays them, from a table and the events of the round."""

from typing import Any

import pytest
from msgspec import UNSET

from logs import Log, logs
from mjconv.converters.mjai.reader import read
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import House, Rules
from mjconv.ir.table import Table
from mjconv.rules.riichi_wins import Settlement, settle
from mjconv.rules.succession import starts

#: Waits for 5s and 8s, all simples; with 8s a pinfu.
READY = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s 6s 7s"
HIDDEN = ("?",) * 13


def deal(hands: dict[int, str], *, seats: int = 4, **values: Any) -> ev.StartRound:
    usual: dict[str, Any] = {"bakaze": "S", "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "9p"}
    tehais = tuple(tuple(hands[seat].split()) if seat in hands else HIDDEN for seat in range(seats))
    return ev.StartRound(**{**usual, "tehais": tehais, **values})


def settled(start: ev.StartRound, *events: Any, **options: Any) -> list[Settlement | None]:
    """Play the events and settle each win among them."""
    table, found = Table.dealt(start), []
    for index, event in enumerate(events):
        if isinstance(event, ev.Win):
            found.append(settle(table, start, events, index, **options))
        table.apply(event)
    return found


def turn(seat: int, tile: str) -> tuple[ev.Draw, ev.Discard]:
    return ev.Draw(seat, tile), ev.Discard(seat, tile, tsumogiri=True)


def only(found: list[Settlement | None]) -> Settlement:
    [settlement] = found
    assert settlement is not None
    return settlement


def test_a_ron_and_a_self_draw() -> None:
    win = only(settled(deal({0: READY}), *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1)))
    assert (win.value.han, win.value.fu, win.points) == (2, 30, 2900)
    assert dict(win.value.yaku) == {"pinfu": 1, "tanyao": 1}
    assert win.deltas == (2900, -2900, 0, 0)
    start = deal({1: READY}, honba=2, kyotaku=1)
    win = only(settled(start, *turn(0, "E"), ev.Draw(1, "8s"), ev.Win(1, target=1)))
    assert dict(win.value.yaku) == {"chiihou": 13}
    assert (win.points, win.deltas) == (32000, (-16200, 33600, -8200, -8200))


def test_the_circumstances_are_read_from_the_events() -> None:
    first = [*turn(0, "E"), *turn(1, "N"), *turn(2, "N"), *turn(3, "N")]
    riichi = [ev.Draw(0, "W"), ev.Riichi(0), ev.Discard(0, "W", tsumogiri=True), ev.RiichiAccepted(0)]
    ron = [*turn(1, "8s"), ev.Win(0, target=1, ura_markers=("1m",))]
    win = only(settled(deal({0: READY}), *first, *riichi, *ron))
    assert dict(win.value.yaku) == {"riichi": 1, "ippatsu": 1, "pinfu": 1, "tanyao": 1, "ura_dora": 1}
    assert win.deltas == (12000 + 1000, -12000, 0, 0)


def test_of_two_wins_the_first_in_turn_takes_honba_and_sticks() -> None:
    start = deal({0: READY, 2: READY}, honba=1, kyotaku=1)
    wins = [ev.Win(2, target=1), ev.Win(0, target=1)]
    first, second = settled(start, *turn(0, "E"), *turn(1, "8s"), *wins)
    assert first is not None
    assert second is not None
    assert (first.deltas, second.deltas) == ((0, -2300, 3300, 0), (2900, -2900, 0, 0))
    assert (first.points, second.points) == (2000, 2900)


def test_the_stated_points_of_a_honba() -> None:
    start = deal({0: READY}, honba=1)
    win = settled(start, *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1), rules=Rules(honba=1500))
    assert only(win).deltas == (4400, -4400, 0, 0)


def test_whoever_fed_the_third_dragon_pays_the_self_draw() -> None:
    hand = "P P F F C C 1m 2m 3m 9s 9s 5p 6p"
    calls: list[Any] = [*turn(0, "P")]
    for tile, out, giver in (("P", "5p", 0), ("F", "6p", 2), ("C", "1m", 2)):
        if giver:
            calls += turn(giver, tile)
        calls += [ev.Pon(1, giver, tile, (tile, tile)), ev.Discard(1, out, tsumogiri=False)]
    calls += [*turn(2, "E"), *turn(3, "E"), *turn(0, "E"), ev.Draw(1, "1m"), ev.Win(1, target=1)]
    win = only(settled(deal({1: hand}), *calls))
    assert (win.liable, win.points, win.deltas) == (2, 32000, (0, 32000, -32000, 0))


def test_where_three_play() -> None:
    start = deal({0: "9m 9m 2p 3p 4p 5p 6p 7p 2s 3s 4s 6s 7s"}, seats=3, honba=1)
    [found] = settled(start, *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1))
    assert found is not None
    assert dict(found.value.yaku) == {"pinfu": 1}
    assert found.deltas == (1700, -1700, 0)


def test_a_hand_without_a_yaku_moves_nothing() -> None:
    hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s E E 6s 7s"
    start = deal({3: hand}, oya=1)
    play = [*turn(1, "9m"), *turn(2, "5s"), ev.Win(3, target=2)]
    win = only(settled(start, *play, house=House()))
    assert dict(win.value.yaku) == {"pinfu": 1}
    opened = [
        *turn(1, "9m"),
        *turn(2, "1m"),
        ev.Chi(3, 2, "1m", ("2m", "3m")),
        ev.Discard(3, "4m", tsumogiri=False),
    ]
    win = only(settled(start, *opened, *turn(0, "9m"), *turn(1, "9m"), *turn(2, "5s"), ev.Win(3, target=2)))
    assert (win.value.yaku, win.points, win.deltas) == ((), 0, (0, 0, 0, 0))


def test_what_is_not_shown_is_not_settled() -> None:
    assert settled(deal({}), *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1)) == [None]
    assert settled(deal({0: READY}), *turn(0, "E"), *turn(1, "9m"), ev.Win(0, target=1)) == [None]


@pytest.mark.parametrize("log", [*logs(4), *logs(3)], ids=str)
def test_the_wins_of_logs_are_settled_as_they_were_paid(log: Log) -> None:
    for match, _ in read(log.data, Report()):
        for start, game_round in zip(starts(match), match.rounds, strict=True):
            wins = game_round.select(ev.Win)
            usual = settled(start, *game_round.events)
            other = settled(start, *game_round.events, house=House(double_yakuman=True))
            for win, *settlements in zip(wins, usual, other, strict=True):
                assert win.deltas in (UNSET, *(each.deltas for each in settlements if each is not None))


def test_robbing_a_concealed_kan_is_no_chankan() -> None:
    kan = [ev.Draw(1, "?"), ev.Ankan(1, ("8s",) * 4)]
    win = only(settled(deal({0: READY}), *turn(0, "E"), *kan, ev.Win(0, target=1)))
    assert dict(win.value.yaku) == {"pinfu": 1, "tanyao": 1}


def test_whoever_fed_the_fourth_kan_in_time_is_liable() -> None:
    """The kan that is added to the first pon may be the last of the four in time."""
    for added_last in (False, True):
        calls: list[Any] = [*turn(0, "N"), ev.Pon(1, 0, "N", ("N", "N")), ev.Discard(1, "1m", tsumogiri=False)]
        added = [ev.Draw(1, "N"), ev.Kakan(1, "N", ("N", "N", "N")), *turn(1, "9p")]
        if not added_last:
            calls += [*turn(2, "9s"), *turn(3, "9s"), *turn(0, "9s"), *added]
        for tile in ("1s", "3s", "5p"):
            calls += [*turn(2, tile), ev.Daiminkan(1, 2, tile, (tile,) * 3), *turn(1, "9p")]
        if added_last:
            calls += [*turn(2, "9s"), *turn(3, "9s"), *turn(0, "9s"), *added]
        win = only(
            settled(deal({1: "N N 1s 1s 1s 3s 3s 3s 5p 5p 5p 1m 2m"}), *calls, *turn(2, "2m"), ev.Win(1, target=2))
        )
        assert win.liable == (None if added_last else 2), added_last
