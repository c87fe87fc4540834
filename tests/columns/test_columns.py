"""Matches as columns: every event has a row with all its values; other data is reported as lost."""

import datetime
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS, SAMPLE
from logs import Log, logs
from looped import looped
from mjconv.batch.plan import plan_of
from mjconv.columns import to_arrow
from mjconv.columns.losses import report_losses
from mjconv.columns.rows import _spread, collected, record_batches
from mjconv.columns.schema import BESIDE, COLUMNS, DERIVED, OF_MATCH, PLACE, SAID, SCHEMA
from mjconv.converters.shared.filled import filled
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Answer, Match, Name, Player, Round, Rules, Text, Tournament
from mjconv.options import ConvertOptions
from strategies import REQUIRED, VALUES
from trips import read

#: The values of the deal are in every row of its round.
OF_DEAL = ("bakaze", "kyoku", "honba", "oya")


def matches_of(data: bytes) -> list[Match]:
    return read(data, "mjai").matches


def said(row: dict[str, Any]) -> dict[str, Any]:
    """Rebuild the message of a row."""
    message = {key: value for key, value in row.items() if key in SAID and value is not None}
    if message["type"] == "start_kyoku":
        message |= {key: row[key] for key in OF_DEAL if row[key] is not None}
    if "yakus" in message:
        message["yakus"] = [[yaku["name"], yaku["fan"]] for yaku in message["yakus"]]
    message |= json.loads(message.pop("extras", "{}"))
    return message


def messages_of(matches: list[Match]) -> list[dict[str, Any]]:
    messages = []
    for match in map(filled, matches):
        played = [event for game_round in match.rounds for event in game_round.events]
        events = [*match.opening, *played, *match.closing]
        written = [json.loads(json.dumps(ev.to_message(event))) for event in events]
        names = [player.name.shown for player in match.players if player.name]
        start = next((message for message in written if message["type"] == "start_game"), None)
        if start is not None and names:
            start["names"] = names
        last: dict[str, Any] = {}
        for message in written:
            messages.append(with_self_draw(message, last))
            last = message if message["type"] in ("tsumo", "dahai", "kakan", "start_kyoku") else last
    return messages


def with_self_draw(message: dict[str, Any], last: dict[str, Any]) -> dict[str, Any]:
    """Return a message; a win states its tile, and whether it is self-drawn, if it states who paid.

    `last` is the message with the tile that could be won.
    """
    if message["type"] == "hora" and "target" in message:
        tile = {"pai": last["pai"]} if "pai" in last else {}
        return {"tsumo": message["target"] == message["actor"], **tile, **message}
    return message


@pytest.mark.parametrize("log", [*logs(4), *logs(3)], ids=str)
def test_every_message_comes_back_from_its_row(log: Log) -> None:
    matches = matches_of(log.data)
    table = to_arrow(matches)
    assert table.schema.equals(SCHEMA)
    assert [said(row) for row in table.to_pylist()] == messages_of(matches)


@given(st.data())
def test_every_key_that_an_event_can_have_has_its_column(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(VALUES)))
    needed = {key: VALUES[kind][key] for key in VALUES[kind] if key in REQUIRED[kind]}
    others = {key: VALUES[kind][key] for key in VALUES[kind] if key not in REQUIRED[kind]}
    event = ev.from_message({"type": kind, **data.draw(st.fixed_dictionaries(needed, optional=others))})
    # Conversation is around the rounds: in them it is no play.
    talks = type(event) in ev.CONVERSATION
    match = Match(opening=[event]) if talks else Match(rounds=[Round([event])])
    [row] = to_arrow(match).to_pylist()
    assert [said(row)] == messages_of([match])


def test_every_key_of_mjai_is_a_column() -> None:
    keys = {key for kind, names in ev.KEYS.items() if ev.KINDS[kind] not in ev.CONVERSATION for key in names}
    assert keys <= set(COLUMNS)
    assert set(COLUMNS) == set(SCHEMA.names)
    assert list(COLUMNS) == [*PLACE, *SAID, *BESIDE, *OF_MATCH]


def test_rows_have_their_place() -> None:
    deal = ev.StartRound(bakaze="S", kyoku=2, honba=1, oya=1)
    first = Round([deal, ev.Draw(1, "1m"), ev.Discard(1, "1m"), ev.Draw(2, "9p"), ev.Discard(2, "9p")])
    first.events += [ev.Pon(1, 2, "9p", ("9p", "9p")), ev.Discard(1, "E")]
    day = datetime.date(2024, 5, 6)
    match = Match(opening=[ev.StartGame()], rounds=[Round([ev.StartRound()]), first], date=day)
    rows = to_arrow([Match(closing=[ev.EndGame()]), match], source="a.mjson").to_pylist()
    assert [(row["game"], row["round"], row["event"], row["actor"], row["turn"]) for row in rows] == [
        (0, None, 0, None, None), (1, None, 0, None, None), (1, 0, 0, None, None), (1, 1, 0, None, None),
        (1, 1, 1, 1, 1), (1, 1, 2, 1, 1), (1, 1, 3, 2, 1), (1, 1, 4, 2, 1), (1, 1, 5, 1, 2), (1, 1, 6, 1, 2),
    ]  # fmt: skip
    assert {tuple(row[key] for key in OF_DEAL) for row in rows[3:]} == {("S", 2, 1, 1)}
    assert {row["source"] for row in rows} == {"a.mjson"}
    assert [row["date"] for row in rows] == [None, *[day] * 9]


def test_the_names_of_the_players_are_those_of_the_first_start_of_a_game() -> None:
    start = ev.StartGame(names=tuple("EFGH"))
    opening = [ev.Pass(), start, start, ev.StartGame(names=["I"])]
    match = Match([Player(Name(Text(name))) for name in "ABCD"], opening=[*opening])
    assert to_arrow([Match(), match]).column("names").to_pylist() == [None, [*"ABCD"], [*"EFGH"], ["I"]]
    assert to_arrow(Match([Player()] * 4, opening=[ev.StartGame()])).column("names").to_pylist() == [None]


def test_the_date_of_a_round_is_its_own() -> None:
    match = Match(rounds=[Round([ev.EndRound()], date=datetime.date(2024, 1, 2))], date=datetime.date(2023, 1, 1))
    assert to_arrow(match).column("date").to_pylist() == [datetime.date(2024, 1, 2)]


def test_batches_are_of_whole_matches_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mjconv.columns.rows.BATCH_ROWS", 20)
    batches = list(record_batches([Match(rounds=[Round([ev.EndRound()] * 10)])] * 7))
    assert [batch.num_rows for batch in batches] == [20, 20, 20, 10]
    assert batches[1].column("game").to_pylist() == [2] * 10 + [3] * 10


def test_no_matches_are_an_empty_table() -> None:
    assert to_arrow([]).equals(SCHEMA.empty_table())


def test_a_path_is_read_with_the_sources_of_its_records() -> None:
    folder = CORPUS / "sample"
    table = to_arrow(folder)
    assert table.equals(to_arrow(mjconv.iter_records(folder)))
    assert table.equals(to_arrow(str(folder)))
    assert len(set(table.column("source").to_pylist())) == len(list(mjconv.iter_records(folder)))
    with pytest.raises(mjconv.MissingFileError):
        to_arrow("none.mjson")


def test_larger_games_have_their_tiles_and_seats() -> None:
    [row] = to_arrow(Match(rounds=[Round([ev.Draw(5, "16m")])])).to_pylist()
    assert (row["actor"], row["pai"]) == (5, "16m")


def test_whether_a_discard_is_the_tile_just_drawn_may_not_be_known() -> None:
    match = Match(rounds=[Round([ev.Draw(0, "?"), ev.Discard(0, "1m")])])
    assert to_arrow(match).column("tsumogiri").to_pylist() == [None, None]


def test_columns_are_small_where_values_repeat() -> None:
    kinds = {name: SCHEMA.field(name).type for name in ("type", "pai", "bakaze", "source", "reason")}
    assert all(pa.types.is_dictionary(kind) for kind in kinds.values())


def test_data_without_a_column_is_reported() -> None:
    plain = Player(Name(Text("A")))
    rounds = [Round([ev.StartRound(bakaze="E", kyoku=1, honba=0)], dice=(1, 2), rules=Rules(base=Decimal(1)))]
    players = [plain, Player(Name(Text("B"), Text("b")))]
    report = Report()
    report_losses(Match(players, tournament=Tournament(year=2020), rounds=rounds), report, 3)
    assert {(loss.what, loss.fate, loss.match, loss.round, loss.label) for loss in report.losses} == {
        *((what, "dropped", 3, None, None) for what in ("match.players", "match.tournament")),
        *((what, "dropped", 3, 0, "E1-0") for what in ("round.dice", "round.rules")),
    }
    report = Report()
    report_losses(Match(players=[plain, Player()], rounds=[Round([ev.EndRound()])]), report, 0)
    assert report.losses == []


def test_the_first_row_of_a_match_has_its_facts() -> None:
    deal = ev.StartRound(bakaze="E", kyoku=1, honba=0, scores=(25000,) * 4)
    played = Round([deal, ev.Ryukyoku(), ev.EndRound()])
    at = datetime.time(9, 30, tzinfo=datetime.UTC)
    player = Player(Name(Text("A")), rank="七段", rating=Decimal("2100.5"))
    league = Match([player], [played], time=at, room="houou")
    first, *others = to_arrow([league, Match(rounds=[played])])["facts"].to_pylist()
    stated = [first[key] for key in ("ranks", "ratings", "room", "time", "start")]
    assert stated == [["七段"], [2100.5], "houou", at.replace(tzinfo=None), 25000]
    assert [row is None for row in others] == [True, True, False, True, True]


def test_facts_are_no_loss() -> None:
    known = Rules(players=4, length="south", reds=(1, 1, 1), open_tanyao=True, start=25000, game="riichi")
    match = Match([Player(rank="初段", rating=Decimal(1500))], id="x", room="gold", lobby=3, rules=known)
    report = Report()
    report_losses(match, report, 0)
    assert report.losses == []
    for rules in (Rules(uma=(20, 10)), Rules(reds=(2, 1, 0))):
        report_losses(Match(rules=rules), report, 0)
    assert [loss.what for loss in report.losses] == ["match.rules"] * 2


def test_columns_need_pyarrow_and_little_endian_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setattr("sys.byteorder", "big")
        with pytest.raises(mjconv.UsageError, match="columns need a machine with little-endian numbers"):
            to_arrow([])
    monkeypatch.setattr("mjconv.packages.find_spec", lambda _: None)
    with pytest.raises(mjconv.UsageError, match=r"to_arrow needs pyarrow: .*pip install pyarrow"):
        to_arrow([])
    options = ConvertOptions(target="decisions")
    with pytest.raises(mjconv.UsageError, match=r"--to decisions needs pyarrow: .*pip install pyarrow"):
        plan_of(("a.mjson",), "x.parquet", options)


def test_the_page_lists_every_column_and_every_loss() -> None:
    page = (Path(__file__).parents[2] / "docs" / "columns.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    assert rows == [(name, column.meaning) for name, column in (COLUMNS | DERIVED).items()]
    listed = set(re.findall(r"`((?:match|round)\.\w+)`", page.partition("## What is lost")[2]))
    match = Match(**{name: ... for name in Match.__struct_fields__ if name not in ("rounds", "players")})
    match.players = [Player(team=Text("A"))]
    match.rules = Rules(uma=(20, 10))
    match.rounds = [Round(**{name: ... for name in Round.__struct_fields__ if name != "events"})]
    report = Report()
    report_losses(match, report, 0)
    assert {loss.what for loss in report.losses} == listed


def test_a_number_of_an_unknown_key_that_no_float_has_keeps_its_digits() -> None:
    [match] = matches_of(b'{"type":"start_game","meta":{"odds":1.00000000000000000001}}\n')
    assert to_arrow([match])["extras"].to_pylist() == ['{"meta":{"odds":1.00000000000000000001}}']


def test_columns_do_not_depend_on_the_record() -> None:
    ura = (("riichi", 1), ("uradora", 0))
    for tile, before in (
        ("9s", [ev.Discard(0, "9s")]),
        ("7p", [ev.Discard(0, "9s"), ev.Draw(1, "7p"), ev.Dora("1m")]),
        ("2s", [ev.Draw(1, "5m"), ev.Kakan(1, "2s", ("2s", "2s", "2s"))]),
        ("4m", [ev.Draw(1, "4m"), ev.Ankan(1, ("4m", "4m", "4m", "4m"))]),
        (None, [ev.Draw(1, "?")]),
    ):
        win = to_arrow(Match(rounds=[Round([*before, ev.Win(2, 1, yakus=ura)])])).to_pylist()[-1]
        assert (win["pai"], win["tsumo"], win["yakus"]) == (tile, False, [{"name": "riichi", "fan": 1}])


def test_points_that_a_record_leaves_out_are_filled() -> None:
    [match] = matches_of(SAMPLE.read_bytes())
    bare = [
        structs.replace(one, events=[
            structs.replace(event, deltas=UNSET, scores=UNSET) if isinstance(event, ev.Win) else event
            for event in one.events
        ])
        for one in match.rounds
    ]  # fmt: skip
    whole, again = (
        to_arrow(one).filter(pc.field("type") == "hora").select(["deltas", "scores"]).to_pylist()
        for one in (match, structs.replace(match, rounds=bare))
    )
    assert whole
    assert again == whole


def test_a_column_without_a_value_has_the_dictionary_of_all_others() -> None:
    [batch] = record_batches([Match(rounds=[Round([ev.Draw(0, "1m")])])])
    assert batch.column("dora_marker").null_count == 1
    assert batch.column("dora_marker").dictionary == batch.column("pai").dictionary


@given(st.dictionaries(st.integers(0, 39), st.integers(0, 9) | st.none()))
def test_each_value_is_in_its_row_and_nothing_in_the_others(rows: dict[int, int | None]) -> None:
    spread = _spread(pa.array(rows.values(), pa.int32()), rows, 40)
    assert spread.to_pylist() == [rows.get(row) for row in range(40)]


def test_a_worker_refuses_a_value_that_its_column_cannot_hold() -> None:
    large = ev.StartRound(honba=1 << 31), ev.Ryukyoku(deltas=(0, 1 << 31, 0, 0)), ev.Win(0, fu=-(1 << 31) - 1)
    for event in (*large, ev.Ryukyoku(reason="\ud800")):
        [(_, columns)] = collected([Match(rounds=[Round([event])])])
        with pytest.raises((msgspec.ValidationError, UnicodeEncodeError)):
            columns.encoded()


@looped("events", 1, 511, 512, 513, 2000)
def test_the_events_of_a_round_of_any_length_are_numbered(events: int) -> None:
    game_round = Round([ev.Draw(number % 4, "1m") for number in range(events)])
    table = to_arrow(Match(opening=[ev.StartGame()], rounds=[game_round, game_round], closing=[ev.EndGame()]))
    assert table.column("event").to_pylist() == [0, *range(events), *range(events), 0]
    assert table.column("round").to_pylist() == [None, *[0] * events, *[1] * events, None]


def test_a_win_states_whether_it_is_self_drawn_and_all_rows_the_date_of_the_facts() -> None:
    """Records of Tenhou and Mahjong Soul state who wins and who pays. The id of a log of Tenhou states the day."""
    wins = [ev.Win(0, 0), ev.Win(0, 1), ev.Win(0), ev.Win(0, tsumo=True)]
    match = Match(rounds=[Round([ev.StartRound(), win]) for win in wins], id="2021030415gm-00a9-0000-0a1b2c3d")
    rows = to_arrow(match).to_pylist()
    assert [row["tsumo"] for row in rows if row["type"] == "hora"] == [True, False, None, True]
    assert {row["date"] for row in rows} == {datetime.date(2021, 3, 4)}


def test_answers_are_in_the_row_of_the_event_before_them_and_have_no_rows() -> None:
    events = [ev.StartRound(), ev.Draw(0, "E"), ev.Discard(0, "E", tsumogiri=True)]
    meta = ev.Extras({"meta": {"big": 1 << 70}})
    called = ev.Pon(2, 0, "E", ("E", "E"), extras=meta)
    answers = Answer(0, ev.Hello()), Answer(1, ev.Pass(), 0), Answer(3, called, 2), Answer(3, ev.Pass(), 0)
    silent = Round(events)
    table = to_arrow(Match(rounds=[silent, Round(events, answers=answers), Round(answers=answers[:1]), silent]))
    rows = table.column("answers").to_pylist()
    pon = '"type":"pon","actor":2,"target":0,"pai":"E","consumed":["E","E"],"meta":{"big":1180591620717411303424}'
    none = {"seat": 0, "message": '{"type":"none"}'}
    assert rows[:3] == rows[6:] == [None] * 3
    first = [{"seat": None, "message": '{"type":"hello"}'}, none]
    assert rows[3:6] == [first, None, [{"seat": 2, "message": f"{{{pon}}}"}, none]]
