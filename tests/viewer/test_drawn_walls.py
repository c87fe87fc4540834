"""The wall: who got each tile and when, the dead wall, and replacements from the back."""

from typing import Any

import pytest
from msgspec import structs

import mjconv
from corpus_files import CORPUS
from looped import looped
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from mjconv.viewer.rounds import RoundView, round_views

WALLED = ["tenhou/hanchan.mjlog", "tenhou/three.mjlog", "uzje/flowers.uzje", "uzje/six.uzje", "mjx/game.json"]
walled = looped("name", *WALLED)
pytestmark = pytest.mark.filterwarnings("ignore::mjconv.MjconvWarning")


def views(name: str) -> list[RoundView]:
    return round_views(mjconv.read_all(CORPUS / name)[0])


@walled
def test_every_draw_marks_its_tile(name: str) -> None:
    for view in views(name):
        assert view.wall is not None
        each = zip(view.wall.tiles.split(), view.wall.seat, view.wall.step, strict=True)
        drawn = {step: (tile, seat) for tile, seat, step in each if step}
        for step in view.steps:
            event: Any = view.record.events[step.event or 0]
            if step.kind == "draw":
                assert drawn.pop(step.step) == (event.pai, event.actor)
        assert drawn == {}


@walled
def test_dealt_tiles_are_those_of_the_hands(name: str) -> None:
    for view in views(name):
        assert view.wall is not None
        assert view.record.start is not None
        tiles = view.wall.tiles.split()
        for seat, hand in enumerate(view.record.start.tehais or ()):
            got = [tiles[at] for at in range(len(tiles)) if view.wall.seat[at] == seat and view.wall.step[at] == 0]
            assert sorted(got) == sorted(hand)


def test_the_dead_wall_has_indicators_and_replacements() -> None:
    for name, replacements in (("tenhou/hanchan.mjlog", 4), ("tenhou/three.mjlog", 8)):
        for view in views(name):
            wall = view.wall
            assert wall is not None
            tiles = wall.tiles.split()
            assert wall.dead == len(tiles) - 14
            by_role = {role: tile for tile, role in zip(tiles, wall.role, strict=True) if role}
            turned = [mark for mark in view.steps[-1].state.dora if mark]
            assert [by_role["dora", number + 1] for number in range(len(turned))] == turned
            ura = [mark for mark in view.steps[-1].state.ura if mark]
            assert [by_role["ura", number + 1] for number in range(len(ura))] == ura
            assert sum(role[0] == "replacement" for role in by_role) == replacements


def test_a_game_without_a_dead_wall_has_no_roles() -> None:
    [view] = views("uzje/flowers.uzje")
    assert view.wall
    assert (view.wall.dead, set(view.wall.role)) == (None, {None})


def test_a_wall_that_is_not_that_of_the_draws_is_not_shown() -> None:
    broken = mjconv.read(CORPUS / "tenhou" / "three.mjlog").rounds[0]
    [event, *_] = broken.select(ev.Draw)
    wall = broken.wall or ()
    [other, *_] = [tile for tile in wall if tile != event.pai]
    for wrong in ((*wall[:39], other, *wall[40:]), ("1m",) * 5):
        assert round_views(Match(rounds=[structs.replace(broken, wall=wrong)]))[0].wall is None
