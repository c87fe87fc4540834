"""Facts of a match, and the expressions of ``--where`` that select matches by their facts."""

import datetime
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mjconv
from corpus_files import CORPUS, SAMPLE
from looped import looped
from mjconv.archive.facts import Facts, facts_of
from mjconv.archive.where import where_of
from mjconv.columns.schema import FACTS
from mjconv.converters import hub
from mjconv.converters.formats import find
from mjconv.converters.interface import WriteOptions
from mjconv.ir import events as ev
from mjconv.ir.errors import UsageError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match, Player, Round, Rules
from mjconv.source import source_of

GAME = Facts(
    4, 9, "mjai", date=datetime.date(2023, 5, 6), time=datetime.time(18, 30, tzinfo=datetime.UTC),
    room="houou", lobby=0, open_tanyao=True, whole=False,
    names=("A'B", None, "東風", "x%y"), ratings=(2100.5, None, 1500.0, 1499.0),
)  # fmt: skip


@looped(
    ("text", "kept"),
    ("players = 4", True),
    ("players == 3 or rounds >= 9", True),
    ("PLAYERS = 4 ".lower() + "AND NOT rounds < 9", True),
    ("players != 4", False),
    ("players in (3, 4) and rounds not in (1, 2)", True),
    ("date >= 2023-01-01 and date < 2023-05-07", True),
    ("time > 18:29 and time <= 18:30:00", True),
    ("room = 'houou'", True),
    ('room = "jade"', False),
    ("names = 'A''B'", True),
    ("names like '東%'", True),
    ("names like '_風'", True),
    ("names like 'X%Y'", True),
    ("names like '%%b'", True),
    ("names not like '%q%'", True),
    ("names like '風'", False),
    ("ratings > 2100", True),
    ("not ratings < 1400", True),
    ("open_tanyao", True),
    ("whole", False),
    ("whole = false", True),
    ("lobby = 0", True),
    # Facts that the record does not state.
    ("platform = 'tenhou'", False),
    ("platform != 'tenhou'", False),
    ("not platform = 'tenhou'", True),
    ("start >= 0 or start < 0", False),
    # `and` before `or`, brackets before both.
    ("players = 4 or players = 4 and players = 3", True),
    ("(players = 4 or players = 4) and players = 3", False),
)
def test_an_expression_keeps_the_matches_that_fit(text: str, kept: bool) -> None:
    assert where_of(text)(GAME) is kept


@looped(
    ("text", "message"),
    ("", "from character 1 on"),
    ("players", "players is compared with a number"),
    ("players = ", "from character 11 on"),
    ("players = 'four'", "players is compared with a number"),
    ("room = houou", "joined by and, or, not; a text has quotes: 'houou'"),
    ("room = 'a' houou", "joined by and, or, not"),
    ("romm = 'houou'", "there is no fact 'romm', did you mean 'room'?"),
    ("Rooms = 'houou'", "did you mean 'room'?"),
    ("q = 1", "the facts are players, rounds"),
    ("date = 2023", "date is compared with a date such as 2023-01-31"),
    ("date = 2023-02-30", "no such date or time: 2023-02-30"),
    ("rounds like '1%'", "rounds is compared with a number"),
    ("players = 4; import os", "from character 12 on"),
    ("__class__ = 'x'", "there is no fact '__class__'"),
    ("(" * 5_000 + "whole", "from character 5006 on"),
    ("x" * 10_001, "more than 10,000 characters"),
)
def test_a_mistake_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        where_of(text)
    assert message in error.value.message
    assert error.value.message.startswith("--where: ")


def test_a_pattern_of_many_parts_ends_soon() -> None:
    assert not where_of(f"names like '{'a%' * 40}b'")(Facts(4, 1, names=("a" * 4_000,)))


def test_the_library_reads_the_matches_that_fit(tmp_path: Path) -> None:
    for name, players in {"one.mjson": "ABCD", "two.mjson": "EFGH"}.items():
        start = json.dumps({"type": "start_game", "names": list(players)})
        (tmp_path / name).write_text(f'{start}\n{{"type":"end_game"}}\n')
    fits, others = "names = 'F'", "not names = 'F'"
    assert [Path(one.source).name for one in mjconv.iter_records(tmp_path, where=fits)] == ["two.mjson"]
    assert [match.players[0].name.shown for match in mjconv.iter_matches(tmp_path, where=others)] == ["A"]
    with pytest.raises(UsageError, match="no fact 'nams'"):
        mjconv.iter_records(tmp_path, where="nams = 'F'")


@looped("part", "(players = 3 or ", "not (whole and ")
def test_an_expression_that_is_nested_too_deeply_is_refused_before_a_file_is_read(part: str) -> None:
    for depth in (101, 247, 340):
        with pytest.raises(UsageError, match="nested too deeply; 100 levels are the most"):
            where_of(part * depth + "players = 4" + ")" * depth)
    assert where_of(part * 40 + "players = 4" + ")" * 40) is not None
    with pytest.raises(UsageError, match="nested too deeply"):
        where_of("not " * 2_400 + "whole")
    # Brackets alone are no levels.
    assert where_of("(" * 3_000 + "whole" + ")" * 3_000)(GAME) is False


# The facts of a match: what each format states, and nothing that it does not state.
LOG_ID = "2021030415gm-00a9-0000-0a1b2c3d"
HEAD = (
    '<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="{type}" lobby="{lobby}"/>'
    '<UN n0="A" n1="B" n2="C" n3="D" dan="16,17,18,20" rate="2100.50,1900.00,1800.00,1700.00" sx="M,M,M,M"/>'
    '<TAIKYOKU oya="0"/></mjloggm>'
)


def facts(data: bytes, name: str) -> dict[str, Any]:
    """Return the facts of the only match of a file as JSON values."""
    source = source_of(data, None, name)
    [reading] = source.readings(Report())
    found: dict[str, Any] = msgspec.to_builtins(facts_of(reading.match, source.form, name))
    return found


def as_mjai(data: bytes, name: str, **options: Any) -> bytes:
    matches = [reading.match for reading in source_of(data, None, name).readings(Report())]
    return hub.written(find("mjai")[0], matches, Report(), WriteOptions(**options))


def test_the_names_of_facts_are_those_of_the_columns() -> None:
    assert [FACTS.field(at).name for at in range(FACTS.num_fields)] == list(Facts.__struct_fields__)


@looped("name", "tenhou/hanchan.mjlog", "majsoul/client.json", "sample/game.jmjp")
def test_the_facts_of_a_record_are_those_of_its_file(name: str) -> None:
    [record] = mjconv.iter_records(CORPUS / name)
    assert msgspec.to_builtins(mjconv.facts(record)) == facts((CORPUS / name).read_bytes(), str(CORPUS / name))
    assert mjconv.facts(record).format == record.format
    assert mjconv.facts(record.match).format is msgspec.UNSET
    assert mjconv.facts(record.match).names == mjconv.facts(record).names


@looped(
    ("go_type", "room"),
    (9, "ippan"),
    (0x89, "joukyuu"),
    (0x29, "tokujou"),
    (0xA9, "houou"),
    (0xB9, "houou"),
    (0x6A9, "孔"),
)
def test_an_mjlog_states_its_room(go_type: int, room: str) -> None:
    found = facts(HEAD.format(type=go_type, lobby=0).encode(), "a.mjlog")
    assert (found["platform"], found["room"], found["lobby"]) == ("tenhou", room, 0)
    assert not {"date", "id"} & found.keys()


def test_a_private_lobby_has_no_room() -> None:
    found = facts(HEAD.format(type=9, lobby="C1234").encode(), "a.mjlog")
    assert (found["lobby"], "room" in found) == (1234, False)


def test_a_log_id_in_the_name_of_a_file_states_the_date() -> None:
    found = facts(HEAD.format(type=0xA9, lobby=0).encode(), f"logs.zip/2021/{LOG_ID}.mjlog.gz")
    assert (found["id"], found["date"], found["time"]) == (LOG_ID, "2021-03-04", "15:00:00")
    wrong = facts(HEAD.format(type=0xA9, lobby=0).encode(), f"{LOG_ID.replace('0304', '1399')}.mjlog")
    assert "date" not in wrong


def test_facts_travel_with_the_note_and_not_without_it() -> None:
    mjlog = HEAD.format(type=0xA9, lobby=0).encode()
    expected = facts(mjlog, "a.mjlog") | {"format": "mjai"}
    del expected["game"]
    assert facts(as_mjai(mjlog, "a.mjlog"), "a.mjson") == expected
    plain = facts(as_mjai(mjlog, "a.mjlog", plain=True), "a.mjson")
    assert not {"platform", "room", "lobby", "ranks", "ratings"} & plain.keys()


def test_room_and_lobby_are_written_where_a_format_states_them() -> None:
    rules = Rules(length="south", players=4)
    match = Match([Player()] * 4, opening=[ev.StartGame()], rules=rules, room="jade", id="x-1")
    for target in ("majsoul", "tenhou-json", "tenhou"):
        form, flavour = find(target)
        options = WriteOptions(flavour=flavour, plain=True)
        for room, lobby in (("jade", mjconv.ir.match.UNSET), ("houou", 77)):
            match.room, match.lobby = room, lobby
            [read] = hub.read_matches(form, hub.written(form, [match], Report(), options), Report())
            known = room == ("jade" if target == "majsoul" else "houou")
            assert (read.room == room) is known, (target, room)
            assert (read.lobby == 77) is (lobby == 77)


def test_tenhou_json_states_ref_and_room() -> None:
    text = f'{{"ref":"{LOG_ID}","rule":{{"disp":"鳳南喰赤","aka":1}},"name":["A","B","C","D"],"log":[]}}'
    found = facts(text.encode(), "a.json")
    assert [found[key] for key in ("id", "date", "room", "platform")] == [LOG_ID, "2021-03-04", "houou", "tenhou"]
    # Exports of other platforms have this form too.
    other = facts(text.replace(LOG_ID, "x").replace("鳳", "玉の間").encode(), "a.json")
    assert (other["id"], other["room"], "platform" in other) == ("x", "jade", False)


@looped("form", "majsoul", "riichicity", "botzone")
def test_records_of_a_platform_name_it(form: str) -> None:
    for path in sorted((CORPUS / form).iterdir()):
        source = source_of(path.read_bytes(), None, path.name)
        for reading in source.readings(Report()):
            assert facts_of(reading.match, source.form).platform == form


def deal(kyoku: int, **more: Any) -> ev.StartRound:
    return ev.StartRound(bakaze="E", kyoku=kyoku, honba=0, oya=kyoku - 1, scores=(25000,) * 4, **more)


WON = ev.Win(2, 0, deltas=(-1000, 0, 1000, 0))
END = [ev.EndGame()]


@looped(
    ("rounds", "closing", "whole"),
    ([], END, False),
    ([[deal(1), WON]], END, True),
    ([[deal(1), WON]], [], None),
    ([[deal(2), WON]], END, False),
    ([[deal(1)], [deal(2), WON]], END, False),
    ([[WON], [ev.Ryukyoku()]], END, True),
)
def test_a_whole_match_begins_and_ends(rounds: list[Any], closing: list[Any], whole: bool | None) -> None:
    match = Match(rounds=[Round(events) for events in rounds], closing=closing)
    assert facts_of(match).whole is (msgspec.UNSET if whole is None else whole)


def test_points_and_places_are_those_of_the_end() -> None:
    match = Match(rounds=[Round([deal(1), ev.Riichi(1), ev.RiichiAccepted(1), WON])], closing=END)
    found = facts_of(match)
    assert (found.points, found.places) == ((24000, 24000, 26000, 25000), (3, 4, 1, 2))
    match.closing = []
    assert mjconv.ir.match.UNSET is facts_of(match).points is facts_of(match).places
    match.final_scores = (1, 2, 3, 4)
    assert facts_of(match).places == (4, 3, 2, 1)


def test_an_address_of_a_game_states_its_date() -> None:
    match = Match(opening=[ev.StartGame(uri=f"http://tenhou.net/0/?log={LOG_ID}&tw=2")])
    assert facts_of(match).date == datetime.date(2021, 3, 4)


@looped(
    ("name", "game"),
    ("sample/game.mjson", "riichi"), ("sample/game.jmjp", "riichi"), ("hk/example.hk", "hongkong"),
     ("botzone/hands.botzone", "mcr"),
)  # fmt: skip
def test_the_game_is_the_one_that_info_shows(name: str, game: str) -> None:
    assert facts_of(mjconv.read_all(CORPUS / name)[0]).game == game


LAST = Round([deal(1, kyotaku=1), ev.Ryukyoku(deltas=(3000, -1000, -1000, -1000), reason="fanpai"), ev.EndRound()])


@looped("target", "mjai", "tenhou")
def test_riichi_sticks_that_are_left_are_points_of_the_leader(target: str) -> None:
    """A record without points at the end has the same facts as one with them."""
    points = (29000, 24000, 24000, 24000)
    for closing in (END, [ev.EndGame(scores=points)]) if target == "mjai" else ([ev.EndGame(scores=points)],):
        found = facts_of(Match(rounds=[LAST], closing=closing), find(target)[0])
        assert (found.points, found.whole) == (points, True)


@looped("target", "tenhou", "tenhou-json", "tenhou-url", "jmjp", "majiang", "majsoul", "uzje")
def test_a_record_that_states_no_end_is_not_whole_and_has_no_places(target: str) -> None:
    found = facts_of(Match(rounds=[LAST], closing=END), find(target)[0])
    assert found.whole is found.places is found.points is mjconv.ir.match.UNSET


def test_an_mjlog_that_was_cut_after_a_round_has_no_end() -> None:
    text = SAMPLE.read_bytes()
    mjlog = mjconv.convert(text, source="mjai", target="tenhou", plain=True).data
    assert facts(mjlog, "a.mjlog").get("whole")
    cut = re.sub(rb' owari="[^"]*"', b"", mjlog)
    assert cut != mjlog
    assert not {"whole", "places", "points"} & facts(cut, "a.mjlog").keys()
