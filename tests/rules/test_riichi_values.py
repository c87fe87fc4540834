"""What hands wait for, when they are complete and what they are worth; and the settlement of wins."""

from typing import Any

from msgspec import UNSET

from judged import READY, dealt, turn
from logs import Log, logs
from looped import looped
from mjconv.converters.mjai.reader import read
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import House, Meld, Rules
from mjconv.ir.table import Table
from mjconv.rules.circumstances import Circumstances
from mjconv.rules.hands import countable, is_complete, ready_discards, waits
from mjconv.rules.riichi_values import Payment, dora_of, hand_value, limit_of, payment
from mjconv.rules.riichi_wins import Settlement, settle
from mjconv.rules.succession import starts
from trips import known

ORPHANS = "1m 9m 1p 9p 1s 9s E S W N P F C"
PON_E = Meld("pon", ("E", "E"), "E", 1)


def circumstances(**values: Any) -> Circumstances:
    return Circumstances(**{"tsumo": False, "seat_wind": "S", "round_wind": "E", **values})


def value(hand: str, winning: str, *melds: Meld, house: House | None = None, **values: Any) -> Any:
    found = hand_value(hand.split(), melds, winning, circumstances(**values), house)
    assert found is not None
    return found


def test_what_a_hand_waits_for() -> None:
    for hand, waited in (
        ("2m 3m 1p 2p 3p 7s 8s 9s E E E W W", "1m 4m"),
        ("1m 2m 1p 2p 3p 7s 8s 9s E E E W W", "3m"),
        ("2m 4m 1p 2p 3p 7s 8s 9s E E E W W", "3m"),
        ("1m 2m 3m 1p 2p 3p 7s 8s 9s E E E 5pr", "5p"),
        ("1m 2m 3m 1p 2p 3p 7s 8s 9s E E W W", "E W"),
        ("1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F", "F"),
        (ORPHANS, ORPHANS),
        ("1m 1m 9m 1p 9p 1s 9s E S W N P F", "C"),
        ("1m 4m 7m 1p 4p 7p 1s 4s 7s E S W N", ""),
        ("1m 9m 1p 9p 1s 9s E S W N P F 5m", ""),
        ("1m 1m 4m 5m 6m 2p 2p 4p 5p 6p 3s 3s E", ""),
    ):
        assert waits(hand.split()) == set(waited.split()), hand


def test_waits_with_melds_norths_and_four_copies() -> None:
    kans, north = [Meld("ankan", ("1m",) * 4), Meld("ankan", ("8p",) * 4)], Meld("nukidora", ("N",))
    for hand, melds, waited, fifth in (
        ("2m 3m 5s 5s 7p 8p 9p 1s 2s 3s", [PON_E], "1m 4m", "1m 4m"),
        ("C", [kans[0], PON_E, PON_E, PON_E], "C", "C"),
        ("C C", [PON_E] * 4, "", ""),
        ("2p 3p 5s 5s 7p 8p 9p 1s 2s 3s 1m 1m 1m", [north], "1p 4p", "1p 4p"),
        # A tile of which the hand has all four is no wait.
        ("1m 1m 1m 1m 2p 3p 4p 5p 6p 7p 2s 3s 4s", [], "", "1m"),
        ("7p 9p 3m 3m 3m 6s 6s C C C", kans[1:], "", "8p"),
        ("2m 3m 1p 2p 3p 7s 8s 9s E E E W", [], "", ""),
    ):
        assert waits(hand.split(), melds) == {*waited.split()}, hand
        assert waits(hand.split(), melds, fifth=True) == {*fifth.split()}, hand


def test_complete_hands() -> None:
    for hand, complete in (
        ("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S S", True),
        ("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E E S W", False),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F F", True),
        ("1m 1m 9m 9m 1p 1p 9p 9p E E E E F F", False),
        (f"{ORPHANS} C", True),
        ("2m 9m 1p 9p 1s 9s E S W N P F C C", False),
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m E E E E S S", False),
        ("1m 1m 4m 5m 6m 2p 2p 4p 5p 6p 3s 3s E E", False),
    ):
        assert is_complete(hand.split()) is complete, hand


def test_the_discards_that_leave_a_hand_in_tenpai() -> None:
    for hand, ready in (
        ("2m 3m 1p 2p 3p 7s 8s 9s E E E W W N", "N"),
        ("2m 3m 4m 1p 2p 3p 7s 8s 9s E E E W W", "2m 3m 4m 1p 2p 3p 7s 8s 9s E W"),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F C", "F C"),
        ("1m 9m 1p 9p 1s 9s E S W N P F F 5m", "5m"),
        ("1m 4m 7m 1p 4p 7p 1s 4s 7s E S W N N", ""),
    ):
        assert {*ready_discards(hand.split())} == {*ready.split()}, hand


def test_melds_make_a_hand_complete() -> None:
    assert is_complete(["2m", "3m", "4m", "5s", "5s"], [PON_E, PON_E, Meld("chi", ("1p", "2p"), "3p", 3)])
    assert not is_complete(["2m", "3m", "4m", "5s", "5s"], [PON_E])


SIMPLES = "2m 3m 4m 5p 6p 7p 2s 3s 4s 6s 7s 8s 5s 5s"


def test_yaku_han_and_fu() -> None:
    drawn_last = {"last_tile": True, "tsumo": True}
    for hand, winning, values, han, fu, yaku in (
        (SIMPLES, "8s", {}, 2, 30, "pinfu tanyao"),
        (SIMPLES, "8s", {"tsumo": True}, 3, 20, "menzen_tsumo pinfu tanyao"),
        (SIMPLES, "8s", {"riichi": True, "ippatsu": True}, 4, 30, "riichi ippatsu pinfu tanyao"),
        (SIMPLES, "8s", {"double_riichi": True, "riichi": True}, 4, 30, "double_riichi pinfu tanyao"),
        (SIMPLES, "8s", {"last_tile": True}, 3, 30, "houtei pinfu tanyao"),
        (SIMPLES, "8s", {"last_tile": True, "tsumo": True}, 4, 20, "menzen_tsumo haitei pinfu tanyao"),
        (SIMPLES, "8s", {**drawn_last, "rinshan": True}, 4, 20, "menzen_tsumo rinshan pinfu tanyao"),
        (SIMPLES, "8s", {"chankan": True, "last_tile": True}, 3, 30, "chankan pinfu tanyao"),
        (SIMPLES, "8s", {"dora": ("4s", "1m"), "ura": ("7s",)}, 5, 30, "pinfu tanyao dora"),
        (SIMPLES, "8s", {"riichi": True, "ura": ("4s",)}, 5, 30, "riichi pinfu tanyao ura_dora"),
        (SIMPLES.replace("5s 5s", "5sr 5s"), "8s", {}, 3, 30, "pinfu tanyao red_dora"),
        ("1m 1m 9m 9m 1p 1p 9p 9p 1s 1s E E F F", "F", {}, 4, 25, "chiitoitsu honroutou"),
        ("1m 2m 3m 7p 8p 9p 1s 2s 3s P P P F F", "P", {}, 3, 40, "haku chanta"),
        ("1m 2m 3m 4m 5m 6m 7m 8m 9m S S S E E", "9m", {}, 6, 40, "seat_wind_south ittsu honitsu"),
        ("2m 3m 4m 5m 6m 7m 2s 3s 4s 6s 7s 8s E E", "8s", {}, 0, 0, ""),
    ):
        found = value(hand, winning, **values)
        assert (found.han, found.fu, {*dict(found.yaku)}) == (han, fu, {*yaku.split()}), hand
        assert sum(count for _, count in found.yaku) == han, hand


def test_yakuman() -> None:
    for hand, winning, values, yaku, count in (
        ("1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 1s 1s", "1s", {"tsumo": True}, {"chinroutou", "suuankou_tanki"}, 2),
        (f"{ORPHANS} C", "1m", {}, {"kokushi_musou"}, 1),
        (SIMPLES, "8s", {"tsumo": True, "first_turn": True}, {"chiihou"}, 1),
        (SIMPLES, "8s", {"tsumo": True, "first_turn": True, "seat_wind": "E"}, {"tenhou"}, 1),
        ("P P P F F F C C C 1m 2m 3m S S", "3m", {}, {"daisangen"}, 1),
    ):
        found = value(hand, winning, **values)
        assert {name for name, _ in found.yaku} == yaku, hand
        assert found.yakuman == count, hand


def test_the_rules_of_the_house() -> None:
    chi = Meld("chi", ("6s", "7s"), "8s", 0)
    hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s 5s 5s"
    assert value(hand, "4m", chi).yaku == (("tanyao", 1),)
    assert value(hand, "4m", chi, house=House(open_tanyao=False)).yaku == ()
    four = {"riichi": True, "ippatsu": True}
    assert value(SIMPLES, "8s", **four).payment == Payment(discarder=7700)
    assert value(SIMPLES, "8s", **four, house=House(kiriage=True)).payment == Payment(discarder=8000)
    single = "1m 1m 1m 9m 9m 9m 1p 1p 1p 9p 9p 9p 5s 5s"
    assert value(single, "5s").yakuman == 1
    assert value(single, "5s", house=House(double_yakuman=True)).yakuman == 2


def test_a_pair_of_both_winds_counts_four_fu_and_in_some_houses_two() -> None:
    found = value("2m 3m 4m 5p 6p 7p 1s 1s 1s 7s 8s 9s E E", "9s", seat_wind="E", riichi=True)
    assert (found.fu, found.fu_less) == (50, 40)
    assert value(SIMPLES, "8s").fu_less == 30


def test_where_three_play() -> None:
    hand = "9m 9m 2p 3p 4p 5p 6p 7p 2s 3s 4s 6s 7s 8s"
    assert value(hand, "8s", seats=3, riichi=True, dora=("1m",)).han == 4
    assert value(hand, "8s", seats=4, riichi=True, dora=("1m",)).han == 2
    norths = Meld("nukidora", ("N",)), Meld("nukidora", ("N",))
    assert value(hand, "8s", *norths, seats=3, riichi=True).han == 4
    assert value(hand, "8s", *norths, seats=3, riichi=True, dora=("W",), ura=("W",)).han == 8
    assert (dora_of("1m", 3), dora_of("9m", 3)) == ("9m", "1m")


def test_han_that_the_record_does_not_show() -> None:
    assert value(SIMPLES, "8s", unseen=3).han == 5
    assert value("2m 3m 4m 5m 6m 7m 2s 3s 4s 6s 7s 8s E E", "8s", unseen=3).yaku == ()


def test_what_cannot_be_a_win_has_no_worth() -> None:
    assert hand_value(["1m", "2m", "3m"], [], "3m", circumstances()) is None
    opened = [Meld("chi", ("6s", "7s"), "8s", 0)]
    assert hand_value([*SIMPLES.split()[:9], "5s", "5s"], opened, "4m", circumstances(riichi=True)) is None


def test_the_dearest_reading_counts() -> None:
    # Three like runs or three like triplets: three concealed triplets are dearer than a double run.
    assert ("sanankou", 2) in value("2p 2p 2p 3p 3p 3p 4p 4p 4p 7s 8s 9s S S", "7s", tsumo=True).yaku


def test_payments() -> None:
    for han, fu, values, paid in (
        (1, 30, {}, Payment(discarder=1000)),
        (1, 30, {"dealer": True}, Payment(discarder=1500)),
        (1, 30, {"tsumo": True}, Payment(dealer=500, other=300)),
        (1, 30, {"tsumo": True, "dealer": True}, Payment(other=500)),
        (4, 40, {}, Payment(discarder=8000)),
        (6, 30, {}, Payment(discarder=12000)),
        *((han, 30, {}, Payment(discarder=32000)) for han in (13, 26)),
        (0, 0, {"yakuman": 2, "tsumo": True}, Payment(dealer=32000, other=16000)),
    ):
        assert payment(han, fu, **values) == paid, han


def test_limits() -> None:
    for han, fu, kiriage, limit in (
        (3, 60, False, 0),
        (3, 60, True, 1),
        (3, 50, True, 0),
        (4, 30, False, 0),
        (4, 40, False, 1),
        (5, 20, False, 1),
        (6, 30, False, 2),
        (7, 30, False, 2),
        (8, 30, False, 3),
        (10, 30, False, 3),
        (11, 30, False, 4),
        (12, 30, False, 4),
        (13, 30, False, 5),
    ):
        assert limit_of(han, fu, kiriage=kiriage) == limit, (han, fu)


def test_only_riichi_tiles_that_are_shown_count() -> None:
    assert countable(["1m", "5pr", "C"], [PON_E])
    assert not countable(["1m", "?"])
    assert not countable(["10m"])
    assert not countable(["1m"], [Meld("nukidora", ("1f",))])


def settled(start: ev.StartRound, *events: Any, **options: Any) -> list[Settlement | None]:
    """Play the events and settle each win among them."""
    table, found = Table.dealt(start), []
    for index, event in enumerate(events):
        if isinstance(event, ev.Win):
            found.append(settle(table, start, events, index, **options))
        table.apply(event)
    return found


def only(found: list[Settlement | None]) -> Settlement:
    [settlement] = found
    return known(settlement)


def test_a_ron_and_a_self_draw() -> None:
    win = only(settled(dealt({0: READY}), *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1)))
    assert (win.value.han, win.value.fu, win.points) == (2, 30, 2900)
    assert dict(win.value.yaku) == {"pinfu": 1, "tanyao": 1}
    assert win.deltas == (2900, -2900, 0, 0)
    win = only(
        settled(dealt({1: READY}, honba=2, kyotaku=1), *turn(0, "E"), ev.Draw(1, "8s"), ev.Win(1, target=1))
    )
    assert dict(win.value.yaku) == {"chiihou": 13}
    assert (win.points, win.deltas) == (32000, (-16200, 33600, -8200, -8200))


def test_the_circumstances_are_read_from_the_events() -> None:
    first = [*turn(0, "E"), *turn(1, "N"), *turn(2, "N"), *turn(3, "N")]
    riichi = [ev.Draw(0, "W"), ev.Riichi(0), ev.Discard(0, "W", tsumogiri=True), ev.RiichiAccepted(0)]
    ron = [*turn(1, "8s"), ev.Win(0, target=1, ura_markers=("1m",))]
    win = only(settled(dealt({0: READY}), *first, *riichi, *ron))
    assert dict(win.value.yaku) == {"riichi": 1, "ippatsu": 1, "pinfu": 1, "tanyao": 1, "ura_dora": 1}
    assert win.deltas == (12000 + 1000, -12000, 0, 0)


def test_of_two_wins_the_first_in_turn_takes_honba_and_sticks() -> None:
    start = dealt({0: READY, 2: READY}, honba=1, kyotaku=1)
    wins = [ev.Win(2, target=1), ev.Win(0, target=1)]
    found = [(each.deltas, each.points) for each in settled(start, *turn(0, "E"), *turn(1, "8s"), *wins) if each]
    assert found == [((0, -2300, 3300, 0), 2000), ((2900, -2900, 0, 0), 2900)]


def test_the_stated_points_of_a_honba() -> None:
    start = dealt({0: READY}, honba=1)
    win = settled(start, *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1), rules=Rules(honba=1500))
    assert only(win).deltas == (4400, -4400, 0, 0)


def test_whoever_fed_the_third_dragon_pays_the_self_draw() -> None:
    calls: list[Any] = [*turn(0, "P")]
    for tile, out, giver in (("P", "5p", 0), ("F", "6p", 2), ("C", "1m", 2)):
        if giver:
            calls += turn(giver, tile)
        calls += [ev.Pon(1, giver, tile, (tile, tile)), ev.Discard(1, out, tsumogiri=False)]
    calls += [*turn(2, "E"), *turn(3, "E"), *turn(0, "E"), ev.Draw(1, "1m"), ev.Win(1, target=1)]
    win = only(settled(dealt({1: "P P F F C C 1m 2m 3m 9s 9s 5p 6p"}), *calls))
    assert (win.liable, win.points, win.deltas) == (2, 32000, (0, 32000, -32000, 0))


def test_a_win_where_three_play() -> None:
    start = dealt({0: "9m 9m 2p 3p 4p 5p 6p 7p 2s 3s 4s 6s 7s"}, seats=3, honba=1)
    win = only(settled(start, *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1)))
    assert (dict(win.value.yaku), win.deltas) == ({"pinfu": 1}, (1700, -1700, 0))


def test_a_hand_without_a_yaku_moves_nothing() -> None:
    hand = "2m 3m 4m 5p 6p 7p 2s 3s 4s E E 6s 7s"
    start = dealt({3: hand}, oya=1)
    play = [*turn(1, "9m"), *turn(2, "5s"), ev.Win(3, target=2)]
    win = only(settled(start, *play, house=House()))
    assert dict(win.value.yaku) == {"pinfu": 1}
    chi = ev.Chi(3, 2, "1m", ("2m", "3m")), ev.Discard(3, "4m", tsumogiri=False)
    opened = [*turn(1, "9m"), *turn(2, "1m"), *chi, *turn(0, "9m"), *turn(1, "9m"), *turn(2, "5s")]
    win = only(settled(start, *opened, ev.Win(3, target=2)))
    assert (win.value.yaku, win.points, win.deltas) == ((), 0, (0, 0, 0, 0))


def test_what_is_not_shown_is_not_settled() -> None:
    assert settled(dealt({}), *turn(0, "E"), *turn(1, "8s"), ev.Win(0, target=1)) == [None]
    assert settled(dealt({0: READY}), *turn(0, "E"), *turn(1, "9m"), ev.Win(0, target=1)) == [None]


@looped("log", *logs(4), *logs(3))
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
    win = only(settled(dealt({0: READY}), *turn(0, "E"), *kan, ev.Win(0, target=1)))
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
        start = dealt({1: "N N 1s 1s 1s 3s 3s 3s 5p 5p 5p 1m 2m"})
        win = only(settled(start, *calls, *turn(2, "2m"), ev.Win(1, target=2)))
        assert win.liable == (None if added_last else 2), added_last
