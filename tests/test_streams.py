"""Streams recorded at a player's seat: the host's messages, the player's answers, and all that is hidden."""

from functools import cache
from itertools import takewhile
from typing import Any

import pytest
from msgspec import UNSET

from comparison import unexplained
from engine import play
from logs import Message, lines, messages
from mjconv.ir import events as ev
from mjconv.ir.table import Table
from mjconv.rules.succession import starts
from trips import read, write

both_versions = pytest.mark.parametrize("version", ["jmjp", "jmjp-0"])
SEATS = range(4)
NONE = {"type": "none"}
#: The keys that a player sends of an action; the host adds the rest.
SAID = ("type", "actor", "target", "pai", "consumed", "tsumogiri")
#: The host's messages that are no part of a round's play.
AROUND = {"end_game", "error"}
ACTIONS = {"dahai", "reach", "chi", "pon", "daiminkan", "kakan", "ankan", "hora"}


def seen_from(message: Message, seat: int) -> Message:
    if message["type"] == "start_kyoku":
        hands = [hand if player == seat else ["?"] * 13 for player, hand in enumerate(message["tehais"])]
        return message | {"tehais": hands}
    if message["type"] == "tsumo" and message["actor"] != seat:
        return message | {"pai": "?"}
    return message


def stream(seat: int, game: bytes) -> list[tuple[str, Message]]:
    """Return a game as it goes over the wire at one seat: each message with its sender, and the answers."""
    log = [seen_from(message, seat) for message in messages(game)]
    said: list[tuple[str, Message]] = [
        ("host", {"type": "hello", "protocol": "mjsonp", "protocol_version": 3, "can_act": True}),
        ("player", {"type": "join", "name": "我", "room": "default"}),
    ]
    for message, following in zip(log, [*log[1:], NONE], strict=True):
        if message["type"] == "start_game":
            message = message | {"id": seat, "names": ["我" if player == seat else "他" for player in SEATS]}
        if message["type"] == "tsumo" and message["actor"] == seat:
            message = message | {"possible_actions": [{"type": "reach", "actor": seat}]}
        said.append(("host", message))
        answers = following["type"] in ACTIONS and following.get("actor") == seat
        if following["type"] == "ryukyoku" and following["reason"] == "kyushu_kyuhai":
            answers = message["type"] == "tsumo" and message["actor"] == seat
        answer = {key: following[key] for key in SAID if key in following} if answers else NONE
        said.append(("player", answer))
    return said


def overruled(said: list[tuple[str, Message]], seat: int) -> list[tuple[str, Message]]:
    """Have the player also claim tiles that another then takes: the host passes over it."""
    claimed = []
    around = [("", NONE), *said, ("", NONE)]
    for (_, before), (who, message), (_, after) in zip(around, said, around[2:], strict=False):
        taken = after["type"] in ("chi", "pon", "daiminkan", "hora") and after["actor"] != seat
        if who == "player" and message == NONE and before["type"] == "dahai" and before["actor"] != seat and taken:
            called = {"target": before["actor"], "pai": before["pai"], "consumed": [before["pai"]] * 2}
            message = {"type": "pon", "actor": seat, **called}
        claimed.append((who, message))
    return claimed


def written_down(said: list[tuple[str, Message]]) -> list[Message]:
    return [message for _, message in said]


def rounds_of(log: list[tuple[str, Message]]) -> list[list[tuple[str, Message]]]:
    rounds: list[list[tuple[str, Message]]] = []
    for who, message in log:
        if message["type"] == "start_kyoku":
            rounds.append([])
        if rounds:
            rounds[-1].append((who, message))
    return rounds


_NINE = {"length": "round", "deal": "orphans", "chooser": "riichi"}
#: Of each case, the seat, the seed of its game, and how the game and its players are.
_PLAYED: dict[str, tuple[int, int, dict[str, Any]]] = {
    name: case
    for seat in SEATS
    for name, case in (
        (f"game at seat {seat}", (seat, 20 + seat, {})),
        (f"overruled at seat {seat}", (seat, 30 + seat, {"chooser": "caller"})),
        (f"nine terminals at seat {seat}", (seat, seat, _NINE)),
    )
}
CASES = [*_PLAYED, "a game that ends in an error"]


@cache
def case_of(name: str) -> tuple[int, list[tuple[str, Message]]]:
    """Return the seat of a case and its stream. A game is played when a test first asks for it."""
    if name == CASES[-1]:
        seat, said = case_of("game at seat 2")
        return seat, [*said[: len(said) // 3], ("host", {"type": "error", "message": "time is up"})]
    seat, seed, how = _PLAYED[name]
    said = stream(seat, play(seed, **how))
    return seat, overruled(said, seat) if name.startswith("overruled") else said


each_stream = pytest.mark.parametrize("case", CASES)


def test_the_streams_have_what_streams_have() -> None:
    answers = [message for name in CASES for who, message in case_of(name)[1] if who == "player"]
    assert {answer["type"] for answer in answers} >= {*ACTIONS, "none", "join", "ryukyoku"}
    claims = [message for name in CASES if "overruled" in name for _, message in case_of(name)[1]]
    assert sum(message["type"] == "pon" for message in claims) > 20


@both_versions
@each_stream
def test_a_stream_goes_out_and_comes_back(case: str, version: str) -> None:
    _, said = case_of(case)
    match = read(lines(written_down(said)), "mjai").match
    back = read(write([match], version).data, "jmjp").match
    assert back == match
    assert messages(write([back], "mjai").data) == written_down(said)


@each_stream
def test_the_game_is_that_of_the_messages_of_the_host(case: str) -> None:
    """The sender of a message is not written: the order and the seat of the stream show it."""
    seat, said = case_of(case)
    match = read(lines(written_down(said)), "mjai").match
    for game_round, of_round in zip(match.rounds, rounds_of(said), strict=True):
        spoken = list(takewhile(lambda one: one[1]["type"] != "end_game", of_round))
        hosts = read(lines([m for who, m in spoken if who == "host" and m["type"] not in AROUND]), "mjai").match
        assert game_round.events == hosts.rounds[0].events
        answers = [message for who, message in spoken if who == "player" or message["type"] == "error"]
        assert [answer.message for answer in game_round.answers] == [ev.from_message(one) for one in answers]
        assert {answer.seat for answer in game_round.answers} <= {seat, UNSET}


@each_stream
def test_the_table_plays_the_messages_of_the_host(case: str) -> None:
    seat, said = case_of(case)
    match = read(lines(written_down(said)), "mjai").match
    for deal, game_round in zip(starts(match), match.rounds, strict=True):
        table = Table.dealt(deal)
        for event in game_round.events:
            table.apply(event)
        for player, hand in enumerate(table.hands):
            assert player == seat or set(hand) <= {"?"}
        assert "?" not in table.hands[seat]


@both_versions
@each_stream
def test_a_plain_stream_is_the_game_and_the_report_lists_the_answers(case: str, version: str) -> None:
    _, said = case_of(case)
    match = read(lines(written_down(said)), "mjai").match
    away = write([match], version, plain=True)
    back: list[Any] = messages(write([read(away.data, "jmjp").match], "mjai", plain=True).data)
    begins = [place for place, message in enumerate(back) if message["type"] == "start_kyoku"]
    for index, (spoken, begin) in enumerate(zip(rounds_of(said), begins, strict=True)):
        source = [message for who, message in spoken if who == "host" and message["type"] != "error"]
        if index == len(begins) - 1 and {"type": "end_game"} in source:
            source = source[: source.index({"type": "end_game"})]
        end = begins[index + 1] if index + 1 < len(begins) else len(back) - 1
        losses = [loss for loss in away.losses if loss.round == index and loss.event is not None]
        assert unexplained(source, back[begin:end], losses) == []
        dropped = [loss.round for loss in away.losses if loss.what == "round.answers" and loss.fate == "dropped"]
        assert dropped == list(range(len(match.rounds)))


def test_the_answers_of_a_stream_without_passes_are_known_by_their_echoes() -> None:
    """A log of a player who sends nothing when passing holds only actions, each twice."""
    seat, said = case_of("game at seat 1")
    spoken = [(who, message) for who, message in said if message["type"] != "none"]
    match = read(lines(written_down(spoken)), "mjai").match
    for game_round, of_round in zip(match.rounds, rounds_of(spoken), strict=True):
        hosts = read(lines([m for who, m in of_round if who == "host" and m["type"] != "end_game"]), "mjai").match
        assert game_round.events == hosts.rounds[0].events
        assert {answer.seat for answer in game_round.answers} == {seat}
    assert read(write([match], "jmjp").data, "jmjp").match == match
