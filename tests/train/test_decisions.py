"""`mjconv.decisions`: every format and archive, errors, shards, and the engine that may be missing."""

import json
import warnings
from pathlib import Path

import pytest
from msgspec import UNSET, structs

import mjconv
from batch.archives import laid_out, zipped
from engine import play
from logs import lines, messages
from mjconv import packages, schemas
from mjconv.ir import events as ev
from mjconv.ir.tiles import TILE_KINDS
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
