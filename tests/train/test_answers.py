"""The answers of rounds: those of the engine, over every record, and every action is among the legal ones."""

import json
from functools import cache, lru_cache, partial
from typing import Any

import pytest
from msgspec import structs
from replays import dialect, readings, rounds, shown
from riichienv import ActionType, GameRule, RiichiEnv

import mjconv
from engine import play
from logs import lines, messages
from looped import looped
from mjconv.converters.interface import Reading
from mjconv.ir import events as ev
from mjconv.ir.seat_stream import seat_stream
from mjconv.train.answers import EngineAnswer
from mjconv.train.replay import Replayed, replayed
from moments_made import deal, match_of, pon, turn
from trips import known, write

GAMES = {
    **{f"four {seed}": partial(play, seed, rules="tenhou") for seed in (3, 5)},
    **{f"three {seed}": partial(play, seed, players=3) for seed in (3, 5)},
    **{f"calls {seed}": partial(play, seed, length="east", chooser="caller") for seed in (7,)},
    **{f"orphans {n}": partial(play, n, length="round", deal="orphans", chooser="riichi") for n in range(3)},
    **{f"waits {seed}": partial(play, seed, length="round", deal="waits", chooser="mixed") for seed in range(4)},
}
each_game = pytest.mark.parametrize("game", GAMES)


@cache
def played(game: str) -> list[Replayed]:
    """Return the rounds of a game with their answers."""
    return rounds(GAMES[game]())


@lru_cache(maxsize=1)
def shown_of(game: str) -> list[list[dict[str, Any]]]:
    return [shown(each.answers) for each in played(game)]


# The engine's own ways to replay a log.


@each_game
def test_the_answers_are_those_of_the_engines_table_of_one_player(game: str) -> None:
    """The engine follows the game at one seat, as in play: the same questions, actions and features."""
    data = dialect(GAMES[game]())
    answers = [one for each in played(game) for one in each.answers]
    seats = 3 if game.startswith("three") else 4
    for seat in range(seats):
        table = RiichiEnv(game_mode=f"{seats}p-red-half", rule=GameRule.default_tenhou())
        asked = [seen for message in messages(data) if (seen := table.observe_event(message, seat)) is not None]
        own = [one for one in answers if one.seat == seat]
        # The engine also asks the player of a kan, before the replacement.
        asked = [seen for seen in asked if not after_kan(seen)]
        assert [one.observation.encode() for one in own] == [seen.encode() for seen in asked]
        assert [one.observation.mask() for one in own] == [seen.mask() for seen in asked]
        legal = [[action.to_mjai() for action in seen.legal_actions()] for seen in asked]
        assert [[action.to_mjai() for action in one.legal] for one in own] == legal


def after_kan(seen: Any) -> bool:
    """Return whether a player has called a kan and not drawn the replacement yet."""
    held = len(seen.hand) + 3 * len(seen.melds[seen.player_id])
    return held % 3 != 2 and not any(action.action_type == ActionType.PASS for action in seen.legal_actions())


@pytest.mark.parametrize("form", ["tenhou", "tenhou-json", "majsoul", "majiang", "jmjp", "mjai-batch"])
@each_game
def test_the_answers_over_a_conversion_are_those_over_the_source(game: str, form: str) -> None:
    if form in ("majiang", "jmjp") and game.startswith("three"):
        return
    converted = mjconv.convert(GAMES[game](), source="mjai", target=form).data
    name = "mjai" if form == "mjai-batch" else form
    assert [shown(each.answers) for each in rounds(converted, None, name)] == shown_of(game)


# Hidden tiles.


@pytest.mark.parametrize("game", ["four 3", "three 3", "calls 7"])
def test_a_stream_has_the_answers_of_its_player_alone(game: str) -> None:
    [reading] = readings(GAMES[game]())
    for seat in range(reading.match.seats):
        hidden = Reading(seat_stream(reading.match, seat), reading.locate)
        for whole, stream in zip(replayed(reading), replayed(hidden), strict=True):
            assert shown(stream.answers) == shown([one for one in whole.answers if one.seat == seat])


def test_a_round_that_breaks_off_has_the_answers_before_the_break() -> None:
    game = messages(GAMES["four 3"]())
    begin = next(place for place, message in enumerate(game) if message["type"] == "start_kyoku")
    whole = played("four 3")[0]
    for length in (2, 3, 10, 31, 60):
        [cut] = rounds(lines(game[: begin + length]))
        assert cut.errors == []
        assert shown(cut.answers) == shown(whole.answers[: len(cut.answers)])
        assert all(one.event < length - 1 for one in cut.answers)


# Rounds that the engine does not allow.


def altered(game: bytes, place: int, **keys: object) -> bytes:
    log = messages(game)
    log[place] |= keys
    return lines(log)


def test_a_round_with_an_illegal_action_is_listed_with_its_place_and_the_finding() -> None:
    log = messages(GAMES["four 3"]())
    place = next(place for place, message in enumerate(log) if message["type"] == "dahai")
    whole = played("four 3")
    bad = rounds(altered(lines(log), place, pai="5sr", tsumogiri=False))
    assert bad[0].answers == []
    [error] = bad[0].errors
    assert isinstance(error, mjconv.PlayError)
    assert known(error.place).line == place + 1
    assert error.message.startswith("round E1-0, event 2: the engine does not allow this: dahai is not among")
    assert "; the referee finds R005: " in error.message
    # The rounds after it are as they were.
    assert [shown(each.answers) for each in bad[1:]] == [shown(each.answers) for each in whole[1:]]


@looped(
    ("keys", "reason"),
    ({"honba": 1000}, "the engine refuses the event"),
    ({"dora_marker": "?"}, "the record does not state dora_marker of the deal"),
)
def test_a_deal_that_the_engine_would_change_is_listed(keys: dict[str, object], reason: str) -> None:
    log = messages(play(1, length="round"))
    place = next(place for place, message in enumerate(log) if message["type"] == "start_kyoku")
    [each] = rounds(altered(lines(log), place, **keys))
    [error] = each.errors
    assert reason in error.message


def test_tiles_that_the_engine_does_not_know_are_listed() -> None:
    [reading] = readings(play(1, length="round"))
    [game_round] = reading.match.rounds
    events = [ev.Draw(event.actor, "16m") if isinstance(event, ev.Draw) else event for event in game_round.events]
    match = structs.replace(reading.match, rounds=[structs.replace(game_round, events=events)])
    [each] = replayed(Reading(match, reading.locate))
    [error] = each.errors
    assert "the engine knows riichi tiles only" in error.message


def test_a_game_of_six_has_no_table() -> None:
    match = mjconv.Match(players=[mjconv.Match] * 6)  # type: ignore[list-item]
    with pytest.raises(mjconv.UnsupportedError, match="three or four players, and this game has 6"):
        list(replayed(Reading(match, lambda *_: None)))


@pytest.mark.parametrize("seed", range(3))
def test_every_broken_log_is_replayed_or_listed(seed: int) -> None:
    """Any message is left out, or written twice: no answer is outside the legal ones."""
    log = messages(play(seed, length="round", chooser="caller"))
    inside = [place for place, message in enumerate(log) if message["type"] not in ("start_game", "start_kyoku")]
    for place in inside[:: max(1, len(inside) // 25)]:
        for broken in (log[:place] + log[place + 1 :], log[: place + 1] + log[place:]):
            for each in rounds(lines(broken)):
                assert all(one.observation.mask()[one.taken.encode()] for one in each.answers)


# Actions of their own.


#: The first player waits for 1s and 4s, and the second has a pair of 4s.
HANDS = (
    "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 9s 9s",
    "4s 4s E E S S W W N N P P F",
    "1p 1p 2p 2p 3p 3p 4p 4p 5p 5p 6p 6p 7p",
    "1s 1s 6s 6s 7s 7s 8s 8s 8p 8p C C 9m",
)
WAITING = [*turn(2, "9p"), *turn(3, "9m"), *turn(0, "1m")]
KAN = [ev.Draw(1, "4s"), ev.Kakan(1, "4s", ("4s",) * 3)]
ROBBED = ev.Win(0, 1, deltas=(2000, -2000, 0, 0))
#: The play until a player may win on the tile of an added kan, which that player did not discard before.
FAIR = [*turn(0, "1m"), *turn(1, "F"), *turn(2, "4s"), *pon(1, 2, "4s", "F"), *WAITING, *KAN]


def answered(*play: ev.Event, hidden: bool = False) -> Replayed:
    """Return a round; with `hidden`, as the first player sees it."""
    match = match_of([deal(*HANDS, dora_marker="F"), *play])
    [each] = rounds(write([seat_stream(match, 0) if hidden else match], "mjai").data)
    return each


def test_a_win_on_the_tile_of_a_kan_that_the_engine_does_not_offer_is_left_out_and_listed() -> None:
    """The winner discarded the same tile before."""
    each = answered(*turn(0, "4s"), *pon(1, 0, "4s", "F"), *WAITING, *KAN, ROBBED)
    assert each.errors == []
    [notice] = each.unasked
    assert "the engine does not offer this win on the tile of a kan" in notice.message
    assert each.answers[-1].taken.action_type == ActionType.KAKAN


def test_a_win_on_the_tile_of_a_kan_is_an_answer() -> None:
    each = answered(*FAIR, ROBBED)
    assert (each.errors, each.unasked) == ([], [])
    last = each.answers[-1]
    assert (last.seat, last.taken.action_type) == (0, ActionType.RON)
    assert type(each.events[last.event]) is ev.Kakan
    assert {action.action_type for action in last.legal} == {ActionType.RON, ActionType.PASS}
    assert last.observation.events[-1]["type"] == "kakan"


def test_a_pass_of_a_win_on_the_tile_of_a_kan_is_an_answer_and_makes_furiten() -> None:
    each = answered(*FAIR, *turn(1, "2m"), *turn(2, "1s"), *turn(3, "2p"))
    assert (each.errors, each.unasked) == ([], [])
    [passed] = [one for one in each.answers if type(each.events[one.event]) is ev.Kakan]
    assert (passed.seat, passed.taken.action_type) == (0, ActionType.PASS)
    # The player waits for 1s too.
    later = [action.action_type for one in each.answers if one.event > passed.event for action in one.legal]
    assert later
    assert ActionType.RON not in later


def test_a_win_on_the_tile_of_a_kan_of_hidden_tiles_is_left_out_and_listed() -> None:
    each = answered(*FAIR, ROBBED, hidden=True)
    assert each.errors == []
    assert "the engine does not offer this win" in each.unasked[0].message


@looped("game", *GAMES)
def test_a_draw_of_nine_terminals_and_every_win_of_several_are_answers(game: str) -> None:
    for each in played(game):
        last = each.answers[-1]
        draws = ev.select(each.events, ev.Ryukyoku)
        if draws and draws[0].reason == "kyushu_kyuhai":
            assert last.taken.action_type == ActionType.KYUSHU_KYUHAI
        if draws and draws[0].reason == "sanchaho":
            assert sum(one.taken.action_type == ActionType.RON for one in each.answers) == 3
        rons = {win.actor for win in ev.select(each.events, ev.Win) if win.actor != win.target}
        assert rons <= {one.seat for one in each.answers if one.taken.action_type == ActionType.RON}


def test_a_call_has_all_legal_actions_beside_it() -> None:
    """The engine's replay of a file offers only the call that was made. Then the mask would show the answer."""
    calls: list[EngineAnswer] = []
    for each in played("calls 7"):
        calls += [one for one in each.answers if one.taken.action_type in (ActionType.CHI, ActionType.PON)]
    assert any(len(one.legal) > 2 for one in calls)
    for one in calls:
        assert len(json.loads(one.taken.to_mjai())["consumed"]) == 2
        assert one.legal[-1].action_type == ActionType.PASS


def test_dora_that_are_turned_later_are_not_seen() -> None:
    """The engine's replay of a file shows the dora indicators of the whole round from its beginning."""
    turned = 0
    for each in rounds(play(3, length="east", chooser="kans")):
        for one in each.answers:
            seen = [event for event in each.events[: one.event + 1] if isinstance(event, ev.Dora)]
            assert len(one.observation.dora_indicators) == 1 + len(seen)
            turned += len(seen)
    assert turned
