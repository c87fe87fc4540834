"""Rare rounds that begin in one format, go over each of the others, and come back."""

from __future__ import annotations

import json

import pytest

import mjconv
import trips
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from moments_made import ROUNDS, match_of
from riichicity_made import Encoder

ALL = ["mjai", "jmjp", "jmjp-0", "uzje", "tenhou", "tenhou-json", "majsoul", "majiang", "hk"]
#: The formats of the rounds, and the formats that they are carried to: Ùzje shows no dora, and HK no play.
OVER = dict.fromkeys(["majiang", "mjx", "tenhou", "majsoul", "jmjp"], ALL) | {
    "uzje": ["mjai", "jmjp", "jmjp-0", "uzje", "majiang", "hk"],
    "hk": ["mjai", "jmjp", "jmjp-0", "hk"],
}
#: Formats whose plain text shows the points of riichi.
SHOWN = ["mjai", "jmjp", "tenhou", "tenhou-json", "majsoul", "majiang", "mjx"]


def moved(match: Match) -> list[object]:
    """Return who won from whom and for which points; a draw without points moves none."""
    results: list[ev.Win | ev.Ryukyoku] = [
        each for one in match.rounds for each in one.events if isinstance(each, ev.Win | ev.Ryukyoku)
    ]
    return [
        (each.actor, each.target, each.deltas) if isinstance(each, ev.Win) else any(each.deltas or ())
        for each in results
    ]


def errors(data: bytes, form: str) -> list[str]:
    return [each.code for each in mjconv.validate(data, format=form) if each.severity == "error"]


def of_riichi_city(name: str) -> bytes:
    return json.dumps(Encoder(match_of(ROUNDS[name])).record()).encode()


@pytest.mark.parametrize("name", ROUNDS)
def test_the_rounds_are_right(name: str) -> None:
    data = trips.write([match_of(ROUNDS[name])], "mjai").data
    assert errors(data, "mjai") == []


@pytest.mark.parametrize("source", OVER)
@pytest.mark.parametrize("name", ROUNDS)
def test_a_rare_round_comes_back_over_every_format(name: str, source: str) -> None:
    begun = trips.read(trips.write([match_of(ROUNDS[name])], source, plain=True).data, source).matches
    for over in OVER[source]:
        for matches in (begun, trips.bare(begun)):
            away = trips.read(trips.write(matches, over).data, over).matches
            assert away == begun, over
            assert trips.read(trips.write(away, source).data, source).matches == begun or source == "mjx", over


@pytest.mark.parametrize("source", ["majiang", "mjx", "riichicity"])
@pytest.mark.parametrize("name", ROUNDS)
def test_the_plain_text_of_a_rare_round_has_its_points(name: str, source: str) -> None:
    written = trips.write([match_of(ROUNDS[name])], source, plain=True).data if source != "riichicity" else b""
    begun = trips.read(written or of_riichi_city(name), source)
    assert moved(begun.match) == moved(match_of(ROUNDS[name]))
    for target in SHOWN:
        there = trips.write(begun.matches, target, plain=True).data
        assert moved(trips.read(there, target).match) == moved(begun.match), target
