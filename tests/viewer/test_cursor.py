"""Going about a match: steps, rounds, discards of a seat, riichi, calls and findings."""

import pytest

import mjconv
from corpus_files import CORPUS
from mjconv.viewer.cursor import Cursor, RoundView, round_views


@pytest.fixture(scope="module")
def rounds() -> list[RoundView]:
    match = mjconv.read(CORPUS / "sample" / "game.mjson")
    match.rounds[1].events[7] = mjconv.Draw(0, "5mr")
    return round_views(match, mjconv.check(match))


@pytest.mark.parametrize(
    ("begin", "move", "value", "place"),
    [
        ((0, 0), "move", -1, (0, 0)),
        ((0, 23), "move", 1, (1, 0)),
        ((1, 0), "move", -1, (0, 23)),
        ((2, 4), "move", 1, (2, 4)),
        ((1, 30), "home", None, (1, 0)),
        ((1, 30), "end", None, (1, 67)),
        ((0, 2), "to_discard", 1, (0, 12)),
        ((0, 22), "to_discard", 1, (0, 22)),
        ((0, 12), "to_discard", -1, (0, 2)),
        ((1, 30), "turn", 1, (2, 0)),
        ((0, 0), "to_next", "riichi", (0, 8)),
        ((0, 14), "to_next", "riichi", (1, 41)),
        ((1, 41), "to_next", "riichi", (1, 41)),
        ((0, 0), "to_next", "call", (1, 5)),
        ((1, 17), "to_next", "call", (1, 32)),
        ((0, 0), "to_next", "finding", (1, 31)),
        ((1, 31), "to_next", "finding", (1, 31)),
    ],
)
def test_moves(
    rounds: list[RoundView], begin: tuple[int, int], move: str, value: object, place: tuple[int, int]
) -> None:
    cursor = Cursor(rounds, (*begin, 0))
    getattr(cursor, move)(*([] if value is None else [value]))
    assert (cursor.round, cursor.at) == place


def test_every_step_is_reached_forward_and_back(rounds: list[RoundView]) -> None:
    cursor = Cursor(rounds)
    places = [(number, at) for number, view in enumerate(rounds) for at in range(len(view.steps))]
    forward = []
    for _ in places:
        forward.append((cursor.round, cursor.at))
        cursor.move(1)
    back = []
    for _ in places:
        back.append((cursor.round, cursor.at))
        cursor.move(-1)
    assert forward == back[::-1] == places


def test_rounds_that_do_not_exist_are_not_gone_to(rounds: list[RoundView]) -> None:
    cursor = Cursor(rounds, (1, 5, 0))
    cursor.to_round(-1)
    cursor.to_round(3)
    assert (cursor.round, cursor.at) == (1, 5)


def test_seats_are_looked_from_in_turn(rounds: list[RoundView]) -> None:
    cursor = Cursor(rounds)
    seats = []
    for _ in range(5):
        seats.append(cursor.seat)
        cursor.next_seat()
    assert seats == [0, 1, 2, 3, 0]
