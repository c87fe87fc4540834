"""A hand has one value for the referee and for writers, and several wins on a tile share the stated payments."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

import mjconv
from looped import looped
from mjconv.converters.shared.completed import complete
from mjconv.converters.shared.filled import filled
from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev
from mjconv.ir.match import Match, Round, Rules
from mjconv.referee.referee import check
from moments_made import deal

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
