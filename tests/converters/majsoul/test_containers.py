"""Every container of a game is read as the same match, and comes back byte for byte if nothing changed."""

import gzip
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import orjson
import pytest
from msgspec import UNSET, structs

import majsoul_made as made
import mjconv
from looped import looped
from majsoul_made import real_games
from mjconv.converters import formats
from mjconv.ir.match import Annotation, Match, Original, Round, Rules
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


def match_of(data: bytes) -> Match:
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


WHOLE: dict[str, Callable[[Any], bytes]] = {
    "a reply of the server": made.reply,
    "camel case without the fields that are zero": lambda client: orjson.dumps(made.in_camel_case(client)),
    "a list of actions without types": without_types,
}


@games
def test_containers_of_all_are_read_as_the_json_of_the_client(data: bytes) -> None:
    for name, container in WHOLE.items():
        assert match_of(container(orjson.loads(data))) == match_of(data), name


@games
def test_a_reply_may_be_in_hexadecimal_digits(data: bytes) -> None:
    reply = made.reply(orjson.loads(data))
    assert match_of(reply.hex().encode()) == match_of(reply)
    assert match_of(reply.hex(" ", 8).upper().encode() + b"\n") == match_of(reply)


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
    assert match_of(container(client)).rules == Rules(length="south", players=4, **house)


def test_renchan_is_stated_where_it_is_not_the_usual_one() -> None:
    """Rooms that state no rules of renchan have neither, and play as usual."""
    for wins, tenpai in product((False, True), repeat=2):
        renchan = "win" if wins and not tenpai else UNSET
        client = orjson.loads((CORPUS / "client.json").read_bytes())
        detail = {"have_helelianzhuang": wins, "have_tingpailianzhuang": tenpai}
        client["head"]["config"]["mode"]["detail_rule"] = detail
        assert match_of(orjson.dumps(client)).rules == Rules(length="south", players=4, renchan=renchan), wins


@games
def test_the_file_of_data_url_has_everything_but_the_head(data: bytes) -> None:
    assert match_of(made.details(orjson.loads(data))).rounds == match_of(data).rounds


@games
def test_lists_of_records_have_the_rounds_alone(data: bytes, tmp_path: Path) -> None:
    client, whole = orjson.loads(data), match_of(data)
    packed, flat = made.as_riichienv(client), made.flat(client)
    rounds = orjson.loads(gzip.decompress(packed))["rounds"]
    # Records of older games, a flat list with and without a head, and the shapes that RiichiEnv takes as a value.
    shapes = map(orjson.dumps, (flat, flat["data"], rounds, {"data": rounds}))
    for found in (made.details(client, old=True), *shapes):
        assert rounds_alone(match_of(found)) == rounds_alone(whole)
    match = match_of(orjson.dumps(flat))
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
        assert match_of(wrapper + _encoded(size + len(unknown)) + longer) == match_of(from_server)


@real_games
def test_real_games_are_the_same_in_every_container(path: Path) -> None:
    data = path.read_bytes()
    client = orjson.loads(data)
    expected = match_of(data)
    assert match_of(made.reply(client)) == expected
    assert match_of(made.details(client)).rounds == expected.rounds
    for found in (made.flat(client), made.flat(client)["data"]):
        assert rounds_alone(match_of(orjson.dumps(found))) == rounds_alone(expected)
    assert match_of(orjson.dumps(made.in_camel_case(client))) == expected


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
    expected = match_of(orjson.dumps(client))
    action["seen"] = 3
    action["result"]["spare"] = [1]
    assert match_of(orjson.dumps(client)) == expected


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
