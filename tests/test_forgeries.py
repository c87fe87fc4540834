"""Forged notes never contradict what a person sees: the text that is written again stays the same."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import pytest

from corpus_files import SAMPLE
from mjconv.ir.errors import MjconvError
from mjconv.ir.match import Match, Rules
from trips import bare, read, write

FORMATS = [
    *("mjai", "jmjp", "jmjp-0", "uzje", "uzje-long", "uzje-commands"),
    *("hk", "majsoul", "majiang", "tenhou", "tenhou-json"),
]
#: Messages that a note inserts: none of them happened.
MESSAGES: list[dict[str, Any]] = [
    {"type": "hora", "actor": 1, "target": 0, "deltas": [-9000, 9000, 0, 0]},
    {"type": "dahai", "actor": 0, "pai": "9p", "tsumogiri": False},
    {"type": "ryukyoku", "reason": "kyushu_kyuhai"},
    {"type": "nukidora", "actor": 0, "pai": "N"},
    {"type": "dora", "dora_marker": "1m"},
    {"type": "reach_accepted", "actor": 2},
    {"type": "end_kyoku"},
]
SETS: list[dict[str, Any]] = [
    {"actor": 3}, {"pai": "9p"}, {"target": 3}, {"fan": 4}, {"oya": 2}, {"kyoku": 4, "bakaze": "S"},
    {"scores": [1000, 2000, 3000, 4000]}, {"dora_marker": "1s"}, {"deltas": [-4000, 4000, 0, 0]},
    {"type": "ryukyoku"}, {"reason": "chombo", "actor": 1},
]  # fmt: skip
#: What a note does at one event.
CHANGES: list[dict[str, Any]] = [
    {"delete": 1},
    {"unset": ["tehais", "scores", "deltas", "dora_marker"]},
    *({"insert": [message]} for message in MESSAGES),
    *({"set": values} for values in SETS),
]
OF_ROUND: dict[str, Any] = {
    "rules": {"game": "hongkong", "base": "2"},
    "date": "1999-01-01",
    "dice": [6, 6],
    "comment": {"native": "forged"},
    "scores_after": [1000, 2000, 3000, 4000],
    "final_hands": [],
    "extras": {"uzje": {"end": "draw", "after": ["Site: forged"]}, "hk": {"before": ["M=4", "M=13"]}},
}
OF_MATCH: dict[str, Any] = {
    "players": [{"name": {"last": {"native": "Forged"}}}] * 4,
    "date": "1999-01-01",
    "rules": {"game": "riichi", "length": "east", "tenpai": 9000, "base": "2", "reds": [0, 0, 0]},
    "tournament": {"name": {"native": "forged"}},
    "final_scores": [1000, 2000, 3000, 4000],
    "extras": {"uzje": {"head": ["Site: forged"]}, "hk": {"before": ["M=4"]}, "majiang": {"first": 2}},
}
HINTS: list[dict[str, Any]] = [{"dealer": 2}, {"layout": True}, {"dora": "after-reach"}, {"red": [0]}]
OF_MATCH_HINTS: list[dict[str, Any]] = [{"layout": True}, {"dealers": [0, 3, 1]}]


def game() -> Match:
    """Return a game with values for the notes of all formats."""
    [match] = bare(read(SAMPLE.read_bytes(), "mjai").matches)
    match.rules = Rules(length="south", honba=300)
    match.extras = {"other": 1}
    for game_round in match.rounds:
        game_round.extras = {"other": 1}
    return match


def notes_in(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the begin, the end and the value of each note."""
    at = text.find("mjconv")
    while at >= 0:
        begin = at + len("mjconv")
        while text[begin] in '": ':
            begin += 1
        if text[begin] not in "{[":
            # The name of the program that wrote the file.
            at = text.find("mjconv", begin)
            continue
        value, end = json.JSONDecoder().raw_decode(text, begin)
        yield begin, end, value
        at = text.find("mjconv", end)


def forged(note: dict[str, Any], turn: int) -> Iterator[dict[str, Any]]:
    """Yield notes that state something else. The note of each turn changes other events."""
    whole = "match" if "match" in note else "round"
    patch = note[whole]

    def put(**keys: Any) -> dict[str, Any]:
        return {**note, whole: {**patch, **keys}}

    for hints in HINTS if whole == "round" else OF_MATCH_HINTS:
        for name, value in (OF_ROUND if whole == "round" else OF_MATCH).items():
            if name == "extras":
                yield put(hints={**patch.get("hints", {}), **hints}, set={**patch.get("set", {}), name: value})
        yield put(hints={**patch.get("hints", {}), **hints})
    for name, value in (OF_ROUND if whole == "round" else OF_MATCH).items():
        yield put(set={**patch.get("set", {}), name: value})
        yield {**put(set={**patch.get("set", {}), name: value}), "fields": {}}
    if whole == "round":
        for place, change in enumerate(CHANGES):
            yield put(events=[{"at": (0, 2, 9)[(place + turn) % 3], **change}])
    else:
        yield put(opening=[{"at": 0, "delete": 1}])
        yield put(closing=[{"at": 0, "set": {"scores": [1, 2, 3, 4]}}])
    for option in ({"lossy": True}, {"fill": True}, {"flavour": "jmjp-0"}):
        yield {**note, **option}


@pytest.mark.parametrize("target", FORMATS)
def test_no_forged_note_changes_what_the_text_shows(target: str) -> None:
    text = write([game()], target).data.decode()
    seen = write(read(text.encode(), target).matches, target, plain=True).data
    tried, turns = 0, count()
    for begin, end, value in notes_in(text):
        notes = value if isinstance(value, list) else [value]
        for index, note in enumerate(notes):
            for other in forged(note, next(turns)):
                changed = [*notes[:index], other, *notes[index + 1 :]] if isinstance(value, list) else other
                lie = text[:begin] + json.dumps(changed, separators=(",", ":")) + text[end:]
                tried += 1
                with suppress(MjconvError):
                    # A note that is refused with its place does not lie.
                    matches = read(lie.encode(), target).matches
                    assert write(matches, target, plain=True).data == seen, json.dumps(other)
    assert tried >= 60
