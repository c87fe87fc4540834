"""Records of M-League: what they are read as, what is written back, and what the reader refuses."""

import datetime
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

import mjconv
from corpus_files import CORPUS
from engine import play
from logs import FOLDER
from looped import looped
from mjconv.archive.facts import facts_of
from mjconv.converters import formats, hub
from mjconv.converters.mleague.points import before_uma
from mjconv.converters.mleague.vocabulary import yaku_in_messages
from mjconv.ir import events as ev
from mjconv.ir.errors import InputError
from mjconv.ir.losses import Report
from mjconv.ir.match import Match
from mleague_made import PAGE, Command, at, drop, page, put, record, the
from trips import known

FORM = formats.find("mleague")[0]
SHORT = (CORPUS / "mleague/short.json").read_bytes()
PAGES = sorted((Path(FOLDER) / "mleague").glob("*.html")) if FOLDER else []


def one(data: bytes, report: Report | None = None) -> Match:
    [match] = hub.read_matches(FORM, data, report or Report())
    return match


def changed(edit: Callable[[list[Command]], object]) -> bytes:
    """Change the commands of a record of one round, without an end."""
    found = json.loads(SHORT)
    edit(found)
    return json.dumps(found, ensure_ascii=False).encode()


def test_the_page_is_read_as_the_game_that_it_was_made_of() -> None:
    log = play(13, rules="mjsoul", length="half", chooser="kans")
    # Tenhou states all values of the wins.
    mjlog = mjconv.convert(log, source="mjai", target="tenhou", plain=True).data
    ours, theirs = one(PAGE), mjconv.read(mjlog, format="tenhou")
    assert page(record()) == PAGE
    for own, made in zip(ours.rounds, theirs.rounds, strict=True):
        assert [event for event in own.events if not isinstance(event, ev.Win | ev.Ryukyoku)] == [
            ev.RiichiAccepted(event.actor) if isinstance(event, ev.RiichiAccepted) else event
            for event in made.events
            if not isinstance(event, ev.Win | ev.Ryukyoku)
        ]
        for win, same in zip(own.select(ev.Win), made.select(ev.Win), strict=True):
            assert (win.actor, win.target, win.pai, win.deltas) == (same.actor, same.target, same.pai, same.deltas)
            assert (win.fan, win.fu, win.hora_points) == (same.fan, same.fu, same.hora_points)
            assert sorted(win.yakus or ()) == sorted(same.yakus or ())
            assert list(win.ura_markers or ()) == list(same.ura_markers or ())
        for draw, same_draw in zip(own.select(ev.Ryukyoku), made.select(ev.Ryukyoku), strict=True):
            assert (draw.tenpais, draw.deltas) == (same_draw.tenpais, same_draw.deltas)


def test_a_page_states_season_round_date_time_teams_and_final_points() -> None:
    match = one(PAGE)
    tournament = known(match.tournament)
    assert (tournament.year, tournament.number_in_stage, tournament.number_in_day) == (2030, 7, 2)
    stage = known(tournament.stage)
    assert (stage.native, stage.code) == ("セミファイナルシリーズ", "S099")
    assert match.date == datetime.date(2031, 4, 1)
    assert match.time == datetime.time(19, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=9)))
    teams = [(player.team.native, player.team.code) for player in match.players if player.team]
    assert teams[:2] == [("青葉クラブ", "T001"), ("港サンライズ", "T002")]
    facts = facts_of(match, FORM)
    assert (facts.platform, facts.season) == ("mleague", "2030セミファイナルシリーズ")
    assert facts.teams == ("青葉クラブ", "港サンライズ", "朱雀", "白波")
    # The final points are those with uma and oka.
    assert match.final_scores == (15700, -19800, -67800, 71900)


def test_an_array_alone_has_the_time_of_its_first_command_and_the_ids_of_teams() -> None:
    report = Report()
    match = one(SHORT, report)
    assert match.date == datetime.date(2031, 4, 1)
    assert [player.team.code for player in match.players if player.team] == ["T001", "T002", "T003", "T004"]
    assert [warning.message for warning in report.warnings] == ["the game has no end: the record breaks off"]


@looped(("count", "points", "tiles"), (1, False, 0), (5, True, 0), (15, True, 32), (23, True, 52))
def test_a_record_that_breaks_off_in_a_deal_keeps_what_is_dealt(count: int, points: bool, tiles: int) -> None:
    whole = json.loads(SHORT)
    begin = next(index for index, command in enumerate(whole) if command["cmd"] == "kyokustart")
    whole[begin]["args"][1:3] = "C0", "2"
    [game_round] = one(json.dumps(whole[: begin + count]).encode()).rounds
    [deal] = game_round.events
    assert isinstance(deal, ev.StartRound)
    assert (deal.bakaze, deal.kyoku, deal.honba, deal.oya) == ("E", 3, 2, 2)
    assert deal.scores == ((25000,) * 4 if points else UNSET)
    assert deal.dora_marker == ("3m" if tiles else UNSET)
    assert sum(tile != "?" for hand in deal.tehais or () for tile in hand) == tiles


def test_a_tile_too_many_is_refused_where_it_is_dealt_though_no_play_follows() -> None:
    whole = json.loads(SHORT)
    last = max(index for index, command in enumerate(whole) if command["cmd"] == "haipai")
    extra = {**whole[last], "args": [whole[last]["args"][0], "1m"]}
    with pytest.raises(InputError, match="is dealt 14 tiles: expected 13") as refused:
        one(json.dumps([*whole[: last + 1], extra]).encode())
    place = known(refused.value.place)
    assert place.text[place.column - 1 - place.begin :].startswith('"1m"')


@looped("escaped", False, True)
def test_escapes_of_javascript_are_read_and_places_are_those_of_the_page(escaped: bool) -> None:
    found = record()
    assert one(page(found, escaped=escaped)) == one(PAGE)
    wrong = the("tsumo", 40)(found)
    found[wrong]["args"][2] = "9x"
    data = page(found, escaped=escaped)
    with pytest.raises(InputError, match="expected a tile such as 1m or 5P, not '9x'") as caught:
        one(data)
    place = known(caught.value.place)
    line = data.decode().split("\n")[place.line - 1]
    assert line[place.column - 1 :].lstrip('\\"').startswith("9x")
    assert place.cited == found[wrong]["id"]


@looped(
    ("written", "character"),
    (rb"\ud842\udfb7", "𠮷"),
    (rb"\u{20BB7}", "𠮷"),
    (rb"\x41", "A"),
    (rb"O\'Neil", "O'Neil"),
    (rb"\\u5409", "吉"),
)
def test_each_escape_of_javascript_is_a_character_and_moves_no_place(written: bytes, character: str) -> None:
    data = PAGE.replace("朝倉".encode(), written)
    [name] = [player.name for player in one(data).players[:1]]
    assert known(known(name).last).native == character
    with pytest.raises(InputError, match="not '9x'") as caught:
        one(data.replace(b'"args":["4m","3m"]', b'"args":["9x","3m"]', 1))
    place = known(caught.value.place)
    assert place.text.startswith("UMP") or "9x" in place.text
    line = data.decode().split("\n")[place.line - 1].replace('"4m","3m"', '"9x","3m"', 1)
    assert line[place.column - 1 :].startswith('"9x"')


def test_a_place_in_a_page_of_escapes_is_found_without_a_search_from_its_begin() -> None:
    found = record()
    for command in found:
        if command["cmd"] == "sutehai":
            command["args"][0] = "X0"
    report = Report(lenient=True)
    calls = 0

    def count(_frame: object, event: str, _value: object) -> None:
        nonlocal calls
        calls += event == "c_call"

    sys.setprofile(count)
    try:
        one(page(found, escaped=True), report)
    finally:
        sys.setprofile(None)
    assert len(report.faults) > 300
    assert calls < 500_000


@looped("moment", "2031/13/41 (火) 19:00", "2031/04/01 29:70", "０３年")
def test_a_page_with_a_date_that_is_none_is_a_mistake(moment: str) -> None:
    data = page(record(), date=moment)
    with pytest.raises(InputError, match="the page states no date") as caught:
        one(data)
    assert caught.value.proposal
    assert caught.value.proposal.proposed.startswith("2031-04-01")
    assert one(data, Report(lenient=True)).date == datetime.date(2031, 4, 1)


@looped(
    ("spelling", "han", "names"),
    ("リーチ", 1, ["reach"]),
    ("東", 1, ["jikaze"]),
    ("南", 1, ["bakaze"]),
    ("ダブ東", 2, ["bakaze", "jikaze"]),
    ("発", 1, ["sangenpai"]),
    ("国士無双", 13, ["kokushimuso"]),
    ("ドラ", 0, []),
    ("家の役", 1, ["家の役"]),
)
def test_yaku_have_the_names_of_messages(spelling: str, han: int, names: list[str]) -> None:
    found = yaku_in_messages(spelling, han, "E" if spelling == "ダブ東" else "S", "E")
    assert found == [(name, han // len(names)) for name in names]


#: A mistake, what the reader refuses it with, and the tile or the text that is read instead.
REFUSED: dict[str, tuple[Callable[[list[Command]], object], str]] = {
    "no tile drawn": (put(the("tsumo", 3), 2, ""), "the tile is missing"),
    "no tile discarded": (put(the("sutehai", 3), 1, ""), "the tile is missing"),
    "no dora": (put(the("dora"), 0, ""), "the tile is missing"),
    "no indicator": (put(the("dora"), 1, ""), "the tile is missing"),
    "another dora": (put(the("dora"), 0, "9s"), "the dora of the indicator .* not 9s"),
    "a hand of 12": (put(the("haipai", 14), 1, ""), "is dealt 12 tiles: expected 13"),
    "a hand of 14": (put(the("haipai", 14), 1, "1m2m"), "is dealt 14 tiles"),
    "tsumogiri of another tile": (put(the("sutehai", 2), slice(2, 3), ["tsumogiri"]), "as the tile just drawn"),
    "another player who announces the win": (
        put(the("say", 0, "ron"), 0, "C0"),
        "the win is A0 ron, but announced is C0 ron",
    ),
    "a discard that is announced as a self-draw": (
        put(the("say", 0, "ron"), 1, "tsumo"),
        "the win is A0 ron, but announced is A0 tsumo",
    ),
    "a dragon that the hand lacks": (
        at(the("agari"), lambda args: args.__setitem__(args.index("白"), "中")),
        "the win names chun, but the hand has haku",
    ),
    "a mark that is misspelled": (
        put(the("sutehai", 2), slice(2, 3), ["tsumogri"]),
        "'tsumogri' is no mark of a discard",
    ),
    "a discard that is not held": (put(the("sutehai", 5), 1, "8z"), "expected a tile"),
    "a comment in a win": (put(the("agari"), slice(1, 1), ["comment=x"]), "a comment is between the arguments"),
    "a win without its tile": (put(the("agari"), 0, "ron="), "expected the tile of the ron"),
    "a win with text for fu": (put(the("agari"), 3, "forty"), "expected the fu, not 'forty'"),
    "a yaku without han": (at(the("agari"), lambda args: args.pop()), "expected the han of this yaku"),
    "points that are no limit": (put(the("agari"), 2, "満腹"), "expected points or 満貫"),
    "an unknown command": (lambda found: found[31].update(cmd="shout"), "the command 'shout' is not known"),
    "an unknown player": (put(the("tsumo"), 0, "E0"), "from A0 to D0, not 'E0'"),
    "an unknown announcement": (put(the("say"), 1, "peng"), "no announcement"),
    "half a stick": (put(the("kyokustart"), 3, "500"), "expected whole thousands"),
    "the wind of another seat": (at(the("agari"), lambda args: args.extend("北1")), "neither of the round nor"),
    "no points of a player": (drop(the("point", 2)), "the deal lacks the points of C0"),
    "no dora at all": (drop(the("dora")), "the deal lacks the dora"),
    "a second game": (lambda found: found.append(found[the("gamestart")(found)]), "a second game begins"),
    "no round wind": (put(the("kyokustart"), 4, "5z"), "expected 1z to 4z"),
    "points with two signs": (put(the("point"), 1, "=+-5"), "expected points such as"),
    "points of no number": (put(the("point"), 1, "=x"), "expected points such as"),
    "a number as an argument": (put(the("tsumo"), 1, 69), "Expected `str`"),
}


def test_a_mistake_is_refused_with_its_place_and_a_lenient_reader_reads_on() -> None:
    for name, (edit, message) in REFUSED.items():
        data = changed(edit)
        with pytest.raises(InputError, match=message) as caught:
            one(data)
        assert caught.value.place, name
        report = Report(lenient=True)
        match = one(data, report)
        assert len(match.rounds) == 1, name
        assert match.rounds[0].start is not None, name
        assert report.faults or mjconv.check(match), name


def test_a_value_that_cannot_be_read_leaves_the_win_and_its_points() -> None:
    [right] = one(SHORT).rounds[0].select(ev.Win)
    values = ["a win with text for fu", "a yaku without han", "points that are no limit"]
    for name in (*values, "the wind of another seat", "no points of a player"):
        report = Report(lenient=True)
        [win] = one(changed(REFUSED[name][0]), report).rounds[0].select(ev.Win)
        assert (win.actor, win.pai, win.deltas) == (right.actor, right.pai, right.deltas), name
        assert all(fault.mended for fault in report.faults), name


def test_equal_points_share_the_points_of_their_places() -> None:
    for first, messages in (
        ("52.7", []),
        (
            "52.6",
            ["the final points are (52600, -42700, -5000, -5000), and should be (52700, -42700, -5000, -5000)"],
        ),
    ):
        ends = ["A0", first, "C0", "-5.0", "D0", "-5.0", "B0", "-42.7"]
        data = changed(lambda found, ends=ends: found.append({"cmd": "gameend", "args": ends}))
        assert [finding.message for finding in mjconv.check(one(data))] == messages


def test_a_result_before_the_deal_does_not_replace_the_deal() -> None:
    def draw(found: list[Command]) -> None:
        found.insert(the("dora")(found), {"cmd": "ryukyoku", "args": []})

    with pytest.raises(InputError, match="A0 is dealt 0 tiles: expected 13"):
        one(changed(draw))
    [game_round] = one(changed(draw), Report(lenient=True)).rounds
    assert [ev.name_of(event) for event in game_round.events][:2] == ["start_kyoku", "ryukyoku"]
    assert len(game_round.select(ev.Win)) == 1


def test_a_mistake_of_a_kyokustart_is_one_of_its_round() -> None:
    report = Report(lenient=True)
    one(changed(REFUSED["no round wind"][0]), report)
    assert [(fault.round, fault.event) for fault in report.faults][:1] == [(0, 0)]


def test_final_points_are_compared_unless_players_share_a_place() -> None:
    assert before_uma((50_000, 10_000, -20_000, -40_000)) == {0: 30_000, 1: 30_000, 2: 20_000, 3: 20_000}
    assert before_uma((32_000, 32_000, -21_000, -43_000)) == before_uma(()) == {}


@looped(("dora", "proposed"), ("6m", None), ("7m", "6m"))
def test_an_indicator_that_may_be_a_red_five_is_not_proposed(dora: str, proposed: str | None) -> None:
    report = Report(lenient=True)
    one(changed(lambda found: found[the("dora")(found)]["args"].__setitem__(slice(2), [dora, ""])), report)
    [fault] = report.faults
    assert isinstance(fault.error, InputError)
    assert (fault.error.proposal and fault.error.proposal.proposed) == proposed


def test_points_that_are_wrong_at_the_start_are_one_mistake() -> None:
    found = record()
    found[the("point", 1)(found)]["args"][1] = "=25100"
    report = Report(lenient=True)
    match = one(page(found), report)
    [fault] = report.faults
    assert fault.error.message == "B0 has 25100 points, but 25000 at the start"
    assert isinstance(fault.error, InputError)
    assert fault.error.proposal
    assert (fault.round, fault.error.proposal.proposed) == (0, "=25000")
    assert match == one(PAGE)


def test_a_draw_without_changes_of_points_moves_the_sticks_of_its_riichi_only() -> None:
    found: list[Command] = json.loads(SHORT)
    begin = max(i for i, one in enumerate(found) if one["cmd"] == "sutehai" and one["args"][0] == "D0")
    said = [("richi", "-1000"), *(("say", "noten"),) * 4, ("ryukyoku",)]
    found[begin]["args"].append("richi")
    found[begin + 1 :] = [{"cmd": cmd, "args": ["D0", *rest]} for cmd, *rest in said]
    found.insert(begin, {"cmd": "say", "args": ["D0", "richi"]})
    [draw] = one(json.dumps(found).encode()).rounds[0].select(ev.Ryukyoku)
    assert draw.deltas == (0, 0, 0, 0)


@looped(
    ("data", "message"),
    (b"UMP_PLAYER.init(true, true);", "expected the record as a text in single quotes"),
    (b"UMP_PLAYER.init(a, b, '[]');" * 2, "a second game begins: a file holds one"),
    (b"UMP_PLAYER.init(true, true, '[{', autoplay);", "this is no JSON"),
    (b'[{"cmd":"area","args":["-"]}]', "the record has no game"),
    (b"UMP_PLAYER.init(true, true, '{}', autoplay);", "expected a list of commands"),
    (b"\xff UMP_PLAYER.init(true, true, '[]', autoplay);", "the text is not UTF-8"),
)
def test_a_file_without_a_record_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        one(data)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_real_page_is_right_by_the_rules_and_its_totals(path: Path) -> None:
    data = path.read_bytes()
    assert mjconv.validate(data, format="mleague") == []
    match = one(data)
    assert all(game_round.select(ev.Win, ev.Ryukyoku) for game_round in match.rounds)
    assert match.final_scores
