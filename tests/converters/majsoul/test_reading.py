"""What the records of Mahjong Soul become."""

from pathlib import Path
from typing import Any

import orjson
from msgspec import UNSET

import mjconv
import trips
from faults import leniently, misread
from looped import looped
from majsoul_made import real_games
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Annotation
from moments_made import said
from trips import Was, known

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
HANDS = {
    "tiles0": "1m1m1m2m3m4m5m6m7m8m9m9m9m1z",
    "tiles1": "1p1p1p2p2p2p3p3p3p4p5z5z5z",
    "tiles2": "0s5s5s6s6s6s7s7s7s8s8s8s9s",
    "tiles3": "2z2z2z3z3z3z4z4z4z6z6z6z7z",
}


def split(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def deal(**changed: Any) -> dict[str, Any]:
    data = {"scores": [25000] * 4, "doras": ["9p"], **{name: split(hand) for name, hand in HANDS.items()}}
    return {"name": "NewRound", "data": data | changed}


def record(name: str, **data: Any) -> dict[str, Any]:
    return {"name": name, "data": data}


def read(*records: dict[str, Any]) -> Was:
    return trips.read(orjson.dumps({"rounds": [list(records)]}), "majsoul")


def play(*records: dict[str, Any], **changed: Any) -> list[ev.Event]:
    """Return the events after the deal and the dealer's draw."""
    return read(deal(**changed), *records).match.rounds[0].events[2:]


def test_a_deal_and_the_first_draw() -> None:
    match = read(deal(chang=1, ju=0, ben=2, liqibang=1)).match
    start, draw = match.rounds[0].events
    assert isinstance(start, ev.StartRound)
    assert (start.bakaze, start.kyoku, start.honba, start.kyotaku, start.oya) == ("S", 1, 2, 1, 0)
    assert start.dora_marker == "9p"
    assert start.tehais is not UNSET
    assert [len(hand) for hand in start.tehais] == [13] * 4
    assert start.tehais[2][:2] == ("5sr", "5s")
    assert draw == ev.Draw(0, "E")
    assert match.rounds[0].dealt_fourteen is False


def test_riichi_is_accepted_by_the_next_draw_or_call_unless_it_failed() -> None:
    declared = record("DiscardTile", tile="1z", is_liqi=True)
    accepted = {"seat": 0, "score": 24000, "liqibang": 1}
    riichi = [ev.Riichi(0), ev.Discard(0, "E", tsumogiri=True)]
    after = [ev.RiichiAccepted(0), ev.Draw(1, "1s")]
    assert play(declared, record("DealTile", seat=1, tile="1s", liqi=accepted)) == [*riichi, *after]
    assert play(declared, record("DealTile", seat=1, tile="1s"))[2:] == after[1:]
    double = record("DiscardTile", tile="1z", is_liqi=True, is_wliqi=True)
    failed = record("DealTile", seat=1, tile="1s", liqi={"seat": 0, "failed": True})
    assert play(double, failed) == [*riichi, *after[1:]]


def test_an_exhausted_wall_accepts_the_riichi_of_the_last_discard() -> None:
    declared = record("DiscardTile", tile="1z", is_liqi=True)
    after_it = {"old_scores": [24000, 25000, 25000, 25000], "delta_scores": []}
    game = read(deal(), declared, record("NoTile", scores=[after_it]))
    assert game.match.rounds[0].events[4] == ev.RiichiAccepted(0)
    assert not [warning for warning in game.warnings if "old_scores" in str(warning)]
    drawn = record("DealTile", seat=1, tile="1s"), record("DiscardTile", seat=1, tile="1s")
    assert ev.RiichiAccepted(0) not in play(declared, *drawn, record("NoTile"))


def test_the_last_tile_of_a_call_is_the_discard() -> None:
    for kind, tiles, froms, event in (
        (1, ["2p", "2p", "2p"], [1, 1, 0], ev.Pon(1, 0, "2p", ("2p", "2p"))),
        (0, ["1p", "3p", "2p"], [1, 1, 0], ev.Chi(1, 0, "2p", ("1p", "3p"))),
        (2, ["2p", "2p", "2p", "2p"], [1, 1, 1, 0], ev.Daiminkan(1, 0, "2p", ("2p", "2p", "2p"))),
    ):
        call = record("ChiPengGang", seat=1, type=kind, tiles=tiles, froms=froms)
        hand = [*split(HANDS["tiles0"])[:13], "2p"]
        assert play(record("DiscardTile", tile="2p"), call, tiles0=hand)[1] == event, kind


def test_a_concealed_kan_takes_the_red_five_of_the_hand_and_turns_its_dora_before_the_draw() -> None:
    kan = record("AnGangAddGang", seat=0, type=3, tiles="5s", doras=["9p", "1m"])
    events = play(kan, tiles0=split("0s5s5s1m2m3m4m5m6m7m8m9m9m5s"))
    assert events == [ev.Ankan(0, ("5sr", "5s", "5s", "5s")), ev.Dora("1m")]
    kan, draw = record("AnGangAddGang", type=3, tiles="9m"), record("DealTile", tile="1s", doras=["9p", "2m"])
    events = play(kan, draw, tiles0=split("9m9m9m1m2m3m4m5m6m7m8m1z1z9m"))
    assert events[1:] == [ev.Dora("2m"), ev.Draw(0, "1s")]


def test_a_record_that_states_all_dora_repeats_those_before() -> None:
    deal_of_four = deal(tiles0=split("9m9m9m1m2m3m4m5m6m7m8m1z1z9m"))
    kan = record("AnGangAddGang", type=3, tiles="9m", doras=["9p", "2m"])
    for stated, warns in ((["9p", "2m"], False), (["9p", "3m"], True), (["1p"], True), ([], False)):
        game = read(deal_of_four, kan, record("DealTile", tile="1s", doras=stated))
        assert said(game.match.rounds[0].events[2:]) == "ankan 0 9m 9m 9m 9m, dora 2m, tsumo 0 1s", stated
        assert any(warning.message.startswith("doras is ") for warning in game.warnings) == warns, stated


def turn(seat: int, tile: str) -> list[dict[str, Any]]:
    return [record("DealTile", seat=seat, tile=tile), record("DiscardTile", seat=seat, tile=tile, moqie=True)]


def test_a_tile_is_added_to_its_pon() -> None:
    events = play(
        record("DiscardTile", tile="2p"),
        record("ChiPengGang", seat=1, type=1, tiles=["2p"] * 3, froms=[1, 1, 0]),
        record("DiscardTile", seat=1, tile="4p"),
        *(turn(2, "1s") + turn(3, "1s") + turn(0, "2s")),
        record("DealTile", seat=1, tile="2s"),
        record("AnGangAddGang", seat=1, type=2, tiles="2p"),
        record("DealTile", seat=1, tile="3s"),
        record("DiscardTile", seat=1, tile="3s", doras=["9p", "1m"], moqie=True),
        tiles0=[*split(HANDS["tiles0"])[:13], "2p"],
    )
    assert said(events[-4:]) == "kakan 1 2p 2p 2p 2p, tsumo 1 3s, dahai 1 3s drawn, dora 1m"


def test_whether_the_dealer_discards_the_tile_drawn_first_is_never_stated() -> None:
    for last, tile, drawn in (("1z", "1m", False), ("1z", "1z", True), ("1m", "1m", UNSET)):
        hand = [*split(HANDS["tiles0"])[:13], last]
        [discard] = play(record("DiscardTile", tile=tile, moqie=False), tiles0=hand)
        assert discard == ev.Discard(0, tile.replace("1z", "E"), tsumogiri=drawn), hand


FANS = [{"id": 10, "val": 1}, {"id": 31, "val": 2}]
WIN = {"seat": 1, "hu_tile": "1z", "fans": FANS, "fu": 40, "count": 3, "point_rong": 5200}


def test_a_win_on_a_discard() -> None:
    hule = record("Hule", hules=[WIN], delta_scores=[-5500, 5500, 0, 0])
    worth = {"yakus": (("jikaze", 1), ("dora", 2)), "fu": 40, "fan": 3, "hora_points": 5200}
    win = ev.Win(1, 0, "E", deltas=(-5500, 5500, 0, 0), ura_markers=(), **worth)
    assert play(record("DiscardTile", tile="1z"), hule, ben=1)[-2:] == [win, ev.EndRound()]


def test_the_points_of_two_wins_are_divided_and_the_first_takes_honba_and_sticks() -> None:
    hule = record("Hule", hules=[WIN, WIN | {"seat": 3, "point_rong": 1000}], delta_scores=[-6500, 6500, 0, 1000])
    events = play(record("DiscardTile", tile="1z"), hule, ben=1, liqibang=1)
    first, second = [event for event in events if isinstance(event, ev.Win)]
    assert (first.deltas, second.deltas) == ((-5500, 6500, 0, 0), (-1000, 0, 0, 1000))


def test_a_yakuman_counts_thirteen_han_each() -> None:
    kokushi = {"seat": 0, "zimo": True, "hu_tile": "1z", "yiman": True, "count": 2, "fans": [{"id": 49, "val": 2}]}
    points = [96000, -32000, -32000, -32000]
    [win, _] = play(record("Hule", hules=[kokushi | {"point_zimo_xian": 32000}], delta_scores=points))
    assert isinstance(win, ev.Win)
    assert (win.fan, win.yakus, win.hora_points) == (26, (("kokushimuso", 26),), 96000)


def test_the_seats_of_liable_players() -> None:
    for stated, liable, warned in (
        ({"baopai": 3}, 2, False),
        ({"baopai_seats": [2]}, 2, False),
        ({"baopai_seats": []}, UNSET, False),
        *(({"baopai": 3, "baopai_seats": seats}, 2, seats == [0]) for seats in ([2], [], [0])),
        ({"baopai_seats": [2, 3]}, 2, True),
    ):
        hule = record("Hule", hules=[WIN | stated], delta_scores=[-2600, 5200, -2600, 0])
        was = read(deal(), record("DiscardTile", tile="1z"), hule)
        [win] = was.match.rounds[0].select(ev.Win)
        assert win.liable == liable, stated
        assert any(warning.message.startswith("baopai_seats is ") for warning in was.warnings) == warned, stated
        data = known(was.match.original).data
        there = mjconv.convert(data, source="majsoul", target="mjai").data
        assert mjconv.convert(there, source="mjai", target="majsoul").data == data, stated


def test_older_records_name_the_liable_player_beside_the_wins() -> None:
    dragons = WIN | {"yiman": True, "count": 1, "fans": [{"id": 37, "val": 1}], "point_rong": 32000}
    for hules, stated, liable in (
        ([dragons], 3, [2]),
        ([WIN], 3, [UNSET]),
        ([dragons], 2, [UNSET]),
        ([WIN, dragons | {"seat": 2}], 4, [UNSET, 3]),
        ([dragons | {"baopai": 4}], 3, [3]),
    ):
        record_of_wins = record("Hule", hules=hules, baopai=stated)
        was = read(deal(), record("DiscardTile", tile="1z"), record_of_wins)
        assert [win.liable for win in was.match.rounds[0].select(ev.Win)] == liable, hules
        warns = any("no win has this player as liable" in warning.message for warning in was.warnings)
        assert warns == (stated - 1 not in liable), hules


def test_a_liable_seat_that_the_game_does_not_have_is_an_error() -> None:
    three = {name: split(hand) for name, hand in HANDS.items() if name != "tiles3"}
    hule = record("Hule", hules=[WIN | {"baopai_seats": [3]}])
    message, _ = wrong(deal(scores=[35000] * 3, tiles3=[], **three), record("DiscardTile", tile="1z"), hule)
    assert "baopai_seats names seat 3, and the game has 3 players" in message


def test_abortive_draws() -> None:
    for kind, reason in enumerate(["kyushu_kyuhai", "sufuurenta", "suukansansen", "suucha_riichi", "sanchaho"], 1):
        assert play(record("LiuJu", type=kind))[0] == ev.Ryukyoku(reason), kind


def test_an_exhausted_wall() -> None:
    players = [{"tingpai": True}, {}, {}, {}]
    one = {"delta_scores": [3000, -1000, -1000, -1000]}
    gains = [12000, -4000, -4000, -4000], [-4000, 8000, -2000, -2000]
    two: dict[str, Any] = {"players": players, "scores": [{"delta_scores": gain} for gain in gains]}
    tenpai, old = (True, False, False, False), {"old_scores": [25000] * 4}
    for stated, draw in (
        ({"players": players, "scores": [one]}, ("exhaustive_draw", tenpai, (3000, -1000, -1000, -1000))),
        (two | {"liujumanguan": True}, ("nagashimangan", tenpai, (8000, 4000, -6000, -6000))),
        # Ties of all have no points.
        ({"players": [{}] * 4, "scores": [old]}, ("exhaustive_draw", (False,) * 4, (0, 0, 0, 0))),
    ):
        reason, tenpais, deltas = draw
        assert play(record("NoTile", **stated))[0] == ev.Ryukyoku(reason, tenpais=tenpais, deltas=deltas)


def test_norths_of_three_players() -> None:
    north = {"scores": [35000] * 3, "tiles0": split("1m1m1m9m9m9m1p1p1p9p9p9p4z4z")}
    match = read(deal(**north, tiles3=[]), record("BaBei", moqie=True), record("DealTile", tile="5z")).match
    assert match.seats == 3
    assert match.rounds[0].events[2:] == [ev.Nukidora(0, "N"), ev.Draw(0, "P")]


def client() -> dict[str, Any]:
    return dict(orjson.loads((CORPUS / "client.json").read_bytes()))


def test_players_ranks_results_and_the_time() -> None:
    match = mjconv.read(CORPUS / "client.json")
    names = [player.name.shown if player.name else "" for player in match.players]
    assert names == ["高波 凛", "新谷 さくら", "", "道下 遥"]
    assert [player.rank for player in match.players] == ["雀豪2", "雀聖1", UNSET, "魂天5"]
    assert (str(match.date), str(match.time)) == ("2024-03-09", "12:30:05+00:00")
    assert match.rules is not UNSET
    assert (match.rules.length, match.rules.players) == ("south", 4)
    assert match.closing == [ev.EndGame(scores=(36900, 15400, 29300, 19400))]


def test_think_time_emotes_players_who_leave_and_a_sorted_hand_of_fourteen_that_is_a_guess() -> None:
    [game_round] = mjconv.read(CORPUS / "client.json").rounds
    assert (game_round.dealt_fourteen, game_round.assumed, len(game_round.wall or ())) == (True, ("tehais",), 136)
    others = [(one.kind, one.seat, one.value) for one in game_round.annotations if one.kind != "think_time"]
    assert [other[0] for other in others] == ["emote", "left"]
    assert others[0][1:] == (1, 4)
    assert game_round.annotations[0] == Annotation(2, "think_time", 3, 811)


def test_a_wrong_hash_of_the_wall_is_a_finding() -> None:
    game = client()
    game["data"]["data"]["actions"][2]["result"]["data"]["md5"] = "0" * 32
    [finding] = [one for one in mjconv.validate(orjson.dumps(game), format="majsoul") if "md5" in one.message]
    assert finding.message.startswith("the md5 of the wall is wrong: that of paishan is ")
    assert finding.place is not None


def test_a_wall_that_does_not_fit_is_left_out_with_a_warning() -> None:
    game = client()
    deal_data = game["data"]["data"]["actions"][2]["result"]["data"]
    deal_data["paishan"] = deal_data["paishan"][2:]
    del deal_data["md5"]
    was = trips.read(orjson.dumps(game), "majsoul")
    assert was.match.rounds[0].wall is UNSET
    assert "the wall has 82 tiles: expected 136, or 83 after the deal" in was.warnings[0].message
    assert deal_data["paishan"].encode() in known(was.match.original).data


def test_without_walls_none_is_worked_out() -> None:
    match = trips.read((CORPUS / "client.json").read_bytes(), "majsoul", Report(walls=False)).match
    assert match.rounds[0].wall is UNSET


def test_begin_tiles_of_2020() -> None:
    data = {name.replace("tiles", "begin_tiles["): value for name, value in deal()["data"].items()}
    renamed = record("NewRound", **{name + "]" * ("[" in name): value for name, value in data.items()})
    assert read(renamed).match.rounds == read(deal()).match.rounds


def wrong(*records: Any) -> tuple[str, str]:
    return misread(orjson.dumps({"rounds": [list(records)]}), "majsoul")


def test_an_error_has_its_place() -> None:
    for records, message, at in (
        ([deal(tiles1=["1m"] * 12)], "NewRound: a hand has 12 tiles: expected 13, or 14 of the dealer", '["1m"'),
        ([deal(scores=[0] * 5)], "NewRound: Expected `array` of length <= 4", "[0"),
        ([deal(scores=[0] * 2)], "there are 2 scores: expected those of three or four players", "[0"),
        ([deal(), record("DiscardTile", tile="8z")], "DiscardTile: expected a tile such as 1m, 0m or 1z", '"8z"'),
        ([deal(), record("DiscardTile")], "DiscardTile: Object missing required field `tile`", "{}"),
        ([deal(), record("DiscardTile", tile="1z", seat="0")], "DiscardTile: Expected `int`, not '0'", '"0"'),
        ([deal(), record("AnGangAddGang", type=2, tiles="1z")], "the player has no pon that 1z can join", '"1z"'),
        ([deal(), record("AnGangAddGang", type=3, tiles="1m")], "the player holds 3 tiles of 1m", '"1m"'),
        ([deal(), record("Hule", hules=[WIN])], "a win on a discard, and no other player discarded last", "{"),
        ([deal(), record("ChangeTile")], "ChangeTile belongs to an event mode: only riichi mahjong", '"Cha'),
        ([deal(), record("Nonsense")], "the record 'Nonsense' is not known", '"Nonsense"'),
        ([deal(), 5], "expected a record, which is an object", "5"),
        ([deal(), record("LiuJu", type=9)], "LiuJu: Expected `int` <= 5", "9"),
        ([deal(), record("LiuJu", type=1), record("DealTile", tile="1m")], "comes after the result", "{"),
    ):
        found, shown = wrong(*records)
        assert message in found, records
        assert shown.startswith(at), records


def test_event_modes_early_acts_and_keys_twice_are_refused() -> None:
    event = WIN | {"fans": [{"id": 1003}]}
    message, _ = wrong(deal(), record("DiscardTile", tile="1z"), record("Hule", hules=[event]))
    assert "the yaku belong to an event mode" in message
    assert wrong(record("DiscardTile", tile="1z"), deal())[0] == "DiscardTile comes before the first NewRound"
    assert misread(b'{"rounds":[],"rounds":[]}', "majsoul")[0] == "an object has the key 'rounds' twice"


@looped("text", b"[1,2", b"{}", b'{"data":{"name":"x"}}', b"5", b"\xff\xfe", b'{"rounds":5}')
def test_a_file_that_is_no_record(text: bytes) -> None:
    misread(text, "majsoul")


def test_a_lenient_reading_continues_with_the_next_round() -> None:
    broken = [deal(), record("DiscardTile", tile="8z")]
    second = deal(ju=1, tiles0=split(HANDS["tiles0"])[:13], tiles1=[*split(HANDS["tiles1"]), "1z"])
    whole = [second, record("LiuJu", type=1)]
    was = leniently(orjson.dumps({"rounds": [broken, whole]}), "majsoul")
    assert (len(was.faults), [len(one.events) for one in was.rounds]) == (1, [2, 4])


def test_a_record_that_breaks_off_has_a_warning_and_no_end() -> None:
    was = read(deal(), record("DiscardTile", tile="1z"))
    assert was.match.closing == []
    broken_off = ["the round has no result", "the game has no end: the record breaks off"]
    assert [warning.message for warning in was.warnings] == broken_off


@real_games
def test_real_games_are_clean_and_their_values_are_those_of_the_rules(path: Path) -> None:
    assert mjconv.validate(path, level="rules") == []
    match = trips.read(path.read_bytes(), "majsoul").match
    assert [win for one in match.rounds for win in one.select(ev.Win)]
    # The writer states fu, han, the numbers of the yaku, hands and points as the record does.
    stated = _results(orjson.loads(path.read_bytes()))
    text = mjconv.convert(path.read_bytes(), source="majsoul", target="mjai", plain=True).data
    written = _results(orjson.loads(mjconv.convert(text, source="mjai", target="majsoul", plain=True).data))
    assert len(stated) == len(written) == len(match.rounds)
    for record, other in zip(stated, written, strict=True):
        assert {"hules", "delta_scores", "scores"} & set(record)
        for one, same in zip([record, *record.get("hules", ())], [other, *other.get("hules", ())], strict=True):
            both = one.keys() & same.keys() - {"hules", "players"}
            assert {key: one[key] for key in both} == {key: same[key] for key in both}
        for one, same in zip(record.get("players", ()), other.get("players", ()), strict=True):
            assert {key: one[key] for key in same} == same


def _results(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the fields of the results in the client's JSON, or in that of RiichiEnv."""
    records = [one for records in game.get("rounds", ()) for one in records]
    if not records:
        records = [one["result"] for one in game["data"]["data"]["actions"] if one.get("result")]
    results = (".lq.RecordHule", ".lq.RecordNoTile", ".lq.RecordLiuJu", "Hule", "NoTile", "LiuJu")
    return [one["data"] for one in records if one["name"] in results]
