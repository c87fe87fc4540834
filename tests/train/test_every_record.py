"""Every record is replayed once: actions, replays of the engine and of Mahjong Soul, what a player may do."""

import gzip
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from choices import CLAIMED, compared
from replays import REAL, dialect, readings, real_files, real_games, rounds
from riichienv import ActionType, MjaiReplay, MjSoulReplay

import mjconv
from benchmarks.games import Game
from benchmarks.training import REPLAY, TABLE, decisions
from engine import play
from logs import Log, logs
from looped import looped
from mjconv.converters.interface import Reading
from mjconv.ir import events as ev
from mjconv.train.answers import EngineAnswer
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
    for each in (each for _, every in replays(record) for each in every):
        assert each.answers or each.errors or not ev.select(each.events, ev.Discard)
        for error in (*each.errors, *each.unasked):
            assert error.place is not None
        if each.errors:
            assert not each.answers
            [error] = each.errors
            # The engine refuses no round that the referee finds right.
            assert "the referee finds no error" not in error.message, error.message


def every_action_is_an_answer_and_legal(record: Record) -> None:
    for each in (each for _, every in replays(record) for each in every if not each.errors):
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
    for reading, every in replays(record) if record in ONCE else ():
        compared(reading.match, every)


@looped("record", *RECORDS, ids=str)
@looped(
    "check",
    rounds_are_replayed_or_listed,
    every_action_is_an_answer_and_legal,
    the_answers_are_those_of_the_engines_replay,
    the_choices_are_those_of_the_engine,
)
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


# Decisions over records of Mahjong Soul are those of the engine's own reader, but for the differences it names.

#: The index of a pass, by the number of actions that games of four and of three players have.
PASS_OF = {82: 81, 60: 58}
CALLS = {ActionType.CHI, ActionType.PON, ActionType.DAIMINKAN}
CORPUS = Path(__file__).parents[2] / "corpus" / "majsoul"


def from_engine(data: bytes) -> bytes:
    return mjconv.convert(data, source="mjai", target="majsoul", plain=True).data


#: Records in the shape that the reader takes, made when a test first asks for one.
GAMES: dict[str, Callable[[], bytes]] = {
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
    if name in GAMES:
        return from_engine(GAMES[name]())
    return mjconv.convert(Path(name).read_bytes(), source="majsoul", target="majsoul", plain=True).data


@looped("name", *GAMES, *map(str, FILES), every=2)
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
        assert other == {action.encode(), PASS_OF[len(observation.mask())]}
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
