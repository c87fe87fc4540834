"""A real game with one thing broken: the referee finds it, where it is, and nothing in the game before."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from mutations.game import Game, Mutation, whole_games
from mutations.rates import game_findings, outcome
from mutations.table import MUTATIONS

#: Broken games of a mutation that are checked here; `python -m mutations` checks more.
ENOUGH = 12


@cache
def games() -> list[tuple[str, Game]]:
    return [*whole_games(4), *whole_games(3)]


def test_at_least_forty_ways_are_tried() -> None:
    assert len({mutation.make for mutation in MUTATIONS}) >= 40


def test_nothing_is_found_in_games_as_they_were_played() -> None:
    # Some real logs stop in the middle of a round on purpose; some played ones pay as other houses do.
    true = ("O009", "R052")
    found = {(name, code) for name, game in games() for code, _ in game_findings(game) if code not in true}
    assert found == set()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name.replace(" ", "-"))
def test_what_was_broken_is_found_where_it_is(mutation: Mutation) -> None:
    tried = 0
    for name, game in sorted(games(), key=lambda named: Random(f"{mutation.name} {named[0]}").random()):
        broken = mutation.make(game, Random(f"{name} {mutation.name}"))
        if broken is not None:
            what, reported = outcome(mutation, game, broken)
            assert what in ("found", "legal"), f"{name}: {what} at {min(broken.at)}, reported {reported}"
            tried += 1
        if tried == ENOUGH:
            break
    assert tried, "no game can be broken in this way"
