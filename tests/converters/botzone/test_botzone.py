"""Botzone's logs: what they are read as, what is written and refused, and hands through other formats."""

import re
from pathlib import Path

import pytest
from msgspec import UNSET, structs

import mjconv
from corpus_files import CORPUS
from faults import leniently, refused_at
from logs import FOLDER
from looped import looped
from mcr_made import hand, match_of
from mjconv.converters.shared.single_hands import claim_of, turned
from mjconv.ir import events as ev
from mjconv.ir.errors import UnsupportedError
from mjconv.ir.match import Match, Rules
from mjconv.ir.mcr_fan import BY_NUMBER, FAN
from trips import read, write

HANDS = (CORPUS / "botzone/hands.botzone").read_text("utf-8")
RON = HANDS.split("\n\n")[0]
DEAL = "".join(f"Player {player} Deal{' W1' * 13}\n" for player in range(4))
HEAD = f"Match a1\nWind 2\n{DEAL}Player 0 Draw B2\nPlayer 0 Play B2\n"


def written(*matches: Match, plain: bool = False) -> str:
    return write(matches, "botzone", plain=plain).data.decode()


def test_a_block_is_a_match_of_one_hand_of_chinese_official() -> None:
    match = read(RON, "botzone").match
    assert (match.id, match.rules) == ("5a00c0ffeeron", Rules(game="mcr"))
    [game_round] = match.rounds
    start, end = game_round.start, game_round.events[-2]
    assert start is not None
    assert (start.bakaze, start.oya, start.kyoku) == ("S", 0, UNSET)
    assert isinstance(end, ev.Win)
    assert (end.actor, end.target, end.pai, end.fan, end.deltas) == (2, 3, "5p", 21, (-8, -8, 45, -29))
    assert sum(fan for _, fan in end.yakus or ()) == 21


def test_a_claim_that_was_overridden_is_an_annotation_before_the_act() -> None:
    game_round = read(RON, "botzone").match.rounds[0]
    [remark] = game_round.annotations
    assert type(game_round.events[remark.index]) is ev.Win
    assert claim_of(remark) == ev.Chi(0, 3, "5p", ("4p", "6p"))


def test_several_claims_in_capitals_are_read() -> None:
    line = "Player 3 Peng B2 IGNORE Player 1 CHI B3 IGNORE Player 1 GANG B2\n"
    match = read(f"{HEAD}{line}", "botzone").match
    assert [type(claim_of(one)) for one in match.rounds[0].annotations] == [ev.Chi, ev.Daiminkan]
    assert "Player 3 Peng B2 Ignore Player 1 Chi B3 Ignore Player 1 Gang B2\n" in written(match)


@looped(("middle", "consumed"), ("B3", ("3p", "4p")), ("B2", ("1p", "3p")))
def test_the_tile_of_a_chow_is_the_middle_one(middle: str, consumed: tuple[str, str]) -> None:
    [game_round] = read(f"{HEAD}Player 1 Chi {middle}\n", "botzone").match.rounds
    assert game_round.events[-1] == ev.Chi(1, 0, "2p", consumed)


def test_flowers_are_nukidora() -> None:
    text = (CORPUS / "botzone/flowers.txt").read_bytes()
    match = read(text, "botzone").match
    flowers = [str(event.pai) for event in match.rounds[0].select(ev.Nukidora)]
    assert flowers == [f"{flower.decode()}f" for flower in re.findall(rb"BuHua H([1-8])", text)]
    assert len(flowers) > 1
    assert written(match).encode() == text.replace(b"\r\n", b"\n")


def test_a_robbed_kong_is_won_from_its_maker() -> None:
    text = f"{HEAD}Player 1 Peng B2\nPlayer 1 Play W1\nPlayer 2 Draw B9\nPlayer 2 Play B9\nPlayer 1 BuGang B2\n"
    win = read(f"{text}Player 3 Hu B2\nFan 8 抢杠和*1\nScore -8 -16 -8 32\n", "botzone").match.rounds[0].events[-2]
    assert isinstance(win, ev.Win)
    assert (win.actor, win.target) == (3, 1)


def test_unknown_names_of_fan_stay_in_extras() -> None:
    text = f"{HEAD}Player 3 Hu B2\nFan 9 ???*1+??*2\nScore -17 -8 -8 33\n\n"
    match = read(text, "botzone").match
    win = match.rounds[0].events[-2]
    assert isinstance(win, ev.Win)
    assert (win.fan, win.yakus) == (9, UNSET)
    assert match.rounds[0].extras == {"botzone": {"fan": "???*1+??*2"}}
    assert written(match) == text


def test_both_spellings_of_the_closed_wait_come_back() -> None:
    for via in ("mjai", "uzje", "hk", "jmjp", "pmn"):
        for names in ("连六*1+坎张*1", "连六*1+嵌张*1"):
            text = re.sub(r"(?m)^(Fan [0-9]+) .*", rf"\1 {names}", RON) + "\n\n"
            there = mjconv.convert(text.encode(), source="botzone", target=via)
            assert mjconv.convert(there.data, source=via, target="botzone").data.decode() == text


def test_a_spelling_of_other_fan_than_the_win_has_is_not_written() -> None:
    match = read(f"{HEAD}Player 3 Hu B2\nFan 1 坎张*1\nScore -17 -8 -8 33\n\n", "botzone").match
    *_, win, _ = match.rounds[0].events
    match.rounds[0].events[-2] = structs.replace(win, yakus=(("edge_wait", 1),))
    assert "\nFan 1 边张*1\n" in written(match)


def test_every_fan_of_the_official_list_has_a_name_that_is_read() -> None:
    names = "+".join(f"{fan.chinese}*2" for fan in FAN.values())
    win = read(f"{HEAD}Player 3 Hu B2\nFan 9 {names}\nScore 0 0 0 0\n", "botzone").match.rounds[0].events[-2]
    assert isinstance(win, ev.Win)
    assert win.yakus == tuple((fan.id, 2 * fan.fan) for fan in FAN.values())
    values = [BY_NUMBER[number].fan for number in range(1, 82)]
    assert values == sorted(values, reverse=True)
    assert {value: values.count(value) for value in values} == {
        88: 7, 64: 6, 48: 2, 32: 3, 24: 9, 16: 6, 12: 5, 8: 9, 6: 7, 4: 4, 2: 10, 1: 13
    }  # fmt: skip


def test_a_match_of_several_hands_comes_back_with_its_dealers() -> None:
    match = match_of(hand(1), hand(2, oya=1, ready=3), hand(3, oya=3), name="s/1")
    text = written(match, match)
    assert re.findall(r"Match (\S+)", text) == ["-", "-/2", "-/3"] * 2
    assert read(text, "botzone").matches == [match, match]


def test_without_notes_players_are_counted_from_the_dealer() -> None:
    plain = read(written(match_of(hand(2, oya=1, ready=3)), plain=True), "botzone").match
    [win] = plain.rounds[0].select(ev.Win)
    assert win.actor == 2
    assert plain.rounds[0].events[1].actor == 0  # type: ignore[union-attr]


def test_claims_turn_with_their_players() -> None:
    game_round = turned(read(RON, "botzone").match.rounds[0], 1)
    [remark] = game_round.annotations
    assert (remark.seat, claim_of(remark)) == (1, ev.Chi(1, 0, "5p", ("4p", "6p")))
    match = match_of(game_round, name="a")
    assert " Ignore Player 0 Chi B5" in written(match)
    assert read(written(match), "botzone").matches == [match]


def test_the_same_hand_twice_is_two_matches() -> None:
    assert len(read(RON + "\n\n" + RON + "\n", "botzone").matches) == 2


def test_an_error_has_its_line() -> None:
    for text, message, line in (
        *((text, "expected the first line of a hand", 1) for text in ("", "Wind 1\n")),
        ("Match a\nWind 4\n", "expected Wind and the wind of the round", 2),
        ("Match a\nWind 1\nPlayer 0 Deal W1\n", "expected 13 tiles in a dealt hand, not 1", 3),
        ("Match a\nWind 1\nPlayer 0 Draw W1\n", "expected the wind and the deal", 3),
        *(
            (f"{HEAD}Player 1 Chi {tile}\n", f"B2, the last discard, is in no run with {tile} in", 9)
            for tile in ("B9", "J1")
        ),
        (HEAD + "Player 1 Peng B2 Ignore 2\n", "expected Ignore and a claim", 9),
        (HEAD + "Player 1 Eats B2\n", "expected a player from 0 to 3, an act and a tile", 9),
        (HEAD + "Score 1 2 3 4\n", "expected Score after the end", 9),
        (HEAD + "Fan 3\n", "expected Fan after Hu", 9),
        (HEAD + "Huang\nPlayer 1 Draw W1\n", "expected no act after the end", 10),
        (HEAD + "Good game\n", "expected a line of a log", 9),
        ("Match a\nWind 1\nPlayer 0 Hu W1\n" + DEAL, "expected the wind and the deal", 3),
        ("Match a\nWind 1\n" + DEAL + "Player 0 Peng W1\n", "no tile was discarded before this claim", 7),
    ):
        found, _, said = refused_at(text, "botzone")
        assert message in said
        assert found == line, text


@looped("text", "", "hello\n", "# mjconv {}\n")
def test_a_lenient_reader_reports_a_file_without_a_hand(text: str) -> None:
    was = leniently(text, "botzone")
    assert (was.matches[0].rounds[0].events, len(was.faults)) == ([], 1)


def test_a_hand_that_breaks_off_is_read_with_a_warning() -> None:
    was = read(HEAD, "botzone")
    assert (was.match.rounds[0].select(ev.EndRound), was.match.closing) == ([], [])
    assert [warning.message for warning in was.warnings] == ["the hand has no result"]
    assert written(was.match) == f"{HEAD}\n"


def test_games_that_are_none_of_chinese_official_are_refused() -> None:
    for change, reason in (
        ({"dora_marker": "1m"}, "Chinese Official has no dora"),
        ({"tehais": UNSET}, "the dealt hands are not known"),
        ({"tehais": (("5mr",) * 13,) * 4}, "Botzone has no tile 5mr"),
    ):
        game_round = hand(1)
        game_round.events[0] = structs.replace(game_round.events[0], **change)
        with pytest.raises(UnsupportedError, match=reason):
            written(match_of(game_round))
    draw = ev.Ryukyoku("kyushu_kyuhai")
    for event, reason in ((ev.Riichi(0), "no word for reach"), (draw, "no word for the draw")):
        game_round = hand(1)
        game_round.events[2:] = [event]
        with pytest.raises(UnsupportedError, match=reason):
            written(match_of(game_round))
    with pytest.raises(UnsupportedError, match="Botzone records games of Chinese Official, and match 1 is riichi"):
        written(structs.replace(match_of(hand(1)), rules=Rules(game="riichi")))


@looped("target", "tenhou", "tenhou-json", "tenhou-url", "majsoul", "majiang", "mjx")
def test_formats_of_riichi_refuse_chinese_official(target: str) -> None:
    with pytest.raises(UnsupportedError, match="records games of riichi, and match 1 is Chinese Official"):
        write([match_of(hand(1))], target)


def test_the_losses_of_hong_kong_scores() -> None:
    losses = write(read(HANDS, "botzone").matches, "hk").losses
    assert [loss.detail for loss in losses if loss.fate == "approximated"] == [
        f"{faan} faan by Hong Kong rules for a hand of Chinese Official" for faan in (1, 2)
    ]
    match = read((CORPUS / "botzone/flowers.txt").read_bytes(), "botzone").match
    there = write([match], "hk", plain=True)
    assert there.data.endswith(b"\n2 - - -\n")
    assert "2 faan by Hong Kong rules for a hand of Chinese Official" in [loss.detail for loss in there.losses]


FOLDERS = [folder / form for folder in (CORPUS, FOLDER and Path(FOLDER)) if folder for form in ("botzone", "pmn")]
FILES = [path for folder in FOLDERS for path in sorted(folder.iterdir())]
#: Hands that a format refuses: mjai and jmjp have no flowers, and a log of Botzone has one winner.
_FLOWER = b"BuHua|R[0-3]f[1-8]"
REFUSED = {"mjai": _FLOWER, "jmjp": _FLOWER, "botzone": b"H[0-3]H[0-3]"}
ALL = [(path, via) for path in FILES for via in ("mjai", "uzje", "hk", "jmjp", "botzone", "pmn")]


def is_refused(path: Path, via: str) -> bool:
    return via in REFUSED and re.search(REFUSED[via], path.read_bytes()) is not None


def name_of(one: Path | str) -> str:
    return one if isinstance(one, str) else f"{one.parent.name}/{one.name}"


@looped(("path", "via"), *[one for one in ALL if not is_refused(*one)], ids=name_of)
def test_logs_come_back_byte_for_byte(path: Path, via: str) -> None:
    own = path.parent.name
    data = path.read_bytes()
    there = mjconv.convert(data, source=own, target=via)
    assert not {loss.what for loss in there.losses if loss.fate in ("dropped", "approximated")} - {"hora.fan"}
    assert mjconv.convert(there.data, source=via, target=own).data == data.replace(b"\r\n", b"\n")


@looped(("path", "via"), *[one for one in ALL if is_refused(*one)], ids=name_of)
def test_hands_that_a_format_cannot_hold_are_refused(path: Path, via: str) -> None:
    with pytest.raises(mjconv.MjconvError, match=r"one winner|no word for \df|no tile \df"):
        mjconv.convert(path.read_bytes(), source=path.parent.name, target=via)
