"""Plays that cannot happen: messages of games, changed, moved and repeated, in records that readers accept."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Final

from fuzz.seeds import records

_TILES: Final = (
    *(f"{rank}{suit}" for rank in range(1, 10) for suit in "mps"),
    *"ESWNPFC",
    "5mr",
    "5pr",
    "5sr",
    "?",
)
_KINDS: Final = ("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "reach_accepted", "dora",
                 "nukidora", "hora", "ryukyoku")  # fmt: skip
#: How many changes a game gets.
_CHANGES: Final = (1, 1, 1, 2, 3, 8)
_COUNTS: Final = (0, 1, 3, 4, 13, 14, 70, 1_000, 10**6, 10**9)

Messages = list[dict[str, Any]]


def broken_play(rng: Random) -> bytes:
    """Choose a game in mjai, and change its messages; each stays a message of the kind that it names."""
    lines = rng.choice(records("mjai")).splitlines()
    try:
        messages = [json.loads(line) for line in lines]
    except ValueError:
        return b"\n".join(lines)
    messages = [message for message in messages if isinstance(message, dict)]
    for _ in range(rng.choice(_CHANGES)):
        if len(messages) > 2:
            rng.choice(_WAYS)(messages, rng)
    return b"".join(
        json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for message in messages
    )


def _drop(messages: Messages, rng: Random) -> None:
    begin = rng.randrange(1, len(messages))
    del messages[begin : begin + rng.choice((1, 1, 2, 5))]


def _double(messages: Messages, rng: Random) -> None:
    begin = rng.randrange(1, len(messages))
    part = messages[begin : begin + rng.choice((1, 1, 2, 4))]
    messages[begin:begin] = deepcopy(part * rng.choice((1, 1, 3, 30)))


def _move(messages: Messages, rng: Random) -> None:
    message = messages.pop(rng.randrange(1, len(messages)))
    messages.insert(rng.randrange(1, len(messages) + 1), message)


def _new(messages: Messages, rng: Random) -> None:
    """Insert a message that fits its kind and mostly not the play."""
    kind = rng.choice(_KINDS)
    seats = next((len(message["names"]) for message in messages if isinstance(message.get("names"), list)), 4) or 4
    message: dict[str, Any] = {"type": kind, "actor": rng.randrange(seats)}
    if kind not in ("reach", "reach_accepted", "ryukyoku"):
        message["pai"] = rng.choice(_TILES)
    if kind in ("chi", "pon", "daiminkan", "hora"):
        message["target"] = rng.randrange(seats)
    if kind == "dahai":
        message["tsumogiri"] = bool(rng.randrange(2))
    if kind in ("chi", "pon", "daiminkan", "ankan", "kakan"):
        count = {"chi": 2, "pon": 2, "ankan": 4}.get(kind, 3)
        message["consumed"] = [rng.choice(_TILES) for _ in range(count)]
    if kind == "ankan":
        del message["pai"]
    if kind == "dora":
        message = {"type": "dora", "dora_marker": message["pai"]}
    if kind == "ryukyoku":
        message = {"type": "ryukyoku", "reason": rng.choice(("yao9", "kaze4", "fanpai", "nagashimangan", "x"))}
    messages.insert(rng.randrange(1, len(messages) + 1), message)


def _change(messages: Messages, rng: Random) -> None:
    """Replace a value of a message by another of its kind."""
    message = rng.choice(messages[1:])
    key = rng.choice(list(message))
    value = message[key]
    if key in ("pai", "dora_marker", "bakaze"):
        message[key] = rng.choice(_TILES)
    elif key in ("actor", "target", "oya"):
        message[key] = rng.randrange(4)
    elif isinstance(value, bool):
        message[key] = not value
    elif isinstance(value, int):
        message[key] = rng.choice(_COUNTS)
    elif isinstance(value, list) and value:
        place = rng.randrange(len(value))
        if isinstance(value[place], str):
            value[place] = rng.choice(_TILES)
        elif isinstance(value[place], int):
            value[place] = rng.choice(_COUNTS)
        elif isinstance(value[place], list) and value[place]:
            value[place][rng.randrange(len(value[place]))] = rng.choice(_TILES)
    elif key != "type":
        del message[key]


_WAYS: Final[tuple[Callable[[Messages, Random], None], ...]] = (
    _drop,
    _double,
    _move,
    _new,
    _new,
    _change,
    _change,
)
