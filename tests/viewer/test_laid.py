"""Melds as they lie: the called tile sideways, where it came from."""

from __future__ import annotations

import pytest

from mjconv.ir.match import Meld
from mjconv.viewer.replay import laid


@pytest.mark.parametrize(
    ("seats", "target", "turned"),
    [(4, 3, 0), (4, 2, 1), (4, 1, 2), (3, 2, 0), (3, 1, 2), (6, 5, 0), (6, 4, 1), (6, 3, 1), (6, 2, 1), (6, 1, 2)],
)
def test_the_called_tile_lies_towards_the_player_it_came_from(seats: int, target: int, turned: int) -> None:
    tiles = laid(Meld("pon", ("5p", "5p"), "5pr", target), 0, seats).tiles
    assert [tile.turned for tile in tiles] == [place == turned for place in range(3)]
    assert tiles[turned].tile == "5pr"


@pytest.mark.parametrize(("target", "turned"), [(3, 0), (2, 1), (1, 3)])
def test_an_open_kan_has_four_tiles_in_a_row(target: int, turned: int) -> None:
    tiles = laid(Meld("daiminkan", ("E", "E", "E"), "E", target), 0, 4).tiles
    assert [tile.turned for tile in tiles] == [place == turned for place in range(4)]


def test_the_tiles_of_the_hand_are_sorted_beside_the_called_one() -> None:
    assert [tile.tile for tile in laid(Meld("chi", ("6s", "4s"), "5s", 3), 0, 4).tiles] == ["5s", "4s", "6s"]


def test_a_concealed_kan_shows_its_inner_tiles() -> None:
    tiles = laid(Meld("ankan", ("5m", "5m", "5mr", "5m")), 2, 4).tiles
    assert [(tile.tile, tile.down) for tile in tiles] == [
        ("5m", True),
        ("5m", False),
        ("5m", False),
        ("5mr", True),
    ]


def test_an_added_tile_lies_on_the_turned_one() -> None:
    tiles = laid(Meld("kakan", ("N", "N"), "N", 1, "N"), 0, 4).tiles
    assert [tile.on == "N" for tile in tiles] == [tile.turned for tile in tiles] == [False, False, True]


def test_a_meld_without_its_source_is_turned_all_the_same() -> None:
    assert [tile.turned for tile in laid(Meld("pon", ("N", "N"), "N"), 0, 4).tiles] == [False, True, False]
