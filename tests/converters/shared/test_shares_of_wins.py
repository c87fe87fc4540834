"""The points of several wins on one tile, from the points that each player gains."""

from mjconv.converters.shared.wins import split_gains
from mjconv.ir import events as ev


def test_the_first_in_turn_is_liable_and_takes_honba_and_sticks() -> None:
    """The wins are in another order than the turns."""
    wins = [ev.Win(2, 0, liable=1, hora_points=32000), ev.Win(1, 0, hora_points=1000)]
    dragons, cheap = split_gains(wins, (-17300, -13700, 32000, 0), sticks=1, honba=1)
    assert dragons.deltas == (-16000, -16000, 32000, 0)
    assert cheap.deltas == (-1300, 2300, 0, 0)


def test_a_liable_player_whose_hand_has_no_stated_value_pays_nothing() -> None:
    wins = [ev.Win(1, 0, liable=2), ev.Win(2, 0)]
    dragons, cheap = split_gains(wins, (-33000, 32000, 1000, 0), sticks=0)
    assert dragons.deltas == (-32000, 32000, 0, 0)
    assert cheap.deltas == (-1000, 0, 1000, 0)
