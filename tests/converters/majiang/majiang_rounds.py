"""Rounds of majiang made by hand, for tests."""

import json
from typing import Any

import trips
from mjconv.ir import events as ev
from mjconv.ir.match import Match
from trips import write

Step = dict[str, dict[str, Any]]

HANDS = ["m123456789p1234", "m111p222s333z111z2", "m19p19s19z1234567", "p123456789s1234"]


def deal(**values: Any) -> Step:
    """Make the step of a deal: east 1, 25000 points for all, but for these values."""
    usual = dict.fromkeys(["zhuangfeng", "jushu", "changbang", "lizhibang"], 0)
    return {"qipai": {**usual, "defen": [25000] * 4, "baopai": "s9", "shoupai": HANDS, **values}}


def zimo(player: int, tile: str) -> Step:
    return {"zimo": {"l": player, "p": tile}}


def dapai(player: int, tile: str) -> Step:
    return {"dapai": {"l": player, "p": tile}}


def pingju(name: str, hands: list[str] | None = None, gains: list[int] | None = None) -> Step:
    return {"pingju": {"name": name, "shoupai": hands or [""] * 4, "fenpei": gains or [0] * 4}}


def hule(player: int, **values: Any) -> Step:
    """Make the step of a self-drawn win of 1000 points, but for these values."""
    hand = {"l": player, "shoupai": "m123p1", "baojia": None, "fubaopai": None, "fu": 30, "fanshu": 1}
    worth = {"defen": 1000, "hupai": [{"name": "平和", "fanshu": 1}], "fenpei": [0, 0, 0, 0]}
    return {"hule": {**hand, **worth, **values}}


def game(*steps: Step, **keys: Any) -> dict[str, Any]:
    """Make a game of one round."""
    usual = {"title": "", "player": ["A", "B", "C", "D"], "qijia": 0, "log": [list(steps)]}
    return {**usual, "defen": [25000] * 4, "point": ["15", "5", "-15", "-5"], "rank": [1, 2, 4, 3], **keys}


def text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def read(value: Any) -> Match:
    return trips.read(text(value), "majiang").match


def events(*steps: Step) -> list[ev.Event]:
    """Read the events of a round, without its deal."""
    return read(game(*steps)).rounds[0].events[1:]


def written(*matches: Match, plain: bool = False) -> Any:
    """Write matches, and return the JSON value."""
    return json.loads(write(matches, "majiang", plain=plain).data)
