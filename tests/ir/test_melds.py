"""Runs, and tiles of one kind."""

from itertools import permutations

from mjconv.ir.match import Meld
from mjconv.ir.melds import are_alike, index_of_pon, is_run


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
