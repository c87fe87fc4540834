"""The in-game stream that one player of a record receives: hidden tiles, and programs that play by it."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs
from riichienv import RiichiEnv

import mjconv
from answer_table import answers
from corpus_files import CORPUS
from engine import STYLES, play
from logs import Log, Message, lines, logs, messages
from looped import looped
from mjconv import schemas
from mjconv.ir import events as ev
from mjconv.ir.losses import ORIGINAL
from mjconv.ir.match import Answer
from mjconv.ir.seat_stream import seat_stream
from mjconv.referee.referee import check
from test_streams import CASES, case_of, seen_from, written_down
from trips import read

ROUND = ev.StartRound(bakaze="E", dora_marker="1s", kyoku=1, honba=0, kyotaku=0, oya=0, tehais=(("1m",) * 13,) * 4)


def shown(log: list[Message], seat: int) -> list[Message]:
    """Hide what a player does not see, by the rules of the test's own streams."""
    seen = [seen_from(message, seat) for message in log]
    return [message | {"id": seat} if message["type"] == "start_game" else message for message in seen]


@looped("seed", *range(4), every=3)
@looped("seat", *range(4))
def test_hands_and_draws_of_others_are_hidden_and_all_else_is_as_it_was(seed: int, seat: int) -> None:
    game = play(seed, chooser="mixed")
    out = mjconv.convert(game, source="mjai", target="mjai", seat=seat)
    made, wanted = messages(out.data), shown(messages(game), seat)
    # The hands at a draw have a test of their own.
    for message in (*made, *wanted):
        if message["type"] == "ryukyoku":
            message.pop("tehais", None)
    assert made == wanted


@pytest.mark.parametrize("log", [*logs(4)[::2], *logs(3)[::2]], ids=str)
def test_a_stream_is_right_by_the_schemas_and_the_referee(log: Log) -> None:
    [match, *_] = read(log.data, "mjai").matches
    seat = log.length % log.seats
    try:
        stream = seat_stream(match, seat)
    except mjconv.UnsupportedError:
        # A record that hides the tiles of a player has no stream of that seat.
        assert b'"?"' in log.data
        return
    whole = {(each.round, each.event, each.code) for each in check(match) if each.severity == "error"}
    valid = schemas.validator("message").is_valid
    # A record whose own messages lack keys is written without them.
    faulty = {ev.name_of(event) for event in all_events(match) if not valid(ev.to_message(event))}
    found = {(each.round, each.event, each.code) for each in check(stream) if each.severity == "error"}
    assert found <= whole
    for event in all_events(stream):
        assert ev.name_of(event) in faulty or valid(ev.to_message(event))
    assert seat == next(event.id for event in stream.opening if isinstance(event, ev.StartGame))


def all_events(match: mjconv.Match) -> list[mjconv.Event]:
    return [*match.opening, *(event for each in match.rounds for event in each.events), *match.closing]


@looped("seed", *range(3))
def test_a_stream_does_not_depend_on_tiles_that_its_player_never_sees(seed: int) -> None:
    """Tiles that another player holds to the end may be any tiles."""
    match = read(play(seed, length="east"), "mjai").match
    chosen = Random(seed)
    for seat in range(4):
        other = structs.replace(match, rounds=[shuffled(each, seat, chosen) for each in match.rounds])
        assert other != match
        assert seat_stream(other, seat) == seat_stream(match, seat)


def shuffled(game_round: mjconv.Round, seat: int, chosen: Random) -> mjconv.Round:
    events: list[Any] = []
    for event in game_round.events:
        if isinstance(event, ev.StartRound) and event.tehais:
            tiles = [tile for player, hand in enumerate(event.tehais) if player != seat for tile in hand]
            chosen.shuffle(tiles)
            deal, hands = iter(tiles), enumerate(event.tehais)
            dealt = (hand if player == seat else [next(deal) for _ in hand] for player, hand in hands)
            event = structs.replace(event, tehais=tuple(map(tuple, dealt)))
        elif isinstance(event, ev.Draw) and event.actor != seat:
            event = ev.Draw(event.actor, chosen.choice(["E", "5mr", "9p"]))
        elif isinstance(event, ev.Ryukyoku) and event.tehais and event.tenpais:
            hidden = [not ready and player != seat for player, ready in enumerate(event.tenpais)]
            closed = zip(event.tehais, hidden, strict=True)
            ends = (chosen.choices("ESWN", k=len(hand)) if unseen else hand for hand, unseen in closed)
            event = structs.replace(event, tehais=tuple(map(tuple, ends)))
        events.append(event)
    return structs.replace(game_round, events=events)


@looped(
    ("draw", "visible"),
    (ev.Ryukyoku(tenpais=(True, False, False, False)), {0, 2}),
    (ev.Ryukyoku(tenpais=(False, True, True, True)), {1, 2, 3}),
    (ev.Ryukyoku(reason="kyushukyuhai", actor=3), {2, 3}),
    (ev.Ryukyoku(), {2}),
)
def test_at_a_draw_only_shown_hands_are_seen(draw: ev.Ryukyoku, visible: set[int]) -> None:
    draw = structs.replace(draw, tehais=(("1m",) * 13,) * 4)
    match = mjconv.Match(rounds=[mjconv.Round([ROUND, ev.Draw(0, "1p"), draw])])
    [_, _, event] = seat_stream(match, 2).rounds[0].events
    assert isinstance(event, ev.Ryukyoku)
    assert event.tehais
    assert {player for player, hand in enumerate(event.tehais) if "?" not in hand} == visible
    assert all(len(hand) == 13 for hand in event.tehais)


def test_other_ways_to_learn_of_hidden_tiles_are_left_out(tmp_path: Path) -> None:
    game = messages(play(1, length="round", deal="close"))
    game[0] |= {"seed": [1, 2], "uri": "https://example.com/1", "names": list("ABCD"), "walls": ["1m"]}
    game[2]["meta"] = {"q_values": [0.5], "hand": ["1m"]}
    path = tmp_path / "seat1.mjson"
    losses = mjconv.write(mjconv.read(lines(game), format="mjai"), path, seat=1)
    [start, *rest] = messages(path.read_bytes())
    assert start == {"type": "start_game", "id": 1, "names": list("ABCD")}
    assert all("meta" not in message for message in rest)
    assert b'"mjconv"' not in path.read_bytes()
    assert {loss.fate for loss in losses} <= {"dropped", "approximated", "assumed"}


def test_walls_and_notes_stay_behind() -> None:
    for path in sorted((Path(__file__).parents[1] / "corpus" / "tenhou").rglob("*.mjlog"))[:3]:
        out = mjconv.convert(path.read_bytes(), target="mjai", file=path.name, seat=0)
        assert b'"mjconv"' not in out.data
        assert b'"wall"' not in out.data
        [loss] = [loss for loss in out.losses if loss.what == ORIGINAL]
        assert (loss.fate, loss.detail) == ("dropped", "it shows all hands")


@looped("case", *CASES)
def test_a_stream_gives_the_hosts_messages_of_the_seat_that_it_was_recorded_at(case: str) -> None:
    seat, said = case_of(case)
    stream = read(lines(written_down(said)), "mjai").match
    around = ("hello", "error", "start_game", "end_game")
    host = [message for who, message in said if who == "host" and message["type"] not in around]
    wanted = without_actions(closed_hands(host, seat))
    made = [ev.to_message(event) for each in seat_stream(stream, seat).rounds for event in each.events]
    assert json.loads(json.dumps(made)) == wanted
    with pytest.raises(mjconv.UnsupportedError, match="the record hides tiles of the player at seat"):
        seat_stream(stream, (seat + 1) % 4)


def without_actions(log: Iterable[Message]) -> list[Message]:
    return [{key: value for key, value in message.items() if key != "possible_actions"} for message in log]


def closed_hands(log: list[Message], seat: int) -> Iterator[Message]:
    """Hide the hands at draws too: the host of the tests' streams shows all of them."""
    for message in log:
        if message["type"] == "ryukyoku" and "tehais" in message:
            ready = message.get("tenpais", [False] * 4)
            seen = [ready[player] or player in (seat, message.get("actor")) for player in range(4)]
            hands = [hand if seen[player] else ["?"] * len(hand) for player, hand in enumerate(message["tehais"])]
            message = message | {"tehais": hands}
        yield message


def test_a_game_has_a_stream_for_each_of_its_seats_and_no_others() -> None:
    three = play(1, players=3, length="round")
    assert mjconv.convert(three, target="mjai", seat=2).data
    with pytest.raises(mjconv.UsageError, match="there is no seat 3; the seats: 0 "):
        mjconv.convert(three, target="mjai", seat=3)
    start, *others = messages(three)
    named = lines([start | {"names": list("ABCD")}, *others])
    with pytest.raises(mjconv.UnsupportedError, match="the record hides tiles of the player at seat 3"):
        mjconv.convert(named, target="mjai", seat=3)


def test_a_stream_has_the_answers_of_its_player_alone_and_only_if_they_are_wanted() -> None:
    hands = (("1m",) * 13, ("2m",) * 13, ("3m",) * 13, ("4m",) * 13)
    secret = {"meta": {"q_values": ["secret"]}}
    own = ev.Extras({"meta": {"q_values": [0.5]}, "logs": ["secret", None, "mine", None]})
    passing = ev.Pass(extras=own)
    answers = (
        Answer(2, ev.Pass(extras=ev.Extras(secret)), 1),
        Answer(3, passing, 2),
        Answer(3, ev.Pon(1, 0, "E", ("E", "E"), extras=ev.Extras(secret)), 1),
        Answer(3, ev.ErrorMessage("secret")),
        Answer(3, ev.Pass(extras=ev.Extras(secret))),
    )
    events: list[ev.Event] = [structs.replace(ROUND, tehais=hands), ev.Draw(0, "E")]
    events.append(ev.Discard(0, "E", tsumogiri=True))
    match = mjconv.Match(rounds=[mjconv.Round(events, answers=answers)])
    assert seat_stream(match, 2).rounds[0].answers == ()
    [kept] = seat_stream(match, 2, answers=True).rounds[0].answers
    assert kept == Answer(3, structs.replace(passing, extras=ev.Extras({"meta": {"q_values": [0.5]}})), 2)
    for wanted in (False, True):
        data = mjconv.write_bytes(match, "mjai", seat=2, answers=wanted)
        assert b"secret" not in data
        passes = [message for message in messages(data) if message["type"] == "none"]
        assert passes == [{"type": "none", "meta": {"q_values": [0.5]}}] * wanted


def test_the_stream_of_a_stream_is_itself_without_the_messages_around_the_rounds() -> None:
    data = (CORPUS / "stream" / "seat.mjson").read_bytes()
    out = mjconv.convert(data, target="mjai", seat=3, answers=True, source="mjai")
    bare = without_actions(messages(data))
    begin = next(place for place, message in enumerate(bare) if message["type"] == "start_kyoku")
    end = next(place for place, message in enumerate(bare) if message["type"] == "end_game")
    assert messages(out.data)[1:-1] == bare[begin:end]
    with pytest.raises(mjconv.UnsupportedError, match="hides tiles of the player at seat 1"):
        mjconv.convert(data, target="mjai", seat=1, answers=True, source="mjai")


def test_answers_are_kept_for_one_seat_alone_and_formats_without_streams_are_refused() -> None:
    with pytest.raises(mjconv.UsageError, match="--answers needs --seat"):
        mjconv.convert(play(1, length="round"), target="mjai", answers=True)
    with pytest.raises(mjconv.UsageError, match="jmjp holds no in-game streams"):
        mjconv.convert(play(1, length="round"), target="jmjp", seat=1)


def test_every_hidden_tile_is_a_loss_and_the_output_is_verified() -> None:
    game = play(2, length="round")
    out = mjconv.convert(game, target="mjai", seat=3, verify=True)
    hidden = out.data.count(b'"pai":"?"')
    assert hidden
    assert sum(loss.what == "tsumo.pai" for loss in out.losses) == hidden
    with pytest.raises(mjconv.LossError, match=r"tsumo\.pai approximated"):
        mjconv.convert(game, target="mjai", seat=3, strict=True)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_a_simple_player_answers_the_stream_at_every_turn(players: int, seed: int) -> None:
    """The engine's own tracker of one seat follows the stream, and its player answers each message legally."""
    seat = seed % players
    out = mjconv.convert(play(seed, players=players), target="mjai-riichienv", seat=seat)
    table, player, chosen = RiichiEnv(game_mode=f"{players}p-red-half"), STYLES["caller"], Random(seed)
    game = messages(out.data)
    answered = 0
    for message, following in zip(game, [*game[1:], {"type": "none"}], strict=True):
        seen = table.observe_event(message, seat)
        # After a kan the engine for three asks its player before the replacement, as if it were drawn.
        if seen is None or (message["type"] in ("ankan", "kakan", "daiminkan") and message["actor"] == seat):
            continue
        answered += 1
        answer = json.loads(player(seen, seen.legal_actions(), chosen).to_mjai())
        assert standard(answer["type"]) in answers(message | {"type": standard(message["type"])}, seat)
        if following.get("actor") == seat and following["type"] not in ("tsumo", "reach_accepted"):
            # The player of the record did what the engine allows.
            assert seen.select_action_from_mjai(following) is not None
    assert answered > 50


def standard(name: str) -> str:
    return {"kita": "nukidora"}.get(name, name)
