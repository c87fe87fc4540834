"""Runs, and tiles of one kind."""

from itertools import permutations

import pytest

from mjconv.ir.match import Meld
from mjconv.ir.melds import are_alike, index_of_pon, is_run


@pytest.mark.parametrize(
    "tiles",
    [
        ("1m", "2m", "3m"),
        ("4p", "5pr", "6p"),
        ("Z", "1s", "2s"),
        ("8m", "9m", "10m"),
        ("?", "1s", "3s"),
        ("?",) * 3,
    ],
)
def test_runs_in_any_order(tiles: tuple[str, ...]) -> None:
    assert all(map(is_run, permutations(tiles)))


@pytest.mark.parametrize(
    "tiles",
    [
        ("1m", "2m", "3p"),
        ("1m", "2m", "4m"),
        ("5m", "5mr", "6m"),
        ("E", "S", "W"),
        ("?", "1s", "4s"),
        ("?", "E", "?"),
    ],
)
def test_no_runs_in_any_order(tiles: tuple[str, ...]) -> None:
    assert not any(map(is_run, permutations(tiles)))


def test_red_fives_are_like_plain_ones_and_hidden_tiles_like_any() -> None:
    assert are_alike(("5p", "5pr", "5p", "?"))
    assert are_alike(("?", "?"))
    assert are_alike(("C",))


def test_tiles_of_two_kinds_are_not_alike() -> None:
    assert not are_alike(("5p", "5s"))
    assert not are_alike(("?", "E", "S"))


PUNG = Meld("pon", ("5p", "5pr"), "5p", 2)


@pytest.mark.parametrize(
    ("melds", "tile", "index"),
    [
        ([PUNG], "5p", 0),
        ([PUNG], "5pr", 0),
        ([Meld("chi", ("4p", "6p"), "5p", 1), PUNG], "5p", 1),
        ([Meld("kakan", ("5p", "5p"), "5p", 2, "5pr")], "5p", None),
        ([Meld("pon", ("E", "E"))], "E", 0),
        ([Meld("pon", ("E", "?"), "E", 1)], "S", None),
        ([], "E", None),
    ],
)
def test_a_kakan_joins_the_first_pon_of_its_kind(melds: list[Meld], tile: str, index: int | None) -> None:
    assert index_of_pon(melds, tile) == index
