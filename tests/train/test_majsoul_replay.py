"""Decisions over records of Mahjong Soul are those of the engine's own reader, but for the differences it names.

docs/training.md lists the differences.
"""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from replays import REAL, rounds
from riichienv import ActionType, MjSoulReplay

import mjconv
from engine import play
from looped import looped
from mjconv.ir import events as ev
from mjconv.train.answers import EngineAnswer
from mjconv.train.replay import Replayed

#: The index of a pass, by the number of actions that games of four and of three players have.
PASS = {82: 81, 60: 58}
CALLS = {ActionType.CHI, ActionType.PON, ActionType.DAIMINKAN}
CORPUS = Path(__file__).parents[2] / "corpus" / "majsoul"


def from_engine(data: bytes) -> bytes:
    return mjconv.convert(data, source="mjai", target="majsoul", plain=True).data


#: Records in the shape that the reader takes, made when a test first asks for one.
RECORDS: dict[str, Callable[[], bytes]] = {
    **{f"four {seed}": partial(play, seed, rules="tenhou") for seed in (3, 5)},
    **{f"three {seed}": partial(play, seed, players=3) for seed in (3, 5)},
    "calls": partial(play, 7, length="east", chooser="caller"),
    "kans": partial(play, 3, length="east", chooser="kans"),
    **{f"waits {seed}": partial(play, seed, length="round", deal="waits", chooser="mixed") for seed in range(3)},
}
FILES = sorted((Path(REAL) / "majsoul").glob("*.json") if REAL else CORPUS.glob("four.json"))


def kyokus(data: bytes, folder: Path) -> list[Any]:
    path = folder / "record.json.gz"
    path.write_bytes(gzip.compress(data))
    return list(MjSoulReplay.from_json(str(path)).take_kyokus())


def pairs(each: Replayed, kyoku: Any) -> list[tuple[EngineAnswer, Any, Any]]:
    """Return the decisions of a round: ours, then the observation and the action of the engine's reader.

    The reader has the decisions of several players on one tile in another order.
    """
    theirs: dict[int, list[Any]] = defaultdict(list)
    for seat, observation, action in kyoku.steps():
        theirs[seat].append((observation, action))
    found = [(answer, *theirs[answer.seat].pop(0)) for answer in each.answers]
    assert not any(theirs.values())
    return found


def indices(mask: bytes) -> set[int]:
    return {index for index, legal in enumerate(mask) if legal}


def tiles(action: Any) -> list[str]:
    return sorted(json.loads(action.to_mjai()).get("consumed", ()))


def record(name: str) -> bytes:
    if name in RECORDS:
        return from_engine(RECORDS[name]())
    return mjconv.convert(Path(name).read_bytes(), source="majsoul", target="majsoul", plain=True).data


@looped("name", *RECORDS, *map(str, FILES), every=2)
def test_the_decisions_are_those_of_the_reader(name: str, tmp_path: Path) -> None:
    data = record(name)
    ours, theirs = rounds(data, None, "majsoul"), kyokus(data, tmp_path)
    assert len(ours) == len(theirs) > 0
    compared = Counter[bool]()
    for each, kyoku in zip(ours, theirs, strict=True):
        for answer, observation, action in pairs(each, kyoku):
            check_action(answer, action)
            check_legal_actions(each, answer, observation, action)
            compared[has_same_features(each, answer, observation)] += 1
    assert compared[True]


def check_action(answer: EngineAnswer, action: Any) -> None:
    """Check that the same action was taken."""
    assert action.action_type == answer.taken.action_type
    if action.action_type in CALLS:
        # The reader counts the called tile among those of the hand.
        assert tiles(action) == sorted([*tiles(answer.taken), json.loads(answer.taken.to_mjai())["pai"]])
    if action.action_type != ActionType.CHI:
        # So it names a chi by its lowest tile, whichever was called.
        assert action.encode() == answer.taken.encode()


def check_legal_actions(each: Replayed, answer: EngineAnswer, observation: Any, action: Any) -> None:
    """Check that the same actions were legal, but for calls and wins."""
    own, other = indices(answer.observation.mask()), indices(observation.mask())
    if answer.taken.action_type in {*CALLS, ActionType.RON}:
        # At a call and a ron, the reader offers that action and a pass alone.
        assert other == {action.encode(), PASS[len(observation.mask())]}
    elif isinstance(each.events[answer.event], ev.Chi | ev.Pon):
        # After a call, the reader allows the tiles that kuikae forbids.
        assert own <= other
        assert {json.loads(one.to_mjai())["type"] for one in observation.legal_actions()} == {"dahai"}
    else:
        assert own == other


def has_same_features(each: Replayed, answer: EngineAnswer, observation: Any) -> bool:
    """Check that the features are the same where the same dora are turned. Return whether they are."""
    seen = answer.observation
    same = list(observation.dora_indicators) == list(seen.dora_indicators)
    assert (observation.encode() == seen.encode()) == same
    before = [type(event) for event in each.events[: answer.event + 1]]
    assert same or not {ev.Ankan, ev.Kakan, ev.Daiminkan}.isdisjoint(before)
    return same


def test_nine_terminals_and_three_wins_on_one_tile_are_decisions_here_alone(tmp_path: Path) -> None:
    nine = from_engine(play(0, length="round", deal="orphans", chooser="riichi"))
    [each], [kyoku] = rounds(nine, None, "majsoul"), kyokus(nine, tmp_path)
    *rest, last = [one.taken.action_type for one in each.answers]
    assert last == ActionType.KYUSHU_KYUHAI
    assert [action.action_type for _, _, action in kyoku.steps()] == rest
    three = from_engine(play(3, length="round", deal="waits", chooser="mixed"))
    [each], [kyoku] = rounds(three, None, "majsoul"), kyokus(three, tmp_path)
    assert [one.taken.action_type for one in each.answers][-3:] == [ActionType.RON] * 3
    assert {action.action_type for _, _, action in list(kyoku.steps())[-3:]} == {ActionType.PASS}
