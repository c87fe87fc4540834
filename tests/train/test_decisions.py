"""`mjconv.decisions`: formats, archives, errors, shards, and decisions as columns with their outcomes."""

import json
import warnings
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from msgspec import UNSET, structs
from replays import readings, rounds

import mjconv
from batch.archives import laid_out, zipped
from engine import play
from logs import lines, messages
from looped import looped
from mjconv import packages, schemas
from mjconv.ir import events as ev
from mjconv.ir.losses import Report
from mjconv.ir.match import Round
from mjconv.ir.tiles import TILE_KINDS
from mjconv.train.features import features_of, legal_of, pack_features
from mjconv.train.layout import KEY, columns_for, layout_for, schema_for
from mjconv.train.outcomes import RESULTS, end_of_match, outcome_of
from mjconv.train.rows import decision_batches
from moments_made import deal, match_of, pon, turn, won

CORPUS = Path(__file__).parents[2] / "corpus"
GAME = play(2, length="round")
OTHERS = (("b", "mjlog", "tenhou"), ("c", "jmjp", "jmjp"))
BAD = lines([message | ({"pai": "5sr"} if message["type"] == "dahai" else {}) for message in messages(GAME)])


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return an archive with a game in three formats, and a file that is no record."""
    other = {f"{name}.{target}": mjconv.convert(GAME, target=form).data for name, target, form in OTHERS}
    laid_out(tmp_path, {"logs.zip": zipped({"a/game.mjson": GAME, **other, "readme.txt": b"no record"})})
    return tmp_path / "logs.zip"


def actions(found: list[mjconv.Decision]) -> list[tuple[int, str]]:
    return [(one.seat, one.taken.to_mjai()) for one in found]


def test_records_of_an_archive_in_any_format_have_the_same_decisions(archive: Path) -> None:
    found = list(mjconv.decisions(archive))
    sources = sorted({one.source for one in found})
    names = [Path(source).relative_to(archive.parent).as_posix() for source in sources]
    assert names == ["logs.zip/a/game.mjson", "logs.zip/b.mjlog", "logs.zip/c.jmjp"]
    first, *others = [actions([one for one in found if one.source == source]) for source in sources]
    assert len(first) > 20
    assert (others, {(one.match, one.round) for one in found}) == ([first, first], {(0, 0)})
    assert all(one.taken.encode() in {action.encode() for action in one.legal} for one in found)


def test_a_match_that_is_read_has_the_decisions_of_its_file(archive: Path) -> None:
    whole = list(mjconv.decisions(archive))
    records = list(mjconv.iter_records(archive))
    for found in (records, [record.match for record in records]):
        each = [one for record in found for one in mjconv.decisions(record)]
        assert actions(each) == actions(whole)
    assert each[0].source == ""
    assert [one.source for one in mjconv.decisions(records[1])] == [records[1].source] * (len(whole) // 3)


def test_a_match_whose_play_is_refused_names_the_round() -> None:
    match = mjconv.read(GAME, format="mjai")
    match.rounds[0].events.insert(1, ev.Draw(3, "1m"))
    with pytest.raises(mjconv.PlayError, match=r"round \w\d-\d, event \d: the engine does not allow this"):
        list(mjconv.decisions(match))


def test_shards_divide_the_records(archive: Path) -> None:
    whole = actions(list(mjconv.decisions(archive)))
    shards = [actions(list(mjconv.decisions(archive, shard=(number, 2)))) for number in range(2)]
    assert len(shards[0]) == 2 * len(shards[1])
    assert sorted([*shards[0], *shards[1]]) == sorted(whole)


def test_a_round_that_the_engine_does_not_allow_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.mjson"
    path.write_bytes(BAD + GAME)
    with pytest.raises(mjconv.PlayError, match="the engine does not allow this") as raised:
        list(mjconv.decisions(path))
    assert raised.value.file == str(path)
    assert raised.value.place is not None
    said = r"skipped: .*bad\.mjson:\d+:\d+: round .* the engine does not allow"
    with pytest.warns(mjconv.MjconvWarning, match=said):
        skipped = list(mjconv.decisions(path, errors="skip"))
    assert {one.match for one in skipped} == {1}
    errors: list[Exception] = []
    assert actions(list(mjconv.decisions(path, errors=errors.append))) == actions(skipped)
    assert [type(error) for error in errors] == [mjconv.PlayError]


def test_a_game_that_the_engine_does_not_play_is_an_error(tmp_path: Path) -> None:
    [six] = [each for each in (CORPUS / "uzje").glob("*.uzje") if mjconv.read_all(each)[0].seats == 6][:1]
    path = laid_out(tmp_path, {"six.uzje": six.read_bytes()}) / "six.uzje"
    errors: list[Exception] = []
    assert list(mjconv.decisions(path, errors=errors.append)) == []
    assert [type(error) for error in errors] == [mjconv.UnsupportedError]


def test_only_results_have_no_decisions(tmp_path: Path) -> None:
    path = tmp_path / "evening.hk"
    path.write_text("A B C D\n- 2 d -\n")
    assert list(mjconv.decisions(path)) == []


def test_without_the_engine_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "find_spec", lambda _: None)
    with pytest.raises(mjconv.UsageError, match="pip install riichienv"):
        mjconv.decisions("game.mjson")


def test_rules_of_the_engine_can_be_given(tmp_path: Path) -> None:
    from riichienv import GameRule

    path = tmp_path / "game.mjson"
    path.write_bytes(GAME)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = list(mjconv.decisions(path, rule=GameRule.default_mjsoul()))
    assert actions(found) == actions(list(mjconv.decisions(path)))


PON = [*turn(0, "9s"), *pon(1, 0, "9s", "C"), *turn(2, "F"), *turn(3, "F"), *turn(0, "F")]
#: The last tile of the hand, and the play before the replacement tile.
KANS: dict[str, tuple[str, list[ev.Event]]] = {
    "daiminkan": ("9s", [*turn(0, "9s"), ev.Daiminkan(1, 0, "9s", ("9s",) * 3)]),
    "kakan": ("C", [*PON, ev.Draw(1, "9s"), ev.Kakan(1, "9s", ("9s",) * 3)]),
}


@pytest.mark.parametrize("dora", [[], [ev.Dora("S")]], ids=["no dora", "dora"])
@pytest.mark.parametrize("kind", KANS)
def test_a_win_on_the_replacement_may_have_no_other_yaku(tmp_path: Path, kind: str, dora: list[ev.Event]) -> None:
    own, kan = KANS[kind]
    hands = (
        "1p 1p 1p 2p 2p 2p 3p 4p 7s 8s E E S",
        f"1m 2m 3m 4p 5p 6p 7p 7p 2s 3s 9s 9s {own}",
        "3m 4m 5m 2p 3p 4p 7m 8m 9m 6s 7s P P",
        "1s 1s 6m 2m 3m 4m 3s 8s 8s W N N S",
    )
    win = ev.Win(1, 1, deltas=(-700, 1500, -400, -400))
    path = tmp_path / "rinshan.mjson"
    mjconv.write(match_of([deal(*hands, dora_marker="N"), *kan, ev.Draw(1, "4s"), *dora, win]), path)
    assert mjconv.validate(path) == []
    *_, last = mjconv.decisions(path)
    assert last.taken.to_mjai() == '{"type":"hora","actor":1,"target":1}'


def test_the_last_discard_after_a_replacement_tile_has_its_yaku(tmp_path: Path) -> None:
    hands = (
        "9m 9m 9m 1p 1p 1p 2p 2p 2p 3p 8s 8s E",
        "1m 2m 3m 4p 5p 6p 7p 7p 2s 3s 9s 9s 9s",
        "3m 4m 5m 2p 3p 4p 7m 8m 9p 6s 7s P P",
        "9p 9p 6m 2m 3m 4m 3s 8s 8s W N N S",
    )
    dealt, waits = " ".join(hands).split(), ("1s", "4s", "9m")
    rest = [tile for tile in TILE_KINDS if tile not in waits for _ in range(4 - dealt.count(tile))]
    play = [event for at in range(68) for event in turn(at % 4, rest.pop())]
    kan = [ev.Draw(0, "9m"), ev.Ankan(0, ("9m",) * 4), ev.Dora(rest.pop()), *turn(0, "4s")]
    path = tmp_path / "houtei.mjson"
    mjconv.write(match_of(won([deal(*hands, dora_marker=rest.pop()), *play, *kan], ev.Win(1, 0))), path)
    assert mjconv.validate(path) == []
    *_, last = mjconv.decisions(path)
    assert last.taken.to_mjai() == '{"type":"hora","actor":1,"target":0,"pai":"4s"}'


@pytest.mark.parametrize(("seed", "players"), [(2, 4), (3, 3)])
def test_observations_show_the_record_and_actions_are_messages(seed: int, players: int, tmp_path: Path) -> None:
    path = tmp_path / "game.mjson"
    path.write_bytes(play(seed, players=players, length="round"))
    match = mjconv.read(path)
    first, second = list(mjconv.decisions(path)), list(mjconv.decisions(path))
    assert [one.observation.events for one in first] == [one.observation.events for one in second]
    seen: dict[int, list[ev.StartRound]] = {}
    valid = schemas.validator("message").is_valid
    for one in first:
        deals = [message["dora_marker"] for message in one.observation.events if message["type"] == "start_kyoku"]
        seen.setdefault(one.seat, []).extend(deals)
        [message] = messages(one.taken.to_mjai().encode())
        assert valid(message)
        assert message["type"] != "dahai" or "tsumogiri" in message
        assert repr(one.taken) == repr(one.taken.action)
        assert one.taken.encode() == one.taken.action.encode()
        # The action follows its event, dora and accepted riichi between them.
        events = match.rounds[one.round].events
        following = [event for event in events[one.event + 1 :] if type(event) not in (ev.Dora, ev.RiichiAccepted)]
        if message["type"] not in ("none", "ryukyoku", "hora"):
            assert ev.from_message(message) == structs.replace(following[0], extras=UNSET)
    deals = [game_round.start.dora_marker for game_round in match.rounds if game_round.start]
    assert all(set(found) <= set(deals) and found[0] == deals[0] for found in seen.values())


def test_three_wins_on_one_tile_are_declared_by_whole_messages(tmp_path: Path) -> None:
    path = tmp_path / "game.mjson"
    path.write_bytes(play(0, length="round", deal="waits", chooser="riichi"))
    *before, draw, _ = mjconv.read(path).rounds[0].events
    assert (type(draw), draw.reason) == (ev.Ryukyoku, "sanchaho")
    discard = ev.select(before, ev.Discard)[-1]
    wins = [json.loads(one.taken.to_mjai()) for one in mjconv.decisions(path)][-3:]
    others = [seat for seat in range(4) if seat != discard.actor]
    assert wins == [{"type": "hora", "actor": seat, "target": discard.actor} for seat in others]


# Decisions as columns: rows, the layout in the metadata, and the outcomes of rounds and games.
GAMES = {4: partial(play, 21), 3: partial(play, 22, players=3)}
each_size = pytest.mark.parametrize("players", GAMES)


def table_of(data: bytes, players: int, report: Report | None = None, rows: int = 1 << 11) -> pa.Table:
    batches = decision_batches(readings(data), players, report or Report(), source="game", rows=rows)
    return pa.Table.from_batches(list(batches), schema_for(players))


@each_size
def test_a_row_is_a_decision_with_the_engines_own_numbers(players: int) -> None:
    table = table_of(GAMES[players](), players)
    answers = [
        (each.round, number, one) for each in rounds(GAMES[players]()) for number, one in enumerate(each.answers)
    ]
    assert table.num_rows == len(answers)
    features, legal = features_of(table), legal_of(table)
    assert (features.shape[1:], features.dtype) == (layout_for(players).shape, np.float32)
    for place, (row, (game_round, number, one)) in enumerate(zip(table.to_pylist(), answers, strict=True)):
        assert (row["source"], row["match"], row["round"], row["decision"]) == ("game", 0, game_round, number)
        assert (row["seat"], row["action"]) == (one.seat, one.taken.encode())
        assert legal[place].tobytes() == one.observation.mask()
        assert legal[place, row["action"]]
        assert features[place].tobytes() == one.observation.encode()


@each_size
def test_the_message_of_an_action_is_mjai_in_the_standard_dialect(players: int) -> None:
    valid = schemas.validator("accepted/message")
    kinds: Counter[str] = Counter()
    for row in table_of(GAMES[players](), players).to_pylist():
        message = json.loads(row["taken"])
        assert valid.is_valid(message)
        assert message.get("actor", row["seat"]) == row["seat"]
        assert set(message) <= {"type", "actor", "target", "pai", "consumed", "tsumogiri"}
        kinds[message["type"]] += 1
    assert kinds["dahai"] > kinds["none"] > kinds["pon"] > 0
    assert "kita" not in kinds
    assert players == 4 or kinds["nukidora"]


@each_size
def test_the_layout_is_in_the_metadata_with_a_name_for_every_action(players: int) -> None:
    table = table_of(GAMES[players](), players)
    layout = json.loads(table.schema.metadata[KEY])
    assert layout == json.loads(json.dumps(layout_for(players)._asdict()))
    assert layout["engine"].startswith("riichienv 0.")
    legal = legal_of(table)
    assert legal.shape[1] == len(layout["actions"])
    # Every legal action has a name.
    assert all(np.array(layout["actions"])[legal.any(axis=0)])
    for row in table.to_pylist():
        message = json.loads(row["taken"])
        first, _, tile = layout["actions"][row["action"]].partition(" ")
        assert (first == "kan" and message["type"] in ("daiminkan", "ankan", "kakan")) or first == message["type"]
        if first == "dahai":
            assert tile == message["pai"].removesuffix("r")
        if first == "chi":
            ranks = sorted(int(own[0]) for own in message["consumed"])
            rank = int(message["pai"][0])
            assert tile == ("low" if rank < ranks[0] else "high" if rank > ranks[1] else "middle")


def test_arrays_are_those_of_the_chosen_rows() -> None:
    table = table_of(GAMES[4](), 4)
    rows = table.slice(7, 30)
    chunks = pa.concat_tables([rows.slice(0, 11), rows.slice(11)])
    for part in (rows, chunks, *rows.combine_chunks().to_batches()):
        assert (features_of(part) == features_of(table)[7:37]).all()
        assert (legal_of(part) == legal_of(table)[7:37]).all()
    assert features_of(table.schema.empty_table()).shape == (0, 74, 34)


@looped(("plane", "values"), (0, (1, 0.5)), (0, (np.nan, 0)), (63, (0.1, 0.25)))
def test_features_that_the_columns_would_change_are_refused(plane: int, values: tuple[float, float]) -> None:
    features = np.zeros((1, 74, 34), np.float32)
    features[0, plane, :2] = values
    with pytest.raises(mjconv.UnsupportedError, match="exactly"):
        pack_features(features, layout_for(4))


@looped(("metadata", "found"), ({KEY: '{"version": 2}'}, "version 2"), ({}, "no version"))
def test_other_versions_of_the_columns_are_refused(metadata: dict[bytes, str], found: str) -> None:
    other = table_of(GAMES[4](), 4).replace_schema_metadata(metadata)
    with pytest.raises(mjconv.UnsupportedError, match=f"{found} of the columns, and this mjconv reads version 3"):
        features_of(other)


def test_batches_hold_whole_rounds() -> None:
    batches = list(decision_batches(readings(GAMES[4]()), 4, Report(), rows=100))
    assert len(batches) > 3
    ends = [(batch.column("round")[0].as_py(), batch.column("round")[-1].as_py()) for batch in batches]
    assert all(last < first for (_, last), (first, _) in pairwise(ends))
    assert sum(batch.num_rows for batch in batches) == table_of(GAMES[4](), 4).num_rows


@each_size
def test_results_points_and_places_are_those_of_the_record(players: int) -> None:
    [reading] = readings(GAMES[players]())
    match = reading.match
    starts = [each.start for each in match.rounds]
    scores = [start.scores for start in starts if start and start.scores]
    last = outcome_of(match.rounds[-1], players)
    assert last is not None
    assert last.scores is not None
    moved = {
        number: [after - before for before, after in zip(one, other, strict=True)]
        for number, (one, other) in enumerate(zip(scores, [*scores[1:], last.scores], strict=True))
    }
    final = sorted(range(players), key=lambda seat: (-last.scores[seat], seat))
    for row in table_of(GAMES[players](), players).to_pylist():
        assert row["delta"] == moved[row["round"]][row["seat"]]
        assert row["place"] == final.index(row["seat"]) + 1
        assert row["result"] in RESULTS
        won = row["result"] in ("tsumo", "ron")
        assert won == (row["seat"] in {win.actor for win in match.rounds[row["round"]].select(ev.Win)})


def test_a_game_that_breaks_off_has_no_places_and_its_last_round_no_result() -> None:
    log = messages(GAMES[4]())
    deals = [place for place, message in enumerate(log) if message["type"] == "start_kyoku"]
    rows = table_of(lines(log[: deals[2] + 20]), 4).to_pylist()
    assert {row["place"] for row in rows} == {None}
    assert {row["round"]: row["result"] is None for row in rows} == {0: False, 1: False, 2: True}
    assert {row["delta"] is None for row in rows if row["round"] == 2} == {True}


def test_a_round_that_the_engine_refuses_is_a_loss_with_its_place() -> None:
    log = messages(GAMES[4]())
    place = next(place for place, message in enumerate(log) if message["type"] == "dahai")
    log[place] |= {"pai": "5sr", "tsumogiri": False}
    report = Report()
    assert 0 not in table_of(lines(log), 4, report).column("round").to_pylist()
    [loss] = report.losses
    assert (loss.what, loss.fate) == ("match.rounds", "dropped")
    assert (loss.match, loss.round, loss.event) == (0, 0, place - 1)
    [warning] = report.warnings
    assert (warning.line, warning.match, warning.round) == (place + 1, 0, 0)
    assert "the engine does not allow this" in warning.message


def test_a_game_of_another_size_is_refused() -> None:
    with pytest.raises(mjconv.UnsupportedError, match="match 1 has 3 players, and these columns are for"):
        table_of(GAMES[3](), 4)


def test_every_column_has_a_description() -> None:
    for players in GAMES:
        schema = schema_for(players)
        assert schema.names == list(columns_for(players))
        assert all(field.metadata[b"description"] for field in schema)


READY, FAR = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p 2s 3s", "1p 4p 7p 2s 5s 8s E S W N P F C"
DEAL = deal(READY, FAR, FAR, FAR, dora_marker="1s")
PAID = ["paid tsumo", "paid tsumo", "tsumo", "paid tsumo"]


def exhaustive(**values: Any) -> ev.Ryukyoku:
    return ev.Ryukyoku("exhaustive_draw", **values)


@looped(
    ("draw", "results"),
    (exhaustive(tenpais=(True, False, True, False)), ["tenpai", "noten"] * 2),
    (exhaustive(deltas=(-1000, 3000, -1000, -1000)), ["noten", "tenpai", "noten", "noten"]),
    (exhaustive(deltas=(0, 0, 0, 0)), ["tenpai", "noten", "noten", "noten"]),
    (ev.Ryukyoku("kyushukyuhai", actor=0, deltas=(0, 0, 0, 0)), ["abortive draw"] * 4),
    (ev.Ryukyoku("nagashimangan", deltas=(-4000, -2000, 8000, -2000)), PAID),
    (ev.Ryukyoku("chombo", actor=1), None),
)
def test_the_outcome_of_a_draw(draw: ev.Ryukyoku, results: list[str] | None) -> None:
    outcome = outcome_of(Round([DEAL, draw, ev.EndRound()]), 4)
    assert results == (None if outcome is None else [outcome.result(seat) for seat in range(4)])


def test_of_several_wins_the_own_one_counts() -> None:
    outcome = outcome_of(Round([DEAL, ev.Win(1, 0), ev.Win(3, 0), ev.EndRound()]), 4)
    assert outcome
    assert [outcome.result(seat) for seat in range(4)] == ["dealt in", "ron", "bystander", "ron"]


def test_equal_points_are_placed_by_seat() -> None:
    ending = end_of_match(mjconv.Match(closing=[ev.EndGame(scores=(20000, 30000, 30000, 20000))]), [])
    assert ending
    assert ending.places == (3, 1, 2, 4)
