"""What a player may do, compared with the engine RiichiEnv in games that are played."""

from collections import Counter
from typing import Any

import pytest
from choices import CLAIMED, compared
from replays import readings

from engine import play
from mjconv.train.replay import replayed


def made(seed: int, **how: Any) -> Counter[str]:
    [reading] = readings(play(seed, **how))
    return compared(reading.match, list(replayed(reading)))


def test_the_choices_are_those_of_the_engine_in_rounds_of_three_and_four() -> None:
    for dealt in ("triplets", "orphans", "waits", "close"):
        assert made(3, length="round", deal=dealt)["same"] > 5
    assert made(5, length="round", players=3)["same"] > 5


@pytest.mark.parametrize("chooser", ["mixed", "caller", "kans", "wild"])
@pytest.mark.parametrize("players", [3, 4])
def test_the_choices_are_those_of_the_engine_in_whole_games(chooser: str, players: int) -> None:
    found = made(11, players=players, chooser=chooser)
    assert found["same"] > 400
    assert found.total() - found["same"] == found[CLAIMED] < 20
