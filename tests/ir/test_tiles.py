"""Tiles: spellings, order, dora; runs, and tiles of one kind."""

from itertools import permutations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjconv.ir.match import Meld
from mjconv.ir.melds import are_alike, index_of_pon, is_run
from mjconv.ir.tiles import (
    DORA_OF,
    HIDDEN,
    INDICATOR_OF,
    OTHER_TILES,
    RIICHI_TILES,
    TILES,
    Tile,
    Wind,
    plain,
    sorted_tiles,
)

SPELLED_OUT = [
    "1m", "2m", "3m", "4m", "5m", "5mr", "6m", "7m", "8m", "9m",
    "1p", "2p", "3p", "4p", "5p", "5pr", "6p", "7p", "8p", "9p",
    "1s", "2s", "3s", "4s", "5s", "5sr", "6s", "7s", "8s", "9s",
    "E", "S", "W", "N", "P", "F", "C",
]  # fmt: skip


def test_the_riichi_set_in_the_order_of_a_sorted_hand() -> None:
    assert list(RIICHI_TILES) == SPELLED_OUT


def test_larger_sets_add_ranks_to_sixteen_compressed_winds_the_zero_and_flowers() -> None:
    ranks = [f"{rank}{suit}" for suit in "mps" for rank in (10, 11, 12, 13, 14, 15, 16)]
    assert set(OTHER_TILES) == {*ranks, "H", "V", "Z", "1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f"}
    assert {*RIICHI_TILES, *OTHER_TILES, "?"} == TILES
    assert len(TILES) == 37 + 21 + 3 + 8 + 1


def test_the_decoder_takes_every_riichi_tile_and_the_hidden_one() -> None:
    for tile in (*SPELLED_OUT, "?"):
        assert msgspec.convert(tile, Tile) == tile
    for other in ("0m", "10m", "16s", "5zr", "1z", "e", "Z", "H", "1f", "5r", "", "5MR", " 1m", "1m "):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(other, Tile)


def test_winds_are_four() -> None:
    assert [msgspec.convert(wind, Wind) for wind in "ESWN"] == [*"ESWN"]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert("H", Wind)


def test_the_dora_is_the_tile_after_its_indicator() -> None:
    for indicators, dora in (
        ("1m 8p 9m 9p 9s 4s 5mr 5pr 5sr 5m", "2m 9p 1m 1p 1s 5s 6m 6p 6s 6m"),
        ("E S W N P F C ?", "S W N E F C P ?"),
    ):
        assert [DORA_OF[indicator] for indicator in indicators.split()] == dora.split()
    assert set(DORA_OF) == {*SPELLED_OUT, "?"}


def test_an_indicator_follows_from_its_dora_but_for_its_redness() -> None:
    for indicator, dora in DORA_OF.items():
        assert INDICATOR_OF[dora] == plain(indicator)
    assert not set(INDICATOR_OF.values()) & {"5mr", "5pr", "5sr"}
    assert [plain(tile) for tile in ("5mr", "5pr", "5sr", "5m", "E")] == ["5m", "5p", "5s", "5m", "E"]


@given(st.permutations(sorted(TILES)))
def test_sorting_is_one_order_whatever_came_in(tiles: list[str]) -> None:
    assert sorted_tiles(tiles) == [*SPELLED_OUT, *OTHER_TILES, HIDDEN]


def test_equal_tiles_are_together() -> None:
    assert sorted_tiles(["C", "1m", "C", "?", "16m", "1m"]) == ["1m", "1m", "C", "C", "16m", "?"]


def test_runs_in_any_order() -> None:
    for tiles in ("1m 2m 3m", "4p 5pr 6p", "Z 1s 2s", "8m 9m 10m", "? 1s 3s", "? ? ?"):
        assert all(map(is_run, permutations(tiles.split()))), tiles
    for tiles in ("1m 2m 3p", "1m 2m 4m", "5m 5mr 6m", "E S W", "? 1s 4s", "? E ?"):
        assert not any(map(is_run, permutations(tiles.split()))), tiles


def test_red_fives_are_like_plain_ones_and_hidden_tiles_like_any() -> None:
    for tiles, alike in (("5p 5pr 5p ?", True), ("? ?", True), ("C", True), ("5p 5s", False), ("? E S", False)):
        assert are_alike(tuple(tiles.split())) is alike, tiles


PUNG = Meld("pon", ("5p", "5pr"), "5p", 2)


def test_a_kakan_joins_the_first_pon_of_its_kind() -> None:
    for melds, tile, index in (
        ([PUNG], "5p", 0),
        ([PUNG], "5pr", 0),
        ([Meld("chi", ("4p", "6p"), "5p", 1), PUNG], "5p", 1),
        ([Meld("kakan", ("5p", "5p"), "5p", 2, "5pr")], "5p", None),
        ([Meld("pon", ("E", "E"))], "E", 0),
        ([Meld("pon", ("E", "?"), "E", 1)], "S", None),
        ([], "E", None),
    ):
        assert index_of_pon(melds, tile) == index, (melds, tile)
