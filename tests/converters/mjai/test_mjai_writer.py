"""Writing mjai: the standard dialect, its flavours, and required keys that a record lacks."""

import datetime
import json

import pytest
from msgspec import UNSET, structs

from engine import play
from engine import read as read_by_the_engine
from handmade import DEAL, LOG
from logs import lines, messages
from looped import looped
from mjconv import schemas
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Name, Player, Round, Rules, Text
from mjconv.rules.succession import starts
from trips import read, write

HIDDEN = [["?"] * 13] * 4
DEALT = DEAL | {"tehais": HIDDEN, "scores": [0] * 4}


def written(match: Match, *, plain: bool = True, fill: bool = False) -> list[dict[str, object]]:
    return messages(write([match], "mjai", plain=plain, fill=fill).data)


def test_one_message_a_line_in_utf_8_and_a_batch_is_one_array_a_match() -> None:
    data = write([Match([Player(Name(Text(name))) for name in "東bcd"], opening=[ev.StartGame()])], "mjai").data
    assert data == '{"type":"start_game","names":["東","b","c","d"]}\n'.encode()
    match = Match(opening=[ev.StartGame(), ev.EndGame()])
    assert write([match, match], "mjai-batch").data == b'[{"type":"start_game"},{"type":"end_game"}]\n' * 2


def test_keys_have_the_order_of_the_standard_and_further_keys_follow() -> None:
    log = [dict(reversed(message.items())) for message in LOG]
    for message in messages(write(read(lines(log), "mjai").matches, "mjai").data):
        own = {"meta", "seed"}
        standard = [key for key in ("type", *ev.KEYS[message["type"]]) if key in message]
        assert list(message) == [*standard, *(key for key in message if key in own)]


def test_names_of_players() -> None:
    names = Name(Text("石橋", "Ishibashi"), Text("伸洋")), Name(Text(roman="Taki")), Name(first=Text("c"))
    [start] = written(Match([*map(Player, names), Player()], opening=[ev.StartGame()]))
    assert start == {"type": "start_game", "names": ["石橋 伸洋", "Taki", "c", ""]}
    # Players without names are not named.
    [start] = written(Match([Player(team=Text("t"))] * 4, opening=[ev.StartGame()]))
    assert start == {"type": "start_game"}
    # Names begin a game that has no beginning.
    match = Match([Player(Name(Text(name))) for name in "abcd"], [Round([ev.EndRound()])])
    assert [message["type"] for message in written(match)] == ["start_game", "start_kyoku", "end_kyoku"]
    assert read(write([match], "mjai").data, "mjai").match == match


def test_what_is_barely_a_match_comes_back_all_the_same() -> None:
    day, end = datetime.date(2024, 1, 1), [ev.EndGame()]
    for match in (
        *(Match(), Match(closing=end), Match(closing=end, date=day), Match(opening=[ev.Hello()])),
        *(Match(rounds=[Round()]), Match(rounds=[Round()], date=day), Match([Player()] * 3)),
        Match(rounds=[Round([ev.EndRound()])], closing=end),
    ):
        assert read(write([match], "mjai").data, "mjai").match == match, match


def test_a_log_of_an_end_alone_is_not_given_a_beginning() -> None:
    assert write(read(b'{"type":"end_game"}\n', "mjai").matches, "mjai").data == b'{"type":"end_game"}\n'


class TestRequired:
    """Keys that a deal and a win require, and that a record may lack."""

    SECOND = Round([ev.StartRound("S", oya=0, kyoku=1), ev.Win(2)])
    MATCH = Match(rounds=[Round([ev.Win(1, liable=0, fan=3)]), SECOND, Round([ev.Ryukyoku(), ev.EndRound()])])

    def test_it_is_filled_in(self) -> None:
        deal = {key: value for key, value in DEALT.items() if key != "scores"} | {"dora_marker": "?", "kyoku": 1}
        assert written(self.MATCH) == [
            deal,
            {"type": "hora", "actor": 1, "target": 0, "fan": 3, "pao": 0},
            deal | {"bakaze": "S"},
            {"type": "hora", "actor": 2, "target": 2},
            deal | {"bakaze": "S", "kyoku": 2, "oya": 1},
            {"type": "ryukyoku"},
            {"type": "end_kyoku"},
        ]

    def test_it_is_reported_as_assumed(self) -> None:
        losses = write([self.MATCH], "mjai", plain=True).losses
        assert {(loss.what, loss.round, loss.event) for loss in losses} >= {
            ("start_kyoku", 0, 0),
            ("hora.target", 0, 0),
            ("start_kyoku.tehais", 1, 0),
            ("start_kyoku.dora_marker", 1, 0),
            ("hora.target", 1, 1),
            ("start_kyoku", 2, 0),
        }
        assert {loss.fate for loss in losses} == {"assumed"}

    def test_it_comes_back_as_absent_and_passes_the_schemas(self) -> None:
        assert read(write([self.MATCH], "mjai").data, "mjai").match == self.MATCH
        validator = schemas.validator("log")
        for plain in (True, False):
            assert [error.message for error in validator.iter_errors(written(self.MATCH, plain=plain))] == []


class TestFill:
    LOG = (
        {"type": "start_kyoku", "oya": 2, "dora_marker": "1m", "tehais": HIDDEN},
        {"type": "tsumo", "actor": 2, "pai": "E"},
        {"type": "dahai", "actor": 2, "pai": "E"},
        {"type": "hora", "actor": 1, "target": 2, "deltas": [0, 8, -8, 0], "scores": [0, 8, -8, 0]},
    )

    def test_all_derived_values_are_stated(self) -> None:
        match = read(lines(list(self.LOG)), "mjai").match
        log = written(match, fill=True)
        assert log[0] == DEALT | {"oya": 2, "kyoku": 3}
        assert log[2]["tsumogiri"] is True
        assert {(loss.what, loss.fate) for loss in write([match], "mjai", plain=True, fill=True).losses} == {
            (f"start_kyoku.{key}", "assumed") for key in ("bakaze", "kyoku", "honba", "kyotaku", "scores")
        } | {("dahai.tsumogiri", "assumed")}

    def test_the_stated_values_come_back(self) -> None:
        match = read(lines(list(self.LOG)), "mjai").match
        assert read(write([match], "mjai", fill=True).data, "mjai").match == match
        assert written(match) == list(self.LOG)

    @staticmethod
    def without_points(**left_out: object) -> Match:
        """Return a game whose results leave the points and these values out."""
        match = read(play(2), "mjai").match
        for game_round in match.rounds:
            for index, event in enumerate(game_round.events):
                if isinstance(event, ev.Win | ev.Ryukyoku):
                    own = {key: value for key, value in left_out.items() if hasattr(event, key)}
                    game_round.events[index] = structs.replace(event, deltas=UNSET, scores=UNSET, **own)
        return match

    def test_points_that_follow_are_filled_and_come_back_as_absent(self) -> None:
        results = ("hora", "ryukyoku")
        bare = self.without_points()
        filled = [event for event in written(bare, fill=True) if event["type"] in results]
        said = [event for event in messages(play(2)) if event["type"] in results]
        assert [event["deltas"] for event in filled] == [event["deltas"] for event in said]
        assert all("deltas" not in event for event in written(bare) if event["type"] in results)
        assert read(write([bare], "mjai", fill=True).data, "mjai").match == bare

    def test_points_of_a_riichi_do_not_follow_without_its_ura(self) -> None:
        bare = self.without_points(ura_markers=UNSET)
        wins = [
            (event, any(riichi.actor == event.actor for riichi in game_round.select(ev.Riichi)))
            for game_round in read(write([bare], "mjai", fill=True, plain=True).data, "mjai").match.rounds
            for event in game_round.select(ev.Win)
        ]
        assert {in_riichi: event.deltas is UNSET for event, in_riichi in wins if in_riichi} == {True: True}

    def test_the_head_follows_from_the_rules_and_the_tiles(self) -> None:
        match = read(play(2), "mjai").match
        match.opening = [ev.StartGame()]
        match.rules = Rules(length="east", reds=(1, 1, 1))
        assert {"kyoku_first": 4, "aka_flag": True}.items() <= written(match, fill=True)[0].items()
        assert "aka_flag" not in written(match)[0]

    def test_a_log_that_states_all_is_not_changed(self) -> None:
        filled = write([read(play(2), "mjai").match], "mjai", plain=True, fill=True).data
        match = read(filled, "mjai").match
        assert write([match], "mjai", fill=True).data == filled
        assert [game_round.start for game_round in match.rounds] == starts(match)


class TestRiichienv:
    @looped("players", 3, 4)
    def test_its_reader_takes_it(self, players: int) -> None:
        game = play(3, players=players)
        out = write(read(game, "mjai").matches, "mjai-riichienv").data
        assert read_by_the_engine(out) == read_by_the_engine(game)

    def test_only_the_type_of_a_message_is_renamed(self) -> None:
        text = '{"type":"nukidora","actor":0,"meta":{"type":"nukidora"},"x":"\\n{\\"type\\":\\"nukidora\\""}\n'
        deal = lines([{"type": "start_kyoku", "oya": 0, "dora_marker": "1m", "tehais": HIDDEN[:3]}]).decode()
        out = write(read((deal + text).encode(), "mjai").matches, "mjai-riichienv").data
        assert messages(out)[1] == json.loads(text) | {"type": "kita"}
        assert read(out, "mjai").matches == read((deal + text).encode(), "mjai").matches

    def test_its_id_is_a_string(self) -> None:
        match = Match(opening=[ev.StartGame(id=2)])
        assert messages(write([match], "mjai-riichienv").data) == [{"type": "start_game", "id": "2"}]
        assert read(write([match], "mjai-riichienv").data, "mjai").match == match


START = ev.StartRound("E", "1m", 1, 0, 0, 0, (0,) * 4, (("1m",) * 13,) * 4)


class TestRefusals:
    def test_the_refusal_names_the_event(self) -> None:
        for event, what in (
            (ev.Draw(0, "16m"), "(tsumo): mjai has no tile 16m"),
            (ev.Draw(4, "1m"), "(tsumo): mjai cannot hold this: actor: expected a number up to 3"),
            (ev.Dora("Z"), "(dora): mjai has no tile Z"),
            (
                ev.Win(0, 1, deltas=(10**12, 0, 0, 0)),
                "(hora): mjai cannot hold this: deltas[0]: expected a number",
            ),
            (ev.Win(0, 1, deltas=(0,) * 6), "(hora): mjai cannot hold this: deltas: expected a list of another"),
            (ev.Chi(1, 0, "1m", ("2m",)), "(chi): mjai cannot hold this: consumed: expected a list of another"),
        ):
            bad = Match(rounds=[Round([START, event])])
            with pytest.raises(UnsupportedError) as caught:
                write([Match(), bad], "mjai")
            assert caught.value.message.startswith(f"match 2, round E1-0, message 2 {what}"), event

    def test_messages_around_the_rounds_and_keys_of_its_own(self) -> None:
        with pytest.raises(UnsupportedError, match=r"match 1, closing, message 1 \(end_game\)"):
            write([Match(closing=[ev.EndGame(scores=(0,) * 6)])], "mjai")
        with pytest.raises(UnsupportedError, match=r"match 1, opening, message 2 \(start_game\)"):
            write([Match(opening=[ev.Hello(), ev.StartGame(id=5)])], "mjai")
        # Keys of its own are no hindrance.
        event = ev.Draw(0, "1m", extras=ev.Extras({"pai2": "16m", "liable": None}))
        data = write([Match(rounds=[Round([START, event])])], "mjai").data
        assert read(data, "mjai").match.rounds[0].events == [START, event]


@pytest.mark.parametrize("plain", [True, False])
def test_what_is_written_of_a_game_passes_the_schemas(plain: bool) -> None:
    match = read(play(4), "mjai").match
    match.date = datetime.date(2024, 2, 29)
    match.rounds[1].dice = (3, 4)
    match.rounds[2].events[0] = structs.replace(match.rounds[2].events[0], scores=UNSET)
    log = written(match, plain=plain)
    assert [error.message for error in schemas.validator("log").iter_errors(log)] == []
    assert ("mjconv" in log[0]) == (not plain)


@looped("key", "mjconv", "kyoutaku")
def test_another_key_that_mjai_would_read_as_a_note_or_as_a_standard_key_travels_in_the_note(key: str) -> None:
    match = read(lines(LOG), "mjai").match
    events = match.rounds[0].events
    events[0] = structs.replace(events[0], kyotaku=UNSET, extras=ev.Extras({key: 7}))
    assert all(key not in message for message in written(match))
    noted = write([match], "mjai")
    assert [(loss.what, loss.fate) for loss in noted.losses] == [(f"start_kyoku.{key}", "carried")]
    assert read(noted.data, "mjai").match == match
