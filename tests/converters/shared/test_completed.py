"""Values that the rules determine: what is filled in, and what payments state to referee and writers."""

from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, UnsetType, structs

import mjconv
from looped import looped
from mjconv.converters.shared.completed import complete
from mjconv.converters.shared.filled import filled
from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev
from mjconv.ir.errors import PlayError
from mjconv.ir.match import Match, Round, Rules
from mjconv.referee.referee import check
from moments_made import deal

READY = ("2m", "3m", "4m", "5p", "6p", "7p", "2s", "3s", "4s", "5s", "5s", "6s", "7s")
OTHERS = (
    ("1m", "1m", "9m", "9m", "1p", "1p", "9p", "9p", "1s", "1s", "E", "E", "S"),
    ("1m", "2m", "5m", "6m", "9m", "2p", "4p", "8p", "1s", "3s", "N", "N", "C"),
    ("1m", "4m", "8m", "3p", "6p", "9p", "1s", "9s", "E", "W", "P", "F", "C"),
)
DEAL = ev.StartRound("E", "1p", 1, 0, 1, 0, (25000,) * 4, (READY, *OTHERS))
RIICHI = [ev.Draw(0, "W"), ev.Riichi(0), ev.Discard(0, "W")]
DEAL_IN = [ev.Draw(1, "8s"), ev.Discard(1, "8s")]


def events(*play: ev.Event, deal: ev.StartRound = DEAL) -> list[ev.Event]:
    """Return the events of a round with this play, completed."""
    [found] = complete(Match(rounds=[Round([deal, *play, ev.EndRound()])]))
    return found.events


def test_a_riichi_win_gets_its_values() -> None:
    [win] = ev.select(events(*RIICHI, *DEAL_IN, ev.Win(0, 1, ura_markers=("F",))), ev.Win)
    assert dict(win.yakus) == {"double_reach": 2, "ippatsu": 1, "pinfu": 1, "tanyaochu": 1}
    assert (win.pai, win.fu, win.fan, win.hora_points) == ("8s", 30, 5, 12000)
    assert (win.deltas, win.scores) == ((14000, -12000, 0, 0), (38000, 13000, 25000, 25000))
    # Ura dora that nobody shows follow from the points.
    [win] = ev.select(events(*RIICHI, *DEAL_IN, ev.Win(0, 1, deltas=(20000, -18000, 0, 0))), ev.Win)
    assert ("uradora", 1) in win.yakus
    assert win.ura_markers is UNSET


def test_a_riichi_is_accepted_where_nobody_wins_on_its_discard() -> None:
    assert ev.RiichiAccepted(0, scores=(24000, 25000, 25000, 25000)) in events(*RIICHI, ev.Draw(1, "8s"))
    on_it = ev.Win(1, 0, deltas=(-8000, 8000, 0, 0))
    for following in (on_it, ev.EndRound()):
        assert ev.RiichiAccepted not in [type(event) for event in events(*RIICHI, following)]


def test_of_two_wins_the_first_in_turn_takes_the_stick_and_the_honba_in_any_order() -> None:
    deal = structs.replace(DEAL, tehais=(READY, OTHERS[0], READY, OTHERS[1]), honba=1)
    play = [deal, ev.Draw(0, "W"), ev.Discard(0, "W"), *DEAL_IN]
    for seats in ((0, 2), (2, 0)):
        [found] = complete(Match(rounds=[Round([*play, *[ev.Win(seat, 1) for seat in seats], ev.EndRound()])]))
        deltas = {win.actor: win.deltas for win in ev.select(found.events, ev.Win)}
        assert deltas == {0: (2900, -2900, 0, 0), 2: (0, -2300, 3300, 0)}, seats


def test_a_draw_gets_its_reason_from_the_play() -> None:
    winds = [event for seat in range(4) for event in (ev.Draw(seat, "N"), ev.Discard(seat, "N"))]
    nine, hidden = (*OTHERS[2][:6], "1s", "9s", "E", "W", "P", "F", "C"), ("?",) * 13
    kans = [
        [ev.Draw(seat, "?"), ev.Ankan(seat, (tile,) * 4)] for seat in (0, 1) for tile in ("1m", "2m", "1p", "2p")
    ]
    discards = [[ev.Draw(seat, "?"), ev.Discard(seat, "?", tsumogiri=True)] for seat in (0, 1)]
    for hand, play, reason in (
        (nine, [ev.Draw(0, "N")], "kyushu_kyuhai"),
        (hidden, [ev.Draw(0, "?")], "kyushu_kyuhai"),
        (READY, [ev.Draw(0, "N")], UNSET),
        (nine, [], UNSET),
        (READY, winds, "sufuurenta"),
        (READY, [ev.Draw(0, "N"), ev.Discard(0, "2m")], UNSET),
        (hidden, [*chain(*kans[:2], discards[0], *kans[6:], discards[1])], "suukansansen"),
        (hidden, [*chain(*kans[:4], discards[0])], UNSET),
    ):
        deal = structs.replace(DEAL, tehais=(hand, hidden, *OTHERS[1:]))
        [draw] = ev.select(events(*play, ev.Ryukyoku(), deal=deal), ev.Ryukyoku)
        assert (draw.reason, draw.deltas) == (reason, (0,) * 4), play


def test_at_an_exhausted_wall_those_in_tenpai_are_paid() -> None:
    [draw] = ev.select(events(ev.Ryukyoku("exhaustive_draw")), ev.Ryukyoku)
    assert draw.tenpais == (True, True, False, False)
    assert draw.deltas == (1500, 1500, -1500, -1500)


def test_nagashi_mangan_is_derived_where_a_draw_states_neither_reason_nor_points() -> None:
    turns = [(turn % 4, "5m" if turn % 4 else "E") for turn in range(70)]
    play = [event for seat, tile in turns for event in (ev.Draw(seat, tile), ev.Discard(seat, tile))]
    [draw] = ev.select(events(*play, ev.Ryukyoku()), ev.Ryukyoku)
    assert (draw.reason, draw.deltas) == ("nagashimangan", (12000, -4000, -4000, -4000))
    [stated] = ev.select(events(*play, ev.Ryukyoku(deltas=(0, 0, 0, 0))), ev.Ryukyoku)
    assert (stated.reason, stated.deltas) == ("exhaustive_draw", (0, 0, 0, 0))


def test_stated_values_are_kept() -> None:
    stated = ev.Win(0, 1, "8s", deltas=(1, -1, 0, 0), scores=(0,) * 4, ura_markers=(), yakus=(("x", 1),), fu=20)
    full = structs.replace(stated, fan=1, hora_points=1000)
    assert full in events(*RIICHI, *DEAL_IN, full)


def test_the_scores_of_a_round_follow_from_the_round_before() -> None:
    second = ev.StartRound("E", "1p", 1, 1, 0, 0, tehais=DEAL.tehais)
    first = Round([DEAL, *RIICHI, *DEAL_IN, ev.Win(0, 1, ura_markers=()), ev.EndRound()])
    assert complete(Match(rounds=[first, Round([second])]))[1].deal.scores == (38000, 13000, 25000, 25000)


def test_play_that_cannot_happen_has_its_event() -> None:
    with pytest.raises(PlayError) as refused:
        events(ev.Draw(0, "W"), ev.Discard(0, "9s"))
    assert refused.value.at == (0, 0, 2)
    assert refused.value.message == "round E1-0, message 3: player 0 does not hold 9s"


def test_a_dealer_whom_the_game_does_not_have_is_refused() -> None:
    deal = structs.replace(DEAL, oya=3, scores=(35000,) * 3, tehais=DEAL.tehais[:3])
    with pytest.raises(PlayError, match="the dealer is player 3, and there are 3 players"):
        complete(Match(rounds=[Round([deal])]))


@looped("deltas", (1000, -1000, 0), (1000, -1000, 0, 0, 0))
def test_deltas_of_other_players_are_refused(deltas: tuple[int, ...]) -> None:
    with pytest.raises(PlayError, match=rf"the deltas are those of {len(deltas)} players, and 4 play"):
        events(*RIICHI, *DEAL_IN, ev.Win(0, 1, deltas=deltas))


def test_a_round_that_could_not_be_read_is_not_filled_and_the_others_are() -> None:
    """A lenient reader puts an empty round in its place."""
    won = Round([DEAL, ev.Draw(0, "W"), ev.Discard(0, "W"), *DEAL_IN, ev.Win(0, 1)])
    empty, filled_in = filled(Match(rounds=[Round(), won], rules=Rules(game="riichi"))).rounds
    assert empty == Round()
    assert [one.deltas for one in filled_in.select(ev.Win)] == [(3900, -2900, 0, 0)]


# A hand has one value for the referee and for writers, and several wins on a tile share the stated payments.

#: The dealer has a triplet of red dragons and a pair of east: 50 fu, and in some houses 40.
HANDS = (
    "2m 3m 4m 5p 6p 7p C C C 7s 8s E E",
    "9s 1m 1m 9m 9m 1p 1p 9p 9p S S W W",
    "3m 3m 5m 5m 6m 6m 7m 7m 2s 2s 3s 3s 4s",
    "2p 2p 3p 3p 4p 4p 5p 5p 6p 6p 7p 7p 8p",
)
#: Formats that state the fu of a win.
MACHINES = ("tenhou", "tenhou-json", "majsoul", "majiang", "mjx")


def match(*, honba: int = 0, rules: Rules | Any = UNSET, drawn: bool = False, **win: Any) -> Match:
    """Return a round of one win by the dealer, by the discard of player 1 or by self-draw."""
    first = [deal(*HANDS, honba=honba, dora_marker="8m"), ev.Draw(0, "9s" if drawn else "N")]
    rest = [ev.Discard(0, "N", tsumogiri=True), ev.Draw(1, "N"), ev.Discard(1, "9s", tsumogiri=False)]
    played = [*first, *([] if drawn else rest), ev.Win(0, target=0 if drawn else 1, **win)]
    return Match([], [Round([*played, ev.EndRound()])], [ev.StartGame()], [ev.EndGame()], rules=rules)


def won(one: Match) -> ev.Win:
    [win] = one.rounds[0].select(ev.Win)
    return win


def completed(**values: Any) -> tuple[Any, ...]:
    [whole] = complete(match(**values))
    [win] = ev.select(whole.events, ev.Win)
    return win.fu, win.hora_points, win.deltas


FOUR, TWO = (50, 2400, (2400, -2400, 0, 0)), (40, 2000, (2000, -2000, 0, 0))


def test_a_pair_of_both_winds_counts_as_the_record_states() -> None:
    for stated, value in (
        ({}, FOUR),
        ({"deltas": FOUR[2]}, FOUR),
        ({"deltas": TWO[2]}, TWO),
        ({"hora_points": 2000}, TWO),
        ({"fu": 40}, TWO),
    ):
        assert completed(**stated) == value, stated


@pytest.mark.parametrize("target", MACHINES)
def test_a_written_win_has_the_fu_of_its_payments(target: str, tmp_path: Path) -> None:
    mjconv.write(match(deltas=TWO[2]), tmp_path / "game.txt", format=target, plain=True)
    back = mjconv.read(tmp_path / "game.txt")
    assert won(back).deltas == TWO[2]
    if target != "majsoul":
        assert won(back).fu == 40
    assert [finding.code for finding in mjconv.check(back) if finding.severity == "error"] == []


def test_a_ron_pays_the_whole_of_a_honba() -> None:
    for each, honba, paid in ((500, 2, 3400), (1000, 1, 3400), (300, 2, 3000)):
        full = filled(match(rules=Rules(honba=each), honba=honba))
        assert won(full).deltas == (paid, -paid, 0, 0), each
        assert [finding.code for finding in check(full)] == [], each


def test_a_self_draw_pays_thirds_of_honba_in_whole_hundreds() -> None:
    """Houses round the third of all honba, or of each."""
    full = filled(match(rules=Rules(honba=500), honba=3, drawn=True))
    value = won(filled(match(drawn=True))).deltas or ()
    assert won(full).deltas == tuple(paid + more for paid, more in zip(value, (1500, *[-500] * 3), strict=True))
    for share, codes in ((500, []), (600, []), (400, ["R051"])):
        deltas = tuple(paid + more for paid, more in zip(value, (3 * share, *[-share] * 3), strict=True))
        one = match(rules=Rules(honba=500), honba=3, drawn=True, deltas=deltas)
        assert [finding.code for finding in check(one)] == codes


def test_a_jmjp_file_with_half_points_of_honba_is_filled_and_right(tmp_path: Path) -> None:
    rules = Rules(start=25000, returning=30000, uma=(20000, 10000), honba=500, tenpai=3000)
    mjconv.write(match(honba=2, rules=rules), tmp_path / "game.jmjp", fill=True)
    assert "pfe[28.4,21.6,25.0,25.0]" in (tmp_path / "game.jmjp").read_text()
    assert [finding.code for finding in mjconv.validate(tmp_path / "game.jmjp")] == []


def test_the_first_in_turn_is_liable_and_takes_honba_and_sticks() -> None:
    """The wins are in another order than the turns."""
    wins = [ev.Win(2, 0, liable=1, hora_points=32000), ev.Win(1, 0, hora_points=1000)]
    dragons, cheap = split_gains(wins, (-17300, -13700, 32000, 0), sticks=1, honba=1)
    assert dragons.deltas == (-16000, -16000, 32000, 0)
    assert cheap.deltas == (-1300, 2300, 0, 0)


def test_a_liable_player_whose_hand_has_no_stated_value_pays_nothing() -> None:
    dragons, cheap = split_gains([ev.Win(1, 0, liable=2), ev.Win(2, 0)], (-33000, 32000, 1000, 0), sticks=0)
    assert dragons.deltas == (-32000, 32000, 0, 0)
    assert cheap.deltas == (-1000, 0, 1000, 0)


@looped(("seats", "each", "more"), (4, UNSET, 600), (4, 500, 1000), (3, UNSET, 400), (4, 100, 200))
def test_the_honba_of_the_house_count_where_the_liable_player_wins_too(
    seats: int, each: int | UnsetType, more: int
) -> None:
    wins = [ev.Win(2, 0, liable=1, hora_points=32000), ev.Win(1, 0, hora_points=1000)]
    dragons, cheap = split_gains(wins, (-17000 - more, -15000 + more, 32000, 0)[:seats], 0, 2, each)
    assert dragons.deltas == (-16000, -16000, 32000, 0)[:seats]
    assert cheap.deltas == (-1000 - more, 1000 + more, 0, 0)[:seats]
