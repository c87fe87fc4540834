"""Games of Mahjong Soul in every container: read as one match, kept byte for byte, and written anew."""

import gzip
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec import UNSET, structs
from riichienv import MjSoulReplay

import engine
import majsoul_made as made
import mjconv
import trips
from looped import looped
from majsoul_made import real_games
from mjconv.converters import formats
from mjconv.ir import events as ev
from mjconv.ir.match import Annotation, Match, Original, Round, Rules
from moments_made import deal, match_of, turn
from trips import read, write

CORPUS = Path(__file__).parents[3] / "corpus/majsoul"
GAMES = {
    **{
        name: orjson.dumps(made.client_json((CORPUS / f"{name}.json").read_bytes()))
        for name in ("four", "three", "nine")
    },
    "2021": (CORPUS / "client.json").read_bytes(),
}
games = pytest.mark.parametrize("data", GAMES.values(), ids=GAMES)


def kept_match(data: bytes) -> Match:
    was = read(data, "majsoul")
    assert was.warnings == []
    assert was.match.original == Original("majsoul", data)
    assert formats.recognise(data[:65536]) is formats.find("majsoul")[0]
    return was.match


def rounds_alone(match: Match) -> list[Round]:
    """Return the rounds with what is in the records themselves: containers without actions have no times."""
    return [structs.replace(one, annotations=()) for one in match.rounds]


def without_types(client: Any) -> bytes:
    client = orjson.loads(orjson.dumps(client))
    for action in client["data"]["data"]["actions"]:
        if "result" in action:
            action.pop("type", None)
    return orjson.dumps(client)


@games
def test_containers_of_all_are_read_as_the_json_of_the_client(data: bytes) -> None:
    for name, container in {
        "a reply of the server": made.reply,
        "camel case without the fields that are zero": lambda client: orjson.dumps(made.in_camel_case(client)),
        "a list of actions without types": without_types,
    }.items():
        assert kept_match(container(orjson.loads(data))) == kept_match(data), name


@games
def test_a_reply_may_be_in_hexadecimal_digits(data: bytes) -> None:
    reply = made.reply(orjson.loads(data))
    assert kept_match(reply.hex().encode()) == kept_match(reply)
    assert kept_match(reply.hex(" ", 8).upper().encode() + b"\n") == kept_match(reply)


@looped("container", orjson.dumps, made.reply)
def test_house_rules_of_a_room_are_read(container: Callable[[Any], bytes]) -> None:
    client = orjson.loads((CORPUS / "client.json").read_bytes())
    # Each name of Mahjong Soul, its value, and the rule that it states.
    stated = {
        "dora_count": (4, "reds", (1, 2, 1)),
        "changbang_value": (1500, "honba", 1500),
        "have_qieshangmanguan": (True, "kiriage", True),
        "disable_leijiyiman": (True, "counted_yakuman", False),
        "enable_shiti": (1, "swap_calling", True),
        "disable_double_yakuman": (1, "double_yakuman", False),
        "have_helelianzhuang": (True, "renchan", "win"),
    }
    client["head"]["config"]["mode"]["detail_rule"] = {name: value for name, (value, _, _) in stated.items()}
    house: dict[str, Any] = {rule: value for _, rule, value in stated.values()}
    assert kept_match(container(client)).rules == Rules(length="south", players=4, **house)


def test_renchan_is_stated_where_it_is_not_the_usual_one() -> None:
    """Rooms that state no rules of renchan have neither, and play as usual."""
    for wins, tenpai in product((False, True), repeat=2):
        renchan = "win" if wins and not tenpai else UNSET
        client = orjson.loads((CORPUS / "client.json").read_bytes())
        detail = {"have_helelianzhuang": wins, "have_tingpailianzhuang": tenpai}
        client["head"]["config"]["mode"]["detail_rule"] = detail
        assert kept_match(orjson.dumps(client)).rules == Rules(length="south", players=4, renchan=renchan), wins


@games
def test_the_file_of_data_url_has_everything_but_the_head(data: bytes) -> None:
    assert kept_match(made.details(orjson.loads(data))).rounds == kept_match(data).rounds


@games
def test_lists_of_records_have_the_rounds_alone(data: bytes, tmp_path: Path) -> None:
    client, whole = orjson.loads(data), kept_match(data)
    packed, flat = made.as_riichienv(client), made.flat(client)
    rounds = orjson.loads(gzip.decompress(packed))["rounds"]
    # Records of older games, a flat list with and without a head, and the shapes that RiichiEnv takes as a value.
    shapes = map(orjson.dumps, (flat, flat["data"], rounds, {"data": rounds}))
    for found in (made.details(client, old=True), *shapes):
        assert rounds_alone(kept_match(found)) == rounds_alone(whole)
    match = kept_match(orjson.dumps(flat))
    assert (match.players, match.rules, match.closing) == (whole.players, whole.rules, whole.closing)
    path = tmp_path / "game.json.gz"
    path.write_bytes(packed)
    assert rounds_alone(mjconv.read(path)) == rounds_alone(whole)


def test_fields_of_protobuf_that_mjconv_does_not_know_are_skipped() -> None:
    from_server = made.details(orjson.loads(GAMES["2021"]))
    wrapper = b"\x0a\x15.lq.GameDetailRecords\x12"
    assert from_server.startswith(wrapper)
    inner = from_server[len(wrapper) :]
    size, begin = _varint(inner)
    # Field 2047 as a number, as bytes, and as 8 and 4 bytes of a fixed length.
    for unknown in (b"\xf8\x7f\x05", b"\xfa\x7f\x02ab", b"\xf9\x7f" + bytes(8), b"\xfd\x7f" + bytes(4)):
        longer = inner[begin:] + unknown
        assert kept_match(wrapper + _encoded(size + len(unknown)) + longer) == kept_match(from_server)


@real_games
def test_real_games_are_the_same_in_every_container(path: Path) -> None:
    data = path.read_bytes()
    client = orjson.loads(data)
    expected = kept_match(data)
    assert kept_match(made.reply(client)) == expected
    assert kept_match(made.details(client)).rounds == expected.rounds
    for found in (made.flat(client), made.flat(client)["data"]):
        assert rounds_alone(kept_match(orjson.dumps(found))) == rounds_alone(expected)
    assert kept_match(orjson.dumps(made.in_camel_case(client))) == expected


def _varint(data: bytes) -> tuple[int, int]:
    value = shift = 0
    for at, byte in enumerate(data):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at + 1
    raise AssertionError


def _encoded(value: int) -> bytes:
    found = b""
    while value >= 0x80:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


@looped("drops", (), ("passed",), ("type",), ("passed", "type"))
def test_unknown_fields_beside_a_record_are_skipped_however_few_it_has(drops: tuple[str, ...]) -> None:
    client = orjson.loads(GAMES["2021"])
    action = next(each for each in client["data"]["data"]["actions"] if each.get("result"))
    for name in drops:
        action.pop(name, None)
    expected = kept_match(orjson.dumps(client))
    action["seen"] = 3
    action["result"]["spare"] = [1]
    assert kept_match(orjson.dumps(client)) == expected


def test_a_record_without_fields_has_its_time() -> None:
    action = next(each for each in orjson.loads(GAMES["2021"])["data"]["data"]["actions"] if each.get("result"))
    deal = {"passed": 1000, **action["result"]}
    deal["data"]["ju"] = 0
    deal["data"]["tiles0"], deal["data"]["tiles3"] = deal["data"]["tiles3"], deal["data"]["tiles0"]
    match = read(orjson.dumps([deal, {"name": ".lq.RecordBaBei", "passed": 1007}]), "majsoul").match
    assert match.rounds[0].annotations == (Annotation(2, "think_time", 0, 7),)


# Unchanged records come back byte for byte, in every container; changed ones keep what the hub holds.
CONTAINERS: dict[str, Callable[[Any], bytes]] = {
    "client": lambda client: orjson.dumps(client, option=orjson.OPT_INDENT_2),
    "reply": made.reply,
    "hexadecimal digits": lambda client: made.reply(client).hex(" ", 8).upper().encode() + b"\n",
    "file of data_url": made.details,
    "flat list": lambda client: orjson.dumps(made.flat(client)),
    "camel case": lambda client: orjson.dumps(made.in_camel_case(client)),
}


@looped("target", "mjai", "jmjp", "uzje")
@looped("contained", *CONTAINERS.values(), ids=CONTAINERS)
def test_every_container_comes_back_byte_for_byte(contained: Callable[[Any], bytes], target: str) -> None:
    data = contained(orjson.loads((CORPUS / "client.json").read_bytes()))
    there = mjconv.convert(data, source="majsoul", target=target)
    assert ("match.original", "carried") in {(loss.what, loss.fate) for loss in there.losses}
    assert mjconv.convert(there.data, source=target, target="majsoul").data == data


def test_fields_that_no_field_of_the_hub_holds_come_back() -> None:
    game = (CORPUS / "three.json").read_bytes()
    for number in (b"123456789012345678901234567890", b"1e-400", b"0.1000000000000000000001"):
        odd = game.replace(b'"seat":0', b'"odd":' + number + b',"seat":0', 1)
        there = mjconv.convert(odd, source="majsoul", target="mjai").data
        assert mjconv.convert(there, source="mjai", target="majsoul").data == odd
        own = mjconv.convert(odd, source="majsoul", target="majsoul").data
        assert mjconv.read(own, format="majsoul") == mjconv.read(odd, format="majsoul")


def test_a_text_with_a_note_sets_no_original() -> None:
    log = mjconv.convert((CORPUS / "four.json").read_bytes(), source="majsoul", target="jmjp", plain=True).data
    match = read(log, "jmjp").match
    match.rounds[0].annotations = (Annotation(2, "comment", value="here"),)
    text = write([match], "majsoul").data
    assert b'"mjconv"' in text
    back = read(text, "majsoul").match
    assert back.original is None
    # The text without the note has the sign of mjconv. Without it, the text is a record of its own.
    plain = write([match], "majsoul", plain=True).data
    alone = read(plain, "majsoul").match
    assert alone.original is None
    unsigned = plain.replace(b'"writer":"mjconv",', b"")
    alone = read(unsigned, "majsoul").match
    assert alone.original == Original("majsoul", unsigned)


@looped("file", "sample/game.mjson", "mjx/round.json", "")
def test_a_text_of_mjconv_is_no_original_and_comes_back_with_the_same_bytes(file: str) -> None:
    log = (CORPUS.parent / file).read_bytes() if file else b'{"type":"start_game"}\n'
    own = mjconv.convert(log, target="majsoul", plain=True).data
    there = mjconv.convert(own, source="majsoul", target="mjai").data
    assert b'"original"' not in there
    assert mjconv.convert(there, source="mjai", target="majsoul").data == own


def test_a_text_of_a_game_that_breaks_off_is_an_original() -> None:
    """Its reader leaves out the points at the end of the game."""
    match = read((CORPUS / "four.json").read_bytes(), "majsoul").match
    match.original = None
    match.rounds[-1].events = match.rounds[-1].events[:-2]
    text = write([match], "majsoul", plain=True).data
    back = read(text, "majsoul").match
    assert back.original == Original("majsoul", text)


# Games written as Mahjong Soul records, which RiichiEnv reads.


def results_of(log: bytes) -> list[tuple[list[int], list[int]]]:
    """Return the points of each round before and after it, from an mjai log."""
    found: list[tuple[list[int], list[int]]] = []
    for line in log.splitlines():
        event = json.loads(line)
        if event["type"] == "start_kyoku":
            found.append((event["scores"], list(event["scores"])))
        elif event["type"] == "reach_accepted":
            found[-1][1][event["actor"]] -= 1000
        elif event["type"] in ("hora", "ryukyoku"):
            points = found[-1][1]
            points[:] = [a + b for a, b in zip(points, event.get("deltas") or [0] * len(points), strict=True)]
    return found


def replayed(text: bytes) -> Any:
    return MjSoulReplay.from_dict(orjson.loads(text)["rounds"])


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("deal", ["fair", "triplets", "close", "waits", "orphans", "winds"])
def test_riichienv_reads_the_same_results(players: int, deal: Any) -> None:
    for seed in range(3):
        length: Any = "east" if deal == "fair" else "round"
        log = engine.play(seed, players=players, length=length, rules="mjsoul", deal=deal)
        replay = replayed(mjconv.convert(log, source="mjai", target="majsoul").data)
        rounds = list(replay.take_kyokus())
        assert [(list(one.scores), list(one.end_scores)) for one in rounds] == results_of(log)
        wins = sum(json.loads(line)["type"] == "hora" for line in log.splitlines())
        agreed, differing = replay.verify()
        assert agreed == wins
        # The check of RiichiEnv values the wins of three players by the rules of four.
        assert players == 3 or differing == 0


def test_riichienv_reads_the_compressed_file(tmp_path: Path) -> None:
    log = engine.play(3, length="east", rules="mjsoul")
    path = tmp_path / "game.json.gz"
    source = tmp_path / "game.mjson"
    source.write_bytes(log)
    mjconv.write(mjconv.read(source), path, format="majsoul")
    assert MjSoulReplay.from_json(str(path)).num_rounds() == len(results_of(log))


@looped("name", "four", "three", "nine", "client")
def test_without_notes_a_record_loses_its_annotations_and_its_original(name: str) -> None:
    data = (CORPUS / f"{name}.json").read_bytes()
    converted = mjconv.convert(data, source="majsoul", target="majsoul", plain=True)
    losses = {(loss.what, loss.fate) for loss in converted.losses} - {("start_kyoku.tehais", "assumed")}
    assert losses <= {("round.annotations", "dropped"), ("match.original", "dropped")}
    match = mjconv.read(data, format="majsoul")
    match.rounds = [structs.replace(one, annotations=()) for one in match.rounds]
    assert mjconv.read(converted.data, format="majsoul") == match


def written(match: Match) -> bytes:
    return write([match], "majsoul").data


@looped("via", "tenhou", "majsoul")
def test_a_kiriage_mangan_by_self_draw_states_the_payments_of_a_mangan(via: str) -> None:
    hands = (
        *("1p 1p 1p 2p 2p 2p 3p 4p 7s 8s 9s E E", "2m 3m 4m 5m 6m 7m 3s 4s 5s 8p 8p 6s 6s"),
        *("W W W 5s 6s 7s 2p 3p 4p 9p 9p 3s 3s", "1s 1s 1s 7m 8m 9m S S S N N N P"),
    )
    yakus, deltas = (("menzenchin_tsumoho", 1), ("tanyaochu", 1), ("dora", 2)), (-4000, 8000, -2000, -2000)
    win = ev.Win(1, 1, "6s", ura_markers=(), deltas=deltas, yakus=yakus, fu=30, fan=4, hora_points=8000)
    play = [*turn(0, "9m"), *turn(1, "P"), *turn(2, "9m"), *turn(3, "9m"), *turn(0, "F"), ev.Draw(1, "6s"), win]
    match = match_of([deal(*hands, dora_marker="7p"), *play])
    there = write([match], via, plain=True).data
    data = mjconv.convert(there, source=via, target="majsoul", plain=True).data
    [item] = orjson.loads(data)["rounds"][0][-1]["data"]["hules"]
    assert (item["point_zimo_qin"], item["point_zimo_xian"], item["title_id"]) == (4000, 2000, 1)
    assert "dadian" not in item
    back = read(data, "majsoul").match
    assert back.rounds[0].select(ev.Win) == [win]


@looped(("liable", "baopai"), (UNSET, 0), (0, 1), (3, 4))
def test_the_liable_seat_is_counted_from_one(liable: int, baopai: int) -> None:
    match = mjconv.read(CORPUS / "four.json")
    match.original = None
    played = next(played for played in match.rounds if played.select(ev.Win))
    played.events = [structs.replace(e, liable=liable) if isinstance(e, ev.Win) else e for e in played.events]
    [*_, result] = orjson.loads(written(structs.replace(match, rounds=[played])))["rounds"][0]
    assert result["data"]["baopai"] == baopai


def test_matches_that_majsoul_cannot_hold_are_refused() -> None:
    hidden = ev.StartRound("E", "1m", 1, 0, 0, 0, (25000,) * 4, (("?",) * 13,) * 4)
    bare = ev.StartRound("E", kyoku=1, oya=0)
    for start, message in ((hidden, "no hidden tiles"), (bare, "needs the hands that are dealt")):
        with pytest.raises(mjconv.UnsupportedError, match=message):
            written(Match(rounds=[Round([start])]))
    game = (CORPUS / "three.json").read_bytes()
    log = mjconv.convert(game, source="majsoul", target="mjai").data
    with pytest.raises(mjconv.UnsupportedError, match="holds one match: `mjconv split`"):
        mjconv.convert(log + log, source="mjai", target="majsoul")
    game = mjconv.read(CORPUS / "three.json")
    game.rounds[0].events.insert(2, ev.Discard(1, "E", tsumogiri=False))
    with pytest.raises(mjconv.PlayError, match=r"round .*, message 3"):
        written(game)


def test_final_points_of_another_number_of_players_are_in_the_note() -> None:
    match = structs.replace(mjconv.read(CORPUS / "four.json"), final_scores=(1, 0, -1))
    assert b"total_point" not in written(match)
    assert read(written(match), "majsoul").match == match


def test_a_record_of_2021_becomes_a_whole_wall_in_uzje() -> None:
    there = mjconv.convert((CORPUS / "client.json").read_bytes(), source="majsoul", target="uzje", plain=True).data
    assert sum(word[-1] in "tsmESWNPCF" for word in there.decode().split() if len(word) in (1, 2)) >= 136


@looped("original", True, False)
@looped("via", "mjai", "jmjp", "uzje", "tenhou", "tenhou-json", "majiang", "hk")
def test_two_wins_that_are_not_in_turn_order_come_back_in_their_order(via: str, original: bool) -> None:
    hands = (
        *("2m 3m 4m 5m 6m 7m 3s 4s 5s 8p 8p 6s 7s", "1p 1p 1p 2p 2p 2p 3p 4p 7s 8s 9s E E"),
        *("3m 4m 5m 2p 3p 4p 7m 8m 9m 6s 7s 9p 9p", "1s 1s 1s 2m 3m 4m 3s 4s 5s W N N S"),
    )
    play = [*turn(0, "9m"), *turn(1, "F"), *turn(2, "F"), *turn(3, "8s")]
    pinfu, win = ("pinfu", 1), ev.Win(2, 3, "8s", ura_markers=(), fu=30)
    cheap = structs.replace(win, yakus=(pinfu,), fan=1, hora_points=1000, deltas=(0, 0, 1000, -1000))
    dear = structs.replace(win, actor=0, yakus=(pinfu, ("tanyaochu", 1), ("dora", 2)), fan=4)
    dear = structs.replace(dear, deltas=(12900, 0, 0, -11900), hora_points=11600)
    match = match_of([deal(*hands, dora_marker="7p", honba=1, kyotaku=1), *play, cheap, dear])
    [there] = trips.read(written(match), "majsoul").matches
    assert there.rounds[0].select(ev.Win) == [cheap, dear]
    assert [item["seat"] for item in orjson.loads(written(there))["rounds"][0][-1]["data"]["hules"]] == [2, 0]
    [away] = trips.read(trips.write([there] if original else trips.bare([there]), via).data, via).matches
    assert away == there
    [back] = trips.read(written(away), "majsoul").matches
    assert back.rounds[0].select(ev.Win) == [cheap, dear]
