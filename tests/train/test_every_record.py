"""Every record is replayed once, and sides of benchmarks agree: actions, replays, what each player may do."""

import tempfile
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from choices import CLAIMED, compared
from replays import REAL, dialect, readings, real_files, real_games
from riichienv import ActionType, MjaiReplay

from benchmarks.games import Game
from benchmarks.training import REPLAY, TABLE, decisions
from engine import play
from logs import Log, logs
from looped import looped
from mjconv.converters.interface import Reading
from mjconv.ir import events as ev
from mjconv.train.replay import Replayed, replayed

Record: TypeAlias = Path | Log

#: The actions of a record, by the message that shows them.
ACTIONS = {name: {getattr(ActionType, name.upper())} for name in ("chi", "pon", "daiminkan", "ankan", "kakan")}
ACTIONS |= {"dahai": {ActionType.DISCARD}, "reach": {ActionType.RIICHI}, "nukidora": {ActionType.KITA}}
ACTIONS["hora"] = {ActionType.TSUMO, ActionType.RON}
#: The numbers of two actions in the engine.
PASS, RIICHI = 81, 37
#: The folder of real logs has games that are played, too.
RECORDS: list[Record] = [*real_files(), *([] if REAL else [*logs(4)[::8], *logs(3)[:1]])]
#: The records whose choices are compared.
ONCE = {*real_games(), *RECORDS[len(real_files()) :]}


def data_of(record: Record) -> bytes:
    return record.data if isinstance(record, Log) else record.read_bytes()


@lru_cache(maxsize=1)
def replays(record: Record) -> list[tuple[Reading, list[Replayed]]]:
    name = "game.mjson" if isinstance(record, Log) else record.name
    return [(reading, list(replayed(reading))) for reading in readings(data_of(record), name)]


def rounds_are_replayed_or_listed(record: Record) -> None:
    for each in (each for _, rounds in replays(record) for each in rounds):
        assert each.answers or each.errors or not ev.select(each.events, ev.Discard)
        for error in (*each.errors, *each.unasked):
            assert error.place is not None
        if each.errors:
            assert not each.answers
            [error] = each.errors
            # The engine refuses no round that the referee finds right.
            assert "the referee finds no error" not in error.message, error.message


def every_action_is_an_answer_and_legal(record: Record) -> None:
    for each in (each for _, rounds in replays(record) for each in rounds if not each.errors):
        hidden = any("?" in hand for hand in each.events[0].tehais or ())  # type: ignore[union-attr]
        kinds = Counter(ev.name_of(event) for event in each.events)
        taken = Counter(one.taken.action_type for one in each.answers)
        for name, actions in ACTIONS.items():
            counted = sum(taken[action] for action in actions)
            expected = kinds[name] - (len(each.unasked) if name == "hora" else 0)
            triple = name == "hora" and kinds["ryukyoku"]
            assert hidden or triple or counted == expected, name
        for one in each.answers:
            assert one.taken.encode() in {action.encode() for action in one.legal}
            assert one.observation.mask()[one.taken.encode()] == 1
            assert one.observation.player_id == one.seat


def the_answers_are_those_of_the_engines_replay(record: Record) -> None:
    """Compare with the replay of a whole file: it has the same actions of each player, but for two."""
    found = replays(record)
    mjai = isinstance(record, Log) or record.suffix in (".mjson", ".jsonl")
    if not mjai or len(found) != 1 or any(each.errors for each in found[0][1]):
        return
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(dialect(data_of(record)))
        file.flush()
        theirs = list(MjaiReplay.from_jsonl(file.name).take_kyokus())
    for each, kyoku in zip(found[0][1], theirs, strict=True):
        steps = [(seat, action.encode()) for seat, _, action in kyoku.steps()]
        own = [(one.seat, one.taken.encode()) for one in each.answers]
        missing, more = Counter(steps) - Counter(own), Counter(own) - Counter(steps)
        if not ev.select(each.events, ev.Win) and not ev.select(each.events, ev.Ryukyoku):
            # In a round that breaks off, the replay passes for all players who could act after the last message.
            # A riichi without its discard is no action.
            assert {action for _, action in missing} <= {PASS}
            assert {action for _, action in more} <= left_out(each) | {RIICHI}
            continue
        # A win on the tile of a kan is an answer of the replay alone.
        assert sum(missing.values()) == len(each.unasked)
        assert {action for _, action in more} <= left_out(each), more


def left_out(each: Replayed) -> set[int]:
    """Return the actions that the replay leaves out: nine terminals, and wins after the first on one tile."""
    several = len(ev.select(each.events, ev.Win)) > 1
    declared = {one.taken.encode() for one in each.answers if one.taken.action_type == ActionType.KYUSHU_KYUHAI}
    wins = {one.taken.encode() for one in each.answers if one.taken.action_type == ActionType.RON}
    return declared | (wins if several or ev.select(each.events, ev.Ryukyoku) else set())


def the_choices_are_those_of_the_engine(record: Record) -> None:
    for reading, rounds in replays(record) if record in ONCE else ():
        compared(reading.match, rounds)


CHECKS = (
    rounds_are_replayed_or_listed,
    every_action_is_an_answer_and_legal,
    the_answers_are_those_of_the_engines_replay,
    the_choices_are_those_of_the_engine,
)


@looped("record", *RECORDS, ids=str)
@looped("check", *CHECKS)
def test_each_record(check: Callable[[Record], None], record: Record) -> None:
    check(record)


# What a player may do, compared with the engine RiichiEnv in games that are played.


def made(seed: int, **how: Any) -> Counter[str]:
    [reading] = readings(play(seed, **how))
    return compared(reading.match, list(replayed(reading)))


def test_the_choices_are_those_of_the_engine_in_rounds_of_three_and_four() -> None:
    for dealt in ("triplets", "orphans", "waits", "close"):
        assert made(3, length="round", deal=dealt)["same"] > 5
    assert made(5, length="round", players=3)["same"] > 5


@pytest.mark.parametrize("chooser", ["mixed", "caller", "kans", "wild"])
@pytest.mark.parametrize("players", [3, 4])
def test_the_choices_are_those_of_the_engine_in_whole_games(chooser: str, players: int) -> None:
    found = made(11, players=players, chooser=chooser)
    assert found["same"] > 400
    assert found.total() - found["same"] == found[CLAIMED] < 20


# The sides of the benchmarks about decisions find the same decisions.


@pytest.mark.parametrize("form", ["mjai", "tenhou", "majsoul", "majiang", "jmjp"])
def test_all_sides_find_the_same_number_of_decisions(form: str, tmp_path: Path) -> None:
    path = tmp_path / "game.mjson"
    path.write_bytes(play(4, length="east"))
    data = path.read_bytes()
    game = Game(path, data, tuple(data.splitlines()), tmp_path)
    ours, table, replay = (side.run(side.prepare(game)) for side in (decisions(form), TABLE, REPLAY))
    assert ours == replay
    # The table alone asks a player who is furiten because they passed a win.
    assert isinstance(ours, int)
    assert isinstance(table, int)
    assert 0 <= table - ours < ours // 50
