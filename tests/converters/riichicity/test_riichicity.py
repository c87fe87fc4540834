"""Records of Riichi City: what they are read as, and what the reader refuses."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, structs

import faults
import mjconv
from corpus_files import CORPUS
from faults import misread, reported
from logs import FOLDER
from looped import looped
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir import limits
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation, Match, Original, Rules
from mjconv.testing.json_types import replaced
from riichicity_made import NUMBER, Encoder
from trips import known, places, read

Value = dict[str, Any]
#: The actions of a record that declares a win.
DECLARED = {7, 10, 12}
SOURCES = sorted((CORPUS / "tenhou").glob("*.mjlog"))
if FOLDER:
    SOURCES += sorted([*Path(FOLDER).glob("tenhou/mjlog/*.mjlog"), *Path(FOLDER).glob("tenhou/xml/*.xml")])


def one(value: Any, report: Report | None = None) -> Match:
    return read(json.dumps(value), "riichicity", report).match


def warned(value: Any) -> tuple[Match, list[str]]:
    """Return the match of a record and the warnings of its reading."""
    was = read(json.dumps(value), "riichicity")
    return was.match, [warning.message for warning in was.warnings]


def sample(name: str) -> Any:
    return json.loads((CORPUS / f"riichicity/{name}.json").read_bytes())


def short() -> Value:
    """Return a record of one round."""
    return dict(sample("short"))


def records(value: Value) -> list[Value]:
    """Return the records of the first round."""
    return list(value["data"]["handRecord"][0]["handEventRecord"])


def change(value: Value, kind: int, edit: Callable[[Value], object], number: int = 0) -> Value:
    """Change the fields in the `data` of a record: the `number`th one of a kind."""
    record = [each for each in records(value) if each["eventType"] == kind][number]
    data = json.loads(record["data"])
    edit(data)
    record["data"] = json.dumps(data)
    return value


def play(*acts: tuple[int, int, Value], hands: dict[int, list[str]] | None = None, seats: int = 4) -> Value:
    """Return a record of one round: hands of thirteen tiles each, and then these records: kind, id, fields."""
    dealt = {1001: [*["1m", "2m", "3m", "4m", "5mr", "6m", "7m", "8m", "9m", "E", "E", "E", "P"], "9p"]}
    dealt |= {1002: ["1p"] * 3 + ["2p"] * 3 + ["3p", "4p", "5pr", "6p", "7p", "8p", "S"]}
    dealt |= {1003: ["1s"] * 3 + ["2s"] * 3 + ["3s", "4s", "5sr", "6s", "7s", "8s", "S"]}
    dealt |= {1004: ["9m"] * 3 + ["P"] * 3 + ["N", "W", "W", "W", "F", "F", "F"]} | (hands or {})
    dealt = dict(list(dealt.items())[:seats])
    scores = [{"user_id": user, "hand_points": 25000} for user in dealt]
    deal = {"dealer_pos": 0, "dices": [2, 6], "bao_pai_card": NUMBER["9s"], "user_info_list": scores}
    found = [(1, user, {**deal, "hand_cards": [NUMBER[tile] for tile in hand]}) for user, hand in dealt.items()]
    listed = [
        {"eventType": kind, "userId": user, "startTime": 1000 * at, "data": json.dumps(data)}
        for at, (kind, user, data) in enumerate([*found, *acts], 1)
    ]
    players = [{"userId": user, "nickname": f"P{user}", "position": at} for at, user in enumerate(dealt)]
    rounds = [{"quanFeng": 49, "changCi": 1, "benChangNum": 0, "players": players, "handEventRecord": listed}]
    return {"code": 0, "data": {"playerCount": seats, "handRecord": rounds}}


def act(user: int, action: int, card: str = "", **others: Any) -> tuple[int, int, Value]:
    return 4, user, {"action": action, "user_id": user, "card": NUMBER.get(card, 0), **others}


def result(end: int, *infos: Value, gained: tuple[int, ...] = (0,) * 4, **others: Any) -> tuple[int, int, Value]:
    profits = [{"user_id": 1001 + at, "point_profit": points} for at, points in enumerate(gained)]
    return 5, 0, {"end_type": end, "win_info": list(infos), "user_profit": profits, **others}


def events(*acts: tuple[int, int, Value], **others: Any) -> list[ev.Event]:
    """Return the events of a round after the deal and the dealer's first draw."""
    return one(play(*acts, **others)).rounds[0].events[2:]


def bare(event: ev.Event) -> ev.Event:
    """Return an event without what Riichi City does not state, or states in another order."""
    match event:
        case ev.StartRound():
            return structs.replace(event, tehais=tuple([tuple(sorted(hand)) for hand in event.tehais or ()]))
        case ev.RiichiAccepted():
            return ev.RiichiAccepted(event.actor)
        case ev.Ankan():
            return structs.replace(event, consumed=tuple(sorted(event.consumed)))
        case ev.Win():
            yakus = tuple([(name, han) for name, han in event.yakus or () if han])
            return structs.replace(event, scores=UNSET, yakus=yakus)
        case ev.Ryukyoku():
            tenpais = event.tenpais if event.reason in ("exhaustive_draw", "nagashimangan") else UNSET
            moved = event.deltas or (0,) * 4
            return structs.replace(event, scores=UNSET, tenpais=tenpais, deltas=moved, actor=UNSET)
    return event


@looped("first", 0, 2)
@looped("path", *SOURCES, ids=lambda path: path.name)
def test_a_game_has_the_events_and_the_walls_of_its_source(path: Path, first: int) -> None:
    """Games of Tenhou, written by an encoder that the reader does not share."""
    for match in read(path.read_bytes(), "tenhou", Report(lenient=True)).matches:
        match.rounds = [one for one in match.rounds if len(one.events) > 2 and type(one.events[-2]) in ev.RESULTS]
        found = one(Encoder(match, first).record()) if match.rounds else match
        for before, after in zip(match.rounds, found.rounds, strict=True):
            assert list(map(bare, after.events)) == list(map(bare, before.events))
            assert (after.wall, after.blocked) == (before.wall, before.blocked)


@pytest.mark.skipif(not FOLDER, reason="MJCONV_REAL_LOGS names no folder")
def test_real_records_have_walls_whose_hash_is_right() -> None:
    for path in (Path(FOLDER or "") / "riichicity").glob("*.json"):
        was = read(path.read_bytes(), "riichicity")
        assert all(len(each.wall or ()) in (108, 136) for each in was.match.rounds)
        assert [warning.message for warning in was.warnings] == ["the game has no end: the record breaks off"]


def test_a_record_is_the_answer_of_the_server_or_its_data_alone() -> None:
    assert one(short()) == one(short()["data"])


def test_players_rules_and_the_moment_of_the_first_deal_are_read() -> None:
    match = one(short())
    names = [player.name.shown for player in match.players if player.name]
    assert names == ["朝倉 春", "別府 夏子", "千早 秋", "堂本 冬美"]
    assert match.rules == Rules(start=25000, length="south", players=4)
    assert match.date == date(2023, 11, 14)
    assert match.closing == [ev.EndGame(scores=(17300, 33700, 25000, 24000))]
    assert not match.extras


def test_wareme_and_open_riichi_of_a_room_are_house_rules() -> None:
    value = short()
    value["data"].update(isGeMu=True, isKaiLiZhi=True)
    assert one(value).rules == Rules(start=25000, length="south", players=4, wareme=True, local_yaku=True)
    value["data"].update(isGeMu=False, isKaiLiZhi=1)
    assert one(value).rules == Rules(start=25000, length="south", players=4)


def test_seats_count_from_the_dealer_of_the_first_round_even_if_it_is_missing() -> None:
    value = sample("four")
    whole = one(value)
    del value["data"]["handRecord"][0]
    [second] = one(value).rounds
    assert second.events == whole.rounds[1].events
    assert known(second.start).oya == 1


def test_a_round_without_a_deal_is_left_out_with_a_warning() -> None:
    value = play(act(1001, 11, "9p"))
    [dealt] = value["data"]["handRecord"]
    empty = {**dealt, "handEventRecord": []}
    dealt["changCi"] = 2
    partly, match = {**dealt, "handEventRecord": records(value)[:3]}, one(value)
    for rounds in ([empty, dealt], [dealt, empty], [dealt, partly, dealt]):
        value["data"]["handRecord"] = rounds
        found, warnings = warned(value)
        assert found.rounds == match.rounds * (len(rounds) - 1)
        assert [each for each in warnings if "deal" in each] == ["the round has no deal. It was left out"]


def test_the_indicator_of_an_open_kan_comes_before_the_replacement() -> None:
    hands = {1004: ["P", "P", "P", "9m", "9m", "1m", "N", "W", "W", "W", "F", "F", "F"]}
    kan = act(1004, 6, "P", group_cards=[NUMBER["P"]] * 3), (7, 0, {"cards": [NUMBER["1s"]]})
    value = play(act(1001, 11, "P"), *kan, (2, 1004, {"in_card": 1}), hands=hands)
    assert "R072" not in [finding.code for finding in mjconv.check(one(value))]


def test_times_and_offers_add_no_event() -> None:
    [game_round] = one(play((2, 1001, {}), act(1001, 11, "P"), act(1004, 5, "P", group_cards=[113, 113]))).rounds
    assert game_round.annotations == (Annotation(2, "think_time", 0, 1000),)
    offer = (3, 1004, {"out_card": 113, "action_list": [5]})
    found = events(act(1001, 11, "P", li_zhi_operate=2), offer, (9, 1002, {"is_zhen_ting": True}))
    assert found == [ev.Discard(0, "P", tsumogiri=False)]


def test_a_discard_is_the_tile_drawn_if_it_lay_behind_the_hand() -> None:
    # Without a place, the server played for a player who is away.
    for tile, place, drawn in (
        ("9p", [14, 1], True),
        ("9p", [12, 1], False),
        ("9p", None, True),
        ("1m", None, False),
    ):
        assert events(act(1001, 11, tile, move_cards_pos=place))[0] == ev.Discard(0, tile, tsumogiri=drawn)


def test_a_call_takes_the_last_discard() -> None:
    for action, card, own, expected in (
        (2, "1p", ["2p", "3p"], ev.Chi(1, 0, "1p", ("2p", "3p"))),
        (3, "4p", ["3p", "5pr"], ev.Chi(1, 0, "4p", ("3p", "5pr"))),
        (4, "9p", ["7p", "8p"], ev.Chi(1, 0, "9p", ("7p", "8p"))),
        (5, "1p", ["1p", "1p"], ev.Pon(1, 0, "1p", ("1p", "1p"))),
        (6, "1p", ["1p", "1p", "1p"], ev.Daiminkan(1, 0, "1p", ("1p", "1p", "1p"))),
    ):
        calls = act(1002, action, card, group_cards=[NUMBER[tile] for tile in own])
        assert events(act(1001, 11, card), calls)[-1] == expected, action


def test_kans_of_the_hand_and_their_indicators() -> None:
    four = {1004: ["P"] * 4 + ["9m"] * 3 + ["N", "W", "W", "W", "F", "F"]}
    drawn = (2, 1004, {"in_card": NUMBER["1s"], "is_gang_incard": True})
    kan = act(1004, 8, "P", group_cards=[113, 113, 113])
    found = events((7, 0, {"cards": []}), kan, (7, 0, {"cards": [NUMBER["3m"]]}), drawn, hands=four)
    assert found == [ev.Ankan(3, ("P",) * 4), ev.Dora("3m"), ev.Draw(3, "1s")]
    # Without its other tiles, they are those of the hand.
    assert events(act(1004, 8, "P"), hands=four) == [ev.Ankan(3, ("P",) * 4)]


def test_a_record_of_indicators_repeats_those_of_the_kans_before() -> None:
    first, second = NUMBER["3m"], NUMBER["4m"]
    for repeated, warnings in ((first, 0), (second, 1)):
        found, messages = warned(play((7, 0, {"cards": [first]}), (7, 0, {"cards": [repeated, second]})))
        assert found.rounds[0].events[2:] == [ev.Dora("3m"), ev.Dora("4m")]
        assert sum("other dora indicators" in message for message in messages) == warnings, repeated


def test_a_tile_is_added_to_a_pon() -> None:
    pon = act(1002, 5, "1p", group_cards=[1, 1])
    assert events(act(1001, 11, "1p"), pon, act(1002, 9, "1p"))[-1] == ev.Kakan(1, "1p", ("1p",) * 3)


def test_a_riichi_is_accepted_when_the_record_states_so_and_an_open_one_is_a_riichi() -> None:
    declared = [ev.Riichi(0), ev.Discard(0, "P", tsumogiri=False)]
    riichi = act(1001, 11, "P", is_li_zhi=True, li_zhi_type=1)
    assert events(riichi, (8, 1001, {"user_id": 1001})) == [*declared, ev.RiichiAccepted(0)]
    assert events(act(1001, 11, "P", is_li_zhi=True, li_zhi_type=3)) == declared


def info(user: int, *yaku: tuple[int, int], **others: Any) -> Value:
    """Return a win."""
    fans = [{"fang_type": number, "fang_num": han} for number, han in yaku]
    return {"user_id": user, "fang_info": fans, "all_fu": 30, "all_point": 3900, **others}


def test_the_discarder_pays_each_of_two_winners_and_the_first_takes_the_sticks() -> None:
    riichi = act(1001, 11, "P", is_li_zhi=True)
    drawn, discard = (2, 1002, {"in_card": NUMBER["9p"]}), act(1002, 11, "9p")
    # The list of wins may have any order.
    both = result(0, info(1004, (0, 1), (51, 0)), info(1003, (14, 1)), gained=(0, -7800, 4900, 3900))
    found = events(riichi, (8, 1001, {}), drawn, discard, act(1003, 7), act(1004, 7), both)
    first, second = [event for event in found if isinstance(event, ev.Win)]
    assert (first.target, first.pai, first.deltas) == (1, "9p", (0, -3900, 4900, 0))
    assert (second.deltas, second.ura_markers) == ((0, -3900, 0, 3900), ())
    assert (first.yakus, second.yakus) == ((("tanyaochu", 1),), (("reach", 1),))


def test_a_value_of_the_second_winner_has_its_own_place() -> None:
    both = result(0, info(1002, (14, 1)), info(1003, (0, 1), all_fu=50))
    value = play(act(1001, 11, "9p"), act(1002, 7), act(1003, 7), both)
    text = json.dumps(value)
    place = known(places("riichicity", text.encode())(0, 0, len(one(value).rounds[0].events) - 2, "fu"))
    assert place.column == text.rindex('\\"all_fu\\": 50') + len('\\"all_fu\\": ') + 1


def test_a_yakuman_counts_thirteen_han_and_names_the_liable_player() -> None:
    won = result(1, info(1002, (45, 1), (42, 1), all_fang_num=2))
    value = play(act(1001, 11, "P"), (2, 1002, {"in_card": 1}), won)
    change(value, 5, lambda data: data["user_profit"][3].update(is_bao_pai=True))
    [win] = one(value).rounds[0].select(ev.Win)
    assert (win.fan, win.yakus, win.liable) == (26, (("daisangen", 13), ("tsuiso", 13)), 3)


def test_a_player_is_liable_for_the_yakuman_of_the_other_winner() -> None:
    wins = [info(user, (yakuman, 1), all_point=32000) for user, yakuman in ((1002, 40), (1003, 45))]
    both = result(0, *wins, gained=(-48000, 16000, 32000, 0))
    value = play(act(1001, 11, "P"), act(1002, 7), act(1003, 7), both)
    change(value, 5, lambda data: data["user_profit"][1].update(is_bao_pai=True))
    first, second = one(value).rounds[0].select(ev.Win)
    assert (first.liable, first.deltas) == (UNSET, (-32000, 32000, 0, 0))
    assert (second.liable, second.deltas) == (1, (-16000, -16000, 32000, 0))


def test_a_player_who_is_liable_for_no_win_is_named() -> None:
    value = play(act(1001, 11, "P"), (2, 1002, {"in_card": 1}), result(1, info(1002, (45, 1), (40, 1))))
    for seat in (0, 3):
        change(value, 5, lambda data, seat=seat: data["user_profit"][seat].update(is_bao_pai=True))
        match, messages = warned(value)
        # Of two players nobody knows for which yakuman each is liable.
        assert match.rounds[0].select(ev.Win)[0].liable == (UNSET if seat else 0)
        assert sum("liable for no win" in message for message in messages) == (2 if seat else 0)


def test_a_ron_that_is_declared_on_another_tile_is_a_warning() -> None:
    end = result(0, info(1004, (9, 1)), gained=(-1000, 0, 0, 1000))
    for tile, expected in (("N", 0), ("", 0), ("9p", 1)):
        _, messages = warned(play(act(1001, 11, "N"), act(1004, 7, tile), end))
        assert sum("the ron is declared on 9p, and the play makes it N" in each for each in messages) == expected


def test_a_dragon_that_the_hand_does_not_have_is_a_warning() -> None:
    for number, expected in ((9, 0), (8, 1)):
        won = result(0, info(1004, (number, 1)), gained=(-1000, 0, 0, 1000))
        _, messages = warned(play(act(1001, 11, "N"), act(1004, 7), won))
        assert sum("the win names hatsu" in message for message in messages) == expected, number


def test_yaku_that_mjai_does_not_name_keep_their_numbers() -> None:
    [win] = one(play((2, 1001, {}), result(1, info(1001, (52, 1), (56, 1))))).rounds[0].select(ev.Win)
    assert win.yakus == (("riichicity:52", 1), ("riichicity:56", 1))


def test_abortive_draws() -> None:
    for end, reason in enumerate(["sufuurenta", "suukansansen", "suucha_riichi", "sanchaho", "kyushu_kyuhai"], 2):
        assert events(act(1001, 12), result(end))[-2:] == [ev.Ryukyoku(reason, deltas=(0,) * 4), ev.EndRound()]


def test_three_rons_block_each_other() -> None:
    rons = [act(user, 7) for user in (1002, 1003, 1004)]
    assert one(play(act(1001, 11, "P"), *rons, result(5))).rounds[0].blocked == (1, 2, 3)


def test_an_exhausted_wall_shows_the_hands_in_tenpai_and_a_nagashi_mangan() -> None:
    gained = (-1500, 1500, -1500, 1500)
    [drawn, _] = events(result(7, info(1002), info(1004), gained=gained))
    assert drawn == ev.Ryukyoku("exhaustive_draw", tenpais=(False, True, False, True), deltas=gained)
    [nagashi, _] = events(result(7, info(1003, (30, 5))))
    assert (nagashi.reason, nagashi.tenpais) == ("nagashimangan", (False,) * 4)  # type: ignore[union-attr]


def test_an_end_that_only_friends_have_is_a_draw_without_a_reason_and_a_warning() -> None:
    match, warnings = warned(play(result(8)))
    assert match.rounds[0].events[-2] == ev.Ryukyoku(deltas=(0,) * 4)
    assert "end_type 8" in warnings[0]


def test_a_declared_win_of_nobody_is_a_reading_or_an_error() -> None:
    """The record that declares a win may show the hand of a player. The players of the win are in the result."""
    for user in (None, [1], {}, "x", -1, 1.5):
        value = sample("four")
        declared = 0
        for event in (event for each in value["data"]["handRecord"] for event in each["handEventRecord"]):
            data = json.loads(event["data"])
            if data.get("action") in DECLARED:
                declared += 1
                for changed in ({**data, "user_id": user}, {key: data[key] for key in data if key != "user_id"}):
                    event["data"] = json.dumps({**changed, "hand_cards": [17, 18, 19]})
                    with suppress(InputError):
                        one(value)
                event["data"] = json.dumps(data)
        assert declared > 0, user


def test_walls_with_a_wrong_hash_or_of_another_round_are_a_warning() -> None:
    value = sample("four")
    first = value["data"]["handRecord"][0]
    first["handCardsSHA256"] = "0" * 64
    match, warnings = warned(value)
    assert match.rounds[0].wall is not UNSET
    assert "the SHA-256 of the wall is wrong" in warnings[0]
    text = first["handCardEncode"]
    first["handCardEncode"] = text[2:] + text[:2]
    first["handCardsSHA256"] = sha256(first["handCardEncode"].encode()).hexdigest()
    del first["paiShan"]
    match, warnings = warned(value)
    assert match.rounds[0].wall is UNSET
    assert "the hands differ from the wall" in warnings[0]


def test_the_rest_of_the_wall_is_enough_and_walls_are_left_out_on_demand() -> None:
    value = sample("four")
    whole = one(value).rounds[0].wall
    del value["data"]["handRecord"][0]["handCardEncode"]
    assert one(value).rounds[0].wall == whole
    assert all(each.wall is UNSET for each in one(value, Report(walls=False)).rounds)


def refused(value: Any) -> str:
    """Return the error of a record. Check that a lenient reading reports the same error."""
    return reported(json.dumps(value), "riichicity").faults[0].error.message


def test_what_cannot_be_is_refused() -> None:
    for act_of, message in (
        (act(1001, 40, "1m"), "the action is 40: riichi mahjong has none of this number"),
        (act(1001, 11), "expected the number of a tile, not 0"),
        ((99, 0, {}), "eventType is 99: no record of riichi mahjong has it"),
        ((2, 5, {"in_card": 1}), "userId is 5, and no player of the game has this id"),
        (act(1001, 9, "1m"), "the player has no pon that the tile can join"),
        (act(1001, 8, "1m"), "the player holds 1 such tiles: a kan needs four"),
        (act(1001, 13, "1m"), "a tile is set aside, and it is no north"),
        (act(1002, 5, "1m", group_cards=[1, 1]), "a call, and no tile was discarded"),
        (result(0, info(1001)), "a win on a discard, and no other player discarded last"),
        (result(0), "the round ends with a win, and win_info has 0 wins"),
        (result(6, *[{}] * 65), "expected a list of 64 objects at most, not 65 values"),
        (result(12), "expected a number from 0 to 11, not 12"),
        (act(1001, 11, "1m", move_cards_pos="x"), "expected places of tiles, not 'x'"),
    ):
        assert refused(play(act_of)) == message, act_of


def test_an_answer_without_a_record_is_refused_with_the_words_of_the_server() -> None:
    answer = {"code": 7, "message": "no such game"}
    assert refused({**answer, "data": {"handRecord": None}}).endswith("no handRecord with the rounds")
    assert "code 7, message 'no such game'" in refused({**answer, "data": None})


def test_an_error_in_the_text_of_a_record_has_its_place_in_the_file() -> None:
    for kind, edit, before in (
        (4, lambda data: data.update(card=10), r"\"card\": "),
        (5, lambda data: data["win_info"][0].update(user_cards=[10]), r"\"user_cards\": ["),
    ):
        value = change(short(), kind, edit)
        text = json.dumps(value)
        place = known(faults.refused(text, "riichicity").place)
        assert text[place.column - 1 :].startswith("10"), kind
        assert text[: place.column - 1].endswith(before), kind


def test_the_text_of_a_record_is_checked() -> None:
    for data, message in (
        ("{", "the text is no JSON"),
        ("[]", "expected the text of a JSON object"),
        ('{"card":1,"card":2}', "an object has the key 'card' twice"),
        ('{"a":' + "[" * 300 + "]" * 300 + "}", "nested more than 200 deep"),
        (5, "expected the text of a JSON object, not 5"),
    ):
        value = short()
        records(value)[5]["data"] = data
        assert message in refused(value), data


def test_a_wrong_value_is_refused_with_its_place() -> None:
    for kind, edit, wrong, message in (
        (1, {"hand_cards": [1] * 15}, "[1, 1", "Expected `array` of length <= 14, not 15 values"),
        (1, {"chang_ci": 5}, "5", "expected a number from 1 to 4, not 5"),
        (1, {"dealer_pos": 6}, "6", "expected a number from 0 to 3, not 6"),
        (2, {"in_card": 10}, "10", "expected the number of a tile, not 10"),
        (2, {"in_card": "1"}, r"\"1\"", "Expected `int`, not '1'"),
        (2, {"in_card": 1.5}, "1.5", "Expected `int`, not 1.5"),
        (4, {"action": True}, "true", "Expected `int`, not true"),
        (4, {"action": 77}, "77", "the action is 77: riichi mahjong has none of this number"),
        (4, {"is_li_zhi": 1}, "1", "Expected `bool`, not 1"),
        (4, {"move_cards_pos": ["1"]}, "[", "expected places of tiles, not ['1']"),
        (4, {"group_cards": [1, 0]}, "0", "expected the number of a tile, not 0"),
        (5, {"win_info": 5}, "5", "Expected `array | null`, not 5"),
        (5, {"user_profit": [{"point_profit": 1 << 70}]}, "1180", "Expected `int` <="),
    ):
        value = change(short(), kind, lambda data, edit=edit: data.update(edit))
        found, shown = misread(json.dumps(value), "riichicity")
        assert message in found, kind
        assert shown.startswith(wrong), kind


def test_a_wrong_round_wind_is_refused_at_the_deal() -> None:
    value = change(short(), 1, lambda data: data.update(quan_feng=50), 3)
    found, shown = misread(json.dumps(value), "riichicity")
    assert found == "the round wind is 50: expected 49, 65, 81 or 97"
    assert shown.startswith("50")


@looped(
    ("kind", "edit"),
    (2, {"new": 1}),
    (2, {"end_type": "x"}),
    (2, {"oper_fixed_time": 1.5}),
    (4, {"oper_var_time": 1 << 70}),
)
def test_fields_that_the_reader_does_not_read_may_have_any_value(kind: int, edit: Value) -> None:
    assert one(change(short(), kind, lambda data: data.update(edit))) == one(short())


def test_the_text_of_a_record_is_one_object_within_the_limit() -> None:
    value = short()
    for at, text in enumerate(['{"in_card":1}{"action":11,"card":1}', ""], 5):
        records(value)[at]["data"] = text
    assert "the text is no JSON" in refused(value)
    records(value)[5]["data"] = json.dumps({"x": "y" * 300_000})
    with pytest.raises(limits.LimitError, match="a string is longer"):
        one(value)


def test_the_acceptance_of_a_called_riichi_comes_before_the_call() -> None:
    """The server sends the acceptance after the call."""
    for call, called in (
        (act(1002, 2, "1p", group_cards=[2, 3]), ev.Chi(1, 0, "1p", ("2p", "3p"))),
        (act(1003, 5, "1p", group_cards=[1, 1]), ev.Pon(2, 0, "1p", ("1p", "1p"))),
    ):
        riichi = act(1001, 11, "1p", is_li_zhi=True)
        offer = (3, call[1], {"out_card": 1})
        value = play(riichi, offer, call, (8, 1001, {"user_id": 1001}), (2, call[1], {}), act(call[1], 11, "S"))
        [game_round] = one(value).rounds
        seat = call[1] - 1001
        discard = ev.Discard(0, "1p", tsumogiri=False)
        expected = [ev.Riichi(0), discard, ev.RiichiAccepted(0), called, ev.Discard(seat, "S", tsumogiri=False)]
        assert game_round.events[2:] == expected, call
        # The time of the call is that of the call, not of the acceptance.
        assert Annotation(5, "think_time", seat, 1000) in game_round.annotations, call


def test_the_events_of_a_called_riichi_have_the_places_of_their_records() -> None:
    riichi = act(1001, 11, "1p", is_li_zhi=True)
    kan = act(1003, 6, "1p", group_cards=[1, 1, 1])
    value = play(riichi, kan, (7, 0, {"cards": [17]}), (8, 1001, {"user_id": 1001}), (2, 1003, {"in_card": 18}))
    text = json.dumps(value)
    find = places("riichicity", text.encode())
    kinds = [type(event) for event in one(value).rounds[0].events[3:]]
    assert kinds == [ev.Discard, ev.RiichiAccepted, ev.Daiminkan, ev.Dora, ev.Draw]
    columns = [place.column for place in (find(0, 0, event) for event in range(3, 8)) if place]
    assert [int(text[column - 1 :].partition('"eventType": ')[2][0]) for column in columns] == [4, 8, 4, 7, 2]


@looped("seats", 3, 4)
def test_a_called_riichi_is_in_order(seats: int) -> None:
    hands = {1001: ["1m", "9m", "1p", "9p", "1s", "9s", "E", "S", "W", "N", "P", "F", "C", "E"]}
    value = play(
        act(1001, 11, "E", is_li_zhi=True, move_cards_pos=[14, 1]),
        act(1002, 5, "E", group_cards=[49, 49]),
        (8, 1001, {"user_id": 1001}),
        act(1002, 11, "S"),
        hands=hands | {1002: ["E", "E", *["1p"] * 3, *["2p"] * 3, "3p", "4p", "5pr", "6p", "S"]},
        seats=seats,
    )
    codes = {finding.code for finding in mjconv.validate(json.dumps(value).encode(), format="riichicity")}
    assert not codes & {"O001", "O004"}


@pytest.mark.skipif(not FOLDER, reason="MJCONV_REAL_LOGS names no folder")
@looped("target", *[form.id for form in formats.FORMATS if form.writes and form.holds.has("riichi")])
def test_a_real_called_riichi_is_in_order_and_has_a_place_in_each_format(target: str) -> None:
    data = (Path(FOLDER or "") / "riichicity/called-riichi-of-four.json").read_bytes()
    assert [finding.code for finding in mjconv.validate(data, format="riichicity")] == ["O011"]
    assert mjconv.convert(data, source="riichicity", target=target, lossy=True).data


def test_each_of_several_records_is_kept() -> None:
    value = short()
    texts = [json.dumps(value).encode(), json.dumps(value["data"]).encode()]
    for data in (b"\n".join(texts), b"[%b,\n %b]" % tuple(texts), b"\xef\xbb\xbf[%b , %b]\n" % tuple(texts)):
        assert [match.original.data for match in read(data, "riichicity").matches if match.original] == texts
    alone = read(b"\xef\xbb\xbf" + texts[0], "riichicity").match
    assert alone.original == Original("riichicity", texts[0])


# The kind and number of a record, the path to a value in its data, a wrong value, and the warning.
@looped(
    ("kind", "number", "path", "wrong", "message"),
    (1, 2, ["user_info_list", 0, "hand_points"], 1, "this hand states other points than the hand before it"),
    (4, 0, ["user_id"], 1074, "userId is 1004, and user_id in its data is 1074"),
    (5, 0, ["win_info", 0, "user_cards", 0], 97, "user_cards of seat 1 differ from the hand that the play makes"),
    (5, 0, ["user_profit", 0, "user_point"], 1, "user_point of seat 1 is 1, and the play makes it 33700"),
)
def test_a_repeated_value_that_differs_is_a_warning(
    kind: int, number: int, path: list[Any], wrong: Any, message: str
) -> None:
    value = change(short(), kind, lambda data: data.update(replaced(data, tuple(path), wrong)), number)
    match, warnings = warned(value)
    assert message in warnings
    assert structs.replace(match, original=None) == structs.replace(one(short()), original=None)


@looped(("key", "right"), ("quanFeng", 49), ("changCi", 1), ("benChangNum", 0))
def test_a_value_of_the_round_that_differs_from_the_deal_is_a_warning_at_its_place(key: str, right: int) -> None:
    record, report = change(short(), 1, lambda data: data.update(ben_chang_num=0), 3), Report()
    record["data"]["handRecord"][0][key] = 88
    assert one(record, report).rounds == one(short()).rounds
    columns = {warning.message: warning.column for warning in report.warnings}
    column = columns[f"{key} is 88, and the play makes it {right}"]
    assert column
    assert json.dumps(record)[column - 1 :].startswith("88")


def test_the_round_states_what_the_deal_lacks() -> None:
    def cut(data: Value) -> None:
        for key in ("quan_feng", "chang_ci", "ben_chang_num"):
            data.pop(key, None)

    record = change(change(short(), 1, cut), 1, cut, 3)
    record["data"]["handRecord"][0] |= {"quanFeng": 65, "changCi": 1, "benChangNum": 2}
    assert one(record).rounds[0].label == "S1-2"


def test_another_number_of_players_than_play_is_a_warning() -> None:
    record = short()
    record["data"]["playerCount"] = 3
    assert "playerCount is 3, but 4 players play" in warned(record)[1]
